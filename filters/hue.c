/* hue: all colours turned on their circle. */
#include "chain/stage.h"

#include <math.h>

struct hue {
    double degrees;
};

static const struct gf_option options[] = {
    { .name = "degrees", .type = GF_OPTION_NUMBER, .offset = offsetof(struct hue, degrees), .least = -36000, .most = 36000, .required = true,
      .unit = "degrees", .text = "120 takes red towards green, green towards blue and blue towards red; below 0 the other way" },
    { .name = NULL }
};

/* The rotation in the plane of equal luma: what stays, what goes with the cosine, and what with the sine. */
static const double stay[3] = { .213, .715, .072 };
static const double sine[3][3] = { { -.213, -.715, .928 }, { .143, .140, -.283 }, { -.787, .715, .072 } };

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const double turn = fmod(((const struct hue *)config)->degrees, 360), angle = turn * (3.14159265358979323846 / 180);
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 3 };

    if (gf_colours(in) < 3 || turn == 0)
        return 0;
    for (int o = 0; o < 3; o++)
        for (int i = 0; i < 3; i++)
            step.m[o][i] = (float)(stay[i] + cos(angle) * ((i == o ? 1 : 0) - stay[i]) + sin(angle) * sine[o][i]);
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
    .summary = "turns all colours on their circle",
    .text = "The matrix of hueRotate in SVG (feColorMatrix) and hue-rotate() in CSS, on the stored values: with c and s the "
            "cosine and the sine of DEGREES, .213 + .787 c - .213 s, .715 - .715 c - .715 s, .072 - .072 c + .928 s make red, "
            ".213 - .213 c + .143 s, .715 + .285 c + .140 s, .072 - .072 c - .283 s green, and .213 - .213 c - .787 s, .715 - "
            ".715 c + .715 s, .072 + .928 c + .072 s blue. Gray stays gray, and .213 r + .715 g + .072 b stays as it is but "
            "for a thousandth, so strong colours may come to lie beyond 0 and 1, and a full red turned by 120 is a dark "
            "green. A gray picture passes as it is; alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm hue:90",
    .options = options,
    .config_bytes = sizeof(struct hue),
    .bind = bind,
};
