/* Collects the images of an input for a joining stage, and delivers the image that they become. */
#include "run/gathered.h"

#include "base/memory_share.h"
#include "base/words.h"
#include "io/metadata/profile.h"
#include "run/frames.h"

#include <stdlib.h>
#include <string.h>

#define WORK_BYTES    (INT64_C(32) << 20)    /* for rows of all images, unless --memory is less */
#define MOST_EXPECTED 10000              /* images that a header may promise */

/* ---- the writer: collects images ---- */

/* Images keep samples of up to 16 bits; others become floats. */
static int fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    (void)w;
    (void)err;
    if (f->type != GF_U8 && f->type != GF_U16) {
        f->type = GF_F32;
        f->bits = 32;
    }
    return 0;
}

static struct gf_gathered_image *add_image(struct gf_gathered_images *all, struct gf_error *err)
{
    const int64_t room = all->total < all->room ? all->room : all->room > 0 ? 2 * all->room : 64;
    struct gf_gathered_image *const image = room == all->room ? all->all
        : realloc(all->all, (size_t)room * sizeof *image);

    if (image == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    all->image = all->all = image;
    all->room = room;
    all->count = ++all->total;
    return &image[all->total - 1];
}

/* The result is described by the first image, so others should have the same colors. */
static void compare_colors(struct gf_gathered *g, const struct gf_writer *w)
{
    if (g->images.count == 0 || g->warned || w->meta == NULL || gf_profile_same(&g->meta, w->meta))
        return;
    gf_profile_warn_other(g->notices, g->first, w->input);
    g->warned = true;
}

/* Returns the bits of integer images; -1 for floats. */
static int bits_of(const struct gf_format *f)
{
    return f->maxval > 1 ? gf_maxval_bits(f->maxval) : -1;
}

static int begin(struct gf_writer *w, struct gf_error *err)
{
    struct gf_gathered *const g = w->state;
    const struct gf_gathered_image *const last = g->images.count > 0 ? &g->images.image[g->images.count - 1] : NULL;
    const bool again = last != NULL && last->file != NULL && w->input != NULL && strcmp(last->file, w->input) == 0;
    const int bits = bits_of(&w->format);
    const int64_t number = again ? last->number + 1 : 1;
    struct gf_gathered_image *image;

    compare_colors(g, w);
    g->bits = g->images.count == 0 || bits < 0 || (g->bits >= 0 && bits > g->bits) ? bits : g->bits;
    if (g->images.how.kind == GF_JOINING_STACK
        && gf_stack_begin(&g->stack, &g->images, &w->format, w->input, err) != 0)
        return -1;
    image = add_image(&g->images, err);
    if (image == NULL)
        return -1;
    *image = (struct gf_gathered_image) { .format = w->format, .file = w->input, .number = number,
                                          .offset = g->images.bytes };
    g->rows = 0;
    return 0;
}

static int write_rows(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct gf_gathered *const g = w->state;
    const int64_t row = w->format.width * w->format.channels;
    const size_t bytes = (size_t)count * gf_unit_bytes(&w->format);

    if (g->images.how.kind == GF_JOINING_STACK)
        gf_stack_add(&g->stack, &g->images.how, g->images.count - 1, g->rows * row, units, count * row);
    g->rows += count;
    if (!gf_joining_keeps(&g->images.how))
        return 0;
    g->images.bytes += bytes;
    return gf_spool_put(&g->images.spool, g->images.bytes - bytes, units, bytes, err);
}

static bool keeps_any_text(const struct gf_text *t)
{
    (void)t;
    return true;
}

/* All metadata is kept until the result is written. */
static const struct gf_writer_ops collector = {
    .name = "memory", .kind = GF_IMAGE, .divided = true, .profile = true, .colour_chunks = true, .pixel_shape = true,
    .animation = true, .heeds = ~0u,
    .exif_bytes = SIZE_MAX, .xmp_bytes = SIZE_MAX, .iptc_bytes = SIZE_MAX, .keeps_text = keeps_any_text,
    .fit = fit, .begin = begin, .write = write_rows, .writing = GF_LABOUR_COPY, .ending = GF_LABOUR_COPY,
};

/* ---- the reader: delivers the result ---- */

/* Chooses the next images that make a result: all, or as many as have places. Returns 1, 0 at the end, -1. */
static int begin_result(struct gf_gathered *g, struct gf_error *err)
{
    struct gf_gathered_images *const m = &g->images;
    const int64_t from = g->results++ == 0 ? 0 : m->image - m->all + m->count, rest = m->total - from;
    const int64_t places = m->how.rows > 0 ? m->how.columns * m->how.rows : rest;

    g->rows = 0;
    m->image = m->all + from;
    m->count = rest < places ? rest : places;
    if (rest == 0)
        return 0;
    if (m->how.kind == GF_JOINING_TILES) {
        gf_tiles_release(&g->tiles);
        g->tiles = (struct gf_tiles) { 0 };
        if (gf_tiles_arrange(&g->tiles, m, err) != 0)
            return -1;
        g->result = g->tiles.format;
    } else {
        g->result = g->stack.out;
    }
    memcpy(g->result.yuv.aspect, g->aspect, sizeof g->aspect);
    return 1;
}

static int next(struct gf_reader *r, struct gf_error *err)
{
    struct gf_gathered *const g = r->state;
    const int more = g->images.total > 0 ? begin_result(g, err) : 0;     /* --explain has no images */

    if (more == 1)
        r->format = g->result;
    return more;
}

static int read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    const struct gf_gathered *const g = r->state;

