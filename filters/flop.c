/* flop: mirror an image left to right. */
#include "chain/stage.h"
#include "kernels/geometry/move.h"

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_move move = { .xx = -1, .yy = 1, .cx = in->width - 1 };

    (void)config;
    return gf_build_op(build, &gf_op_move, &move, (struct gf_need) { 0 }, in, err);
}

static const char *const examples[] = { "gpufilter -i photo.ppm flop -o mirrored.ppm", NULL };

const struct gf_stage gf_stage_flop = {
    .name = "flop",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .summary = "mirror left to right",
    .text = "The last column comes first. Samples are copied without change.",
    .examples = examples,
    .picture = "scene.ppm flop",
    .bind = bind,
};
