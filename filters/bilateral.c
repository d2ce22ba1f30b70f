/* bilateral: a blur that stops at edges. */
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
    { .name = "sigma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct bilateral, sigma), .least = 0, .most = 21, .required = true,
      .unit = "pixels", .text = "how far away pixels still count: the standard deviation of the weight by distance; 0 changes nothing" },
    { .name = "range", .type = GF_OPTION_NUMBER, .offset = offsetof(struct bilateral, range), .least = 0.0001, .most = 1000,
      .required = true, .levels = 6, .text = "how different they may be: the standard deviation of the weight by "
                                                "difference; 1 is from black to white, 30 of 255 levels are 0.12" },
    { .name = "radius", .type = GF_OPTION_INT, .offset = offsetof(struct bilateral, radius), .by_default = 0, .least = 0,
      .most = GF_BILATERAL_MAX_RADIUS, .unit = "pixels", .key_only = true,
      .text = "the square is 2·radius + 1 wide and high; 0: three times sigma, rounded up" },
    GF_EDGE_OPTION(struct bilateral, edges),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct bilateral *b = config;
    const int radius = b->radius > 0 ? (int)b->radius : (int)ceil(3 * b->sigma);
    const struct gf_need need = { .whole = b->edge == GF_WRAP, .before = radius, .after = radius };
    struct gf_bilateral op = { .radius = radius, .channels = gf_colours(in), .border = (enum gf_border)b->edge,
                               .steep = (float)(1 / (2 * log(2) * b->range * b->range)) };
    float *near;

    if (b->sigma == 0)
        return 0;
    op.near_at = gf_build_alloc_mask(build, radius + 1, &near);
    for (int i = 0; near != NULL && i <= radius; i++)
        near[i] = (float)(-i * i / (2 * log(2) * b->sigma * b->sigma));
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
    .summary = "a blur that stops at edges",
    .text = "Each pixel becomes the mean of the square around it, weighed by exp(-x²/2σ²) twice: by how far a pixel is away, with "
            "sigma, and by how different it is, with range. Noise and faint texture go, and edges much higher than range stay as "
            "sharp as they are. Colours differ by the root of the sum of the squares of what their channels differ by, so red, "
            "green and blue are smoothed together; alpha is copied. No approximation is made: all of the square counts, and the "
            "time grows with its area.",
    .examples = examples,
    .picture = "scene.ppm bilateral:4,0.12",
    .options = options,
    .config_bytes = sizeof(struct bilateral),
    .bind = bind,
};
