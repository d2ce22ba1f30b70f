/* dehum: removes the tones of a power line. */
#include "base/elementary.h"
#include "chain/stage.h"
#include "kernels/sound/recur.h"

struct dehum {
    double hz, width;
    int64_t count;
};

static const struct gf_option options[] = {
    { .name = "hz", .type = GF_OPTION_NUMBER, .offset = offsetof(struct dehum, hz), .least = 1, .most = 1e6,
      .by_default = 50, .unit = "Hz", .text = "frequency of the power line: 50, or 60 in America" },
    { .name = "count", .type = GF_OPTION_INT, .offset = offsetof(struct dehum, count), .least = 1,
      .most = GF_RECUR_SECTIONS, .by_default = 8,
      .text = "number of tones: HZ, 2·HZ, 3·HZ and so on, as far as they are below half the sample rate" },
    { .name = "width", .type = GF_OPTION_NUMBER, .offset = offsetof(struct dehum, width), .least = 0.01, .most = 1000,
      .by_default = 2, .unit = "Hz", .key_only = true,
      .text = "width of each notch, between the frequencies at -3 dB" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct dehum *d = config;
    struct gf_recur r = { .sections = 0 };

    if (d->width >= d->hz)
        return gf_fail(err, GF_MISUSED, "dehum: width=%g: must be less than the frequency, %g Hz", d->width, d->hz);
    if (gf_stage_check_hz("dehum", d->hz, in, err) != 0)
        return -1;
    for (int k = 1; k <= d->count && 2 * k * d->hz < in->rate; k++) {
        const double angle = 2 * k * d->hz / in->rate, wide = d->width / in->rate < .49 ? d->width / in->rate : .49;
        const double t = gf_tan_pi(wide), gain = 1 / (1 + t), middle = -2 * gf_cos_pi(angle) * gain;

        r.section[r.sections++] = (struct gf_recur_section) { gain, middle, gain, middle, (1 - t) * gain };
    }
    return gf_build_op(build, &gf_op_recur, &r,
                       (struct gf_need) { .carry_bytes = gf_recur_carry_bytes(&r, in->channels) }, in, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav dehum:50 -o without-hum.wav",
    "gpufilter -i sound.wav dehum:60,12,width=1 -o without-hum.wav",
    NULL
};

const struct gf_stage gf_stage_dehum = {
    .name = "dehum",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "remove the hum of a power line",
    .text = "HZ and its multiples are removed by notches of the second order. With t = tan(π·width/RATE) and "
            "w = 2π·k·HZ/RATE for the k-th:\n\n"
            "    H(z) = (1 - 2·cos(w)·z^-1 + z^-2)\n"
            "         / (1 + t - 2·cos(w)·z^-1 + (1 - t)·z^-2)\n\n"
            "Each is 0 at its frequency and -3 dB at width/2 on both sides; the rest of the audio hardly changes. A "
            "notch needs about 1/width seconds until the hum is gone. If the frequency of a recording is not exact, "
            "as on tape, use a larger width. Samples that are not finite count as 0.",
    .examples = examples,
    .picture = "sound.wav dehum:440,1,width=40 | mono spectrogram:600,1024",
    .options = options,
    .config_bytes = sizeof(struct dehum),
    .bind = bind,
};
