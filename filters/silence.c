/* silence: list the silent spans of audio, or cut them. */
#include "base/elementary.h"
#include "chain/stage.h"
#include "kernels/statistics/tops.h"
#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 200                        /* blocks per second, in which the level is measured */
#define SHORTEST .5                      /* seconds of a pause, unless min= is given */
#define FLOOR_SHARE 10                   /* the noise floor is the level that 1 of so many blocks does not exceed */

enum { TRIM, SHORTEN, TABLE };

struct silence {
    int mode;
    double db, above;                    /* NAN: not given */
    struct gf_time least, keep;
};

/* State for the functions that run after the audio is measured. */
struct report_context {
    struct silence options;
    struct gf_format in;
    int64_t block;
};

#define LOUD -6                          /* dBFS that are hardly meant as silence */

static const char *const modes[] = { "trim", "shorten", "table", NULL };

static const struct gf_option options[] = {
    { .name = "mode", .type = GF_OPTION_CHOICE, .offset = offsetof(struct silence, mode), .choices = modes,
      .required = true, .text = "trim: cut it at both ends; shorten: cut long pauses; table: list it" },
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct silence, db), .by_default = NAN,
      .least = -200, .most = 0, .unit = "dBFS",
      .text = "level below which all samples of all channels are silence; the default is -50" },
    { .name = "above", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct silence, above), .by_default = NAN,
      .least = 0, .most = 100, .unit = "dB", .key_only = true,
      .text = "this far above the noise floor instead, which is found in the audio; 6 suits steady noise" },
    { .name = "min", .type = GF_OPTION_TIME, .offset = offsetof(struct silence, least), .least = 0, .most = 1e7,
      .key_only = true, .text = "shortest span of shorten and table; the default is 0.5 s" },
    { .name = "keep", .type = GF_OPTION_TIME, .offset = offsetof(struct silence, keep), .least = 0, .most = 1e7,
      .key_only = true,
      .text = "shorten: length of a pause after it, by default min; trim: silence at each end, by default none" },
    { .name = NULL }
};

/* ---- the spans ---- */

static int compare_levels(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return x < y ? -1 : x > y;
}

/* Finds the noise floor, which digital silence does not count for. 0: there is nothing else. */
static int find_floor(const struct gf_measured *m, struct gf_build *build, double *level, struct gf_error *err)
{
    const float *const tops = m->records;
    float *const sorted = gf_build_alloc(build, (size_t)(m->blocks + 1) * sizeof *sorted);
    int64_t n = 0;

    if (sorted == NULL)
        return gf_fail_memory(err, "silence");
    for (int64_t i = 0; i < m->blocks; i++)
        if (tops[i] > 0)
            sorted[n++] = tops[i];
    qsort(sorted, (size_t)n, sizeof *sorted, compare_levels);
    *level = n > 0 ? (double)sorted[n / FLOOR_SHARE] : 0;
    return 0;
}

/* Finds the level below which audio is silent. */
static int find_threshold(const struct silence *s, const struct gf_measured *m, struct gf_build *build, double *level,
                          struct gf_error *err)
{
    if (isnan(s->above)) {
        *level = gf_pow(10, (isnan(s->db) ? -50 : s->db) / 20);
        return 0;
    }
    if (find_floor(m, build, level, err) != 0)
        return -1;
    *level *= gf_pow(10, s->above / 20);
    return 0;
}

/* Spans of frames. */
struct spans {
    struct gf_span *span;
    int64_t count;
};

/* Finds all silent spans of at least `least` frames, to a block. */
static int find_silence(const struct report_context *r, const struct gf_measured *m, double level, int64_t least,
                        struct gf_build *build, struct spans *found, struct gf_error *err)
{
    const float *const tops = m->records;
    int64_t runs = 0;

    for (int pass = 0; pass < 2; pass++) {       /* the first one counts them */
        found->count = 0;
        if (pass == 1 && (found->span = gf_build_alloc(build, (size_t)(runs + 1) * sizeof *found->span)) == NULL)
            return gf_fail_memory(err, "silence");
        for (int64_t i = 0, from = -1; i <= m->blocks; i++) {
            const bool quiet = i < m->blocks && (tops[i] == 0 || (double)tops[i] < level);
            const int64_t end = i * r->block < r->in.units ? i * r->block : r->in.units;

            if (quiet && from < 0)
                from = i * r->block;
            if (quiet || from < 0)
                continue;
            if (end - from + r->block > least && pass == 1)
                found->span[found->count] = (struct gf_span) { from, end };
            found->count += end - from + r->block > least;
            from = -1;
        }
        runs = found->count;
    }
    return 0;
}

