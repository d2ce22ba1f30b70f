/* resize: change the size of an image. */
#include "chain/stage.h"
#include "chain/video.h"
#include "filters/light_option.h"
#include "kernels/geometry/resize.h"

#include <math.h>

struct resize {
    struct gf_size size;
    int filter;
    int light;
    int fit, only;
};

enum { STRETCH, INSIDE, OUTSIDE };
enum { BOTH, SHRINK, ENLARGE };

/* The order is that of enum gf_resize_filter. */
static const char *const filters[] = { "lanczos", "linear", "cubic", "nearest", "area", NULL };
static const char *const lights[] = GF_LIGHT_CHOICES;
static const char *const fits[] = { "stretch", "inside", "outside", NULL };
static const char *const ways[] = { "both", "shrink", "enlarge", NULL };

static const struct gf_option options[] = {
    { .name = "size", .type = GF_OPTION_SIZE, .offset = offsetof(struct resize, size), .required = true,
      .unit = "pixels",
      .text = "both sides, one side, or a share of both; a missing side keeps the proportions" },
    { .name = "filter", .type = GF_OPTION_CHOICE, .offset = offsetof(struct resize, filter),
      .by_default = GF_RESIZE_LANCZOS, .choices = filters, .key_only = true,
      .text = "how to interpolate" },
    { .name = "fit", .type = GF_OPTION_CHOICE, .offset = offsetof(struct resize, fit), .by_default = STRETCH,
      .choices = fits, .key_only = true,
      .text = "how WxH is used; stretch: exactly this size; inside: the largest size with the same "
              "proportions that fits into it; outside: the smallest that covers it" },
    { .name = "only", .type = GF_OPTION_CHOICE, .offset = offsetof(struct resize, only), .by_default = BOTH,
      .choices = ways, .key_only = true,
      .text = "shrink: never make a side longer; enlarge: never make a side shorter" },
    GF_LIGHT_OPTION(struct resize, lights),
    { .name = NULL }
};

/* Returns side · to / from, rounded to the nearest, at least 1. */
static double in_proportion(int64_t side, int64_t to, int64_t from)
{
    return fmax(1, floor((double)side * (double)to / (double)from + 0.5));
}

/*
 * Returns true if the width of the box decides the size: if proportions are kept, only one side
 * does.
 */
static bool width_decides(const struct resize *r, const struct gf_format *in)
{
    const double by_width = (double)r->size.width / (double)in->width,
                 by_height = (double)r->size.height / (double)in->units;

    return r->fit == INSIDE ? by_width <= by_height : by_width >= by_height;
}

static double allowed(const struct resize *r, double side, int64_t from)
{
    return r->only == SHRINK ? fmin(side, (double)from) : r->only == ENLARGE ? fmax(side, (double)from) : side;
}

static int find_sides(const struct resize *r, const struct gf_format *in, struct gf_format *out, struct gf_error *err)
{
    struct gf_size box = r->size, *size = &box;
    double w, h;

    if (r->fit != STRETCH && box.width > 0 && box.height > 0)
        *(width_decides(r, in) ? &box.height : &box.width) = 0;
    w = (double)box.width;
    h = (double)box.height;
    if (size->share > 0) {
        w = fmax(1, floor((double)in->width * size->share + 0.5));
        h = fmax(1, floor((double)in->units * size->share + 0.5));
    } else if (size->height == 0) {
        h = in_proportion(in->units, size->width, in->width);
    } else if (size->width == 0) {
        w = in_proportion(in->width, size->height, in->units);
    }
    w = allowed(r, w, in->width);
    h = allowed(r, h, in->units);
    if (!(w <= GF_RESIZE_MAX_SIDE && h <= GF_RESIZE_MAX_SIDE && in->width <= GF_RESIZE_MAX_SIDE
          && in->units <= GF_RESIZE_MAX_SIDE))
        return gf_fail(err, GF_FAILED, "resize: %lldx%lld to %.10gx%.10g is too large; sides must be 1 to %d pixels",
                       (long long)in->width, (long long)in->units, w, h, GF_RESIZE_MAX_SIDE);
    out->width = (int64_t)w;
    out->units = (int64_t)h;
    return 0;
}

/* Puts the weights of one direction into the pool; there are none if the size stays the same. */
static struct gf_resize_axis make_axis(struct gf_build *build, enum gf_resize_filter filter, int64_t in, int64_t out,
                                       struct gf_need *need)
{
    struct gf_resize_axis axis = { .in = in, .out = out };
    float *entries;

