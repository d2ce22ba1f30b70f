/* tophat and background: what is left of an image without its opening or its closing. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "filters/twice.h"
#include "kernels/neighbourhood/box.h"
#include "kernels/neighbourhood/rank/rank.h"
#include "kernels/neighbourhood/rank/tophat.h"

#include <math.h>

#define NOISE_RADIUS 1                   /* of the mean that keeps single pixels of noise out of the background */

enum { BRIGHT, DARK };                   /* details that stay */

struct tophat {
    int64_t radius;
    int details;
    double level;                        /* of background */
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;
static const char *const colours[] = { "white", "black", NULL };
static const char *const grounds[] = { "dark", "light", NULL };

static const struct gf_option options_tophat[] = {
    { .name = "radius", .type = GF_OPTION_INT, .offset = offsetof(struct tophat, radius), .least = 1,
      .most = GF_RANK_MAX_RADIUS, .required = true, .unit = "pixels",
      .text = "radius of the square, which is 2·radius + 1 pixels wide and high" },
    { .name = "details", .type = GF_OPTION_CHOICE, .offset = offsetof(struct tophat, details), .by_default = BRIGHT,
      .choices = colours,
      .text = "white: what is brighter than its surroundings; black: what is darker" },
    GF_EDGE_OPTION(struct tophat, edges),
    { .name = NULL }
};

static const struct gf_option options_background[] = {
    { .name = "radius", .type = GF_OPTION_INT, .offset = offsetof(struct tophat, radius), .least = 1,
      .most = GF_RANK_MAX_RADIUS, .required = true, .unit = "pixels",
      .text = "radius of the square, which must be larger than the objects: a square of 2·radius + 1 pixels does not "
              "fit into them" },
    { .name = "ground", .type = GF_OPTION_CHOICE, .offset = offsetof(struct tophat, details), .by_default = BRIGHT,
      .choices = grounds,
      .text = "dark: the objects are brighter than the background; light: they are darker" },
    { .name = "level", .type = GF_OPTION_NUMBER, .offset = offsetof(struct tophat, level), .by_default = NAN,
      .least = -10, .most = 10, .levels = 6, .key_only = true,
      .text = "value that the background becomes; by default 0, black, if it is dark, and 1, white, if it is light" },
    GF_EDGE_OPTION(struct tophat, edges),
    { .name = NULL }
};

static struct gf_need need_of(const struct tophat *t, int64_t radius)
{
    return (struct gf_need) { .whole = t->edge == GF_WRAP, .before = radius, .after = radius };
}

/* Adds the opening of the colors that change, or their closing. */
static int add_opening(const struct tophat *t, const struct gf_format *in, const struct gf_format *twice,
                       struct gf_build *build, struct gf_error *err)
{
    const struct gf_need need = need_of(t, t->radius);
    struct gf_rank rank = { .pick = t->details == BRIGHT ? GF_RANK_LEAST : GF_RANK_GREATEST,
                            .radius = (int)t->radius, .channels = gf_colours(in), .border = (enum gf_border)t->edge };

    if (gf_build_op(build, &gf_op_rank, &rank, need, twice, err) != 0)
        return -1;
    rank.pick = t->details == BRIGHT ? GF_RANK_GREATEST : GF_RANK_LEAST;
    return gf_build_op(build, &gf_op_rank, &rank, need, twice, err);
}

static int bind_tophat(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct tophat *t = config;
    const struct gf_tophat hat = { .radius = (int)t->radius, .channels = gf_colours(in),
                                   .border = (enum gf_border)t->edge, .dark = t->details == DARK };

    return gf_build_op(build, &gf_op_tophat, &hat, need_of(t, 2 * t->radius), in, err);
}

/* Adds a mean of the colors that change. */
static int add_mean(const struct tophat *t, int64_t radius, const struct gf_format *in, const struct gf_format *twice,
                    struct gf_build *build, struct gf_error *err)
{
    const struct gf_box box = { .radius = (int)radius, .border = (enum gf_border)t->edge, .both = true,
                                .copied = in->channels };

    return gf_build_op(build, &gf_op_box, &box, need_of(t, radius), twice, err);
}

static int bind_background(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct tophat *t = config;
    const double level = !isnan(t->level) ? t->level : t->details == BRIGHT ? 0 : 1;
    const struct gf_point_step lift = { .kind = GF_POINT_AFFINE, .channels = gf_colours(in), .a = 1,
                                        .b = (float)level };
    struct gf_format twice;

    if (gf_twice_open(in, &twice, build, err) != 0 || add_mean(t, NOISE_RADIUS, in, &twice, build, err) != 0
        || add_opening(t, in, &twice, build, err) != 0 || add_mean(t, t->radius, in, &twice, build, err) != 0
        || gf_twice_subtract(in, -1, build, err) != 0)
        return -1;
    return level == 0 ? 0 : gf_build_point(build, &lift, NULL, err);
}

static const char *const examples_tophat[] = {
    "gpufilter -i photo.ppm gray tophat:6 levels:0,0.2 -o highlights.png",
    "gpufilter -i chart.pgm tophat:4,black -o lines.png",
    NULL
};

static const char *const examples_background[] = {
    "gpufilter -i page.ppm background:10,light -o even.png",
    "gpufilter -i chart.pgm background:20 -o flat.png",
    "gpufilter -i photo.ppm gray background:25,level=0.2 median:1 -o spots.png",
    NULL
};

const struct gf_stage gf_stage_tophat = {
    .name = "tophat",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .range = GF_RANGE_SET,
    .summary = "keep bright or dark detail that is smaller than a square",
    .text = "    white    v - open(v)\n"
            "    black    close(v) - v\n\n"
            "Here open and close are the stages of these names. Objects into which the square does not fit stay, "
            "with their height above their surroundings; everything else becomes 0. Channels are treated separately. "
            "Alpha is copied.\n\n"
            "The result for bytes is exact. The stage background does almost the same for microscopes and scans, "
            "without the corners of the squares.",
    .examples = examples_tophat,
    .picture = "scene.ppm tophat:6",
    .options = options_tophat,
    .config_bytes = sizeof(struct tophat),
    .bind = bind_tophat,
};

const struct gf_stage gf_stage_background = {
    .name = "background",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .range = GF_RANGE_SET,
    .summary = "subtract an uneven background, as of a scanned page",
    .text = "The background is what is left after four steps: the mean of 3 by 3 pixels, against noise; the minimum "
            "and then the maximum of the square, which remove the objects (if the background is light, in the other "
            "order); and the mean of the square, which smooths what remains. Then\n\n"
            "    v = v - background + level\n\n"
            "This serves the purpose of ImageJ's Subtract Background (rolling ball). The radius is that of objects "
            "in both. The background is smooth here, while that of tophat consists of squares.\n\n"
            "Noise around the background has values below the level, too. Outputs of integers clip those below 0 or "
            "above 1; level=0.1 keeps them. Channels are treated separately. Alpha is copied.",
    .examples = examples_background,
    .picture = "page.ppm background:8,light",
    .options = options_background,
    .config_bytes = sizeof(struct tophat),
    .bind = bind_background,
};
