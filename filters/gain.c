/* gain: change the level. */
#include "base/elementary.h"
#include "chain/stage.h"

#include <math.h>

struct gain {
    double decibels;
};

static const struct gf_option options[] = {
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct gain, decibels), .least = -300,
      .most = 300, .unit = "dB", .required = true,
      .text = "gain; positive values make louder; both -6 and 50% are about half the amplitude" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gain *g = config;
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = in->channels,
                                        .a = (float)gf_pow(10, g->decibels / 20) };

    return g->decibels == 0 ? 0 : gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav gain:-3 -o softer.wav",
    "gpufilter -i sound.wav gain:6dB mono --depth 24 -o louder.wav",
    NULL
};

const struct gf_stage gf_stage_gain = {
    .name = "gain",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .range = GF_RANGE_SET,
    .summary = "change the level",
    .text = "Samples are multiplied by 10^(dB/20). Outputs of integers clip at full scale.",
    .examples = examples,
    .picture = "voice.wav gain:6 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct gain),
    .bind = bind,
};
