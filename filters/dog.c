/* dog: the difference of two Gaussians, which keeps detail of one scale. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "filters/gauss.h"
#include "filters/twice.h"
#include "kernels/neighbourhood/conv.h"

#include <math.h>

struct dog {
    double small, large, offset;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "s1", .type = GF_OPTION_NUMBER, .offset = offsetof(struct dog, small), .least = 0, .most = 200,
      .required = true, .unit = "pixels",
      .text = "standard deviation of the first Gaussian; 0 uses the image itself" },
    { .name = "s2", .type = GF_OPTION_NUMBER, .offset = offsetof(struct dog, large), .by_default = NAN,
      .least = 0, .most = 200, .unit = "pixels",
      .text = "standard deviation of the second Gaussian, which is subtracted; by default 1.6 times the "
              "first" },
    { .name = "offset", .type = GF_OPTION_NUMBER, .offset = offsetof(struct dog, offset), .by_default = 0,
      .least = -10, .most = 10, .levels = 6, .key_only = true,
      .text = "value to add, so that negative results are visible" },
    GF_EDGE_OPTION(struct dog, edges),
    { .name = NULL }
};

/*
 * Writes a Gaussian in the middle of a line of `radius` places to either side; a single weight
 * if sigma is 0.
 */
static void write_line(float *weights, int radius, double sigma)
{
    const int own = (int)ceil(3 * sigma);

    for (int i = 0; i <= 2 * radius; i++)
        weights[i] = i == radius;
    if (own > 0)
        gf_gauss_weights(weights + radius - own, own, sigma);
}

/*
 * Adds both Gaussians in one operation, on channels that are there twice. Alpha has a mask that
 * copies it.
 */
static int add_blurs(const struct dog *d, const struct gf_format *twice, struct gf_build *build, struct gf_error *err)
{
    const int radius = (int)ceil(3 * fmax(d->small, d->large)), colours = gf_colours(twice) / 2;
    const struct gf_need need = { .whole = d->edge == GF_WRAP, .before = radius, .after = radius };
    struct gf_conv conv = { .nx = 2 * radius + 1, .ny = 2 * radius + 1, .cx = radius, .cy = radius,
                            .mask_channels = twice->channels, .border = (enum gf_border)d->edge };
    float *weights;

    conv.x_at = conv.y_at = gf_build_alloc_mask(build, (int64_t)conv.nx * twice->channels, &weights);
    for (int c = 0; weights != NULL && c < twice->channels; c++)
        write_line(weights + (int64_t)c * conv.nx, radius, c < colours ? d->small : c < 2 * colours ? d->large : 0);
    return gf_build_op(build, &gf_op_conv, &conv, need, twice, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    struct gf_point_step lift = { .kind = GF_POINT_AFFINE, .channels = gf_colours(in), .a = 1 };
    struct dog d = *(const struct dog *)config;
    struct gf_format twice;

    if (isnan(d.large))
        d.large = 1.6 * d.small;
    lift.b = (float)d.offset;
    if (gf_twice_open(in, &twice, build, err) != 0 || add_blurs(&d, &twice, build, err) != 0
        || gf_twice_subtract(in, 1, build, err) != 0)
        return -1;
    return d.offset == 0 ? 0 : gf_build_point(build, &lift, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm gray dog:1,2,offset=0.5 -o details.png",
    "gpufilter -i photo.ppm gray dog:2 levels:0,0.1 -o edges.png",
    "gpufilter -i photo.ppm dog:0,30,offset=0.5 --depth f32 -o even.pfm",
    NULL
};

const struct gf_stage gf_stage_dog = {
    .name = "dog",
    .kind = GF_IMAGE,
    .group = GF_GROUP_EDGES,
    .range = GF_RANGE_SET,
    .summary = "keep detail of one scale (difference of Gaussians)",
    .text = "The result is the image blurred by S1, minus the image blurred by S2, plus the offset. "
            "Detail finer than S1 and coarser than S2 disappears; detail in between stays, as values around 0. "
            "With S1 = 0, the blurred image is subtracted from the image itself.\n\n"
            "Both Gaussians are those of the stage blur, cut at 3 sigmas and with exact weights for every "
            "sigma. Colors are filtered as stored. Alpha is copied. Without an offset, outputs of "
            "integers keep only the positive values.",
    .examples = examples,
    .picture = "scene.ppm gray dog:1,3,offset=0.5",
    .options = options,
    .config_bytes = sizeof(struct dog),
    .bind = bind,
};
