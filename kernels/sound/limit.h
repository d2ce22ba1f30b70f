/* A limiter that looks ahead: the gain goes down before a peak comes, and back behind it. */
#ifndef GF_KERNELS_LIMIT_H
#define GF_KERNELS_LIMIT_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_LIMIT_ONE (INT32_C(1) << 30)

/*
 * The gain that frame n needs is g[n] = min(1, threshold / p[n]), p being the largest magnitude of
 * its channels; it is kept as ⌊g·2^30⌋, and is 1 beyond the signal. m[n] is the least of g over
 * [n - reach, n + reach], and the gain that all channels get is the mean of m over [n - first, n + first],
 * of which in turn the mean over [n - second, n + second] is taken: y = x·gain, then held between
 * -threshold and threshold. As first + second ≤ reach, no m in the mean is more than g[n]. The
 * sums are integers, so that their order is of no matter. Units are one pixel wide.
 */
struct gf_limit {
    float threshold;
    int reach, first, second;
};

/* Both sums as a gain: times this. */
static inline double gf_limit_scale(const struct gf_limit *l)
{
    return 1.0 / ((double)(2 * l->first + 1) * (double)(2 * l->second + 1) * GF_LIMIT_ONE);
}

/* How far on both sides a frame's gain looks. */
static inline int64_t gf_limit_halo(const struct gf_limit *l)
{
    return (int64_t)l->reach + l->first + l->second;
}

gf_op_scratch gf_limit_scratch_bytes;

extern const struct gf_operation gf_op_limit;
gf_op_body gf_limit_cpu, gf_limit_cuda;

#ifdef __cplusplus
}
#endif
#endif
