/* normalize for audio: reach a level by peak, RMS or loudness, with one gain for all channels. */
#include "base/elementary.h"
#include "chain/stage.h"
#include "kernels/statistics/loudness.h"
#include "kernels/statistics/reduce.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_ABOVE .05                  /* dB above full scale that are reported */

struct normalize {
    double peak, rms, lufs;      /* NAN: not given */
    bool album;
};

/* State for settle(), which runs after the audio is measured. */
struct settle_context {
    struct normalize options;
    struct gf_album *all;        /* of all inputs; NULL: each is measured by itself */
    int64_t table;
};

static const struct gf_option options[] = {
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct normalize, peak), .by_default = NAN,
      .least = -300, .most = 300, .unit = "dBFS",
      .text = "level of the loudest sample; the default is 0 (full scale)" },
    { .name = "rms", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct normalize, rms), .by_default = NAN,
      .least = -300, .most = 300, .unit = "dBFS", .key_only = true,
      .text = "level of the RMS of all channels, instead of the peak" },
    { .name = "lufs", .type = GF_OPTION_NUMBER, .offset = offsetof(struct normalize, lufs), .by_default = NAN,
      .least = -300, .most = 0, .unit = "LUFS", .key_only = true,
      .text = "integrated loudness of all channels, instead of the peak; -23 for broadcast, -14 for "
              "streaming" },
    { .name = "album", .type = GF_OPTION_FLAG, .offset = offsetof(struct normalize, album), .key_only = true,
      .text = "with lufs=: the loudness is that of all inputs together, which get one gain" },
    { .name = NULL }
};

static bool album(const void *config)
{
    return ((const struct normalize *)config)->album;
}

/* Returns the levels of all channels together. */
static struct gf_reduced all_levels(const struct gf_measured *m)
{
    struct gf_reduced all = m->reduced[0];

    for (int c = 1; c < m->channels; c++)
        gf_reduced_join(&all, &m->reduced[c]);
    return all;
}

static double peak_of(const struct gf_reduced *all)
{
    return all->finite > 0 ? fmax(fabs(all->min), fabs(all->max)) : 0;
}

/* Returns the gain; 1 for silence and for audio that is too soft or too short to have a loudness. */
static double gain_for(const struct normalize *n, const struct gf_measured *m)
{
    const struct gf_reduced all = all_levels(m);
    const double peak = peak_of(&all);
    double gain;

    if (!isnan(n->lufs))
        gain = gf_pow(10, (n->lufs - gf_loudness_of(m->energies, m->blocks, m->channels, m->channels)) / 20);
    else if (!isnan(n->rms))
        gain = gf_pow(10, n->rms / 20) / sqrt(all.squares / all.finite);
    else
        gain = gf_pow(10, (isnan(n->peak) ? 0 : n->peak) / 20) / peak;
    return isfinite(gain) && peak > 0 ? gain : 1;
}

static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;
    const struct gf_reduced all = all_levels(m);
    const double gain = gain_for(&b->options, m), above = 20 * gf_log10(peak_of(&all) * gain);

    (void)err;
    if (above >= LEAST_ABOVE)
        gf_build_mark_above_scale(m->build, above);
    for (int c = 0; c < m->channels; c++) {
        tables[b->table + 2 * c] = (float)gain;
        tables[b->table + 2 * c + 1] = 0;
    }
    return 0;
}

/* Adds the energies of an input to those of the others. */
static int collect(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table,
                   struct gf_error *err)
{
    struct gf_album *const all = ((const struct settle_context *)config)->all;
    const int64_t room = all->count + m->blocks;

    (void)build, (void)table;
    if (room > all->room) {
        double *const value = realloc(all->value, (size_t)(2 * room) * sizeof *value);

        if (value == NULL)
            return gf_fail_memory(err, "normalize");
        all->value = value;
        all->room = 2 * room;
    }
    all->count += gf_loudness_windows(m->energies, m->blocks, m->channels, all->value + all->count);
    return 0;
}

/* Gives each input the gain that all of them need. */
static int bind_album(const struct gf_album *all, double lufs, const struct gf_format *in, struct gf_build *build,
                      struct gf_error *err)
{
    const double gain = gf_pow(10, (lufs - gf_loudness_of_windows(all->value, all->count)) / 20);
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = in->channels,
                                        .a = isfinite(gain) ? (float)gain : 1 };

    return gf_build_point(build, &step, NULL, err);
}

