/* deess: reduces sibilants. */
#include "filters/dynamics.h"
#include "filters/taps.h"
#include "kernels/geometry/select.h"

#include <stdlib.h>

#define WIDTH 0.75                       /* transition of the band, as a part of its frequency */
#define WINDOW 5.5                       /* as for highpass */
#define AHEAD .001                       /* seconds, half of the attack */

struct deess {
    double hz, threshold, ratio, most;
};

static const struct gf_option options[] = {
    { .name = "hz", .type = GF_OPTION_NUMBER, .offset = offsetof(struct deess, hz), .least = 1000, .most = 20000,
      .by_default = 5500, .unit = "Hz", .text = "start of the band that is reduced" },
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct deess, threshold), .least = -60, .most = 0,
      .by_default = -9, .unit = "dB", .key_only = true,
      .text = "level of the band, relative to that of all audio, above which it is reduced" },
    { .name = "ratio", .type = GF_OPTION_NUMBER, .offset = offsetof(struct deess, ratio), .least = 1, .most = 1000,
      .by_default = 4, .key_only = true, .text = "dB of that difference above db= that become 1 dB" },
    { .name = "most", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct deess, most), .least = 0, .most = 60,
      .by_default = 12, .unit = "dB", .key_only = true, .text = "largest reduction" },
    { .name = NULL }
};

/* Appends a copy of each channel without what is below the band; no channel is delayed. */
static int add_band(const struct deess *d, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const int64_t n = (int64_t)(WINDOW * in->rate / (WIDTH * d->hz)) | 1;
    struct gf_select twice = { { 0 } };
    struct gf_format out = *in;
    double *h;
    int result;

    out.channels *= 2;
    for (int c = 0; c < out.channels; c++)
        twice.from[c] = (signed char)(c % in->channels);
    if (gf_build_op(build, &gf_op_select, &twice, (struct gf_need) { 0 }, &out, err) != 0)
        return -1;
    h = calloc((size_t)(out.channels * n), sizeof *h);       /* freed here, because it may be large */
    if (h == NULL)
        return gf_fail_memory(err, "deess");
    for (int c = 0; c < out.channels; c++) {
        if (c >= in->channels)
            gf_taps_add_lowpass(h + c * n, n, d->hz / in->rate, -1);
        h[c * n + n / 2] += 1;
    }
    result = gf_taps_build(build, h, out.channels, n, n / 2, 0, err);
    free(h);
    return result;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct deess *d = config;
    const struct gf_time release = { .given = true, .count = .02 }, attack = { .given = true, .count = 2 * AHEAD };
    struct gf_follow f = {
        .kept = 2 * in->channels, .heard = { in->channels, in->channels }, .against = { 0, in->channels },
        .curve = { .threshold = gf_dynamics_octaves(d->threshold), .knee = gf_dynamics_octaves(6),
                   .slope = (float)(1 / d->ratio - 1), .least = gf_dynamics_octaves(-d->most) }
    };

    if (2 * in->channels >= GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "deess: must have at most %d channels; this audio has %d",
                       GF_MAX_CHANNELS / 2 - 1, in->channels);
    if (gf_stage_check_hz("deess", d->hz, in, err) != 0 || add_band(d, in, build, err) != 0)
        return -1;
    gf_dynamics_set_fall(&f, &release, 0, in);
    if (gf_dynamics_detect("deess", &f, NULL, -1, build, err) != 0)
        return -1;
    return gf_dynamics_apply("deess", true, &attack, 0, (int64_t)(AHEAD * in->rate), build, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav deess -o soft-s.wav",
    "gpufilter -i sound.wav resample:44100 deess:7k,db=-12,most=8 -o softer-s.wav",
    NULL
};

const struct gf_stage gf_stage_deess = {
    .name = "deess",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .keeps_times = true,
    .summary = "soften s and sh in speech",
    .text = "In vowels, the band from HZ up is far below the whole; in sibilants it is almost all of it. If the level "
            "of the band minus that of the audio exceeds db=, the band is reduced, for all channels alike:\n\n"
            "    output = audio - (1 - gain)·band\n\n"
            "The gain follows the curve of compress, with a knee of 6 dB, and is at least -most. Both levels are "
            "peaks that fall by 10 dB in 20 ms. The gain is their mean over 1 ms before and after. Because levels "
            "are compared, the result does not depend on how loud the recording is.\n\n"
            "The band is separated by a symmetric filter of 7.3·RATE/HZ taps, so that nothing is delayed and phases "
            "do not change. HZ is at -6 dB. Samples that are not finite count as silence.",
    .examples = examples,
    .picture = "sound.wav deess:4k,db=-20 | mono spectrogram:600,1024",
    .options = options,
    .config_bytes = sizeof(struct deess),
    .bind = bind,
};
