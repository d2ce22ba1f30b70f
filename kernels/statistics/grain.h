/* Grain: counts how much pixels differ from what their neighbors predict, to estimate noise. */
#ifndef GF_KERNELS_GRAIN_H
#define GF_KERNELS_GRAIN_H

#include "kernels/base/curve.h"
#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_GRAIN_ROWS 64                 /* rows of a band; bands begin at multiples of it */
#define GF_GRAIN_BINS 320
#define GF_GRAIN_OCTAVE 16               /* bins from a value to twice of it */
#define GF_GRAIN_LEAST -16               /* 2^GF_GRAIN_LEAST is the start of bin 1; smaller values are in bin 0 */

/*
 * Measures. The record of a channel of a band has GF_GRAIN_BINS counts of 64 bits. Each pixel that is not at the border
 * of the band counts in the bin of |a - 2b + c - 2d + 4e - 2f + g - 2h + i| / 6, where a to i are the pixels around it,
 * row by row. If they have independent noise, that has its standard deviation (J. Immerkær, 1996). NaN is in bin 0.
 */
struct gf_grain {
    int channels;                        /* the first ones */
};

/* Returns the bin for nine pixels: sums of the left, middle and right columns, and those in the middle of each. */
GF_BOTH int32_t gf_grain_bin(float left, float middle, float right)
{
    const float d = ((left + right) - 2.0f * middle) / 6.0f;
    const int32_t bits = gf_bits_of_float(d) & 0x7FFFFFFF;
    const int32_t bin = (bits >> 19) - ((127 + GF_GRAIN_LEAST) * GF_GRAIN_OCTAVE - 1);

    return bits > 0x7F800000 || bin < 0 ? 0 : bin < GF_GRAIN_BINS ? bin : GF_GRAIN_BINS - 1;
}

/* Returns the part of a column: a - 2d + g. */
GF_BOTH float gf_grain_column(float above, float at, float below)
{
    return (above + below) - 2.0f * at;
}

/* Returns the standard deviation of the noise from the counts of all records of a channel; 0 if there is none. */
double gf_grain_sigma(const uint64_t *counts);

extern const struct gf_operation gf_op_grain;
gf_op_body gf_grain_cpu, gf_grain_cuda;

#ifdef __cplusplus
}
#endif
#endif
