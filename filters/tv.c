/* tv: denoise by total variation. */
#include "chain/stage.h"
#include "kernels/neighbourhood/tv.h"

struct tv {
    double weight;
    int64_t iterations;
};

static const struct gf_option options[] = {
    { .name = "weight", .type = GF_OPTION_NUMBER, .offset = offsetof(struct tv, weight), .by_default = 0.1,
      .least = 1e-6, .most = 1000, .levels = 1,
      .text = "strength; the standard deviation of the noise is a good start" },
    { .name = "iterations", .type = GF_OPTION_INT, .offset = offsetof(struct tv, iterations), .by_default = 50,
      .least = 1, .most = GF_TV_MAX_ITERATIONS, .key_only = true, .unit = "steps",
      .text = "number of steps; more change less and less, and each needs one more row on both sides" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct tv *given = config;
    const struct gf_need need = { .before = given->iterations - 1, .after = given->iterations - 1 };
    const struct gf_tv tv = { .rate = (float)(0.25 / given->weight), .iterations = (int)given->iterations,
                              .colours = gf_colours(in) };

    if (gf_build_make_finite(build, err) != 0)
        return -1;
    return gf_build_op(build, &gf_op_tv, &tv, need, in, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    (void)config;
    return gf_planes_if_square(frame);
}

/* In a plane with half of the columns and rows, a slope between neighbors is twice as steep. */
static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    struct tv own = *(const struct tv *)config;

    own.weight *= plane->range / (1 << plane->sub_x);
    return bind(&own, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm tv -o flat.png",
    "gpufilter -i photo.ppm noise:0.05 tv:0.05,iterations=100 -o clean.png",
    NULL
};

const struct gf_stage gf_stage_tv = {
    .name = "tv",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "denoise by total variation: flat areas with sharp edges",
    .text = "Finds an image u that is near the image v, and whose slopes have a small sum, by the projection of "
            "Chambolle:\n\n"
            "    u with the least sum of (u - v)²/2 + WEIGHT·|slope of u|\n\n"
            "Noise and texture disappear, edges stay sharp, and slanted areas become small steps. The number of "
            "iterations is fixed, so the result does not depend on the rest of the image: a scan of any length is "
            "filtered in segments. With eps=0 and max_num_iter of the same number, scikit-image's "
            "denoise_tv_chambolle has the same result. It stops earlier by default.\n\n"
            "Channels are treated separately, as stored. Alpha is copied. Values that are not finite become 0 first.",
    .examples = examples,
    .picture = "scene.ppm noise:0.1 tv:0.15",
    .options = options,
    .config_bytes = sizeof(struct tv),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
