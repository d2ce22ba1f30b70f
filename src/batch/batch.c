/* Batches of files: workers process different inputs in parallel, each one input at a time. */
#define _GNU_SOURCE
#include "batch/batch.h"

#include "base/cpu_limit.h"
#include "base/memory_share.h"
#include "base/path.h"
#include "base/sanitizer.h"
#include "base/terminal.h"
#include "batch/album.h"
#include "batch/merged_table.h"
#include "io/io.h"
#include "io/ledger.h"
#include "run/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- failures ---- */

#define FILES_OF_WORKER 6                /* input, output, a copy at its end, files of stages, and a temporary file */
#define FILES_OF_RUN    8                /* libraries and files of the system, which are open for a moment */
#define FILES_OF_GPU    40               /* devices and libraries of a driver */
#define MOST_COUNTED    1024

/*
 * Puts the name of input i before an error, because stages
 * do not know it. i is -1 if no input is concerned.
 */
static void name_failed(const struct gf_batch *b, int i, struct gf_error *err)
{
    const char *name = i < 0 ? NULL : strcmp(b->inputs[i], "-") == 0 ? "standard input" : b->inputs[i];

    if (b->many && name != NULL && !gf_error_is_about(err, name))
        gf_error_place(err, name, NULL);
}

/*
 * Returns why the batch has to stop, and what to do, if the error is that the disk is full or too many files are
 * open; otherwise NULL.
 */
static const char *find_shortage(const struct gf_batch *b, const struct gf_error *err)
{
    static const struct { int code; const char *text; } rows[] = {
        { EMFILE, "too many open files; raise ulimit -n, or use a smaller -j" },
        { ENFILE, "too many files are open on this machine; close other programs, or use a smaller -j" },
        { ENOSPC, "the disk is full; make room for the other files" },
        { EDQUOT, "the disk quota is exhausted; make room for the other files" },
    };

    /* temporary data that does not fit belongs to one large input, so its error has no code */
    for (size_t k = 0; b->many && k < sizeof rows / sizeof *rows; k++)
        if (err->code == rows[k].code)
            return rows[k].text;
    return NULL;
}

/* Returns how many of the first `limit` descriptors are open. */
static int count_open(int limit)
{
    int open = 0;

    for (int fd = 0; fd < limit; fd++)
        open += fcntl(fd, F_GETFD) >= 0;
    return open;
}

/*
 * Returns how many of `wanted` workers can have their files
 * open at once, at least 1. A note says so if these are fewer.
 */
static int limit_workers(const struct gf_batch *b, int wanted, bool gpu)
{
    const int others = FILES_OF_RUN + (gpu ? FILES_OF_GPU : 0);
    struct rlimit limit;
    int workers;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0
        || limit.rlim_cur >= (rlim_t)wanted * FILES_OF_WORKER + (rlim_t)others + MOST_COUNTED)
        return wanted;
    workers = ((int)limit.rlim_cur - others - count_open((int)limit.rlim_cur)) / FILES_OF_WORKER;
    workers = workers > 1 ? workers : 1;
    if (workers >= wanted)
        return wanted;
    gf_note(b->notices, "workers", NULL, "%d input%s at once, not %d, because ulimit -n allows %d open files", workers,
            workers == 1 ? "" : "s", wanted, (int)limit.rlim_cur);
    return workers;
}

/* ---- the table of all inputs ---- */

/* A placeholder: the writer of a table does not depend on the signal. */
static const struct gf_format any_signal = { .kind = GF_IMAGE };

/*
 * Opens the output for one table of all inputs. That is the case for several inputs whose stages
 * produce tables, if the output is one file or standard output. Otherwise sets *writer to NULL.
 */
static int open_table(const struct gf_batch *b, const struct gf_write_options *options, struct gf_writer **writer,
                        struct gf_error *err)
{
    struct gf_write_options write = *options;

