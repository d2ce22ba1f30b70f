/* Runs stages on a recording in another thread, which hands their results to a reader through a ring of frames. */
#include "run/streamed.h"

#include "base/memory_share.h"
#include "base/thread.h"
#include "run/output_metadata.h"

#include <stdlib.h>
#include <string.h>

#define RING_FRAMES 65536
#define MOST_BYTES (INT64_C(64) << 20)   /* of a plan; resampling a block needs far less */

struct streamed {
    struct gf_reader *from;
    struct gf_chain *chain;
    bool owns_stages;
    struct gf_run_context context;
    struct gf_worker *worker;
    struct gf_sink sink;
    struct gf_writer writer;
    struct gf_audio_change change;
    pthread_t thread;
    bool started;
    /* the lock protects what follows */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned char *ring;
    size_t unit_bytes, first, filled;    /* in frames, except the bytes of one */
    bool ended, stopped;
    struct gf_error error;               /* of the thread, once it has ended */
};

/* ---- the writer ---- */

static int fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    const struct streamed *const s = w->state;
    const struct gf_binding *const b = &s->worker->task.binding;

    (void)err;
    if (gf_binding_only_moves(b, b->links) || f->type == GF_F64)
        return 0;
    f->made_of_bits = gf_type_is_float(f->type) ? 0 : f->bits;
    f->type = GF_F32;
    f->bits = 32;
    return 0;
}

static int begin(struct gf_writer *w, struct gf_error *err)
{
    (void)w, (void)err;
    return 0;
}

/* Copies frames to the ring, or from it, from its frame `at` on. */
static void fill_ring(const struct streamed *s, size_t at, const unsigned char *from, size_t count)
{
    const size_t one = count < RING_FRAMES - at ? count : RING_FRAMES - at, bytes = one * s->unit_bytes;

    memcpy(s->ring + at * s->unit_bytes, from, bytes);
    memcpy(s->ring, from + bytes, (count - one) * s->unit_bytes);
}

static void empty_ring(const struct streamed *s, size_t at, unsigned char *to, size_t count)
{
    const size_t one = count < RING_FRAMES - at ? count : RING_FRAMES - at, bytes = one * s->unit_bytes;

    memcpy(to, s->ring + at * s->unit_bytes, bytes);
    memcpy(to + bytes, s->ring, (count - one) * s->unit_bytes);
}

static int write_frames(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct streamed *const s = w->state;
    const unsigned char *from = units;
    bool stopped;

    pthread_mutex_lock(&s->lock);
    while (count > 0 && !s->stopped) {
        const size_t room = RING_FRAMES - s->filled, now = (int64_t)room < count ? room : (size_t)count;

        if (now == 0) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        fill_ring(s, (s->first + s->filled) % RING_FRAMES, from, now);
        s->filled += now;
        from += now * s->unit_bytes;
        count -= (int64_t)now;
        pthread_cond_broadcast(&s->changed);
    }
    stopped = s->stopped;
    pthread_mutex_unlock(&s->lock);
    return stopped ? gf_fail(err, GF_FAILED, "%s: is not read any further", w->name) : 0;
}

static const struct gf_writer_ops collector = { .name = "memory", .kind = GF_AUDIO, .divided = true, .heeds = ~0u,
                                                .fit = fit, .begin = begin, .write = write_frames,
                                                .writing = GF_LABOUR_COPY, .ending = GF_LABOUR_COPY };

/* ---- the thread ---- */

