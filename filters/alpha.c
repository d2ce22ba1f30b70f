/* alpha: taken away, or put there. */
#include "stage.h"

struct alpha {
    bool on;
};

static const struct gf_option options[] = {
    { .name = "alpha", .type = GF_OPTION_FLAG, .offset = offsetof(struct alpha, on), .required = true,
      .text = "whether there is to be a channel of it" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const bool on = ((const struct alpha *)config)->on;
    const int colours = gf_colours(in);
    struct gf_point_step step = { .kind = GF_POINT_PICK, .channels = in->channels, .outs = colours + (on ? 1 : 0) };
    struct gf_format out = *in;

    if (in->alpha == on)
        return 0;
    for (int o = 0; o < colours; o++)
        step.pick[o] = (signed char)o;
    if (on)
        step.pick[colours] = -1;
    out.channels = step.outs;
    out.alpha = on;
    return gf_build_point(build, &step, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm alpha:on rotate:15 -o turned.png",
    "gpufilter -i photo.ppm alpha:on alpha:off -o same.ppm",
    NULL
};

const struct gf_stage gf_stage_alpha = {
    .name = "alpha",
    .kind = GF_IMAGE,
    .summary = "adds an alpha channel, or takes it away",
    .text = "on adds an opaque one, all 1, where there is none. off drops it: colours stay what they are, also where they could not "
            "be seen. (A picture with alpha that is written to a format without it is laid over black instead.)",
    .examples = examples,
    .picture = "cutout.pam alpha:off",
    .options = options,
    .config_bytes = sizeof(struct alpha),
    .bind = bind,
};