    *writer = NULL;
    if (!b->many || b->ends == GF_ENDS_SIGNAL || b->ends == GF_ENDS_TILES || gf_output_names_differ(&b->names))
        return 0;
    if (write.rate[0] > 0)
        return gf_fail(err, GF_MISUSED,
                       "--rate: only video and animations have a frame rate, and the result of these stages is a "
                       "table");
    write.keep = false;                  /* has_table() checks existing files */
    write.drawing = b->ends == GF_ENDS_DRAWING;
    *writer = gf_writer_open(b->names.text, &write, &any_signal, true, err);
    if (*writer == NULL)
        return -1;
    if ((*writer)->ops->tables != NULL)
        return 0;
    gf_writer_close(*writer);
    *writer = NULL;
    return b->count < 2 ? 0
                        : gf_fail(err, GF_MISUSED,
                                  "a drawing shows only one input;; use -o FOLDER/ for one drawing of each, "
                                  "or write one TSV, CSV or JSON table of all inputs (-o all.tsv or --to tsv)");
}

/*
 * Returns true if that table can be kept: it is newer
 * than all inputs, or it exists and `keep` is set.
 */
static bool has_table(const struct gf_batch *b, bool keep)
{
    bool newer = b->update;

    if (strcmp(b->names.text, "-") == 0)
        return false;
    for (int i = 0; newer && i < b->count; i++)
        newer = gf_path_is_newer(b->names.text, b->inputs[i]);
    return newer || (keep && access(b->names.text, F_OK) == 0);
}

/* ---- workers ---- */

/* Without -j, workers that share a core while a GPU decodes and encodes for them: most of them wait. */
#define WORKERS_ON_DEVICE 3

struct batch_run {
    struct gf_batch *b;
    struct gf_run_context *context;
    struct gf_limits limits;
    const struct gf_one_input_options *options;
    pthread_mutex_t lock;
    int next, taken, done, failed, workers;
    int passed;                          /* inputs skipped: output up to date or kept */
    struct gf_writer *table;             /* one table of all inputs; NULL: each input has an output */
    struct gf_merged_table *merged_table; /* its contents */
    struct gf_joined joined;             /* the inputs, if they are joined */
    struct gf_divided before_joining, divided;     /* parts of the stages before a joining one, and after it */
    bool stop, gone;                     /* take no further inputs; the reader has closed the pipe */
    int64_t signals;
    struct gf_error error;               /* of the last failure */
    const char *shortage;                /* why all other inputs would fail, too, and what to do; NULL: no reason */
    int *later, laters;                  /* inputs that need more memory than one worker has */
    bool again;                          /* these are processed now, one by one with all of the memory */
};

/* Returns how many outputs there are, if each input has one. */
static int count_inputs(const struct gf_batch *b)
{
    return b->join ? 1 : b->count;
}

/* Returns how many of the inputs belong to this shard. */
static int count_own_inputs(const struct gf_batch *b)
{
    return b->join ? 1 : b->shards > 0 ? (b->count - b->shard + b->shards) / b->shards : b->count;
}

/* Counts a failure and prints it. After one that all other inputs would have, only the first of its kind is printed. */
static void note_failure(struct batch_run *r, const struct gf_error *err)
{
    const char *shortage = find_shortage(r->b, err);

    r->failed++;
    r->error = *err;
    if (r->b->many && (shortage == NULL || shortage != r->shortage))
        gf_terminal_print("gpufilter: %s\n", err->text);
    r->shortage = shortage != NULL ? shortage : r->shortage;
    r->stop = r->stop || r->b->fail_fast || shortage != NULL;
}

static void note_result(struct batch_run *r, int result, int64_t signals, const struct gf_error *err)
{
    pthread_mutex_lock(&r->lock);
    r->signals += signals;
    r->done += result == 0;
    if (r->b->many)
        gf_cpu_limit_count(r->done + r->passed, count_own_inputs(r->b));
    if (result != 0 && err->status == 0) {           /* the reader has closed the pipe */
        r->stop = r->gone = true;
    } else if (result != 0) {
        note_failure(r, err);
    }
    pthread_mutex_unlock(&r->lock);
}