static void *run(void *argument)
{
    struct streamed *const s = argument;
    struct gf_writer *const writers[GF_CHAIN_EXITS] = { &s->writer };
    struct gf_run_results none;
    struct gf_error err = { 0 };
    const int result = gf_task_begin(s->worker, s->from, &s->sink, &err) != 0
        || gf_task_run(s->worker, s->from, writers, &none, &err) != 0 ? -1 : gf_task_end(s->worker, &s->sink, &err);

    pthread_mutex_lock(&s->lock);
    if (result != 0)
        s->error = err;
    s->ended = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static int start(struct gf_reader *r, struct streamed *s, struct gf_error *err)
{
    s->unit_bytes = gf_unit_bytes(&r->format);
    free(s->ring);
    s->ring = malloc(RING_FRAMES * s->unit_bytes);
    if (s->ring == NULL || gf_thread_start(&s->thread, run, s) != 0)
        return gf_fail_memory(err, r->name);
    s->started = r->ahead = true;
    return 0;
}

/* ---- the reader ---- */

static int64_t read_frames(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct streamed *const s = r->state;
    unsigned char *to = units;
    int64_t done = 0;

    if (!s->started && start(r, s, err) != 0)
        return -1;
    pthread_mutex_lock(&s->lock);
    while (done < count && (s->filled > 0 || !s->ended)) {
        const size_t now = (int64_t)s->filled < count - done ? s->filled : (size_t)(count - done);

        if (now == 0) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        empty_ring(s, s->first, to, now);
        s->first = (s->first + now) % RING_FRAMES;
        s->filled -= now;
        to += now * s->unit_bytes;
        done += (int64_t)now;
        pthread_cond_broadcast(&s->changed);
    }
    if (done < count)
        r->ahead = false;
    if (done < count && s->error.status != 0) {
        *err = s->error;
        done = -1;
    }
    pthread_mutex_unlock(&s->lock);
    return done;
}

/* Ends the thread, which waits until the current recording is read. */
static int finish(struct gf_reader *r, struct streamed *s, struct gf_error *err)
{
    if (gf_reader_skip_rest(r, err) != 0)
        return -1;
    pthread_join(s->thread, NULL);
    s->started = s->ended = false;
    return 0;
}

/* Binds the stages to the current recording, and plans. */
static int prepare(struct streamed *s, struct gf_error *err)
{
    struct gf_worker *const w = s->worker;
    struct gf_reader *const from = s->from;

    return gf_task_bind(w, &from->format, from->name, err) != 0
        || (w->task.binding.table
            && gf_fail(err, GF_MISUSED, "%s: '%s' makes a table, so nothing can follow it", from->name,
                       s->chain->word[s->chain->count - 1].text) != 0)
        || gf_task_plan(w, from, &s->sink, err) != 0 ? -1 : 0;
}

static int describe(struct gf_reader *r, struct streamed *s, struct gf_error *err)
{
    r->format = s->worker->task.outputs.stored[0];
    return gf_output_metadata_follow(r, s->from, &s->worker->task.binding, &s->change, err);
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    struct streamed *const s = r->state;
    int more;

    if (s->started && finish(r, s, err) != 0)
        return -1;
    more = gf_output_metadata_next(r, s->from, err);
    s->worker->sides.signal++;
    return more != 1 ? more : prepare(s, err) != 0 || describe(r, s, err) != 0 ? -1 : 1;
}

static void stop(struct streamed *s)
{
    if (!s->started)
        return;
    pthread_mutex_lock(&s->lock);
    s->stopped = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
}

static void close_streamed(struct gf_reader *r)
{
    struct streamed *const s = r->state;

    stop(s);
    gf_worker_free(s->worker);
    gf_sink_release(&s->sink);
    gf_reader_close(s->from);
    if (s->owns_stages)
        gf_chain_release(s->chain);
    free(s->chain);
    free(s->ring);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
}

static const struct gf_reader_ops ops = { .next = next, .read = read_frames, .close = close_streamed,
                                          .opening = GF_LABOUR_CODE, .reading = GF_LABOUR_CODE };

const struct gf_worker *gf_streamed_worker(const struct gf_reader *r)
{
    const struct streamed *const s = r->state;

    return s->worker;
}

const struct gf_writer *gf_streamed_writer(const struct gf_reader *r)
{
    const struct streamed *const s = r->state;

    return &s->writer;
}

struct gf_reader *gf_streamed_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                   struct gf_reader *r, struct gf_chain *chain, const struct gf_sides *sides,
                                   struct gf_error *err)
{
    struct streamed *const s = calloc(1, sizeof *s);
    const int64_t share = gf_memory_share(GF_MEMORY_JOINED, gf_run_context_host_bytes(context, limits));
    struct gf_limits now = *limits;
    struct gf_reader *reader = NULL;

    if (s == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    gf_run_context_copy(context, &s->context);
    s->context.chain = chain;
    s->context.where = GF_CPU;
    s->context.ends = false;
    s->context.report = NULL;
    s->context.progress = NULL;
    s->writer = (struct gf_writer) { .ops = &collector, .name = r->name, .state = s };
    s->sink.writer = &s->writer;
    s->from = r;
    s->chain = chain;
    now.memory_bytes = share < MOST_BYTES ? share : MOST_BYTES;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->worker = gf_worker_new(&s->context, &now, -1, err);
    if (s->worker != NULL && sides != NULL) {
        s->worker->sides.even = sides->even;
        gf_sides_begin(&s->worker->sides, &sides->read, sides->input, sides->base, sides->number);
    }
    if (s->worker != NULL && prepare(s, err) == 0)
        reader = gf_reader_new(r, &ops, s, &s->worker->task.outputs.stored[0], err);
    if (reader != NULL && describe(reader, s, err) == 0) {
        if (context->where != GF_CPU)
            s->worker->task.plan.why = "where stages before insert and split run";
        s->owns_stages = sides == NULL;
        return reader;
    }
    if (reader != NULL) {
        reader->state = NULL;
        gf_reader_close(reader);
    }
    gf_worker_free(s->worker);
    gf_sink_release(&s->sink);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
    return NULL;
}
