/* trim: keep a part of the audio. */
#include "chain/stage.h"
#include "kernels/geometry/shift.h"

struct trim {
    struct gf_time from, to;
};

static const struct gf_option options[] = {
    { .name = "from", .type = GF_OPTION_TIME, .offset = offsetof(struct trim, from), .least = -1e7, .most = 1e7,
      .required = true,
      .text = "start of the part" },
    { .name = "to", .type = GF_OPTION_TIME, .offset = offsetof(struct trim, to), .least = -1e7, .most = 1e7,
      .text = "end of the part, or its length as +TIME; by default the end of the audio" },
    { .name = NULL }
};

static bool waits(const void *config)
{
    const struct trim *t = config;

    return t->from.sign == '-' || t->to.sign == '-';
}

/* Returns the frame of a time. If it counts from the end, the length must be known. */
static int64_t position(const struct gf_time *t, const struct gf_format *in)
{
    const int64_t frames = gf_time_frames(t, in->rate);

    return t->sign == '-' ? in->units - frames : frames;
}

/* Refuses arguments that leave nothing of any audio: the part ends at its start or before it. */
static int check_times(const struct trim *t, int rate, struct gf_error *err)
{
    const bool from_end = t->from.sign == '-', to_end = t->to.sign == '-';
    const int64_t from = gf_time_frames(&t->from, rate) * (from_end ? -1 : 1);
    const int64_t to = gf_time_frames(&t->to, rate) * (to_end ? -1 : 1) + (t->to.sign == '+' ? from : 0);

    if (!t->to.given || to > from || (t->to.sign != '+' && from_end != to_end))
        return 0;
    if (t->from.sign == 0 && t->to.sign == 0 && to > 0)
        return gf_fail(err, GF_MISUSED, "trim: nothing is left from %g s to %g s; for a length write trim:%g,+%g",
                       (double)from / rate, (double)to / rate, (double)from / rate, (double)to / rate);
    return gf_fail(err, GF_MISUSED, "trim: nothing is left from %g s to %g s", (double)from / rate,
                   (double)to / rate);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct trim *t = config;
    const bool known = in->units != GF_UNKNOWN;
    int64_t from = position(&t->from, in), to = position(&t->to, in) + (t->to.sign == '+' ? from : 0);
    struct gf_format out = *in;
    struct gf_shift place;

    if (check_times(t, in->rate, err) != 0)
        return -1;
    if (!known && waits(config))
        return gf_fail(err, GF_FAILED, "trim: a time from the end needs the length of the input, which is not known");
    if (from < 0)
        return gf_fail(err, GF_FAILED, "trim: the start is %g s before the first frame", (double)-from / in->rate);
    if (known && from >= in->units && (from > 0 || t->to.given))
        return gf_fail(err, GF_FAILED, "trim: nothing is left: the start is at %g s, but the audio ends at %g s",
                       (double)from / in->rate, (double)in->units / in->rate);
    if (known && t->to.given && to <= from)
        return gf_fail(err, GF_FAILED, "trim: nothing is left from %g s to %g s", (double)from / in->rate,
                       (double)to / in->rate);
    to = !t->to.given || (known && to > in->units) ? in->units : to;
    if (from == 0 && to == in->units)
        return 0;
    place = (struct gf_shift) { .first = -from };
    if (known)
        out.units = to - from;
    return gf_build_op(build, &gf_op_shift, &place,
                       (struct gf_need) { .shift = from, .longer = -from, .most = t->to.given ? to - from : 0 },
                       &out, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav trim:0.1,+0.25 -o middle.wav",
    "gpufilter -i sound.wav trim:0,-100ms -o shorter.wav",
    "gpufilter -i sound.wav trim:1000f,0:00.5 -o start.wav",
    NULL
};

const struct gf_stage gf_stage_trim = {
    .name = "trim",
    .kind = GF_AUDIO,
    .group = GF_GROUP_TIME,
    .summary = "keep a part of the audio",
    .text = "A position is seconds (1.5, 500ms), m:s, h:m:s, or a number of frames: 1000f. A position "
            "with - counts from the end. +TIME as the second value is the length of the part. If the "
            "audio ends earlier, so does the part.\n\n"
            "Samples are copied without change. Reading a pipe stops at the end of the part, so an "
            "endless pipe works. A position from the end reads the whole pipe first.",
    .examples = examples,
    .picture = "voice.wav trim:0.5,1.5 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct trim),
    .wants_length = true,
    .waits = waits,
    .bind = bind,
};
