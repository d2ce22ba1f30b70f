/* Gains of spectra that reduce noise. */
#ifndef GF_KERNELS_HUSH_H
#define GF_KERNELS_HUSH_H

#include "kernels/sound/octaves.h"
#include "kernels/sound/windows.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The source has spectra as gf_op_analyze makes them, and the result has them times gains. For power P of a value, and
 * its noise, which is given by `profile` or follows P in frames without other sound:
 *  p = 1/(1 + 32.62·exp(-0.9693·P/noise)): the probability that there is other sound (Gerkmann and Hendriks 2011);
 *      at most 0.99 if its running mean is more, which keeps `presence_kept` of itself in each block
 *  noise' = noise_kept·noise + (1 - noise_kept)·(p·noise + (1 - p)·P)
 *  prior = blend·(the last estimate)/noise' + (1 - blend)·max(0, P/noise' - 1), at least 0.003
 *  estimate = (prior/(1 + prior))²·P: the power of the sound without noise
 *  gain = estimate/(estimate + noise'), at least `least`; if the mean with the gains of both neighboring frequencies,
 *      1:2:1, is more, that is applied. `prior` lags a block when sound begins; the gain of an estimate does not
 *      (Plapous, Marro and Scalart 2006).
 * Gains of a block hold for all its frames, and for a block after it that is not whole. The state of a channel has the
 * members of struct gf_hush_value, one after another, each for all values in the order of storing.
 * Planes in, planes out, with adjacent frames and no programs.
 */
struct gf_hush {
    int channels;                        /* of the signal: a quarter of the source's */
    struct gf_windows windows;
    int64_t order, rank;                 /* tables: where frequency k is stored, and the frequency of a place */
    int64_t profile;                     /* table of the noise in the order of storing; -1: it is followed */
    float blend, least, noise_kept, presence_kept;
};

/* The state of a value. */
struct gf_hush_value {
    float noise, before, presence;
    float gain;                          /* that is applied to the current block */
};

#define GF_HUSH_LEAST_POWER 1e-20f
#define GF_HUSH_MOST_POWER 1e30f
#define GF_HUSH_FIRST 3                  /* the first block whose window is all signal */
#define GF_HUSH_START 12                 /* the noise of the blocks before it is their mean */

static inline int64_t gf_hush_carry_bytes(const struct gf_hush *h)
{
    return (int64_t)h->channels * (h->windows.size / 2) * (int64_t)sizeof(struct gf_hush_value);
}

/* Ways to find the noise of a block: it is given, the power, a mean, or followed. */
enum gf_hush_way { GF_HUSH_GIVEN, GF_HUSH_POWER, GF_HUSH_MEAN, GF_HUSH_FOLLOWED };

GF_BOTH enum gf_hush_way gf_hush_way_of(const struct gf_hush *h, int64_t block)
{
    return h->profile >= 0 ? GF_HUSH_GIVEN : block <= GF_HUSH_FIRST ? GF_HUSH_POWER
        : block < GF_HUSH_START ? GF_HUSH_MEAN : GF_HUSH_FOLLOWED;
}

/* Follows the noise. */
GF_BOTH float gf_hush_followed(const struct gf_hush *h, float noise, float power, float *presence)
{
    const float post = power / noise, v = post < 80.0f ? post * 0.969346f : 77.54768f;
    const float p = 1.0f / (1.0f + 32.622777f * gf_octaves_gain((int32_t)(v * -94548.47f)));
    const float mean = h->presence_kept * *presence + (1.0f - h->presence_kept) * p;
    const float most = mean > 0.99f ? 0.99f : 1.0f, q = p < most ? p : most;

    *presence = mean;
    return h->noise_kept * noise + (1.0f - h->noise_kept) * (q * noise + (1.0f - q) * power);
}

/* Moves a value on by a block, and returns its gain; `share` is that of this block in a mean. */
GF_BOTH float gf_hush_step(struct gf_hush_value *s, const struct gf_hush *h, float re, float im, enum gf_hush_way way,
                           float share, float profile)
{
    const float sum = re * re + im * im, power = sum < GF_HUSH_MOST_POWER ? sum : GF_HUSH_MOST_POWER;
    const float last = s->noise > GF_HUSH_LEAST_POWER ? s->noise : GF_HUSH_LEAST_POWER;
    const float now = way == GF_HUSH_GIVEN ? profile : way == GF_HUSH_POWER ? power
        : way == GF_HUSH_MEAN ? last + (power - last) * share : gf_hush_followed(h, last, power, &s->presence);
    const float noise = now > GF_HUSH_LEAST_POWER ? now : GF_HUSH_LEAST_POWER, post = power / noise - 1.0f;
    const float found = h->blend * (s->before / noise) + (1.0f - h->blend) * (post > 0.0f ? post : 0.0f);
    const float most = found < 1e9f ? found : 1e9f, prior = most > 0.003f ? most : 0.003f;
    const float first = prior / (1.0f + prior), estimate = first * first * power, gain = estimate / (estimate + noise);

    s->noise = noise;
    s->before = estimate;
    return gain > h->least ? gain : h->least;
}

GF_BOTH float gf_hush_share(int64_t block)
{
    return 1.0f / (float)(block - GF_HUSH_FIRST + 1);
}

/* Returns entry `at` of a table of places or frequencies; 0 if it is none, because a message may be damaged. */
GF_BOTH int gf_hush_entry(const float *table, int at, int values)
{
    const float v = table[at];

    return v >= 0.0f && v < (float)values ? (int)v : 0;
}

/* The gain that is applied, from those of a frequency and its neighbors. A mean alone would reduce tones, too. */
GF_BOTH float gf_hush_mean(float below, float own, float above)
{
    const float mean = 0.25f * (below + above) + 0.5f * own;

    return mean > own ? mean : own;
}

extern const struct gf_operation gf_op_hush;
gf_op_body gf_hush_cpu, gf_hush_cuda;

#ifdef __cplusplus
}
#endif
#endif
