/* sobel, laplacian and emboss: masks of three by three that show edges. */
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
      .choices = directions, .text = "the slope along x, along y, or the magnitude of both, √(x² + y²)" },
    GF_EDGE_OPTION(struct edges, edges), { .name = NULL }
};

static const struct gf_option options[] = {
    GF_EDGE_OPTION(struct edges, edges), { .name = NULL }
};

static double sobel_x[] = { -1, 0, 1, -2, 0, 2, -1, 0, 1 }, sobel_y[] = { -1, -2, -1, 0, 0, 0, 1, 2, 1 };
static double laplacian[] = { 0, 1, 0, 1, -4, 1, 0, 1, 0 }, emboss[] = { -2, -1, 0, -1, 1, 1, 0, 1, 2 };

static int bind_one(const void *config, double *weights, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct edges *e = config;
    const struct gf_mask mask = { .rows = 3, .columns = 3, .weights = weights };

    return gf_convolve_bind(&mask, 1, (enum gf_border)e->edge, in, build, err);
}

/* Both masks side by side in one operation. */
static int bind_magnitude(const struct edges *e, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    struct gf_conv conv = { .nx = 3, .ny = 3, .cx = 1, .cy = 1, .full = true, .mask_channels = 1, .border = (enum gf_border)e->edge,
                            .combine = GF_CONV_HYPOT, .combined = gf_colours(in) };
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

static int bind_laplacian(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
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
    .range = GF_RANGE_SET,
    .summary = "edges: how steep the brightness is",
    .text = "The mask for x is [-1 0 1; -2 0 2; -1 0 1], the one for y its transpose, applied as written; the magnitude is the "
            "root of the sum of their squares. On an edge from 0 to 1 that is 4, so integers are white there, and what "
            "falls along x or y, below 0, is black: conv:sobel-x,scale=8,offset=0.5 shows both, and float output keeps all. "
            "Each colour channel on its own; alpha is copied.",
    .examples = examples_sobel,
    .picture = "scene.ppm gray sobel",
    .options = options_sobel,
    .config_bytes = sizeof(struct edges),
    .bind = bind_sobel,
};

const struct gf_stage gf_stage_laplacian = {
    .name = "laplacian",
    .kind = GF_IMAGE,
    .range = GF_RANGE_SET,
    .summary = "edges and dots: the sum of the second differences",
    .text = "The mask [0 1 0; 1 -4 1; 0 1 0]. Results below 0 are black in integers; conv:laplacian,offset=0.5 shows them. "
            "Alpha is copied.",
    .examples = examples_laplacian,
    .picture = "scene.ppm gray laplacian",
    .options = options,
    .config_bytes = sizeof(struct edges),
    .bind = bind_laplacian,
};

const struct gf_stage gf_stage_emboss = {
    .name = "emboss",
    .kind = GF_IMAGE,
    .range = GF_RANGE_SET,
    .summary = "a relief, lit from the upper left",
    .text = "The mask [-2 -1 0; -1 1 1; 0 1 2]: even areas stay as they are. Alpha is copied.",
    .examples = examples_emboss,
    .picture = "scene.ppm emboss",
    .options = options,
    .config_bytes = sizeof(struct edges),
    .bind = bind_emboss,
};
