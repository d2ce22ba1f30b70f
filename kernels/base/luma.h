/* Brightness of packed bytes, without rows of floats in between: what equalize does to most pictures. */
#ifndef GF_KERNELS_LUMA_H
#define GF_KERNELS_LUMA_H

#include "kernels/base/op.h"

/* Whether a program is one matrix from the three channels of packed bytes to one, as when brightness is counted. */
bool gf_luma_is_view(const struct gf_block *src, const struct gf_point *p);
/*
 * The bins, of `bins` (to 65536), of n pixels of such a view: the same operations in the same order as through floats,
 * so the same bins.
 */
void gf_luma_bins(const uint8_t *rgb, int64_t n, float one, const struct gf_point_step *matrix, int bins, uint16_t *bin);

/*
 * Whether all that happens to packed bytes of 3 channels is one table of brightness whose 256 entries are whole steps:
 * then sums are exact in whole numbers, too. Fills `steps`.
 */
bool gf_luma_is_table(const struct gf_io *io, const float *tables, int16_t *steps);
/* n pixels through it. */
void gf_luma_table(const uint8_t *from, int64_t n, const int16_t *steps, uint8_t *to);

#endif
