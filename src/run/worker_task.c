/* Creates workers, and prepares, runs and ends their tasks. */
#include "run/worker_task.h"

#include "base/memory_share.h"
#include "chain/binding_planes.h"
#include "io/format.h"
#include "io/metadata/audio_loss.h"
#include "run/output_metadata.h"
#include "run/value_losses.h"
#include "run/worker.h"

#include <stdlib.h>
#include <string.h>

struct gf_worker *gf_worker_new(struct gf_run_context *context, const struct gf_limits *limits, int number,
                                struct gf_error *err)
{
    struct gf_worker *w = calloc(1, sizeof *w);
    struct gf_run_context now;

    if (w == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    w->context = context;
    w->limits = *limits;
    w->sides_in_use = &w->sides;
    w->sides = (struct gf_sides) { .context = context, .limits = &w->limits };
    w->engine.report = context->report;
    w->engine.chain = context->chain;
    w->engine.progress = context->progress;
    if (context->report != NULL)
        gf_report_lanes(context->report, &w->engine.first_lane, &w->engine.lane_count, 1);
    gf_run_context_copy(context, &now);
    w->number = number;
    w->gpus = now.gpus;
    return w;
}

void gf_task_forget_plan(struct gf_worker *w)
{
    struct gf_task *t = &w->task;

    if (t->planned)
        gf_engine_forget_plan(&w->engine, &t->plan);
    gf_plan_release(&t->plan);
    gf_outputs_release(&t->outputs);
    for (int k = 0; k < 3; k++) {
        free(t->run.tables[k]);
        t->run.tables[k] = NULL;
    }
    t->planned = false;
}

static void release_task(struct gf_worker *w)
{
    gf_task_forget_plan(w);
    gf_binding_release(&w->task.binding);
    gf_arena_release(&w->task.run.findings.arena);
    for (int i = 0; i < GF_CHAIN_SIDES; i++)
        gf_side_image_release(w->task.image[i]);
    gf_window_release(&w->task.frames);
}

void gf_worker_free(struct gf_worker *w)
{
    if (w == NULL)
        return;
    release_task(w);
    gf_worker_close_engine(w);
    gf_sides_close(&w->sides);
    free(w);
}

void gf_task_narrow(struct gf_worker *w, struct gf_reader *reader)
{
    struct gf_format part;

    if (reader->ops->narrow == NULL || reader->salvaged != NULL
        || !gf_chain_narrow(w->context->chain, &reader->format, &part))
        return;
    /* a device decodes whole images faster than the CPU decodes parts */
    if (part.original.shrunk > 1 || !w->context->jpeg_on_device)
        reader->ops->narrow(reader, &part);
}

/* ---- binding ---- */

/* Adds the stage of a second input to its error; returns -1. */
static int fail_side(const struct gf_worker *w, const struct gf_side *side, struct gf_error *err)
{
    const struct gf_chain_word *word = &w->context->chain->word[side->word];

    gf_error_place(err, word->stage[side->kind]->name, NULL);
    return gf_chain_fail_word(word, err);
}

/*
 * Sets the rate and the channels of a second input that gets those of the signal: of its format before the stage, which
 * the stages before that one decide.
 */
static int even_side(const struct gf_worker *w, const struct gf_format *in, const char *name, struct gf_bind_options *o,
                     struct gf_side *side, struct gf_error *err)
{
    const struct gf_chain *const chain = w->context->chain;
    const struct gf_stage *const stage = chain->word[side->word].stage[side->kind];
    struct gf_binding before = { 0 };
    int result = 0;

    if (!stage->evens_sides)
        return 0;
    o->words = side->word;
    if (side->word > 0)
        result = gf_bind(&before, chain, in, o, name, err);
    side->rate = side->word > 0 ? before.out.rate : in->rate;
    side->channels = side->word > 0 ? before.out.channels : in->channels;
    gf_binding_release(&before);
    return result;
}

/* Finds the second inputs that belong to the signal. The task keeps each for its next signal. */
static int find_sides(struct gf_worker *w, const struct gf_format *in, const char *name, struct gf_bind_options *o,
                      struct gf_error *err)
{
    struct gf_task *t = &w->task;

