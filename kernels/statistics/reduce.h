/*
 * Minimum, maximum, sum, sum of squares, and counts of clipped and non-finite samples: a record for
 * each block of samples.
 */
#ifndef GF_KERNELS_REDUCE_H
#define GF_KERNELS_REDUCE_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_REDUCE_LANES 64
#define GF_REDUCE_FRAMES 4096            /* audio: frames of a block; for images a block is a row */

struct gf_reduced {
    double min, max;                     /* of the finite samples; +inf and -inf if there are none */
    double sum, squares;
    double finite, clipped, nonfinite;   /* counts */
};

/*
 * Blocks begin at multiples of `block_units` of the whole signal and dst.span begins at one, so no
 * cut changes a record. The record of channel c of the i-th block of the span goes to ((struct
 * gf_reduced *)dst.data)[i · channels + c]. Samples of a block are numbered along its units and
 * columns. Lane k of GF_REDUCE_LANES adds samples k, k + 64, … in double, in order; then lanes are
 * added by halves: k += k + 32, k + 16, … 1.
 */
struct gf_reduce {
    int64_t block_units;
    int channels;
    bool keep;                           /* every record is needed, not only the total */
    /* or this many of them joined to one: a stretch may be long, but a block fits in memory */
    int64_t joined;
    size_t record_bytes;                 /* from one record to the next; 0: they are adjacent */
    /* samples of at least this value, or at most -1, count as clipped; 0: none do */
    float full;
};

/* Adds record `more`, which follows `all` in the signal. */
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