    return g->images.how.kind == GF_JOINING_TILES ? gf_tiles_read(&g->tiles, &g->images, start, units, count, err)
        : gf_stack_read(&g->stack, &g->images, start, units, count, err);
}

static int64_t read_on(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct gf_gathered *const g = r->state;
    const int64_t rest = r->format.units - g->rows;

    count = count < rest ? count : rest;
    if (count > 0 && read_at(r, g->rows, units, count, err) != 0)
        return -1;
    g->rows += count;
    return count;
}

/* Frees what belongs to the result; the reader frees the struct. */
static void release(struct gf_gathered *g)
{
    gf_worker_free(g->worker);
    gf_meta_release(&g->sink.meta);
    gf_meta_release(&g->meta);
    gf_tiles_release(&g->tiles);
    gf_stack_release(&g->stack);
    gf_spool_close(&g->images.spool);
    free(g->images.all);
}

static void close_result(struct gf_reader *r)
{
    release(r->state);
}

void gf_gathered_free(struct gf_gathered *g)
{
    if (g == NULL)
        return;
    release(g);
    free(g);
}

static const struct gf_reader_ops deliverer = { .next = next, .read = read_on, .read_at = read_at,
                                                .close = close_result, .opening = GF_LABOUR_COPY,
                                                .reading = GF_LABOUR_CODE };

static void deliver(struct gf_gathered *g, struct gf_reader *r, int *depth)
{
    *depth = g->result.type != GF_F32 || g->bits < 0 ? 0 : g->bits <= 8 ? 8 : 16;
    gf_reader_replace(r, &deliverer, g, &g->result, g->name);
    r->random = true;
    r->meta = g->meta;
    g->meta = (struct gf_meta) { 0 };
}

void gf_gathered_pretend(struct gf_gathered **g, struct gf_reader *reader, int *depth)
{
    memcpy((*g)->result.yuv.aspect, (*g)->aspect, sizeof (*g)->aspect);
    (*g)->bits = bits_of(&(*g)->worker->task.outputs.stored[0]);
    deliver(*g, reader, depth);
    *g = NULL;
}

/* ---- the run ---- */

/*
 * Finds the result if all images are like the first one. A guess about tiles that is too large is no error: then the
 * first image stands for it.
 */
