/* dither: reduce the bit depth, with noise instead of distortion. */
#include "chain/stage.h"
#include "kernels/pixel/noise.h"

#include <math.h>
#include <string.h>

struct dither {
    int64_t bits, seed;
};

static const struct gf_option options[] = {
    { .name = "bits", .type = GF_OPTION_INT, .offset = offsetof(struct dither, bits), .least = 2, .most = 24,
      .unit = "bits",
      .text = "bits of a sample; by default as many as the output stores" },
    { .name = "seed", .type = GF_OPTION_INT, .offset = offsetof(struct dither, seed), .by_default = 1,
      .least = 0, .most = 1e15, .key_only = true,
      .text = "start of the random sequence; each number gives different noise" },
    { .name = NULL }
};

static void set_bits(struct gf_noise *noise, int bits)
{
    noise->amplitude = noise->step = ldexpf(1, 1 - bits);
}

/* Sets the bits to those of the output if the user gives none. */
static int fit(const void *params, union gf_op_changed *fitted, const struct gf_format *in,
               const struct gf_format *stored, struct gf_error *err)
{
    struct gf_noise noise = *(const struct gf_noise *)params;
    const bool floats = gf_type_is_float(stored->type), as_read = floats ? gf_type_is_float(in->type) : in->bits > 24;

    if (floats || stored->bits > 24)
        return gf_fail(err, as_read ? GF_FAILED : GF_MISUSED,
                       "dither: the output stores %s, which need no dither;; give the bits, as in dither:16, or "
                       "--depth",
                       floats ? "floats" : "32 bits");
    set_bits(&noise, stored->bits);
    memcpy(fitted, &noise, sizeof noise);
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
    .group = GF_GROUP_REMIX,
    .keeps_times = true,
    .summary = "reduce the bit depth, with noise instead of distortion",
    .text = "Triangular noise of up to one step in each direction is added, and the sum is rounded to "
            "whole steps. The rounding error then does not depend on the audio. Use dither as the last "
            "stage.\n\n"
            "BITS does not change the bit depth of the output; use --depth for that. dither:8 in a 16-bit "
            "file stores 8-bit audio in 16 bits. The noise depends only on the seed, the frame and the "
            "channel, so it is the same in every run.",
    .examples = examples,
    .picture = "voice.wav dither:5 | resample:8k spectrogram:600,512",
    .options = options,
    .config_bytes = sizeof(struct dither),
    .bind = bind,
};
