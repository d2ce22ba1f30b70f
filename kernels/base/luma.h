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
 * Computes the bins, of `levels` (up to 256), of n pixels. The results are those of the path through floats: the
 * same operations are done in the same order wherever that makes a difference.
 */
void gf_luma_levels(const uint8_t *rgb, int64_t n, float one, const struct gf_point_step *matrix, int levels,
                    uint8_t *level);

/*
 * Computes the call if it goes from RGB bytes to bytes of gray, or adds a table of brightness whose 256 entries
 * are whole steps, for which integer sums are exact. Returns false if it did nothing.
 */
bool gf_luma_apply(const struct gf_work *work, const struct gf_io *io);

#endif
