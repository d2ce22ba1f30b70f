/* flop: mirror an image left to right. */
#include "chain/stage.h"
#include "kernels/geometry/move.h"

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_move move = { .xx = -1, .yy = 1, .cx = in->width - 1 };

    (void)config;
    return gf_build_op(build, &gf_op_move, &move, (struct gf_need) { 0 }, in, err);
}

/* Chroma on the left column would be on the right one, which a Y4M cannot state. */
static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    (void)config;
    if (!gf_planes_column_fits(frame, frame->width))
        return GF_PLANES_NONE;
    return gf_planes_are_centered(frame) ? GF_PLANES_EQUAL : GF_PLANES_OTHER;
}

static const char *const examples[] = { "gpufilter -i photo.ppm flop -o mirrored.ppm", NULL };

const struct gf_stage gf_stage_flop = {
    .name = "flop",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "mirror left to right",
    .text = "The last column comes first. Samples are copied without change.",
    .examples = examples,
    .picture = "scene.ppm flop",
    .bind = bind,
    .planes = planes,
};