/* Returns the next input, or -1. */
static int take_input(struct batch_run *r)
{
    const int count = r->again ? r->laters : count_inputs(r->b);
    int i;

    pthread_mutex_lock(&r->lock);
    while (!r->again && r->next < count && r->b->shards > 0 && r->next % r->b->shards != r->b->shard - 1)
        r->next++;                               /* it belongs to another shard */
    i = r->stop || r->next == count ? -1 : r->next++;
    r->taken += i >= 0 && !r->again;
    pthread_mutex_unlock(&r->lock);
    return i >= 0 && r->again ? r->later[i] : i;
}

/*
 * Defers an input that needs more memory than one worker has until all others are done. A pipe
 * cannot be deferred: it cannot be read twice.
 */
static bool defer_input(struct batch_run *r, int i, int64_t signals, const struct gf_error *err)
{
    if (err->cause != GF_CAUSE_MEMORY_LIMIT || signals > 0 || r->workers == 1 || r->later == NULL
        || strcmp(r->b->inputs[i], "-") == 0)
        return false;
    pthread_mutex_lock(&r->lock);
    r->later[r->laters++] = i;
    pthread_mutex_unlock(&r->lock);
    return true;
}

static bool is_up_to_date(const struct gf_batch *b, int i, const char *output)
{
    bool newer = gf_path_is_newer(output, b->inputs[i]);

    for (int k = 0; b->join && newer && k < b->count; k++)
        newer = gf_path_is_newer(output, b->inputs[k]);
    return newer;
}

/* Returns true if an output is up to date (--update), or if --no-clobber keeps it in a batch. */
static bool should_skip(void *context, int i, const char *output)
{
    const struct batch_run *r = context;

    return r->table == NULL
        && ((r->b->update && is_up_to_date(r->b, i, output))
            || (r->b->many && r->options->write->keep && access(output, F_OK) == 0));
}

static void note_skipped(struct batch_run *r)
{
    pthread_mutex_lock(&r->lock);
    r->passed++;
    pthread_mutex_unlock(&r->lock);
}

/*
 * Returns true if the name of the output is already final. If the
 * extension may still change, the last chain of the worker predicts it.
 */
static bool is_name_final(const struct batch_run *r, const struct gf_worker *w, int i)
{
    const struct gf_output_names *names = &r->b->names;

    return !gf_output_names_adapt(names)
        || (w->task.bound && gf_writer_takes(names->filled[i].name, w->task.binding.out.kind, w->task.binding.table));
}

static int run_input(struct batch_run *r, struct gf_worker *w, int i, int64_t *signals, struct gf_error *err)
{
    struct gf_one_input_options options = *r->options;

    options.names = &r->b->names;
    options.should_skip = should_skip;
    options.name_files = r->options->verbose && r->b->many;
    options.context = r;
    options.merged_table = r->merged_table;
    options.joined = r->b->join ? &r->joined : NULL;
    options.before_joining = &r->before_joining;
    options.divided = &r->divided;
    return gf_one_input_run(w, &options, i, signals, err);
}

/* Takes the next input that is not skipped; *own is its index. */
static int take_task(void *source, struct gf_worker *w, void *own, struct gf_error *err)
{
    struct batch_run *r = source;
    int *i = own;

    (void)err;
    w->writes = !r->options->explain;
    for (*i = take_input(r); *i >= 0; *i = take_input(r)) {
        if (!is_name_final(r, w, *i) || !should_skip(r, *i, r->b->names.filled[*i].name))
            return 1;
        note_skipped(r);
        gf_progress_file(r->context->progress);
    }
    return 0;
}

