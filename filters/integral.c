/* integral and cumsum: prefix sums. */
#include "chain/stage.h"
#include "kernels/statistics/prefix.h"

enum axis { X, Y };

struct cumsum {
    int axis;
};

static const char *const axes[] = { "x", "y", NULL };

static const struct gf_option options[] = {
    { .name = "axis", .type = GF_OPTION_CHOICE, .offset = offsetof(struct cumsum, axis), .by_default = X,
      .choices = axes,
      .text = "direction: along each row (x) or down each column (y)" },
    { .name = NULL }
};

static int add_sums(bool along_columns, bool along_units, const struct gf_format *in, struct gf_build *build,
                    struct gf_error *err)
{
    const struct gf_prefix sums = { .along_columns = along_columns, .along_units = along_units,
                                    .colours = gf_colours(in) };
    const struct gf_need need = { .carry_bytes = gf_prefix_carry_bytes(&sums, in->width) };

    return gf_build_op(build, &gf_op_prefix, &sums, need, in, err);
}

static int bind_integral(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    (void)config;
    return add_sums(true, true, in, build, err);
}

static int bind_cumsum(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct cumsum *c = config;

    return add_sums(c->axis == X, c->axis == Y, in, build, err);
}

static const char *const examples_integral[] = {
    "gpufilter -i photo.ppm gray integral -o sums.pfm",
    "gpufilter -i photo.ppm blur:2 integral --depth f32 -o sums.pfm",
    NULL
};

static const char *const examples_cumsum[] = {
    "gpufilter -i photo.ppm gray cumsum -o along.pfm",
    "gpufilter -i photo.ppm cumsum:axis=y -o down.pfm",
    NULL
};

#define PRECISION_TEXT \
    "Sums soon exceed 1, where integers are clipped, so write floats: PFM, or --depth f32. Sums are " \
    "computed in double precision and rounded to floats once. Alpha is copied."

const struct gf_stage gf_stage_integral = {
    .name = "integral",
    .kind = GF_IMAGE,
    .group = GF_GROUP_MEASURE,
    .range = GF_RANGE_LOST,
    .summary = "sum all pixels above and to the left",
    .text = "Each color channel becomes S(x, y), the sum of its values in columns 0 to x of rows 0 to y, "
            "including both. The image keeps its size. With S = 0 beyond the upper and the left border, "
            "the sum over columns a to b of rows c to d is\n\n"
            "    S(b, d) - S(a-1, d) - S(b, c-1) + S(a-1, c-1)\n\n"
            PRECISION_TEXT,
    .examples = examples_integral,
    .picture = "scene.ppm integral autolevel",
    .bind = bind_integral,
};

const struct gf_stage gf_stage_cumsum = {
    .name = "cumsum",
    .kind = GF_IMAGE,
    .group = GF_GROUP_MEASURE,
    .range = GF_RANGE_LOST,
    .summary = "sum along rows or down columns",
    .text = "Each value becomes the sum of all values of its channel from the first column up to its own "
            "(axis=x), or from the first row up to its own (axis=y). cumsum cumsum:axis=y equals "
            "integral, except for rounding in between.\n\n"
            PRECISION_TEXT,
    .examples = examples_cumsum,
    .picture = "scene.ppm cumsum autolevel",
    .options = options,
    .config_bytes = sizeof(struct cumsum),
    .bind = bind_cumsum,
};
