/* Packed samples to rows of floats and back: how C bodies read and write blocks. */
#ifndef GF_KERNELS_PACK_H
#define GF_KERNELS_PACK_H

#include "kernels/base/block.h"

#include <math.h>

#define GF_RUN_PIXELS 2048               /* pixels that are worked on at a time: a few rows of floats in the nearest cache */
#define GF_RUN_SAMPLES 16384

/*
 * x / one, correctly rounded: one step of refinement on the product with the reciprocal.
 * Powers of two need none, and the step would change nothing.
 */
static inline __attribute__((always_inline)) float gf_unit_value(float x, float one, float inverse)
{
    const float q = x * inverse;

    return fmaf(fmaf(-q, one, x), inverse, q);
}

/* n pixels from pixel x of `unit` on, as floats: row[c] gets channel c. */
void gf_load_pixels(const struct gf_block *b, int64_t unit, int64_t x, int64_t n, float *const *row);
/* Stores floats as samples: rounded to nearest, ties to even, and clamped; NaN becomes 0. */
void gf_store_pixels(const struct gf_block *b, int64_t unit, int64_t x, int64_t n, const float *const *row);

#endif
