/* Recursive filters: a cascade of second-order sections along the frames of every channel. */
#ifndef GF_KERNELS_RECUR_H
#define GF_KERNELS_RECUR_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_RECUR_SECTIONS 16             /* of a cascade, at most */
#define GF_RECUR_CHUNK 128               /* frames that a GPU's thread goes through */
#define GF_RECUR_GROUP 256               /* chunks of a group, which are gone through one after another */
#define GF_RECUR_STATE 10                /* doubles of state, for each channel of each section */

/* y[n] = b0·x[n] + b1·x[n-1] + b2·x[n-2] - a1·y[n-1] - a2·y[n-2], with silence before the start. */
struct gf_recur_section {
    double b0, b1, b2, a1, a2;
};

/*
 * The signal is sound: its units are frames of one pixel. All channels go through all sections,
 * one after another; samples are double from the first section to the last, and so is the state:
 *
 *     y = s1 + b0·x,   s1' = s2 + (b1 - a1·b0)·x - a1·s1,   s2' = (b2 - a2·b0)·x - a2·s1
 *
 * which is the transposed direct form II with y put in. A sample that is no finite number
 * counts as 0, for it would silence all that follows.
 *
 * A CPU goes from frame to frame. On a GPU each thread goes through a chunk; chunks begin at
 * multiples of GF_RECUR_CHUNK frames of the signal, whatever part of it a call works on:
 *
 *     from nothing, each chunk ends in z;   chunk j begins in S(j), S(j + 1) = A^chunk·S(j) + z(j)
 *
 * and then each is gone through again from S. So that few steps follow one another, the same is done with
 * groups of GF_RECUR_GROUP chunks, at multiples of as many: from nothing each ends in Z, the first
 * chunk of a group begins in G of the group, G' = A^group·G + Z. Of a chunk or a group that one call begins
 * and the next ends all ways go on from where they were, so that the result does not depend on the
 * cut; it differs from a CPU's by what doubles are rounded.
 *
 * The state is, section by section and channel by channel, s1 and s2 as they are; on a GPU then
 * z as far as it has come, S of the chunk, Z as far as it has come, and G of the group.
 */
struct gf_recur {
    int sections;
    struct gf_recur_section section[GF_RECUR_SECTIONS];
};

static inline int64_t gf_recur_carry_bytes(const struct gf_recur *r, int channels)
{
    return (int64_t)r->sections * channels * GF_RECUR_STATE * (int64_t)sizeof(double);
}

extern const struct gf_operation gf_op_recur;
gf_op_body gf_recur_cpu, gf_recur_cuda;

#ifdef __cplusplus
}
#endif
#endif
