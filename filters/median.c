/* median: replace each sample by the median of a square. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "kernels/neighbourhood/rank/rank.h"

struct median {
    int64_t radius;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "radius", .type = GF_OPTION_INT, .offset = offsetof(struct median, radius), .least = 1,
      .most = GF_RANK_MAX_RADIUS, .required = true, .unit = "pixels",
      .text = "radius of the square, which is 2·radius + 1 pixels wide and high" },
    GF_EDGE_OPTION(struct median, edges),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct median *m = config;
    const struct gf_need need = { .whole = m->edge == GF_WRAP, .before = m->radius, .after = m->radius };
    const struct gf_rank rank = { .pick = GF_RANK_MIDDLE, .radius = (int)m->radius, .channels = gf_colours(in),
                                  .border = (enum gf_border)m->edge };

    return gf_build_op(build, &gf_op_rank, &rank, need, in, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct median *given = config;

    return given->edge == GF_ZERO ? GF_PLANES_NONE : gf_planes_if_square(frame);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    struct median own = *(const struct median *)config;

    own.radius = gf_plane_radius(plane, own.radius);
    return bind(&own, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm median:2 -o calm.png",
    "gpufilter -i photo.ppm median:20,edge=mirror -o painted.png",
    NULL
};

const struct gf_stage gf_stage_median = {
    .name = "median",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "remove specks: the median of a square",
    .text = "Each sample becomes the median of the square around it. Channels are treated separately. "
            "Alpha is copied. Single specks disappear and edges stay. Samples are selected, not computed, "
            "so the result is exact. NaN counts as greater than every number.\n\n"
            "For the median of frames of a video, use tmedian; for that of several photos of one place, --join with "
            "stack:median.\n\n"
            "For images of 8 bits, the time does not depend on the radius if it is 5 or more. For deeper "
            "images it grows with the radius.",
    .examples = examples,
    .picture = "scene.ppm median:6",
    .options = options,
    .config_bytes = sizeof(struct median),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