    for (int i = 0; i < o->sides; i++) {
        struct gf_bind_options before = *o;

        before.sides = i;
        if (even_side(w, in, name, &before, &o->side[i], err) != 0)
            return -1;
        gf_side_image_release(t->image[i]);      /* before another one takes memory; a current one stays in its file */
        t->image[i] = NULL;
        if (gf_sides_find(w->sides_in_use, &o->side[i], &t->image[i], err) != 0)
            return fail_side(w, &o->side[i], err);
        t->run.side[i] = o->side[i];
        t->run.samples[i] = gf_side_image_samples(t->image[i]);
    }
    return 0;
}

static bool is_bound(const struct gf_task *t, const struct gf_format *in, const struct gf_bind_options *o)
{
    bool same = t->bound && gf_same_format(in, &t->binding.in);

    for (int i = 0; same && i < o->sides; i++)
        same = gf_same_format(&o->side[i].format, &t->binding.options.side[i].format)
               && o->side[i].on_disk == t->binding.options.side[i].on_disk;
    return same;
}

/* True if the result has another size than that of the first image, and has to get it. */
static bool has_other_size(const struct gf_worker *w)
{
    const struct gf_run_context *c = w->context;
    const struct gf_binding *b = &w->task.binding;

    return c->sized != NULL && !b->table && (b->out.width != c->width || b->out.units != c->height);
}

static int bind_words(struct gf_worker *w, const struct gf_format *in, const char *name, int words,
                      struct gf_error *err)
{
    struct gf_task *t = &w->task;
    struct gf_bind_options o = { .words = words, .latency_ms = w->limits.latency_ms,
                                 .memory_bytes = w->limits.memory_bytes, .max_pixels = w->limits.max_pixels };

    t->run.signal = w->sides_in_use->signal;
    if (gf_chain_list_sides(w->context->chain, in->kind, o.side, &o.sides, err) != 0
        || find_sides(w, in, name, &o, err) != 0)
        return -1;
    if (words == 0 && is_bound(t, in, &o))
        return 0;
    gf_task_forget_plan(w);
    t->bound = false;
    if (gf_bind(&t->binding, w->context->chain, in, &o, name, err) != 0)
        return -1;
    if (words == 0 && has_other_size(w) && gf_bind(&t->binding, w->context->sized, in, &o, name, err) != 0)
        return -1;
    t->bound = words == 0;
    return 0;
}

int gf_task_bind(struct gf_worker *w, const struct gf_format *in, const char *name, struct gf_error *err)
{
    return bind_words(w, in, name, 0, err);
}

int gf_task_needed_units(struct gf_worker *w, const struct gf_format *in, const char *name, int words, int64_t *units,
                         struct gf_error *err)
{
    const int64_t far = INT64_C(1) << 60;
    const struct gf_binding *b = &w->task.binding;
    struct gf_span looked = { 0, far };

