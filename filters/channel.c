/* channel: one of them alone. */
#include "chain/stage.h"
#include "kernels/geometry/select.h"

#include <math.h>

enum letter { RED, GREEN, BLUE, ALPHA, LETTERS };

struct channel {
    int letter;
};

static const char *const letters[] = { "r", "g", "b", "a", "red", "green", "blue", "alpha", NULL };

static const struct gf_option options[] = {
    { .name = "channel", .type = GF_OPTION_CHOICE, .offset = offsetof(struct channel, letter), .choices = letters,
      .required = true, .text = "by its name, or the first letter of it" },
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
    .summary = "one channel alone, as a gray picture",
    .text = "Samples stay what they are. A gray picture gives its gray for r, g and b; without alpha, a is opaque: 1 everywhere.",
    .examples = examples,
    .picture = "scene.ppm channel:r",
    .options = options,
    .config_bytes = sizeof(struct channel),
    .bind = bind,
};

/* ---- of sound, where channels have numbers ---- */

struct sound_channel {
    struct gf_either channel;
};

static const char *const sides[] = { "left", "right", NULL };

static const struct gf_option audio_options[] = {
    { .name = "channel", .type = GF_OPTION_EITHER, .offset = offsetof(struct sound_channel, channel), .choices = sides, .least = 1,
      .most = GF_MAX_CHANNELS, .required = true, .text = "1 is the first, left; 2 the second, right" },
    { .name = NULL }
};

static int bind_audio(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct sound_channel *n = config;
    const int channel = n->channel.choice >= 0 ? n->channel.choice + 1 : (int)n->channel.number;
    const struct gf_select select = { .from = { (signed char)(channel - 1) } };
    struct gf_format out = *in;

    if (n->channel.choice < 0 && n->channel.number != floor(n->channel.number))
        return gf_fail(err, GF_MISUSED, "channel: there is no channel %g; they are counted 1, 2, 3", n->channel.number);
    if (channel > in->channels)
        return gf_fail(err, GF_FAILED, "channel: there is no channel %d; %d %s here", channel, in->channels,
                       in->channels == 1 ? "is all there is" : "are all there are");
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
    .summary = "one channel alone",
    .text = "Channels are counted from 1; left and right are 1 and 2. Samples are moved as they are stored. remix picks several, and mixes them.",
    .examples = audio_examples,
    .picture = "sound.wav channel:2 | waveform:600",
    .options = audio_options,
    .config_bytes = sizeof(struct sound_channel),
    .bind = bind_audio,
};
