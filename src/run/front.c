/* Runs stages on one image or recording after another, into memory that a reader delivers. */
#include "run/front.h"

#include "base/memory_share.h"
#include "chain/video.h"
#include "run/buffered_reader.h"
#include "run/output_metadata.h"

#include <stdlib.h>
#include <string.h>

struct front {
    /* the part that views copy */
    struct { char *samples; size_t unit_bytes; } now;
    struct gf_reader *from;
    const struct gf_chain_word *following;  /* the stage that comes after these */
    bool looked;                         /* it has looked at an image, and found */
    double found[GF_FOUND];
    bool fresh;                          /* `from` is at an image that was not processed */
    struct gf_run_context context;       /* with these stages */
    struct gf_worker *worker;
    struct gf_sink sink;
    struct gf_writer writer;
    struct gf_spool room;                /* the samples of the current image */
    size_t most;                         /* bytes of it that may be in memory */
    size_t kept;                         /* bytes in memory of a recording of unknown length, which is kept first */
};

/* ---- the writer: memory ---- */

/* Returns true if stages only move samples of planes, so that these can stay as they are. */
static bool moves_planes(const struct gf_worker *w)
{
    const struct gf_binding *const b = &w->task.binding;

    if (!b->in.yuv.used || w->limits.video == GF_VIDEO_RGB)
        return false;
    for (int i = 0; i < b->links; i++)
        if (b->link[i].kind == GF_LINK_POINT || (b->link[i].kind == GF_LINK_OP && !b->link[i].op->moves))
            return false;
    for (int i = 0; i < b->words; i++) {
        const struct gf_chain_word *const word = &b->chain->word[i];
        const struct gf_stage *const stage = word->stage[GF_IMAGE];

        if (stage->planes == NULL || stage->planes(word->config[GF_IMAGE], &b->before[i]) != GF_PLANES_EQUAL)
            return false;
    }
    return true;
}

/* Samples that were computed are floats, which remember what they were made of. */
static int fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    const struct front *const front = w->state;
    const struct gf_binding *const b = &front->worker->task.binding;

    (void)err;
    if (gf_binding_only_moves(b, b->links) || moves_planes(front->worker))
        return 0;
    f->made_of_bits = f->made_of_bits > 0 ? f->made_of_bits : gf_type_is_float(f->type) ? 0 : f->bits;
    f->type = GF_F32;
    f->bits = 32;
    f->maxval = f->made_of_bits > 0 ? f->maxval : 1;
    f->yuv.used = 0;
    return 0;
}

/* Returns the address of a unit. Pages of a segment before it are in the file, if there is one. */
static char *place_of(const struct front *f, int64_t start)
{
    gf_spool_relax(&f->room);
    return f->now.samples + (size_t)start * f->now.unit_bytes;
}

static void *place_to_write(struct gf_writer *w, int64_t start)
{
    return place_of(w->state, start);
}

static int write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    const struct front *const front = w->state;

    (void)err;
    memcpy(place_to_write(w, start), units, (size_t)count * front->now.unit_bytes);
    return 0;
}

static int begin(struct gf_writer *w, struct gf_error *err)
{
    struct front *const front = w->state;
    const struct gf_format stored = gf_stored_format(&w->format);
    const size_t bytes = (size_t)stored.units * gf_unit_bytes(&stored);

    front->now.unit_bytes = gf_unit_bytes(&stored);
    w->random = true;
    if (front->room.memory == NULL || bytes > front->room.bytes) {
        gf_spool_close(&front->room);
        if (gf_spool_reserve(&front->room, bytes, front->most, err) != 0)
            return -1;
    }
    front->now.samples = front->room.memory;
    return 0;
}

static bool keeps_any_text(const struct gf_text *t)
{
    (void)t;
    return true;
}

/* All metadata is kept until the result is written. */
static const struct gf_writer_ops collector = {
    .name = "memory", .kind = GF_IMAGE, .yuv = true, .divided = true, .profile = true, .colour_chunks = true,
    .pixel_shape = true, .animation = true, .heeds = ~0u, .exif_bytes = SIZE_MAX, .xmp_bytes = SIZE_MAX,
    .iptc_bytes = SIZE_MAX, .keeps_text = keeps_any_text, .fit = fit, .begin = begin, .write_at = write_at,
    .in_place = place_to_write, .writing = GF_LABOUR_COPY, .ending = GF_LABOUR_COPY,
};

static const struct gf_writer_ops collector_of_audio = {
    .name = "memory", .kind = GF_AUDIO, .divided = true, .heeds = ~0u, .fit = fit, .begin = begin,
    .write_at = write_at, .in_place = place_to_write, .writing = GF_LABOUR_COPY, .ending = GF_LABOUR_COPY,
};

/* ---- the reader ---- */

/* Binds the stages to the current image, and plans. */
static int prepare(struct front *f, struct gf_error *err)
{
    struct gf_worker *const w = f->worker;
    struct gf_reader *const from = f->from;

    if (f->kept > 0 && from->format.units == GF_UNKNOWN
        && gf_buffered_reader_fill(from, GF_UNKNOWN, f->kept, err) != 0)
        return -1;
    gf_task_narrow(w, from);
    w->sides.input_yuv = from->format.yuv;
    if (gf_task_bind(w, &from->format, from->name, err) != 0)
        return -1;
    if (w->task.binding.table)
        return gf_fail(err, GF_MISUSED, "%s: '%s' makes a table, so '%s' cannot follow it", from->name,
                       w->context->chain->word[w->context->chain->count - 1].text,
                       f->following->stage[from->format.kind]->name);
    return gf_task_plan(w, from, &f->sink, err) != 0 || gf_task_describe(w, from, &f->sink, err) != 0 ? -1 : 0;
}

