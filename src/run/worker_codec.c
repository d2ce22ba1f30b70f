/* Decides which images a device decodes and encodes for a worker, and opens its codec. */
#include "base/memory_share.h"
#include "base/notice.h"
#include "run/worker.h"

#include <string.h>

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