static int measure_silence(const struct report_context *r, const struct gf_measured *m, int64_t least,
                           struct gf_build *build, double *level, struct spans *found, struct gf_error *err)
{
    return find_threshold(&r->options, m, build, level, err) != 0
        || find_silence(r, m, *level, least, build, found, err) != 0 ? -1 : 0;
}

static int64_t frames_of(const struct gf_time *t, double by_default, int32_t rate)
{
    return t->given ? gf_time_frames(t, rate) : (int64_t)(by_default * rate);
}

/* Makes a table with a row for each span: its start, its end and its length, in units of 1 / `rate` seconds. */
static int make_table(const struct spans *found, int32_t rate, struct gf_build *build, struct gf_table *table,
                      struct gf_error *err)
{
    static const char *const fields[] = { "start", "end", "length" };
    const size_t rows = (size_t)found->count + 1;
    const char **const names = gf_build_alloc(build, rows * sizeof *names);
    char (*const numbers)[24] = gf_build_alloc(build, rows * sizeof *numbers);
    double *const values = gf_build_alloc(build, rows * 3 * sizeof *values);

    if (names == NULL || numbers == NULL || values == NULL)
        return gf_fail_memory(err, "silence");
    for (int64_t i = 0; i < found->count; i++) {
        const struct gf_span s = found->span[i];

        snprintf(numbers[i], sizeof numbers[i], "%lld", (long long)i + 1);
        names[i] = numbers[i];
        values[3 * i] = (double)s.start / rate;
        values[3 * i + 1] = (double)s.end / rate;
        values[3 * i + 2] = (double)(s.end - s.start) / rate;
    }
    *table = (struct gf_table) { .channels = (int)found->count, .channel_names = names, .fields = 3,
                                 .field_names = fields, .values = values };
    return 0;
}

static int report_silence(const void *config, const struct gf_measured *m, struct gf_build *build,
                          struct gf_table *table, struct gf_error *err)
{
    static const struct gf_table_kind kind = { .row = "span", .rows = "spans" };
    const struct report_context *r = config;
    const int64_t least = frames_of(&r->options.least, SHORTEST, r->in.rate);
    const char **const notes = gf_build_alloc(build, 2 * sizeof *notes);
    char *const note = gf_build_alloc(build, 80);
    struct spans found;
    double level;

    if (notes == NULL || note == NULL)
        return gf_fail_memory(err, "silence");
    if (measure_silence(r, m, least, build, &level, &found, err) != 0
        || make_table(&found, r->in.rate, build, table, err) != 0)
        return -1;
    snprintf(note, 80, "below %.1f dBFS for %g s or more", 20 * gf_log10(level), (double)least / r->in.rate);
    notes[0] = note;
    table->notes = notes;
    table->kind = &kind;
    table->samples = r->in.units;
    return 0;
}

/* Reduces silent spans to what is cut of them. */
static int64_t choose_cuts(const struct report_context *r, struct spans *found, int64_t keep)
{
    const bool trims = r->options.mode == TRIM;
    int64_t cuts = 0;

    for (int64_t i = 0; i < found->count; i++) {
        struct gf_span s = found->span[i];

        if (trims && s.start == 0)
            s.end -= keep;
        else if (trims && s.end == r->in.units)
            s.start += keep;
        else if (trims)
            continue;
        else
            s = (struct gf_span) { s.start + keep / 2, s.end - (keep - keep / 2) };
        if (s.end > s.start)
            found->span[cuts++] = s;
    }
    return cuts;
}

/* Reports the spans that remain, in frames. */
static int report_kept(const void *config, const struct gf_measured *m, struct gf_build *build,
                       struct gf_table *table, struct gf_error *err)
{
    const struct report_context *r = config;
    const bool trims = r->options.mode == TRIM;
    const int64_t least = trims ? 0 : frames_of(&r->options.least, SHORTEST, r->in.rate);
    const int64_t keep = trims ? frames_of(&r->options.keep, 0, r->in.rate)
        : r->options.keep.given ? gf_time_frames(&r->options.keep, r->in.rate) : least;
    int64_t at = 0, kept = 0;
    struct spans found;
    double level;

    if (measure_silence(r, m, least, build, &level, &found, err) != 0)
        return -1;
    if (trims && found.count > 0 && found.span[0].start == 0 && found.span[0].end == r->in.units)
        return gf_fail(err, GF_FAILED, "silence:trim: nothing is left, because all of it is below %.1f dBFS",
                       20 * gf_log10(level));
    found.count = choose_cuts(r, &found, keep);
    for (int64_t i = 0; i <= found.count; i++) {         /* what is between the cuts; there is room for one span more */
        const struct gf_span cut = i < found.count ? found.span[i] : (struct gf_span) { r->in.units, r->in.units };

        if (cut.start > at)
            found.span[kept++] = (struct gf_span) { at, cut.start };
        at = cut.end;
    }
    found.count = kept;
    return make_table(&found, 1, build, table, err);
}

