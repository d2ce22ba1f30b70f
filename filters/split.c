/* split: divide audio into several files. */
#include "base/elementary.h"
#include "chain/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORTEST 1.                      /* seconds of silence between parts, unless min= is given */

struct split {
    char *at;
    struct gf_time every, least;
    double db;                           /* NAN: not given */
};

static const struct gf_option options[] = {
    { .name = "at", .type = GF_OPTION_REST, .offset = offsetof(struct split, at),
      .unit = "times separated by commas, such as 1:30,4:05, or silence",
      .text = "times at which a new file begins, or silence" },
    { .name = "every", .type = GF_OPTION_TIME, .offset = offsetof(struct split, every), .most = 1e7, .key_only = true,
      .text = "length of each file; the last one has what is left" },
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct split, db), .by_default = NAN,
      .least = -200, .most = 0, .unit = "dBFS", .key_only = true,
      .text = "silence: level below which all samples of all channels are; the default is -50" },
    { .name = "min", .type = GF_OPTION_TIME, .offset = offsetof(struct split, least), .most = 60, .key_only = true,
      .text = "silence: the shortest between two parts; the default is 1 s" },
    { .name = NULL }
};

/* Reads the time at *text, and moves on to the next one. */
static int read_time(const char **text, struct gf_time *time, struct gf_error *err)
{
    const size_t length = strcspn(*text, ",");
    char word[40];

    if (length == 0 || length >= sizeof word)
        return gf_fail(err, GF_MISUSED, "split: at=%.40s: must be times separated by commas, such as 1:30,4:05, "
                       "or silence", *text);
    snprintf(word, sizeof word, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] == ',' && (*text)[length + 1] != '\0');
    return gf_time_read("split", "at", word, time, err);
}

static int split_at_silence(const struct split *s, int32_t rate, struct gf_splitting *how, struct gf_error *err)
{
    how->level = gf_pow(10, (isnan(s->db) ? -50 : s->db) / 20);
    how->least = s->least.given ? gf_time_frames(&s->least, rate) : (int64_t)(SHORTEST * rate);
    return how->least > 0 ? 0 : gf_fail(err, GF_MISUSED, "split: min=0: silence must have at least one frame");
}

static int splits(const void *config, int32_t rate, struct gf_splitting *how, struct gf_error *err)
{
    const struct split *s = config;
    const char *text = s->at != NULL ? s->at : "";
    const bool silence = strcmp(text, "silence") == 0;

    *how = (struct gf_splitting) { .every = gf_time_frames(&s->every, rate) };
    if ((s->at != NULL) == s->every.given)
        return gf_fail(err, GF_MISUSED, "split: takes either times or every=TIME or silence, such as split:1:30,4:05, "
                       "split:every=60 or split:silence");
    if (!silence && (!isnan(s->db) || s->least.given))
        return gf_fail(err, GF_MISUSED, "split: db= and min= are for split:silence");
    if (silence)
        return split_at_silence(s, rate, how, err);
    if (strncmp(text, "silence,", 8) == 0)
        return gf_fail(err, GF_MISUSED, "split: silence,%.40s: the level is db=LEVEL, the length min=TIME", text + 8);
    if (s->every.given && how->every < 1)
        return gf_fail(err, GF_MISUSED, "split: every=0: a file must have at least one frame");
    for (; *text != '\0'; how->count++) {
        struct gf_time time;

        if (how->count == GF_MOST_CUTS)
            return gf_fail(err, GF_MISUSED, "split: at= has more than %d times", GF_MOST_CUTS);
        if (read_time(&text, &time, err) != 0)
            return -1;
        how->at[how->count] = gf_time_frames(&time, rate);
        if (how->at[how->count] <= (how->count > 0 ? how->at[how->count - 1] : 0))
            return gf_fail(err, GF_MISUSED, "split: at=%s: times must rise, from above 0", s->at);
    }
    return 0;
}

/* The recording is cut before stages see it. */
static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    (void)config, (void)in, (void)build, (void)err;
    return 0;
}

static const char *const examples[] = {
    "gpufilter -i sound.wav split:every=0.5 -o 'part-{n}.wav'",
    "gpufilter -i sound.wav split:0.5,1 fade:10ms,10ms -o 'song-{n:2}.flac'",
    "gpufilter -i voice.wav split:silence,db=-30,min=0.1 silence:trim,-30,keep=50ms -o 'word-{n}.wav'",
    "cat sound.wav | gpufilter normalize split:every=1 stats -o 'levels-{n}.tsv'",
    NULL
};

const struct gf_stage gf_stage_split = {
    .name = "split",
    .kind = GF_AUDIO,
    .group = GF_GROUP_TIME,
    .keeps_times = true,
    .summary = "divide audio into several files",
    .text = "Each part is a recording of its own, and has its own output: the name needs {n}, the number of the part "
            "from 1, or {n:3} with three digits. Stages before split work on the whole recording, such as normalize; "
            "stages after it work on each part, such as fade. Nothing is rounded between them.\n\n"
            "    split:T1,T2,...    parts begin at 0, T1, T2, ...\n"
            "    split:every=TIME   parts of TIME, rounded to frames of audio\n"
            "    split:silence      parts with silence of at least MIN between them\n\n"
            "Times are seconds, m:s, h:m:s or frames such as 1000f. The parts together are the recording, without "
            "gaps. A time after the end makes no part; a warning says so.\n\n"
            "Audio is silent as long as no sample of any channel reaches the level DB. A part ends in the middle of a "
            "silence, but at most MIN before the next sound, so a long pause stays at the end of the part before it. "
            "Silence at the start and the end of the recording makes no part. silence:trim after split cuts it at both "
            "ends of each part, below a level of its own, so give both the same. A click ends a silence, so put "
            "declick before split for a record. If there is only one part, a warning says so; silence:table,above=6 "
            "with --to json reports the level 6 dB above the noise, to try as DB.\n\n"
            "Parts are written as they are read, also from a pipe, and each appears when it is complete. Up to MIN of "
            "silence waits until it ends, in $TMPDIR if it is more than 32 MB or a quarter of --memory. With --strict, "
            "the run ends at the first part with a warning, and those before it stay; if stages before split read "
            "ahead, warnings about the input are those of the last part. Tags are copied to all parts. Markers follow, "
            "except with silence, because the length of a part is not known at its start. Stages before split run on "
            "the CPU.\n\n"
            "There must be one input; --join makes one of several.",
    .examples = examples,
    .options = options,
    .config_bytes = sizeof(struct split),
    .splits = splits,
    .bind = bind,
};
