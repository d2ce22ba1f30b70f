/* lut: change colors by a table, of .cube files or images. */
#include "chain/stage.h"
#include "kernels/base/color_cube.h"

struct lut {
    struct gf_mask table;
    double strength;
};

static const struct gf_option options[] = {
    { .name = "table", .type = GF_OPTION_MASK, .offset = offsetof(struct lut, table), .required = true, .colors = true,
      .text = "file with the table" },
    { .name = "strength", .type = GF_OPTION_NUMBER, .offset = offsetof(struct lut, strength), .by_default = 1,
      .least = 0, .most = 1,
      .text = "share of the result; the rest is the image as it was" },
    { .name = NULL }
};

/* Returns the value of an entry, mixed with the value that would change nothing. */
static float entry_of(const struct lut *l, int64_t row, int c, double share)
{
    const struct gf_mask *m = &l->table;
    const double same = m->low[c] + share * (m->high[c] - m->low[c]);

    return (float)(l->strength * m->weights[3 * row + c] + (1 - l->strength) * same);
}

/* Copies the cube. In files red changes fastest, in the pool blue. */
static void fill_cube(const struct lut *l, float *entries)
{
    const int n = l->table.cube;

    for (int r = 0; r < n; r++)
        for (int g = 0; g < n; g++)
            for (int b = 0; b < n; b++) {
                const int64_t from = ((int64_t)b * n + g) * n + r;
                float *to = entries + (((int64_t)r * n + g) * n + b) * GF_CUBE_ENTRY;

                to[0] = entry_of(l, from, 0, (double)r / (n - 1));
                to[1] = entry_of(l, from, 1, (double)g / (n - 1));
                to[2] = entry_of(l, from, 2, (double)b / (n - 1));
                to[3] = 0;
            }
}

static void fill_curves(const struct lut *l, int channels, float *entries)
{
    const int n = l->table.rows;

    for (int c = 0; c < channels; c++)
        for (int i = 0; i < n; i++)
            entries[(int64_t)c * n + i] = entry_of(l, i, c, (double)i / (n - 1));
}

/* Returns true if the table has the same values for red, green and blue. */
static bool is_gray(const struct gf_mask *m)
{
    for (int i = 0; i < m->rows; i++)
        if (m->weights[3 * i] != m->weights[3 * i + 1] || m->weights[3 * i] != m->weights[3 * i + 2])
            return false;
    return m->cube == 0 && m->low[0] == m->low[1] && m->low[0] == m->low[2] && m->high[0] == m->high[1]
        && m->high[0] == m->high[2];
}

/* Adds the step from gray to three equal channels. */
static int widen(struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 1, .outs = 3,
                                        .m = { { 1, 0 }, { 1, 0 }, { 1, 0 } } };
    struct gf_format out = *gf_build_format(build);

    out.channels += 2;
    return gf_build_point(build, &step, &out, err);
}

/* Adds the step from the domain of the table to 0 to 1. */
static int add_domain(const struct gf_mask *m, int channels, struct gf_build *build, struct gf_error *err)
{
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = channels, .outs = channels };
    bool whole = true;

    for (int c = 0; c < channels; c++) {
        step.m[c][c] = (float)(1 / (m->high[c] - m->low[c]));
        step.m[c][channels] = (float)(-m->low[c] / (m->high[c] - m->low[c]));
        whole = whole && m->low[c] == 0 && m->high[c] == 1;
    }
    return whole ? 0 : gf_build_point(build, &step, NULL, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct lut *l = config;
    const int n = l->table.cube;
    struct gf_point_step step = { .kind = n > 0 ? GF_POINT_LUT : GF_POINT_CURVE, .channels = 3,
                                  .bins = n > 0 ? n : l->table.rows };
    float *entries;

    if (gf_colours(in) != 1 && gf_colours(in) != 3)
        return gf_fail(err, GF_FAILED, "lut: the image has %d color channels; must be gray or RGB", gf_colours(in));
    if (gf_colours(in) == 1 && is_gray(&l->table))
        step.channels = 1;
    else if (gf_colours(in) == 1 && widen(build, err) != 0)
        return -1;
    step.table = gf_build_alloc_table(build, n > 0 ? (int64_t)n * n * n * GF_CUBE_ENTRY
                                      : (int64_t)step.channels * l->table.rows, &entries);
    if (entries != NULL && n > 0)
        fill_cube(l, entries);
    else if (entries != NULL)
        fill_curves(l, step.channels, entries);
    return add_domain(&l->table, step.channels, build, err) != 0 ? -1 : gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm lut:look.cube -o look.png",
    "gpufilter -i photo.ppm lut:look.cube,strength=0.5 -o gentle.png",
    "gpufilter -i chart.pgm lut:fire.pam -o heat.png",
    NULL
};

const struct gf_stage gf_stage_lut = {
    .name = "lut",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "change colors by a table: .cube files, Hald images, gradients",
    .text = "The table is one of\n\n"
            "    a .cube file      LUT_3D_SIZE N: N^3 colors, by tetrahedral interpolation\n"
            "                      LUT_1D_SIZE N: a curve for each channel, by lines\n"
            "    a Hald image      L^3 by L^3 pixels in RGB, which are a cube of L^2\n"
            "    an image of one row or column: a curve for each channel\n\n"
            "Images may have any format that is read; a pipe must have a .cube file. A cube has 2 to 129 "
            "entries along an edge, a curve 2 to 65536. "
            "DOMAIN_MIN and DOMAIN_MAX of a .cube file are kept to; colors outside become the nearest ones inside. "
            "The values of the table may be outside 0 to 1.\n\n"
            "With strength=S, each channel is S times the color of the table plus 1 - S times its own. A gray image "
            "becomes a color image, unless the table has the same curve for all channels. So a gradient of one row "
            "colors a gray image. Tables are for the stored values, as most programs use them; for a table for linear "
            "light, put linear before it and srgb after it. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm lut:look.cube",
    .options = options,
    .config_bytes = sizeof(struct lut),
    .bind = bind,
};
