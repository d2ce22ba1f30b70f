/* Many files: decoding, computing and encoding of different ones go on side by side, each worker with one at a time. */
#define _GNU_SOURCE
#include "batch/batch.h"

#include "base/memory_share.h"
#include "base/path.h"
#include "base/terminal.h"
#include "base/threads.h"
#include "batch/merged_table.h"
#include "io/io.h"
#include "io/ledger.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct batch_run {
    struct gf_batch *b;
    struct gf_run_context *context;
    struct gf_limits limits;
    const struct gf_one_input_options *options;
    pthread_mutex_t lock;
    int *made;                           /* the length of the first folder that was made for each; 0: none was missing */
    int next, taken, failed, workers;
    int workers_missing;                 /* workers that never were */
    bool idle;                           /* all of them */
    int passed;                          /* over: up to date, or kept */
    struct gf_writer *table;             /* of all inputs; NULL: each has an output of its own */
    struct gf_merged_table *merged_table; /* what will stand in it */
    bool stop, gone;                     /* no more are taken; for there is nobody to read what comes out */
    int64_t signals;
    struct gf_error error;               /* of the last failure */
    int *later, laters;                  /* inputs for which a worker's share of the memory is too small; NULL: none is kept */
    bool again;                          /* it is their turn, one by one with all of it */
};

/* Whether a line names a file: not where its name is but a part of another one's. */
static bool tells_name(const char *line, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = strstr(line, name); at != NULL; at = strstr(at + 1, name))
        if ((at == line || strchr(" (", at[-1]) != NULL) && strchr(" :,)", at[n]) != NULL)
            return true;
    return false;
}

/* Of several inputs, which one it was comes first: a stage that refuses one knows nothing of its name. `i` is -1 where it was none. */
static void name_failed(const struct batch_run *r, int i, struct gf_error *err)
{
    const char *name = i < 0 ? NULL : strcmp(r->b->inputs[i], "-") == 0 ? "standard input" : r->b->inputs[i];

    if (r->b->many && name != NULL && !tells_name(err->text, name))
        gf_error_place(err, name, NULL);
}

static void note_result(struct batch_run *r, int result, int64_t signals, const struct gf_error *err)
{
    pthread_mutex_lock(&r->lock);
    r->signals += signals;
    if (result != 0 && err->status == 0) {           /* who reads has gone away: nobody wants more */
        r->stop = r->gone = true;
    } else if (result != 0) {
        r->failed++;
        r->error = *err;
        if (r->b->many)
            gf_terminal_print("gpufilter: %s\n", err->text);
        r->stop = r->stop || r->b->fail_fast;
    }
    pthread_mutex_unlock(&r->lock);
}

/* A worker for which there was no memory: others may do its work. */
static void note_missing_worker(struct batch_run *r, const struct gf_error *err)
{
    pthread_mutex_lock(&r->lock);
    r->workers_missing++;
    r->error = *err;
    pthread_mutex_unlock(&r->lock);
}

/* The next input, or -1. */
static int take_input(struct batch_run *r)
{
    const int count = r->again ? r->laters : r->b->count;
    int i;

    pthread_mutex_lock(&r->lock);
    while (!r->again && r->next < count && r->b->shards > 0 && r->next % r->b->shards != r->b->shard - 1)
        r->next++;                               /* for another shard */
    i = r->stop || r->next == count ? -1 : r->next++;
    r->taken += i >= 0 && !r->again;
    pthread_mutex_unlock(&r->lock);
    return i >= 0 && r->again ? r->later[i] : i;
}

/* What is too large for a share of the memory waits until the others are done. What is read from a pipe can't be read again. */
static bool set_aside(struct batch_run *r, int i, int64_t signals, const struct gf_error *err)
{
    if (!err->room || signals > 0 || r->workers == 1 || r->later == NULL || strcmp(r->b->inputs[i], "-") == 0)
        return false;
    pthread_mutex_lock(&r->lock);
    r->later[r->laters++] = i;
    pthread_mutex_unlock(&r->lock);
    return true;
}

/* Outputs that are newer, or kept as was asked. */
static bool passes_over(void *context, int i, const char *output)
{
    struct batch_run *r = context;

    if (r->table != NULL)
        return false;
    if (!(r->b->update && gf_path_is_newer(output, r->b->inputs[i]))
        && !(r->b->many && r->options->write->keep && access(output, F_OK) == 0)) return false;
    pthread_mutex_lock(&r->lock);
    r->passed++;
    pthread_mutex_unlock(&r->lock);
    return true;
}

