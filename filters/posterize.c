/* posterize: reduce each channel to a few levels. */
#include "chain/stage.h"

struct posterize {
    int64_t levels;
};

static const struct gf_option options[] = {
    { .name = "levels", .type = GF_OPTION_INT, .offset = offsetof(struct posterize, levels), .least = 2,
      .most = 65536, .required = true,
      .text = "number of levels of each channel, including black and white" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const int levels = (int)((const struct posterize *)config)->levels;
    struct gf_point_step step = { .kind = GF_POINT_TABLE, .channels = gf_colours(in), .bins = levels };
    float *entries;

    step.table = gf_build_alloc_table(build, (int64_t)step.channels * levels, &entries);
    for (int i = 0; entries != NULL && i < step.channels * levels; i++)
        entries[i] = (float)((double)(i % levels) / (levels - 1));
    return gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm posterize:4 -o poster.png",
    "gpufilter -i photo.ppm gray posterize:2 -o ink.png",
    NULL
};

const struct gf_stage gf_stage_posterize = {
    .name = "posterize",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "reduce each channel to N levels: round(v·(N - 1))/(N - 1)",
    .text = "Each value goes to the nearest of N equally spaced levels from 0 to 1. Ties go to the even "
            "level. Values beyond 0 and 1 become 0 and 1. Alpha is copied.",
    .examples = examples,
    .picture = "scene.ppm posterize:4",
    .options = options,
    .config_bytes = sizeof(struct posterize),
    .bind = bind,
};
