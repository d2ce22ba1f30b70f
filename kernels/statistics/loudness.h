/* How loud sound is heard, by ITU-R BS.1770: what blocks of a tenth of a second hold of it, and what the whole amounts to. */
#ifndef GF_KERNELS_LOUDNESS_H
#define GF_KERNELS_LOUDNESS_H

#include "kernels/base/op.h"
#include "kernels/statistics/reduce.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_LOUDNESS_RATE 4000            /* frames a second, at least: the curve reaches beyond 1.7 kHz */
#define GF_LOUDNESS_MOST_RATE 10000000   /* and at most: what silence does to a block is computed frame by frame, before it is needed */
#define GF_LOUDNESS_RUNS 16              /* a block's, weighed beside each other */
#define GF_LOUDNESS_STATES 4             /* what the two filters remember */

static inline bool gf_loudness_is_told(int64_t rate)
{
    return rate >= GF_LOUDNESS_RATE && rate <= GF_LOUDNESS_MOST_RATE;
}

/* What a stretch of silence does to the state before it: the state behind it, and the energy that is heard of it. */
struct gf_loudness_run {
    double behind[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES], energy[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES];
};

/*
 * A channel's record of a block. The filters are linear, so a block is weighed as if there
 * had been silence before it, in any order and anywhere; with state s before it, it has the
 * energy e + 2 cross·s + s·(whole.energy s), and leaves state + whole.behind s. Samples that
 * are not finite are heard as silence.
 */
struct gf_loudness_record {
    struct gf_reduced levels;            /* where they are asked for */
    double energy;                       /* less than 0: the end of the signal came before that of the block */
    double cross[GF_LOUDNESS_STATES], state[GF_LOUDNESS_STATES];
};

/*
 * The record of channel c of the i-th block of dst.span goes to
 * ((struct gf_loudness_record *)dst.data)[i · channels + c]; blocks stand as those of struct gf_reduce. Run k of a block begins at sample k · run_units of it, and
 * the last one is shorter; a run's samples are taken in order, in double, and the runs joined in order.
 */
struct gf_loudness {
    int64_t block_units, run_units, last_units;
    int channels;
    bool levels;
    float full;                          /* as struct gf_reduce has it */
    double shelf[5];                     /* b0, b1, b2, a1, a2: treble is heard louder */
    double pass[2];                      /* a1, a2 behind 1, -2, 1: the lowest notes are not heard */
    int64_t ring;                        /* in the pool of tables: run_units times, what is heard of each state then,
                                          * each as two floats that add up to it */
    struct gf_loudness_run run, last, whole;     /* of a run, of the last run, of a block */
};

/* One sample through both filters: what is heard of it. */
GF_BOTH double gf_loudness_step(const double *shelf, const double *pass, double x, double *s0, double *s1, double *s2, double *s3)
{
    const double y = fma(shelf[0], x, *s0), z = y + *s2;

    *s0 = fma(shelf[1], x, fma(-shelf[3], y, *s1));
    *s1 = fma(shelf[2], x, -(shelf[4] * y));
    *s2 = fma(-2.0, y, fma(-pass[0], z, *s3));
    *s3 = fma(-pass[1], z, y);
    return z;
}

/* to = a + m·s, row by row of m. */
GF_BOTH void gf_loudness_add(double *to, const double *a, const double m[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES], const double *s)
{
    for (int i = 0; i < GF_LOUDNESS_STATES; i++) {
        double sum = a[i];

        for (int k = 0; k < GF_LOUDNESS_STATES; k++)
            sum = fma(m[i][k], s[k], sum);
        to[i] = sum;
    }
}

/* Runs joined so far, and what they make of the state before the first of them. */
struct gf_loudness_joined {
    double energy, cross[GF_LOUDNESS_STATES], state[GF_LOUDNESS_STATES], behind[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES];
};

GF_BOTH void gf_loudness_none(struct gf_loudness_joined *all)
{
    all->energy = 0.0;
    for (int i = 0; i < GF_LOUDNESS_STATES; i++) {
        all->cross[i] = all->state[i] = 0.0;
        for (int k = 0; k < GF_LOUDNESS_STATES; k++)
            all->behind[i][k] = i == k ? 1.0 : 0.0;
    }
}

/* Joins a run, weighed after silence, to those before it. */
GF_BOTH void gf_loudness_join_run(struct gf_loudness_joined *all, const struct gf_loudness_run *r, double energy, const double *cross,
                                  const double *state)
{
    double heard[GF_LOUDNESS_STATES], through[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES];

    gf_loudness_add(heard, cross, r->energy, all->state);
    all->energy += energy;
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)             /* cross·s and s·(cross + energy s): 2 cross·s + s·energy s */
        all->energy = fma(all->state[i], cross[i] + heard[i], all->energy);
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)
        for (int k = 0; k < GF_LOUDNESS_STATES; k++)
            all->cross[i] = fma(all->behind[k][i], heard[k], all->cross[i]);
    gf_loudness_add(heard, state, r->behind, all->state);
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)
        all->state[i] = heard[i];
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)
        for (int k = 0; k < GF_LOUDNESS_STATES; k++) {
            double sum = 0.0;

            for (int j = 0; j < GF_LOUDNESS_STATES; j++)
                sum = fma(r->behind[i][j], all->behind[j][k], sum);
            through[i][k] = sum;
        }
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)
        for (int k = 0; k < GF_LOUDNESS_STATES; k++)
            all->behind[i][k] = through[i][k];
}

gf_op_scratch gf_loudness_scratch_bytes;

extern const struct gf_operation gf_op_loudness;
gf_op_body gf_loudness_cpu, gf_loudness_cuda;

/* ---- what the blocks amount to ---- */

/* Blocks, runs and filters for a rate; the ring is for the caller to place, gf_loudness_ring() then fills it. */
void gf_loudness_make(struct gf_loudness *l, int64_t rate, int channels);
#define GF_LOUDNESS_RING(l) ((l)->run_units * GF_LOUDNESS_STATES * 2)    /* floats */
void gf_loudness_ring(const struct gf_loudness *l, float *ring);

/* Energies of the blocks of a signal, [block][channel], as their records come in order. */
struct gf_loudness_energies {
    double *energy;                      /* mean squares */
    int64_t blocks, room;
    double state[GF_MAX_CHANNELS][GF_LOUDNESS_STATES];
};

/* -1: there is no memory. */
int gf_loudness_energies_take(struct gf_loudness_energies *all, const void *params, const void *records, int64_t blocks) GF_MUST_CHECK;

/* How much a channel counts for, of so many. */
double gf_loudness_weight(int channel, int channels);
/*
 * Integrated loudness in LUFS of all channels, or of one alone: the mean of windows of four
 * blocks that reach -70 LUFS, and of those, the ones that reach their mean less 10 LU. Minus
 * infinity where none does.
 */
double gf_loudness_of(const double *energy, int64_t blocks, int channels);
double gf_loudness_of_channel(const double *energy, int64_t blocks, int channels, int channel);

#ifdef __cplusplus
}
#endif
#endif
