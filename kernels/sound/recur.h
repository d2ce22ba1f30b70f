/* Recursive filters: a cascade of second-order sections along the frames of every channel. */
#ifndef GF_KERNELS_RECUR_H
#define GF_KERNELS_RECUR_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_RECUR_SECTIONS 16             /* most sections of a cascade */
#define GF_RECUR_CHUNK 128               /* frames for one thread of a GPU */
#define GF_RECUR_GROUP 256               /* chunks of a group, which are processed one after another */
#define GF_RECUR_SILENCE 0x1p-150        /* half the smallest float: processors are slow with a state that decays on */
#define GF_RECUR_STATE 10                /* doubles of state for each channel of each section */

/* y[n] = b0·x[n] + b1·x[n-1] + b2·x[n-2] - a1·y[n-1] - a2·y[n-2], with silence before the start. */
struct gf_recur_section {
    double b0, b1, b2, a1, a2;
};

/*
 * The signal is audio: its units are frames of one pixel. All channels go through all sections, one
 * after another. Samples and state are double from the first section to the last:
 *  y = s1 + b0·x,   s1' = s2 + (b1 - a1·b0)·x - a1·s1,   s2' = (b2 - a2·b0)·x - a2·s1
 * This is the transposed direct form II with y substituted; products are added by fma. A sample
 * that is not finite counts as 0, because it would silence everything after it.
 * The threads of a GPU process a chunk each. Chunks begin at multiples of GF_RECUR_CHUNK frames of
 * the signal, whatever part of it a call works on:
 *  from a zero state, each chunk ends in z;
 *  chunk j begins in S(j), S(j + 1) = A^chunk·S(j) + z(j)
 * Then each chunk runs again from S. To shorten the sequence of steps, the same is done with groups
 * of GF_RECUR_GROUP chunks: from a zero state each group ends in Z, its first chunk begins in G,
 * and G' = A^group·G + Z. If a call ends inside a chunk or group, the next call continues it, so
 * that the result does not depend on the cut. A CPU follows s and z side by side, for the same bits:
 * both chains of steps take no longer than one.
 * The state has s1 and s2 for each section and channel, z so far, S of the chunk, Z so far, and G
 * of the group.
 * Channels before `first` are copied.
 */
struct gf_recur {
    int first;
    int sections;
    struct gf_recur_section section[GF_RECUR_SECTIONS];
};

/* The effect of silent frames on the state: a power of the matrix of a section. */
struct gf_recur_way {
    double m[2][2];
};

/* Returns the effect of n silent frames, a power of two. */
struct gf_recur_way gf_recur_way(const struct gf_recur_section *k, int n);

static inline int64_t gf_recur_carry_bytes(const struct gf_recur *r, int channels)
{
    return (int64_t)r->sections * (channels - r->first) * GF_RECUR_STATE * (int64_t)sizeof(double);
}

extern const struct gf_operation gf_op_recur;
gf_op_body gf_recur_cpu, gf_recur_cuda;

#ifdef __cplusplus
}
#endif
#endif
