/* box: replace each pixel by the mean of a square. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "kernels/neighbourhood/box.h"
#include "kernels/neighbourhood/conv.h"

#define SHORT 8                          /* largest radius for which a convolution is as fast as a running mean */

struct box {
    int64_t radius;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "radius", .type = GF_OPTION_INT, .offset = offsetof(struct box, radius), .required = true,
      .least = 0, .most = GF_BOX_MAX_RADIUS, .unit = "pixels",
      .text = "radius of the square, which is 2·radius + 1 pixels wide and high" },
    GF_EDGE_OPTION(struct box, edges),
    { .name = NULL }
};

static int add_short(const struct box *b, const struct gf_need *need, const struct gf_format *in,
                     struct gf_build *build, struct gf_error *err)
{
    const int r = (int)b->radius, n = 2 * r + 1;
    struct gf_conv conv = {
        .nx = n, .ny = n, .cx = r, .cy = r, .mask_channels = 1, .border = (enum gf_border)b->edge
    };
    float *weights;

    conv.x_at = conv.y_at = gf_build_alloc_mask(build, n, &weights);
    for (int i = 0; weights != NULL && i < n; i++)
        weights[i] = 1.0f / (float)n;
    return gf_build_op(build, &gf_op_conv, &conv, *need, in, err);
}

static int add_long(const struct box *b, const struct gf_need *need, const struct gf_format *in,
                    struct gf_build *build, struct gf_error *err)
{
    const struct gf_box box = { .radius = (int)b->radius, .border = (enum gf_border)b->edge, .both = true };

    return gf_build_op(build, &gf_op_box, &box, *need, in, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct box *b = config;
    const struct gf_need need = { .whole = b->edge == GF_WRAP, .before = b->radius, .after = b->radius };

    if (b->radius == 0)
        return 0;
    if (gf_build_premultiply(build, err) != 0
        || (b->radius <= SHORT ? add_short : add_long)(b, &need, in, build, err) != 0)
        return -1;
    return gf_build_unpremultiply(build, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct box *given = config;

    return given->edge == GF_ZERO ? GF_PLANES_NONE : gf_planes_if_square(frame);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    struct box own = *(const struct box *)config;

    own.radius = gf_plane_radius(plane, own.radius);
    return bind(&own, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm box:2 -o soft.png",
    "gpufilter -i photo.ppm gray box:40,edge=reflect -o light.png",
    NULL
};

const struct gf_stage gf_stage_box = {
    .name = "box",
    .kind = GF_IMAGE,
    .group = GF_GROUP_BLUR,
    .keeps_values = true,
    .summary = "blur with a square (mean filter)",
    .text = "Each pixel becomes the mean of the square around it. A large radius takes hardly longer than "
            "a small one. Alpha is blurred too. Colors are multiplied by alpha first, so transparent "
            "pixels add no color.",
    .examples = examples,
    .picture = "scene.ppm box:4",
    .options = options,
    .config_bytes = sizeof(struct box),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
