/* Packed samples to rows of floats and back: how C bodies read and write blocks. */
#ifndef GF_KERNELS_PACK_H
#define GF_KERNELS_PACK_H

#include "kernels/base/block.h"

#include <math.h>

/* pixels processed at a time, so that a few rows of floats stay in the first-level cache */
#define GF_RUN_PIXELS 2048
#define GF_RUN_SAMPLES 16384

/*
 * Computes x / one, correctly rounded: the product with the reciprocal and one step of refinement.
 * For powers of two the product is exact and the step changes nothing.
 */
static inline __attribute__((always_inline)) float gf_unit_value(float x, float one, float inverse)
{
    const float q = x * inverse;

    return fmaf(fmaf(-q, one, x), inverse, q);
}

/* Reads n pixels from pixel x of `unit` on as floats; row[c] gets channel c. */
void gf_load_pixels(const struct gf_block *b, int64_t unit, int64_t x, int64_t n, float *const *row);
/*
 * Stores floats as samples: rounded to nearest, ties to even, and clamped; NaN becomes 0. The product with maxval is a
 * float, which is rounded again on purpose: k/maxval is a float only nearly, and the product with maxval is k again.
 * Half of it is in the middle between two levels. Of the exact product, errors of floats would decide.
 */
void gf_store_pixels(const struct gf_block *b, int64_t unit, int64_t x, int64_t n, const float *const *row);

#endif
