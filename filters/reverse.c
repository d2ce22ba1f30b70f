/* reverse: play audio backwards. */
#include "chain/stage.h"
#include "kernels/geometry/shift.h"

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_shift place = { .first = in->units - 1, .backwards = true };

    (void)config;
    return gf_build_op(build, &gf_op_shift, &place, (struct gf_need) { .whole = true }, in, err);
}

static const char *const examples[] = { "gpufilter -i sound.wav reverse -o backwards.wav", NULL };

const struct gf_stage gf_stage_reverse = {
    .name = "reverse",
    .kind = GF_AUDIO,
    .group = GF_GROUP_TIME,
    .summary = "play backwards",
    .text = "The last frame comes first. Samples are copied without change. Audio from a pipe is read to "
            "its end first.",
    .examples = examples,
    .picture = "voice.wav reverse | waveform:600",
    .wants_length = true,
    .bind = bind,
};
