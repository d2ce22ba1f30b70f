/* mask: make parts of an image transparent, as an image from a file says. */
#include "filters/side_input.h"

struct mask {
    char *file;
};

static const struct gf_option options[] = {
    GF_SIDE_INPUT_OPTION(struct mask, "image to use as the mask, of the same size"),
    { .name = NULL }
};

static int add_alpha(struct gf_build *build, struct gf_error *err)
{
    struct gf_format out = *gf_build_format(build);
    struct gf_point_step step = { .kind = GF_POINT_PICK, .channels = out.channels, .outs = out.channels + 1 };

    for (int o = 0; o < out.channels; o++)
        step.pick[o] = (signed char)o;
    step.pick[out.channels++] = -1;
    out.alpha = true;
    return gf_build_point(build, &step, &out, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct mask *m = config;
    struct gf_blend b = { .mode = GF_BLEND_MASK, .amount = 1 };
    const int side = gf_side_input_open("mask", m->file, true, false, &b, build, err);

    if (side < 0 || (!in->alpha && add_alpha(build, err) != 0))
        return -1;
    b.alpha = true;
    gf_build_mark_transparent(build);
    return gf_side_input_blend(&b, side, 0, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm gray threshold:otsu -o shape.pgm && gpufilter -i photo.ppm mask:shape.pgm -o shaped.png",
    NULL
};

const struct gf_stage gf_stage_mask = {
    .name = "mask",
    .kind = GF_IMAGE,
    .group = GF_GROUP_CHANNELS,
    .summary = "make an image transparent where an image from a file is dark",
    .text = "Alpha is multiplied by FILE's alpha. If FILE has none, it is multiplied by FILE's gray, .299 "
            "r + .587 g + .114 b of the stored values. An image without alpha gets an opaque one first. "
            "Colors are kept.\n\n"
            "FILE must be as large as the image at this place in the chain. For its names and frames, see "
            "over.",
    .examples = examples,
    .picture = "scene.ppm mask:page.ppm",
    .options = options,
    .config_bytes = sizeof(struct mask),
    .bind = bind,
};
