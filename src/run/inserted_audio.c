/* Reads a recording up to a place, then another one, then the rest. */
#include "run/inserted_audio.h"

#include "io/name_pattern.h"
#include "io/watch.h"
#include "run/evened.h"
#include "run/joined_audio.h"
#include "run/output_metadata.h"

#include <stdlib.h>
#include <string.h>

struct inserted {
    struct gf_joined_audio joined;       /* of which parts are the audio before and after the file */
    struct gf_reader *around;
    struct gf_insertion what;
    struct gf_inserting how;
    char *file;                          /* its name, with fields filled in */
    int place;                           /* its number among the parts; -1: it is left out */
    struct gf_audio_change change;
};

/* Opens the recording that is inserted. */
static struct gf_reader *open_inserted(struct inserted *s, struct gf_error *err)
{
    const struct gf_sides *const sides = s->what.sides;
    const struct gf_audio_parts *const p = &s->joined.parts;
    struct gf_read_options options = sides->read;
    struct gf_reader *r;

    options.from = NULL;                         /* --from and --latency concern the input */
    options.live = false;
    options.notices = s->around->notices;
    s->file = gf_name_pattern_fill(s->how.file, sides->input, sides->base, sides->number);
    if (s->file == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    if (s->file[0] == '\0' || strcmp(s->file, "-") == 0) {
        gf_fail(err, GF_MISUSED, "insert: missing the name of an audio file; only the input may be a pipe");
        return NULL;
    }
    if (s->around->part.start > 0 && !gf_audio_parts_may_reopen(s->file)) {
        gf_fail(err, GF_FAILED, "%s: cannot be read again for each part;; write it to a file first", s->file);
        return NULL;
    }
    r = gf_reader_open(s->file, &options, err);
    if (r == NULL || r->format.kind == GF_AUDIO)
        return r == NULL ? NULL : gf_evened_open(&p->context, &p->limits, r, p->format.rate, p->format.channels,
                                                 s->around->name, err);
    gf_fail(err, GF_FAILED, "%s: is an image; only audio can be inserted", s->file);
    gf_reader_close(r);
    return NULL;
}

/* Says that the audio ends before the place of the file. */
static void warn_left_out(const struct inserted *s)
{
    const int32_t rate = s->around->format.rate;

    gf_warn(s->around->notices, "inserted", s->around->name, "insert: it is %.4g s long, so %s is not inserted at "
            "%.4g s; at=end puts it after the audio", (double)s->joined.parts.part[0].units / rate, s->file,
            (double)s->how.at / rate);
}

/* Puts the recording between the parts of the audio. */
static void order_parts(struct inserted *s, struct gf_reader *file)
{
    const struct gf_audio_part around = { .name = s->around->name, .reader = s->around, .lent = true,
                                          .units = s->around->format.units, .limit = INT64_MAX };
    const int64_t all = around.units, at = s->how.at;
    const bool last = at == INT64_MAX || at == all, beyond = all != GF_UNKNOWN && at > all && !last;
    struct gf_audio_part *const part = s->joined.parts.part;

    s->place = at > 0;
    s->joined.count = at == 0 || last ? 2 : 3;
    for (int i = 0; i < s->joined.count; i++)
        part[i] = around;
    part[s->place] = (struct gf_audio_part) { .name = s->file, .reader = file, .units = file->format.units,
                                              .limit = INT64_MAX };
    if (beyond) {
        s->joined.count = 1;
        s->place = -1;
        warn_left_out(s);
    } else if (s->joined.count == 3) {
        part[0].units = part[0].limit = at;
        part[2].units = all == GF_UNKNOWN ? GF_UNKNOWN : all - at;
    }
}

/* Describes the result, after its parts are in order. */
static int describe(struct gf_reader *r, struct inserted *s, const struct gf_reader *file, struct gf_error *err)
{
    const int64_t all = s->around->format.units, fade = s->joined.fade_frames;
    const int64_t at = s->how.at == INT64_MAX ? all : s->how.at;
    const int64_t first = s->place == 0 ? 0 : at == GF_UNKNOWN ? -1 : at - fade;
    const bool last = s->place == s->joined.count - 1, known = last || file->format.units != GF_UNKNOWN;
    const int64_t by = last || !known ? 0 : file->format.units - fade * (s->joined.count - 1);

    r->format = s->joined.parts.format;
    r->lossy = s->around->lossy || file->lossy;
    r->bit_rate = s->around->bit_rate;
    r->part = (struct gf_reader_part) { .cut = false };
    r->unwatched = s->around->unwatched | (r->format.made_of_bits > 0 ? (unsigned)GF_WATCH_RANGE : 0);
    if (gf_output_metadata_follow(r, s->around, NULL, &s->change, err) != 0)
        return -1;
    if (s->place < 0)
        return 0;
    s->change.timed = s->change.timed && known;
    return gf_joined_metadata_insert(r, file, at, first, by, r->format.rate, err);
}

static void release(struct inserted *s)
{
    gf_joined_audio_release(&s->joined);
    free(s->file);
    s->file = NULL;
}

/* Begins with the current recording of the audio. */
static int begin(struct gf_reader *r, struct inserted *s, struct gf_error *err)
{
    const struct gf_chain_word *const word = s->what.word;
    const struct gf_format *const f = &s->around->format;
    struct gf_joined_audio *const j = &s->joined;
    struct gf_reader *file;

    release(s);
    if (gf_audio_parts_begin(&j->parts, s->around, 3, err) != 0)
        return -1;
    if (word->stage[GF_AUDIO]->inserts(word->config[GF_AUDIO], f, &s->how, err) != 0)
        return gf_chain_fail_word(word, err);
    file = open_inserted(s, err);
    if (file == NULL)
        return -1;
    j->fade_frames = (int64_t)(s->how.fade_seconds * f->rate + .5);
    j->fades = j->fade_frames > 0;
    gf_audio_parts_widen(&j->parts.format, &file->format);
    order_parts(s, file);
    return gf_joined_audio_begin(j, err) != 0 || describe(r, s, file, err) != 0 ? -1 : 0;
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    struct inserted *const s = r->state;
    const int more = gf_output_metadata_next(r, s->around, err);

    return more != 1 ? more : begin(r, s, err) != 0 ? -1 : 1;
}

static int64_t read_units(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct inserted *const s = r->state;
    const int parts = s->joined.count;
    const int64_t got = gf_joined_audio_read(&s->joined, units, count, err);

    if (s->joined.count < parts)
        warn_left_out(s);
    r->ahead = gf_audio_parts_are_ahead(&s->joined.parts);
    return got;
}

static void close_inserted(struct gf_reader *r)
{
    struct inserted *const s = r->state;

    release(s);
    gf_reader_close(s->around);
}

static const struct gf_reader_ops ops = { .next = next, .read = read_units, .close = close_inserted,
                                          .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE };

struct gf_reader *gf_inserted_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                         struct gf_reader *r, const struct gf_insertion *what, struct gf_error *err)
{
    struct inserted *const s = calloc(1, sizeof *s);
    struct gf_reader *reader;

    if (s == NULL) {
        gf_fail_memory(err, r->name);
        return NULL;
    }
    gf_run_context_copy(context, &s->joined.parts.context);
    s->joined.parts.limits = *limits;
    s->what = *what;
    s->around = r;
    reader = gf_reader_new(r, &ops, s, &r->format, err);
    if (reader != NULL && begin(reader, s, err) == 0)
        return reader;
    release(s);
    if (reader != NULL) {
        reader->state = NULL;
        gf_reader_close(reader);
    }
    free(s);
    return NULL;
}