static int expect(struct gf_gathered *g, struct gf_error *err)
{
    struct gf_gathered_images like = g->images;
    struct gf_tiles tiles = { 0 };
    struct gf_error refused = { 0 };
    int64_t images = g->expected;

    g->result = g->worker->task.outputs.stored[0];
    if (like.how.kind == GF_JOINING_STACK) {
        g->result = gf_stack_result(like.how.of, &g->result);
        return 0;
    }
    if (like.how.rows > 0 && like.how.rows * like.how.columns < images)
        images = like.how.rows * like.how.columns;
    like.image = calloc((size_t)images, sizeof *like.image);
    if (like.image == NULL)
        return gf_fail_memory(err, NULL);
    for (like.count = 0; like.count < images; like.count++)
        like.image[like.count].format = g->result;
    like.how.must_match = false;                 /* the number of tiles may be another one */
    if (gf_tiles_arrange(&tiles, &like, &refused) == 0)
        g->result = tiles.format;
    gf_tiles_release(&tiles);
    free(like.image);
    return 0;
}

/* Says how much of the disk the images take, if their number is known before. */
static void note_disk(const struct gf_gathered *g)
{
    const struct gf_format *const first = &g->worker->task.outputs.stored[0];
    const double bytes = (double)g->expected * (double)first->units * (double)gf_unit_bytes(first);
    char text[40];

    if (!gf_joining_keeps(&g->images.how) || bytes <= (double)g->images.spool.most || bytes > 1e18)
        return;
    gf_bytes_text((int64_t)bytes, text);
    gf_note(g->notices, "gathered", g->images.stage, "keeps all images until the end, about %s in %s", text,
            gf_spool_folder());
}

/* Binds the stages to the current image, and plans. */
static int prepare(struct gf_gathered *g, struct gf_reader *reader, struct gf_error *err)
{
    struct gf_worker *const w = g->worker;

    gf_task_narrow(w, reader);
    w->sides.input_yuv = reader->format.yuv;
    return gf_task_bind(w, &reader->format, reader->name, err) != 0 || gf_task_plan(w, reader, &g->sink, err) != 0
        || gf_task_describe(w, reader, &g->sink, err) != 0 ? -1 : 0;
}

/* Returns how many images there are, as far as names and headers say; headers may say anything. */
static int64_t guess_images(const struct gf_reader *reader)
{
    const int64_t images = gf_reader_is_joined(reader) ? reader->options->joined_count + 1 : reader->images;

    return images < 1 ? 1 : images < MOST_EXPECTED || gf_reader_is_joined(reader) ? images : MOST_EXPECTED;
}

static int open_worker(struct gf_gathered *g, struct gf_worker *w, const struct gf_gathering *how,
                       struct gf_error *err)
{
    /* the plan of the stages after the joining stage has what is left, too */
    const int64_t share = gf_memory_take(GF_MEMORY_JOINED, &w->limits.memory_bytes);
    const int threads = w->limits.threads > 0 ? w->limits.threads : w->context->cpu.cores;
    const int64_t work = share / 4 / (w->limits.lanes > threads ? w->limits.lanes : threads);

    gf_run_context_copy(w->context, &g->context);
    g->context.chain = how->front;
    g->context.ends = false;
    g->images = (struct gf_gathered_images) { .stage = how->stage, .how = how->how,
                                              .max_pixels = w->limits.max_pixels };
    g->images.work_bytes = (size_t)(work < WORK_BYTES ? work : WORK_BYTES);
    gf_spool_begin(&g->images.spool, (size_t)(share / 4 * 3));
    g->writer = (struct gf_writer) { .ops = &collector, .name = how->stage, .state = g };
    g->sink.writer = &g->writer;
    g->worker = gf_worker_new(&g->context, &w->limits, w->number, err);
    if (g->worker == NULL)
        return -1;
    g->worker->writes = w->writes;
    gf_sides_begin(&g->worker->sides, &w->sides.read, w->sides.input, w->sides.base, w->sides.number);
    snprintf(g->name, sizeof g->name, "result of %.40s", how->stage);
    return 0;
}

