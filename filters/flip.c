/* flip: mirror an image top to bottom. */
#include "chain/stage.h"
#include "chain/video.h"
#include "kernels/geometry/move.h"

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_move move = { .xx = 1, .yy = -1, .cy = in->units - 1 };

    struct gf_format out = *in;

    (void)config;
    gf_video_flip(&out);
    return gf_build_op(build, &gf_op_move, &move, (struct gf_need) { .whole = true }, &out, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    (void)config;
    return gf_planes_row_fits(frame, frame->units) ? GF_PLANES_EQUAL : GF_PLANES_NONE;
}

static const char *const examples[] = { "gpufilter -i photo.ppm flip -o flipped.ppm", NULL };

const struct gf_stage gf_stage_flip = {
    .name = "flip",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "mirror top to bottom",
    .text = "The last row comes first. Samples are copied without change.",
    .examples = examples,
    .picture = "scene.ppm flip",
    .bind = bind,
    .planes = planes,
};
