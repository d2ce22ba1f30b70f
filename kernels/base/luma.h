/*
 * Brightness of packed bytes without rows of floats in between, which is what equalize does to most
 * images.
 */
#ifndef GF_KERNELS_LUMA_H
#define GF_KERNELS_LUMA_H

#include "kernels/base/op.h"

/*
 * Returns true if a program is one matrix from three channels of packed bytes to one, as for counting
 * brightness.
 */
bool gf_luma_is_view(const struct gf_block *src, const struct gf_point *p);
/*
 * Computes the bins, of `bins` (up to 65536), of n pixels. The operations and their order are those
 * of the path through floats, so the bins are equal.
 */
void gf_luma_bins(const uint8_t *rgb, int64_t n, float one, const struct gf_point_step *matrix, int bins,
                  uint16_t *bin);

/*
 * Returns true if the programs for packed bytes of 3 channels amount to one table of brightness whose
 * 256 entries are whole steps; integer sums are exact then. Fills `steps`.
 */
bool gf_luma_is_table(const struct gf_io *io, const float *tables, int16_t *steps);
/* Applies the table to n pixels. */
void gf_luma_table(const uint8_t *from, int64_t n, const int16_t *steps, uint8_t *to);

#endif
