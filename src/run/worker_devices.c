/* The devices of a worker: plans for those that --device names or that should finish first, and opens them. */
#include "run/worker_devices.h"

#include "run/worker.h"

#define FURTHER_START_SECONDS 0.15       /* of a GPU while another one works; the driver is open by then */
#define MANY_SIGNALS 1e9                 /* for pipes, which may deliver any number */

/* Plans the bound chain for such devices. */
static int make_plan(struct gf_worker *w, enum gf_device_choice where, const struct gf_device_facts *cpu,
                     const struct gf_device_facts *cuda, struct gf_error *err)
{
    struct gf_task *t = &w->task;
    const struct gf_plan_request request = { .binding = &t->binding, .outputs = &t->outputs, .limits = &w->limits,
                                             .source = t->source, .workers = w->context->inputs, .devices = w->devices,
                                             .where = where, .cpu = cpu, .cuda = cuda };

    return gf_plan_make(&t->plan, &request, err);
}

static int plan_for_cpu(struct gf_worker *w, const struct gf_device_facts *cpu, struct gf_error *err)
{
    const struct gf_device_facts no_gpu = { .present = false };

    return make_plan(w, GF_CPU, cpu, &no_gpu, err);
}

/*
 * Starts the GPU and reserves space for the output, because both take a while. Call it before the
 * driver is asked, which waits for the first part of the start.
 */
static void start_early(struct gf_worker *w, struct gf_writer *writer)
{
    if (!w->writes)
        return;
    gf_device_cuda.begin(w->gpus.index[0]);
    if (writer != NULL && w->task.source.again)          /* a pipe may end before its header says */
        gf_writer_reserve(writer, &w->task.outputs.stored[0]);
}

/* Plans for the GPUs that --device names, once the driver has answered. */
static int plan_for_cuda(struct gf_worker *w, struct gf_writer *writer, struct gf_error *err)
{
    const struct gf_run_context *context = w->context;

    start_early(w, writer);
    return gf_run_context_need_gpus(w->context, err) != 0 ? -1
        : make_plan(w, GF_CUDA, &context->rated_cpu, &context->cuda, err);
}

/*
 * --device auto: estimates the CPU first, because a small job ends before a GPU is found. Then
 * plans with GPU facts from earlier runs. Asks the driver only if there are none or if they favor
 * the GPU.
 */
static int plan_for_auto(struct gf_worker *w, struct gf_writer *writer, struct gf_error *err)
{
    struct gf_error refused = { 0 };
    struct gf_devices_seen seen;
    int result = plan_for_cpu(w, &w->context->cpu, &refused);
    const double signals = w->task.source.signals > 1 ? (double)w->task.source.signals : 1;
    const double cpu_seconds = result == 0 ? w->task.plan.cpu_seconds * signals : 1e9;

    if (w->limits.latency_ms > 0 && w->task.binding.in.kind == GF_AUDIO) {
        if (w->context->estimates) {
            gf_run_context_see_devices(w->context, 0, false, &seen);
            result = plan_for_cpu(w, &seen.cpu, &refused);
        }
        w->task.plan.why = "--latency runs audio on the CPU";
        *err = refused;
        return result;
    }
    for (int look = 0; look < 2; look++) {               /* the second time it asks the driver */
        if (look > 0)
            start_early(w, writer);
        gf_run_context_see_devices(w->context, cpu_seconds, look > 0, &seen);
        if (seen.cuda.present || look > 0)
            result = make_plan(w, GF_AUTO, &seen.cpu, &seen.cuda, &refused);
        if (!seen.cuda.present)
            w->task.plan.why = seen.why_not;
        if (!seen.cuda.present || seen.asked || (result == 0 && !w->task.plan.cuda))
            break;
    }
    if (w->context->estimates && result == 0 && !w->task.plan.cpu_measured && seen.cpu.measured) {
        const char *why = w->task.plan.why;

        result = plan_for_cpu(w, &seen.cpu, &refused);
        w->task.plan.why = why;
    }
    *err = refused;
    return result;
}

