/* insert: put another recording into the audio. */
#include "chain/stage.h"

struct insert {
    char *file;
    struct gf_time at, fade;
};

static const struct gf_option options[] = {
    { .name = "file", .type = GF_OPTION_INPUT, .offset = offsetof(struct insert, file), .required = true,
      .text = "audio file to put in" },
    { .name = "at", .type = GF_OPTION_TIME, .offset = offsetof(struct insert, at), .least = -1e7, .most = 1e7,
      .text = "time at which FILE begins, or end; 0 by default, before the audio" },
    { .name = "fade", .type = GF_OPTION_TIME, .offset = offsetof(struct insert, fade), .most = 600, .key_only = true,
      .text = "length of a crossfade at each seam; 0 by default" },
    { .name = NULL }
};

static int inserts(const void *config, const struct gf_format *in, struct gf_inserting *how, struct gf_error *err)
{
    const struct insert *s = config;
    const int64_t frames = gf_time_frames(&s->at, in->rate);

    *how = (struct gf_inserting) { .file = s->file, .at = frames,
                                   .fade_seconds = (double)gf_time_frames(&s->fade, in->rate) / in->rate };
    if (s->at.sign == '+')
        return gf_fail(err, GF_MISUSED, "insert: at= is a position, not a length;; leave out +");
    if (s->at.sign != '-')
        return 0;
    how->at = frames == 0 ? INT64_MAX : in->units - frames;
    if (frames > 0 && in->units == GF_UNKNOWN)
        return gf_fail(err, GF_FAILED, "insert: a time from the end needs the length of the audio, which is not known");
    return how->at >= 0 ? 0 : gf_fail(err, GF_FAILED, "insert: at= is %g s before the first frame",
                                      (double)-how->at / in->rate);
}

/* FILE is part of the audio before stages see it. */
static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    (void)config, (void)in, (void)build, (void)err;
    return 0;
}

static const char *const examples[] = {
    "gpufilter -i voice.wav insert:sound.wav -o opened.wav",
    "gpufilter -i voice.wav denoise insert:sound.wav,at=0.8,fade=50ms normalize:lufs=-16 -o episode.wav",
    "gpufilter -i voice.wav insert:sound.wav,end -o closed.wav",
    NULL
};

const struct gf_stage gf_stage_insert = {
    .name = "insert",
    .kind = GF_AUDIO,
    .group = GF_GROUP_COMBINE,
    .keeps_times = true,
    .summary = "put another recording into the audio, such as a jingle",
    .text = "What follows AT comes later by the length of FILE. Stages before insert work on the audio without FILE, "
            "stages after it on all. Samples are copied without change.\n\n"
            "    insert:FILE              before the audio\n"
            "    insert:FILE,at=TIME      at a time, which is never within FILE\n"
            "    insert:FILE,at=end       after the audio\n\n"
            "TIME is seconds, m:s, h:m:s or frames such as 1000f; with - it counts from the end, which a pipe must "
            "state. A warning says if the audio ends before TIME; it stays as it is then.\n\n"
            "With fade=, the audio and FILE fade into each other at both seams, with equal power, so the result is "
            "shorter by that time for each seam, and FILE begins earlier than AT by that time. FILE and "
            "each part of the audio must be as long.\n\n"
            "A FILE with another sample rate is resampled to that of the audio at this place in the chain. A mono "
            "FILE is copied to all channels, and for a mono signal all channels of FILE are mixed; other numbers must "
            "be equal. A note says what was changed. The result has the most bits of both.\n\n"
            "FILE is read as it is needed, in bounded memory, also from a named pipe. Markers after TIME move, and "
            "those of FILE follow if its header states its length; tags are those of the audio. Several stages insert "
            "one after another, and times count what was inserted before. After split, each part gets FILE. Stages "
            "before insert run on the CPU.",
    .examples = examples,
    .picture = "voice.wav insert:sound.wav,at=0.8 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct insert),
    .inserts = inserts,
    .bind = bind,
};
