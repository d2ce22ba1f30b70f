/* mix: add another recording. */
#include "base/elementary.h"
#include "chain/stage.h"
#include "kernels/sound/mix.h"

#include <math.h>

struct mix {
    char *file;
    double gain;
    struct gf_time at;
    bool loop;
};

static const struct gf_option options[] = {
    { .name = "file", .type = GF_OPTION_INPUT, .offset = offsetof(struct mix, file), .required = true,
      .text = "audio file to add" },
    { .name = "gain", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct mix, gain), .least = -200, .most = 200,
      .by_default = 0, .unit = "dB", .text = "gain of FILE; -20 is a quiet bed under a voice" },
    { .name = "at", .type = GF_OPTION_TIME, .offset = offsetof(struct mix, at), .most = 1e7, .key_only = true,
      .text = "time at which FILE starts; 0 by default" },
    { .name = "loop", .type = GF_OPTION_FLAG, .offset = offsetof(struct mix, loop), .key_only = true,
      .text = "begin FILE again at its end, until the audio ends" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct mix *m = config;
    const struct gf_mix mix = { .gain = (float)gf_pow(10, m->gain / 20), .loops = m->loop };
    const int64_t start = gf_time_frames(&m->at, in->rate);
    const struct gf_format *other;
    const int side = gf_build_side(build, m->file, &other, err);
    int64_t beyond;

    if (side < 0)
        return -1;
    if (other->rate != in->rate || other->channels != in->channels)
        return gf_fail(err, GF_FAILED, "mix: %s has %d Hz and %d channels, but the audio here has %d Hz and %d;; make "
                       "them equal with resample and remix", m->file, (int)other->rate, other->channels,
                       (int)in->rate, in->channels);
    beyond = start + other->units - in->units;
    if (in->units != GF_UNKNOWN && start >= in->units)
        gf_build_warn(build, "mix: the audio ends before %s starts, so nothing is added", m->file);
    else if (in->units != GF_UNKNOWN && beyond > 0 && !m->loop)
        gf_build_note(build, "mix: the last %.3f s of %s come after the end of the audio and are left out; "
                      "pad:end=%.3f before mix keeps them", (double)beyond / in->rate, m->file,
                      ceil((double)beyond / in->rate * 1000) / 1000);
    if (gf_build_op(build, &gf_op_mix, &mix, (struct gf_need) { 0 }, NULL, err) != 0)
        return -1;
    gf_build_use_side(build, side, start);
    return 0;
}

static const char *const examples[] = {
    "gpufilter -i sound.wav mix:room.wav -o both.wav",
    "gpufilter -i voice.wav mix:sound.wav,-20 -o bed.wav",
    "gpufilter -i voice.wav mix:sound.wav,-6,at=0.5 -o later.wav",
    "gpufilter -i sound.wav mix:room.wav,-12,loop -o bed.wav",
    NULL
};

const struct gf_stage gf_stage_mix = {
    .name = "mix",
    .kind = GF_AUDIO,
    .group = GF_GROUP_COMBINE,
    .range = GF_RANGE_SET,
    .keeps_times = true,
    .evens_sides = true,
    .summary = "add another recording, such as music under a voice",
    .text = "With a gain g as a factor, a start of T frames, x the audio and s the recording in FILE:\n\n"
            "    y[n] = x[n] + g·s[n - T]\n\n"
            "The result is as long as the audio. Before and after FILE, the audio is copied. A note says how much of "
            "FILE comes after the end; pad:end=TIME before mix makes room for it. With loop, its first frame "
            "follows its last one, until the audio ends, also that of a pipe. If FILE is resampled, then "
            "with silence around it, so some 60 frames at that seam differ from those of an endless recording. For a "
            "tone that is cut at its peak, they differ by 8% of it, which clicks. The middle one of three copies that "
            "are resampled together has no such seam. For a FILE of 8 s:\n\n"
            "    gpufilter --join -i FILE -i FILE -i FILE resample:48k trim:8,16 -o LOOP.wav\n\n"
            "A FILE with another sample rate is resampled to that of the audio at this place in the chain. A mono "
            "FILE is copied to all channels, and a mono signal gets the mean of all channels of FILE; other numbers "
            "must be equal. A note says what was changed. FILE may be compressed, or a named pipe. It is read whole "
            "before the audio, and kept in memory, or in $TMPDIR if it is more than a quarter of --memory.\n\n"
            "Sums may exceed full scale; a warning says so if samples are clipped. limit:-1 after mix prevents that. "
            "--mix adds whole inputs, each divided by their number.",
    .examples = examples,
    .picture = "voice.wav mix:sound.wav,-6,at=0.5 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct mix),
    .bind = bind,
};
