/* transpose: exchange rows and columns. */
#include "chain/stage.h"
#include "chain/video.h"
#include "kernels/geometry/move.h"

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_move move = { .xy = 1, .yx = 1 };
    const struct gf_need need = { .whole = true, .grain = GF_MOVE_SQUARE };
    struct gf_format out = *in;

    (void)config;
    out.width = in->units;
    out.units = in->width;
    if (gf_video_turn(&out, "transpose", err) != 0)
        return -1;
    return gf_build_op(build, &gf_op_move, &move, need, &out, err);
}

/* Chroma on the left column would be on the upper row, which a Y4M cannot state. */
static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    (void)config;
    if (gf_planes_if_square(frame) == GF_PLANES_NONE)
        return GF_PLANES_NONE;
    return gf_planes_are_centered(frame) ? GF_PLANES_EQUAL : GF_PLANES_OTHER;
}

static const char *const examples[] = { "gpufilter -i photo.ppm transpose -o transposed.ppm", NULL };

const struct gf_stage gf_stage_transpose = {
    .name = "transpose",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "exchange rows and columns",
    .text = "The first row becomes the first column: a turn by 90 degrees and a flop. Samples are copied "
            "without change.",
    .examples = examples,
    .picture = "scene.ppm transpose",
    .bind = bind,
    .planes = planes,
};
