/* diff: subtract an image from a file. */
#include "filters/side_input.h"

struct diff {
    char *file;
    double scale;
};

static const struct gf_option options[] = {
    GF_SIDE_INPUT_OPTION(struct diff, "image to compare with, of the same size"),
    { .name = "scale", .type = GF_OPTION_NUMBER, .offset = offsetof(struct diff, scale), .by_default = 1,
      .least = 0, .most = 1e6, .key_only = true,
      .text = "factor for the differences, to make small ones visible" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct diff *d = config;
    struct gf_blend b = { .mode = GF_BLEND_COMPARE, .amount = (float)d->scale };
    const int side = gf_side_input_open("diff", d->file, true, true, &b, build, err);

    (void)in;
    return side < 0 ? -1 : gf_side_input_blend(&b, side, 0, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm --quality 60 -o photo.jpg && gpufilter -i photo.jpg diff:photo.ppm,scale=8 -o lost.png",
    "gpufilter -i photo.ppm median:1 diff:photo.ppm stats",
    NULL
};

const struct gf_stage gf_stage_diff = {
    .name = "diff",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COMBINE,
    .range = GF_RANGE_SET,
    .summary = "show the absolute difference from an image in a file",
    .text = "Each color becomes |b - s|·scale of the stored values, with s from FILE. The alpha of FILE "
            "is ignored; that of the image is kept. A gray FILE is compared with each color. Values below "
            "0 and above 1 are not clipped first. To measure what a file would store, write that file and "
            "measure it.\n\n"
            "FILE must be as large as the image at this place in the chain. For its names and frames, see "
            "over.",
    .examples = examples,
    .picture = "scene.ppm median:3 diff:scene.ppm,scale=4",
    .options = options,
    .config_bytes = sizeof(struct diff),
    .bind = bind,
};
