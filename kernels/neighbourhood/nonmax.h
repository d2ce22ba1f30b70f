/* Edges made thin: where the slope is steepest across its own direction, and how steep it is there. */
#ifndef GF_KERNELS_NONMAX_H
#define GF_KERNELS_NONMAX_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Of one channel: 1 where there is an edge and m > high, 0.5 where there is one and m > low, else 0.
 *
 * Samples become whole numbers first, q = 65535·v to the nearest, ties to even, clamped; NaN is 0. gx and gy are the
 * sums that the masks [-1 0 1; -2 0 2; -1 0 1] and its transpose make of them, m = gx² + gy². Beyond the border
 * stands the last sample, and m is 0. A pixel is on an edge where m is greater than in the pixels before and behind it
 * across the edge, of which there are four directions:
 *
 *     |gy|·2^15 < |gx|·13573                    left (greater) and right (not less), for slopes below 22.5 degrees
 *     |gy|·2^15 > |gx|·13573 + |gx|·2^16        above (greater) and below (not less), from 67.5 degrees on
 *     else                                      the corners that the slope points to and from (both greater)
 *
 * All of this is whole numbers below 2^53, so both bodies agree.
 */
struct gf_nonmax {
    double low, high;                    /* squares of 65535 times a magnitude */
};

#define GF_NONMAX_HALO 2

/* Scratch the C body needs for such a call. */
gf_op_scratch gf_nonmax_scratch_bytes;

extern const struct gf_operation gf_op_nonmax;
gf_op_body gf_nonmax_cpu, gf_nonmax_cuda;

#ifdef __cplusplus
}
#endif
#endif
