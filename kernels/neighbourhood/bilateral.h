/* Bilateral means: means over a square in which similar values count more. */
#ifndef GF_KERNELS_BILATERAL_H
#define GF_KERNELS_BILATERAL_H

#include "kernels/base/curve.h"
#include "kernels/base/exact_sum.h"
#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_BILATERAL_MAX_RADIUS 64
#define GF_BILATERAL_CHANNELS 4
#define GF_BILATERAL_RUN 32

/*
 * out(x, y) = v + sum over |i|, |j| ≤ radius of w·(in(x + i, y + j) - v) / sum of w, with v = in(x,
 * y), for the first `channels` channels together; others are copied. w = 2^(near[|i|] + near[|j|] -
 * steep·d), where d is the sum of the squared differences of the channels, and near[] has radius +
 * 1 floats at masks + near_at: logarithms of the weights by distance along a line.
 * Both bodies compute the same bits: d by fma from the first channel on; rows of the square from
 * the top, each from the left in runs of GF_BILATERAL_RUN, whose sums are added with TwoSum (the
 * sum in one float, its rounding errors in another, added at the end).
 */
struct gf_bilateral {
    int radius;
    int channels;                        /* at most GF_BILATERAL_CHANNELS */
    enum gf_border border;
    int64_t near_at;
    float steep;
};

/* 2^x for x ≤ 100, with a relative error of about 1e-7; at least 2^-60, also for NaN. Exactly 1 for 0. */
GF_BOTH float gf_bilateral_weight(float x)
{
    const float magic = 12582912.0f;     /* 1.5 · 2^23: its lowest bits are the integer that is added */
    const float low = x > -60.0f ? x : -60.0f, shifted = low + magic, f = low - (shifted - magic);
    float y;

    y = fmaf(f, 0.00132647273f, 0.00967151299f);
    y = fmaf(f, y, 0.0555073358f);
    y = fmaf(f, y, 0.240222424f);
    y = fmaf(f, y, 0.693147004f);
    y = fmaf(f, y, 1.0f);
    return gf_float_of_bits((int32_t)((uint32_t)gf_bits_of_float(y) + ((uint32_t)gf_bits_of_float(shifted) << 23)));
}

extern const struct gf_operation gf_op_bilateral;
gf_op_body gf_bilateral_cpu, gf_bilateral_cuda;

#ifdef __cplusplus
}
#endif
#endif
