/* gray: convert color to one channel. */
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
      .least = -100, .most = 100, .levels = 6, .choices = methods,
      .text = "how to weigh the channels; a number is the weight of red" },
    { .name = "green", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gray, green), .by_default = NAN,
      .least = -100, .most = 100, .levels = 6,
      .text = "weight of green, if method is a number" },
    { .name = "blue", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gray, blue), .by_default = NAN,
      .least = -100, .most = 100, .levels = 6,
      .text = "weight of blue, if method is a number" },
    GF_LIGHT_OPTION(struct gray, lights),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    static const float weights[][3] = { { GF_BT601(float) }, { GF_BT709(float) }, { .3f, .6f, .1f },
                                        { 1.0f / 3, 1.0f / 3, 1.0f / 3 } };
    const struct gray *gray = config;
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = 3, .outs = 1 };
    struct gf_format out = *in;

    if (gray->method.choice >= 0 ? !isnan(gray->green) || !isnan(gray->blue)
                                 : isnan(gray->green) || isnan(gray->blue))
        return gf_fail(err, GF_MISUSED, "gray: takes either a method or three weights, of red, green and blue");
    if (gf_colours(in) < 3)
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
    if (gf_build_to_linear(build, (enum gf_light)gray->light, err) != 0
        || gf_build_point(build, &step, &out, err) != 0)
        return -1;
    return gf_build_from_linear(build, (enum gf_light)gray->light, err);
}

/* Luma is gray with the weights of the video's matrix. */
static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct gray *gray = config;
    const int weights = frame->yuv.matrix == 709 ? REC709 : REC601;

    if (gf_colours(frame) < 3)
        return GF_PLANES_EQUAL;
    if (gray->light == GF_LIGHT_LINEAR || (gray->method.choice != REC601 && gray->method.choice != REC709))
        return GF_PLANES_NONE;
    return gray->method.choice == weights ? GF_PLANES_EQUAL : GF_PLANES_OTHER;
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    (void)config;
    (void)plane;
    (void)in;
    (void)build;
    (void)err;
    return 0;
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
    .group = GF_GROUP_COLOR,
    .summary = "convert color to gray",
    .text = "Red, green and blue become one channel. Alpha is kept. A gray image does not change.\n\n"
            "The methods, applied to the stored (gamma-encoded) values:\n\n"
            "    rec601     .299 r + .587 g + .114 b\n"
            "    rec709     .2126 r + .7152 g + .0722 b\n"
            "    simple     .3 r + .6 g + .1 b\n"
            "    average    (r + g + b) / 3\n"
            "    max        the largest of the three\n"
            "    lightness  the mean of the largest and the smallest\n\n"
            "Three numbers are weights of your own. With light=linear, the sRGB curve is removed first "
            "and applied again afterwards.",
    .examples = examples,
    .picture = "scene.ppm gray",
    .options = options,
    .config_bytes = sizeof(struct gray),
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
