/* Least, greatest, sum, sum of squares, how many are at full scale or not finite: a record a block of samples. */
#ifndef GF_KERNELS_REDUCE_H
#define GF_KERNELS_REDUCE_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_REDUCE_LANES 64
#define GF_REDUCE_FRAMES 4096            /* audio: frames a block; for images a block is a row */

struct gf_reduced {
    double min, max;                     /* of the finite samples; +inf and -inf if there are none */
    double sum, squares;
    double finite, clipped, nonfinite;   /* counts */
};

/*
 * Blocks stand at multiples of `block_units` of the whole signal and dst.span starts at
 * one, so no cut changes a record. The record of channel c of the i-th block of the span
 * goes to ((struct gf_reduced *)dst.data)[i · channels + c]. Samples of a block are
 * numbered along its units and columns; lane k of GF_REDUCE_LANES takes samples k,
 * k + 64, …, in double, in order; then lanes are added by halves: k += k + 32, k + 16, … 1.
 */
struct gf_reduce {
    int64_t block_units;
    int channels;
    bool keep;                           /* every record is wanted, not what they amount to */
    int64_t joined;                      /* or so many of them as one: a stretch is as long as may be, a block fits in memory */
    size_t record_bytes;                 /* from a record to the next; 0: they lie side by side */
    float full;                          /* samples from here up, or from -1 down, count as clipped; 0: none does */
};

/* Adds record `more`, which stands behind `all` in the signal. */
static inline void gf_reduced_join(struct gf_reduced *all, const struct gf_reduced *more)
{
    all->min = more->min < all->min ? more->min : all->min;
    all->max = more->max > all->max ? more->max : all->max;
    all->sum += more->sum;
    all->squares += more->squares;
    all->finite += more->finite;
    all->clipped += more->clipped;
    all->nonfinite += more->nonfinite;
}

extern const struct gf_operation gf_op_reduce;
gf_op_body gf_reduce_cpu, gf_reduce_cuda;

#ifdef __cplusplus
}
#endif
#endif