/* Whether the output is called as it seems, before its input is opened: as the last one of the worker lets expect. */
static bool is_named(const struct batch_run *r, const struct gf_worker *w, int i)
{
    const struct gf_output_names *names = &r->b->names;

    return !gf_output_names_adapt(names) || (w->have_chain && gf_writer_takes(names->filled[i].name, w->chain.out.kind, w->chain.table));
}

static int run_input(struct batch_run *r, struct gf_worker *w, int i, int64_t *signals, struct gf_error *err)
{
    struct gf_one_input_options options = *r->options;

    options.names = &r->b->names;
    options.passes_over = passes_over;
    options.name_files = r->options->verbose && r->b->many;
    options.context = r;
    options.merged_table = r->merged_table;
    return gf_one_input_run(w, &options, i, signals, err);
}

static void work_through_inputs(void *argument, int number)
{
    struct batch_run *r = argument;
    struct gf_error err = { 0 };
    struct gf_worker *w = gf_worker_new(r->context, &r->limits, r->workers > 1 ? number : -1, &err);

    if (w == NULL)
        note_missing_worker(r, &err);
    for (int i = w ? take_input(r) : -1; i >= 0; i = take_input(r)) {
        int64_t signals = 0;
        int result;

        if (is_named(r, w, i) && passes_over(r, i, r->b->names.filled[i].name)) {
            gf_progress_file(r->context->progress);
            continue;
        }
        memset(&err, 0, sizeof err);
        result = run_input(r, w, i, &signals, &err);
        if (result != 0 && set_aside(r, i, signals, &err))
            continue;
        if (result != 0 && err.text[0] == '\0')             /* no failure passes for none */
            gf_fail(&err, GF_FAILED, "internal error: it failed without a message");
        if (result != 0)
            name_failed(r, i, &err);
        note_result(r, result, signals, &err);
        gf_progress_file(r->context->progress);
        if (r->options->explain)
            break;
    }
    gf_worker_free(w);
}

/* Folders that cannot be made fail before anything is read. */
static int name_outputs(struct batch_run *r, struct gf_error *err)
{
    struct gf_batch *b = r->b;
    struct gf_output_names *names = &b->names;

    names->inputs = b->inputs;
    names->count = b->count;
    names->many = b->many;
    r->made = calloc((size_t)b->count + 1, sizeof *r->made);
    if (r->made == NULL)
        return gf_fail_memory(err, NULL);
    if (gf_output_names_fill(names, b->notices, err) != 0 || (r->table == NULL && gf_output_names_check(names, err) != 0))
        return -1;
    for (int i = 0; gf_output_names_differ(names) && !r->options->explain && i < b->count; i++) {
        const char *name = names->filled[i].name, *before = i > 0 ? names->filled[i - 1].name : "";
        const int folder = gf_name_parts(name).dir;

        if (i > 0 && strncmp(name, before, (size_t)folder) == 0 && gf_name_parts(before).dir == folder)
            continue;                            /* that of the output before */
        if (gf_path_make_folders(name, names->filled[i].root, &r->made[i], b->notices, err) != 0)
            return -1;
    }
    return 0;
}

/* Before the first output: no output replaces an input of which it is not the result. */
static int protect_inputs(const struct batch_run *r, struct gf_error *err)
{
    for (int i = 0; i < r->b->count; i++)
        if (strcmp(r->b->inputs[i], "-") != 0 && gf_ledger_add_input(r->options->ledger, r->b->inputs[i], err) != 0)
            return -1;
    return 0;
}

/* How many workers: one with all the cores for one file, one a core for many. */
static int share_out(struct batch_run *r)
{
    const struct gf_run_context *context = r->context;
    const int threads = context->limits.threads > 0 ? context->limits.threads : context->cpu.cores;
    const int workers = threads < r->b->count ? threads : r->b->count;

    r->limits = context->limits;
    if (workers <= 1 || r->options->explain)
        return 1;
    r->limits.threads = r->limits.lanes = 1;
    r->limits.memory_bytes = gf_memory_for_worker(gf_run_context_host_bytes(context, &context->limits), 1, workers);
    if (context->gpu_asked) {
        r->context->cuda.memory_bytes = gf_memory_for_worker(context->cuda.memory_bytes, context->gpus.count, workers);
        r->context->cuda.start_seconds /= r->b->count;       /* a GPU is started once for all of them */
    }
    r->context->workers = workers;
    r->context->files = r->b->count;
    return workers;
}

