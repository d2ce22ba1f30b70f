/* guided: smooth an image, but keep the edges of a guide. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "filters/side_input.h"
#include "kernels/neighbourhood/box.h"
#include "kernels/neighbourhood/guided.h"

struct guided {
    int64_t radius;
    double eps;
    char *file;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "radius", .type = GF_OPTION_INT, .offset = offsetof(struct guided, radius), .required = true, .least = 1,
      .most = GF_GUIDED_MAX_RADIUS, .unit = "pixels",
      .text = "radius of the squares, which are 2·radius + 1 pixels wide and high" },
    { .name = "eps", .type = GF_OPTION_NUMBER, .offset = offsetof(struct guided, eps), .required = true, .least = 1e-9,
      .most = 1000, .levels = 1, .squared = true,
      .text = "squares whose variance is below this value become smooth, others stay: the square of the contrast, "
              "0.01 for a tenth of the way from black to white" },
    { .name = "by", .type = GF_OPTION_INPUT, .offset = offsetof(struct guided, file), .key_only = true,
      .text = "image whose edges are kept, of the same size; by default each channel is its own guide" },
    GF_EDGE_OPTION(struct guided, edges),
    { .name = NULL }
};

static struct gf_need need_of(const struct guided *config)
{
    return (struct gf_need) { .whole = config->edge == GF_WRAP, .before = config->radius, .after = config->radius };
}

/* Returns the number of the image that guides, -1 on failure. */
static int open_guide(const struct guided *config, const struct gf_format *in, struct gf_build *build,
                      struct gf_error *err)
{
    const struct gf_format *guide;
    const int side = gf_build_side(build, config->file, &guide, err);

    if (side >= 0 && (guide->width != in->width || guide->units != in->units))
        return gf_fail(err, GF_FAILED,
                       "guided: %s is %lldx%lld, but the image is %lldx%lld here; both must have the same size",
                       gf_build_side_name(build, side), (long long)guide->width, (long long)guide->units,
                       (long long)in->width, (long long)in->units);
    return side;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct guided *given = config;
    struct gf_guided g = { .radius = (int)given->radius, .colours = gf_colours(in), .beside = given->file != NULL,
                           .eps = given->eps, .border = (enum gf_border)given->edge };
    const struct gf_box means = { .radius = g.radius, .border = g.border, .both = true,
                                  .copied = gf_guided_channels(&g, in->channels) - 2 * g.colours };
    struct gf_format lines = *in;
    int side = 0;

    if (g.beside && (side = open_guide(given, in, build, err)) < 0)
        return -1;
    lines.channels = gf_guided_channels(&g, in->channels);
    if (gf_build_op(build, &gf_op_guided, &g, need_of(given), &lines, err) != 0)
        return -1;
    if (g.beside)
        gf_build_use_side(build, side, 0);
    g.values = true;
    if (gf_build_op(build, &gf_op_box, &means, need_of(given), &lines, err) != 0)
        return -1;
    return gf_build_op(build, &gf_op_guided, &g, (struct gf_need) { 0 }, in, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct guided *given = config;

    return given->edge == GF_ZERO || given->file != NULL ? GF_PLANES_NONE : gf_planes_if_square(frame);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    struct guided own = *(const struct guided *)config;

    own.radius = gf_plane_radius(plane, own.radius);
    own.eps *= plane->range * plane->range;
    return bind(&own, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm guided:8,0.01 -o smooth.png",
    "gpufilter -i photo.ppm gray noise:0.1 guided:4,0.003,by=photo.ppm -o clean.png",
    NULL
};

const struct gf_stage gf_stage_guided = {
    .name = "guided",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "smooth, but keep the edges of the image or of a guide",
    .text = "The guided filter of He, Sun and Tang. In each square, a color p is fitted as a·I + b, a line of the "
            "guide I, by least squares:\n\n"
            "    a = (mean(I·p) - mean(I)·mean(p)) / (variance of I + EPS)\n"
            "    b = mean(p) - a·mean(I)\n\n"
            "A pixel becomes mean(a)·I + mean(b), with the means of all squares that contain it. Where the guide "
            "varies less than EPS, that is a mean; where it has an edge, the edge stays. The time hardly grows with "
            "the radius, and there are no halos as after unsharp masking.\n\n"
            "By default each channel is its own guide. With by=FILE, the gray values of FILE guide all channels; of "
            "a color image, they are .299 r + .587 g + .114 b. Sums are of 64 bits. Colors are filtered as stored. "
            "Alpha is copied. He's program shortens squares at the borders; here, edge= continues the image.",
    .examples = examples,
    .picture = "scene.ppm guided:8,0.01",
    .options = options,
    .config_bytes = sizeof(struct guided),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
