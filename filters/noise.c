/* noise: grain that is told by the place of a pixel. */
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
    { .name = "amount", .type = GF_OPTION_NUMBER, .offset = offsetof(struct grain, amount), .least = 0, .most = 10, .required = true, .levels = 1,
      .text = "standard deviation of gaussian noise; how far uniform noise goes to either side" },
    { .name = "kind", .type = GF_OPTION_CHOICE, .offset = offsetof(struct grain, shape), .choices = shapes,
      .text = "how often noise is how large: normally distributed, or all alike up to the amount" },
    { .name = "mono", .type = GF_OPTION_FLAG, .offset = offsetof(struct grain, mono), .key_only = true,
      .text = "the same noise for all colours of a pixel" },
    { .name = "seed", .type = GF_OPTION_INT, .offset = offsetof(struct grain, seed), .by_default = 1, .least = 0, .most = 1e15,
      .key_only = true, .text = "another number is another noise" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct grain *g = config;
    const struct gf_noise noise = { .seed = gf_noise_mix((uint64_t)g->seed + 1), .channels = gf_colours(in), .mono = g->mono,
                                    .shape = g->shape == 0 ? GF_NOISE_GAUSSIAN : GF_NOISE_UNIFORM, .amplitude = (float)g->amount };

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
    .summary = "grain: random numbers are added",
    .text = "Adds to each colour of each pixel a random number around 0: of gaussian noise, two thirds lie within AMOUNT to "
            "either side, and one in 370 beyond three times of it; of uniform noise, none lies beyond AMOUNT. The number is "
            "told by the seed, the place of the pixel, its channel, and which picture of its input it belongs to: the same "
            "every time, on every device and however the work is cut, but another in each frame of a video. For the same "
            "grain in several, each of them has to be an input of its own. Crop behind the noise, and not before it, where "
            "parts of a picture shall keep theirs. What goes beyond black or white is kept up to the end of the chain. Alpha "
            "is copied.",
    .examples = examples,
    .picture = "scene.ppm noise:0.1",
    .options = options,
    .config_bytes = sizeof(struct grain),
    .bind = bind,
};
