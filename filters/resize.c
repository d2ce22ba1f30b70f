/* resize: change the size of an image. */
#include "chain/stage.h"
#include "chain/video.h"
#include "filters/light_option.h"
#include "kernels/geometry/resize.h"

#include <math.h>

#define SPARE 2.0                    /* pixels for each one of the result that a reduced image must have, on a side */

struct resize {
    struct gf_size size;
    int filter;
    int light;
    int fit, only;
    bool draft;
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
    { .name = "draft", .type = GF_OPTION_FLAG, .offset = offsetof(struct resize, draft), .key_only = true,
      .text = "decode a JPEG at a half, a quarter or an eighth of its size if that is still larger than the result; "
              "faster, with slightly different values" },
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

/* Describes a direction without its weights; one of a reduced image begins at `start` of its `full` side. */
static struct gf_resize_axis start_axis(const struct gf_format *in, int64_t side, int64_t out, int64_t full,
                                        int64_t start)
{
    const int shrunk = in->original.shrunk;

    if (shrunk <= 1 || (start == 0 && side * shrunk == full))
        return (struct gf_resize_axis) { .in = side, .out = out };
    return (struct gf_resize_axis) { .in = side, .out = out, .shrunk = shrunk, .full = full, .start = start };
}

/* Puts the weights of one direction into the pool; there are none if the size stays the same. */
static void fill_axis(struct gf_build *build, enum gf_resize_filter filter, struct gf_resize_axis *axis,
                      struct gf_need *need)
{
    float *entries;

    if (axis->in == axis->out && axis->shrunk == 0)
        return;
    axis->taps = gf_resize_taps(filter, axis->in, axis->out);
    axis->at = gf_build_alloc_table(build, axis->out * gf_resize_stride(axis), &entries);
    if (entries != NULL)
        gf_resize_fill(axis, filter, entries);
    if (entries != NULL && need != NULL) {
        struct gf_resize_reach reach = { .times = axis->in, .per = axis->out };

        gf_resize_find_reach(axis, entries, &reach);
        *need = (struct gf_need) { .times = reach.times, .per = reach.per,
                                   .before = reach.before, .after = reach.after };
    }
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
    const struct gf_original *o = &in->original;
    struct gf_resize r = { .x = start_axis(in, in->width, out->width, o->width, o->x),
                           .y = start_axis(in, in->units, out->units, o->units, o->y) };

    fill_axis(build, filter, &r.x, NULL);
    fill_axis(build, filter, &r.y, &need);
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

/* The factor that leaves at least SPARE pixels for each one of the result, so that its filter decides the sharpness. */
static bool narrow(const void *config, struct gf_format *part)
{
    const struct resize *r = config;
    struct gf_format out = *part;
    struct gf_error ignored = { 0 };
    int shrunk = 8;

    if (!r->draft || find_sides(r, part, &out, &ignored) != 0)
        return false;
    while (shrunk > 1 && (double)part->width < SPARE * shrunk * (double)out.width)
        shrunk /= 2;
    while (shrunk > 1 && (double)part->units < SPARE * shrunk * (double)out.units)
        shrunk /= 2;
    if (shrunk == 1)
        return false;
    part->original = (struct gf_original) { .width = part->width, .units = part->units, .shrunk = shrunk };
    part->width = gf_ceil_div(part->width, shrunk);
    part->units = gf_ceil_div(part->units, shrunk);
    return true;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct resize *resize = config;
    const enum gf_resize_filter filter = (enum gf_resize_filter)resize->filter;
    const enum gf_light light = filter == GF_RESIZE_NEAREST ? GF_LIGHT_ENCODED : (enum gf_light)resize->light;
    struct gf_format whole = *in, out = *in;

    if (resize->draft && (filter == GF_RESIZE_NEAREST || light == GF_LIGHT_LINEAR))
        return gf_fail(err, GF_MISUSED, "resize: draft averages stored values; remove draft, filter=nearest or "
                                        "light=linear");
    if (in->original.width > 0) {
        whole.width = in->original.width;
        whole.units = in->original.units;
    }
    if (find_sides(resize, &whole, &out, err) != 0)
        return -1;
    if (out.width == whole.width && out.units == whole.units)
        return 0;
    gf_video_scale(&out, &whole);
    if (filter == GF_RESIZE_NEAREST)                         /* nothing is mixed, so light and alpha do not matter */
        return add_resize(build, filter, in, &out, err);
    if (gf_build_to_linear(build, light, err) != 0 || gf_build_premultiply(build, err) != 0
        || add_resize(build, filter, in, &out, err) != 0 || gf_build_unpremultiply(build, err) != 0)
        return -1;
    return gf_build_from_linear(build, light, err);
}

/* Chroma covers more than the frame if a side is odd. */
static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct resize *resize = config;
    struct gf_error none = { 0 };
    struct gf_format out = *frame;

    if (find_sides(resize, frame, &out, &none) != 0 || !gf_planes_column_fits(frame, frame->width)
        || !gf_planes_row_fits(frame, frame->units) || !gf_planes_column_fits(frame, out.width)
        || !gf_planes_row_fits(frame, out.units))
        return GF_PLANES_NONE;
    if (out.width == frame->width && out.units == frame->units)
        return GF_PLANES_EQUAL;
    return resize->light == GF_LIGHT_ENCODED || resize->filter == GF_RESIZE_NEAREST ? GF_PLANES_OTHER : GF_PLANES_NONE;
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    const struct resize *resize = config;
    struct gf_format out = *in;

    if (find_sides(resize, plane->frame, &out, err) != 0)
        return -1;
    out.width >>= plane->sub_x;
    out.units >>= plane->sub_y;
    return out.width == in->width && out.units == in->units ? 0
         : add_resize(build, (enum gf_resize_filter)resize->filter, in, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm resize:50% -o half.ppm",
    "gpufilter -i photo.ppm resize:320x200 -o stretched.png",
    "gpufilter -i photo.ppm resize:200x200,fit=inside,only=shrink -o thumb.jpg",
    "gpufilter -i photo.ppm resize:x128,light=linear -o small.jpg",
    "gpufilter -i photo.ppm -o photo.jpg && gpufilter -i photo.jpg resize:160,draft -o thumb.jpg",
    "gpufilter -i chart.pgm resize:200%,filter=nearest -o large.png",
    NULL
};

const struct gf_stage gf_stage_resize = {
    .name = "resize",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
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
            "With draft, a JPEG is decoded at a half, a quarter or an eighth of its size, as long as at least "
            "two of its pixels are left for each one of the result, on both sides; then it is resized as "
            "usual. Thumbnails of photos take about half of the CPU time. The sides must shrink to a quarter or "
            "less, and resize must be the first stage; draft cannot be combined with light=linear or "
            "filter=nearest. The sizes are the same, and values differ slightly, usually by a PSNR of 50 to 58 dB "
            "before they are encoded. (As JPEGs of quality 92, two such thumbnails differ by 44 dB.) --explain "
            "shows how the image is decoded. Other formats and other sizes are resized as without draft. Pillow "
            "calls this draft, libvips shrink-on-load.\n\n"
            "A video keeps its display proportions: if WxH stretches the frames, the pixel aspect ratio "
            "in the header of Y4M changes.",
    .examples = examples,
    .picture = "scene.ppm resize:50%",
    .options = options,
    .config_bytes = sizeof(struct resize),
    .narrow = narrow,
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
