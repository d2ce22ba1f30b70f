/* crop: cut out a rectangle. */
#include "chain/stage.h"
#include "chain/video.h"
#include "filters/anchor.h"
#include "kernels/geometry/move.h"

struct crop {
    struct gf_geometry area;
    int at;
    bool clip;
};

static const struct gf_option options[] = {
    { .name = "area", .type = GF_OPTION_GEOMETRY, .offset = offsetof(struct crop, area), .required = true,
      .unit = "pixels",
      .text = "width and height, and optionally the first column and row; by default the top left corner, "
              "or the place that at= names" },
    GF_ANCHOR_OPTION(struct crop, "corner or side from which X and Y count inward; from the center they count to "
                                  "the right and down"),
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

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct crop *c = config;
    const struct gf_geometry *a = &c->area;
    int64_t width = side_of(a->width, a->width_share, in->width);
    int64_t height = side_of(a->height, a->height_share, in->units);
    int64_t x = gf_anchor_column(c->at, in->width, width, a->x), y = gf_anchor_row(c->at, in->units, height, a->y);
    struct gf_move move = { .xx = 1, .yy = 1 };
    struct gf_format out = *in;

    if (c->clip) {
        clip_side(&x, &width, in->width);
        clip_side(&y, &height, in->units);
    }
    if (width <= 0 || height <= 0)
        return gf_fail(err, GF_FAILED, "crop: the rectangle lies outside the image, which is %lldx%lld here",
                       (long long)in->width, (long long)in->units);
    if (x < 0 || y < 0 || width > in->width - x || height > in->units - y)
        return gf_fail(err, GF_FAILED, "crop: %lldx%lld+%lld+%lld is not inside the image, which is %lldx%lld here; "
                                       "add "
                       "the option clip to take as much as there is", (long long)width, (long long)height,
                       (long long)a->x, (long long)a->y, (long long)in->width, (long long)in->units);
    move.cx = x;
    move.cy = y;
    out.width = width;
    out.units = height;
    gf_video_shift(&out, y);
    return gf_build_op(build, &gf_op_move, &move, (struct gf_need) { .shift = y }, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm crop:320x240+160+120 -o middle.ppm",
    "gpufilter -i photo.ppm crop:100x100 -o corner.png",
    "gpufilter -i photo.ppm crop:50%x50%,at=center -o half.png",
    "gpufilter -i photo.ppm crop:400x400,at=center -o square.png",
    "gpufilter -i photo.ppm crop:2000x100,clip -o top.png",
    "gpufilter -i photo.ppm resize:200x200,fit=outside crop:200x200,at=center -o square.jpg",
    NULL
};

const struct gf_stage gf_stage_crop = {
    .name = "crop",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .summary = "cut out a rectangle",
    .text = "Width and height are pixels or shares of the image: crop:50%x50%. With at= the rectangle is placed at "
            "another "
            "corner, at a side or in the center, and +X+Y are distances from there, as in over. Samples are copied "
            "without "
            "change.\n\n"
            "It is an error if the rectangle reaches beyond the image. With the option clip, the result is the part "
            "inside the image, so that images of a batch may be smaller than the rectangle: crop:800x600,clip.\n\n"
            "crop takes no ratio such as 1:1. For squares from images of any size, resize first: "
            "resize:800x800,fit=outside crop:800x800,at=center.",
    .examples = examples,
    .picture = "scene.ppm crop:120x90+80+80",
    .options = options,
    .config_bytes = sizeof(struct crop),
    .bind = bind,
};
