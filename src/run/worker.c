/* A worker keeps its plan, lanes and memory for as long as the signals have the same format. */
#include "run/worker.h"

#include "chain/binding_planes.h"
#include "io/format.h"
#include "run/worker_devices.h"
#include "run/value_losses.h"
#include "table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gf_timed_io gf_worker_timed_io(const struct gf_worker *w)
{
    return (struct gf_timed_io) { .report = w->context->report, .lane = w->engine.first_lane };
}

/* Returns a second image to the chain; it is held until another one replaces it. */
static int find_side(void *context, int number, const char *file, struct gf_side_picture *side, struct gf_error *err)
{
    struct gf_worker *w = context;
    struct gf_side_pictures_image *p;
    char stage[64];

    if (gf_side_pictures_find(w->sides_in_use, file, &p, err) != 0) {
        snprintf(stage, sizeof stage, "%.*s", (int)strcspn(side->stage, ":"), side->stage);
        gf_error_place(err, stage, NULL);
        return -1;
    }
    gf_side_pictures_image_release(w->beside[number]);
    w->beside[number] = p;
    gf_side_pictures_image_describe(p, side);
    side->name = gf_side_pictures_name(w->sides_in_use, file);
    return 0;
}

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
    w->sides = (struct gf_side_pictures) { .context = context, .limits = &w->limits };
    w->engine.report = context->report;
    w->engine.progress = context->progress;
    if (context->report != NULL)
        gf_report_lanes(context->report, &w->engine.first_lane, &w->engine.lane_count, 1);
    gf_run_context_copy(context, &now);
    w->number = number;
    w->gpus = now.gpus;
    gf_binding_begin(&w->binding, context->chain);
    w->binding.find_side = find_side;
    w->binding.side_context = w;
    return w;
}

static void forget_plan(struct gf_worker *w)
{
    if (w->have_plan)
        gf_engine_forget_plan(&w->engine, &w->plan);
    gf_plan_release(&w->plan);
    w->have_plan = false;
}

void gf_worker_give_back_lanes(struct gf_worker *w)
{
    gf_worker_close_codec(w);
    if (w->have_plan)
        gf_engine_forget_plan(&w->engine, &w->plan);
}

static void close_engine(struct gf_worker *w)
{
    gf_worker_close_codec(w);
    gf_engine_close(&w->engine);
}

bool gf_worker_has_gpu(const struct gf_worker *w)
{
    return w->engine.count > 0 && w->engine.device[0].kind->cuda;
}

void gf_worker_free(struct gf_worker *w)
{
    if (w == NULL)
        return;
    forget_plan(w);
    close_engine(w);
    gf_binding_release(&w->binding);
    for (int i = 0; i < GF_CHAIN_SIDES; i++)
        gf_side_pictures_image_release(w->beside[i]);
    gf_side_pictures_close(&w->sides);
    free(w);
}

/* Finds the current second images for a bound chain: 1; 0 if one has another format; -1. */
static int take_sides(struct gf_worker *w, struct gf_error *err)
{
    struct gf_binding *c = &w->binding;
    int alike = 1;

    for (int i = 0; i < c->sides; i++) {
        struct gf_side_picture now = { .file = c->side[i].file, .stage = c->side[i].stage };

        if (find_side(w, i, now.file, &now, err) != 0)
            return -1;
        alike = alike && gf_same_format(&now.format, &c->side[i].format)
                && (now.spool == NULL) == (c->side[i].spool == NULL);
        c->side[i] = now;
    }
    return alike;
}

void gf_worker_narrow(struct gf_worker *w, struct gf_reader *reader)
{
    struct gf_format part;

    if (reader->ops->narrow == NULL || reader->salvaged != NULL
        || !gf_chain_narrow(w->binding.chain, &reader->format, &part))
        return;
    /* a device decodes whole images faster than the CPU decodes parts */
    if (part.original.shrunk > 1 || !w->context->jpeg_on_device)
        reader->ops->narrow(reader, &part);
}

int gf_worker_bind(struct gf_worker *w, const struct gf_format *in, const char *name, struct gf_error *err)
{
    const int same = w->have_chain && gf_same_format(in, &w->bound) ? take_sides(w, err) : 0;

    w->binding.signal = w->sides_in_use->signal;
    if (same != 0)
        return same > 0 ? 0 : -1;
    forget_plan(w);
    w->have_chain = false;
    w->binding.latency_ms = w->limits.latency_ms;
    w->binding.max_pixels = w->limits.max_pixels;
    w->binding.memory_bytes = w->limits.memory_bytes;
    if (gf_bind(&w->binding, in, name, err) != 0)
        return -1;
    w->bound = *in;
    w->have_chain = true;
    return 0;
}

