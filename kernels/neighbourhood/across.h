/* Across: combines the samples at one place of consecutive frames. */
#ifndef GF_KERNELS_ACROSS_H
#define GF_KERNELS_ACROSS_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gf_across_kind { GF_ACROSS_MEAN, GF_ACROSS_MEDIAN, GF_ACROSS_BETWEEN };

/*
 * out(x, y) is the mean or the median of v(x, y) of the n frames of the window, channel by channel, or a value between
 * two of them. Without a window, it is the sample of src.
 *
 * The mean of integer samples is the float nearest to sum / (n·maxval): sum and divisor are exact. That of floats is
 * their sum in the order of time, times the float nearest to 1/n. With `weighted` the last channel is alpha. Its mean
 * is that of floats; colors are multiplied by alpha before they are added, and their sum is divided by that of alpha,
 * or is 0 if that is 0.
 *
 * The median is the sample in the middle, or half of the sum of the two in the middle, for integers as the float
 * nearest to it. Floats have the order of gf_rank_key(): NaN is larger than all numbers, and -0 below 0.
 *
 * The value between two frames is that of the current one times 1 - between, plus that of the next one times between,
 * in floats, weighted by alpha like the mean. Without a next one, or if `between` is 0, it is that of the current one.
 */
struct gf_across {
    enum gf_across_kind kind;
    int weighted;
    int images;                          /* most images of a window, for the cost */
};

/* Returns the parameters for so many frames: one alone does not change, whatever its alpha is. */
GF_BOTH struct gf_across gf_across_of(const void *params, int frames)
{
    struct gf_across p = *(const struct gf_across *)params;

    p.weighted = p.weighted && frames > 1;
    return p;
}

/* Returns true if samples of the window are combined as integers. */
GF_BOTH int gf_across_whole(const struct gf_across *p, enum gf_type type)
{
    return !p->weighted && p->kind != GF_ACROSS_BETWEEN && (type == GF_U8 || type == GF_U16);
}

extern const struct gf_operation gf_op_across;
gf_op_body gf_across_cpu, gf_across_cuda;

#ifdef __cplusplus
}
#endif
#endif