/* Where one table of all inputs is asked for: 1 where it is there already, as it should be; else room for what stands in it. */
static int begin_table(struct batch_run *r, struct gf_error *err)
{
    struct gf_batch *b = r->b;
    struct gf_write_options write = *r->options->write;

    write.notices = r->options->notices;
    write.ledger = r->options->ledger;
    if (gf_batch_open_table(b, &write, &r->table, err) != 0)
        return -1;
    if (r->table == NULL)
        return 0;
    gf_output_names_warn_guess(r->table);
    if (r->options->explain)
        return 0;
    if (gf_batch_has_table(b, r->options->write->keep)) {
        r->passed = b->count;
        return 1;
    }
    r->merged_table = gf_merged_table_new(b->inputs, b->count,
                                          gf_memory_take(GF_MEMORY_TABLES, &r->context->limits.memory_bytes), err);
    return r->merged_table != NULL ? 0 : -1;
}

/* Writes it, with what the inputs left that did not fail; those that nobody took leave none. */
static int end_table(const struct batch_run *r, struct gf_error *err)
{
    if (r->merged_table == NULL || r->stop || gf_merged_table_count(r->merged_table) == 0)
        return 0;
    return gf_merged_table_write(r->merged_table, r->table, err) != 0 ? -1 : gf_writer_commit(r->table, err);
}

static void release_run(struct batch_run *r)
{
    for (int i = 0; r->made != NULL && i < r->b->count; i++)
        if (r->made[i] > 0)
            gf_path_remove_folders(r->b->names.filled[i].name, r->made[i]);      /* keeps folders that have outputs */
    free(r->made);
    free(r->later);
    gf_output_names_release(&r->b->names);
    gf_merged_table_free(r->merged_table);
    gf_writer_close(r->table);
    pthread_mutex_destroy(&r->lock);
}

/* What was set aside, where there was no memory for a worker then. */
static void fail_rest(struct batch_run *r)
{
    const struct gf_error why = r->error;

    for (int i = take_input(r); i >= 0; i = take_input(r)) {
        struct gf_error err = why;

        name_failed(r, i, &err);
        note_result(r, -1, 0, &err);
    }
}

static void run_all_inputs(struct batch_run *r)
{
    const int64_t cuda_bytes = r->context->cuda.memory_bytes;

    gf_progress_files(r->context->progress, r->b->count);
    r->later = calloc((size_t)r->b->count, sizeof *r->later);
    r->workers = share_out(r);
    gf_threads_run(r->workers, work_through_inputs, r);
    r->idle = r->workers_missing == r->workers;
    if (r->laters == 0)
        return;
    r->again = true;
    r->next = 0;
    r->workers = r->context->workers = 1;
    r->context->cuda.memory_bytes = cuda_bytes;
    r->limits = r->context->limits;
    gf_threads_run(1, work_through_inputs, r);
    fail_rest(r);
}

int gf_batch_run(struct gf_batch *b, struct gf_run_context *context, const struct gf_one_input_options *options,
                 int64_t *signals, struct gf_error *err)
{
    struct batch_run r = { .b = b, .context = context, .options = options };
    int result = -1, there;

    pthread_mutex_init(&r.lock, NULL);
    if (b->count == 0) {
        gf_fail(err, GF_FAILED, "--files-from: the list names no files");
        goto out;
    }
    there = begin_table(&r, err);
    if (there < 0 || gf_notices_check(options->notices, err) != 0 || protect_inputs(&r, err) != 0
        || name_outputs(&r, err) != 0)
        goto out;
    gf_notices_print(options->notices);          /* before the work, which may have no end */
    if (there == 0)
        run_all_inputs(&r);
    *signals = r.signals;
    if (end_table(&r, err) != 0)
        goto out;
    if (r.passed > 0 && options->verbose)
        gf_terminal_print(b->update ? "inputs skipped, outputs up to date: %d\n" : "inputs skipped, outputs exist: %d\n",
                          r.passed);
    if (r.idle)
        *err = r.error;
    else if (r.failed > 0 && b->many)
        gf_fail(err, GF_FAILED, "%d of %d inputs failed", r.failed, r.taken);
    else if (r.failed > 0)
        *err = r.error;
    else if (r.gone)
        gf_fail(err, 0, "the reader has closed the pipe");
    else
        result = 0;
out:
    release_run(&r);
    return result;
}
