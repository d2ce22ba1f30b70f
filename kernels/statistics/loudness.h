/* Loudness by ITU-R BS.1770: energies of blocks of a tenth of a second, and their sum. */
#ifndef GF_KERNELS_LOUDNESS_H
#define GF_KERNELS_LOUDNESS_H

#include "kernels/base/op.h"
#include "kernels/statistics/reduce.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_LOUDNESS_RATE 4000            /* fewest frames a second: the weighting curve reaches above 1.7 kHz */
/* most frames a second: the effect of silence on a block is precomputed frame by frame */
#define GF_LOUDNESS_MOST_RATE 10000000
#define GF_LOUDNESS_RUNS 16              /* runs of a block, which are filtered in parallel */
#define GF_LOUDNESS_STATES 4             /* state variables of the two filters */

/* Returns true if loudness can be measured at this sample rate. */
static inline bool gf_loudness_takes_rate(int64_t rate)
{
    return rate >= GF_LOUDNESS_RATE && rate <= GF_LOUDNESS_MOST_RATE;
}

/* The effect of a stretch of silence: the state after it, and the energy that the state before it adds. */
struct gf_loudness_run {
    double after[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES], energy[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES];
};

/*
 * A channel's record of a block. The filters are linear, so a block is filtered as if there were
 * silence before it, independently of other blocks. With state s before it, its energy is e + 2
 * cross·s + s·(whole.energy s), and the state after it is state + whole.after s. Samples that are
 * not finite count as silence.
 */
struct gf_loudness_record {
    struct gf_reduced levels;            /* if they are requested */
    double energy;                       /* less than 0: the signal ended before the block did */
    double cross[GF_LOUDNESS_STATES], state[GF_LOUDNESS_STATES];
};

/*
 * The record of channel c of the i-th block of dst.span goes to ((struct gf_loudness_record
 * *)dst.data)[i · channels + c]. Blocks are placed as those of struct gf_reduce. Run k of a block
 * begins at its sample k · run_units; the last run is shorter. The samples of a run are added in
 * order, in double, and the runs are joined in order.
 */
struct gf_loudness {
    int64_t block_units, run_units, last_units;
    int channels, heard;                 /* the first `heard` channels have energies; the others only levels */
    bool levels;
    float full;                          /* as in struct gf_reduce */
    double shelf[5];                     /* b0, b1, b2, a1, a2: emphasizes treble */
    double pass[2];                      /* a1, a2 for the numerator 1, -2, 1: removes the lowest frequencies */
    /*
     * in the pool of tables: for each of run_units samples, the output that each state causes, as
     * two floats whose sum it is
     */
    int64_t ring;
    struct gf_loudness_run run, last, whole;     /* effect of silence as long as a run, the last run, or a block */
};

/* Filters one sample. */
GF_BOTH double gf_loudness_step(const double *shelf, const double *pass, double x, double *s0, double *s1,
                                double *s2, double *s3)
{
    const double y = fma(shelf[0], x, *s0), z = y + *s2;

    *s0 = fma(shelf[1], x, fma(-shelf[3], y, *s1));
    *s1 = fma(shelf[2], x, -(shelf[4] * y));
    *s2 = fma(-2.0, y, fma(-pass[0], z, *s3));
    *s3 = fma(-pass[1], z, y);
    return z;
}

/* to = a + m·s, row by row of m. */
GF_BOTH void gf_loudness_add(double *to, const double *a, const double m[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES],
                             const double *s)
{
    for (int i = 0; i < GF_LOUDNESS_STATES; i++) {
        double sum = a[i];

        for (int k = 0; k < GF_LOUDNESS_STATES; k++)
            sum = fma(m[i][k], s[k], sum);
        to[i] = sum;
    }
}

/* The runs joined so far, and their effect on the state before the first of them. */
struct gf_loudness_joined {
    double energy, cross[GF_LOUDNESS_STATES], state[GF_LOUDNESS_STATES], after[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES];
};

GF_BOTH void gf_loudness_none(struct gf_loudness_joined *all)
{
    all->energy = 0.0;
    for (int i = 0; i < GF_LOUDNESS_STATES; i++) {
        all->cross[i] = all->state[i] = 0.0;
        for (int k = 0; k < GF_LOUDNESS_STATES; k++)
            all->after[i][k] = i == k ? 1.0 : 0.0;
    }
}

/* Joins a run, which was filtered after silence, to the runs before it. */
GF_BOTH void gf_loudness_join_run(struct gf_loudness_joined *all, const struct gf_loudness_run *r, double energy,
                                  const double *cross,
                                  const double *state)
{
    double heard[GF_LOUDNESS_STATES], through[GF_LOUDNESS_STATES][GF_LOUDNESS_STATES];

    gf_loudness_add(heard, cross, r->energy, all->state);
    all->energy += energy;
    /* cross·s and s·(cross + energy s): 2 cross·s + s·energy s */
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)
        all->energy = fma(all->state[i], cross[i] + heard[i], all->energy);
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)
        for (int k = 0; k < GF_LOUDNESS_STATES; k++)
            all->cross[i] = fma(all->after[k][i], heard[k], all->cross[i]);
    gf_loudness_add(heard, state, r->after, all->state);
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)
        all->state[i] = heard[i];
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)
        for (int k = 0; k < GF_LOUDNESS_STATES; k++) {
            double sum = 0.0;

            for (int j = 0; j < GF_LOUDNESS_STATES; j++)
                sum = fma(r->after[i][j], all->after[j][k], sum);
            through[i][k] = sum;
        }
    for (int i = 0; i < GF_LOUDNESS_STATES; i++)
        for (int k = 0; k < GF_LOUDNESS_STATES; k++)
            all->after[i][k] = through[i][k];
}

extern const struct gf_operation gf_op_loudness;
gf_op_body gf_loudness_cpu, gf_loudness_cuda;

/* ---- loudness of the whole ---- */

/* Computes blocks, runs and filters for a rate. The caller places the ring; gf_loudness_ring() fills it. */
void gf_loudness_make(struct gf_loudness *l, int64_t rate, int channels);
#define GF_LOUDNESS_RING(l) ((l)->run_units * GF_LOUDNESS_STATES * 2)    /* floats */
void gf_loudness_ring(const struct gf_loudness *l, float *ring);

/* Energies of the blocks of a signal, [block][channel], in order of their records. */
struct gf_loudness_energies {
    double *energy;                      /* mean squares */
    int64_t blocks, room;
    double state[GF_MAX_CHANNELS][GF_LOUDNESS_STATES];
};

/* Returns -1 if memory ran out. */
int gf_loudness_energies_take(struct gf_loudness_energies *all, const struct gf_loudness *l,
                              const struct gf_loudness_record *record, int64_t blocks) GF_MUST_CHECK;

/* Returns the weight of a channel in a signal with that many channels. */
double gf_loudness_weight(int channel, int channels);
/*
 * Returns the integrated loudness in LUFS of all channels, or of one: the mean of windows of four
 * blocks that reach -70 LUFS and also their own mean less 10 LU. Minus infinity if there are none. The
 * signal has the first `heard` of the channels whose energies these are.
 */
double gf_loudness_of(const double *energy, int64_t blocks, int channels, int heard);
/* Writes the mean energies that are gated, at most one for each block, and returns their number. */
int64_t gf_loudness_windows(const double *energy, int64_t blocks, int channels, double *mean);
/* Returns the loudness of several signals together, of all their gated energies. */
double gf_loudness_of_windows(const double *mean, int64_t count);
double gf_loudness_of_channel(const double *energy, int64_t blocks, int channels, int channel);

#ifdef __cplusplus
}
#endif
#endif
