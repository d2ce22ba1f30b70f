/* vignette: darken the corners. */
#include "chain/stage.h"
#include "filters/light_option.h"
#include "kernels/pixel/vignette.h"

#include <math.h>

struct vignette {
    double strength, radius, roundness, x, y;
    int light;
};

static const char *const lights[] = GF_LIGHT_CHOICES;

static const struct gf_option options[] = {
    { .name = "strength", .type = GF_OPTION_NUMBER, .offset = offsetof(struct vignette, strength),
      .by_default = 0.5, .least = -1, .most = 1,
      .text = "share of the light that the corners lose; 1 makes them black, below 0 makes them brighter" },
    { .name = "radius", .type = GF_OPTION_NUMBER, .offset = offsetof(struct vignette, radius),
      .by_default = 0.4, .least = 0, .most = 0.99,
      .text = "where the darkening begins, as a share of the distance from the center to a corner" },
    { .name = "roundness", .type = GF_OPTION_NUMBER, .offset = offsetof(struct vignette, roundness),
      .by_default = 0, .least = 0, .most = 1, .key_only = true,
      .text = "0: ellipses with the image's proportions; 1: circles" },
    { .name = "x", .type = GF_OPTION_NUMBER, .offset = offsetof(struct vignette, x), .by_default = 0.5,
      .least = -10, .most = 10, .key_only = true,
      .text = "horizontal position of the center, as a share of the width" },
    { .name = "y", .type = GF_OPTION_NUMBER, .offset = offsetof(struct vignette, y), .by_default = 0.5,
      .least = -10, .most = 10, .key_only = true,
      .text = "vertical position of the center, as a share of the height" },
    GF_LIGHT_OPTION(struct vignette, lights),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct vignette *o = config;
    const double w = (double)in->width, h = (double)in->units, round = o->roundness * 4 / (w * w + h * h);
    const double x_scale = sqrt((1 - o->roundness) * 2 / (w * w) + round),
                 y_scale = sqrt((1 - o->roundness) * 2 / (h * h) + round);
    const struct gf_vignette v = { .channels = gf_colours(in), .strength = (float)o->strength,
                                   .x_scale = (float)x_scale, .x_from = (float)((0.5 - o->x * w) * x_scale),
                                   .y_scale = (float)y_scale, .y_from = (float)((0.5 - o->y * h) * y_scale),
                                   .slope = (float)(1 / (1 - o->radius)),
                                   .start = (float)(-o->radius / (1 - o->radius)) };

    if (o->strength == 0)
        return 0;
    if (gf_build_to_linear(build, (enum gf_light)o->light, err) != 0
        || gf_build_op(build, &gf_op_vignette, &v, (struct gf_need) { 0 }, in, err) != 0)
        return -1;
    return gf_build_from_linear(build, (enum gf_light)o->light, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm vignette -o framed.png",
    "gpufilter -i photo.ppm vignette:0.8,0.2,roundness=1 -o spot.png",
    "gpufilter -i photo.ppm vignette:60%,x=69%,y=31%,light=linear -o sun.png",
    NULL
};

const struct gf_stage gf_stage_vignette = {
    .name = "vignette",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "darken the corners",
    .text = "Each color of a pixel is multiplied by\n\n"
            "    1 - STRENGTH·t²·(3 - 2t)\n\n"
            "where t rises from 0 at RADIUS to 1 at a distance of 1. For a pixel dx and dy away from the "
            "center of an image of W by H pixels, with the roundness R, the distance is\n\n"
            "    √( dx²·((1 - R)·2/W² + R·4/(W² + H²))\n"
            "     + dy²·((1 - R)·2/H² + R·4/(W² + H²)) )\n\n"
            "The distance is 1 in the corners for every R. If the center is moved, distances are measured from "
            "there with the same formula.\n\n"
            "The stored values are multiplied. light=linear multiplies linear light, as a lens does. A "
            "STRENGTH below 0 compensates for a lens that darkens the corners. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm vignette:0.9,0.1",
    .options = options,
    .config_bytes = sizeof(struct vignette),
    .bind = bind,
};
