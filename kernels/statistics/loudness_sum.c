/* Loudness from blocks: filters for a rate, energies in order, and the gates of ITU-R BS.1770-4. */
#include "kernels/statistics/loudness.h"

#include "base/elementary.h"

#include <stdlib.h>
#include <string.h>

#define STATES GF_LOUDNESS_STATES
#define WINDOW 4                         /* blocks: 400 ms, each window starting one block later */
#define ABSOLUTE (-70.0)                 /* LUFS */
#define RELATIVE 0.1                     /* of the mean: -10 LU */

/* ---- filters ---- */

/*
 * The standard gives the filters for 48000 Hz only. These are the analog filters that become those
 * by the bilinear transform: a shelf of 4 dB above 1682 Hz, and a high-pass at 38 Hz.
 */
static void make_filters(struct gf_loudness *l, double rate)
{
    double k = gf_tan_pi(1681.974450955533 / rate), q = 0.7071752369554196, a0 = 1 + k / q + k * k;
    const double high = gf_pow(10, 3.999843853973347 / 20), middle = gf_pow(high, 0.4996667741545416);

    l->shelf[0] = (high + middle * k / q + k * k) / a0;
    l->shelf[1] = 2 * (k * k - high) / a0;
    l->shelf[2] = (high - middle * k / q + k * k) / a0;
    l->shelf[3] = 2 * (k * k - 1) / a0;
    l->shelf[4] = (1 - k / q + k * k) / a0;
    k = gf_tan_pi(38.13547087602444 / rate);
    q = 0.5003270373238773;
    a0 = 1 + k / q + k * k;
    l->pass[0] = 2 * (k * k - 1) / a0;
    l->pass[1] = (1 - k / q + k * k) / a0;
}

/* Lets each state decay for `units` samples of silence; `ring` (or NULL) receives its output. */
static void let_ring(const struct gf_loudness *l, int64_t units, struct gf_loudness_run *run, float *ring)
{
    double s[STATES][STATES] = { { 1 }, { 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 } }, z[STATES];

    memset(run, 0, sizeof *run);
    for (int64_t n = 0; n < units; n++) {
        for (int i = 0; i < STATES; i++)
            z[i] = gf_loudness_step(l->shelf, l->pass, 0, &s[i][0], &s[i][1], &s[i][2], &s[i][3]);
        for (int i = 0; i < STATES; i++)
            for (int k = 0; k < STATES; k++)
                run->energy[i][k] += z[i] * z[k];
        for (int i = 0; ring != NULL && i < STATES; i++, ring += 2) {
            ring[0] = (float)z[i];
            ring[1] = (float)(z[i] - (double)ring[0]);
        }
    }
    for (int i = 0; i < STATES; i++)
        for (int k = 0; k < STATES; k++)
            run->after[k][i] = s[i][k];
}

void gf_loudness_make(struct gf_loudness *l, int64_t rate, int channels)
{
    *l = (struct gf_loudness) { .block_units = (rate + 5) / 10, .channels = channels, .heard = channels };
    l->run_units = gf_ceil_div(l->block_units, GF_LOUDNESS_RUNS);
    l->last_units = l->block_units - (GF_LOUDNESS_RUNS - 1) * l->run_units;
    make_filters(l, (double)rate);
    let_ring(l, l->run_units, &l->run, NULL);
    let_ring(l, l->last_units, &l->last, NULL);
    let_ring(l, l->block_units, &l->whole, NULL);
}

void gf_loudness_ring(const struct gf_loudness *l, float *ring)
{
    struct gf_loudness_run run;

    let_ring(l, l->run_units, &run, ring);
}

/* ---- energies ---- */

/* The energy of a block, including the state that earlier blocks left. */
static double energy_after(const struct gf_loudness *l, const struct gf_loudness_record *record, double *state)
{
    double heard[STATES], energy = record->energy;

    gf_loudness_add(heard, record->cross, l->whole.energy, state);
    for (int i = 0; i < STATES; i++)
        energy += state[i] * (record->cross[i] + heard[i]);
    gf_loudness_add(heard, record->state, l->whole.after, state);
    memcpy(state, heard, sizeof heard);
    return energy > 0 ? energy / (double)l->block_units : 0;
}