/* Each field is a part of a frame, which is not that of another field. */
static int check_fields(const struct gf_reader *reader, const char *stage, struct gf_error *err)
{
    return !reader->format.yuv.fields ? 0
        : gf_fail(err, GF_MISUSED, "%s: --interlaced fields needs a Y4M output with all fields, but %s joins images;; "
                  "leave out this option", reader->name, stage);
}

struct gf_gathered *gf_gathered_open(struct gf_worker *w, struct gf_reader *reader, const struct gf_gathering *how,
                                     struct gf_error *err)
{
    struct gf_gathered *const g = calloc(1, sizeof *g);

    if (g == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    g->notices = reader->notices;
    g->expected = guess_images(reader);
    if (check_fields(reader, how->stage, err) == 0 && open_worker(g, w, how, err) == 0
        && prepare(g, reader, err) == 0 && expect(g, err) == 0) {
        memcpy(g->aspect, g->worker->task.binding.out.yuv.aspect, sizeof g->aspect);
        note_disk(g);
        return g;
    }
    gf_gathered_free(g);
    return NULL;
}

/* The metadata of a stack is that of its first image; tiles only keep how colors are stored. */
static int keep_metadata(struct gf_gathered *g, struct gf_error *err)
{
    struct gf_meta *const from = &g->sink.meta;

    if (g->images.how.kind == GF_JOINING_STACK)
        return gf_meta_copy(&g->meta, from, err);
    memcpy(g->meta.chunk, from->chunk, sizeof g->meta.chunk);
    memcpy(g->meta.has_chunk, from->has_chunk, sizeof g->meta.has_chunk);
    g->meta.icc = from->icc;
    g->meta.icc_bytes = from->icc_bytes;
    from->icc = NULL;
    return 0;
}

static int process(struct gf_gathered *g, struct gf_reader *reader, struct gf_error *err)
{
    struct gf_writer *const writers[GF_CHAIN_EXITS] = { &g->writer };
    struct gf_run_results none;

    return gf_task_unpack_sides(g->worker, err) != 0 || gf_task_begin(g->worker, reader, &g->sink, err) != 0
        || gf_task_run(g->worker, reader, writers, &none, err) != 0 || gf_task_end(g->worker, &g->sink, err) != 0
        ? -1 : 0;
}

/* Collects the images, each by itself as long as they cannot be taken several at once. */
static int collect(struct gf_gathered *g, struct gf_reader **reader, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(g->worker);
    int64_t count = 0;
    int more = 1;

    while (more == 1) {
        if (g->images.count > 0 && prepare(g, *reader, err) != 0)
            return -1;
        if (process(g, *reader, err) != 0)
            return -1;
        if (g->images.count == 1 && keep_metadata(g, err) != 0)
            return -1;
        g->first = g->images.image[0].file;
        more = gf_timed_io_next(&timed, *reader, err);
        if (more == 1 && gf_frames_at_once(g->worker) > 1) {
            gf_worker_give_back_lanes(g->worker);
            more = gf_frames_run(g->worker, reader, &g->sink, NULL, &count, err);
        }
        g->worker->sides.signal = g->images.count;
    }
    return more;
}

int gf_gathered_run(struct gf_gathered **own, struct gf_reader **reader, int *depth, struct gf_error *err)
{
    struct gf_gathered *const g = *own;

    if (collect(g, reader, err) != 0) {
        if (gf_reader_is_joined(*reader))
            gf_reader_name_error((*reader)->name, err);
        return -1;
    }
    gf_worker_free(g->worker);
    g->worker = NULL;
    if (begin_result(g, err) != 1)
        return -1;
    deliver(g, *reader, depth);
    *own = NULL;
    return 0;
}