int gf_worker_needed_units(struct gf_worker *w, const struct gf_format *in, const char *name, int words, int64_t *units,
                           struct gf_error *err)
{
    const int all = w->binding.words;
    const int64_t far = INT64_C(1) << 60;
    struct gf_span looked = { 0, far };
    int result;

    forget_plan(w);
    w->have_chain = false;
    w->binding.latency_ms = w->limits.latency_ms;
    w->binding.max_pixels = w->limits.max_pixels;
    w->binding.words = words;
    result = gf_bind(&w->binding, in, name, err);
    w->binding.words = all;
    for (int i = w->binding.links - 1; result == 0 && i >= 0; i--) {
        const struct gf_need *need = &w->binding.link[i].need;

        if (w->binding.link[i].kind != GF_LINK_OP)
            continue;
        looked.end = need->most > 0 && need->most < looked.end ? need->most : looked.end;
        looked.end = gf_need_span(need, looked, far).end;
    }
    *units = looked.end < far ? looked.end : GF_UNKNOWN;
    return result;
}

static int check_size(const struct gf_format *f, const char *name, struct gf_error *err)
{
    if (f->width > 0 && f->units > INT64_C(0x3fffffffffffffff) / f->width / f->channels / 8)
        return gf_fail(err, GF_FAILED, "%s: the result would be too large", name);
    return 0;
}

int gf_worker_fit_tee(struct gf_worker *w, int i, struct gf_writer *writer, struct gf_error *err)
{
    struct gf_link *link = &w->binding.link[i];
    struct gf_format stored = link->out;

    if (check_size(&stored, writer->name, err) != 0 || gf_writer_fit(writer, &stored, err) != 0)
        return -1;
    if (!gf_same_format(&stored, &link->stored))
        forget_plan(w);
    link->stored = stored;
    return 0;
}

int gf_worker_plan(struct gf_worker *w, const struct gf_reader *reader, struct gf_writer *writer, struct gf_error *err)
{
    struct gf_format out = w->binding.out;

    if (check_size(&out, reader->name, err) != 0 || (writer != NULL && gf_writer_fit(writer, &out, err) != 0))
        return -1;
    w->watched = gf_value_losses_choose(&w->binding, writer != NULL && !writer->ops->screen ? &out : NULL);
    if (w->have_plan && gf_same_format(&out, &w->stored) && w->limits.again == reader->random)
        return 0;
    forget_plan(w);
    if (gf_binding_add_planes(&w->binding, writer != NULL ? &out : NULL, (enum gf_video_choice)w->limits.video,
                              err) != 0)
        return -1;
    if (gf_binding_fit(&w->binding, &out, err) != 0)
        return -1;
    if (gf_worker_devices_plan(w, reader, writer, writer != NULL ? &out : NULL, err) != 0)
        return -1;
    w->stored = out;
    w->have_plan = true;
    return 0;
}

int gf_worker_open_engine(struct gf_worker *w, struct gf_error *err)
{
    const struct gf_device_kind *kind = w->plan.cuda ? &gf_device_cuda : &gf_device_cpu;
    const struct gf_device_list first = { { w->gpus.index[0] }, 1 };
    const struct gf_device_list *gpus = w->gpus_used.count > 0 ? &w->gpus_used : &first;

    if (w->engine.count > 0 && w->engine.device[0].kind == kind && (!w->plan.cuda || w->engine.count == gpus->count))
        return 0;
    close_engine(w);
    return gf_engine_open(&w->engine, kind, gpus, err);
}

int gf_worker_open_room(struct gf_worker *w, struct gf_room *room, int64_t bytes, struct gf_error *err)
{
    if (room->data != NULL && bytes <= (int64_t)room->bytes)
        return 0;
    gf_worker_close_room(w, room);
    if (gf_worker_open_engine(w, err) != 0)
        return -1;
    return w->engine.device[0].kind->room_open(&w->engine.device[0], room, (size_t)bytes, err);
}

int gf_worker_pin_room(struct gf_worker *w, struct gf_room *room, struct gf_error *err)
{
    return w->engine.device[0].kind->room_pin(&w->engine.device[0], room, err);
}

void gf_worker_close_room(struct gf_worker *w, struct gf_room *room)
{
    if (room->data != NULL)
        w->engine.device[0].kind->room_close(&w->engine.device[0], room);
}

int gf_worker_run(struct gf_worker *w, struct gf_reader *reader, struct gf_writer *writer,
                  struct gf_writer *const *tees,
                  struct gf_run_results *results, struct gf_error *err)
{
    reader->watched = reader->watch != NULL ? w->watched : 0;
    for (int i = 0; i < w->binding.sides; i++)
        if (gf_side_pictures_image_prepare(w->beside[i], w->context, &w->limits, err) != 0)
            return -1;
    if (gf_worker_open_engine(w, err) != 0)
        return -1;
    return gf_execute(&w->engine, &w->plan, &w->binding, reader, writer, tees, results, err);
}