/* Processes an input. A failure is noted and does not end the pool; r->stop does. */
static int run_task(void *source, struct gf_worker *w, void *own, struct gf_error *err)
{
    struct batch_run *r = source;
    const int i = *(const int *)own;
    int64_t signals = 0;
    int result;

    memset(err, 0, sizeof *err);
    result = run_input(r, w, i, &signals, err);
    if (result == 0 && signals == 0 && !r->options->explain)
        note_skipped(r);
    if (r->options->explain)
        r->stop = true;                              /* unless it is deferred, it is the only one */
    if (result != 0 && defer_input(r, i, signals, err))
        return 0;
    if (result != 0 && err->text[0] == '\0')             /* every failure needs a message */
        gf_fail(err, GF_FAILED, "internal error: it failed without a message");
    if (result != 0)
        name_failed(r->b, i, err);
    note_result(r, result, signals, err);
    gf_progress_file(r->context->progress);
    return 0;
}

/*
 * Runs the workers; --explain runs one of them, for one input. Inputs are unordered and fail alone. Returns -1 if no
 * worker could be created.
 */
static int run_workers(struct batch_run *r, struct gf_error *err)
{
    static const struct gf_pool_tasks inputs = { .own_bytes = sizeof(int), .take = take_task, .run = run_task };
    struct gf_pool pool = { .tasks = &inputs, .source = r, .context = r->context, .limits = &r->limits,
                            .workers = r->options->explain ? 1 : r->workers, .divided = r->workers > 1 };
    int result;

#ifndef GF_SANITIZER
    pool.leaves_gpus = !r->again;
#endif
    r->context->ends = count_inputs(r->b) == 1 && pool.leaves_gpus;
    result = gf_pool_run(&pool, err);
    gf_pool_close(&pool, r->laters == 0);
    return result;
}

/* Names all outputs, so that wrong names fail before anything is read. */
static int name_outputs(struct batch_run *r, struct gf_error *err)
{
    struct gf_batch *b = r->b;
    struct gf_output_names *names = &b->names;

    names->inputs = b->inputs;
    names->bases = b->bases;
    names->count = count_inputs(b);
    names->many = b->many;
    if (gf_output_names_fill(names, b->notices, err) != 0
        || (r->table == NULL && gf_output_names_check(names, err) != 0))
        return -1;
    if (r->table == NULL)
        gf_output_names_warn_in_place(names, b->ends == GF_ENDS_TABLE || b->ends == GF_ENDS_DRAWING,
                                      b->update ? "--update" : b->many && r->options->write->keep ? "-n" : NULL,
                                      b->shard, b->shards, b->notices);
    return 0;
}

/* Creates the folders of outputs, except those whose names have the number of an image. */
static int make_folders(const struct batch_run *r, struct gf_error *err)
{
    const struct gf_output_names *const names = &r->b->names;
    const bool early = gf_output_names_differ(names) && !names->tiles && !gf_output_names_numbers_folders(names);

    for (int i = 0; early && !r->options->explain && i < names->count; i++) {
        const char *name = names->filled[i].name, *before = i > 0 ? names->filled[i - 1].name : "";
        const int folder = gf_name_parts(name).dir;

        if (i > 0 && strncmp(name, before, (size_t)folder) == 0 && gf_name_parts(before).dir == folder)
            continue;                            /* the folder of the previous output */
        if (gf_path_make_folders(name, names->filled[i].root, r->b->notices, err) != 0)
            return -1;
    }
    return 0;
}

/* Protects all inputs before the first output: only its own output may replace an input. */
static int protect_inputs(const struct batch_run *r, struct gf_error *err)
{
    for (int i = 0; i < r->b->count; i++)
        if (gf_ledger_add_input(r->options->ledger, r->b->inputs[i], err) != 0)
            return -1;
    return 0;
}

/*
 * Returns the number of workers, and divides cores and memory: one worker for one file, else one
 * per core or as -j says, or more if a GPU decodes and encodes.
 */
