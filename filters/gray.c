/* gray: one channel from three. */
#include "chain/stage.h"
#include "filters/light_option.h"

#include <math.h>
#include <string.h>

enum method { REC601, REC709, SIMPLE, AVERAGE, LARGEST, LIGHTNESS };

struct gray {
    struct gf_either method;
    double green, blue;
    int light;
};

static const char *const methods[] = { "rec601", "rec709", "simple", "average", "max", "lightness", NULL };

static const char *const lights[] = GF_LIGHT_CHOICES;

static const struct gf_option options[] = {
    { .name = "method", .type = GF_OPTION_EITHER, .offset = offsetof(struct gray, method), .by_default = REC601,
      .least = -100, .most = 100, .levels = 6, .choices = methods, .text = "how the channels are weighed; a number is the weight of red" },
    { .name = "green", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gray, green), .by_default = NAN,
      .least = -100, .most = 100, .levels = 6, .text = "the weight of green, after that of red" },
    { .name = "blue", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gray, blue), .by_default = NAN,
      .least = -100, .most = 100, .levels = 6, .text = "the weight of blue" },
    GF_LIGHT_OPTION(struct gray, lights),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    static const float weights[][3] = { { .299f, .587f, .114f }, { .2126f, .7152f, .0722f }, { .3f, .6f, .1f },
                                        { 1.0f / 3, 1.0f / 3, 1.0f / 3 } };
    const struct gray *gray = config;
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 1 };
    struct gf_format out = *in;

    if (gray->method.choice >= 0 ? !isnan(gray->green) || !isnan(gray->blue) : isnan(gray->green) || isnan(gray->blue))
        return gf_fail(err, GF_MISUSED, "gray: takes a method, or three weights: of red, green and blue");
    if (gf_colours(in) < 3)                                  /* it is gray already */
        return 0;
    if (gray->method.choice == LARGEST)
        step.kind = GF_POINT_MAX;
    else if (gray->method.choice == LIGHTNESS)
        step.kind = GF_POINT_LIGHTNESS;
    else if (gray->method.choice >= 0)
        memcpy(step.m[0], weights[gray->method.choice], sizeof weights[0]);
    else {
        step.m[0][0] = (float)gray->method.number;
        step.m[0][1] = (float)gray->green;
        step.m[0][2] = (float)gray->blue;
    }
    out.channels -= 2;
    if (gf_build_to_linear(build, (enum gf_light)gray->light, err) != 0 || gf_build_point(build, &step, &out, err) != 0)
        return -1;
    return gf_build_from_linear(build, (enum gf_light)gray->light, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm gray -o gray.pgm",
    "gpufilter -i photo.ppm gray:rec709 -o gray.png",
    "gpufilter -i photo.ppm gray:0.5,0.3,0.2 -o gray.png",
    "gpufilter -i photo.ppm gray:rec709,light=linear -o gray.png",
    NULL
};

const struct gf_stage gf_stage_gray = {
    .name = "gray",
    .kind = GF_IMAGE,
    .summary = "colour to gray",
    .text = "Makes one channel of red, green and blue; alpha is kept. The weights are applied to the stored "
            "(gamma-encoded) values: rec601 (.299 .587 .114), rec709 (.2126 .7152 .0722), simple (.3 .6 .1), average "
            "(a third each), or three numbers of your own. max takes the largest of the three, lightness the mean of "
            "the largest and the smallest. light=linear undoes the sRGB curve first and applies it again behind. A gray picture passes as it is.",
    .examples = examples,
    .picture = "scene.ppm gray",
    .options = options,
    .config_bytes = sizeof(struct gray),
    .bind = bind,
};
