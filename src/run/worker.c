/*
 * The devices of a worker: plans for those that --device names or that should finish first, opens them, and lets them
 * decode and encode JPEG.
 */
#include "run/worker.h"

#include "base/memory_share.h"
#include "base/notice.h"
#include "device/used.h"

#include <stdlib.h>
#include <string.h>

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
    gf_device_for(true)->begin(w->gpus.index[0]);
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

    if (gf_device_is_lost()) {
        w->task.plan.why = "CPU: the process that kept the GPU ready has ended";
        *err = refused;
        return result;
    }
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

int gf_worker_gpus_that_pay(const struct gf_worker *w, double signals)
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
    const int count = gf_worker_gpus_that_pay(w, w->number < 0 ? 1 : c->signals), before = w->devices;
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

/*
 * Returns how many images of this size a file without compression has room for, or how many files are joined; 0 if
 * it is unknown.
 */
static int64_t count_in_file(const struct gf_reader *reader)
{
    const struct gf_format stored = gf_stored_format(&reader->format);
    int64_t size;

    if (gf_reader_is_joined(reader))
        return reader->options->joined_count + 1;
    if (reader->source == NULL || reader->ops->reading != GF_LABOUR_FILE || stored.kind != GF_IMAGE
        || stored.units <= 0)
        return 0;
    gf_reader_position(reader, &size);
    return size / (stored.units * (int64_t)gf_unit_bytes(&stored));
}

/* Windows may choose other images than the file has. */
int64_t gf_worker_count_signals(const struct gf_reader *reader)
{
    const struct gf_shown now = gf_reader_shown(reader);
    const struct gf_reader *file = reader;
    struct gf_shown read;

    while (file->around != NULL)
        file = file->around;
    read = gf_reader_shown(file);
    return now.per_second <= 0 || read.per_second <= 0 || now.count <= 0 ? count_in_file(file)
        : (int64_t)((double)count_in_file(file) * (double)read.count / (double)read.per_second
                    * (double)now.per_second / (double)now.count + 0.5);
}

int gf_worker_plan(struct gf_worker *w, const struct gf_reader *reader, struct gf_writer *writer,
                   struct gf_error *err)
{
    const struct gf_run_context *context = w->context;

