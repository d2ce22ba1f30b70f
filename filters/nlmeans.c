/* nlmeans: remove noise by means of pixels with similar surroundings. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "kernels/neighbourhood/nlmeans.h"
#include "kernels/statistics/grain.h"

#include <math.h>
#include <string.h>

#define ESTIMATED (-1.0)                 /* the strength if none is given */

struct nlmeans {
    double strength;
    int64_t patch, search, frames;
    bool separate;
    int edge;
};

/* State for settle(), which runs after the grain is counted. */
struct settle_context {
    struct gf_nlmeans op;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "strength", .type = GF_OPTION_NUMBER, .offset = offsetof(struct nlmeans, strength),
      .by_default = ESTIMATED, .least = 0, .most = 2, .levels = 1,
      .text = "standard deviation of the noise; 8 of 255 levels are 0.03. It is estimated if it is not given" },
    { .name = "patch", .type = GF_OPTION_INT, .offset = offsetof(struct nlmeans, patch), .by_default = 2,
      .least = 0, .most = GF_NLMEANS_MAX_PATCH, .unit = "pixels", .key_only = true,
      .text = "radius of the square around each pixel that is compared" },
    { .name = "search", .type = GF_OPTION_INT, .offset = offsetof(struct nlmeans, search), .by_default = 10,
      .least = 1, .most = GF_NLMEANS_MAX_SEARCH, .unit = "pixels", .key_only = true,
      .text = "radius of the square in which similar pixels are looked for" },
    { .name = "frames", .type = GF_OPTION_INT, .offset = offsetof(struct nlmeans, frames), .by_default = 0,
      .least = 0, .most = GF_MOST_FRAMES / 2, .key_only = true,
      .text = "number of frames before each one, and as many after it, in which similar pixels are looked for, too: "
              "2 takes five frames in all, as tmean:5 does" },
    { .name = "separate", .type = GF_OPTION_FLAG, .offset = offsetof(struct nlmeans, separate), .key_only = true,
      .text = "compare each channel by itself; otherwise all colors are compared together" },
    GF_EDGE_OPTION(struct nlmeans, edges),
    { .name = NULL }
};

/* Writes the scale for this noise; an image without noise gets one that changes nothing. */
static void write_scale(const struct gf_nlmeans *op, int group, double sigma, float *table)
{
    struct gf_nlmeans_scale scale = gf_nlmeans_scale(op, sigma > 1e-6 ? sigma : 1);

    if (!(sigma > 1e-6))
        scale.value = 0;
    memcpy(table + group * GF_NLMEANS_SCALES, &scale, sizeof scale);
}

static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct gf_nlmeans *op = &((const struct settle_context *)config)->op;
    const uint64_t *counts = m->records;                     /* of all bands, for each channel */

    (void)err;
    for (int first = 0; first < op->channels; first += op->together) {
        double variance = 0;

        for (int c = 0; c < op->together; c++) {
            const double sigma = gf_grain_sigma(counts + (first + c) * GF_GRAIN_BINS);

            variance += sigma * sigma / op->together;
        }
        write_scale(op, first / op->together, sqrt(variance), tables + op->scales_at);
    }
    return 0;
}

static void frames(const void *config, struct gf_frames *need)
{
    const struct nlmeans *n = config;

    need->before = need->after = (int)n->frames;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct nlmeans *n = config;
    const int radius = (int)(n->patch + n->search), colours = gf_colours(in);
    const struct gf_need need = { .whole = n->edge == GF_WRAP, .before = radius, .after = radius };
    const struct gf_grain grain = { .channels = colours };
    struct gf_nlmeans op = { .patch = (int)n->patch, .search = (int)n->search, .channels = colours,
                             .images = 2 * (int)n->frames + 1,
                             .together = n->separate ? 1 : colours, .border = (enum gf_border)n->edge };
    struct settle_context *state = gf_build_alloc(build, sizeof *state);
    float *scales;

    if (state == NULL)
        return gf_fail_memory(err, "nlmeans");
    if (op.together > GF_NLMEANS_CHANNELS)
        return gf_fail(err, GF_FAILED, "nlmeans: %d channels cannot be compared together, at most %d;; add separate",
                       colours, GF_NLMEANS_CHANNELS);
    if (n->strength == 0)
        return 0;
    op.scales_at = gf_build_alloc_table(build, GF_NLMEANS_SCALES * (colours / op.together), &scales);
    state->op = op;
    for (int i = 0; scales != NULL && i < colours / op.together; i++)
        write_scale(&op, i, n->strength, scales);
    if (n->strength < 0 && gf_build_measure(build, &gf_op_grain, &grain, NULL, settle, NULL, state, err) != 0)
        return -1;
    if (gf_build_op(build, &gf_op_nlmeans, &op, need, in, err) != 0)
        return -1;
    gf_build_use_frames(build);
    return 0;
}

