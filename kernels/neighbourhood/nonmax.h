/* Edge thinning: finds where the gradient is largest across the edge, and how large it is there. */
#ifndef GF_KERNELS_NONMAX_H
#define GF_KERNELS_NONMAX_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * For one channel: 1 on an edge with m > high, 0.5 on an edge with m > low, otherwise 0.
 * Samples become integers first: q = 65535·v, rounded to nearest, ties to even, clamped; NaN is 0.
 * gx and gy are the sums with the masks [-1 0 1; -2 0 2; -1 0 1] and its transpose; m = gx² + gy².
 * Outside the image the last sample repeats, and m is 0. A pixel is on an edge if m is larger than
 * in the pixels before and after it across the edge, in one of four directions:
 *  |gy|·2^15 < |gx|·13573                    left (larger) and right (not smaller), for slopes
 * below 22.5 degrees
 *  |gy|·2^15 > |gx|·13573 + |gx|·2^16        above (larger) and below (not smaller), from 67.5
 * degrees on
 *  otherwise                                the corners along the gradient (both larger)
 * All values are integers below 2^53, so both bodies agree.
 */
struct gf_nonmax {
    double low, high;                    /* squares of 65535 times a magnitude */
};

#define GF_NONMAX_HALO 2

extern const struct gf_operation gf_op_nonmax;
gf_op_body gf_nonmax_cpu, gf_nonmax_cuda;

#ifdef __cplusplus
}
#endif
#endif