    if (words > 0 && bind_words(w, in, name, words, err) != 0)
        return -1;
    for (int i = words > 0 ? b->links - 1 : -1; i >= 0; i--) {
        const struct gf_need *need = &b->link[i].need;

        if (b->link[i].kind != GF_LINK_OP)
            continue;
        looked.end = need->most > 0 && need->most < looked.end ? need->most : looked.end;
        looked.end = gf_need_span(need, looked, far).end;
    }
    *units = looked.end < far ? looked.end : GF_UNKNOWN;
    return 0;
}

/* ---- planning ---- */

static int check_size(const struct gf_format *f, const char *name, struct gf_error *err)
{
    if (f->width > 0 && f->units > INT64_C(0x3fffffffffffffff) / f->width / f->channels / 8)
        return gf_fail(err, GF_FAILED, "%s: the result would be too large", name);
    return 0;
}

/* Finds what the writers store. */
static int fit_sinks(const struct gf_binding *b, const struct gf_sink *sinks, const char *name, struct gf_outputs *o,
                     struct gf_error *err)
{
    o->table = b->table;
    o->shown = !b->table && sinks[0].writer->ops->screen;
    for (int k = 0; k < b->exits; k++) {
        struct gf_writer *writer = k == 0 && b->table ? NULL : sinks[k].writer;

        o->stored[k] = b->exit[k].format;
        if (check_size(&o->stored[k], k > 0 ? writer->name : name, err) != 0
            || (writer != NULL && gf_writer_fit(writer, &o->stored[k], err) != 0))
            return -1;
    }
    return 0;
}

static bool is_planned(const struct gf_task *t, const struct gf_outputs *o, bool again)
{
    bool same = t->planned && t->source.again == again;

    for (int k = 0; same && k < t->binding.exits; k++)
        same = gf_same_format(&o->stored[k], &t->outputs.stored[k]);
    return same;
}

/* Copies the tables of bindings whose stages measure, because they write to them. */
static int copy_tables(struct gf_task *t, struct gf_error *err)
{
    const struct gf_binding *bindings[] = { &t->binding, t->outputs.plane[0], t->outputs.plane[1] };

    t->run.plan = &t->plan;
    t->run.binding = bindings[0];
    for (int k = 0; k < 3; k++) {
        const struct gf_binding *b = bindings[k];

        if (k > 0)
            t->run.plane[k - 1] = b;
        if (b == NULL || !b->settles)
            continue;
        t->run.tables[k] = malloc((size_t)b->tables.count * sizeof(float) + 1);
        if (t->run.tables[k] == NULL)
            return gf_fail_memory(err, NULL);
        memcpy(t->run.tables[k], b->tables.data, (size_t)b->tables.count * sizeof(float));
    }
    return 0;
}

int gf_task_plan(struct gf_worker *w, const struct gf_reader *reader, const struct gf_sink *sinks, struct gf_error *err)
{
    struct gf_task *t = &w->task;
    struct gf_outputs o = { 0 };

    if (fit_sinks(&t->binding, sinks, reader->name, &o, err) != 0)
        return -1;
    t->watched = gf_value_losses_choose(&t->binding, &o);
    gf_window_take(reader, &t->frames, &t->run.window);
    if (is_planned(t, &o, reader->random))
        return 0;
    gf_task_forget_plan(w);
    t->outputs = o;
    if (gf_outputs_bind_planes(&t->outputs, &t->binding, (enum gf_video_choice)w->limits.video, err) != 0
        || gf_binding_check_output(&t->binding, &o.stored[0], err) != 0
        || gf_worker_plan(w, reader, o.table ? NULL : sinks[0].writer, err) != 0 || copy_tables(t, err) != 0)
        return -1;
    t->planned = true;
    return 0;
}

/* ---- metadata, and the run ---- */

/* An image in tiles: a copy of what its reader says, because the reader goes on while tiles are written. */
struct gf_tile_source {
    struct gf_reader reader;
    struct gf_output_of output;
};

static int describe_tile(const void *described, const struct gf_tile *tile, struct gf_meta *meta, struct gf_error *err)
{
    const struct gf_tile_source *source = described;
    struct gf_output_of output = source->output;

    output.tile = tile;
    return gf_output_metadata_make(meta, &source->reader, &output, err);
}

static void release_tile_source(struct gf_sink *sink)
{
    if (sink->tile_source != NULL)
        gf_meta_release(&sink->tile_source->reader.meta);
    free(sink->tile_source);
    sink->tile_source = NULL;
}

void gf_sink_release(struct gf_sink *sink)
{
    gf_meta_release(&sink->meta);
    release_tile_source(sink);
}

/* Lets the writer ask for the metadata of each tile. */
static int prepare_tiles(struct gf_sink *sink, const struct gf_reader *reader, const struct gf_output_of *output,
                         struct gf_error *err)
{
    struct gf_tile_source *source = malloc(sizeof *source);

