/* dither: fewer bits, with noise instead of distortion. */
#include "noise.h"

#include <math.h>

#include "stage.h"

struct dither {
    int64_t bits, seed;
};

static const struct gf_option options[] = {
    { .name = "bits", .type = GF_OPTION_INT, .offset = offsetof(struct dither, bits), .least = 2, .most = 24, .unit = "bits",
      .text = "of a sample; by default as --depth says, else as the input has" },
    { .name = "seed", .type = GF_OPTION_INT, .offset = offsetof(struct dither, seed), .by_default = 1, .least = 0, .most = 1e15,
      .key_only = true, .text = "another number is another noise" },
    { .name = NULL }
};

/* Of the output, as far as that is known. */
static int64_t bits_of(const struct dither *d, const struct gf_format *in, const struct gf_build *build)
{
    const int depth = gf_build_depth(build);

    return d->bits > 0 ? d->bits : depth != 0 ? depth : gf_type_is_float(in->type) ? -32 : in->bits;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct dither *d = config;
    const int64_t bits = bits_of(d, in, build);
    struct gf_noise noise = { .seed = gf_noise_mix((uint64_t)d->seed + 1), .channels = in->channels };

    if (bits < 0 || bits > 24)
        return gf_fail(err, GF_MISUSED, "dither: %s need no noise; say how many bits are wanted, dither:16, or give --depth",
                       bits < 0 ? "floats" : "32 bits");
    noise.amplitude = noise.step = ldexpf(1, 1 - (int)bits);
    return gf_build_op(build, GF_OP_NOISE, &noise, sizeof noise, (struct gf_need) { 0 }, in, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav gain:-6 dither -o softer.wav",
    "gpufilter -i sound.wav dither:8 --depth 8 -o old.wav",
    "gpufilter -i sound.wav gain:-3 dither --depth 16 -o cd.wav",
    NULL
};

const struct gf_stage gf_stage_dither = {
    .name = "dither",
    .kind = GF_AUDIO,
    .summary = "fewer bits, with noise instead of distortion",
    .text = "Adds triangular noise of up to one step either way and rounds to whole steps, so that what rounding takes away does not depend on the sound. Let "
            "it be the last stage. The noise of a sample is told by the seed, its frame and its channel alone: the same every time, and "
            "however the work is cut.",
    .examples = examples,
    .picture = "voice.wav dither:5 | resample:8k spectrogram:600,512",
    .options = options,
    .config_bytes = sizeof(struct dither),
    .bind = bind,
};
