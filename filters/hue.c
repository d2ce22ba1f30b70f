/* hue: rotate hues. */
#include "base/elementary.h"
#include "chain/stage.h"

#include <math.h>

struct hue {
    double degrees;
};

static const struct gf_option options[] = {
    { .name = "degrees", .type = GF_OPTION_NUMBER, .offset = offsetof(struct hue, degrees), .least = -36000,
      .most = 36000, .required = true, .unit = "degrees",
      .text = "angle; 120 turns red to green, green to blue and blue to red" },
    { .name = NULL }
};

/*
 * The rotation in the plane of equal luma: the constant part, and the part that is multiplied by
 * the sine.
 */
static const double constant[3] = { .213, .715, .072 };
static const double sine[3][3] = { { -.213, -.715, .928 }, { .143, .140, -.283 }, { -.787, .715, .072 } };

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const double turn = fmod(((const struct hue *)config)->degrees, 360), c = gf_cos_pi(turn / 180),
                 s = gf_sin_pi(turn / 180);
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 3 };

    if (gf_colours(in) < 3 || turn == 0)
        return 0;
    for (int o = 0; o < 3; o++)
        for (int i = 0; i < 3; i++)
            step.m[o][i] = (float)(constant[i] + c * ((i == o ? 1 : 0) - constant[i]) + s * sine[o][i]);
    return gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm hue:180 -o strange.png",
    "gpufilter -i photo.ppm hue:-15 saturate:1.2 -o redder.png",
    NULL
};

const struct gf_stage gf_stage_hue = {
    .name = "hue",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "rotate hues",
    .text = "hue works like hueRotate in SVG (feColorMatrix) and hue-rotate() in CSS, on the stored "
            "values. With c = cos(DEGREES) and s = sin(DEGREES):\n\n"
            "    r' = (.213 + .787c - .213s) r + (.715 - .715c - .715s) g\n"
            "       + (.072 - .072c + .928s) b\n"
            "    g' = (.213 - .213c + .143s) r + (.715 + .285c + .140s) g\n"
            "       + (.072 - .072c - .283s) b\n"
            "    b' = (.213 - .213c - .787s) r + (.715 - .715c + .715s) g\n"
            "       + (.072 + .928c + .072s) b\n\n"
            "Gray stays gray. The brightness .213 r + .715 g + .072 b stays the same to a thousandth. "
            "To keep it, strong colors may leave the range 0 to 1. Pure red turned by 120 degrees becomes "
            "a dark green, because green is brighter than red. A gray image does not change. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm hue:90",
    .options = options,
    .config_bytes = sizeof(struct hue),
    .bind = bind,
};
