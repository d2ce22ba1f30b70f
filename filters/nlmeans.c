/* nlmeans: remove noise by means of pixels with similar surroundings. */
#include "chain/stage.h"
#include "filters/edge_option.h"
#include "kernels/neighbourhood/nlmeans.h"

struct nlmeans {
    double strength;
    int64_t patch, search;
    bool separate;
    int edge;
};

static const char *const edges[] = GF_EDGE_CHOICES;

static const struct gf_option options[] = {
    { .name = "strength", .type = GF_OPTION_NUMBER, .offset = offsetof(struct nlmeans, strength), .least = 0,
      .most = 1, .required = true, .levels = 1,
      .text = "standard deviation of the noise; 8 of 255 levels are 0.03" },
    { .name = "patch", .type = GF_OPTION_INT, .offset = offsetof(struct nlmeans, patch), .by_default = 3,
      .least = 0, .most = GF_NLMEANS_MAX_PATCH, .unit = "pixels", .key_only = true,
      .text = "radius of the square around each pixel that is compared" },
    { .name = "search", .type = GF_OPTION_INT, .offset = offsetof(struct nlmeans, search), .by_default = 10,
      .least = 1, .most = GF_NLMEANS_MAX_SEARCH, .unit = "pixels", .key_only = true,
      .text = "radius of the square in which similar pixels are looked for" },
    { .name = "separate", .type = GF_OPTION_FLAG, .offset = offsetof(struct nlmeans, separate), .key_only = true,
      .text = "denoise each channel by itself" },
    GF_EDGE_OPTION(struct nlmeans, edges),
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct nlmeans *n = config;
    const int radius = (int)(n->patch + n->search);
    const struct gf_need need = { .whole = n->edge == GF_WRAP, .before = radius, .after = radius };
    struct gf_nlmeans op = { .patch = (int)n->patch, .search = (int)n->search, .channels = gf_colours(in),
                             .together = n->separate ? 1 : gf_colours(in), .border = (enum gf_border)n->edge };
    float *scales;

    if (n->strength == 0)
        return 0;
    gf_nlmeans_set(&op);
    op.scales_at = gf_build_alloc_table(build, GF_NLMEANS_SCALES * (op.channels / op.together), &scales);
    for (int i = 0; scales != NULL && i < op.channels / op.together; i++)
        ((struct gf_nlmeans_scale *)scales)[i] = gf_nlmeans_scale(&op, n->strength);
    return gf_build_op(build, &gf_op_nlmeans, &op, need, in, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm nlmeans:0.05 -o calm.png",
    NULL
};

const struct gf_stage gf_stage_nlmeans = {
    .name = "nlmeans",
    .kind = GF_IMAGE,
    .group = GF_GROUP_DENOISE,
    .keeps_values = true,
    .summary = "remove noise by similar pixels",
    .text = "todo",
    .examples = examples,
    .picture = "scene.ppm nlmeans:0.05",
    .options = options,
    .config_bytes = sizeof(struct nlmeans),
    .bind = bind,
};
