/* lens: correct or add the distortion of a lens. */
#include "chain/stage.h"
#include "filters/sampling.h"

#include <math.h>
#include <string.h>

enum { DIAGONAL, SHORT };

struct lens {
    double k1, k2, k3;
    struct gf_either radius;
    double zoom, x, y;
    struct gf_sampling sampling;
};

static const char *const radii[] = { "diagonal", "short", NULL };

static const struct gf_option options[] = {
    { .name = "k1", .type = GF_OPTION_NUMBER, .offset = offsetof(struct lens, k1), .least = -10, .most = 10,
      .required = true, .text = "factor of r²; negative corrects a barrel, positive a pincushion" },
    { .name = "k2", .type = GF_OPTION_NUMBER, .offset = offsetof(struct lens, k2), .least = -10, .most = 10,
      .text = "factor of the fourth power of r" },
    { .name = "k3", .type = GF_OPTION_NUMBER, .offset = offsetof(struct lens, k3), .least = -10, .most = 10,
      .text = "factor of the sixth power of r" },
    { .name = "radius", .type = GF_OPTION_EITHER, .offset = offsetof(struct lens, radius), .by_default = DIAGONAL,
      .choices = radii, .least = 1, .most = 1e7, .unit = "pixels", .key_only = true,
      .text = "distance from the center at which r is 1: half the diagonal, half the shorter side, or pixels" },
    { .name = "zoom", .type = GF_OPTION_NUMBER, .offset = offsetof(struct lens, zoom), .by_default = 1, .least = 0.01,
      .most = 100, .key_only = true, .text = "enlarges the result around the center" },
    { .name = "x", .type = GF_OPTION_NUMBER, .offset = offsetof(struct lens, x), .by_default = 0.5, .least = -10,
      .most = 10, .key_only = true, .text = "center of the lens, as a share of the width" },
    { .name = "y", .type = GF_OPTION_NUMBER, .offset = offsetof(struct lens, y), .by_default = 0.5, .least = -10,
      .most = 10, .key_only = true, .text = "center of the lens, as a share of the height" },
    GF_SAMPLING_OPTIONS(struct lens, "black"),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct lens *l = config;
    const double width = (double)in->width, height = (double)in->units;
    const double radius = l->radius.choice < 0 ? l->radius.number
                        : l->radius.choice == SHORT ? fmin(width, height) / 2
                                                    : sqrt(width * width + height * height) / 2;
    const double m[9] = { width * l->x - .5, height * l->y - .5, 1 / l->zoom, 1 / radius, l->k1, l->k2, l->k3 };
    struct gf_warp op = { .kind = GF_WARP_LENS };
    struct gf_format out = *in;

    memcpy(op.m, m, sizeof op.m);
    return gf_sampling_add_warp("lens", &l->sampling, &op, -1, &out, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm lens:-0.1 -o straight.png",
    "gpufilter -i photo.ppm lens:-0.08,0.01,zoom=1.1,filter=cubic -o straight.png",
    "gpufilter -i photo.ppm lens:0.12,edge=clamp -o bulged.png",
    "gpufilter -i photo.ppm lens:-0.21,0.09,-0.02,radius=812.5,x=0.503,y=0.496 -o undistorted.png",
    NULL
};

const struct gf_stage gf_stage_lens = {
    .name = "lens",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "correct the distortion of a lens",
    .text = "A pixel at the distance r from the center takes its value from the distance\n\n"
            "    r (1 + k1 q + k2 q² + k3 q³), where q is r²\n\n"
            "in the same direction. By default r is 1 in the corners, as in the filter lenscorrection of FFmpeg. For "
            "the coefficients of a calibrated camera of OpenCV, radius is its focal length in pixels, and x and y are "
            "its center, divided by the width and height.\n\n"
            "zoom=1.1 enlarges the result by a tenth, for example so that no background is visible. "
            "If filter=linear is used and the result is stored in 8 bits directly after lens, positions are rounded "
            "to 1/256 of a pixel.",
    .examples = examples,
    .picture = "page.ppm lens:-0.3,0.05",
    .options = options,
    .config_bytes = sizeof(struct lens),
    .bind = bind,
};
