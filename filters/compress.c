/* compress and gate: a gain that follows the level. */
#include "base/elementary.h"
#include "filters/dynamics.h"

struct dynamics {
    double threshold, ratio, knee, makeup, most;
    struct gf_time attack, release, rms, ahead;
    char *by;
};

#define THRESHOLD(what, level)                                                                                        \
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct dynamics, threshold), .least = -140,         \
      .most = 20, .by_default = level, .unit = "dBFS", .text = what }
#define RATIO(what, usual)                                                                                            \
    { .name = "ratio", .type = GF_OPTION_NUMBER, .offset = offsetof(struct dynamics, ratio), .least = 1,              \
      .most = 1000, .by_default = usual, .text = what }
#define TIMES(up, down)                                                                                               \
    { .name = "attack", .type = GF_OPTION_TIME, .offset = offsetof(struct dynamics, attack), .most = 1,               \
      .key_only = true, .text = up },                                                                                 \
    { .name = "release", .type = GF_OPTION_TIME, .offset = offsetof(struct dynamics, release), .most = 60,            \
      .key_only = true, .text = down },                                                                               \
    { .name = "knee", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct dynamics, knee), .least = 0, .most = 60,   \
      .by_default = 6, .unit = "dB", .key_only = true,                                                                \
      .text = "width of the bend of the curve around the threshold; 0 is a corner" }
#define DETECTOR                                                                                                      \
    { .name = "rms", .type = GF_OPTION_TIME, .offset = offsetof(struct dynamics, rms), .most = 1, .key_only = true,   \
      .text = "level is the RMS over this time, instead of the peak; 10ms is usual" },                                \
    { .name = "ahead", .type = GF_OPTION_TIME, .offset = offsetof(struct dynamics, ahead), .most = 1,                 \
      .key_only = true,                                                                                               \
      .text = "look-ahead, at most the attack; 0 by default. A live pipe is delayed by it" },                         \
    { .name = "by", .type = GF_OPTION_INPUT, .offset = offsetof(struct dynamics, by), .key_only = true,               \
      .text = "audio file whose level counts, instead of the input's (side chain)" }

/* Opens the side chain, and returns its number; *f listens to it then. */
static int open_side(const char *stage, const char *file, const struct gf_format *in, struct gf_follow *f,
                     struct gf_build *build, struct gf_error *err)
{
    const struct gf_format *side;
    const int number = gf_build_side(build, file, &side, err);

    if (number < 0)
        return -1;
    if (side->rate != in->rate)
        return gf_fail(err, GF_FAILED, "%s: %s has %d Hz, but the audio has %d Hz;; convert it first: gpufilter -i %s "
                                       "resample:%d -o NEW", stage, file, (int)side->rate, (int)in->rate, file,
                       (int)in->rate);
    f->beside = true;
    f->heard = (struct gf_follow_channels) { 0, side->channels };
    return number;
}

static int bind(const char *stage, const struct dynamics *d, const struct gf_follow_curve *curve,
                const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    struct gf_follow f = { .kept = in->channels, .heard = { 0, in->channels }, .curve = *curve };
    int side = -1;

    f.curve.knee = gf_dynamics_octaves(d->knee);
    if (in->channels >= GF_MAX_CHANNELS)
        return gf_fail(err, GF_FAILED, "%s: must have at most %d channels; this audio has %d", stage,
                       GF_MAX_CHANNELS - 1, in->channels);
    if (d->by != NULL) {
        side = open_side(stage, d->by, in, &f, build, err);
        if (side < 0)
            return -1;
    }
    gf_dynamics_set_fall(&f, &d->release, .1, in);
    if (gf_dynamics_detect(stage, &f, &d->rms, side, build, err) != 0)
        return -1;
    return gf_dynamics_apply(stage, false, &d->attack, .005, gf_time_frames(&d->ahead, in->rate), build, err);
}

/* ---- compress ---- */

static const struct gf_option compress_options[] = {
    THRESHOLD("threshold: louder audio is compressed", -20),
    RATIO("dB of level above the threshold that become 1 dB", 4),
    TIMES("time in which the gain falls after a jump of the level; 5ms by default",
          "time in which the level falls by 10 dB when the audio stops; 100ms by default"),
    { .name = "makeup", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct dynamics, makeup), .least = -60,
      .most = 60, .by_default = 0, .unit = "dB", .key_only = true, .text = "gain afterwards" },
    DETECTOR,
    { .name = NULL }
};