static int divide_resources(struct batch_run *r)
{
    const struct gf_run_context *context = r->context;
    const int threads = context->limits.threads > 0 ? context->limits.threads : context->cpu.cores;
    const int wanted = context->jpeg_on_device && context->limits.threads == 0 ? threads * WORKERS_ON_DEVICE : threads;
    const int files = count_own_inputs(r->b);
    const int workers = limit_workers(r->b, wanted < files ? wanted : files, context->gpu_asked);

    r->limits = context->limits;
    if (r->b->many)
        gf_cpu_limit_count(0, files);
    if (workers <= 1)
        return 1;
    gf_pool_divide(r->context, &r->limits, workers);
    if (context->gpu_asked)
        r->context->cuda.start_seconds /= files;             /* a GPU is started once for all of them */
    r->context->inputs = workers;
    r->context->files = files;
    r->context->signals = files;
    return workers;
}

/* Opens the table of all inputs, if there is one. Returns 1 if the existing file can be kept. */
static int begin_table(struct batch_run *r, struct gf_error *err)
{
    struct gf_batch *b = r->b;
    struct gf_write_options write = *r->options->write;

    write.notices = r->options->notices;
    write.ledger = r->options->ledger;
    if (open_table(b, &write, &r->table, err) != 0)
        return -1;
    if (r->table == NULL)
        return 0;
    gf_output_names_warn_redirected(r->table);
    if (r->options->explain)
        return 0;
    if (has_table(b, r->options->write->keep)) {
        r->passed = b->count;
        return 1;
    }
    r->merged_table = gf_merged_table_new(b->inputs, b->count,
                                          gf_memory_take(GF_MEMORY_TABLES, &r->context->limits.memory_bytes), err);
    return r->merged_table != NULL ? 0 : -1;
}

/* Writes the table of all inputs that did not fail. A run that was stopped early writes none. */
static int end_table(const struct batch_run *r, struct gf_error *err)
{
    if (r->merged_table == NULL || r->stop || gf_merged_table_count(r->merged_table) == 0)
        return 0;
    if (gf_merged_table_write(r->merged_table, r->table, err) != 0 || gf_writer_commit(r->table, err) != 0)
        return -1;
    if (r->options->verbose)
        gf_terminal_print("%d inputs -> %s\n", gf_merged_table_count(r->merged_table), r->table->name);
    return 0;
}

static void release_run(struct batch_run *r)
{
    free(r->later);
    gf_output_names_release(&r->b->names);
    gf_merged_table_free(r->merged_table);
    gf_divided_release(&r->before_joining);
    gf_divided_release(&r->divided);
    gf_joined_release(&r->joined);
    gf_writer_close(r->table);
    pthread_mutex_destroy(&r->lock);
}

/* Fails the deferred inputs if there was no memory for a worker to process them. */
static void fail_deferred(struct batch_run *r, const struct gf_error *why)
{
    for (int i = take_input(r); i >= 0; i = take_input(r)) {
        struct gf_error err = *why;

        name_failed(r->b, i, &err);
        note_result(r, -1, 0, &err);
    }
}

/* Inputs that need more memory than one worker has are processed last, one by one with all of it. */
static int run_all_inputs(struct batch_run *r, struct gf_error *err)
{
    const int64_t cuda_bytes = r->context->cuda.memory_bytes;

    gf_progress_files(r->context->progress, count_inputs(r->b));
    r->later = calloc((size_t)r->b->count, sizeof *r->later);
    r->workers = divide_resources(r);
    if (run_workers(r, err) != 0)
        return -1;
    if (r->laters == 0)
        return 0;
    r->again = true;
    r->stop = r->stop && !r->options->explain;
    r->next = 0;
    r->workers = r->context->inputs = r->context->workers = 1;
    r->context->cuda.memory_bytes = cuda_bytes;
    r->limits = r->context->limits;
    if (run_workers(r, err) != 0)
        fail_deferred(r, err);
    return 0;
}

