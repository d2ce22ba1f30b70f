/* contrast: scale values around middle gray. */
#include "chain/stage.h"
#include "filters/plane_curves.h"

struct contrast {
    double factor;
};

static const struct gf_option options[] = {
    { .name = "factor", .type = GF_OPTION_NUMBER, .offset = offsetof(struct contrast, factor), .least = -100,
      .most = 100, .required = true, .times = 6, .factor = true,
      .text = "1 changes nothing, above 1 raises the contrast, 0 makes everything gray" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct contrast *c = config;
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = gf_colours(in),
                                        .a = (float)c->factor, .b = (float)(0.5 - 0.5 * c->factor) };

    if (c->factor == 0)
        gf_build_note(build, "contrast:0 makes all of an image gray; 1 changes nothing");
    return gf_build_point(build, &step, NULL, err);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    const struct contrast *c = config;

    (void)in;
    return gf_plane_affine(plane, c->factor, 0.5 - 0.5 * c->factor, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm contrast:1.3 -o crisp.png",
    "gpufilter -i photo.ppm contrast:0.7 brightness:0.05 -o faded.png",
    NULL
};

const struct gf_stage gf_stage_contrast = {
    .name = "contrast",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "raise or lower the contrast: (v - 0.5)·C + 0.5",
    .text = "Middle gray (0.5) stays as it is. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm contrast:1.8",
    .options = options,
    .config_bytes = sizeof(struct contrast),
    .bind = bind,
    .planes = gf_planes_equal,
    .bind_plane = bind_plane,
};
