/*
 * Programs on packed bytes as tables. A program that changes each channel alone has 256 answers, so they are computed
 * once, by the same steps as always, and then looked up.
 */
#ifndef GF_KERNELS_BYTE_TABLE_H
#define GF_KERNELS_BYTE_TABLE_H

#include "kernels/base/op.h"

/*
 * Computes the call, which loads and stores packed samples or planes, if tables do that faster. Returns
 * false if it did nothing.
 */
bool gf_byte_table_apply(const struct gf_work *work, const struct gf_io *io);

/* Returns the light operations of programs whose source is bytes: of the steps that no table replaces. */
double gf_byte_table_light(const struct gf_point *load, const struct gf_point *store, bool to_bytes);

/* Replaces n bytes by their entries in a table of 256. */
void gf_byte_look_up(const uint8_t *from, int64_t n, const uint8_t *table, uint8_t *to);

#define GF_BYTE_LEVELS 256
#define GF_BYTE_CHANNELS 4

/* The floats that the first steps of `load` make of the levels of each channel, and the steps after them. */
struct gf_byte_floats {
    float of[GF_BYTE_CHANNELS][GF_BYTE_LEVELS];
    struct gf_point rest;
};

/* Prepares for a call whose first steps are slow, such as powers. Returns false if floats are computed as fast. */
bool gf_byte_floats_make(const struct gf_work *work, const struct gf_io *io, struct gf_byte_floats *f);
/* Like gf_load_pixels() and the steps that the table replaces. */
void gf_byte_floats_load(const struct gf_byte_floats *f, const struct gf_block *b, int64_t unit, int64_t x, int64_t n,
                         float *const *row);

#endif
