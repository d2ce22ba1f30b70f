/* A limiter with look-ahead: the gain goes down before a peak, and up again after it. */
#ifndef GF_KERNELS_LIMIT_H
#define GF_KERNELS_LIMIT_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_LIMIT_ONE (INT32_C(1) << 30)

/*
 * Frame n needs the gain g[n] = min(1, threshold / p[n]), where p is the largest magnitude of its
 * channels. It is kept as ⌊g·2^30⌋ and is 1 outside the signal. m[n] is the minimum of g over [n -
 * reach, n + reach]. The gain of all channels is the mean of m over [n - first, n + first],
 * averaged again over [n - second, n + second]: y = x·gain, clamped to -threshold and threshold. As
 * first + second ≤ reach, no m in the mean exceeds g[n]. The sums are integers, so their order does
 * not matter. Units are one pixel wide.
 */
struct gf_limit {
    float threshold;
    int reach, first, second;
};

/* Factor from both sums to the gain. */
static inline double gf_limit_scale(const struct gf_limit *l)
{
    return 1.0 / ((double)(2 * l->first + 1) * (double)(2 * l->second + 1) * GF_LIMIT_ONE);
}

/* Frames on each side that a frame's gain depends on. */
static inline int64_t gf_limit_halo(const struct gf_limit *l)
{
    return (int64_t)l->reach + l->first + l->second;
}

extern const struct gf_operation gf_op_limit;
gf_op_body gf_limit_cpu, gf_limit_cuda;

#ifdef __cplusplus
}
#endif
#endif
