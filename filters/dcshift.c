/* dcshift: add a constant to every sample. */
#include "chain/stage.h"

struct dcshift {
    double shift;
};

static const struct gf_option options[] = {
    { .name = "shift", .type = GF_OPTION_NUMBER, .offset = offsetof(struct dcshift, shift), .least = -2,
      .most = 2, .required = true,
      .text = "value to add to every sample; full scale is 1" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct dcshift *d = config;
    const struct gf_point_step step = {
        .kind = GF_POINT_AFFINE, .channels = in->channels, .a = 1, .b = (float)d->shift
    };

    return d->shift == 0 ? 0 : gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav dcshift:-0.02 -o centred.wav",
    NULL
};

const struct gf_stage gf_stage_dcshift = {
    .name = "dcshift",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .range = GF_RANGE_SET,
    .summary = "remove or add a DC offset",
    .text = "A constant is added to every sample. To remove an offset, give the mean that stats reports, "
            "with the opposite sign. Outputs of integers clip at full scale.",
    .examples = examples,
    .picture = "voice.wav dcshift:0.3 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct dcshift),
    .bind = bind,
};