    w->task.source.again = reader->random;
    w->task.source.on_device = w->on_device;
    w->task.source.signals = context->where != GF_AUTO && w->gpus.count <= 1 ? 0 : gf_worker_count_signals(reader);
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

/* Returns the kind of device for a plan. A CPU in another process does not see signals on this one's disk. */
static const struct gf_device_kind *kind_for(const struct gf_plan *plan)
{
    const struct gf_device_kind *kind = gf_device_for(plan->cuda);

    for (int p = 0; !plan->cuda && p < plan->passes; p++)
        if (plan->pass[p]->from.spooled || plan->pass[p]->to.spooled)
            return &gf_device_cpu;
    return kind;
}

void gf_worker_close_engine(struct gf_worker *w)
{
    gf_worker_close_codec(w);
    gf_engine_close(&w->engine);
}

int gf_worker_open_engine(struct gf_worker *w, struct gf_error *err)
{
    const struct gf_device_kind *kind = w->on_device ? &gf_device_cuda : kind_for(&w->task.plan);
    const struct gf_device_list first = { { w->gpus.index[0] }, 1 };
    const struct gf_device_list *gpus = w->gpus_used.count > 0 ? &w->gpus_used : &first;

    if (w->engine.count > 0 && w->engine.device[0].kind == kind && (!w->task.plan.cuda
                                                                    || w->engine.count == gpus->count))
        return 0;
    gf_worker_close_engine(w);
    if (gf_engine_open(&w->engine, kind, gpus, err) != 0)
        return -1;
    for (int i = 0; i < w->engine.count; i++)
        w->engine.device[i].pooled = w->on_device;
    return 0;
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

/* ---- codec: images that a device decodes and encodes ---- */

/* nvJPEG has memory of its own for each image of a batch, and a worker adds one image. */
#define BATCH_BYTES (INT64_C(64) << 20)

static int64_t sample_bytes(const struct gf_format *f)
{
    return f->units * (int64_t)gf_unit_bytes(f);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/*
 * Returns true if there is memory for whole images beside the plan: `in` bytes to decode, and `out`
 * bytes to encode. On the GPU, planes and coefficients take up to twice as much as the samples; on
 * the host, a file is smaller than its samples, and coefficients exist twice.
 */
static bool has_memory(const struct gf_worker *w, int64_t in, int64_t out)
{
    const int64_t on_gpu = w->task.plan.device_bytes + (in > 0 ? BATCH_BYTES : 0) + 3 * (in + out);
    const int64_t on_host = w->task.plan.host_bytes + in + 4 * out;
    const int64_t gpu = gf_memory_share(GF_MEMORY_GPU, w->context->cuda.memory_bytes), cap = w->limits.memory_bytes;

    return (gpu <= 0 || on_gpu <= gpu) && (cap <= 0 || (on_gpu <= cap && on_host <= cap));
}

/*
 * Returns true if there is memory for the images beside what the codec has kept for earlier ones. If
 * that is too much, the codec is closed.
 */
static bool make_room(struct gf_worker *w, int64_t in, int64_t out)
{
    if (has_memory(w, larger(in, w->codec_in), larger(out, w->codec_out)))
        return true;
    gf_worker_close_codec(w);
    return has_memory(w, in, out);
}

/* Returns true if lanes work on all samples: units that are only copied need memory of the host. */
static bool lanes_take_all(const struct gf_plan *plan)
{
    for (int p = 0; p < plan->passes; p++)
        if (gf_pass_is_copy(plan->pass[p]))
            return false;
    return true;
}

void gf_worker_warn_software(struct gf_notices *n, const char *why)
{
    gf_warn(n, "jpeg-software", NULL, "--jpeg hardware: %s; the CPU decodes and encodes JPEG", why);
}

void gf_worker_close_codec(struct gf_worker *w)
{
    if (w->codec != NULL)
        w->engine.device[0].kind->jpeg_close(w->codec);
    w->codec = NULL;
    w->codec_in = w->codec_out = 0;
}

/* Leaves the images to the CPU because the codec has failed. The advice of the error is for other cases. */
static int use_software(struct gf_worker *w, struct gf_notices *notices, struct gf_error *why)
{
    gf_error_drop_advice(why);
    gf_worker_warn_software(notices, why->text);
    gf_worker_close_codec(w);
    return 0;
}

int gf_worker_use_codec(struct gf_worker *w, struct gf_reader *reader, struct gf_writer *writer, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    const bool encodes = writer != NULL && writer->ops->codec;
    const bool decodes = reader->ops->use_codec != NULL && w->task.watched == 0;
    const int64_t in = decodes ? sample_bytes(&reader->format) : 0, out = encodes
        ? sample_bytes(&w->task.outputs.stored[0]) : 0;
    struct gf_error why = { 0 };

    if (writer != NULL)
        writer->codec = NULL;
    if (!w->context->jpeg_on_device || !w->task.plan.cuda || w->gpus_used.count > 1 || !(encodes || decodes)
        || !lanes_take_all(&w->task.plan) || !make_room(w, in, out)) {
        gf_worker_close_codec(w);                /* the plan may use all memory */
        return 0;
    }
    if (gf_worker_open_engine(w, err) != 0)
        return -1;
    if (w->codec == NULL)
        w->codec = w->engine.device[0].kind->jpeg_open(&w->engine.device[0], &why);
    if (w->codec == NULL)
        return use_software(w, reader->notices, &why);
    w->codec_in = larger(in, w->codec_in);
    w->codec_out = larger(out, w->codec_out);
    if (decodes && gf_timed_io_use_codec(&timed, reader, w->codec, &why) != 0) {
        *err = why;
        return -1;
    }
    if (why.status != 0)
        return use_software(w, reader->notices, &why);
    if (encodes)
        writer->codec = w->codec;
    return 0;
}

void gf_worker_give_back_lanes(struct gf_worker *w)
{
    gf_worker_close_codec(w);
    if (w->task.planned)
        gf_engine_forget_plan(&w->engine, &w->task.plan);
}

bool gf_worker_has_gpu(const struct gf_worker *w)
{
    return w->engine.count > 0 && w->engine.device[0].kind->cuda;
}