static int bind_compress(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct dynamics *d = config;
    const struct gf_follow_curve curve = { .threshold = gf_dynamics_octaves(d->threshold) + GF_OCTAVES_OF_ONE,
                                           .slope = (float)(1 / d->ratio - 1), .least = gf_dynamics_octaves(-240) };
    const struct gf_point_step makeup = { .kind = GF_POINT_AFFINE, .channels = in->channels,
                                          .a = (float)gf_pow(10, d->makeup / 20) };

    if (bind("compress", d, &curve, in, build, err) != 0)
        return -1;
    return d->makeup != 0 ? gf_build_point(build, &makeup, NULL, err) : 0;
}

static const char *const compress_examples[] = {
    "gpufilter -i sound.wav compress -o even.wav",
    "gpufilter -i sound.wav compress:-24,3,attack=10ms,release=200ms,makeup=6 -o louder.wav",
    "gpufilter -i sound.wav compress:-30,8,by=room.wav,release=500ms -o ducked.wav",
    NULL
};

const struct gf_stage gf_stage_compress = {
    .name = "compress",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .keeps_times = true,
    .summary = "reduce the difference between loud and soft",
    .text = "A level above the threshold is reduced, for all channels alike. In dB, with x = level - threshold, "
            "s = 1/ratio - 1 and a knee w:\n\n"
            "    gain = 0                     for x < -w/2\n"
            "    gain = s·(x + w/2)²/(2·w)    around the threshold\n"
            "    gain = s·x                   for x > w/2\n\n"
            "The level p of a frame is the largest magnitude of its channels; with rms=, the RMS of all channels over "
            "that time up to the frame. It rises at once and falls at a constant rate of 10 dB in the release time:\n\n"
            "    level[n] = max(p[n], level[n-1] - 10 dB / release)\n\n"
            "The gain that is applied is the mean of those gains, as factors, over the attack time before the frame. "
            "With ahead=, the mean begins and ends later by that time, so that the gain is down before a peak; with "
            "ahead equal to the attack, nothing overshoots.\n\n"
            "by=FILE takes the level from another recording with the same sample rate, from its start on: music that "
            "is softer while a voice speaks. After its end there is silence. The file is kept in memory.\n\n"
            "Samples that are not finite do not count. limit keeps peaks below a level strictly, and level changes "
            "the loudness slowly.",
    .examples = compress_examples,
    .picture = "voice.wav compress:-30,8,makeup=15 | waveform:600",
    .options = compress_options,
    .config_bytes = sizeof(struct dynamics),
    .bind = bind_compress,
};

/* ---- gate ---- */

static const struct gf_option gate_options[] = {
    THRESHOLD("threshold: softer audio is reduced", -50),
    RATIO("dB of result for 1 dB of level below the threshold", 4),
    { .name = "most", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct dynamics, most), .least = 0, .most = 140,
      .by_default = 40, .unit = "dB", .key_only = true, .text = "largest reduction" },
    TIMES("time in which the gate opens; 5ms by default",
          "time in which the level falls by 10 dB when the audio stops, so that the gate closes; 100ms by default"),
    DETECTOR,
    { .name = NULL }
};

static int bind_gate(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct dynamics *d = config;
    const struct gf_follow_curve curve = { .threshold = gf_dynamics_octaves(d->threshold) + GF_OCTAVES_OF_ONE,
                                           .slope = (float)(1 - d->ratio), .least = gf_dynamics_octaves(-d->most),
                                           .below = true };

    return bind("gate", d, &curve, in, build, err);
}

static const char *const gate_examples[] = {
    "gpufilter -i sound.wav gate:-45 -o quiet-pauses.wav",
    "gpufilter -i sound.wav gate:-40,20,most=80,ahead=5ms,release=300ms -o silent-pauses.wav",
    NULL
};

const struct gf_stage gf_stage_gate = {
    .name = "gate",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .keeps_times = true,
    .summary = "make pauses quieter (noise gate, expander)",
    .text = "A level below the threshold is reduced further, for all channels alike. In dB, with "
            "x = threshold - level, s = 1 - ratio and a knee w:\n\n"
            "    gain = 0                     for x < -w/2\n"
            "    gain = s·(x + w/2)²/(2·w)    around the threshold\n"
            "    gain = s·x                   for x > w/2, at least -most\n\n"
            "The level rises at once and falls at a constant rate, and the gain is a mean over the attack time, as "
            "compress explains. With ahead= the gate opens before the audio that opens it, so that no consonant is "
            "cut.\n\n"
            "A high ratio is a gate, a low one such as 2 an expander.",
    .examples = gate_examples,
    .picture = "voice.wav gate:-30,10 | waveform:600",
    .options = gate_options,
    .config_bytes = sizeof(struct dynamics),
    .bind = bind_gate,
};