int gf_worker_devices_pay(const struct gf_worker *w, double signals)
{
    /* of the start, in the estimate */
    const double shares = w->task.source.signals > 1 ? (double)w->task.source.signals : 1;
    const double seconds = (signals > 0 ? signals : MANY_SIGNALS)
                           * (w->task.plan.cuda_seconds - w->context->cuda.start_seconds / shares);
    int count = 1;

    while (count < w->gpus.count && seconds / count - seconds / (count + 1) > FURTHER_START_SECONDS)
        count++;
    return count;
}

/*
 * Chooses among several GPUs. A worker that has all of the signal plans again for those that pay; one of
 * many takes one of them and keeps it.
 */
static int choose_gpus(struct gf_worker *w, struct gf_error *err)
{
    const struct gf_run_context *c = w->context;
    const int count = gf_worker_devices_pay(w, w->number < 0 ? 1 : c->signals), before = w->devices;
    const char *why = w->task.plan.why;

    if (w->number >= 0 && w->gpus_used.count == 0)
        w->gpus_used = (struct gf_device_list) { { w->gpus.index[w->number % count] }, 1 };
    if (w->number >= 0)
        return 0;
    w->gpus_used = w->gpus;
    w->gpus_used.count = w->devices = count;
    if (count == before || (count == 1 && before == 0))
        return 0;
    if (make_plan(w, GF_CUDA, &c->rated_cpu, &c->cuda, err) != 0)
        return -1;
    w->task.plan.why = why;
    return 0;
}

/* Returns how many images of this size a file without compression has room for; 0 if it is unknown. */
static int64_t count_signals(const struct gf_reader *reader)
{
    const struct gf_format stored = gf_stored_format(&reader->format);
    int64_t size;

    if (reader->source == NULL || reader->ops->reading != GF_LABOUR_FILE || stored.kind != GF_IMAGE
        || stored.units <= 0)
        return 0;
    gf_reader_position(reader, &size);
    return size / (stored.units * (int64_t)gf_unit_bytes(&stored));
}

int gf_worker_devices_plan(struct gf_worker *w, const struct gf_reader *reader, struct gf_writer *writer,
                           struct gf_error *err)
{
    const struct gf_run_context *context = w->context;

    w->task.source.again = reader->random;
    w->task.source.signals = context->where == GF_AUTO || w->gpus.count > 1 ? count_signals(reader) : 0;
    w->task.source.decodes = reader->ops->reading == GF_LABOUR_CODE;
    w->task.source.encodes = writer != NULL && writer->ops->writing == GF_LABOUR_CODE;
    w->devices = w->gpus_used.count;
    if ((context->where == GF_AUTO ? plan_for_auto(w, writer, err)
         : context->where == GF_CUDA ? plan_for_cuda(w, writer, err)
                                     : plan_for_cpu(w, &context->rated_cpu, err)) != 0)
        return -1;
    return w->task.plan.cuda && w->gpus.count > 1 ? choose_gpus(w, err) : 0;
}

/* ---- the engine ---- */

void gf_worker_close_engine(struct gf_worker *w)
{
    gf_worker_close_codec(w);
    gf_engine_close(&w->engine);
}

int gf_worker_open_engine(struct gf_worker *w, struct gf_error *err)
{
    const struct gf_device_kind *kind = w->task.plan.cuda ? &gf_device_cuda : &gf_device_cpu;
    const struct gf_device_list first = { { w->gpus.index[0] }, 1 };
    const struct gf_device_list *gpus = w->gpus_used.count > 0 ? &w->gpus_used : &first;

    if (w->engine.count > 0 && w->engine.device[0].kind == kind && (!w->task.plan.cuda
                                                                    || w->engine.count == gpus->count))
        return 0;
    gf_worker_close_engine(w);
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