    release_tile_source(sink);
    if (source == NULL)
        return gf_fail_memory(err, reader->name);
    *source = (struct gf_tile_source) { .reader = *reader, .output = *output };
    source->reader.meta = (struct gf_meta) { 0 };
    sink->tile_source = source;
    if (gf_meta_copy(&source->reader.meta, &reader->meta, err) != 0)
        return -1;
    sink->writer->describe = describe_tile;
    sink->writer->described = source;
    return 0;
}

int gf_task_describe(struct gf_worker *w, struct gf_reader *reader, struct gf_sink *sinks, struct gf_error *err)
{
    const struct gf_task *t = &w->task;
    const struct gf_format *out = &t->binding.out;
    const int exits = t->binding.exits;
    struct gf_tile first;

    for (int i = 1; i <= exits; i++) {                   /* the result is the last one */
        struct gf_sink *sink = &sinks[i % exits];
        struct gf_output_of output = { .binding = &t->binding, .exit = i % exits, .writer = sink->writer,
                                             .stored = &t->outputs.stored[i % exits] };

        if (output.exit == 0 && t->outputs.table)
            continue;
        if (reader->format.kind == GF_AUDIO) {
            sink->writer->change = gf_output_metadata_audio(&t->binding, output.exit, reader);
            if (sink->writer->ops->divided)              /* the next part of the chain warns */
                continue;
            gf_audio_loss_warn(reader, sink->writer, false);
            gf_audio_loss_warn_layout(reader, sink->writer, output.stored->channels);
            continue;
        }
        if (output.exit == 0 && t->binding.tiling.width > 0) {
            first = gf_tiling_tile(&t->binding.tiling, out->width, out->units, 0, 0);
            output.tile = &first;                        /* its losses are those of all tiles */
            if (prepare_tiles(sink, reader, &output, err) != 0)
                return -1;
        }
        if (gf_output_metadata_make(&sink->meta, reader, &output, err) != 0)
            return -1;
        gf_output_metadata_warn(&sink->meta, reader, sink->writer, output.stored);
    }
    return 0;
}

int gf_task_begin(struct gf_worker *w, const struct gf_reader *reader, struct gf_sink *sinks, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    const struct gf_task *t = &w->task;

    for (int k = t->outputs.table; k < t->binding.exits; k++) {
        struct gf_writer *writer = sinks[k].writer;

        if (reader != NULL)
            writer->input = reader->name;
        /* tags may come after the audio */
        writer->meta = t->binding.in.kind == GF_AUDIO ? &reader->meta : &sinks[k].meta;
        if (gf_timed_io_begin(&timed, writer, &t->outputs.stored[k], err) != 0)
            return -1;
    }
    return 0;
}

int gf_task_end(struct gf_worker *w, const struct gf_sink *sinks, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    const int exits = w->task.binding.exits;

    for (int i = 1; i <= exits - w->task.outputs.table; i++)
        if (gf_timed_io_end(&timed, sinks[i % exits].writer, err) != 0)
            return -1;
    return 0;
}

/* Unpacks a second input on the CPU: a task without stages,
    which turns it upright and makes pixels of luma and chroma. */
static int unpack(const struct gf_worker *w, struct gf_reader *from, struct gf_writer *to, struct gf_error *err)
{
    static const struct gf_chain no_stages;
    const struct gf_sink sink = { .writer = to };
    struct gf_limits limits = w->limits;
    struct gf_run_context context;
    struct gf_run_results none;
    struct gf_worker *other;
    int result = -1;

    gf_run_context_copy(w->context, &context);
    context.chain = &no_stages;
    context.where = GF_CPU;
    context.report = NULL;
    context.progress = NULL;
    limits.memory_bytes = gf_memory_share(GF_MEMORY_UNPACKING, limits.memory_bytes);
    other = gf_worker_new(&context, &limits, -1, err);
    if (other != NULL && gf_task_bind(other, &from->format, from->name, err) == 0
        && gf_task_plan(other, from, &sink, err) == 0)
        result = gf_task_run(other, from, &to, &none, err);
    gf_worker_free(other);
    return result;
}

/* Unpacks an image, unless that is done. Other workers that need it wait meanwhile. */
static int unpack_image(const struct gf_worker *w, struct gf_side_image *image, struct gf_error *err)
{
    struct gf_reader from;
    struct gf_writer to;
    int result = gf_side_image_begin_unpacking(image, &from, &to, err);

    if (result == 1) {
        result = unpack(w, &from, &to, err);
        gf_side_image_end_unpacking(image, result == 0);
    }
    return result;
}

/* Returns true if an operation reads pixels of the window. */
static bool reads_frames(const struct gf_task *t)
{
    for (int i = 0; t->outputs.plane[0] == NULL && i < t->binding.links; i++)
        if (t->binding.link[i].windowed && !t->binding.link[i].frames.luma)
            return true;
    return false;
}

int64_t gf_task_frame_bytes(const struct gf_task *t)
{
    const struct gf_format *const in = &t->binding.in, stored = gf_stored_format(in), pixels = gf_unpacked_format(in);
    const bool packed = gf_side_image_is_packed(in);

    return (packed ? stored.units * (int64_t)gf_unit_bytes(&stored) : 0)
        + (!packed || reads_frames(t) ? pixels.units * (int64_t)gf_unit_bytes(&pixels) : 0);
}

int gf_task_unpack_sides(struct gf_worker *w, struct gf_error *err)
{
    struct gf_task *t = &w->task;

    for (int i = 0; i < t->binding.options.sides; i++)
        if (unpack_image(w, t->image[i], err) != 0)
            return fail_side(w, &t->run.side[i], err);
    for (int i = 0; reads_frames(t) && i < t->frames.count; i++) {
        if (unpack_image(w, t->frames.image[i], err) != 0)
            return -1;
        t->run.window.pixels[i] = gf_side_image_samples(t->frames.image[i]);
    }
    return 0;
}

int gf_task_run(struct gf_worker *w, struct gf_reader *reader, struct gf_writer *const *writers,
                struct gf_run_results *results, struct gf_error *err)
{
    struct gf_task *t = &w->task;

    reader->watched = reader->watch != NULL ? t->watched & ~reader->unwatched : 0;
    return gf_task_unpack_sides(w, err) != 0 || gf_worker_open_engine(w, err) != 0 ? -1
        : gf_execute(&w->engine, &t->run, reader, writers, results, err);
}
