/* crop: cut out a rectangle. */
#include "chain/stage.h"
#include "chain/video.h"
#include "filters/anchor.h"
#include "kernels/geometry/move.h"

struct crop {
    struct gf_geometry area;
    int at;
};

static const struct gf_option options[] = {
    { .name = "area", .type = GF_OPTION_GEOMETRY, .offset = offsetof(struct crop, area), .required = true,
      .unit = "pixels",
      .text = "width and height, and optionally the first column and row; by default the top left corner, "
              "or the place that at= names" },
    GF_ANCHOR_OPTION(struct crop, "corner or side from which X and Y count inward; from the center they count to "
                                  "the right and down"),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct crop *c = config;
    const struct gf_geometry *a = &c->area;
    const int64_t x = gf_anchor_column(c->at, in->width, a->width, a->x),
                  y = gf_anchor_row(c->at, in->units, a->height, a->y);
    const struct gf_move move = { .xx = 1, .yy = 1, .cx = x, .cy = y };
    struct gf_format out = *in;

    if (x < 0 || y < 0 || a->width > in->width - x || a->height > in->units - y)
        return gf_fail(err, GF_FAILED, "crop: %lldx%lld+%lld+%lld is not inside the image, which is %lldx%lld here",
                       (long long)a->width, (long long)a->height, (long long)a->x, (long long)a->y,
                       (long long)in->width, (long long)in->units);
    out.width = a->width;
    out.units = a->height;
    gf_video_shift(&out, y);
    return gf_build_op(build, &gf_op_move, &move, (struct gf_need) { .shift = y }, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm crop:320x240+160+120 -o middle.ppm",
    "gpufilter -i photo.ppm crop:100x100 -o corner.png",
    "gpufilter -i photo.ppm crop:400x400,at=center -o square.png",
    "gpufilter -i photo.ppm resize:200x200,fit=outside crop:200x200,at=center -o square.jpg",
    NULL
};

const struct gf_stage gf_stage_crop = {
    .name = "crop",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .summary = "cut out a rectangle",
    .text = "The rectangle must be inside the image. With at= it is placed at another corner, at a side "
            "or in the center, and +X+Y are distances from there, as in over. Samples are copied without "
            "change.",
    .examples = examples,
    .picture = "scene.ppm crop:120x90+80+80",
    .options = options,
    .config_bytes = sizeof(struct crop),
    .bind = bind,
};
