/* Grain: counts how much pixels differ from what their neighbors predict, to estimate noise. */
#ifndef GF_KERNELS_GRAIN_H
#define GF_KERNELS_GRAIN_H

#include "kernels/base/curve.h"
#include "kernels/base/op.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_GRAIN_ROWS 64                 /* rows of a band; bands begin at multiples of it */
#define GF_GRAIN_LEVELS 4                /* ranges of brightness, of 0.25 each; the outer ones are open */
#define GF_GRAIN_LEAST -16
#define GF_GRAIN_DEGREES 31              /* of roughness: 0 is below 2^GF_GRAIN_LEAST, others are half octaves */
#define GF_GRAIN_OCTAVE 4                /* bins from a value to twice of it */
#define GF_GRAIN_RATIOS 24               /* bins of a degree, from 2^GF_GRAIN_LOWEST of its start on */
#define GF_GRAIN_LOWEST -3
#define GF_GRAIN_APART 3                 /* columns from a pixel to the others that its roughness is taken from */
#define GF_GRAIN_BINS (GF_GRAIN_LEVELS * GF_GRAIN_DEGREES * GF_GRAIN_RATIOS)

/*
 * Measures. The record of a channel of a band has GF_GRAIN_BINS counts of 64 bits, [level][degree][ratio], and those
 * of all bands are added up. With the pixels a to i around it, row by row, each pixel that is not at the border of the
 * band has
 *   a level, the range that their mean is in,
 *   a roughness: the root of the mean square of the seven other combinations of them that are orthogonal to each
 *   other, to the mean and to the deviation, each with a norm of 1; those of the pixels GF_GRAIN_APART to its left and
 *   to its right count, too, or of the last ones there are. Its half octave is the degree, and the last is open,
 *   a deviation |a - 2b + c - 2d + 4e - 2f + g - 2h + i| / 6 (J. Immerkær, 1996), a ratio to the start of its degree.
 * If the pixels have independent normal noise, none of the three depends on the others: a choice of pixels by the
 * first two changes the texture among them, but not the noise. Only pixels count whose mean is further from 0 and
 * from 1 than 1.2 times the roughness, because others may have lost noise by clipping.
 */
struct gf_grain {
    int channels;                        /* the first ones */
};

/* Sums of a column of three pixels: a + d + g, g - a, a - 2d + g. */
struct gf_grain_column {
    float sum, slope, bend;
};

GF_BOTH struct gf_grain_column gf_grain_column(float above, float at, float below)
{
    const float outer = above + below;

    return (struct gf_grain_column) { outer + at, below - above, outer - 2.0f * at };
}

/* Returns 36 times the sum of the squares of the seven combinations that make the roughness. */
GF_BOTH float gf_grain_roughness(struct gf_grain_column left, struct gf_grain_column middle,
                                 struct gf_grain_column right)
{
    const float x = right.sum - left.sum, y = (left.slope + right.slope) + middle.slope;
    const float xx = (left.sum + right.sum) - 2.0f * middle.sum, yy = (left.bend + right.bend) + middle.bend;
    const float xy = right.slope - left.slope, xyy = right.bend - left.bend;
    const float xxy = (left.slope + right.slope) - 2.0f * middle.slope;

    return ((6.0f * (x * x + y * y) + 2.0f * (xx * xx + yy * yy)) + 9.0f * (xy * xy)) + 3.0f * (xxy * xxy + xyy * xyy);
}

/*
 * Returns the bin for nine pixels, `rough` being the sum of three gf_grain_roughness(); GF_GRAIN_BINS, which no record
 * has, if they do not count.
 */
GF_BOTH int32_t gf_grain_bin(struct gf_grain_column left, struct gf_grain_column middle, struct gf_grain_column right,
                             float rough)
{
    const float sum = (left.sum + right.sum) + middle.sum;
    const float deviation = ((left.bend + right.bend) - 2.0f * middle.bend) * (1 / 6.0f);
    const float low = fabsf(sum), high = fabsf(9.0f - sum), room = low < high ? low : high;
    const int32_t level = (sum >= 2.25f) + (sum >= 4.5f) + (sum >= 6.75f);
    const int32_t half = (gf_bits_of_float(rough * (1 / 756.0f)) >> 23) - (127 + 2 * GF_GRAIN_LEAST - 1);
    const int32_t degree = half < 0 ? 0 : half < GF_GRAIN_DEGREES ? half : GF_GRAIN_DEGREES - 1;
    const int32_t start = (127 + GF_GRAIN_LEAST + GF_GRAIN_LOWEST) * GF_GRAIN_OCTAVE;
    const int32_t above = ((gf_bits_of_float(deviation) & 0x7FFFFFFF) >> 21) - start;
    const int32_t ratio = above - (degree - 1) * (GF_GRAIN_OCTAVE / 2);
    const int32_t limited = ratio < 0 ? 0 : ratio < GF_GRAIN_RATIOS ? ratio : GF_GRAIN_RATIOS - 1;

    /* an infinite roughness does not count either */
    return !(room * room - 0.15f * rough >= 0) ? GF_GRAIN_BINS
         : (level * GF_GRAIN_DEGREES + degree) * GF_GRAIN_RATIOS + limited;
}

/* Returns the standard deviation of the noise from the counts of a channel; 0 if there is none. */
double gf_grain_sigma(const uint64_t *counts);

extern const struct gf_operation gf_op_grain;
gf_op_body gf_grain_cpu, gf_grain_cuda;

#ifdef __cplusplus
}
#endif
#endif
