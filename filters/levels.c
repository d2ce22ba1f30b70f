/* levels: stretch a range of values to black and white. */
#include "chain/stage.h"
#include "filters/plane_curves.h"

struct levels {
    double low, high, gamma;
};

static const struct gf_option options[] = {
    { .name = "low", .type = GF_OPTION_NUMBER, .offset = offsetof(struct levels, low), .least = -1e6,
      .most = 1e6, .levels = 6, .required = true,
      .text = "value that becomes black; 0 to 1, or a share like 5%" },
    { .name = "high", .type = GF_OPTION_NUMBER, .offset = offsetof(struct levels, high), .least = -1e6,
      .most = 1e6, .levels = 6, .required = true,
      .text = "value that becomes white; lower than low makes a negative" },
    { .name = "gamma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct levels, gamma), .by_default = 1,
      .least = 0.01, .most = 100,
      .text = "above 1 brightens the midtones, below 1 darkens them" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct levels *l = config;
    const double range = l->high - l->low;
    const struct gf_point_step stretch = { .kind = GF_POINT_AFFINE, .channels = gf_colours(in),
                                           .a = (float)(1 / range), .b = (float)(-l->low / range) };
    const struct gf_point_step power = { .kind = GF_POINT_POWER, .channels = gf_colours(in),
                                         .a = (float)(1 / l->gamma) };

    if (range == 0)
        return gf_fail(err, GF_MISUSED, "levels: low and high are both %g; they must differ", l->low);
    if (gf_build_point(build, &stretch, NULL, err) != 0)
        return -1;
    return l->gamma == 1 ? 0 : gf_build_point(build, &power, NULL, err);
}

/* Without gamma, levels is a line for each channel, so planes have the same one. */
static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    (void)frame;
    return ((const struct levels *)config)->gamma == 1 ? GF_PLANES_EQUAL : GF_PLANES_OTHER;
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    const struct levels *l = config;
    const double range = l->high - l->low;

    (void)in;
    if (l->gamma == 1 || plane->chroma)
        return l->gamma == 1 ? gf_plane_affine(plane, 1 / range, -l->low / range, build, err) : 0;
    return gf_plane_curve(plane, 1 / range, -l->low / range, 1 / l->gamma, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm levels:0.1,0.9 -o crisp.png",
    "gpufilter -i photo.ppm levels:5%,80%,1.2 -o brighter.png",
    "gpufilter -i photo.ppm levels:1,0 -o negative.png",
    NULL
};

const struct gf_stage gf_stage_levels = {
    .name = "levels",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "stretch a range of values to the full range",
    .text = "    v = ((v - LOW) / (HIGH - LOW))^(1/GAMMA)\n\n"
            "Each channel is treated separately. Alpha is copied. Values beyond LOW and HIGH are clipped "
            "at the end of the chain, not here. With a gamma other than 1, values below 0 count as 0.",
    .examples = examples,
    .picture = "page.ppm levels:0.15,0.75",
    .options = options,
    .config_bytes = sizeof(struct levels),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
