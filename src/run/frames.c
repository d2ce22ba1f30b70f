/*
 * Processes several frames at once: each worker takes the next frame, processes it alone, and
 * passes it on in order.
 */
#include "run/frames.h"

#include "io/memory.h"
#include "run/pool.h"
#include "run/segments.h"
#include "run/worker.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* frames at once, at least: one uploads, one downloads, some compute, some are read */
#define GPU_FRAMES 6
#define MOST_GPU_FRAMES 16               /* the same for machines with enough cores to read that many */

struct frames {
    struct gf_run_context context;       /* with the device that the first frame chose */
    struct gf_limits limits;
    struct gf_progress *progress;        /* counts frames here, because their workers do not */
    struct gf_reader *reader;            /* the one that takes the next frame */
    bool joined;                         /* it goes from file to file */
    struct gf_watch *watch;
    const struct gf_sink *sinks;         /* with the writers of all frames */
    const struct gf_frame_tables *tables;
    int from, exits;                     /* the exits with writers: 0, or after the table, to `exits` */
    int64_t next;
    int64_t before;                      /* frames that were processed one at a time */
    struct gf_sides *sides;
    bool in_places;                      /* frames are written at their own positions */
    bool at_hand;                        /* the reader is at a frame that no worker has taken */
    struct gf_format like;               /* the first frame, which determines the shares */
    int64_t share;                       /* a worker's share of memory; f->limits has what remains of it for a plan */
    atomic_llong done;
};

/* The memory of a worker for its frame. */
struct frame_worker {
    struct gf_worker *worker;
    const char *name;                    /* of its input, which may be one of several files that are joined */
    struct gf_reader *file;              /* the reader of that file, if the worker reads it; NULL: none */
    struct gf_format in;
    struct gf_sink sink[GF_CHAIN_EXITS];     /* the writers of all frames, the metadata of this one */
    struct gf_room units, result[GF_CHAIN_EXITS];    /* samples of a frame and of its results, unless */
    bool read_apart, written_apart;      /* lanes read from the reader, or write to the writer, directly */
    struct gf_view view;
    struct gf_part part;
    struct gf_table origin;              /* the frame and its time */
    struct gf_run_results results;       /* with its table */
};

static int64_t frame_bytes(const struct gf_format *f)
{
    const struct gf_format stored = gf_stored_format(f);

    return stored.units * (int64_t)gf_unit_bytes(&stored);
}

/* Returns the bytes of a frame in progress: its samples and its results. */
static int64_t samples_bytes(const struct gf_task *t)
{
    int64_t bytes = frame_bytes(&t->binding.in);

    for (int k = t->outputs.table; k < t->binding.exits; k++)
        bytes += frame_bytes(&t->outputs.stored[k]);
    return bytes;
}

/* Returns the bytes for one frame in progress: its samples, its results, and what its plan needs. */
static int64_t frame_needs(const struct gf_task *t)
{
    return samples_bytes(t) + t->plan.host_bytes + 1;
}

int gf_frames_at_once(const struct gf_worker *w)
{
    const struct gf_limits *limits = &w->limits;
    const struct gf_task *t = &w->task;
    const int cores = limits->threads > 0 ? limits->threads : w->context->cpu.cores;
    const int in_flight = cores < GPU_FRAMES ? GPU_FRAMES : cores < MOST_GPU_FRAMES ? cores : MOST_GPU_FRAMES;
    /* a worker of a batch shares its GPU with others */
    const int gpus = !t->plan.cuda || w->number >= 0 ? 1 : gf_worker_gpus_that_pay(w, (double)t->source.signals);
    const int wanted = (limits->lanes > 0 ? limits->lanes : t->plan.cuda ? in_flight : cores) * gpus;
    int64_t most;

    if (t->binding.in.units == GF_UNKNOWN || limits->latency_ms > 0)
        return 1;
    most = gf_run_context_host_bytes(w->context, limits) / frame_needs(t);
    return most < wanted ? (int)(most > 1 ? most : 1) : wanted;
}

/* Reads a whole frame into the worker's memory. */
static int read_frame(const struct gf_timed_io *timed, struct gf_reader *r, struct frame_worker *h,
                      struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(&h->in);
    const size_t unit = gf_unit_bytes(&stored);
    int64_t done = 0, got;

    if (gf_worker_open_room(h->worker, &h->units, frame_bytes(&h->in), err) != 0)
        return -1;
    for (; done < stored.units; done += got) {
        got = gf_timed_io_read(timed, r, (char *)h->units.data + (size_t)done * unit, stored.units - done, err);
        if (got < 0)
            return -1;
        if (got == 0)
            return gf_fail(err, GF_FAILED, "%s: the last frame is cut short", r->name);
    }
    return 0;
}

/* Reads the file that the worker took, to its end. */
static int read_file(const struct gf_timed_io *timed, struct frame_worker *h, struct gf_error *err)
{
    int more;

    if (read_frame(timed, h->file, h, err) != 0)
        return -1;
    more = gf_timed_io_next(timed, h->file, err);
    return more <= 0 ? more : gf_fail(err, GF_FAILED, "%s: has several images;; use -j 1", h->name);
}

