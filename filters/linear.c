/* linear and srgb: out of the curve of sRGB into linear light, and back. */
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
    .summary = "undoes the sRGB curve: linear light",
    .text = "v/12.92 up to 0.04045, ((v + 0.055)/1.055)^2.4 above; alpha is copied. What stands between linear and srgb works "
            "in linear light; some stages do the same for themselves with light=linear. Eight bits of linear light are too "
            "few for shadows, so store it in 16 or as float.",
    .examples = linear_examples,
    .picture = "scene.ppm linear",
    .bind = bind_linear,
};

const struct gf_stage gf_stage_srgb = {
    .name = "srgb",
    .kind = GF_IMAGE,
    .summary = "applies the sRGB curve to linear light",
    .text = "12.92·v up to 0.0031308, 1.055·v^(1/2.4) - 0.055 above; alpha is copied. It knows of no profile: a picture that has "
            "another one wants --icc convert, which makes sRGB of its colours as they are read.",
    .examples = srgb_examples,
    .picture = "scene.ppm srgb",
    .bind = bind_srgb,
};
