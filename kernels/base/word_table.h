/*
 * Programs on packed samples of 16 bits as tables. A program that changes each channel alone has 65536 answers. The
 * strips of a lane share them, because computing them takes as long as computing 65536 pixels.
 */
#ifndef GF_KERNELS_WORD_TABLE_H
#define GF_KERNELS_WORD_TABLE_H

#include "kernels/base/op.h"

/* Returns the memory of the tables for a call; 0 if they would not help. */
size_t gf_word_table_bytes(const struct gf_io *io);

/* Returns the light operations of programs whose source is packed samples of 16 bits. */
double gf_word_table_light(const struct gf_point *load, const struct gf_point *store, enum gf_type to, int channels);

/* Computes the call with tables in the scratch memory, if that is faster. Returns false if it did nothing. */
bool gf_word_table_apply(const struct gf_work *work, const struct gf_io *io);

#endif
