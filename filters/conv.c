/* conv and conv1d: convolution with a mask of one's own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conv.h"
#include "edge.h"
#include "stage.h"

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

#define MASK_OPTION                                                                                      \
    { .name = "mask", .type = GF_OPTION_MASK, .offset = offsetof(struct conv, mask), .required = true,    \
      .text = "the weights, applied as written; rows are parted by ';' or, in a file, by the end of a line" }
#define SCALE_OPTIONS                                                                                    \
    { .name = "scale", .type = GF_OPTION_EITHER, .offset = offsetof(struct conv, scale), .by_default = 0, \
      .least = -1e9, .most = 1e9, .choices = scales, .key_only = true,                                    \
      .text = "divides the result: a number, or auto: the sum of the weights, if that is not 0" },                  \
    { .name = "offset", .type = GF_OPTION_NUMBER, .offset = offsetof(struct conv, offset), .by_default = 0, \
      .least = -1e6, .most = 1e6, .key_only = true, .text = "is added after that; 0.5 is middle gray" }

static const struct gf_option options_2d[] = {
    MASK_OPTION, SCALE_OPTIONS, GF_EDGE_OPTION(struct conv, edges), { .name = NULL }
};

static const struct gf_option options_1d[] = {
    MASK_OPTION,
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

/*
 * One mask for each channel: the colours get `weights`, alpha a mask that copies it. One
 * for all where there is no alpha. `at` is the centre's index.
 */
static int64_t add_masks(struct gf_build *build, const struct gf_format *in, const double *weights, int count, int at)
{
    const int masks = in->alpha ? in->channels : 1;
    float *to;
    const int64_t start = gf_build_mask(build, (int64_t)masks * count, &to);

    if (to == NULL)
        return start;
    for (int c = 0; c < masks; c++)
        for (int i = 0; i < count; i++)
            to[c * count + i] = in->alpha && c == in->channels - 1 ? (i == at ? 1.0f : 0.0f) : (float)weights[i];
    return start;
}

/* Whether every row of the mask is a multiple of one: then column ⊗ row is the mask. */
static bool split_mask(const struct gf_mask *m, double divide, double *column, double *row)
{
    const int n = m->rows * m->columns;
    int pivot = 0;

    for (int i = 1; i < n; i++)
        pivot = fabs(m->weights[i]) > fabs(m->weights[pivot]) ? i : pivot;
    if (m->weights[pivot] == 0)
        return false;
    for (int i = 0; i < m->columns; i++)
        row[i] = m->weights[pivot / m->columns * m->columns + i] / m->weights[pivot];
    for (int j = 0; j < m->rows; j++)
        column[j] = m->weights[j * m->columns + pivot % m->columns] / divide;
    for (int j = 0; j < m->rows; j++)
        for (int i = 0; i < m->columns; i++)
            if (fabs(column[j] * divide * row[i] - m->weights[j * m->columns + i]) > 1e-7 * fabs(m->weights[pivot]))
                return false;
    return true;
}

static int add_offset(const struct conv *c, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = gf_colours(in), .a = 1, .b = (float)c->offset };

    return c->offset == 0 ? 0 : gf_build_point(build, &step, NULL, err);
}

/* Puts the masks into the pool: two lines where they do, else all of it. */
static int place_masks(const struct conv *c, double divide, const struct gf_format *in, struct gf_build *build,
                       struct gf_conv *conv, struct gf_error *err)
{
    const struct gf_mask *m = &c->mask;
    const int n = m->rows * m->columns, longest = m->rows > m->columns ? m->rows : m->columns;
    double *scaled = malloc((size_t)(n + 2 * longest) * sizeof *scaled), *column = scaled + n, *row = column + longest;

    if (scaled == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    for (int i = 0; i < n; i++)
        scaled[i] = m->weights[i] / divide;
    conv->full = m->rows > 1 && m->columns > 1 && !split_mask(m, divide, column, row);
    if (conv->full) {
        conv->full_at = add_masks(build, in, scaled, n, conv->cy * conv->nx + conv->cx);
    } else if (m->rows == 1) {
        conv->ny = 0;
        conv->x_at = add_masks(build, in, scaled, n, conv->cx);
    } else if (m->columns == 1) {
        conv->nx = 0;
        conv->y_at = add_masks(build, in, scaled, n, conv->cy);
    } else {
        conv->x_at = add_masks(build, in, row, m->columns, conv->cx);
        conv->y_at = add_masks(build, in, column, m->rows, conv->cy);
    }
    free(scaled);
    return 0;
}

static int bind_mask(const struct conv *c, const char *name, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const double divide = divisor(c);
    struct gf_conv conv = { .nx = c->mask.columns, .ny = c->mask.rows, .cx = c->mask.columns / 2, .cy = c->mask.rows / 2,
                            .mask_channels = in->alpha ? in->channels : 1, .border = (enum gf_border)c->edge };
    struct gf_need need = { .whole = false };

    gf_conv_reach(conv.ny, conv.cy, conv.border, &need.before, &need.after);
    if (divide == 0)
        return gf_fail(err, GF_MISUSED, "%s: scale is 0, but it divides", name);
    if (place_masks(c, divide, in, build, &conv, err) != 0)
        return -1;
    need.whole = conv.border == GF_WRAP && conv.ny > 1;
    if (gf_build_op(build, GF_OP_CONV, &conv, sizeof conv, need, in, err) != 0)
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
            "one another runs as two lines, which is faster.",
    .examples = examples_2d,
    .options = options_2d,
    .config_bytes = sizeof(struct conv),
    .bind = bind_2d,
};

const struct gf_stage gf_stage_conv1d = {
    .name = "conv1d",
    .kind = GF_IMAGE,
    .summary = "convolution with one line of weights",
    .text = "As conv, with up to 16384 weights along the rows or down the columns.",
    .examples = examples_1d,
    .options = options_1d,
    .config_bytes = sizeof(struct conv),
    .bind = bind_1d,
};
