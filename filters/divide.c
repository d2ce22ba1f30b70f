/* divide: divide by an image from a file, such as a flat field. */
#include "filters/side_input.h"

struct divide {
    char *file;
    double level;
};

static const struct gf_option options[] = {
    GF_SIDE_INPUT_OPTION(struct divide, "image to divide by, of the same size"),
    { .name = "level", .type = GF_OPTION_NUMBER, .offset = offsetof(struct divide, level), .by_default = 1,
      .least = 0, .most = 1000, .text = "factor for the quotient; the mean of FILE keeps the brightness" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct divide *d = config;
    struct gf_blend b = { .mode = GF_BLEND_QUOTIENT, .amount = (float)d->level };
    const int side = gf_side_input_open("divide", d->file, true, true, &b, build, err);

    (void)in;
    return side < 0 ? -1 : gf_side_input_blend(&b, side, 0, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm gray blur:50 -o light.pgm && gpufilter -i photo.ppm divide:light.pgm,50% -o even.png",
    "gpufilter -i page.ppm blur:30 -o light.ppm && gpufilter -i page.ppm divide:light.ppm -o white.png",
    NULL
};

const struct gf_stage gf_stage_divide = {
    .name = "divide",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COMBINE,
    .range = GF_RANGE_SET,
    .summary = "divide by an image from a file (flat field)",
    .text = "Each color becomes b·level/s, where b is the stored value of the image and s that of FILE, or 0 if s is "
            "0. The alpha of FILE is ignored; that of the image is kept. A gray FILE divides each color.\n\n"
            "A flat field is a photo of an evenly lit surface; dividing by it removes dust, vignetting and uneven "
            "light. stats shows its mean, which as level keeps the brightness of the image. Photos from cameras are "
            "often stored with the sRGB curve: put linear before divide, srgb after it, and use a FILE that was "
            "made with linear.\n\n"
            "FILE must be as large as the image at this place in the chain. For its names and frames, see over.",
    .examples = examples,
    .picture = "scene.ppm divide:scene.ppm,50%",
    .options = options,
    .config_bytes = sizeof(struct divide),
    .bind = bind,
};
