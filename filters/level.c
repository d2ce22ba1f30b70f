/* level: a slow gain that brings the loudness to a target. */
#include "base/elementary.h"
#include "filters/dynamics.h"
#include "kernels/geometry/select.h"
#include "kernels/sound/recur.h"
#include "kernels/sound/steer.h"
#include "kernels/statistics/loudness.h"

#include <math.h>

#define OFFSET .691                      /* dB that loudness adds to the energy */

struct level {
    double lufs, most, gate;
    struct gf_time time, ahead;
};

static const struct gf_option options[] = {
    { .name = "lufs", .type = GF_OPTION_NUMBER, .offset = offsetof(struct level, lufs), .least = -60, .most = 0,
      .by_default = -20, .unit = "LUFS", .text = "loudness to reach" },
    { .name = "most", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct level, most), .least = 0, .most = 60,
      .by_default = 20, .unit = "dB", .key_only = true, .text = "largest gain, up or down" },
    { .name = "time", .type = GF_OPTION_TIME, .offset = offsetof(struct level, time), .most = 3600, .key_only = true,
      .text = "time over which the loudness is averaged; 5s by default" },
    { .name = "gate", .type = GF_OPTION_NUMBER, .offset = offsetof(struct level, gate), .least = -120, .most = 0,
      .by_default = -50, .unit = "LUFS", .key_only = true, .text = "softer audio is a pause: the gain stays" },
    { .name = "ahead", .type = GF_OPTION_TIME, .offset = offsetof(struct level, ahead), .most = 1, .key_only = true,
      .text = "look-ahead, up to 1s; 0 by default. A live pipe is delayed by it" },
    { .name = NULL }
};

/* Appends a copy of each channel, weighted as the ear hears it. */
static int add_weighted(const struct gf_format *in, const struct gf_loudness *l, struct gf_build *build,
                        struct gf_error *err)
{
    struct gf_recur k = { .first = in->channels, .sections = 2 };
    struct gf_select twice = { { 0 } };
    struct gf_format out = *in;

    out.channels *= 2;
    for (int c = 0; c < out.channels; c++)
        twice.from[c] = (signed char)(c % in->channels);
    k.section[0] = (struct gf_recur_section) { l->shelf[0], l->shelf[1], l->shelf[2], l->shelf[3], l->shelf[4] };
    k.section[1] = (struct gf_recur_section) { 1, -2, 1, l->pass[0], l->pass[1] };
    if (gf_build_op(build, &gf_op_select, &twice, (struct gf_need) { 0 }, &out, err) != 0)
        return -1;
    return gf_build_op(build, &gf_op_recur, &k,
                       (struct gf_need) { .carry_bytes = gf_recur_carry_bytes(&k, out.channels) }, &out, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct level *l = config;
    const struct gf_time second = { .given = true, .count = 1 };
    const double time = (double)(l->time.given ? gf_time_frames(&l->time, in->rate) : 5 * (int64_t)in->rate);
    struct gf_steer s = { .kept = in->channels, .block_units = in->rate / 10,
                          .most = gf_dynamics_octaves(l->most) };
    struct gf_format out = *in;
    struct gf_loudness k;

    if (2 * in->channels >= GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "level: must have at most %d channels; this audio has %d",
                       GF_MAX_CHANNELS / 2 - 1, in->channels);
    if (!gf_loudness_takes_rate(in->rate))
        return gf_fail(err, GF_FAILED, "level: needs a sample rate of %d to %d Hz; this audio has %d Hz",
                       GF_LOUDNESS_RATE, GF_LOUDNESS_MOST_RATE, (int)in->rate);
    gf_loudness_make(&k, in->rate, in->channels);
    s.decay = time > 0 ? gf_exp(-(double)s.block_units / time) : 0;
    s.gate = gf_pow(10, (l->gate + OFFSET) / 10);
    s.target = 2 * gf_dynamics_octaves(l->lufs + OFFSET) + GF_OCTAVES_OF_ONE;
    for (int c = 0; c < in->channels; c++)
        s.root[c] = (float)sqrt(gf_loudness_weight(c, in->channels));
    if (add_weighted(in, &k, build, err) != 0)
        return -1;
    out.channels++;
    if (gf_build_op(build, &gf_op_steer, &s, (struct gf_need) { .carry_bytes = (int64_t)sizeof(struct gf_steer_state) },
                    &out, err) != 0)
        return -1;
    return gf_dynamics_apply("level", false, &second, 1, gf_time_frames(&l->ahead, in->rate), build, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav level -o even.wav",
    "gpufilter -i sound.wav level:-18,most=12,time=3s,ahead=0.5s limit:-1 -o voice.wav",
    NULL
};

const struct gf_stage gf_stage_level = {
    .name = "level",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .keeps_times = true,
    .range = GF_RANGE_SET,
    .summary = "bring soft and loud passages to one loudness, slowly",
    .text = "Every tenth of a second, the energy e of that block is measured, weighted as for loudness "
            "(ITU-R BS.1770). Blocks below gate= are pauses: they change nothing, so that noise is not "
            "raised. For the others, with a = exp(-0.1 s / time):\n\n"
            "    sum = a·sum + e,   count = a·count + 1\n"
            "    gain = LUFS - loudness of sum/count, within most= of 0 dB\n\n"
            "The gain of a block is used in the next one, as a mean over one second. Until the first block that "
            "counts it is 0 dB. Noise in pauses above gate= is "
            "raised like audio: remove it before, with denoise, or set gate= above it.\n\n"
            "With ahead=, this mean begins and ends later by that time; 0.5s puts it in the "
            "middle.\n\n"
            "normalize:lufs= has one gain for all of the audio. Peaks may exceed full scale: add limit:-1 "
            "afterwards. A sample beyond 8 times full scale counts as that, and one that is not finite as 0.",
    .examples = examples,
    .picture = "voice.wav level:-20 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct level),
    .bind = bind,
};
