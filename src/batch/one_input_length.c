/* Buffers a pipe of unknown length if a stage needs the length. */
#include "base/memory_share.h"
#include "base/spool.h"
#include "base/words.h"
#include "batch/one_input_parts.h"
#include "plan/explain.h"
#include "run/buffered_reader.h"

#include <stdio.h>

#define MOST_SECONDS INT64_C(40000000)   /* more than twice the longest time that a stage accepts */

/* Returns the stage that needs the length of a signal of unknown length, or NULL. */
static const struct gf_stage *waiting_stage(const struct gf_one_input *f)
{
    const struct gf_format *in = &f->reader->format;
    const int word = in->units == GF_UNKNOWN ? gf_chain_wants_length(f->worker->context->chain, in->kind) : -1;

    return word < 0 ? NULL : f->worker->context->chain->word[word].stage[in->kind];
}

/*
 * Returns true if the first stage that cannot be bound is one that needs the length: another length may be right for
 * it, as for a part from the last second to the fifth.
 */
static bool needs_true_length(const struct gf_one_input *f, const struct gf_format *likely)
{
    struct gf_worker *w = f->worker;
    struct gf_error error;
    int64_t units;

    for (int i = 0; i < w->context->chain->count; i++)
        if (gf_task_needed_units(w, likely, f->reader->name, i + 1, &units, &error) != 0)
            return error.status == GF_FAILED && gf_chain_word_wants_length(&w->context->chain->word[i], likely->kind);
    return false;
}

/*
 * Reports errors before a pipe is read to its end, by assuming a length beyond all times that
 * stages accept. The limit of results is for the true length.
 */
static int check_ahead(struct gf_one_input *f, struct gf_error *err)
{
    const int64_t max_pixels = f->worker->limits.max_pixels;
    struct gf_format likely = f->reader->format;
    struct gf_format out;
    int failed;

    likely.units = likely.rate * MOST_SECONDS;
    f->worker->limits.max_pixels = 0;
    failed = gf_task_bind(f->worker, &likely, f->reader->name, err) != 0;
    if (failed && needs_true_length(f, &likely)) {
        f->worker->limits.max_pixels = max_pixels;
        gf_forget_error(err);
        return 0;
    }
    failed = failed || gf_output_files_open_result(&f->files, f->reader->name, f->signals + 1, err) != 0;
    f->worker->limits.max_pixels = max_pixels;
    if (failed)
        return -1;
    out = f->worker->task.binding.out;
    if (f->files.skipped || f->worker->task.binding.table)
        return 0;
    return gf_writer_fit(f->files.sink[0].writer, &out, err) != 0 ? -1
        : gf_binding_check_output(&f->worker->task.binding, &out, err);
}

/* Buffers as many units as the stages before the waiting one need, or all of the pipe. */
static int keep_enough(struct gf_one_input *f, struct gf_error *err)
{
    struct gf_worker *w = f->worker;
    int64_t *const memory = &w->limits.memory_bytes;
    const struct gf_format *in = &f->reader->format;
    int64_t most;

    if (gf_task_needed_units(w, in, f->reader->name, gf_chain_wants_length(w->context->chain, in->kind), &most,
                               err) != 0)
        return -1;
    return gf_buffered_reader_fill(f->reader, most, (size_t)gf_memory_take(GF_MEMORY_PIPE, memory), err);
}

/* Prints the --explain text for a pipe, which --explain does not read. */
static void explain_buffering(const struct gf_one_input *f, const char *stage)
{
    char text[100], bytes[40];

    gf_explain_format(&f->reader->format, text);
    gf_bytes_text(gf_memory_share(GF_MEMORY_PIPE, f->worker->limits.memory_bytes), bytes);
    printf("input:  %s\nbuffered first, as far as needed: stage %s needs its length. Up to %s stay in memory, the rest "
           "goes to %s.\n"
           "The plan follows once the length is known.\n",
           text, stage, bytes, gf_spool_folder());
}

int gf_one_input_learn_length(struct gf_one_input *f, struct gf_error *err)
{
    const struct gf_stage *stage = waiting_stage(f);

    if (stage == NULL)
        return 0;
    if (f->worker->limits.latency_ms > 0)
        return gf_fail(err, GF_MISUSED,
                       "--latency: %s needs the length of the input, which a pipe does not provide; remove this stage, "
                       "or name a file with -i",
                       stage->name);
    if (check_ahead(f, err) != 0)
        return -1;
    if (f->files.skipped)
        return 1;
    if (f->options->explain) {
        explain_buffering(f, stage->name);
        return 1;
    }
    return keep_enough(f, err);
}