static int measure_loudness(const struct gf_format *in, struct gf_build *build, const struct settle_context *b,
                            struct gf_error *err)
{
    const bool collects = b->all != NULL;
    struct gf_loudness l;
    float *ring;

    if (!gf_loudness_takes_rate(in->rate))
        return gf_fail(err, GF_FAILED, "normalize: lufs= needs a sample rate of %d to %d Hz; this audio has %d Hz",
                       GF_LOUDNESS_RATE, GF_LOUDNESS_MOST_RATE, (int)in->rate);
    gf_loudness_make(&l, in->rate, in->channels);
    l.levels = true;
    l.ring = gf_build_alloc_table(build, GF_LOUDNESS_RING(&l), &ring);
    if (ring == NULL)
        return gf_fail_memory(err, "normalize");
    gf_loudness_ring(&l, ring);
    return gf_build_measure(build, &gf_op_loudness, &l, NULL, collects ? NULL : settle, collects ? collect : NULL, b,
                            err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct normalize *n = config;
    const struct gf_reduce reduce = { .block_units = GF_REDUCE_FRAMES, .channels = in->channels };
    struct gf_point_step step = { .kind = GF_POINT_SCALE, .channels = in->channels };
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    struct gf_album *const all = gf_build_album(build);
    float *entries;
    int result;

    if (!isnan(n->peak) + !isnan(n->rms) + !isnan(n->lufs) > 1)
        return gf_fail(err, GF_MISUSED, "normalize: takes only one of a peak, rms= and lufs=");
    if (n->album && isnan(n->lufs))
        return gf_fail(err, GF_MISUSED, "normalize: album needs lufs=, such as normalize:lufs=-16,album");
    if (all != NULL && !all->measuring)
        return bind_album(all, n->lufs, in, build, err);
    if (b == NULL)
        return gf_fail_memory(err, "normalize");
    b->options = *n;
    b->all = all;
    if (all != NULL)
        return measure_loudness(in, build, b, err);
    b->table = step.table = gf_build_alloc_table(build, 2 * in->channels, &entries);
    if (!isnan(n->lufs))
        result = measure_loudness(in, build, b, err);
    else
        result = gf_build_measure(build, &gf_op_reduce, &reduce, NULL, settle, NULL, b, err);
    return result == 0 ? gf_build_point(build, &step, NULL, err) : -1;
}

static const char *const examples[] = {
    "gpufilter -i sound.wav normalize -o full.wav",
    "gpufilter -i sound.wav normalize:-1 -o safe.wav",
    "gpufilter -i sound.wav fir:taps.txt normalize:rms=-20 -o even.wav",
    "cat sound.wav | gpufilter normalize:lufs=-23 >broadcast.wav",
    "gpufilter -i sound.wav -i voice.wav normalize:lufs=-20,album -o album/",
    NULL
};

const struct gf_stage gf_stage_normalize_audio = {
    .name = "normalize",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .range = GF_RANGE_SET,
    .summary = "reach a level: by peak, RMS or loudness",
    .text = "All channels are multiplied by one number.\n\n"
            "    normalize:DB      the loudest sample of any channel reaches DB\n"
            "    normalize:rms=DB  the RMS of all samples reaches DB\n"
            "    normalize:lufs=L  the integrated loudness reaches L\n"
            "                      (ITU-R BS.1770, EBU R 128)\n\n"
            "With album, the loudness of all inputs of the run together reaches L, so that a soft song stays softer "
            "than a loud one: the blocks of all of them are gated together. The inputs are read once more before, one "
            "after another, so several inputs must be files. With one input, album changes nothing. Channels may "
            "differ.\n\n"
            "Silence does not change. With lufs=, neither does audio that is shorter than 0.4 s or below "
            "-70 LUFS. Samples that are not finite are ignored.\n\n"
            "With rms= or lufs=, peaks may exceed full scale, where outputs of integers clip. A warning "
            "says by how much; add limit:-1 after normalize to prevent it.\n\n"
            "All of the audio is read before the first sample is written. A file is read twice. Audio "
            "from a pipe is kept in memory. If it does not fit into --memory, it is stored in $TMPDIR. If "
            "the length of the pipe is unknown, all beyond 64 MB is stored there.",
    .examples = examples,
    .picture = "voice.wav normalize:-1 | waveform:600",
    .options = options,
    .wants_length = true,
    .album = album,
    .config_bytes = sizeof(struct normalize),
    .bind = bind,
};