int gf_loudness_energies_take(struct gf_loudness_energies *all, const struct gf_loudness *l,
                              const struct gf_loudness_record *record, int64_t blocks)
{
    if (all->blocks + blocks > all->room) {
        const int64_t room = (all->blocks + blocks) * 2;
        double *more = realloc(all->energy, (size_t)(room * l->channels) * sizeof *more);

        if (more == NULL)
            return -1;
        all->energy = more;
        all->room = room;
    }
    for (int64_t b = 0; b < blocks; b++, all->blocks++) {
        if (record[b * l->channels].energy < 0)              /* the last block is incomplete and does not count */
            break;
        for (int c = 0; c < l->channels; c++)
            all->energy[all->blocks * l->channels + c] = energy_after(l, &record[b * l->channels + c], all->state[c]);
    }
    return 0;
}

/* ---- gates ---- */

/*
 * Files name their channels by number: left, right, center, (with six or more) low effects, then
 * surround. Channels at the sides count 1.5 dB more; with four to six channels, the surround
 * channels count as sides. With more than eight, all count the same.
 */
double gf_loudness_weight(int channel, int channels)
{
    const bool sides = channels == 4 ? channel >= 2 : channels == 5 ? channel >= 3 : channels == 6 ? channel >= 4
                     : channels == 7 || channels == 8 ? channel >= channels - 2 : false;

    if (channels >= 6 && channels <= 8 && channel == 3)
        return 0;
    return sides ? 1.41 : 1;
}

/* Sums the energies in the windows that begin at each block. */
struct windows {
    const double *energy;
    int64_t count;
    int channels;
    const double *weight;
    const double *known;                 /* the means of the windows, if they are known; or NULL */
};

static double window(const struct windows *w, int64_t first)
{
    double sum = 0;

    if (w->known != NULL)
        return w->known[first];
    for (int64_t b = first; b < first + WINDOW; b++)
        for (int c = 0; c < w->channels; c++)
            sum += w->weight[c] > 0 ? w->weight[c] * w->energy[b * w->channels + c] : 0;
    return sum / WINDOW;
}

/* Returns the mean of the windows above `gate`; 0 if there are none. */
static double mean_above(const struct windows *w, double gate)
{
    double sum = 0;
    int64_t count = 0;

    for (int64_t i = 0; i < w->count; i++) {
        const double v = window(w, i);

        sum += v > gate ? v : 0;
        count += v > gate;
    }
    return count > 0 ? sum / (double)count : 0;
}

static double gated(const struct windows *w)
{
    const double absolute = gf_pow(10, (ABSOLUTE + 0.691) / 10), mean = mean_above(w, absolute),
                            relative = RELATIVE * mean;

    return -0.691 + 10 * gf_log10(mean_above(w, relative > absolute ? relative : absolute));
}

static double integrated(const double *energy, int64_t blocks, int channels, const double *weight)
{
    const struct windows w = { energy, blocks - (WINDOW - 1), channels, weight, NULL };

    return gated(&w);
}

double gf_loudness_of(const double *energy, int64_t blocks, int channels, int heard)
{
    double weight[GF_MAX_CHANNELS] = { 0 };

    for (int c = 0; c < heard; c++)
        weight[c] = gf_loudness_weight(c, heard);
    return integrated(energy, blocks, channels, weight);
}

double gf_loudness_of_channel(const double *energy, int64_t blocks, int channels, int channel)
{
    double weight[GF_MAX_CHANNELS] = { 0 };

    weight[channel] = 1;
    return integrated(energy, blocks, channels, weight);
}

int64_t gf_loudness_windows(const double *energy, int64_t blocks, int channels, double *mean)
{
    double weight[GF_MAX_CHANNELS] = { 0 };
    const struct windows w = { energy, blocks - (WINDOW - 1), channels, weight, NULL };

    for (int c = 0; c < channels; c++)
        weight[c] = gf_loudness_weight(c, channels);
    for (int64_t i = 0; i < w.count; i++)
        mean[i] = window(&w, i);
    return w.count > 0 ? w.count : 0;
}

double gf_loudness_of_windows(const double *mean, int64_t count)
{
    const struct windows w = { NULL, count, 0, NULL, mean };

    return gated(&w);
}
