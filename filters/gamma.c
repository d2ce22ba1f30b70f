/* gamma: apply a power curve. */
#include "chain/stage.h"
#include "filters/plane_curves.h"

struct gamma {
    double gamma;
};

static const struct gf_option options[] = {
    { .name = "gamma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gamma, gamma), .least = 0.01,
      .most = 100, .required = true,
      .text = "above 1 brightens the midtones, below 1 darkens them" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gamma *g = config;
    const struct gf_point_step step = { .kind = GF_POINT_POWER, .channels = gf_colours(in),
                                        .a = (float)(1 / g->gamma) };

    return g->gamma == 1 ? 0 : gf_build_point(build, &step, NULL, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    (void)config;
    (void)frame;
    return GF_PLANES_OTHER;
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    const struct gamma *g = config;

    (void)in;
    return plane->chroma || g->gamma == 1 ? 0 : gf_plane_curve(plane, 1, 0, 1 / g->gamma, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm gamma:1.8 -o brighter.png",
    "gpufilter -i photo.ppm gamma:0.6 -o darker.png",
    NULL
};

const struct gf_stage gf_stage_gamma = {
    .name = "gamma",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "brighten or darken midtones with a power curve: max(v, 0)^(1/G)",
    .text = "Black and white stay the same; only the midtones change. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm gamma:2",
    .options = options,
    .config_bytes = sizeof(struct gamma),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
