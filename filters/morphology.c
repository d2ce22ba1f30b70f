/* erode, dilate, open and close: the minimum or maximum of a square, once or one after the other. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "kernels/neighbourhood/rank/rank.h"

struct morphology {
    int64_t radius;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "radius", .type = GF_OPTION_INT, .offset = offsetof(struct morphology, radius), .least = 1,
      .most = GF_RANK_MAX_RADIUS, .required = true, .unit = "pixels",
      .text = "radius of the square, which is 2·radius + 1 pixels wide and high" },
    GF_EDGE_OPTION(struct morphology, edges),
    { .name = NULL }
};

static int add_rank(const struct morphology *m, enum gf_rank_pick pick, const struct gf_format *in,
                    struct gf_build *build, struct gf_error *err)
{
    const struct gf_need need = { .whole = m->edge == GF_WRAP, .before = m->radius, .after = m->radius };
    const struct gf_rank rank = { .pick = pick, .radius = (int)m->radius, .channels = gf_colours(in),
                                  .border = (enum gf_border)m->edge };

    return gf_build_op(build, &gf_op_rank, &rank, need, in, err);
}

static int bind_erode(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return add_rank(config, GF_RANK_LEAST, in, build, err);
}

static int bind_dilate(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return add_rank(config, GF_RANK_GREATEST, in, build, err);
}

static int bind_open(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return bind_erode(config, in, build, err) != 0 ? -1 : bind_dilate(config, in, build, err);
}

static int bind_close(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return bind_dilate(config, in, build, err) != 0 ? -1 : bind_erode(config, in, build, err);
}

static const char *const examples_erode[] = { "gpufilter -i photo.ppm erode:3 -o thin.png", NULL };
static const char *const examples_dilate[] = { "gpufilter -i photo.ppm dilate:3 -o thick.png", NULL };
static const char *const examples_open[] = { "gpufilter -i photo.ppm gray open:2 -o opened.png", NULL };
static const char *const examples_close[] = { "gpufilter -i photo.ppm gray close:5,edge=mirror -o closed.png", NULL };

const struct gf_stage gf_stage_erode = {
    .name = "erode",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "shrink bright areas: the minimum of a square",
    .text = "Each sample becomes the minimum of the square around it. Channels are treated separately. "
            "Alpha is copied. Bright areas become thinner. Samples are selected, not computed. NaN counts "
            "as greater than every number. The time hardly grows with the radius.",
    .examples = examples_erode,
    .picture = "scene.ppm erode:4",
    .options = options,
    .config_bytes = sizeof(struct morphology),
    .bind = bind_erode,
};

const struct gf_stage gf_stage_dilate = {
    .name = "dilate",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "grow bright areas: the maximum of a square",
    .text = "dilate works like erode, but takes the maximum. Bright areas become thicker.",
    .examples = examples_dilate,
    .picture = "scene.ppm dilate:4",
    .options = options,
    .config_bytes = sizeof(struct morphology),
    .bind = bind_dilate,
};

const struct gf_stage gf_stage_open = {
    .name = "open",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "remove bright specks: erode, then dilate",
    .text = "Bright areas into which the square does not fit disappear. Larger ones keep their size.",
    .examples = examples_open,
    .picture = "scene.ppm open:6",
    .options = options,
    .config_bytes = sizeof(struct morphology),
    .bind = bind_open,
};

const struct gf_stage gf_stage_close = {
    .name = "close",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "remove dark specks: dilate, then erode",
    .text = "Dark areas into which the square does not fit disappear. Larger ones keep their size.",
    .examples = examples_close,
    .picture = "scene.ppm close:6",
    .options = options,
    .config_bytes = sizeof(struct morphology),
    .bind = bind_close,
};
