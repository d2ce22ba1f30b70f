/* unsharp: sharpening with ImageMagick's parameters. */
#include "base/elementary.h"
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "kernels/neighbourhood/conv.h"

#include <math.h>

#define PARTS 3                          /* points in a pixel at which the Gaussian is evaluated */

struct unsharp {
    double radius, sigma, amount, threshold;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "radius", .type = GF_OPTION_NUMBER, .offset = offsetof(struct unsharp, radius), .by_default = 0,
      .least = 0, .most = 2000, .unit = "pixels", .joined = true,
      .text = "where the Gaussian is cut off, rounded up; 0: where its weights no longer matter at 16 bits" },
    { .name = "sigma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct unsharp, sigma), .by_default = 1,
      .least = 0, .most = 200, .unit = "pixels", .joined = true,
      .text = "standard deviation of the Gaussian; 0 changes nothing" },
    { .name = "amount", .type = GF_OPTION_NUMBER, .offset = offsetof(struct unsharp, amount), .by_default = 1,
      .least = -10, .most = 100, .times = 10, .joined = true,
      .text = "factor for the difference that is added" },
    { .name = "threshold", .type = GF_OPTION_NUMBER, .offset = offsetof(struct unsharp, threshold),
      .by_default = 0.05, .least = 0, .most = 1, .levels = 1,
      .text = "ignore differences of less than half of this value; 1 is from black to white" },
    GF_EDGE_OPTION(struct unsharp, edges),
    { .name = NULL }
};

/* Returns the radius before the first weight that is too small for 16 bits; at least 1. */
static int find_radius(double sigma)
{
    double sum = 1, weight;

    for (int r = 1;; r++) {
        weight = gf_exp(-0.5 * (r / sigma) * (r / sigma));
        sum += 2 * weight;
        if (r > 1 && weight / sum < 1 / 65535.0)
            return r - 1;
    }
}

/* Writes the weights. Each is the sum over the points of a pixel. */
static void write_weights(float *weights, int radius, double sigma)
{
    const int most = PARTS * radius + PARTS / 2;
    double sum = 0;

    for (int i = -most; i <= most; i++)
        sum += gf_exp(-0.5 * (i / (PARTS * sigma)) * (i / (PARTS * sigma)));
    for (int r = -radius; r <= radius; r++) {
        double weight = 0;

        for (int i = PARTS * r - PARTS / 2; i <= PARTS * r + PARTS / 2; i++)
            weight += gf_exp(-0.5 * (i / (PARTS * sigma)) * (i / (PARTS * sigma)));
        weights[r + radius] = (float)(weight / sum);
    }
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct unsharp *u = config;
    const int radius = u->radius > 0 ? (int)ceil(u->radius) : u->sigma > 0 ? find_radius(u->sigma) : 0;
    const struct gf_need need = { .whole = u->edge == GF_WRAP, .before = radius, .after = radius };
    struct gf_conv conv = { .nx = 2 * radius + 1, .ny = 2 * radius + 1, .cx = radius, .cy = radius,
                            .mask_channels = 1, .border = (enum gf_border)u->edge, .combine = GF_CONV_SHARPEN,
                            .combined = gf_colours(in), .amount = (float)u->amount };
    float *weights;

    if (u->sigma == 0 || u->amount == 0)
        return 0;
    if (u->threshold > 0)                    /* the operation tests |d| > threshold */
        conv.threshold = nextafterf((float)(u->threshold / 2), 0);
    conv.x_at = conv.y_at = gf_build_alloc_mask(build, conv.nx, &weights);
    if (weights != NULL)
        write_weights(weights, radius, u->sigma);
    return gf_build_op(build, &gf_op_conv, &conv, need, in, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct unsharp *given = config;

    return given->edge == GF_ZERO ? GF_PLANES_NONE : gf_planes_if_square(frame);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    struct unsharp own = *(const struct unsharp *)config;

    own.radius /= 1 << plane->sub_x;
    own.sigma /= 1 << plane->sub_x;
    own.threshold *= plane->range;
    return bind(&own, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm unsharp -o crisp.png",
    "gpufilter -i photo.ppm unsharp:0x1.5+1+0.02 -o crisp.png",
    "gpufilter -i photo.ppm unsharp:0,0.75,0.6,0 -o web.jpg",
    NULL
};

const struct gf_stage gf_stage_unsharp = {
    .name = "unsharp",
    .kind = GF_IMAGE,
    .group = GF_GROUP_BLUR,
    .keeps_values = true,
    .summary = "sharpen edges with ImageMagick's parameters",
    .text = "unsharp:RADIUSxSIGMA+AMOUNT+THRESHOLD takes the argument of ImageMagick's -unsharp; commas "
            "work too. With d = v - blurred v, each sample v becomes\n\n"
            "    v = v + AMOUNT·d    if 2·|d| >= THRESHOLD\n\n"
            "(ImageMagick doubles d before this test, so half of the threshold counts.)\n\n"
            "The Gaussian is ImageMagick's: the weight of a pixel is the sum of exp(-x²/2·SIGMA²) at "
            "three points in it, a third of a pixel apart. The weights are scaled to sum 1. The Gaussian "
            "is cut off at RADIUS. With RADIUS 0, it is cut off before the weights fall below 1/65535.\n\n"
            "The stage sharpen is similar. It has other defaults, uses one point in each pixel, cuts the "
            "Gaussian off at 3 sigmas, and does not double d.\n\n"
            "ImageMagick rounds to 16 bits, so results can differ by a step. Colors are filtered as "
            "stored, even in transparent pixels. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm unsharp:0x2+2+0.02",
    .options = options,
    .config_bytes = sizeof(struct unsharp),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
