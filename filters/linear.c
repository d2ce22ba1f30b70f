/* linear and srgb: convert from sRGB to linear light, and back. */
#include "chain/stage.h"

static int bind_linear(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    (void)config;
    (void)in;
    return gf_build_to_linear(build, GF_LIGHT_LINEAR, err);
}

static int bind_srgb(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    (void)config;
    (void)in;
    return gf_build_from_linear(build, GF_LIGHT_LINEAR, err);
}

static const char *const linear_examples[] = {
    "gpufilter -i photo.ppm linear 'conv:[1 2 1; 2 4 2; 1 2 1],scale=auto' srgb -o soft.png",
    "gpufilter -i photo.ppm linear --depth f32 -o light.pfm",
    NULL
};
static const char *const srgb_examples[] = { "gpufilter -i photo.ppm linear invert srgb -o lifted.png", NULL };

const struct gf_stage gf_stage_linear = {
    .name = "linear",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "convert sRGB values to linear light",
    .text = "    v = v / 12.92                      if v <= 0.04045\n"
            "    v = ((v + 0.055) / 1.055)^2.4      otherwise\n\n"
            "Stages between linear and srgb work in linear light. Some stages have an option light=linear "
            "that does the same. Eight bits are too few for the shadows of linear light: store it in 16 "
            "bits or as floats. Alpha is copied.",
    .examples = linear_examples,
    .picture = "scene.ppm linear",
    .bind = bind_linear,
};

const struct gf_stage gf_stage_srgb = {
    .name = "srgb",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "convert linear light to sRGB values",
    .text = "    v = 12.92 v                        if v <= 0.0031308\n"
            "    v = 1.055 v^(1/2.4) - 0.055        otherwise\n\n"
            "The stage ignores color profiles. If an image has another profile, --icc convert converts "
            "its colors to sRGB as they are read. Alpha is copied.",
    .examples = srgb_examples,
    .picture = "scene.ppm srgb",
    .bind = bind_srgb,
};
