/* sharpen: unsharp masking with a Gaussian. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "filters/gauss.h"
#include "kernels/neighbourhood/conv.h"

#include <math.h>

struct sharpen {
    double amount, sigma, threshold;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "amount", .type = GF_OPTION_NUMBER, .offset = offsetof(struct sharpen, amount), .by_default = 1,
      .least = -10, .most = 100, .times = 10,
      .text = "factor for the difference that is added" },
    { .name = "sigma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct sharpen, sigma), .by_default = 1,
      .least = 0, .most = 100, .unit = "pixels",
      .text = "standard deviation of the Gaussian; 0 changes nothing" },
    { .name = "threshold", .type = GF_OPTION_NUMBER, .offset = offsetof(struct sharpen, threshold),
      .by_default = 0, .least = 0, .most = 1, .levels = 1,
      .text = "ignore differences up to this value; 1 is from black to white" },
    GF_EDGE_OPTION(struct sharpen, edges),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct sharpen *s = config;
    const int radius = (int)ceil(3 * s->sigma);
    const struct gf_need need = { .whole = s->edge == GF_WRAP, .before = radius, .after = radius };
    struct gf_conv conv = { .nx = 2 * radius + 1, .ny = 2 * radius + 1, .cx = radius, .cy = radius,
                            .mask_channels = 1, .border = (enum gf_border)s->edge, .combine = GF_CONV_SHARPEN,
                            .combined = gf_colours(in), .amount = (float)s->amount,
                            .threshold = (float)s->threshold };
    float *weights;

    if (s->sigma == 0 || s->amount == 0)
        return 0;
    conv.x_at = conv.y_at = gf_build_alloc_mask(build, conv.nx, &weights);
    if (weights != NULL)
        gf_gauss_weights(weights, radius, s->sigma);
    return gf_build_op(build, &gf_op_conv, &conv, need, in, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct sharpen *given = config;

    return given->edge == GF_ZERO ? GF_PLANES_NONE : gf_planes_if_square(frame);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    struct sharpen own = *(const struct sharpen *)config;

    own.sigma /= 1 << plane->sub_x;
    own.threshold *= plane->range;
    return bind(&own, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm sharpen -o crisp.png",
    "gpufilter -i photo.ppm sharpen:0.6,2 -o clear.png",
    "gpufilter -i photo.ppm sharpen:1.5,sigma=1.2,threshold=0.02 -o crisp.png",
    NULL
};

const struct gf_stage gf_stage_sharpen = {
    .name = "sharpen",
    .kind = GF_IMAGE,
    .group = GF_GROUP_BLUR,
    .keeps_values = true,
    .summary = "sharpen edges (unsharp masking)",
    .text = "    v = v + amount·(v - blur(v))\n\n"
            "Pixels change only if |v - blur(v)| is above the threshold. Here blur(v) is the result of "
            "the stage blur, on the stored colors. Alpha is copied. Negative amounts soften the image.",
    .examples = examples,
    .picture = "scene.ppm sharpen:2",
    .options = options,
    .config_bytes = sizeof(struct sharpen),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
