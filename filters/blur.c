/* blur: Gaussian blur, as two 1-D convolutions. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "filters/gauss.h"
#include "filters/light_option.h"
#include "kernels/neighbourhood/conv.h"

#include <math.h>

struct blur {
    double sigma;
    int64_t radius;
    int edge;
    int light;
};

static const char *const edges[] = GF_EDGE_CHOICES;
static const char *const lights[] = GF_LIGHT_CHOICES;

static const struct gf_option options[] = {
    { .name = "sigma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct blur, sigma), .by_default = 1.5,
      .least = 0, .most = 500, .unit = "pixels",
      .text = "standard deviation of the Gaussian; 0 changes nothing" },
    { .name = "radius", .type = GF_OPTION_INT, .offset = offsetof(struct blur, radius), .by_default = 0,
      .least = 0, .most = 8191, .unit = "pixels", .key_only = true,
      .text = "where the Gaussian is cut off; 0 means 3·sigma, rounded up, if sigma is below 10" },
    GF_EDGE_OPTION(struct blur, edges),
    GF_LIGHT_OPTION(struct blur, lights),
    { .name = NULL }
};

/* Adds the convolution with the exact weights. */
static int add_exact(const struct blur *blur, const struct gf_format *in, struct gf_build *build,
                     struct gf_error *err)
{
    const int radius = blur->radius > 0 ? (int)blur->radius : (int)ceil(3 * blur->sigma);
    const struct gf_need need = { .whole = blur->edge == GF_WRAP, .before = radius, .after = radius };
    struct gf_conv conv = { .nx = 2 * radius + 1, .ny = 2 * radius + 1, .cx = radius, .cy = radius,
                            .mask_channels = 1, .border = (enum gf_border)blur->edge };
    float *weights;

    conv.x_at = conv.y_at = gf_build_alloc_mask(build, conv.nx, &weights);
    if (weights != NULL)
        gf_gauss_weights(weights, radius, blur->sigma);
    return gf_build_op(build, &gf_op_conv, &conv, need, in, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct blur *blur = config;
    const enum gf_border border = (enum gf_border)blur->edge;
    const bool wide = blur->radius == 0 && gf_gauss_is_wide(blur->sigma, border, in);

    if (blur->sigma == 0)
        return 0;
    if (gf_build_to_linear(build, (enum gf_light)blur->light, err) != 0 || gf_build_premultiply(build, err) != 0
        || (wide ? gf_gauss_wide(blur->sigma, border, in, build, err) : add_exact(blur, in, build, err)) != 0
        || gf_build_unpremultiply(build, err) != 0)
        return -1;
    return gf_build_from_linear(build, (enum gf_light)blur->light, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct blur *given = config;

    return given->edge == GF_ZERO || given->light == GF_LIGHT_LINEAR ? GF_PLANES_NONE : gf_planes_if_square(frame);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    struct blur own = *(const struct blur *)config;

    own.sigma /= 1 << plane->sub_x;
    own.radius = gf_plane_radius(plane, own.radius);
    return bind(&own, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm blur -o soft.png",
    "gpufilter -i photo.ppm blur:4,edge=mirror -o softer.png",
    "gpufilter -i photo.ppm gray blur:2,radius=3 -o soft.pgm",
    "gpufilter -i photo.ppm blur:6,light=linear -o glow.png",
    "gpufilter -i photo.ppm blur:100,edge=reflect -o colours.png",
    NULL
};

const struct gf_stage gf_stage_blur = {
    .name = "blur",
    .kind = GF_IMAGE,
    .group = GF_GROUP_BLUR,
    .keeps_values = true,
    .summary = "blur with a Gaussian",
    .text = "Each pixel becomes the weighted mean of its surroundings. The weights exp(-x²/2σ²) are "
            "scaled to sum 1.\n\n"
            "Alpha is blurred too. Colors are multiplied by alpha first, so transparent pixels add no "
            "color. With light=linear, the sRGB curve is removed before the blur and applied again after "
            "it. Bright spots then spread as they do in a lens.\n\n"
            "With a sigma of 10 or more the Gaussian is not cut off. It is computed on a coarser grid, "
            "and the time no longer grows with sigma. The error is at most 0.001 of the range. If radius "
            "is given, or with edge=wrap, the exact weights are always used.",
    .examples = examples,
    .picture = "scene.ppm blur:3",
    .options = options,
    .config_bytes = sizeof(struct blur),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
