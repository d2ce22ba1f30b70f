/* bilateral: smooth an image but keep its edges. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "kernels/neighbourhood/bilateral.h"

#include <math.h>

struct bilateral {
    double sigma, range;
    int64_t radius;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "sigma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct bilateral, sigma), .least = 0,
      .most = 21, .required = true, .unit = "pixels",
      .text = "standard deviation of the weight by distance; 0 changes nothing" },
    { .name = "range", .type = GF_OPTION_NUMBER, .offset = offsetof(struct bilateral, range), .least = 0.0001,
      .most = 1000, .required = true, .levels = 6,
      .text = "standard deviation of the weight by difference; 1 is from black to white, 30 of 255 levels "
              "are 0.12" },
    { .name = "radius", .type = GF_OPTION_INT, .offset = offsetof(struct bilateral, radius), .by_default = 0,
      .least = 0, .most = GF_BILATERAL_MAX_RADIUS, .unit = "pixels", .key_only = true,
      .text = "radius of the square window; 0 means 3·sigma, rounded up" },
    GF_EDGE_OPTION(struct bilateral, edges),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct bilateral *b = config;
    const int radius = b->radius > 0 ? (int)b->radius : (int)ceil(3 * b->sigma);
    const struct gf_need need = { .whole = b->edge == GF_WRAP, .before = radius, .after = radius };
    struct gf_bilateral op = { .radius = radius, .channels = gf_colours(in), .border = (enum gf_border)b->edge,
                               .steep = (float)(1 / (2 * M_LN2 * b->range * b->range)) };
    float *near;

    if (b->sigma == 0)
        return 0;
    op.near_at = gf_build_alloc_mask(build, radius + 1, &near);
    for (int i = 0; near != NULL && i <= radius; i++)
        near[i] = (float)(-i * i / (2 * M_LN2 * b->sigma * b->sigma));
    return gf_build_op(build, &gf_op_bilateral, &op, need, in, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm bilateral:2,0.1 -o smooth.png",
    "gpufilter -i photo.ppm gray bilateral:3,0.05,radius=4,edge=mirror -o smooth.pgm",
    NULL
};

const struct gf_stage gf_stage_bilateral = {
    .name = "bilateral",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "smooth noise but keep edges",
    .text = "Each pixel becomes a weighted mean of the square window around it, which is 2·radius + 1 "
            "pixels wide and high. The weight is the product of two Gaussians exp(-x²/2σ²): one of the "
            "distance, with sigma, and one of the difference in value, with range. Noise and faint "
            "texture disappear. Edges much higher than range stay sharp.\n\n"
            "The difference between two colors is the root of the sum of their squared channel "
            "differences, so red, green and blue are smoothed together. Alpha is copied. The computation "
            "is exact: the time grows with the area of the window.",
    .examples = examples,
    .picture = "scene.ppm bilateral:4,0.12",
    .options = options,
    .config_bytes = sizeof(struct bilateral),
    .bind = bind,
};
