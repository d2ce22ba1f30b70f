/* saturate: make colors stronger or paler at the same brightness. */
#include "chain/stage.h"
#include "filters/lab.h"
#include "filters/plane_curves.h"

struct saturate {
    double factor;
    int space;
};

static const char *const spaces[] = GF_SPACE_CHOICES;

static const struct gf_option options[] = {
    { .name = "factor", .type = GF_OPTION_NUMBER, .offset = offsetof(struct saturate, factor), .least = -100,
      .most = 100, .required = true, .times = 6, .factor = true,
      .text = "1 changes nothing, 0 makes gray, above 1 makes colors stronger" },
    GF_SPACE_OPTION(struct saturate, spaces),
    { .name = NULL }
};

/* Multiplies both axes of hue in another space. Neighboring matrices become one. */
static int bind_space(enum gf_space space, double factor, struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step scale = {
        .kind = GF_POINT_MATRIX, .channels = 3, .outs = 3,
        .m = { { 1, 0, 0 }, { 0, (float)factor, 0 }, { 0, 0, (float)factor } }
    };
    struct gf_point_step to[GF_LAB_STEPS], back[GF_LAB_STEPS];

    gf_lab_steps(space, to, back);
    return gf_lab_add(to, build, err) != 0 || gf_build_point(build, &scale, NULL, err) != 0 ? -1
         : gf_lab_add(back, build, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    static const double weights[] = { GF_BT601(double) };
    const struct saturate *s = config;
    const double factor = s->factor;
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 3 };

    if (gf_colours(in) < 3 || factor == 1)
        return 0;
    if (s->space != GF_SPACE_STORED)
        return bind_space((enum gf_space)s->space, factor, build, err);
    for (int o = 0; o < 3; o++)
        for (int i = 0; i < 3; i++)
            step.m[o][i] = (float)((1 - factor) * weights[i] + (i == o ? factor : 0));
    return gf_build_point(build, &step, NULL, err);
}

/* The brightness that stays is luma, if the matrix of the video has the same weights. */
static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    if (((const struct saturate *)config)->space != GF_SPACE_STORED)
        return GF_PLANES_NONE;
    return gf_colours(frame) < 3 || frame->yuv.matrix == 601 ? GF_PLANES_EQUAL : GF_PLANES_OTHER;
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    const struct saturate *s = config;

    (void)in;
    return plane->chroma ? gf_plane_affine(plane, s->factor, 0, build, err) : 0;
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm saturate:1.5 -o vivid.png",
    "gpufilter -i photo.ppm saturate:0.4 -o pale.png",
    "gpufilter -i photo.ppm saturate:1.4,in=oklab -o vivid.png",
    NULL
};

const struct gf_stage gf_stage_saturate = {
    .name = "saturate",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "make colors stronger or paler",
    .text = "    y = .299 r + .587 g + .114 b\n"
            "    v = y + S·(v - y)\n\n"
            "The formula works on the stored values, for each channel v. The brightness y stays the same. "
            "S = 0 gives the result of the stage gray, in three channels. S below 0 gives the opposite "
            "hues. A gray image does not change. Alpha is copied.\n\n"
            "With in=lab, the distances a* and b* from gray are multiplied in CIE L*a*b* instead, with the white of "
            "sRGB. With in=oklab, those of Oklab are. Lightness then stays as the eye sees it. Both assume that colors "
            "are those of sRGB, and the result may have values outside 0 to 1.",
    .examples = examples,
    .picture = "scene.ppm saturate:0.3",
    .options = options,
    .config_bytes = sizeof(struct saturate),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
