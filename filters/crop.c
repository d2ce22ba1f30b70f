/* crop: a rectangle of the picture. */
#include "move.h"
#include "stage.h"

struct crop {
    struct gf_geometry area;
};

static const struct gf_option options[] = {
    { .name = "area", .type = GF_OPTION_GEOMETRY, .offset = offsetof(struct crop, area), .required = true, .unit = "pixels",
      .text = "width, height, and the first column and row; without these the top left corner" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_geometry *a = &((const struct crop *)config)->area;
    const struct gf_move move = { .xx = 1, .yy = 1, .cx = a->x, .cy = a->y };
    struct gf_format out = *in;

    if (a->width > in->width - a->x || a->height > in->units - a->y)
        return gf_fail(err, GF_FAILED, "crop: %lldx%lld+%lld+%lld reaches beyond the picture, which is %lldx%lld here",
                       (long long)a->width, (long long)a->height, (long long)a->x, (long long)a->y,
                       (long long)in->width, (long long)in->units);
    out.width = a->width;
    out.units = a->height;
    return gf_build_op(build, GF_OP_MOVE, &move, sizeof move, (struct gf_need) { .shift = a->y }, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm crop:320x240+160+120 -o middle.ppm",
    "gpufilter -i photo.ppm crop:100x100 -o corner.png",
    NULL
};

const struct gf_stage gf_stage_crop = {
    .name = "crop",
    .kind = GF_IMAGE,
    .summary = "a rectangle of the picture",
    .text = "Samples are moved as they are stored. The rectangle must lie inside the picture.",
    .examples = examples,
    .picture = "scene.ppm crop:120x90+80+80",
    .options = options,
    .config_bytes = sizeof(struct crop),
    .bind = bind,
};
