/* conv and conv1d: convolution with a mask of one's own. */
#include "chain/stage.h"
#include "filters/convolve.h"
#include "filters/edge_option.h"
#include "kernels/neighbourhood/conv.h"

#include <math.h>

struct conv {
    struct gf_mask mask;
    struct gf_either scale;
    double offset;
    int axis;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;
static const char *const scales[] = { "none", "auto", NULL };
static const char *const axes[] = { "x", "y", NULL };

#define MASK_OPTION(named)                                                                               \
    { .name = "mask", .type = GF_OPTION_MASK, .offset = offsetof(struct conv, mask), .required = true,    \
      .masks = named,                                                                                     \
      .text = "the weights, applied as written; rows are parted by ';' or, in a file, by the end of a line" }
#define SCALE_OPTIONS                                                                                    \
    { .name = "scale", .type = GF_OPTION_EITHER, .offset = offsetof(struct conv, scale), .by_default = 0, \
      .least = -1e9, .most = 1e9, .choices = scales, .key_only = true,                                    \
      .text = "divides the result: a number, or auto: the sum of the weights, if that is not 0" },                  \
    { .name = "offset", .type = GF_OPTION_NUMBER, .offset = offsetof(struct conv, offset), .by_default = 0, \
      .least = -1e6, .most = 1e6, .levels = 6, .key_only = true, .text = "is added after that; 0.5 is middle gray" }

static const struct gf_option options_2d[] = {
    MASK_OPTION(gf_convolve_masks), SCALE_OPTIONS, GF_EDGE_OPTION(struct conv, edges), { .name = NULL }
};

static const struct gf_option options_1d[] = {
    MASK_OPTION(NULL),
    { .name = "axis", .type = GF_OPTION_CHOICE, .offset = offsetof(struct conv, axis), .by_default = 0, .choices = axes,
      .key_only = true, .text = "along the rows (x) or down the columns (y)" },
    SCALE_OPTIONS, GF_EDGE_OPTION(struct conv, edges), { .name = NULL }
};

/* What the weights are divided by; 0 where that is asked for and wrong. */
static double divisor(const struct conv *c)
{
    double sum = 0;

    if (c->scale.choice < 0)
        return c->scale.number;
    if (c->scale.choice == 0)
        return 1;
    for (int i = 0; i < c->mask.rows * c->mask.columns; i++)
        sum += c->mask.weights[i];
    return fabs(sum) > 1e-12 ? sum : 1;
}

static int add_offset(const struct conv *c, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = gf_colours(in), .a = 1, .b = (float)c->offset };

    return c->offset == 0 ? 0 : gf_build_point(build, &step, NULL, err);
}

static int bind_mask(const struct conv *c, const char *name, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const double divide = divisor(c);

    if (divide == 0)
        return gf_fail(err, GF_MISUSED, "%s: scale is 0, but it divides", name);
    if (gf_convolve_bind(&c->mask, divide, (enum gf_border)c->edge, in, build, err) != 0)
        return -1;
    return add_offset(c, in, build, err);
}

static int bind_2d(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct conv *c = config;

    if (c->mask.columns > GF_CONV_MAX_SIDE || c->mask.rows > GF_CONV_MAX_SIDE)
        return gf_fail(err, GF_MISUSED, "conv: the mask is %d by %d, but may be %d by %d at most; conv1d takes longer lines",
                       c->mask.columns, c->mask.rows, GF_CONV_MAX_SIDE, GF_CONV_MAX_SIDE);
    return bind_mask(c, "conv", in, build, err);
}

static int bind_1d(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    struct conv c = *(const struct conv *)config;
    const int taps = c.mask.rows * c.mask.columns;

    if (c.mask.rows > 1 && c.mask.columns > 1)
        return gf_fail(err, GF_MISUSED, "conv1d: the mask has %d rows and %d columns, but must be one line; conv takes both",
                       c.mask.rows, c.mask.columns);
    if (taps > GF_CONV_MAX_TAPS)
        return gf_fail(err, GF_MISUSED, "conv1d: the mask has %d weights, but may have %d at most", taps, GF_CONV_MAX_TAPS);
    c.mask.columns = c.axis == 0 ? taps : 1;
    c.mask.rows = c.axis == 0 ? 1 : taps;
    return bind_mask(&c, "conv1d", in, build, err);
}

static const char *const examples_2d[] = {
    "gpufilter -i photo.ppm 'conv:[0 -1 0; -1 5 -1; 0 -1 0]' -o crisp.png",
    "gpufilter -i photo.ppm gray 'conv:[-1 -1 -1; -1 8 -1; -1 -1 -1],offset=0.5' -o edges.png",
    "gpufilter -i photo.ppm 'conv:[1 2 1; 2 4 2; 1 2 1],scale=auto,edge=reflect' -o soft.png",
    "gpufilter -i photo.ppm gray conv:scharr-x,scale=32,offset=0.5 -o slopes.png",
    NULL
};

static const char *const examples_1d[] = {
    "gpufilter -i photo.ppm 'conv1d:[1 1 1 1 1 1 1 1 1],scale=auto' -o smeared.png",
    "gpufilter -i photo.ppm gray 'conv1d:[-1 0 1],axis=y,offset=0.5' -o slopes.png",
    NULL
};

const struct gf_stage gf_stage_conv = {
    .name = "conv",
    .kind = GF_IMAGE,
    .summary = "convolution with a matrix of weights",
    .text = "The mask is applied as written (correlation), its centre at column ⌊w/2⌋ and row ⌊h/2⌋. It may be 127 by 127 "
            "at most. The colour channels are filtered as they are, alpha is copied. A mask whose rows are multiples of "
            "one another runs as two lines, which is faster.\n\n"
            "These masks have names. sharpen: [0 -1 0; -1 5 -1; 0 -1 0]. gauss3: [1 2 1; 2 4 2; 1 2 1] / 16. gauss5: the "
            "column [1; 4; 6; 4; 1] times the row [1 4 6 4 1], / 256. box3 and box5: 9 and 25 ones, / 9 and 25. sobel-x: "
            "[-1 0 1; -2 0 2; -1 0 1]. prewitt-x: [-1 0 1; -1 0 1; -1 0 1]. scharr-x: [-3 0 3; -10 0 10; -3 0 3]. sobel-y, "
            "prewitt-y and scharr-y are these transposed. laplacian: [0 1 0; 1 -4 1; 0 1 0]. laplacian8: [1 1 1; 1 -8 1; "
            "1 1 1]. ridge: [-1 -1 -1; -1 8 -1; -1 -1 -1]. emboss: [-2 -1 0; -1 1 1; 0 1 2]. A file of such a name is "
            "written ./sharpen.",
    .examples = examples_2d,
    .picture = "scene.ppm conv:scharr-x,scale=16,offset=0.5",
    .options = options_2d,
    .config_bytes = sizeof(struct conv),
    .bind = bind_2d,
};

const struct gf_stage gf_stage_conv1d = {
    .name = "conv1d",
    .kind = GF_IMAGE,
    .summary = "convolution with one line of weights",
    .text = "As conv, with one line of up to 16384 weights, written as a row or as a column: axis= says whether it runs "
            "along the rows of the picture or down its columns.",
    .examples = examples_1d,
    .picture = "scene.ppm 'conv1d:[1 1 1 1 1 1 1 1 1 1 1 1 1],axis=x,scale=auto'",
    .options = options_1d,
    .config_bytes = sizeof(struct conv),
    .bind = bind_1d,
};
