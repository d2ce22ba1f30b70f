/* split: divide audio into several files. */
#include "chain/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct split {
    char *at;
    struct gf_time every;
};

static const struct gf_option options[] = {
    { .name = "at", .type = GF_OPTION_REST, .offset = offsetof(struct split, at),
      .unit = "times separated by commas, such as 1:30,4:05",
      .text = "times at which a new file begins" },
    { .name = "every", .type = GF_OPTION_TIME, .offset = offsetof(struct split, every), .most = 1e7, .key_only = true,
      .text = "length of each file; the last one has what is left" },
    { .name = NULL }
};

/* Reads the time at *text, and moves on to the next one. */
static int read_time(const char **text, struct gf_time *time, struct gf_error *err)
{
    const size_t length = strcspn(*text, ",");
    char word[40];

    if (length == 0 || length >= sizeof word)
        return gf_fail(err, GF_MISUSED, "split: at=%.40s: must be times separated by commas, such as 1:30,4:05", *text);
    snprintf(word, sizeof word, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] == ',' && (*text)[length + 1] != '\0');
    return gf_time_read("split", "at", word, time, err);
}

static int splits(const void *config, int32_t rate, struct gf_splitting *how, struct gf_error *err)
{
    const struct split *s = config;
    const char *text = s->at != NULL ? s->at : "";

    *how = (struct gf_splitting) { .every = gf_time_frames(&s->every, rate) };
    if ((s->at != NULL) == s->every.given)
        return gf_fail(err, GF_MISUSED, "split: takes either times or every=TIME, such as split:1:30,4:05 or "
                       "split:every=60");
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
            "    split:every=TIME   parts of TIME, rounded to frames of audio\n\n"
            "Times are seconds, m:s, h:m:s or frames such as 1000f. The parts together are the recording, without "
            "gaps. A time after the end makes no part; a warning says so.\n\n"
            "Parts are written as they are read, also from a pipe, and each appears when it is complete. Tags are "
            "copied to all of them, and markers follow. Stages before split run on the CPU.\n\n"
            "There must be one input; --join makes one of several.",
    .examples = examples,
    .options = options,
    .config_bytes = sizeof(struct split),
    .splits = splits,
    .bind = bind,
};
