/* delay: shift audio to a later time. */
#include "chain/stage.h"
#include "kernels/geometry/shift.h"

struct delay {
    struct gf_time time;
};

static const struct gf_option options[] = {
    { .name = "time", .type = GF_OPTION_TIME, .offset = offsetof(struct delay, time), .most = 1e7,
      .required = true,
      .text = "length of the silence before the first frame" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct delay *d = config;
    const struct gf_shift place = { .first = gf_time_frames(&d->time, in->rate) };
    struct gf_format out = *in;

    if (in->units != GF_UNKNOWN)
        out.units += place.first;
    return place.first == 0
               ? 0
               : gf_build_op(build, &gf_op_shift, &place,
                             (struct gf_need) { .shift = -place.first, .longer = place.first }, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav delay:250ms -o later.wav",
    NULL
};

const struct gf_stage gf_stage_delay = {
    .name = "delay",
    .kind = GF_AUDIO,
    .group = GF_GROUP_TIME,
    .summary = "delay all channels, with silence before",
    .text = "All channels start later, and the audio becomes longer by this time. Samples are copied "
            "without change. Times are seconds (0.25, 250ms), m:s, h:m:s, or a number of frames: 1000f.",
    .examples = examples,
    .picture = "voice.wav delay:1 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct delay),
    .bind = bind,
};