/* Fails if the parts that a stage makes have one name, or if there is another such stage. */
static int check_parts(const struct batch_run *r, struct gf_error *err)
{
    const struct gf_output_names *const names = &r->b->names;
    const struct gf_stage *const stage = gf_divided_splitting_stage(&r->divided);
    const int inputs = count_inputs(r->b);
    int times = 0;

    if (stage == NULL || r->context->kinds == 1u << GF_IMAGE)
        return 0;
    for (int i = 1; i < r->divided.parts; i++)
        times += r->divided.part[i].word[0].stage[GF_AUDIO] == stage;
    if (times > 1)
        return gf_fail(err, GF_MISUSED, "%s: the audio is divided already", stage->name);
    if (inputs > 1)
        return gf_fail(err, GF_MISUSED, "%s: makes several files of one input, but there are %d;; use --join for one "
                       "input, or a run for each", stage->name, inputs);
    return !names->folder && gf_name_pattern_has_number(names->text) ? 0
        : gf_fail(err, GF_MISUSED, "%s: each part needs a name of its own, but -o is %s;; use {n}, such as "
                  "'part-{n:3}.wav'", stage->name, names->text);
}

/* Divides the stages where one needs several images. */
static int split_chain(struct batch_run *r, struct gf_error *err)
{
    struct gf_joined *const j = &r->joined;

    if (gf_joined_split(j, r->context, err) != 0
        || (j->gathering.stage != NULL && gf_divided_make(&r->before_joining, &j->gathering.front, err) != 0))
        return -1;
    if (gf_divided_make(&r->divided, &r->context->chain, err) != 0
        || check_parts(r, err) != 0)
        return -1;
    /* {n} counts the parts, also if a pattern names the input */
    r->b->many = r->b->many && gf_divided_splitting_stage(&r->divided) == NULL;
    return 0;
}

int gf_batch_run(struct gf_batch *b, struct gf_run_context *context, const struct gf_one_input_options *options,
                 int64_t *signals, struct gf_error *err)
{
    struct batch_run r = { .b = b, .context = context, .options = options,
                           .joined = { .join = options->read->join, .inputs = b->inputs, .count = b->count } };
    const struct gf_chain *const chain = context->chain;
    int result = -1, there;

    pthread_mutex_init(&r.lock, NULL);
    if (b->count == 0) {
        gf_fail(err, GF_FAILED, "--files-from: the list names no files");
        goto out;
    }
    there = split_chain(&r, err) != 0 ? -1 : begin_table(&r, err);
    if (there < 0 || gf_notices_check(options->notices, err) != 0 || protect_inputs(&r, err) != 0
        || name_outputs(&r, err) != 0
        || gf_album_measure(context, chain, b->inputs, b->count, b->join, options, err) != 0
        || make_folders(&r, err) != 0 || gf_notices_check(options->notices, err) != 0)
        goto out;
    gf_notices_print(options->notices);          /* print before the work, which may take forever on a live pipe */
    if (there == 0 && run_all_inputs(&r, err) != 0)
        goto out;
    *signals = r.signals;
    if (end_table(&r, err) != 0)
        goto out;
    if (r.passed > 0 && options->verbose)
        gf_terminal_print(b->update ? "inputs skipped, outputs up to date: %d\n"
                                    : "inputs skipped, outputs exist: %d\n",
                          r.passed);
    if (r.shortage != NULL)
        gf_fail(err, GF_FAILED, "stopped with %d of %d files done: %s", r.done + r.passed, count_own_inputs(b),
                r.shortage);
    else if (r.failed > 0 && b->many)
        gf_fail(err, GF_FAILED, "%d of %d inputs failed", r.failed, r.taken);
    else if (r.failed > 0)
        *err = r.error;
    else if (r.gone)
        gf_fail(err, 0, "the reader has closed the pipe");
    else
        result = 0;
out:
    context->chain = chain;
    release_run(&r);
    return result;
}
