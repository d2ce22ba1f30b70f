/* denoise for audio: reduces steady noise. */
#include "base/elementary.h"
#include "chain/stage.h"
#include "kernels/sound/hush.h"
#include "kernels/sound/powers.h"

#include <math.h>

#define SECONDS .025                     /* of a window, rounded up to a power of two */
#define NOISE_SECONDS .26                /* in which the noise is followed */
#define PRESENCE_SECONDS .16             /* of the running mean of other sound */
#define MOST 1e12f                       /* largest magnitude of a sample; larger ones count as this */
#define MOST_CHANNELS (GF_MAX_CHANNELS / GF_WINDOWS_OVERLAP)

struct denoise {
    double amount;
    struct gf_mask profile;
    struct gf_extent noise;
};

/* State for settle(), which runs after the noise in the input is measured. */
struct settle_context {
    int64_t table;
    int values;
    double windows;                      /* that were measured */
};

static const struct gf_option options[] = {
    { .name = "amount", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct denoise, amount), .least = 0, .most = 100,
      .by_default = 20, .unit = "dB", .text = "largest reduction; 10 leaves a little noise, and sounds more natural" },
    { .name = "profile", .type = GF_OPTION_MASK, .offset = offsetof(struct denoise, profile), .sound = true,
      .key_only = true, .text = "recording of the noise alone; by default it is found in the input" },
    { .name = "noise", .type = GF_OPTION_EXTENT, .offset = offsetof(struct denoise, noise), .least = 0, .most = 1e7,
      .unit = "seconds", .key_only = true,
      .text = "start and end of a part of the input with the noise alone" },
    { .name = NULL }
};

/* Writes the mean power of each value of the recording, at every step. */
static int fill_profile(const struct gf_mask *m, const struct gf_windows *w, const float *table, float *to,
                        struct gf_build *build, struct gf_error *err)
{
    const int64_t step = gf_windows_step(w), windows = (m->columns - w->size) / step + 1;
    float *x = gf_build_alloc(build, (size_t)w->size * 3 * sizeof *x);
    double *sum = gf_build_alloc(build, (size_t)w->size / 2 * sizeof *sum);

    if (x == NULL || sum == NULL)
        return gf_fail_memory(err, "denoise");
    for (int c = 0; c < m->rows; c++)
        for (int64_t k = 0; k < windows; k++) {
            for (int i = 0; i < w->size; i++)
                x[i] = (float)fmax(-MOST, fmin(MOST, m->weights[(int64_t)c * m->columns + k * step + i]));
            gf_windows_powers(w, table, x, x + w->size, x + 2 * w->size);
            for (int i = 0; i < w->size / 2; i++)
                sum[i] += (double)x[2 * w->size + i];
        }
    for (int i = 0; i < w->size / 2; i++) {
        const double mean = sum[i] / (double)(windows * m->rows);

        to[i] = mean > (double)GF_HUSH_LEAST_POWER ? (float)mean : GF_HUSH_LEAST_POWER;
    }
    return 0;
}

/* Writes the mean power of each value in the part of the input with the noise. */
static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *s = config;
    const double *sum = m->records;

    (void)err;
    for (int i = 0; i < s->values; i++) {
        const double mean = m->blocks > 0 ? sum[i] / s->windows : 0;

        tables[s->table + i] = mean > (double)GF_HUSH_LEAST_POWER ? (float)mean : GF_HUSH_LEAST_POWER;
    }
    return 0;
}

/* Finds the part of the input with the noise. Two windows and two steps have a window in any block. */
static int find_noise(const struct denoise *d, const struct gf_format *in, struct gf_powers *p, struct gf_error *err)
{
    const int64_t least = 2 * (p->windows.size + gf_windows_step(&p->windows));

    p->start = llrint(d->noise.low * in->rate);
    p->end = llrint(d->noise.high * in->rate);
    if (p->end > in->units)
        return gf_fail(err, GF_FAILED, "denoise: noise=%g,%g: the audio ends at %g s", d->noise.low, d->noise.high,
                       (double)in->units / in->rate);
    if (p->end - p->start < least)
        return gf_fail(err, GF_FAILED, "denoise: noise=%g,%g: is too short; must have at least %.3f s", d->noise.low,
                       d->noise.high, (double)least / in->rate);
    return 0;
}