/* ---- the stage ---- */

static int check_times(const struct silence *s, const struct gf_format *in, struct gf_error *err)
{
    if (s->mode == TRIM && s->least.given)
        return gf_fail(err, GF_MISUSED, "silence:trim: takes no min=, because it cuts silence of any length at the "
                                        "ends");
    if (s->mode == TABLE && s->keep.given)
        return gf_fail(err, GF_MISUSED, "silence:table: takes no keep=, because it cuts nothing");
    if (!isnan(s->db) && !isnan(s->above))
        return gf_fail(err, GF_MISUSED, "silence: takes only one of a level and above=");
    if (s->mode == SHORTEN && s->keep.given
        && gf_time_frames(&s->keep, in->rate) > frames_of(&s->least, SHORTEST, in->rate))
        return gf_fail(err, GF_MISUSED, "silence:shorten: keep= is longer than min=, so it would lengthen pauses");
    return 0;
}

static int measure(const void *config, const struct gf_format *in, struct gf_build *build, gf_make_report *report,
                   struct gf_error *err)
{
    const struct gf_tops tops = { .block_units = in->rate / STEPS > 0 ? in->rate / STEPS : 1,
                                  .channels = in->channels };
    struct report_context *const r = gf_build_alloc(build, sizeof *r);

    if (check_times(config, in, err) != 0)
        return -1;
    if (r == NULL)
        return gf_fail_memory(err, "silence");
    *r = (struct report_context) { *(const struct silence *)config, *in, tops.block_units };
    return gf_build_measure(build, &gf_op_tops, &tops, NULL, NULL, report, r, err);
}

static int bind_kept(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return measure(config, in, build, report_kept, err);
}

/* Finds what remains, before the reader of the rest of the chain skips what is cut. */
static const struct gf_stage finder = {
    .name = "silence", .kind = GF_AUDIO, .ends = GF_ENDS_TABLE, .wants_length = true, .bind = bind_kept,
};

static const struct gf_stage *keeps(const void *config)
{
    const struct silence *s = config;

    return s->mode == TABLE ? NULL : &finder;
}

/* If it cuts, the signal has been cut before. */
static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct silence *s = config;

    if (s->mode != TABLE && s->db > LOUD)
        gf_build_note(build, "silence: nearly all audio is below %g dBFS; a length of time is keep= or min=", s->db);
    return s->mode == TABLE ? measure(config, in, build, report_silence, err) : check_times(s, in, err);
}

static enum gf_ends ends_as(const void *config)
{
    const struct silence *s = config;

    return s->mode == TABLE ? GF_ENDS_TABLE : GF_ENDS_SIGNAL;
}

static const char *const examples[] = {
    "gpufilter -i voice.wav silence:table,-30,min=0.1",
    "gpufilter -i voice.wav silence:trim,-30,keep=50ms -o ends.wav",
    "gpufilter -i voice.wav silence:shorten,above=6,min=0.1 -o brisk.wav",
    "gpufilter -i '*.wav' silence:table -o pauses.csv",
    NULL
};

const struct gf_stage gf_stage_silence = {
    .name = "silence",
    .kind = GF_AUDIO,
    .group = GF_GROUP_TIME,
    .summary = "cut silence at the ends or in pauses, or list it as a table",
    .text = "Audio is silent as long as no sample of any channel reaches the level DB, -50 dBFS by default, also after "
            "split:silence with another one.\n\n"
            "    silence:trim     cuts silence at both ends, but keeps KEEP of it\n"
            "    silence:shorten  shortens silence of at least MIN to KEEP\n"
            "    silence:table    ends the chain; the table has the start, the end\n"
            "                     and the length of each silence of at least MIN,\n"
            "                     in seconds\n\n"
            "The level is measured in blocks of 5 ms, so positions and lengths are right to 5 ms. Blocks with sound "
            "are never cut. With above=, the level is so much above the noise floor: the level that a tenth of the "
            "blocks do not exceed, except digital silence. A tenth of the audio must be pauses for that.\n\n"
            "shorten cuts the middle of a pause, and keeps half of KEEP on each side. Samples are copied without "
            "change. In loud noise a cut may be audible; put denoise before shorten.\n\n"
            "A file is read twice. The result of stages before silence, and audio from a pipe, is kept in memory, or "
            "in $TMPDIR if it is large. It is an error if trim leaves nothing.",
    .examples = examples,
    .picture = "voice.wav silence:trim,-30 | waveform:600",
    .options = options,
    .config_bytes = sizeof(struct silence),
    .wants_length = true,
    .ends_as = ends_as,
    .keeps = keeps,
    .bind = bind,
};
