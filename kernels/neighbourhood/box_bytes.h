/* Means of squares from packed bytes to packed bytes, for the C bodies of box and conv. */
#ifndef GF_KERNELS_BOX_BYTES_H
#define GF_KERNELS_BOX_BYTES_H

#include "kernels/base/op.h"

/*
 * The largest radius at which integers give the same bytes as floats. With n = 2·radius + 1, a mean is a multiple of
 * 1 / n², and n is odd, so it is at least 1 / 2n² from the middle between two bytes: 178e-6 at n = 53. Floats are
 * rounded once to v / 255, up to 6 times in sums along a row, twice in the mean of a row, twice in the result, by
 * 2^-24 of their values each: 167e-6 of a byte at most. Means of up to 17 samples as weighted sums are rounded 38
 * times: 578e-6, with 1730e-6 to the middle.
 */
#define GF_BOX_BYTES_RADIUS 26
#define GF_BOX_BYTES_WEIGHTS 17

/* Returns true if a mean with that radius can be computed from bytes to bytes. */
bool gf_box_bytes_fits(const struct gf_io *io, int radius);
size_t gf_box_bytes_scratch(int radius);
void gf_box_bytes_run(const struct gf_io *io, int radius, enum gf_border border, void *scratch);

#endif
