/* Plans on the device that --device names, or that should finish first. */
#include "run/worker_devices.h"

#include "run/worker.h"

#define FURTHER_START_SECONDS 0.15       /* of a GPU while another one works; the driver is open by then */
#define MANY_SIGNALS 1e9                 /* for pipes, which may deliver any number */

static int plan_for_cpu(struct gf_worker *w, const struct gf_format *out, const struct gf_device_facts *cpu,
                         struct gf_error *err)
{
    const struct gf_device_facts no_gpu = { .present = false };

    return gf_plan_make(&w->plan, &w->binding, out, &w->limits, GF_CPU, cpu, &no_gpu, err);
}

/*
 * Starts the GPU and reserves space for the output, because both take a while. Call it before the
 * driver is asked, which waits for the first part of the start.
 */
static void start_early(struct gf_worker *w, struct gf_writer *writer, const struct gf_format *out)
{
    if (!w->writes)
        return;
    gf_device_cuda.begin(w->gpus.index[0]);
    if (writer != NULL && out != NULL && w->limits.again)        /* a pipe may end before its header says */
        gf_writer_reserve(writer, out);
}

/* Plans for the GPUs that --device names, once the driver has answered. */
static int plan_for_cuda(struct gf_worker *w, struct gf_writer *writer, const struct gf_format *out,
                         struct gf_error *err)
{
    const struct gf_run_context *context = w->context;

    start_early(w, writer, out);
    return gf_run_context_need_gpus(w->context, err) != 0 ? -1
        : gf_plan_make(&w->plan, &w->binding, out, &w->limits, GF_CUDA, &context->rated_cpu, &context->cuda, err);
}

/*
 * --device auto: estimates the CPU first, because a small job ends before a GPU is found. Then
 * plans with GPU facts from earlier runs. Asks the driver only if there are none or if they favor
 * the GPU.
 */
static int plan_for_auto(struct gf_worker *w, struct gf_writer *writer, const struct gf_format *out,
                         struct gf_error *err)
{
    struct gf_error refused = { 0 };
    struct gf_devices_seen seen;
    int result = plan_for_cpu(w, out, &w->context->cpu, &refused);
    const double signals = w->limits.signals > 1 ? (double)w->limits.signals : 1;
    const double cpu_seconds = result == 0 ? w->plan.cpu_seconds * signals : 1e9;

    if (w->limits.latency_ms > 0 && w->binding.in.kind == GF_AUDIO) {
        if (w->context->estimates) {
            gf_run_context_see_devices(w->context, 0, false, &seen);
            result = plan_for_cpu(w, out, &seen.cpu, &refused);
        }
        w->plan.why = "--latency runs audio on the CPU";
        *err = refused;
        return result;
    }
    for (int look = 0; look < 2; look++) {               /* the second time it asks the driver */
        if (look > 0)
            start_early(w, writer, out);
        gf_run_context_see_devices(w->context, cpu_seconds, look > 0, &seen);
        if (seen.cuda.present || look > 0)
            result = gf_plan_make(&w->plan, &w->binding, out, &w->limits, GF_AUTO, &seen.cpu, &seen.cuda, &refused);
        if (!seen.cuda.present)
            w->plan.why = seen.why_not;
        if (!seen.cuda.present || seen.asked || (result == 0 && !w->plan.cuda))
            break;
    }
    if (w->context->estimates && result == 0 && !w->plan.cpu_measured && seen.cpu.measured) {
        const char *why = w->plan.why;

        result = plan_for_cpu(w, out, &seen.cpu, &refused);
        w->plan.why = why;
    }
    *err = refused;
    return result;
}

int gf_worker_devices_pay(const struct gf_worker *w, double signals)
{
    const double shares = w->limits.signals > 1 ? (double)w->limits.signals : 1;     /* of the start, in the estimate */
    const double seconds = (signals > 0 ? signals : MANY_SIGNALS)
                           * (w->plan.cuda_seconds - w->context->cuda.start_seconds / shares);
    int count = 1;

    while (count < w->gpus.count && seconds / count - seconds / (count + 1) > FURTHER_START_SECONDS)
        count++;
    return count;
}

/*
 * Chooses among several GPUs. A worker that has all of the signal plans again for those that pay; one of
 * many takes one of them and keeps it.
 */
static int choose_gpus(struct gf_worker *w, const struct gf_format *out, struct gf_error *err)
{
    const struct gf_run_context *c = w->context;
    const int count = gf_worker_devices_pay(w, w->number < 0 ? 1 : c->signals), before = w->limits.devices;
    const char *why = w->plan.why;

    if (w->number >= 0 && w->gpus_used.count == 0)
        w->gpus_used = (struct gf_device_list) { { w->gpus.index[w->number % count] }, 1 };
    if (w->number >= 0)
        return 0;
    w->gpus_used = w->gpus;
    w->gpus_used.count = w->limits.devices = count;
    if (count == before || (count == 1 && before == 0))
        return 0;
    if (gf_plan_make(&w->plan, &w->binding, out, &w->limits, GF_CUDA, &c->rated_cpu, &c->cuda, err) != 0)
        return -1;
    w->plan.why = why;
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
                          const struct gf_format *out, struct gf_error *err)
{
    const struct gf_run_context *context = w->context;

    w->limits.again = reader->random;
    w->limits.signals = context->where == GF_AUTO || w->gpus.count > 1 ? count_signals(reader) : 0;
    w->limits.decodes = reader->ops->reading == GF_LABOUR_CODE;
    w->limits.encodes = writer != NULL && writer->ops->writing == GF_LABOUR_CODE;
    w->limits.devices = w->gpus_used.count;
    if ((context->where == GF_AUTO ? plan_for_auto(w, writer, out, err)
         : context->where == GF_CUDA ? plan_for_cuda(w, writer, out, err)
                                     : plan_for_cpu(w, out, &context->rated_cpu, err)) != 0)
        return -1;
    return w->plan.cuda && w->gpus.count > 1 ? choose_gpus(w, out, err) : 0;
}
