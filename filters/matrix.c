/* matrix: mix channels. */
#include "chain/option_mask.h"
#include "chain/stage.h"

struct matrix {
    struct gf_mask rows;
};

static const struct gf_option options[] = {
    { .name = "rows", .type = GF_OPTION_MASK, .offset = offsetof(struct matrix, rows), .required = true,
      .text = "one row for each output channel, one column for each input channel, and optionally one "
              "more for a constant" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_mask *mask = &((const struct matrix *)config)->rows;
    const bool with_alpha = mask->rows == 2 || mask->rows == 4;
    const int ins = with_alpha ? in->channels : gf_colours(in);
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = ins, .outs = mask->rows };
    struct gf_format out = *in;

    if (mask->rows > 4)
        return gf_fail(err, GF_MISUSED,
                       "matrix: the matrix has %d rows; must have 1 to 4, one for each channel of the result",
                       mask->rows);
    if (mask->columns != ins && mask->columns != ins + 1)
        return gf_fail(err, GF_FAILED,
                       "matrix: the matrix has %d columns; with %d rows and an image of %d channels it needs %d, "
                       "or %d with a constant",
                       mask->columns, mask->rows, in->channels, ins, ins + 1);
    for (int o = 0; o < mask->rows; o++)
        for (int i = 0; i < mask->columns; i++)
            step.m[o][i] = (float)mask->weights[o * mask->columns + i];
    out.channels = mask->rows + (!with_alpha && in->alpha ? 1 : 0);
    out.alpha = with_alpha || in->alpha;
    return gf_build_point(build, &step, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm 'matrix:[.393 .769 .189; .349 .686 .168; .272 .534 .131]' -o sepia.png",
    "gpufilter -i photo.ppm 'matrix:[0 0 1; 0 1 0; 1 0 0]' -o swapped.png",
    "gpufilter -i photo.ppm 'matrix:[.5 .5 0]' -o gray.png",
    "gpufilter -i photo.ppm 'matrix:[1.1 0 0 -.05; 0 1 0 0; 0 0 .9 .05]' -o warm.png",
    NULL
};

const struct gf_stage gf_stage_matrix = {
    .name = "matrix",
    .kind = GF_IMAGE,
    .group = GF_GROUP_CHANNELS,
    .range = GF_RANGE_SET,
    .summary = "mix channels with a matrix",
    .text = "Each row makes one output channel. It holds a weight for each input channel, and optionally "
            "a constant to add.\n\n"
            "    rows  result               input channels\n"
            "    1     gray                 colors; alpha is copied\n"
            "    2     gray and alpha       colors and alpha\n"
            "    3     red, green, blue     colors; alpha is copied\n"
            "    4     RGB and alpha        colors and alpha\n\n"
            "With 2 or 4 rows, alpha (if there is any) is the last input channel. For a color image, one "
            "row [a b c] makes gray. Three rows of four columns mix the colors and add a constant to "
            "each. Four rows of four columns mix the colors and alpha.",
    .examples = examples,
    .picture = "scene.ppm 'matrix:[.39 .77 .19; .35 .69 .17; .27 .53 .13]'",
    .options = options,
    .config_bytes = sizeof(struct matrix),
    .bind = bind,
};