/* Planes are compared separately, colors together. */
static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct nlmeans *n = config;

    return n->edge == GF_ZERO ? GF_PLANES_NONE : frame->yuv.mono ? GF_PLANES_EQUAL : GF_PLANES_OTHER;
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    struct nlmeans own = *(const struct nlmeans *)config;

    own.strength *= own.strength > 0 ? plane->range : 1;
    own.search = gf_plane_radius(plane, own.search);
    return bind(&own, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm nlmeans -o calm.png",
    "gpufilter -i photo.ppm noise:0.1 nlmeans:0.1,patch=1,search=7 -o calm.png",
    "gpufilter --join -i photo.ppm -i photo.ppm -i photo.ppm noise:0.1 --rate 25 -o film.y4m && "
    "gpufilter -i film.y4m nlmeans:0.04,frames=2,search=5 --video planes -o calm.y4m",
    "gpufilter -i chart.pgm nlmeans:5%,patch=3,edge=mirror -o calm.png",
    NULL
};

const struct gf_stage gf_stage_nlmeans = {
    .name = "nlmeans",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "remove noise but keep texture: means of similar places",
    .text = "Each pixel becomes a weighted mean of the pixels in the search window, which is 2·search + 1 pixels "
            "wide and high (non-local means). The weight depends on how much their surroundings are alike: on the "
            "mean D of the squared differences between the patches around both pixels, in which the inner 3 by 3 "
            "pixels count 13 times as much as the others. With the strength σ, it is\n\n"
            "    (1 - max(D - 2σ², 0) / Fσ²)^8, 0 for D above (2 + F)σ²\n"
            "    F = 8 / (1 + 8σ)\n\n"
            "Patches that differ only by noise of this strength get the weight 1. The weight is the same for all "
            "colors, unless separate is given. Alpha is copied.\n\n"
            "If no strength is given, it is estimated for each image, and for each frame of a video. This needs the "
            "whole image before the first row is written. Each pixel is compared with its 8 neighbors by the mask "
            "[1 -2 1; -2 4 -2; 1 -2 1] / 6, and half of the results are below 0.6745 σ. Texture would add to them, "
            "so pixels count only if what this mask does not see varies little around them: the calmest eighth in "
            "each quarter of the range from black to white. The strength is the root mean square of the quarters and "
            "of the colors. Quarters that are mostly texture count less.\n\n"
            "Pixels so near to black or white that noise was clipped do not count. The estimate is the noise before "
            "it was clipped. An image does not change if at least half of its pixels equal their neighbors, as in "
            "drawings, on white paper and beside wide black bars, or if it has fewer than 3 rows or columns. Fine "
            "texture all over an image counts as noise, and so do blocks of compression; noise whose pixels are not "
            "independent, as in an image that was enlarged, is underestimated. In all these cases, give a strength."
            "\n\n"
            "With frames=2, pixels are also looked for in the two frames before each frame and the two after it, as "
            "far as they exist. What stands still or moves less than the search window then loses more noise, and "
            "the search window can be smaller. The frame itself still counts most: its pixels keep their places.\n\n"
            "Samples are compared as integers of 15 bits, in steps that suit the strength. Floats far below black "
            "or far above white are not denoised. The time grows with the area of the search window, and hardly "
            "with the patch. With --video planes, luma and chroma are denoised separately, which is faster.",
    .examples = examples,
    .picture = "scene.ppm noise:0.1 nlmeans:0.1",
    .options = options,
    .config_bytes = sizeof(struct nlmeans),
    .frames = frames,
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
