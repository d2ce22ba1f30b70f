/* tint and sepia: shades of one color. */
#include "chain/stage.h"

struct tint {
    struct gf_colour colour;
    double amount;
};

static const double luma[3] = { GF_BT601(double) };

static const struct gf_option tint_options[] = {
    { .name = "color", .type = GF_OPTION_COLOUR, .offset = offsetof(struct tint, colour), .required = true,
      .text = "hue of all shades; any color except black" },
    { .name = "amount", .type = GF_OPTION_NUMBER, .offset = offsetof(struct tint, amount), .by_default = 1,
      .least = 0, .most = 1,
      .text = "strength; 1 replaces the colors, 0 keeps them" },
    { .name = NULL }
};

static const struct gf_option sepia_options[] = {
    { .name = "amount", .type = GF_OPTION_NUMBER, .offset = offsetof(struct tint, amount), .by_default = 1,
      .least = 0, .most = 1,
      .text = "strength; 1 replaces the colors, 0 keeps them" },
    { .name = NULL }
};

/*
 * Adds the step from the colors to their shades, one row of `shades` for each output channel.
 * Gray counts as equal red, green and blue.
 */
static int add_shades(const double shades[3][3], double amount, const struct gf_format *in, struct gf_build *build,
                      struct gf_error *err)
{
    const int ins = gf_colours(in) < 3 ? 1 : 3;
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = ins, .outs = 3 };
    struct gf_format out = *in;

    if (amount == 0)
        return 0;
    for (int o = 0; o < 3; o++)
        if (ins == 1)
            step.m[o][0] = (float)(1 - amount + amount * (shades[o][0] + shades[o][1] + shades[o][2]));
        else
            for (int i = 0; i < 3; i++)
                step.m[o][i] = (float)((i == o ? 1 - amount : 0) + amount * shades[o][i]);
    out.channels = in->channels - ins + 3;
    return gf_build_point(build, &step, &out, err);
}

static int bind_tint(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct tint *t = config;
    const double *c = t->colour.rgba, own = gf_colour_sample(&t->colour, 1, 0);
    double shades[3][3];

    if (own == 0)
        return gf_fail(err, GF_MISUSED, "tint: black has no hue; choose another color");
    for (int o = 0; o < 3; o++)
        for (int i = 0; i < 3; i++)
            shades[o][i] = c[o] / own * luma[i];
    return add_shades(shades, t->amount, in, build, err);
}

static int bind_sepia(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    static const double shades[3][3] = { { .393, .769, .189 }, { .349, .686, .168 }, { .272, .534, .131 } };

    return add_shades(shades, ((const struct tint *)config)->amount, in, build, err);
}

static const char *const tint_examples[] = {
    "gpufilter -i photo.ppm tint:#dfe8ff -o moonlight.png",
    "gpufilter -i photo.ppm tint:orange,0.3 -o warm.png",
    "gpufilter -i chart.pgm tint:#704214 -o brown.png",
    NULL
};
static const char *const sepia_examples[] = {
    "gpufilter -i photo.ppm sepia -o old.png",
    "gpufilter -i photo.ppm sepia:60% contrast:0.9 -o faded.png",
    NULL
};

const struct gf_stage gf_stage_tint = {
    .name = "tint",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "color an image in shades of one color",
    .text = "Each pixel becomes the shade of COLOR that is as bright as the pixel. With y = .299 r + .587 "
            "g + .114 b of the stored values, Y the same for COLOR, and A the amount, each channel "
            "becomes\n\n"
            "    c = (1 - A)·c + A·y·COLOR/Y\n\n"
            "The brightness y stays the same, and black stays black. If a pixel is brighter than the "
            "brightest shade of COLOR, a channel exceeds 1 and is clipped if the output stores integers. "
            "Pale colors have shades of almost every brightness; blue has only dark ones.\n\n"
            "A gray image becomes a color image. Alpha is copied. The alpha of COLOR is ignored.",
    .examples = tint_examples,
    .picture = "scene.ppm tint:#c8d8ff",
    .options = tint_options,
    .config_bytes = sizeof(struct tint),
    .bind = bind_tint,
};

const struct gf_stage gf_stage_sepia = {
    .name = "sepia",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "color an image in the brown of old photographs",
    .text = "If the amount is below 1, this result is mixed with the original:\n\n"
            "    r' = .393 r + .769 g + .189 b\n"
            "    g' = .349 r + .686 g + .168 b\n"
            "    b' = .272 r + .534 g + .131 b\n\n"
            "These are the weights of sepia() in CSS, applied to the stored values. White goes beyond 1 "
            "in red and green, so the brightest parts are clipped if the output stores integers. Put "
            "levels:0,1.35 before sepia to keep them. A gray image becomes a color image. Alpha is "
            "copied.",
    .examples = sepia_examples,
    .picture = "scene.ppm sepia",
    .options = sepia_options,
    .config_bytes = sizeof(struct tint),
    .bind = bind_sepia,
};
