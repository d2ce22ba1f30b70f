/* channel: keep one channel. */
#include "chain/stage.h"
#include "kernels/geometry/select.h"

#include <math.h>

enum letter { RED, GREEN, BLUE, ALPHA, LETTERS };

struct channel {
    int letter;
};

static const char *const letters[] = { "r", "g", "b", "a", "red", "green", "blue", "alpha", NULL };

static const struct gf_option options[] = {
    { .name = "channel", .type = GF_OPTION_CHOICE, .offset = offsetof(struct channel, letter),
      .choices = letters, .required = true,
      .text = "name of the channel, or its first letter" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const int letter = ((const struct channel *)config)->letter % LETTERS;
    const bool colours = gf_colours(in) == 3;
    struct gf_point_step step = { .kind = GF_POINT_PICK, .channels = in->channels, .outs = 1 };
    struct gf_format out = *in;

    if (letter == ALPHA)
        step.pick[0] = in->alpha ? (signed char)gf_colours(in) : -1;
    else
        step.pick[0] = (signed char)(colours ? letter : 0);
    out.channels = 1;
    out.alpha = false;
    return in->channels == 1 && letter != ALPHA ? 0 : gf_build_point(build, &step, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm channel:g -o green.pgm",
    "gpufilter -i photo.ppm channel:r histogram:16",
    NULL
};

const struct gf_stage gf_stage_channel = {
    .name = "channel",
    .kind = GF_IMAGE,
    .group = GF_GROUP_CHANNELS,
    .keeps_values = true,
    .summary = "keep one channel, as a gray image",
    .text = "Samples keep their stored values. From a gray image, r, g and b all give its gray. From an "
            "image without alpha, a gives an opaque mask: 1 everywhere.",
    .examples = examples,
    .picture = "scene.ppm channel:r",
    .options = options,
    .config_bytes = sizeof(struct channel),
    .bind = bind,
};

/* ---- audio, whose channels have numbers ---- */

struct sound_channel {
    struct gf_either channel;
};

static const char *const sides[] = { "left", "right", NULL };

static const struct gf_option audio_options[] = {
    { .name = "channel", .type = GF_OPTION_EITHER, .offset = offsetof(struct sound_channel, channel),
      .choices = sides, .least = 1, .most = GF_MAX_CHANNELS, .required = true,
      .text = "number of the channel: 1 is the first (left), 2 the second (right)" },
    { .name = NULL }
};

static int bind_audio(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct sound_channel *n = config;
    const int channel = n->channel.choice >= 0 ? n->channel.choice + 1 : (int)n->channel.number;
    const struct gf_select select = { .from = { (signed char)(channel - 1) } };
    struct gf_format out = *in;

    if (n->channel.choice < 0 && n->channel.number != floor(n->channel.number))
        return gf_fail(err, GF_MISUSED, "channel: %g is not a channel number; channels are 1, 2, 3 …",
                       n->channel.number);
    if (channel > in->channels)
        return gf_fail(err, GF_FAILED, "channel: there is no channel %d; the input has %d %s", channel, in->channels,
                       in->channels == 1 ? "channel" : "channels");
    out.channels = 1;
    return in->channels == 1 ? 0 : gf_build_op(build, &gf_op_select, &select, (struct gf_need) { 0 }, &out, err);
}

static const char *const audio_examples[] = {
    "gpufilter -i sound.wav channel:left -o left.wav",
    NULL
};

const struct gf_stage gf_stage_channel_audio = {
    .name = "channel",
    .kind = GF_AUDIO,
    .group = GF_GROUP_REMIX,
    .summary = "keep one channel",
    .text = "Channels are counted from 1; left and right are 1 and 2. Samples are copied without change. "
            "remix selects several channels, and mixes them.",
    .examples = audio_examples,
    .picture = "sound.wav channel:2 | waveform:600",
    .options = audio_options,
    .config_bytes = sizeof(struct sound_channel),
    .keeps_times = true,
    .remixes = true,
    .bind = bind_audio,
};
