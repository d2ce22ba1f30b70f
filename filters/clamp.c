/* clamp: limit values to a range. */
#include "chain/stage.h"

struct clamp {
    double low, high;
};

static const struct gf_option image_options[] = {
    { .name = "low", .type = GF_OPTION_NUMBER, .offset = offsetof(struct clamp, low), .least = -1e6,
      .most = 1e6, .by_default = 0, .levels = 6,
      .text = "lower limit" },
    { .name = "high", .type = GF_OPTION_NUMBER, .offset = offsetof(struct clamp, high), .least = -1e6,
      .most = 1e6, .by_default = 1, .levels = 6,
      .text = "upper limit" },
    { .name = NULL }
};

static const struct gf_option audio_options[] = {
    { .name = "low", .type = GF_OPTION_NUMBER, .offset = offsetof(struct clamp, low), .least = -1e6,
      .most = 1e6, .by_default = -1, .levels = 6,
      .text = "lower limit" },
    { .name = "high", .type = GF_OPTION_NUMBER, .offset = offsetof(struct clamp, high), .least = -1e6,
      .most = 1e6, .by_default = 1, .levels = 6,
      .text = "upper limit" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct clamp *k = config;
    const struct gf_point_step step = {
        .kind = GF_POINT_CLAMP, .channels = gf_colours(in), .a = (float)k->low, .b = (float)k->high
    };

    if (k->low > k->high)
        return gf_fail(err, GF_MISUSED, "clamp: low=%g is above high=%g; low must not exceed high", k->low, k->high);
    return gf_build_point(build, &step, NULL, err);
}

static const char *const image_examples[] = {
    "gpufilter -i photo.ppm brightness:0.4 clamp brightness:-0.4 -o flat.png",
    "gpufilter -i photo.ppm sharpen:2 clamp:5%,95% -o crisp.png",
    "gpufilter -i photo.ppm contrast:3 clamp stats",
    NULL
};

static const char *const audio_examples[] = {
    "gpufilter -i sound.wav gain:12 clamp:-0.5,0.5 -o hard.wav",
    "gpufilter -i sound.wav bass:6 --depth f32 clamp -o safe.wav",
    NULL
};

const struct gf_stage gf_stage_clamp = {
    .name = "clamp",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "limit values to a range: min(max(v, LOW), HIGH)",
    .text = "Other stages keep values below 0 and above 1, so that later stages can bring them back. An "
            "output of integers clips them at the end. Use clamp to clip them earlier: before stats or "
            "histogram, before a mean that outliers would distort, or for an output of floats.\n\n"
            "Each channel is treated separately. Alpha is copied, and NaN stays NaN.",
    .examples = image_examples,
    .picture = "scene.ppm clamp:0.3,0.6",
    .options = image_options,
    .config_bytes = sizeof(struct clamp),
    .bind = bind,
};

const struct gf_stage gf_stage_clamp_audio = {
    .name = "clamp",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .range = GF_RANGE_SET,
    .summary = "limit samples to a range (hard clipping)",
    .text = "A sample below LOW becomes LOW, and a sample above HIGH becomes HIGH. All others stay as "
            "they are, including NaN. Hard clipping is audible as distortion; limit lowers peaks without "
            "it.\n\n"
            "Other stages do not clip at full scale, and neither does an output of floats. clamp does.",
    .examples = audio_examples,
    .picture = "voice.wav gain:12 clamp:-0.5,0.5 | waveform:600",
    .options = audio_options,
    .config_bytes = sizeof(struct clamp),
    .bind = bind,
};
