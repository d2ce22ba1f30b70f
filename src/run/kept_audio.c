/* Finds the spans of audio that remain after a stage, by a run of its own, and reads them as one recording. */
#include "run/kept_audio.h"

#include "base/memory_share.h"
#include "chain/chain.h"
#include "run/buffered_reader.h"
#include "run/output_metadata.h"
#include "table/table.h"

#include <stdlib.h>

/* A span of the recording, and where it is in what remains. */
struct piece {
    int64_t start, units, at;
};

struct kept {
    struct gf_reader *from;
    struct gf_chain finder;              /* finds the spans */
    struct gf_run_context context;       /* with this chain */
    struct gf_worker *worker;
    size_t most;                         /* bytes in memory of a recording that cannot be read again */
    struct piece *piece;
    int64_t pieces;
    int64_t position;                    /* next unit, if units are read in order */
    bool fresh;                          /* the spans of the current recording are known */
    struct gf_audio_change change;
};

/* ---- the spans ---- */

/* Takes the spans of a table: first frames, ends and lengths. */
static int take_spans(struct kept *c, const struct gf_table *t, struct gf_error *err)
{
    struct piece *const piece = calloc((size_t)t->channels + 1, sizeof *piece);
    int64_t at = 0;

    if (piece == NULL)
        return gf_fail_memory(err, NULL);
    free(c->piece);
    c->piece = piece;
    c->pieces = t->channels;
    for (int i = 0; i < t->channels; i++) {
        piece[i] = (struct piece) { (int64_t)t->values[3 * i], (int64_t)t->values[3 * i + 2], at };
        at += piece[i].units;
    }
    return 0;
}

/* Finds the spans of the current recording that remain. */
static int find_spans(struct kept *c, struct gf_error *err)
{
    struct gf_writer *const none[GF_CHAIN_EXITS] = { NULL };
    const struct gf_sink sink = { .writer = NULL };
    struct gf_run_results results;

    if (!c->from->random && gf_buffered_reader_fill(c->from, GF_UNKNOWN, c->most, err) != 0)
        return -1;
    return gf_task_bind(c->worker, &c->from->format, c->from->name, err) != 0
        || gf_task_plan(c->worker, c->from, &sink, err) != 0
        || gf_task_run(c->worker, c->from, none, &results, err) != 0
        || take_spans(c, &results.table, err) != 0 ? -1 : 0;
}

/* ---- the reader ---- */

/* Describes what remains. */
static void describe(struct gf_reader *r, struct kept *c)
{
    const struct piece *const last = c->pieces > 0 ? &c->piece[c->pieces - 1] : NULL;
    struct gf_reader *const from = c->from;

    r->format = from->format;
    r->format.units = last != NULL ? last->at + last->units : 0;
    r->name = from->name;
    r->meta_number = from->meta_number;
    gf_meta_release(&r->meta);
    r->meta = from->meta;
    from->meta = (struct gf_meta) { 0 };
    r->lossy = from->lossy;
    r->bit_rate = from->bit_rate;
    c->change = (struct gf_audio_change) { .moved = true };
    if (from->changed != NULL) {
        c->change.remixed = from->changed->remixed;
        c->change.revalued = from->changed->revalued;
    }
    r->changed = &c->change;
    r->random = true;
    c->position = 0;
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    struct kept *const c = r->state;
    const int more = c->fresh ? 1 : gf_output_metadata_next(r, c->from, err);

    if (more != 1 || (!c->fresh && find_spans(c, err) != 0))
        return more != 1 ? more : -1;
    c->fresh = false;
    describe(r, c);
    return 1;
}

/* Returns the piece that has a unit of what remains. */
static const struct piece *find_piece(const struct kept *c, int64_t unit)
{
    int64_t low = 0, high = c->pieces - 1;

    while (low < high) {
        const int64_t middle = (low + high + 1) / 2;

        if (c->piece[middle].at <= unit)
            low = middle;
        else
            high = middle - 1;
    }
    return &c->piece[low];
}

static int read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct kept *const c = r->state;
    const size_t unit = gf_unit_bytes(&r->format);
    const struct piece *p = find_piece(c, start);

    for (char *to = units; count > 0; p++) {
        const int64_t left = p->at + p->units - start, n = left < count ? left : count;

        if (gf_reader_read_at(c->from, p->start + start - p->at, to, n, err) != 0)
            return -1;
        to += (size_t)n * unit;
        start += n;
        count -= n;
    }
    return 0;
}

static int64_t read_on(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct kept *const c = r->state;

    count = count < r->format.units - c->position ? count : r->format.units - c->position;
    if (count > 0 && read_at(r, c->position, units, count, err) != 0)
        return -1;
    c->position += count;
    return count;
}

static void close_cut(struct gf_reader *r)
{
    struct kept *const c = r->state;

    gf_worker_free(c->worker);
    free(c->piece);
}

static const struct gf_reader_ops cut_ops = { .next = next, .read = read_on, .read_at = read_at, .close = close_cut,
                                              .opening = GF_LABOUR_CODE, .reading = GF_LABOUR_COPY };

struct gf_reader *gf_kept_audio_open(struct gf_worker *like, struct gf_reader *r, const struct gf_chain_word *word,
                                     struct gf_error *err)
{
    struct kept *const c = calloc(1, sizeof *c);
    struct gf_limits limits = like->limits;
    struct gf_reader *reader;

    if (c == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    c->finder = (struct gf_chain) { .count = 1, .word = { *word } };
    c->finder.word[0].stage[GF_AUDIO] = gf_stage_keeps(word->stage[GF_AUDIO], word->config[GF_AUDIO]);
    gf_run_context_copy(like->context, &c->context);
    c->context.chain = &c->finder;
    c->context.ends = false;
    c->context.progress = NULL;
    c->from = r;
    c->fresh = true;
    if (!r->random)
        c->most = (size_t)gf_memory_take(GF_MEMORY_PIPE, &like->limits.memory_bytes);
    limits.memory_bytes = like->limits.memory_bytes;
    c->worker = gf_worker_new(&c->context, &limits, like->number, err);
    reader = c->worker == NULL ? NULL : gf_reader_wrap(r, &cut_ops, c, &r->format, err);
    if (reader == NULL) {
        gf_worker_free(c->worker);
        free(c);
        return NULL;
    }
    if (find_spans(c, err) == 0 && next(reader, err) == 1)
        return reader;
    gf_reader_unwrap(reader);
    return NULL;
}
