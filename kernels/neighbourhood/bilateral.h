/* Means of a square that count what is alike more than what is not. */
#ifndef GF_KERNELS_BILATERAL_H
#define GF_KERNELS_BILATERAL_H

#include "kernels/base/curve.h"
#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_BILATERAL_MAX_RADIUS 64
#define GF_BILATERAL_CHANNELS 4
#define GF_BILATERAL_RUN 32

/*
 * out(x, y) = v + sum over |i|, |j| ≤ radius of w·(in(x + i, y + j) - v) / sum of w, v = in(x, y), for the first
 * `channels` channels together; others are copied. w = 2^(near[|i|] + near[|j|] - steep·d), d being the sum of the
 * squares of what the channels differ by, near[] radius + 1 floats at masks + near_at: the logarithm of a weight
 * by distance along a line.
 *
 * Both bodies compute the same bits: d by fma from the first channel on; rows of the square from the top, each from the
 * left in runs of GF_BILATERAL_RUN, whose sums are added with TwoSum (the sum in one float, its rounding errors in
 * another, added at the end).
 */
struct gf_bilateral {
    int radius;
    int channels;                        /* at most GF_BILATERAL_CHANNELS */
    enum gf_border border;
    int64_t near_at;
    float steep;
};

/* 2^x for x ≤ 100, to about 1e-7 of it; 2^-60 is as little as it gets, for NaN too. 1 for 0. */
GF_BOTH float gf_bilateral_weight(float x)
{
    const float magic = 12582912.0f;     /* 1.5 · 2^23: its last bits are the whole number that is added */
    const float low = x > -60.0f ? x : -60.0f, shifted = low + magic, f = low - (shifted - magic);
    float y;

    y = fmaf(f, 0.00132647273f, 0.00967151299f);
    y = fmaf(f, y, 0.0555073358f);
    y = fmaf(f, y, 0.240222424f);
    y = fmaf(f, y, 0.693147004f);
    y = fmaf(f, y, 1.0f);
    return gf_float_of_bits((int32_t)((uint32_t)gf_bits_of_float(y) + ((uint32_t)gf_bits_of_float(shifted) << 23)));
}

/* Adds p to the sum s + e without losing what rounding drops (TwoSum). */
GF_BOTH void gf_bilateral_add(float *s, float *e, float p)
{
    const float t = *s + p, back = t - *s;

    *e = *e + ((*s - (t - back)) + (p - back));
    *s = t;
}

/* Scratch the C body needs for such a call. */
gf_op_scratch gf_bilateral_scratch_bytes;

extern const struct gf_operation gf_op_bilateral;
gf_op_body gf_bilateral_cpu, gf_bilateral_cuda;

#ifdef __cplusplus
}
#endif
#endif