/* Closes the file that the worker took. */
static void close_file(struct frame_worker *h)
{
    gf_reader_close(h->file);
    h->file = NULL;
}

/*
 * Leaves the current file to the worker if it is one of several, and surely has no other image. Decoding is then done
 * by all workers at once.
 */
static void take_file(struct frames *f, struct frame_worker *h)
{
    struct gf_reader *next = gf_reader_leave(f->reader);

    if (next == NULL)
        return;
    h->file = f->reader;
    f->reader = next;
}

/* Reports progress by the bytes read from the input. */
static void report_progress(const struct frames *f, const struct frame_worker *h)
{
    int64_t size, position;

    if (f->progress == NULL)
        return;
    position = gf_reader_position(f->reader, &size);
    gf_progress_part(f->progress, frame_bytes(&h->in), 0);
    gf_progress_signal(f->progress, position, size);
}

/* In a file each frame has its own position, after the previous one. */
static int take_place(struct frames *f, struct frame_worker *h, struct gf_error *err)
{
    struct gf_writer *writer = h->sink[0].writer;

    h->written_apart = false;
    if (!f->in_places)
        return 0;
    if (gf_task_begin(h->worker, f->reader, h->sink, err) != 0)
        return -1;
    h->written_apart = gf_writer_part(writer, &h->part);
    if (!h->written_apart)
        return gf_fail(err, GF_FAILED, "%s: the output no longer accepts frames out of order; try -j 1", writer->name);
    return gf_task_end(h->worker, h->sink, err);
}

/*
 * Returns true if a worker's share of memory suffices for its current frame. A frame that does not fit,
 * or cannot be planned, is processed alone later, with all of the memory.
 */
static bool is_affordable(struct frames *f, struct frame_worker *h)
{
    struct gf_error refused = { 0 };

    return gf_same_format(&h->in, &f->like)
        || (gf_task_bind(h->worker, &h->in, f->reader->name, &refused) == 0
            && gf_task_plan(h->worker, f->reader, h->sink, &refused) == 0
            && frame_needs(&h->worker->task) <= f->share);
}

static void close_rooms(struct frame_worker *h)
{
    gf_worker_close_room(h->worker, &h->units);
    for (int k = 0; k < GF_CHAIN_EXITS; k++)
        gf_worker_close_room(h->worker, &h->result[k]);
}

/*
 * Reads the next whole frame into the worker's memory. Returns 1; 0 if there is none or it is too
 * large; -1.
 */
static int take_frame(struct frames *f, struct gf_worker *w, struct frame_worker *h, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    int more = 1;

    h->worker = w;
    w->sides_in_use = f->sides;
    for (int k = 0; k < f->exits; k++)
        h->sink[k].writer = f->sinks[k].writer;
    if (!f->at_hand)
        more = gf_timed_io_next(&timed, f->reader, err);
    f->at_hand = false;
    h->name = f->reader->name;
    if (more != 1)
        return more;
    gf_task_narrow(h->worker, f->reader);
    h->in = f->reader->format;
    f->sides->signal = f->before + f->next;
    if (!gf_same_format(&h->in, &h->worker->task.binding.in))    /* memory for two kinds of frames is not kept */
        close_rooms(h);
    f->at_hand = !is_affordable(f, h);
    if (f->at_hand)
        return 0;
    if (gf_task_bind(h->worker, &h->in, f->reader->name, err) != 0
        || gf_task_plan(h->worker, f->reader, h->sink, err) != 0
        || gf_task_describe(h->worker, f->reader, h->sink, err) != 0)
        return -1;
    if (f->tables != NULL)
        gf_frame_clock_next(f->tables->clock, f->reader, &h->origin);
    h->read_apart = gf_reader_view(f->reader, &h->view);
    take_file(f, h);
    if (!h->read_apart && h->file == NULL && read_frame(&timed, f->reader, h, err) != 0)
        return -1;
    if (take_place(f, h, err) != 0)
        return -1;
    f->next++;
    h->origin.frame = f->before + f->next;
    report_progress(f, h);
    return 1;
}

static int process_frame(struct frames *f, struct gf_worker *w, struct frame_worker *h, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    const struct gf_outputs *o = &w->task.outputs;
    struct gf_reader from;
    struct gf_writer to[GF_CHAIN_EXITS], *writers[GF_CHAIN_EXITS] = { f->from == 0 ? &h->part.writer : NULL };

    if (h->file != NULL && read_file(&timed, h, err) != 0)
        return -1;
    if (!h->read_apart && gf_worker_pin_room(w, &h->units, err) != 0)
        return -1;
    for (int k = f->from; !h->written_apart && k < f->exits; k++) {
        if (gf_worker_open_room(w, &h->result[k], frame_bytes(&o->stored[k]), err) != 0
            || gf_worker_pin_room(w, &h->result[k], err) != 0)
            return -1;
        gf_memory_writer(&to[k], &o->stored[k], h->result[k].data, h->sink[k].writer->name);
        writers[k] = &to[k];
    }
    gf_memory_reader(&from, &h->in, h->units.data, h->name);
    from.watch = f->watch;
    if (gf_task_run(w, h->read_apart ? &h->view.reader : &from, writers, &h->results, err) != 0)
        return -1;
    close_file(h);
    atomic_fetch_add(&f->done, f->in_places);
    return 0;
}

