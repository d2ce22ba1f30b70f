/* stack: make one image of many exposures of the same scene. */
#include "chain/stage.h"

#include <math.h>

struct stack {
    int of;
    double kappa;
};

/* The order is that of enum gf_stack_of. */
static const char *const values[] = { "mean", "median", "min", "max", "sum", "sigma", "clip", NULL };

static const struct gf_option options[] = {
    { .name = "value", .type = GF_OPTION_CHOICE, .offset = offsetof(struct stack, of), .choices = values,
      .required = true, .text = "what to compute of each pixel" },
    { .name = "kappa", .type = GF_OPTION_NUMBER, .offset = offsetof(struct stack, kappa), .by_default = NAN,
      .least = 1, .most = 100, .text = "clip: how many standard deviations from the mean are kept; 3 by default" },
    { .name = NULL }
};

static void joins(const void *config, struct gf_joining *how)
{
    const struct stack *s = config;

    *how = (struct gf_joining) { .kind = GF_JOINING_STACK, .of = (enum gf_stack_of)s->of,
                                 .kappa = isnan(s->kappa) ? 3 : s->kappa };
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct stack *s = config;

    (void)in;
    if (s->of != GF_STACK_CLIP && !isnan(s->kappa))
        return gf_fail(err, GF_MISUSED, "stack: kappa= is for clip, not for %s", values[s->of]);
    return gf_build_keep_floats(build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm noise:0.1,seed=1 -o a.png && gpufilter -i photo.ppm noise:0.1,seed=2 -o b.png && "
    "gpufilter -i a.png -i b.png stack:mean --depth 16 -o less-noise.png",
    "gpufilter --join -i photo.ppm -i photo.ppm noise:0.1 --rate 10 -o film.y4m && "
    "gpufilter -i film.y4m stack:median -o still.png",
    NULL
};

const struct gf_stage gf_stage_stack = {
    .name = "stack",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COMBINE,
    .joins = joins,
    .summary = "make one image of many exposures: mean, median, sum and others",
    .text = "All images of all inputs become one image; all must have the same size and channels. Each sample of the "
            "result is a value of the samples at its place:\n\n"
            "    mean     the sum divided by the number of images\n"
            "    median   the middle one; of two in the middle, their mean\n"
            "    min      the smallest\n"
            "    max      the largest\n"
            "    sum      the sum, where 1 is white; .pfm stores sums above 1\n"
            "    sigma    the standard deviation, of all images (not one less)\n"
            "    clip     the mean of those at most kappa sigma from the mean of all\n\n"
            "Sums of integer samples are exact; floats, and the results of stages before, are added as doubles in the "
            "order of the images. A sample that is not a number makes the result none. Alpha is computed like a "
            "color.\n\n"
            "The output has the depth of the images; --depth 16 or f32 keeps more of a mean. median and clip keep all "
            "images until the end, in a temporary file if they are large; a note says how much that is. The others "
            "keep one image.\n\n"
            "Stages before stack work on each image, those after it on the result. For exposures with a dark and a "
            "flat image, see gpufilter-workflows(7).",
    .examples = examples,
    .options = options,
    .config_bytes = sizeof(struct stack),
    .bind = bind,
};
