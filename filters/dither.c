/* dither: fewer bits, with noise instead of distortion. */
#include "chain/stage.h"
#include "kernels/pixel/noise.h"

#include <math.h>

struct dither {
    int64_t bits, seed;
};

static const struct gf_option options[] = {
    { .name = "bits", .type = GF_OPTION_INT, .offset = offsetof(struct dither, bits), .least = 2, .most = 24, .unit = "bits",
      .text = "of a sample; by default as many as the output stores" },
    { .name = "seed", .type = GF_OPTION_INT, .offset = offsetof(struct dither, seed), .by_default = 1, .least = 0, .most = 1e15,
      .key_only = true, .text = "another number is another noise" },
    { .name = NULL }
};

static void set_bits(struct gf_noise *noise, int bits)
{
    noise->amplitude = noise->step = ldexpf(1, 1 - bits);
}

/* Not told how many bits: as many as the output stores. */
static int fit(void *params, const struct gf_format *in, const struct gf_format *stored, struct gf_error *err)
{
    const bool floats = gf_type_is_float(stored->type), as_read = floats ? gf_type_is_float(in->type) : in->bits > 24;

    if (floats || stored->bits > 24)
        return gf_fail(err, as_read ? GF_FAILED : GF_MISUSED, "dither: the output holds %s, which need no noise; say how many bits are wanted, "
                       "dither:16, or give --depth", floats ? "floats" : "32 bits");
    set_bits(params, stored->bits);
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct dither *d = config;
    struct gf_noise noise = { .seed = gf_noise_mix((uint64_t)d->seed + 1), .channels = in->channels };

    if (d->bits > 0)
        set_bits(&noise, (int)d->bits);
    if (gf_build_op(build, &gf_op_noise, &noise, (struct gf_need) { 0 }, in, err) != 0)
        return -1;
    if (d->bits == 0)
        gf_build_set_fit(build, fit);
    return 0;
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
    .keeps_times = true,
    .summary = "fewer bits, with noise instead of distortion",
    .text = "Adds triangular noise of up to one step either way and rounds to whole steps, so that what rounding takes away "
            "does not depend on the sound. Let it be the last stage. BITS does not change how the output is stored, which --depth does: "
            "dither:8 in a file of 16 bits is sound of 8 bits there. The noise of a sample is told by the seed, its "
            "frame and its channel alone: the same every time, and however the work is cut.",
    .examples = examples,
    .picture = "voice.wav dither:5 | resample:8k spectrogram:600,512",
    .options = options,
    .config_bytes = sizeof(struct dither),
    .bind = bind,
};