static int process(struct front *f, struct gf_error *err)
{
    struct gf_writer *const writers[GF_CHAIN_EXITS] = { &f->writer };
    struct gf_run_results none;

    return gf_task_unpack_sides(f->worker, err) != 0 || gf_task_begin(f->worker, f->from, &f->sink, err) != 0
        || gf_task_run(f->worker, f->from, writers, &none, err) != 0 || gf_task_end(f->worker, &f->sink, err) != 0
        ? -1 : 0;
}

/* Lets the next stage look at the current image, unless it is a frame of a sequence, which are all treated alike. */
static int look(struct gf_reader *r, struct front *f, struct gf_error *err)
{
    const void *const config = f->following->config[GF_IMAGE];
    const struct gf_look image = { &r->format, f->now.samples };

    if (!gf_stage_looks(f->following->stage[GF_IMAGE], config))
        return 0;
    if (!f->looked || gf_reader_shown(r).per_second <= 0) {
        if (f->following->stage[GF_IMAGE]->look(config, &image, f->found, err) != 0)
            return gf_chain_fail_word(f->following, err);
        f->looked = true;
    }
    memcpy(r->format.found, f->found, sizeof f->found);
    return 0;
}

/* Each image has metadata of its own, for stages may change it. That of audio is changed when it is written. */
static int deliver(struct gf_reader *r, struct front *f, struct gf_error *err)
{
    struct gf_reader *const from = f->from;

    r->format = f->worker->task.outputs.stored[0];
    r->shown = from->shown;
    r->name = from->name;
    r->meta_number = from->meta_number;
    r->same_meta = false;
    gf_meta_release(&r->meta);
    if (from->format.kind != GF_AUDIO)
        return look(r, f, err) != 0 ? -1 : gf_meta_copy(&r->meta, &f->sink.meta, err);
    r->meta = from->meta;
    from->meta = (struct gf_meta) { 0 };
    r->lossy = from->lossy;
    r->bit_rate = from->bit_rate;
    r->changed = &f->writer.change;
    return 0;
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    struct front *const f = r->state;
    const int more = f->fresh ? 1 : f->from->format.kind == GF_AUDIO ? gf_output_metadata_next(r, f->from, err)
        : gf_reader_next(f->from, err);

    if (more != 1)
        return more;
    f->worker->sides.signal += !f->fresh;
    if ((!f->fresh && prepare(f, err) != 0) || process(f, err) != 0)
        return -1;
    f->fresh = false;
    r->random = true;
    return deliver(r, f, err) != 0 ? -1 : 1;
}

static void *place_to_read(const struct gf_reader *r, int64_t start)
{
    return place_of(r->state, start);
}

static int read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct front *const f = r->state;

    (void)err;
    memcpy(units, place_to_read(r, start), (size_t)count * f->now.unit_bytes);
    return 0;
}

static int64_t read_on(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    return read_at(r, 0, units, count, err) == 0 ? count : -1;
}

static void close_front(struct gf_reader *r)
{
    struct front *const f = r->state;

    gf_worker_free(f->worker);
    gf_sink_release(&f->sink);
    gf_spool_close(&f->room);
}

static const struct gf_reader_ops front_ops = { .next = next, .read = read_on, .read_at = read_at,
                                                .in_place = place_to_read, .close = close_front,
                                                .opening = GF_LABOUR_CODE, .reading = GF_LABOUR_COPY };

const struct gf_worker *gf_front_worker(const struct gf_reader *r)
{
    const struct front *const f = r->state;

    return f->worker;
}

const struct gf_writer *gf_front_writer(const struct gf_reader *r)
{
    const struct front *const f = r->state;

    return &f->writer;
}

struct gf_reader *gf_front_open(struct gf_worker *like, struct gf_reader *r, const struct gf_chain *chain,
                                const struct gf_chain_word *following, struct gf_error *err)
{
    struct front *const f = calloc(1, sizeof *f);
    struct gf_limits limits;
    struct gf_reader *front;
    int64_t share;

    if (f == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    gf_run_context_copy(like->context, &f->context);
    f->context.chain = chain;
    f->context.sized = NULL;
    f->context.ends = false;
    f->context.progress = NULL;
    f->from = r;
    f->following = following;
    f->fresh = true;
    f->writer = (struct gf_writer) { .ops = r->format.kind == GF_AUDIO ? &collector_of_audio : &collector,
                                     .name = following->stage[r->format.kind]->name, .state = f };
    if (r->format.kind == GF_AUDIO && r->format.units == GF_UNKNOWN)
        f->kept = (size_t)gf_memory_take(GF_MEMORY_PIPE, &like->limits.memory_bytes);
    f->sink.writer = &f->writer;
    /* half of the share is for the image, half for its plan, which runs while other images pass through the next one */
    limits = like->limits;
    share = gf_memory_share(GF_MEMORY_JOINED, gf_run_context_host_bytes(like->context, &like->limits));
    f->most = (size_t)(share / 2);
    limits.memory_bytes = gf_memory_take(GF_MEMORY_JOINED, &like->limits.memory_bytes) > 0 && limits.memory_bytes > 0
        ? share / 2 : 0;
    f->worker = gf_worker_new(&f->context, &limits, like->number, err);
    front = f->worker == NULL ? NULL : gf_reader_wrap(r, &front_ops, f, &r->format, err);
    if (front == NULL) {
        gf_worker_free(f->worker);
        free(f);
        return NULL;
    }
    f->worker->sides.given = like->sides.given;
    gf_sides_begin(&f->worker->sides, &like->sides.read, like->sides.input, like->sides.base, like->sides.number);
    if (prepare(f, err) == 0)
        return front;
    gf_reader_unwrap(front);
    return NULL;
}
