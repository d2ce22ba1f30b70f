/* matrix: channels mixed into others. */
#include "chain/option_mask.h"
#include "chain/stage.h"

struct matrix {
    struct gf_mask rows;
};

static const struct gf_option options[] = {
    { .name = "rows", .type = GF_OPTION_MASK, .offset = offsetof(struct matrix, rows), .required = true,
      .text = "a row for each channel that comes out, a column for each that goes in, and one more that is added" },
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
        return gf_fail(err, GF_MISUSED, "matrix: has %d rows, but a picture has 1 to 4 channels", mask->rows);
    if (mask->columns != ins && mask->columns != ins + 1)
        return gf_fail(err, GF_FAILED, "matrix: has %d columns; with %d rows and the %d channels here it takes %d, or %d with what is added",
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
    .range = GF_RANGE_SET,
    .summary = "channels mixed into others",
    .text = "A row for each channel that comes out: its weights of the channels that go in, and perhaps one number more, which is "
            "added. One row makes gray, three make red, green and blue, and alpha is copied if there is any. Two rows (gray and alpha) "
            "and four (colours and alpha) make alpha too, and take alpha, if there is any, as the last channel that goes "
            "in. So [a b c] is 3 columns of a colour picture to gray, 3x4 has constants, and 4x4 mixes alpha in.",
    .examples = examples,
    .picture = "scene.ppm 'matrix:[.39 .77 .19; .35 .69 .17; .27 .53 .13]'",
    .options = options,
    .config_bytes = sizeof(struct matrix),
    .bind = bind,
};
