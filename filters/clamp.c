/* clamp: what lies beyond two ends is set to them. */
#include "chain/stage.h"

struct clamp {
    double low, high;
};

static const struct gf_option image_options[] = {
    { .name = "low", .type = GF_OPTION_NUMBER, .offset = offsetof(struct clamp, low), .least = -1e6, .most = 1e6, .by_default = 0,
      .levels = 6, .text = "what is below becomes this" },
    { .name = "high", .type = GF_OPTION_NUMBER, .offset = offsetof(struct clamp, high), .least = -1e6, .most = 1e6, .by_default = 1,
      .levels = 6, .text = "what is above becomes this" },
    { .name = NULL }
};

static const struct gf_option audio_options[] = {
    { .name = "low", .type = GF_OPTION_NUMBER, .offset = offsetof(struct clamp, low), .least = -1e6, .most = 1e6, .by_default = -1, .levels = 6,
      .text = "what is below becomes this" },
    { .name = "high", .type = GF_OPTION_NUMBER, .offset = offsetof(struct clamp, high), .least = -1e6, .most = 1e6, .by_default = 1, .levels = 6,
      .text = "what is above becomes this" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct clamp *k = config;
    const struct gf_point_step step = { .kind = GF_POINT_CLAMP, .channels = gf_colours(in), .a = (float)k->low, .b = (float)k->high };

    if (k->low > k->high)
        return gf_fail(err, GF_MISUSED, "clamp: low is %g, above high, which is %g", k->low, k->high);
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
    .range = GF_RANGE_SET,
    .summary = "values beyond two ends, cut off: min(max(v, LO), HI)",
    .text = "Stages leave values below 0 and above 1 as they are, so that those behind them can bring them back; a file of integers cuts them off "
            "in the end. clamp cuts them off here: before stats or histogram, before a mean that is not to be pulled up by them, or for an "
            "output of floats. Each channel alone; alpha is copied, and what is not a number stays so.",
    .examples = image_examples,
    .picture = "scene.ppm clamp:0.3,0.6",
    .options = image_options,
    .config_bytes = sizeof(struct clamp),
    .bind = bind,
};

const struct gf_stage gf_stage_clamp_audio = {
    .name = "clamp",
    .kind = GF_AUDIO,
    .range = GF_RANGE_SET,
    .summary = "samples beyond two ends, cut off",
    .text = "Hard clipping: what is below LO becomes LO, what is above HI becomes HI, and all else stays as it is, also what is not a number. "
            "It is heard as distortion; limit takes peaks back without it. Stages cut nothing off at full scale, and nor does an output of "
            "floats; clamp does.",
    .examples = audio_examples,
    .picture = "voice.wav gain:12 clamp:-0.5,0.5 | waveform:600",
    .options = audio_options,
    .config_bytes = sizeof(struct clamp),
    .bind = bind,
};