/*
 * Adds a pass that measures the noise in a part of the input. Its view has the steps that follow for the signal, so
 * that a file is read again instead of being kept as floats.
 */
static int measure_noise(const struct denoise *d, const struct gf_hush *h, const struct gf_point_step *bound,
                         struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step finite = { .kind = GF_POINT_FINITE, .channels = h->channels };
    struct gf_powers p = { .channels = h->channels, .windows = h->windows };
    struct settle_context *const s = gf_build_alloc(build, sizeof *s);
    struct gf_point view;

    if (s == NULL)
        return gf_fail_memory(err, "denoise");
    if (find_noise(d, gf_build_format(build), &p, err) != 0)
        return -1;
    gf_point_init(&view, h->channels);
    if (gf_point_add(&view, &finite) != 0 || gf_point_add(&view, bound) != 0)
        return gf_fail(err, GF_FAILED, "internal error: the program of denoise is too long");
    *s = (struct settle_context) { h->profile, h->windows.size / 2, (double)(gf_powers_count(&p) * h->channels) };
    return gf_build_measure(build, &gf_op_powers, &p, &view, settle, NULL, s, err);
}

static int check_profile(const struct denoise *d, const struct gf_windows *w, const struct gf_format *in,
                         struct gf_error *err)
{
    const struct gf_mask *m = &d->profile;

    if (m->rate == 0)
        return gf_fail(err, GF_MISUSED, "denoise: profile=: must be the name of a recording of the noise");
    if (m->rate != in->rate)
        return gf_fail(err, GF_FAILED, "denoise: the profile has %d Hz, but the audio has %d Hz;; convert it first: "
                                       "gpufilter -i PROFILE resample:%d -o NEW", (int)m->rate, (int)in->rate,
                       (int)in->rate);
    if (m->columns < w->size)
        return gf_fail(err, GF_FAILED, "denoise: the profile has %d frames; must have at least %d", m->columns,
                       w->size);
    return 0;
}

/* Fills the tables: windows and turns, places of frequencies and their inverse, and the noise. */
static int fill_tables(const struct denoise *d, struct gf_hush *h, struct gf_build *build, struct gf_error *err)
{
    const int values = h->windows.size / 2;
    const bool given = d->profile.weights != NULL;
    double *tree = gf_build_alloc(build, (size_t)h->windows.size * sizeof *tree);
    int *order = gf_build_alloc(build, (size_t)values * sizeof *order);
    const int64_t entries = gf_windows_entries(&h->windows);
    float *all;
    int64_t at = gf_build_alloc_table(build, entries + 1 + 3 * (int64_t)values, &all);

    if (tree == NULL || order == NULL || all == NULL)
        return gf_fail_memory(err, "denoise");
    all += at % 2;
    at += at % 2;
    h->windows.table = at;
    h->order = at + entries;
    h->rank = h->order + values;
    h->profile = given || d->noise.given ? h->rank + values : -1;
    gf_windows_fill(&h->windows, tree, all);
    gf_windows_order(&h->windows, order);
    for (int k = 0; k < values; k++) {
        all[entries + k] = (float)order[k];
        all[entries + values + order[k]] = (float)k;
    }
    return given ? fill_profile(&d->profile, &h->windows, all, all + entries + 2 * values, build, err) : 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct denoise *d = config;
    struct gf_hush h = { .channels = in->channels, .windows = { .size = GF_WINDOWS_LEAST }, .blend = .975f,
                         .least = (float)gf_pow(10, -d->amount / 20) };
    /* sums of a transform of larger samples could be infinite */
    const struct gf_point_step bound = { .kind = GF_POINT_CLAMP, .channels = in->channels, .a = -MOST, .b = MOST };
    struct gf_format wide = *in;
    int64_t size, step;

    while (h.windows.size < GF_WINDOWS_MOST && h.windows.size < SECONDS * in->rate)
        h.windows.size *= 2;
    size = h.windows.size;
    step = gf_windows_step(&h.windows);
    h.noise_kept = (float)gf_exp((double)-step / (NOISE_SECONDS * in->rate));
    h.presence_kept = (float)gf_exp((double)-step / (PRESENCE_SECONDS * in->rate));
    if (in->channels > MOST_CHANNELS)
        return gf_fail(err, GF_FAILED, "denoise: must have at most %d channels; this audio has %d", MOST_CHANNELS,
                       in->channels);
    if (d->profile.weights != NULL && d->noise.given)
        return gf_fail(err, GF_MISUSED, "denoise: takes only one of profile= and noise=");
    if (d->profile.weights != NULL && check_profile(d, &h.windows, in, err) != 0)
        return -1;
    if (fill_tables(d, &h, build, err) != 0
        || (d->noise.given && measure_noise(d, &h, &bound, build, err) != 0)
        || gf_build_make_finite(build, err) != 0 || gf_build_point(build, &bound, NULL, err) != 0)
        return -1;
    wide.channels *= GF_WINDOWS_OVERLAP;
    wide.units += wide.units == GF_UNKNOWN ? 0 : size;
    if (gf_build_op(build, &gf_op_analyze, &h.windows,
                    (struct gf_need) { .before = size - step, .grain = step, .longer = size }, &wide, err) != 0
        || gf_build_op(build, &gf_op_hush, &h,
                       (struct gf_need) { .grain = step, .carry_bytes = gf_hush_carry_bytes(&h) }, &wide, err) != 0)
        return -1;
    return gf_build_op(build, &gf_op_synthesize, &h.windows,
                       (struct gf_need) { .after = size - step, .grain = step, .longer = -size }, in, err);
}

