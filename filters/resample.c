/* resample: change the sample rate. */
#include "chain/stage.h"
#include "kernels/sound/resample.h"

struct resample {
    int64_t rate;
    int quality;
};

/* The order is that of enum gf_resample_quality. */
static const char *const qualities[] = { "best", "good", "fast", NULL };

static const struct gf_option options[] = {
    { .name = "hz", .type = GF_OPTION_INT, .offset = offsetof(struct resample, rate), .least = 100,
      .most = 10000000, .unit = "Hz", .required = true,
      .text = "new sample rate, for example 44.1k" },
    { .name = "quality", .type = GF_OPTION_CHOICE, .offset = offsetof(struct resample, quality),
      .by_default = GF_RESAMPLE_BEST, .choices = qualities, .key_only = true,
      .text = "how long the low-pass filter is; see below" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct resample *stage = config;
    const int64_t rate = stage->rate, shared = gf_common_divisor(in->rate, rate);
    struct gf_resample r = { .times = in->rate / shared, .per = rate / shared,
                             .quality = (enum gf_resample_quality)stage->quality };
    struct gf_format out = *in;
    struct gf_need need;
    float *rows;

    if (rate == in->rate)
        return 0;
    if (in->rate / rate >= 256 || rate / in->rate >= 256)
        return gf_fail(err, GF_FAILED,
                       "resample: from %d to %lld Hz: the rates must differ by a factor of less than 256; use two "
                       "stages",
                       in->rate, (long long)rate);
    gf_resample_choose(&r);
    r.table = gf_build_alloc_table(build, gf_resample_rows(&r) * r.taps, &rows);
    if (rows != NULL)
        gf_resample_fill(&r, rows);
    out.rate = (int32_t)rate;
    if (in->units != GF_UNKNOWN)
        out.units = in->units / r.times * r.per + (in->units % r.times * r.per + r.times - 1) / r.times;
    need = (struct gf_need) { .times = r.times, .per = r.per, .before = r.taps / 2 - 1, .after = r.taps / 2 };
    return gf_build_op(build, &gf_op_resample, &r, need, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav resample:44100 -o cd.wav",
    "gpufilter -i sound.wav resample:44100,quality=good -o soon.wav",
    "gpufilter -i sound.wav resample:16k mono --depth 16 -o speech.wav",
    NULL
};

const struct gf_stage gf_stage_resample = {
    .name = "resample",
    .kind = GF_AUDIO,
    .group = GF_GROUP_REMIX,
    .summary = "change the sample rate",
    .text = "Frame n of the result is the audio at n / HZ seconds: a weighted sum of the frames around it. The "
            "weights are a low-pass filter. quality decides its length; it is longer if the rate falls:\n\n"
            "    best  208 frames: passes 0.456 of the lower rate, stops from 0.5 on\n"
            "          by more than 120 dB, so there is no audible aliasing (the default)\n"
            "    good  64 frames: passes 0.426, stops from 0.53 on by 100 dB\n"
            "    fast  29 frames: passes 0.376, stops from 0.56 on by 75 dB\n\n"
            "What passes does so within 0.001 dB (fast: 0.01 dB). Tones between these limits may return as aliases, "
            "mirrored at half of the lower rate. For 48 to 44.1 kHz:\n\n"
            "          unchanged*   tones that return  as                 level     time\n"
            "    best  to 20.4 kHz  none                                            1\n"
            "    good  to 19.4 kHz  22.05 to 23.4 kHz  22.05 to 20.7 kHz  < -26 dB  0.5\n"
            "    fast  to 17.0 kHz  22.05 to 24 kHz    22.05 to 20.1 kHz  < -18 dB  0.4\n\n"
            "    * within 0.01 dB\n\n"
            "Aliases are loudest at 22.05 kHz and become softer below. At 21.1 kHz, they have -85 dB with good, and "
            "-32 dB with fast. good is flatter and has less "
            "aliasing than the default of FFmpeg.\n\n"
            "There is no delay. The length in seconds is kept, rounded up to a frame. If the rate does "
            "not change, nothing happens.",
    .examples = examples,
    .picture = "sound.wav resample:6k resample:44100 | mono spectrogram:600,1024",
    .options = options,
    .config_bytes = sizeof(struct resample),
    .bind = bind,
};
