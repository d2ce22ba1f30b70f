/* sobel, laplacian and emboss: 3 by 3 masks that show edges. */
#include "chain/stage.h"
#include "filters/convolve.h"
#include "filters/edge_option.h"
#include "kernels/neighbourhood/conv.h"

enum direction { MAG, X, Y };

struct edges {
    int direction;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;
static const char *const directions[] = { "mag", "x", "y", NULL };

static const struct gf_option options_sobel[] = {
    { .name = "of", .type = GF_OPTION_CHOICE, .offset = offsetof(struct edges, direction), .by_default = MAG,
      .choices = directions,
      .text = "slope along x, along y, or their magnitude √(x² + y²)" },
    GF_EDGE_OPTION(struct edges, edges), { .name = NULL }
};

static const struct gf_option options[] = {
    GF_EDGE_OPTION(struct edges, edges), { .name = NULL }
};

static double sobel_x[] = { -1, 0, 1, -2, 0, 2, -1, 0, 1 }, sobel_y[] = { -1, -2, -1, 0, 0, 0, 1, 2, 1 };
static double laplacian[] = { 0, 1, 0, 1, -4, 1, 0, 1, 0 }, emboss[] = { -2, -1, 0, -1, 1, 1, 0, 1, 2 };

static int bind_one(const void *config, double *weights, const struct gf_format *in, struct gf_build *build,
                    struct gf_error *err)
{
    const struct edges *e = config;
    const struct gf_mask mask = { .rows = 3, .columns = 3, .weights = weights };

    return gf_convolve_bind(&mask, 1, (enum gf_border)e->edge, in, build, err);
}

/* Applies both masks in one operation. */
static int bind_magnitude(const struct edges *e, const struct gf_format *in, struct gf_build *build,
                          struct gf_error *err)
{
    struct gf_conv conv = { .nx = 3, .ny = 3, .cx = 1, .cy = 1, .full = true, .mask_channels = 1,
                            .border = (enum gf_border)e->edge, .combine = GF_CONV_HYPOT,
                            .combined = gf_colours(in) };
    const struct gf_need need = { .whole = conv.border == GF_WRAP, .before = 1, .after = 1 };
    float *to;

    conv.full_at = gf_build_alloc_mask(build, 18, &to);
    conv.also_at = conv.full_at + 9;
    for (int i = 0; to != NULL && i < 9; i++) {
        to[i] = (float)sobel_x[i];
        to[i + 9] = (float)sobel_y[i];
    }
    return gf_build_op(build, &gf_op_conv, &conv, need, in, err);
}

static int bind_sobel(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct edges *e = config;

    if (e->direction == MAG)
        return bind_magnitude(e, in, build, err);
    return bind_one(config, e->direction == X ? sobel_x : sobel_y, in, build, err);
}

static int bind_laplacian(const void *config, const struct gf_format *in, struct gf_build *build,
                          struct gf_error *err)
{
    return bind_one(config, laplacian, in, build, err);
}

static int bind_emboss(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return bind_one(config, emboss, in, build, err);
}

static const char *const examples_sobel[] = {
    "gpufilter -i photo.ppm gray sobel -o edges.png",
    "gpufilter -i photo.ppm gray blur:1.4 sobel threshold:0.3 -o lines.png",
    "gpufilter -i photo.ppm gray sobel:x,edge=reflect --depth f32 -o slopes.pfm",
    NULL
};

static const char *const examples_laplacian[] = {
    "gpufilter -i photo.ppm gray laplacian -o edges.png",
    NULL
};

static const char *const examples_emboss[] = {
    "gpufilter -i photo.ppm emboss -o relief.png",
    NULL
};

const struct gf_stage gf_stage_sobel = {
    .name = "sobel",
    .kind = GF_IMAGE,
    .group = GF_GROUP_EDGES,
    .range = GF_RANGE_SET,
    .summary = "show edges: the slope of the brightness",
    .text = "The masks are applied as written:\n\n"
            "    x  [-1 0 1; -2 0 2; -1 0 1]\n"
            "    y  [-1 -2 -1; 0 0 0; 1 2 1]\n\n"
            "mag is the square root of the sum of their squares. A sharp edge from black to white has a "
            "slope of 4, which is clipped to white in outputs of integers. Negative slopes of x and y are "
            "clipped to black. conv:sobel-x,scale=8,offset=0.5 shows both signs, and an output of floats "
            "keeps all values. Each color channel is treated separately. Alpha is copied.",
    .examples = examples_sobel,
    .picture = "scene.ppm gray sobel",
    .options = options_sobel,
    .config_bytes = sizeof(struct edges),
    .bind = bind_sobel,
};

const struct gf_stage gf_stage_laplacian = {
    .name = "laplacian",
    .kind = GF_IMAGE,
    .group = GF_GROUP_EDGES,
    .range = GF_RANGE_SET,
    .summary = "show edges and dots: the sum of the second differences",
    .text = "The mask is [0 1 0; 1 -4 1; 0 1 0]. Negative results are clipped to black in outputs of "
            "integers; conv:laplacian,offset=0.5 shows them. Alpha is copied.",
    .examples = examples_laplacian,
    .picture = "scene.ppm gray laplacian",
    .options = options,
    .config_bytes = sizeof(struct edges),
    .bind = bind_laplacian,
};

const struct gf_stage gf_stage_emboss = {
    .name = "emboss",
    .kind = GF_IMAGE,
    .group = GF_GROUP_EDGES,
    .range = GF_RANGE_SET,
    .summary = "make a relief, lit from the upper left",
    .text = "The mask is [-2 -1 0; -1 1 1; 0 1 2]. Even areas stay as they are. Alpha is copied.",
    .examples = examples_emboss,
    .picture = "scene.ppm emboss",
    .options = options,
    .config_bytes = sizeof(struct edges),
    .bind = bind_emboss,
};
