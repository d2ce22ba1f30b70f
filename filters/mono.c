/* mono: mix all channels to one. */
#include "chain/stage.h"

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_MEAN, .channels = in->channels, .outs = 1 };
    struct gf_format out = *in;

    (void)config;
    out.channels = 1;
    return in->channels == 1 ? 0 : gf_build_point(build, &step, &out, err);
}

static const char *const examples[] = { "gpufilter -i sound.wav mono -o mono.wav", NULL };

const struct gf_stage gf_stage_mono = {
    .name = "mono",
    .kind = GF_AUDIO,
    .group = GF_GROUP_REMIX,
    .summary = "mix all channels to one (their mean)",
    .examples = examples,
    .picture = "sound.wav mono | waveform:600",
    .keeps_times = true,
    .remixes = true,
    .bind = bind,
};
