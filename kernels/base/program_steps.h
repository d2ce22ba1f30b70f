/* Running point programs on rows of floats, in C bodies. */
#ifndef GF_KERNELS_PROGRAM_STEPS_H
#define GF_KERNELS_PROGRAM_STEPS_H

#include "kernels/base/op.h"

/* As `bins` of a step GF_POINT_SRGB, the last one before samples are stored in 8 bits: only the level counts. */
#define GF_BYTE_BINS 255

/*
 * Runs a program over n pixels in place; row[c] is channel c. Rows may pass from one channel to
 * another, so row[] changes; it has room for gf_point_widest() rows.
 */
void gf_point_run(const struct gf_point *p, const float *tables, float **row, int64_t n);

/* Returns the most channels of a pixel between a call's source and its result. */
int gf_point_widest_of(const struct gf_io *io);

#endif
