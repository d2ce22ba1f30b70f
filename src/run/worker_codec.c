/* Decides which images a device decodes and encodes for a worker, and opens its codec. */
#include "base/memory_share.h"
#include "run/worker.h"

/* Returns the bytes of an image's samples; 0 if there is none. */
static int64_t sample_bytes(const struct gf_format *f)
{
    return f != NULL ? f->units * (int64_t)gf_unit_bytes(f) : 0;
}

/*
 * Returns true if there is memory for whole images beside the plan. On the GPU, planes and
 * coefficients take up to twice as much as the samples; on the host, a file is smaller than its
 * samples, and coefficients exist twice.
 */
static bool has_memory(const struct gf_worker *w, const struct gf_format *in, const struct gf_format *out)
{
    const int64_t on_gpu = w->plan.device_bytes + 3 * (sample_bytes(in) + sample_bytes(out));
    const int64_t on_host = w->plan.host_bytes + sample_bytes(in) + 4 * sample_bytes(out);
    const int64_t gpu = gf_memory_share(GF_MEMORY_GPU, w->context->cuda.memory_bytes), cap = w->limits.memory_bytes;

    return (gpu <= 0 || on_gpu <= gpu) && (cap <= 0 || (on_gpu <= cap && on_host <= cap));
}

/* Returns true if lanes work on all samples: units that are only copied need memory of the host. */
static bool lanes_take_all(const struct gf_plan *plan)
{
    for (int p = 0; p < plan->passes; p++)
        if (gf_pass_is_copy(plan->pass[p]))
            return false;
    return true;
}

int gf_worker_use_codec(struct gf_worker *w, struct gf_reader *reader, struct gf_writer *writer, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    const bool encodes = writer != NULL && writer->ops->codec, decodes = reader->ops->use_codec != NULL;

    if (writer != NULL)
        writer->codec = NULL;
    if (!w->context->jpeg_on_device || !w->plan.cuda || w->gpus_used.count > 1 || !(encodes || decodes)
        || !lanes_take_all(&w->plan) || !has_memory(w, &reader->format, encodes ? &w->stored : NULL))
        return 0;
    if (gf_worker_open_engine(w, err) != 0)
        return -1;
    if (w->codec == NULL)
        w->codec = w->engine.device[0].kind->jpeg_open(&w->engine.device[0], err);
    if (w->codec == NULL)
        return -1;
    if (encodes)
        writer->codec = w->codec;
    return decodes && w->watched == 0 ? gf_timed_io_use_codec(&timed, reader, w->codec, err) : 0;
}
