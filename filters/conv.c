/* conv and conv1d: convolution with a mask that the user gives. */
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

enum { NONE, AUTO };

static const char *const edges[] = GF_EDGE_CHOICES;
static const char *const scales[] = { "none", "auto", NULL };
static const char *const axes[] = { "x", "y", NULL };

#define MASK_OPTION(named)                                                                        \
    { .name = "mask", .type = GF_OPTION_MASK, .offset = offsetof(struct conv, mask),               \
      .required = true, .masks = named,                                                           \
      .text = "weights, applied as written; separate rows by ';' or, in a file, by line ends" }
#define SCALE_OPTIONS                                                                             \
    { .name = "scale", .type = GF_OPTION_EITHER, .offset = offsetof(struct conv, scale),           \
      .by_default = 0, .least = -1e9, .most = 1e9, .choices = scales, .key_only = true,            \
      .text = "divisor of the result; auto: the sum of the weights, if it is not 0; none is 1" }, \
    { .name = "offset", .type = GF_OPTION_NUMBER, .offset = offsetof(struct conv, offset),         \
      .by_default = 0, .least = -1e6, .most = 1e6, .levels = 6, .key_only = true,                  \
      .text = "value to add after the division; 0.5 is middle gray" }

static const struct gf_option options_2d[] = {
    MASK_OPTION(gf_convolve_masks), SCALE_OPTIONS, GF_EDGE_OPTION(struct conv, edges), { .name = NULL }
};

static const struct gf_option options_1d[] = {
    MASK_OPTION(NULL),
    { .name = "axis", .type = GF_OPTION_CHOICE, .offset = offsetof(struct conv, axis), .by_default = 0,
      .choices = axes, .key_only = true,
      .text = "direction: along the rows (x) or down the columns (y)" },
    SCALE_OPTIONS, GF_EDGE_OPTION(struct conv, edges), { .name = NULL }
};

#define MOST_SUM 2                       /* of weights that are meant to be used without a divisor */

/* Returns the divisor of the weights; 0 if the user gave 0, which is an error. */
static double divisor(const struct conv *c, const char *name, struct gf_build *build)
{
    double sum = 0;

    for (int i = 0; i < c->mask.rows * c->mask.columns; i++)
        sum += c->mask.weights[i];
    if (c->scale.choice == NONE && fabs(sum) > MOST_SUM)
        gf_build_warn(build, "%s: the weights sum to %g, which multiplies the brightness; add scale=auto to divide by "
                      "the sum, or scale=1 if that is meant", name, sum);
    if (c->scale.choice < 0)
        return c->scale.number;
    return c->scale.choice == AUTO && fabs(sum) > 1e-12 ? sum : 1;
}

static int add_offset(const struct conv *c, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step step = {
        .kind = GF_POINT_AFFINE, .channels = gf_colours(in), .a = 1, .b = (float)c->offset
    };

    return c->offset == 0 ? 0 : gf_build_point(build, &step, NULL, err);
}

static int bind_mask(const struct conv *c, const char *name, const struct gf_format *in, struct gf_build *build,
                     struct gf_error *err)
{
    const double divide = divisor(c, name, build);

    if (divide == 0)
        return gf_fail(err, GF_MISUSED, "%s: scale=0: the result is divided by it; must not be 0", name);
    if (gf_convolve_bind(&c->mask, divide, (enum gf_border)c->edge, in, build, err) != 0)
        return -1;
    return add_offset(c, in, build, err);
}

static int bind_2d(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct conv *c = config;

    if (c->mask.columns > GF_FFTMASK_MAX_SIDE || c->mask.rows > GF_FFTMASK_MAX_SIDE)
        return gf_fail(err, GF_MISUSED,
                       "conv: the mask has %d columns and %d rows; must be at most %d by %d (conv1d takes longer "
                       "lines)",
                       c->mask.columns, c->mask.rows, GF_FFTMASK_MAX_SIDE, GF_FFTMASK_MAX_SIDE);
    return bind_mask(c, "conv", in, build, err);
}

static int bind_1d(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    struct conv c = *(const struct conv *)config;
    const int taps = c.mask.rows * c.mask.columns;

    if (c.mask.rows > 1 && c.mask.columns > 1)
        return gf_fail(err, GF_MISUSED,
                       "conv1d: the mask has %d rows and %d columns; must be one row or one column (conv takes a "
                       "matrix)",
                       c.mask.rows, c.mask.columns);
    if (taps > GF_CONV_MAX_TAPS)
        return gf_fail(err, GF_MISUSED, "conv1d: the mask has %d weights; must have at most %d", taps,
                       GF_CONV_MAX_TAPS);
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
    .group = GF_GROUP_BLUR,
    .summary = "convolve with a matrix of weights",
    .text = "The mask is applied as written (correlation): conv does not turn it, but deconvolve does, so to undo "
            "conv:M, the psf is M turned by 180 degrees. That makes no difference for symmetric masks. The center "
            "of a mask is at column ⌊w/2⌋ and row ⌊h/2⌋, "
            "counted from 0. It can have up to 255 by 255 weights. Colors are filtered as stored. Alpha "
            "is copied. If all rows of a mask are multiples of one row (a separable mask), it runs as two "
            "one-dimensional masks, which is faster.\n\n"
            "Other masks with 256 weights or more run as Fourier transforms of tiles, whose time hardly grows with "
            "the number of weights. Errors are below 1e-6 of Σ |weight| · the largest |sample| of a tile. Samples "
            "that are not finite count as 0 then, and floats above 1e30 may make a whole tile not finite.\n\n"
            "The mask can be a matrix in brackets, a text file, or one of these names:\n\n"
            "    sharpen     [0 -1 0; -1 5 -1; 0 -1 0]\n"
            "    gauss3      [1 2 1; 2 4 2; 1 2 1] / 16\n"
            "    gauss5      [1; 4; 6; 4; 1] times [1 4 6 4 1], / 256\n"
            "    box3, box5  9 ones / 9, 25 ones / 25\n"
            "    sobel-x     [-1 0 1; -2 0 2; -1 0 1]\n"
            "    prewitt-x   [-1 0 1; -1 0 1; -1 0 1]\n"
            "    scharr-x    [-3 0 3; -10 0 10; -3 0 3]\n"
            "    sobel-y, prewitt-y, scharr-y: the transposes of these\n"
            "    laplacian   [0 1 0; 1 -4 1; 0 1 0]\n"
            "    laplacian8  [1 1 1; 1 -8 1; 1 1 1]\n"
            "    ridge       [-1 -1 -1; -1 8 -1; -1 -1 -1]\n"
            "    emboss      [-2 -1 0; -1 1 1; 0 1 2]\n\n"
            "To read a file that has one of these names, add its folder: conv:./sharpen.",
    .examples = examples_2d,
    .picture = "scene.ppm conv:scharr-x,scale=16,offset=0.5",
    .options = options_2d,
    .config_bytes = sizeof(struct conv),
    .bind = bind_2d,
};

const struct gf_stage gf_stage_conv1d = {
    .name = "conv1d",
    .kind = GF_IMAGE,
    .group = GF_GROUP_BLUR,
    .summary = "convolve with one line of weights",
    .text = "conv1d works like conv, but with one line of up to 16384 weights, written as a row or as a "
            "column. axis= decides whether it runs along the rows of the image or down its columns.",
    .examples = examples_1d,
    .picture = "scene.ppm 'conv1d:[1 1 1 1 1 1 1 1 1 1 1 1 1],axis=x,scale=auto'",
    .options = options_1d,
    .config_bytes = sizeof(struct conv),
    .bind = bind_1d,
};