    if (in == out)
        return axis;
    axis.taps = gf_resize_taps(filter, in, out);
    axis.at = gf_build_alloc_table(build, out * gf_resize_stride(&axis), &entries);
    if (entries != NULL)
        gf_resize_fill(&axis, filter, entries);
    if (entries != NULL && need != NULL) {
        gf_resize_reach(&axis, entries, &need->before, &need->after);
        need->times = in;
        need->per = out;
    }
    return axis;
}

/* Compares the multiplications with rows first and with columns first. */
static bool columns_are_cheaper(const struct gf_resize *r)
{
    const double w = (double)r->x.in, h = (double)r->y.in, to_w = (double)r->x.out, to_h = (double)r->y.out;
    const double rows_first = to_h * (w * r->y.taps + to_w * r->x.taps),
                 columns_first = to_w * (h * r->x.taps + to_h * r->y.taps);

    return r->x.taps > 0 && r->y.taps > 0 && columns_first < rows_first / 2;
}

static int add_resize(struct gf_build *build, enum gf_resize_filter filter, const struct gf_format *in,
                      const struct gf_format *out, struct gf_error *err)
{
    struct gf_need need = { .whole = false };
    struct gf_resize r = { .x = make_axis(build, filter, in->width, out->width, NULL),
                           .y = make_axis(build, filter, in->units, out->units, &need) };

    if (columns_are_cheaper(&r)) {
        struct gf_resize columns = r;
        struct gf_format between = *in;

        columns.y.taps = r.x.taps = 0;
        between.width = out->width;
        if (gf_build_op(build, &gf_op_resize, &columns, (struct gf_need) { .whole = false }, &between, err) != 0)
            return -1;
    }
    return gf_build_op(build, &gf_op_resize, &r, need, out, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct resize *resize = config;
    const enum gf_resize_filter filter = (enum gf_resize_filter)resize->filter;
    const enum gf_light light = filter == GF_RESIZE_NEAREST ? GF_LIGHT_ENCODED : (enum gf_light)resize->light;
    struct gf_format out = *in;

    if (find_sides(resize, in, &out, err) != 0)
        return -1;
    if (out.width == in->width && out.units == in->units)
        return 0;
    gf_video_scale(&out, in);
    if (filter == GF_RESIZE_NEAREST)                         /* nothing is mixed, so light and alpha do not matter */
        return add_resize(build, filter, in, &out, err);
    if (gf_build_to_linear(build, light, err) != 0 || gf_build_premultiply(build, err) != 0
        || add_resize(build, filter, in, &out, err) != 0 || gf_build_unpremultiply(build, err) != 0)
        return -1;
    return gf_build_from_linear(build, light, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm resize:50% -o half.ppm",
    "gpufilter -i photo.ppm resize:320x200 -o stretched.png",
    "gpufilter -i photo.ppm resize:200x200,fit=inside,only=shrink -o thumb.jpg",
    "gpufilter -i photo.ppm resize:x128,light=linear -o small.jpg",
    "gpufilter -i chart.pgm resize:200%,filter=nearest -o large.png",
    NULL
};

const struct gf_stage gf_stage_resize = {
    .name = "resize",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .summary = "change the size of an image",
    .text = "WxH stretches the image to that size. W, xH and a share like 50% keep the proportions; the "
            "other side is rounded to the nearest pixel.\n\n"
            "    fit=inside    keep the proportions, as large as fits into WxH\n"
            "    fit=outside   keep the proportions, as small as covers WxH\n"
            "    only=shrink   never make a side longer\n"
            "    only=enlarge  never make a side shorter\n\n"
            "Use fit=outside with crop to fill an exact size. Use only=shrink to leave small images "
            "unchanged.\n\n"
            "The filters are:\n\n"
            "    lanczos  3 lobes; sharp (the default)\n"
            "    linear   a triangle\n"
            "    cubic    with a = -0.5\n"
            "    area     the mean of the pixels that the new pixel covers\n"
            "    nearest  a copy of the pixel at this place\n\n"
            "When the image shrinks, all filters except nearest are widened, so that fine detail does not "
            "turn into patterns. (area needs no widening.) Pixels beyond the border have no weight; the "
            "other weights are scaled to sum 1. Pixels count as squares: the center of the first column "
            "is half a pixel from the edge, before and after resizing. So the content of the image does "
            "not shift.\n\n"
            "Colors are multiplied by alpha first, so transparent pixels add no color. With light=linear, "
            "the sRGB curve is removed before and applied again afterwards, so fine patterns keep their "
            "brightness.\n\n"
            "A video keeps its display proportions: if WxH stretches the frames, the pixel aspect ratio "
            "in the header of Y4M changes.",
    .examples = examples,
    .picture = "scene.ppm resize:50%",
    .options = options,
    .config_bytes = sizeof(struct resize),
    .bind = bind,
};
