/* crop: cut out a rectangle. */
#include "filters/anchor.h"
#include "filters/rectangle.h"

#include <math.h>

struct crop {
    struct gf_geometry area;
    int at;
    bool clip;
};

static const struct gf_option options[] = {
    { .name = "area", .type = GF_OPTION_GEOMETRY, .offset = offsetof(struct crop, area), .required = true,
      .unit = "pixels",
      .text = "width and height, and optionally the first column and row; by default the top left corner, "
              "or the place that at= names; or a ratio like 16:9 for the largest rectangle of that shape" },
    { .name = "at", .type = GF_OPTION_CHOICE, .offset = offsetof(struct crop, at), .choices = gf_anchors,
      .by_default = -1, .key_only = true,
      .text = "corner or side from which X and Y count inward; from the center they count to the right and down; by "
              "default top-left, or center for a ratio" },
    { .name = "clip", .type = GF_OPTION_FLAG, .offset = offsetof(struct crop, clip), .key_only = true,
      .text = "crop to the part inside the image if the rectangle reaches beyond it" },
    { .name = NULL }
};

/* A side in pixels; a share is rounded to the nearest pixel, and is at least one. */
static int64_t side_of(int64_t pixels, double share, int64_t whole)
{
    const int64_t part = (int64_t)((double)whole * share + 0.5);

    return pixels > 0 ? pixels : part > 0 ? part : 1;
}

/* Cuts off what lies outside of 0 to `room`. */
static void clip_side(int64_t *start, int64_t *length, int64_t room)
{
    const int64_t end = *length < room - *start ? *start + *length : room;

    *start = *start > 0 ? *start : 0;
    *length = end - *start;
}

/* Sets the sides of the largest rectangle of a ratio. */
static void fit_ratio(struct gf_rectangle *r, double ratio, int64_t across, int64_t down)
{
    const double width = floor((double)down * ratio + 0.5), height = floor((double)across / ratio + 0.5);

    r->width = width < 1 ? 1 : width < (double)across ? (int64_t)width : across;
    r->height = height < 1 ? 1 : height < (double)down ? (int64_t)height : down;
}

/* Returns the rectangle in an image; it may reach beyond it. */
static struct gf_rectangle find_area(const struct crop *c, int64_t across, int64_t down)
{
    const struct gf_geometry *a = &c->area;
    const int at = c->at >= 0 ? c->at : a->ratio > 0 ? GF_ANCHOR_CENTER : 0;
    struct gf_rectangle r = { .width = side_of(a->width, a->width_share, across),
                              .height = side_of(a->height, a->height_share, down) };

    if (a->ratio > 0)
        fit_ratio(&r, a->ratio, across, down);
    r.x = gf_anchor_column(at, across, r.width, a->x);
    r.y = gf_anchor_row(at, down, r.height, a->y);
    if (c->clip) {
        clip_side(&r.x, &r.width, across);
        clip_side(&r.y, &r.height, down);
    }
    return r;
}

static bool is_inside(const struct gf_rectangle *r, int64_t across, int64_t down)
{
    return r->width > 0 && r->height > 0 && r->x >= 0 && r->y >= 0 && r->width <= across - r->x
        && r->height <= down - r->y;
}

static bool narrow(const void *config, struct gf_format *part)
{
    const struct gf_rectangle r = find_area(config, part->width, part->units);

    if (!is_inside(&r, part->width, part->units) || (r.width == part->width && r.height == part->units))
        return false;
    part->original = (struct gf_original) { .width = part->width, .units = part->units, .x = r.x, .y = r.y,
                                            .shrunk = 1 };
    part->width = r.width;
    part->units = r.height;
    return true;
}

/* True for 16x9 and the like, which may be meant as 16:9. */
static bool is_like_shape(const struct gf_geometry *a)
{
    const int64_t longer = a->width > a->height ? a->width : a->height, other = a->width + a->height - longer;

    return (longer == 16 && other == 9) || (longer == 4 && other == 3) || (longer == 3 && other == 2);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct crop *c = config;
    const struct gf_geometry *a = &c->area;
    const struct gf_original *o = &in->original;
    const int64_t across = o->width > 0 ? o->width : in->width, down = o->width > 0 ? o->units : in->units;
    const struct gf_rectangle r = find_area(c, across, down);

    if (r.width <= 0 || r.height <= 0)
        return gf_fail(err, GF_FAILED, "crop: the rectangle lies outside the image, which is %lldx%lld here",
                       (long long)across, (long long)down);
    if (!is_inside(&r, across, down))
        return gf_fail(err, GF_FAILED, "crop: %lldx%lld+%lld+%lld is not inside the image, which is %lldx%lld here; "
                                       "add the option clip to take as much as there is", (long long)r.width,
                       (long long)r.height, (long long)a->x, (long long)a->y, (long long)across, (long long)down);
    if (is_like_shape(a) && across > 10 * a->width && down > 10 * a->height)
        gf_build_note(build, "crop:%lldx%lld keeps so few pixels; crop:%lld:%lld keeps the largest rectangle of that "
                             "shape", (long long)a->width, (long long)a->height, (long long)a->width,
                      (long long)a->height);
    if (o->width > 0)                        /* the reader decodes exactly this rectangle */
        return 0;
    return gf_rectangle_cut(&r, in, build, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct gf_rectangle r = find_area(config, frame->width, frame->units);

    return gf_rectangle_planes(&r, frame);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    const struct gf_rectangle r = find_area(config, plane->frame->width, plane->frame->units);

    return gf_rectangle_cut_plane(&r, plane, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm crop:320x240+160+120 -o middle.ppm",
    "gpufilter -i photo.ppm crop:100x100 -o corner.png",
    "gpufilter -i photo.ppm crop:50%x50%,at=center -o half.png",
    "gpufilter -i photo.ppm crop:16:9 -o wide.png",
    "gpufilter -i photo.ppm crop:1:1,at=top -o square.png",
    "gpufilter -i photo.ppm crop:2000x100,clip -o top.png",
    "gpufilter -i photo.ppm resize:200x200,fit=outside crop:200x200,at=center -o square.jpg",
    NULL
};

const struct gf_stage gf_stage_crop = {
    .name = "crop",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "cut out a rectangle",
    .text = "Width and height are pixels or shares of the image: crop:50%x50%. With at= the rectangle is placed at "
            "another "
            "corner, at a side or in the center, and +X+Y are distances from there, as in over. Samples are copied "
            "without "
            "change.\n\n"
            "It is an error if the rectangle reaches beyond the image. With the option clip, the result is the part "
            "inside the image, so that images of a batch may be smaller than the rectangle: crop:800x600,clip.\n\n"
            "If crop is the first stage, only this part of a JPEG is decoded, with the same result. The rest is still "
            "checked for a missing end.\n\n"
            "A ratio cuts out the largest rectangle of that shape: crop:16:9 from the center, crop:1:1,at=top from the "
            "top. For squares of one size from images of any size, resize first: resize:800x800,fit=outside "
            "crop:800x800,at=center.",
    .examples = examples,
    .picture = "scene.ppm crop:120x90+80+80",
    .options = options,
    .config_bytes = sizeof(struct crop),
    .narrow = narrow,
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
