/* An image that a stage looks at before it is bound, because its result depends on what is in it. */
#ifndef GF_CHAIN_LOOK_H
#define GF_CHAIN_LOOK_H

#include "base/error.h"
#include "base/signal.h"

/* The image is upright, and in memory as it is stored there. */
struct gf_look {
    const struct gf_format *format;
    const void *samples;
};

#define GF_LOOK_PIXELS 2048              /* that are read at a time, at most */

/* Rows of floats, one for each channel. */
struct gf_look_rows {
    float *row[GF_MAX_CHANNELS];
};

/* Allocates rows of GF_LOOK_PIXELS for all channels. Free row[0]. */
int gf_look_rows_open(struct gf_look_rows *rows, const struct gf_look *image, struct gf_error *err) GF_MUST_CHECK;
/*
 * Reads up to GF_LOOK_PIXELS pixels from (x, y) on. Luma and chroma become red, green and blue, with the chroma that is
 * stored nearest to each pixel.
 */
void gf_look_read(const struct gf_look *image, int64_t x, int64_t y, int64_t n, const struct gf_look_rows *to);

#endif
