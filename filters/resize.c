/* resize: another number of columns and rows. */
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

/* In the order of enum gf_resize_filter. */
static const char *const filters[] = { "lanczos", "linear", "cubic", "nearest", "area", NULL };
static const char *const lights[] = GF_LIGHT_CHOICES;
static const char *const fits[] = { "stretch", "inside", "outside", NULL };
static const char *const ways[] = { "both", "shrink", "enlarge", NULL };

static const struct gf_option options[] = {
    { .name = "size", .type = GF_OPTION_SIZE, .offset = offsetof(struct resize, size), .required = true, .unit = "pixels",
      .text = "both sides, or one of them, or a share of both; what is not given keeps the shape" },
    { .name = "filter", .type = GF_OPTION_CHOICE, .offset = offsetof(struct resize, filter), .by_default = GF_RESIZE_LANCZOS,
      .choices = filters, .key_only = true, .text = "how pixels are weighed" },
    { .name = "fit", .type = GF_OPTION_CHOICE, .offset = offsetof(struct resize, fit), .by_default = STRETCH, .choices = fits,
      .key_only = true, .text = "what WxH means: both sides, or the shape kept and the picture as large as fits inside, or as small as covers it" },
    { .name = "only", .type = GF_OPTION_CHOICE, .offset = offsetof(struct resize, only), .by_default = BOTH, .choices = ways,
      .key_only = true, .text = "which way sides may change; a side that would change the other way stays" },
    GF_LIGHT_OPTION(struct resize, lights),
    { .name = NULL }
};

/* side · to / from, to the nearest; at least a pixel. */
static double in_proportion(int64_t side, int64_t to, int64_t from)
{
    return fmax(1, floor((double)side * (double)to / (double)from + 0.5));
}

/* Whether the width decides: where the shape is kept in a box, only one of its sides does. */
static bool width_decides(const struct resize *r, const struct gf_format *in)
{
    const double by_width = (double)r->size.width / (double)in->width, by_height = (double)r->size.height / (double)in->units;

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
    if (!(w <= GF_RESIZE_MAX_SIDE && h <= GF_RESIZE_MAX_SIDE && in->width <= GF_RESIZE_MAX_SIDE && in->units <= GF_RESIZE_MAX_SIDE))
        return gf_fail(err, GF_FAILED, "resize: %lldx%lld to %.10gx%.10g: pictures may have up to %d pixels a side",
                       (long long)in->width, (long long)in->units, w, h, GF_RESIZE_MAX_SIDE);
    out->width = (int64_t)w;
    out->units = (int64_t)h;
    return 0;
}

/* One direction's weights, in the pool; without any where it stays as it is. */
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

/* Multiplications where rows change first, and where columns do. */
static bool columns_are_cheaper(const struct gf_resize *r)
{
    const double w = (double)r->x.in, h = (double)r->y.in, to_w = (double)r->x.out, to_h = (double)r->y.out;
    const double rows_first = to_h * (w * r->y.taps + to_w * r->x.taps), columns_first = to_w * (h * r->x.taps + to_h * r->y.taps);

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
    if (filter == GF_RESIZE_NEAREST)                         /* nothing is mixed */
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
    .summary = "another number of columns and rows",
    .text = "WxH stretches the picture to that size; W or xH alone and a share like 50% keep its shape, and the other side is "
            "rounded to the nearest. fit=inside keeps the shape of the picture and makes it as large as fits into WxH; fit=outside as "
            "small as covers it, for crop to cut to size. only=shrink never makes a side longer, so pictures that are small "
            "already pass unchanged; only=enlarge never makes one shorter.\n\n"
            "A video keeps the shape of its display: the shape of a pixel in the header of Y4M changes if WxH stretches the frames.\n\n"
            "Pixels are squares, so the middle of the first column is half a pixel from the edge, before "
            "and behind; nothing moves.\n\n"
            "filter= says how a pixel is made of those around its place: lanczos of 3 lobes; linear, a triangle; cubic, with "
            "a = -0.5; area, the mean of what the pixel covers; nearest copies the pixel at the place. All but nearest are "
            "widened when the picture shrinks, so that no detail turns into a pattern; area needs no widening. Pixels beyond "
            "the border count for nothing, and the weights of the others are scaled to sum 1.\n\n"
            "With alpha, colour is mixed as it is seen: premultiplied, so transparent pixels lend no colour. light=linear "
            "undoes the sRGB curve before and applies it behind, so that fine patterns keep their brightness.",
    .examples = examples,
    .picture = "scene.ppm resize:50%",
    .options = options,
    .config_bytes = sizeof(struct resize),
    .bind = bind,
};