static bool waits(const void *config)
{
    const struct denoise *d = config;

    return d->noise.given;
}

static const char *const examples[] = {
    "gpufilter -i sound.wav denoise -o clean.wav",
    "gpufilter -i voice.wav denoise:30,noise=0,0.4 -o clean.wav",
    "gpufilter -i voice.wav trim:0,0.2 -o hiss.wav && gpufilter -i voice.wav denoise:30,profile=hiss.wav -o clean.wav",
    NULL
};

const struct gf_stage gf_stage_denoise_audio = {
    .name = "denoise",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "reduce steady noise, such as hiss and fans",
    .text = "The spectrum of each short stretch is compared with that of the noise, frequency by frequency, and "
            "what is not louder is reduced. Windows of 25 to 50 ms overlap by three quarters. For power "
            "P:\n\n"
            "    p = 1 / (1 + 32.62·exp(-0.9693·P/noise))    there is more than noise\n"
            "    noise = a·noise + (1 - a)·(p·noise + (1 - p)·P)\n"
            "    prior = 0.975·(previous estimate)/noise + 0.025·max(0, P/noise - 1)\n"
            "    estimate = (prior / (1 + prior))²·P\n"
            "    gain = estimate / (estimate + noise), at least -AMOUNT dB\n\n"
            "The first two lines follow the noise, also if it changes slowly (Gerkmann and Hendriks 2011); the time "
            "constant of a is 0.26 s. The third smooths in time, and is late when a sound begins; the last two make up "
            "for that (Plapous, Marro and Scalart 2006). A gain below the mean with those of both neighboring "
            "frequencies, 1:2:1, is raised to it. With profile= the noise is the mean power of that recording instead, "
            "and with noise=START,END that of this part of the input, in seconds. The input is read twice for that. "
            "The recording must have a window, 2048 frames at 44.1 or 48 kHz, and the part two windows and a half, "
            "0.107 s at 48 kHz and 0.116 s at 44.1 kHz; more of it gives a truer mean.\n\n"
            "Speech and music over steady noise get cleaner. Without a profile, tones that last for seconds count as "
            "noise, so music does better with one. A recording that begins with some noise alone gets the best "
            "start. Noise as loud as the voice leaves artifacts.\n\n"
            "Each channel is handled by itself. The result is not delayed; with --latency a pipe waits about "
            "75 ms at 48 kHz. Samples that are not finite count as silence.",
    .examples = examples,
    .picture = "voice.wav denoise | resample:8k spectrogram:600,512",
    .options = options,
    .config_bytes = sizeof(struct denoise),
    .wants_length = true,
    .waits = waits,
    .bind = bind,
};
