/* shadows and highlights: make the dark or the light parts of an image lighter or darker. */
#include "chain/stage.h"

struct tones {
    double amount;
};

static const struct gf_option options[] = {
    { .name = "amount", .type = GF_OPTION_NUMBER, .offset = offsetof(struct tones, amount), .least = -1, .most = 1,
      .required = true,
      .text = "0 changes nothing, above 0 makes lighter, below 0 makes darker" },
    { .name = NULL }
};

static int bind(const void *config, bool light, const struct gf_format *in, struct gf_build *build,
                struct gf_error *err)
{
    const float amount = (float)((const struct tones *)config)->amount;
    const struct gf_point_step step = {
        .kind = GF_POINT_TONES, .channels = gf_colours(in), .a = light ? 0 : amount, .b = light ? amount : 0
    };

    return amount == 0 ? 0 : gf_build_point(build, &step, NULL, err);
}

static int bind_shadows(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return bind(config, false, in, build, err);
}

static int bind_highlights(const void *config, const struct gf_format *in, struct gf_build *build,
                           struct gf_error *err)
{
    return bind(config, true, in, build, err);
}

static const char *const shadows_examples[] = {
    "gpufilter -i photo.ppm shadows:0.6 -o open.png",
    "gpufilter -i photo.ppm shadows:0.5 highlights:-0.5 -o even.png",
    NULL
};
static const char *const highlights_examples[] = { "gpufilter -i photo.ppm highlights:-0.6 -o sky.png", NULL };

const struct gf_stage gf_stage_shadows = {
    .name = "shadows",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "make dark parts lighter or darker",
    .text = "    v = v·(1 + A·(1 - y)^2)\n\n"
            "y is the brightness .299 r + .587 g + .114 b of the stored values, limited to 0 to 1. All channels of a "
            "pixel are multiplied by the same factor, so hues stay. With A = 1, the darkest parts become twice as "
            "light, and white does not change. In an image that is neither gray nor RGB, each channel is its own y. "
            "Alpha is copied.",
    .examples = shadows_examples,
    .picture = "scene.ppm shadows:1",
    .options = options,
    .config_bytes = sizeof(struct tones),
    .bind = bind_shadows,
};

const struct gf_stage gf_stage_highlights = {
    .name = "highlights",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "make light parts lighter or darker",
    .text = "    v = v + A·(1 - v)·y^2\n\n"
            "y is the brightness .299 r + .587 g + .114 b of the stored values, limited to 0 to 1. The distance of "
            "each channel from white is multiplied by the same factor. With A = -1, the lightest parts get twice the "
            "contrast, and black does not change. What was clipped to white before stays white. In an image that is "
            "neither gray nor RGB, each channel is its own y. Alpha is copied.",
    .examples = highlights_examples,
    .picture = "scene.ppm highlights:-1",
    .options = options,
    .config_bytes = sizeof(struct tones),
    .bind = bind_highlights,
};
