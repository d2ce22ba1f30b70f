/* vibrance: make pale colors stronger, and vivid ones less so. */
#include "chain/stage.h"

struct vibrance {
    double amount;
};

static const struct gf_option options[] = {
    { .name = "amount", .type = GF_OPTION_NUMBER, .offset = offsetof(struct vibrance, amount), .least = -2, .most = 2,
      .required = true,
      .text = "0 changes nothing, above 0 makes pale colors stronger, below 0 makes vivid ones paler" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step step = {
        .kind = GF_POINT_VIBRANCE, .channels = 3, .a = (float)((const struct vibrance *)config)->amount
    };

    return gf_colours(in) < 3 || step.a == 0 ? 0 : gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm vibrance:0.6 -o fresh.png",
    "gpufilter -i photo.ppm vibrance:-0.4 -o calm.png",
    NULL
};

const struct gf_stage gf_stage_vibrance = {
    .name = "vibrance",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "make pale colors stronger, and vivid colors less so",
    .text = "    y = .299 r + .587 g + .114 b\n"
            "    s = the largest of r, g, b minus the smallest, at most 1\n"
            "    v = y + (v - y)·max(0, 1 + A·(1 - s))      if A > 0\n"
            "    v = y + (v - y)·max(0, 1 + A·(1 + s))      if A < 0\n\n"
            "The formula works on the stored values, for each channel v. Skin and other pale colors gain most from "
            "A > 0, and colors that are strong already hardly change; saturate treats all colors alike. The brightness "
            "y stays the same. A gray image does not change. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm vibrance:1.5",
    .options = options,
    .config_bytes = sizeof(struct vibrance),
    .bind = bind,
};
