/* alpha: add or remove the alpha channel. */
#include "chain/stage.h"

struct alpha {
    bool on;
    struct gf_colour background;
};

static const struct gf_option options[] = {
    { .name = "alpha", .type = GF_OPTION_FLAG, .offset = offsetof(struct alpha, on), .required = true,
      .text = "on: add an alpha channel; off: remove it" },
    { .name = "bg", .type = GF_OPTION_COLOUR, .offset = offsetof(struct alpha, background), .key_only = true,
      .text = "with off, the background color" },
    { .name = NULL }
};

/* Adds the step that puts the colors over the background: c·a + b·(1 − a). */
static int lay_over(const struct gf_colour *colour, const struct gf_format *in, const struct gf_format *out,
                    struct gf_build *build, struct gf_error *err)
{
    const int colours = gf_colours(in);
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = in->channels, .outs = colours };

    for (int c = 0; c < colours; c++) {
        const double b = gf_colour_sample(colour, colours, c);

        step.m[c][c] = 1;
        step.m[c][colours] = (float)-b;
        step.m[c][in->channels] = (float)b;
    }
    return gf_build_premultiply(build, err) == 0 ? gf_build_point(build, &step, out, err) : -1;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct alpha *a = config;
    const bool on = a->on;
    const int colours = gf_colours(in);
    struct gf_point_step step = { .kind = GF_POINT_PICK, .channels = in->channels, .outs = colours + (on ? 1 : 0) };
    struct gf_format out = *in;

    if (a->background.given && on)
        return gf_fail(err, GF_MISUSED, "alpha: bg= needs alpha:off; write alpha:off,bg=COLOR");
    if (in->alpha == on)
        return 0;
    for (int o = 0; o < colours; o++)
        step.pick[o] = (signed char)o;
    if (on)
        step.pick[colours] = -1;
    out.channels = step.outs;
    out.alpha = on;
    if (a->background.given)
        return lay_over(&a->background, in, &out, build, err);
    return gf_build_point(build, &step, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm alpha:on rotate:15 -o turned.png",
    "gpufilter -i photo.ppm alpha:on alpha:off -o same.ppm",
    "gpufilter -i photo.ppm alpha:on rotate:15 alpha:off,bg=white -o turned.jpg",
    NULL
};

const struct gf_stage gf_stage_alpha = {
    .name = "alpha",
    .kind = GF_IMAGE,
    .group = GF_GROUP_CHANNELS,
    .keeps_values = true,
    .summary = "add or remove the alpha channel",
    .text = "alpha:on adds an opaque alpha channel (all 1). An image that already has alpha does not "
            "change.\n\n"
            "alpha:off removes it. Colors keep their stored values, even in pixels that were transparent. "
            "With bg=, the image is put over that color first, on the stored values:\n\n"
            "    v = c·a + bg·(1 - a)\n\n"
            "Without this stage, an image with alpha that is written to a format without alpha is put "
            "over black.",
    .examples = examples,
    .picture = "cutout.pam alpha:off,bg=#336699",
    .options = options,
    .config_bytes = sizeof(struct alpha),
    .bind = bind,
};
