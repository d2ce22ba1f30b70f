/* noise: add random grain that depends only on the pixel's position and the seed. */
#include "chain/stage.h"
#include "kernels/pixel/noise.h"

struct grain {
    double amount;
    int shape;
    bool mono;
    int64_t seed;
};

static const char *const shapes[] = { "gaussian", "uniform", NULL };

static const struct gf_option options[] = {
    { .name = "amount", .type = GF_OPTION_NUMBER, .offset = offsetof(struct grain, amount), .least = 0,
      .most = 10, .required = true, .levels = 1,
      .text = "standard deviation of gaussian noise; largest value of uniform noise" },
    { .name = "kind", .type = GF_OPTION_CHOICE, .offset = offsetof(struct grain, shape), .choices = shapes,
      .text = "gaussian: normal distribution; uniform: all values up to the amount are equally likely" },
    { .name = "mono", .type = GF_OPTION_FLAG, .offset = offsetof(struct grain, mono), .key_only = true,
      .text = "add the same noise to all colors of a pixel" },
    { .name = "seed", .type = GF_OPTION_INT, .offset = offsetof(struct grain, seed), .by_default = 1,
      .least = 0, .most = 1e15, .key_only = true,
      .text = "start of the random sequence; each number gives different noise" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct grain *g = config;
    const struct gf_noise noise = { .seed = gf_noise_mix((uint64_t)g->seed + 1), .channels = gf_colours(in),
                                    .mono = g->mono,
                                    .shape = g->shape == 0 ? GF_NOISE_GAUSSIAN : GF_NOISE_UNIFORM,
                                    .amplitude = (float)g->amount };

    return g->amount == 0 ? 0 : gf_build_op(build, &gf_op_noise, &noise, (struct gf_need) { 0 }, in, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm noise:0.05 -o grainy.png",
    "gpufilter -i photo.ppm noise:8%,mono,seed=7 -o film.png",
    "gpufilter -i chart.pgm noise:0.004,uniform posterize:16 -o bands.png",
    NULL
};

const struct gf_stage gf_stage_noise = {
    .name = "noise",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .summary = "add random grain",
    .text = "A random number with mean 0 is added to each color of each pixel. With gaussian noise, two "
            "thirds of the numbers are within AMOUNT, and one in 370 is beyond three times AMOUNT. With "
            "uniform noise, all are within AMOUNT. Values beyond black or white are kept until the end of "
            "the chain. Alpha is copied.\n\n"
            "The noise depends only on the seed, the position of the pixel, its channel, and the number "
            "of the image in its input. It is the same in every run and on every device, but differs in "
            "each frame of a video. To get the same grain in several images, pass each of them as a "
            "separate input. To keep the grain of the whole image, crop after noise, not before it.",
    .examples = examples,
    .picture = "scene.ppm noise:0.1",
    .options = options,
    .config_bytes = sizeof(struct grain),
    .bind = bind,
};
