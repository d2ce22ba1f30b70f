/* resample: change the sample rate. */
#include "chain/stage.h"
#include "kernels/sound/resample.h"

struct resample {
    int64_t rate;
};

static const struct gf_option options[] = {
    { .name = "hz", .type = GF_OPTION_INT, .offset = offsetof(struct resample, rate), .least = 100,
      .most = 10000000, .unit = "Hz", .required = true,
      .text = "new sample rate, for example 44.1k" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const int64_t rate = ((const struct resample *)config)->rate, shared = gf_common_divisor(in->rate, rate);
    struct gf_resample r = { .times = in->rate / shared, .per = rate / shared };
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
    "gpufilter -i sound.wav resample:16k mono --depth 16 -o speech.wav",
    NULL
};

const struct gf_stage gf_stage_resample = {
    .name = "resample",
    .kind = GF_AUDIO,
    .group = GF_GROUP_REMIX,
    .summary = "change the sample rate",
    .text = "Frame n of the result is the audio at n / HZ seconds: a weighted sum of at least 208 frames "
            "around it, and more if the rate falls. The weights are a low-pass filter. Frequencies up to "
            "0.456 of the lower rate pass within 0.001 dB. Frequencies above half of the lower rate are "
            "attenuated by 120 dB or more, so there is no audible aliasing.\n\n"
            "There is no delay. The length in seconds is kept, rounded up to a frame. If the rate does "
            "not change, nothing happens.",
    .examples = examples,
    .picture = "sound.wav resample:6k resample:44100 | mono spectrogram:600,1024",
    .options = options,
    .config_bytes = sizeof(struct resample),
    .bind = bind,
};