static int deliver_table(struct frames *f, struct gf_worker *w, struct frame_worker *h, struct gf_error *err)
{
    struct gf_table *table = &h->results.table;

    if (!w->task.outputs.table)
        return 0;
    table->source = h->name;
    table->frame = h->origin.frame;
    table->timed = h->origin.timed;
    table->time = h->origin.time;
    return f->tables->put(f->tables->context, w, table, err);
}

static int deliver_frame(struct frames *f, struct gf_worker *w, struct frame_worker *h, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);

    for (int k = 0; k < f->exits; k++)
        h->sink[k].writer->input = h->name;
    if (gf_task_begin(w, NULL, h->sink, err) != 0)
        return -1;
    for (int k = f->from; k < f->exits; k++)
        if (gf_timed_io_write(&timed, h->sink[k].writer, -1, h->result[k].data,
                              gf_stored_format(&w->task.outputs.stored[k]).units, err) != 0)
            return -1;
    if (deliver_table(f, w, h, err) != 0 || gf_task_end(w, h->sink, err) != 0)
        return -1;
    atomic_fetch_add(&f->done, 1);
    return 0;
}

/* Ends a step on a frame: an error about one of several files that are joined names the file. */
static int name_error(const struct frames *f, const struct frame_worker *h, int result, struct gf_error *err)
{
    if (result < 0 && f->joined)
        gf_reader_name_error(h->name, err);
    return result;
}

static int take(void *source, struct gf_worker *w, void *own, struct gf_error *err)
{
    return name_error(source, own, take_frame(source, w, own, err), err);
}

static int process(void *source, struct gf_worker *w, void *own, struct gf_error *err)
{
    return name_error(source, own, process_frame(source, w, own, err), err);
}

static int deliver(void *source, struct gf_worker *w, void *own, struct gf_error *err)
{
    return name_error(source, own, deliver_frame(source, w, own, err), err);
}

static void close_frame(struct gf_worker *w, void *own)
{
    struct frame_worker *h = own;

    for (int k = 0; k < GF_CHAIN_EXITS; k++)
        gf_meta_release(&h->sink[k].meta);
    close_file(h);
    h->worker = w;
    close_rooms(h);
}

/* Workers divide the memory of the first one, which may itself be a share. */
static void share_out(struct frames *f, const struct gf_worker *first, int workers)
{
    const struct gf_task *t = &first->task;

    gf_run_context_copy(first->context, &f->context);
    f->limits = first->limits;
    f->like = t->binding.in;
    f->from = t->outputs.table;
    f->exits = t->binding.exits;
    f->progress = f->context.progress;
    f->context.progress = NULL;
    f->context.where = t->plan.cuda ? GF_CUDA : GF_CPU;
    f->context.gpus = first->number >= 0 && first->gpus_used.count > 0 ? first->gpus_used : first->gpus;
    f->context.signals = (double)t->source.signals;
    f->share = gf_pool_divide(&f->context, &f->limits, workers);
    f->limits.memory_bytes = f->share - samples_bytes(t);
}

int gf_frames_run(struct gf_worker *first, struct gf_reader **reader, const struct gf_sink *sinks,
                  const struct gf_frame_tables *tables, int64_t *count, struct gf_error *err)
{
    /* Frames are written in order, or each at its own position. The first failure ends all, because later
       frames cannot be written either; if reading fails, the frames before are written. */
    static const struct gf_pool_tasks in_order = { sizeof(struct frame_worker), take, process, deliver,
                                                   close_frame };
    static const struct gf_pool_tasks in_places = { sizeof(struct frame_worker), take, process, NULL,
                                                    close_frame };
    struct frames f = { .reader = *reader, .joined = gf_reader_is_joined(*reader), .watch = (*reader)->watch,
                        .sinks = sinks, .tables = tables, .at_hand = true, .sides = first->sides_in_use,
                        .before = first->sides_in_use->signal + 1 };
    struct gf_pool pool = { .source = &f, .context = &f.context, .limits = &f.limits, .divided = true,
                            .workers = gf_frames_at_once(first), .leaves_gpus = first->context->ends };
    struct gf_part part;
    int result;

    share_out(&f, first, pool.workers);
    f.in_places = f.from == 0 && f.exits == 1 && gf_writer_part(sinks[0].writer, &part);
    pool.tasks = f.in_places ? &in_places : &in_order;
    result = gf_pool_run(&pool, err);
    gf_pool_close(&pool, !f.at_hand);
    *reader = f.reader;
    *count = f.done;
    return result != 0 ? -1 : f.at_hand;
}
