/* line: the pixels on a line, as a single row. */
#include "chain/stage.h"
#include "chain/video.h"
#include "kernels/geometry/sample.h"

#include <math.h>

struct line {
    double x1, y1, x2, y2;
    int64_t samples;
    int filter;
};

static const char *const filters[] = { "nearest", "linear", "cubic", NULL };

#define PLACE(member, called) \
    { .name = #member, .type = GF_OPTION_NUMBER, .offset = offsetof(struct line, member), .least = 0, \
      .most = GF_SAMPLE_MAX_SIDE - 1, .unit = "pixels", .required = true, .text = called }

static const struct gf_option options[] = {
    PLACE(x1, "column of the first point; the center of the leftmost pixel is 0"),
    PLACE(y1, "row of the first point"),
    PLACE(x2, "column of the second point"),
    PLACE(y2, "row of the second point"),
    { .name = "samples", .type = GF_OPTION_INT, .offset = offsetof(struct line, samples), .least = 0,
      .most = GF_SAMPLE_MAX_SIDE, .unit = "pixels", .key_only = true,
      .text = "width of the result, with both points; 0: about one sample for each pixel of the length" },
    { .name = "filter", .type = GF_OPTION_CHOICE, .offset = offsetof(struct line, filter), .by_default = GF_LINEAR,
      .choices = filters, .key_only = true, .text = "how to interpolate between pixels" },
    { .name = NULL }
};

/* Half of the last bit that counts, so that positions are rounded to it, and ends of lines are exact. */
#define HALF (INT64_C(1) << (GF_SAMPLE_ONE_BITS - 25))

static int64_t fixed(double pixels)
{
    return llround(ldexp(pixels, GF_SAMPLE_ONE_BITS));
}

/* Checks that a point is on the image. */
static int check_point(double x, double y, const struct gf_format *in, struct gf_error *err)
{
    if (x <= (double)(in->width - 1) && y <= (double)(in->units - 1))
        return 0;
    return gf_fail(err, GF_FAILED, "line: %g,%g is outside the image; columns are 0 to %lld here, and rows 0 to %lld",
                   x, y, (long long)in->width - 1, (long long)in->units - 1);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct line *l = config;
    const double dx = l->x2 - l->x1, dy = l->y2 - l->y1;
    const int64_t length = llround(sqrt(dx * dx + dy * dy)) + 1, samples = l->samples > 0 ? l->samples : length;
    const double step = samples > 1 ? 1 / (double)(samples - 1) : 0;
    const struct gf_sample sample = { .xx = fixed(dx * step), .yx = fixed(dy * step), .cx = fixed(l->x1) + HALF,
                                      .cy = fixed(l->y1) + HALF, .interpolation = (enum gf_interpolation)l->filter,
                                      .border = GF_CLAMP };
    struct gf_format out = *in;

    if (check_point(l->x1, l->y1, in, err) != 0 || check_point(l->x2, l->y2, in, err) != 0)
        return -1;
    if (in->width > GF_SAMPLE_MAX_SIDE || in->units > GF_SAMPLE_MAX_SIDE || samples > GF_SAMPLE_MAX_SIDE)
        return gf_fail(err, GF_FAILED, "line: the image or the line is too large; sides must be 1 to %d pixels",
                       GF_SAMPLE_MAX_SIDE);
    out.width = samples;
    out.units = 1;
    if (gf_video_rotate(&out, "line", err) != 0)
        return -1;
    if (l->filter == GF_NEAREST)
        return gf_build_op(build, &gf_op_sample, &sample, (struct gf_need) { .whole = true }, &out, err);
    if (gf_build_premultiply(build, err) != 0
        || gf_build_op(build, &gf_op_sample, &sample, (struct gf_need) { .whole = true }, &out, err) != 0)
        return -1;
    return gf_build_unpremultiply(build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm line:10,20,300,400 -o profile.csv",
    "gpufilter -i photo.ppm gray line:0,240,639,240 -t tsv",
    "gpufilter -i photo.ppm line:320,0,320,479,filter=nearest -o column.png",
    NULL
};

const struct gf_stage gf_stage_line = {
    .name = "line",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "take the pixels on a line between two points",
    .text = "The result is an image of one row. Sample i of N is at\n\n"
            "    (X1, Y1) + i/(N - 1)·(X2 - X1, Y2 - Y1)\n\n"
            "The first sample is the first point, and the last sample the second point. Without samples=, N is the "
            "length of the line, rounded, plus 1. Positions are those of pixel centers, so 0,0 is the pixel at the "
            "top left. If the result is stored in 8 bits directly after line, positions are rounded to 1/256 of a "
            "pixel. With -t tsv or -t csv, the result is written as numbers: the profile along the line.",
    .examples = examples,
    .picture = "scene.ppm line:0,90,239,90 pad:0,30,0,30,edge=clamp",
    .options = options,
    .config_bytes = sizeof(struct line),
    .bind = bind,
};
