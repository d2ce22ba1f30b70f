/* Jobs of libgpufilter: a chain bound to one format, with a worker of the engine, which runs it on arrays. */
#include "library/arrays.h"
#include "library/formats.h"
#include "library/library.h"
#include "library/memory.h"
#include "library/push.h"

#include "chain/halo.h"
#include "chain/unlikely_values.h"
#include "io/formats/frames/y4m.h"
#include "run/value_losses.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A second input. */
struct given {
    char *name;
    struct gf_array array;
    struct gf_reader reader;
    bool used;                           /* by a stage */
};

struct gpufilter_job {
    struct gpufilter_session *session;
    struct gpufilter_chain *chain;
    struct gf_run_context context;
    struct gf_notices *notices;
    struct gf_worker *worker;
    struct gf_format in, out;            /* of input and result, as arrays */
    bool measures;                       /* there is no result, but a table */
    struct gf_read_options read;
    struct gf_reader *file;              /* the input, if it is a file that has not been read yet */
    bool from_file;
    bool video;                          /* the input and the result are frames in planes */
    bool states_matrix;                  /* otherwise it depends on the number of rows */
    int type;                            /* of the result; GPUFILTER_SAME: that of the input */
    int where;                           /* of the input and of the result */
    char gpu[24];                        /* their GPU, for messages */
    void *stream;                        /* for runs on that GPU */
    const struct gf_chain *stages;       /* those of the chain, or of `own` */
    struct gf_library_stages own;        /* parsed again, with arrays instead of files of numbers */
    struct given *given;
    size_t given_count;
    struct gf_given finds;
    struct gf_push *push;                /* a run whose caller pushes, or NULL */
    struct gf_watch watch;               /* losses of the current run */
    struct gf_table table;               /* of the last run */
    bool ran;
    bool lacks_image;                    /* a second input has none of the number that was set */
    bool stop;                           /* the current run, or the next one */
};

/* ---- preparing ---- */

/* Bits of a type in files, as in struct gf_write_options. */
static const int depths[] = { [GPUFILTER_SAME] = 0, [GPUFILTER_U8] = 8, [GPUFILTER_U16] = 16, [GPUFILTER_S16] = 16,
                              [GPUFILTER_S32] = 32, [GPUFILTER_F32] = -32, [GPUFILTER_F64] = -64 };

/* The result is stored as in a Y4M, except that an array can state the place of chroma and the matrix. */
static int fit_planes(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    const struct gpufilter_job *j = w->state;
    struct gf_writer y4m = { .ops = &gf_write_y4m, .name = w->name, .options = { .notices = j->notices } };

    if (f->alpha || (f->channels != 1 && f->channels != 3))
        return gf_fail(err, GF_FAILED, "the result: a frame in planes is gray or RGB without alpha; add the stage "
                       "alpha:off");
    if (j->type != GPUFILTER_SAME && j->type != GPUFILTER_U8 && j->type != GPUFILTER_U16)
        return gf_fail(err, GF_MISUSED, "the result: a frame in planes cannot have samples of type %d", j->type);
    y4m.options.depth = depths[j->type];
    if (gf_write_y4m.fit(&y4m, f, err) != 0)
        return -1;
    if (j->states_matrix)
        f->yuv.matrix = j->in.yuv.matrix;
    if (!f->yuv.mono && !j->in.yuv.mono)
        f->yuv.siting = j->in.yuv.siting;
    return 0;
}

/* The result has the type that was asked for, or that of the chain. */
static int fit_result(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    const struct gpufilter_job *j = w->state;

    if (j->type != GPUFILTER_SAME && !gf_library_set_type(f, j->type, 0, 0))
        return gf_fail(err, GF_MISUSED, "the result: %s cannot have samples of type %d",
                       f->kind == GF_IMAGE ? "an image" : "audio", j->type);
    return 0;
}

/* Plans for a reader; nothing changes if the job is planned for such a one. */
static int plan(struct gpufilter_job *j, const struct gf_reader *reader, struct gf_error *err)
{
    static const struct gf_writer_ops fitted = { .name = "array", .fit = fit_result, .writing = GF_LABOUR_COPY };
    static const struct gf_writer_ops planes = { .name = "array", .yuv = true, .fit = fit_planes,
                                                 .writing = GF_LABOUR_COPY };
    struct gf_writer writer = { .ops = j->video ? &planes : &fitted, .name = "result", .state = j };
    const struct gf_sink sink = { .writer = &writer };

    return gf_task_plan(j->worker, reader, &sink, err);
}

static void take_notice(void *context, enum gf_notice_level level, const char *name, const char *text)
{
    const struct gpufilter_session *s = context;

    if (level != GF_NOTE && s->warn != NULL)
        s->warn(s->warn_context, name, text);
}

static struct gf_reader *find_given(void *context, const char *name)
{
    struct gpufilter_job *j = context;

    for (size_t i = 0; i < j->given_count; i++)
        if (strcmp(j->given[i].name, name) == 0) {
            j->given[i].array.next = 0;
            j->given[i].used = true;
            return &j->given[i].reader;
        }
    return NULL;
}

static int take_inputs(struct gpufilter_job *j, const gpufilter_request *q, struct gf_error *err)
{
    j->given = calloc(q->input_count + 1, sizeof *j->given);
    if (j->given == NULL)
        return gf_fail_memory(err, NULL);
    for (size_t i = 0; i < q->input_count; i++) {
        const char *const row = (const char *)q->inputs + (q->inputs != NULL ? i * q->inputs->size : 0);
        struct given *g = &j->given[i];
        struct gf_format f;
        gpufilter_input in;

        if (!gf_library_copy(&in, sizeof in, row, sizeof in) || in.name == NULL)
            return gf_fail(err, GF_MISUSED, "input %zu: has no name, or its size is wrong", i + 1);
        g->name = strdup(in.name);
        if (g->name == NULL)
            return gf_fail_memory(err, NULL);
        j->given_count = i + 1;
        if (gf_library_read_format(&f, in.format, g->name, err) != 0)
            return -1;
        if (f.units == GF_UNKNOWN)
            return gf_fail(err, GF_MISUSED, "%s: units must be its length, not GPUFILTER_UNKNOWN", g->name);
        if (gf_array_of(&g->array, in.array, &f, GPUFILTER_HOST, g->name, err) != 0)
            return -1;
        gf_array_reader(&g->reader, &f, &g->array, g->name);
    }
    return 0;
}

/* Finds the stages. Those of the chain have no numbers from given arrays. */
static int take_stages(struct gpufilter_job *j, struct gf_error *err)
{
    const struct gpufilter_chain *c = j->chain;

    j->finds = (struct gf_given) { find_given, j };
    j->stages = &c->parsed.chain;
    if (!c->waits && (j->given_count == 0 || c->parsed.chain.list_bytes == 0))
        return 0;
    j->stages = &j->own.chain;
    return gf_library_parse(&j->own, c->text, c->kinds, &j->finds, err);
}

/* Binds and plans, and reports warnings that do not depend on samples. */
static int bind(struct gpufilter_job *j, struct gf_error *err)
{
    const char *name = j->from_file ? j->file->name : "array";
    struct gf_worker *w = j->worker;
    const int word = j->in.units == GF_UNKNOWN ? gf_chain_wants_length(j->stages, j->in.kind) : -1;
    struct gf_array none = { 0 };
    struct gf_reader reader;

    w->sides.given = &j->finds;
    gf_sides_begin(&w->sides, &j->read, name, 0);
    if (word >= 0)
        return gf_fail(err, GF_MISUSED, "%s needs the length of its input; give it a whole array",
                       j->stages->word[word].text);
    if (gf_task_bind(w, &j->in, name, err) != 0)
        return -1;
    if (w->task.binding.exits > 1)
        return gf_fail(err, GF_MISUSED, "tee writes files; leave it out, or use the program gpufilter");
    gf_array_reader(&reader, &j->in, &none, "array");
    reader.random = j->in.units != GF_UNKNOWN;
    if (plan(j, j->from_file ? j->file : &reader, err) != 0)
        return -1;
    j->out = w->task.outputs.stored[0];
    j->measures = w->task.outputs.table;
    gf_unlikely_values_warn(&w->task.binding, name, j->notices);
    if (w->task.binding.remark[0] != '\0' && !w->task.binding.remark_is_note)
        gf_warn(j->notices, "stage", name, "%s", w->task.binding.remark);
    gf_notices_print(j->notices);
    return 0;
}

/* Fails if no stage has asked for one of the second inputs. */
static int check_inputs(const struct gpufilter_job *j, struct gf_error *err)
{
    for (size_t i = 0; i < j->given_count; i++)
        if (!j->given[i].used)
            return gf_fail(err, GF_MISUSED, "no stage reads an array called %s; it would be used by %s:%s for example",
                           j->given[i].name, j->in.kind == GF_IMAGE ? "over" : "fir", j->given[i].name);
    return 0;
}

/* A program that uses CUDA, too, finds its own GPU current in the thread after a call. */
static int enter_gpu(const struct gpufilter_job *j)
{
    return j->where != GPUFILTER_HOST ? gf_device_cuda.current(-1) : -1;
}

static void leave_gpu(const struct gpufilter_job *j, int before)
{
    if (before >= 0 && j->where != GPUFILTER_HOST)
        gf_device_cuda.current(before);
}

/* Lets the job run on the GPU that has its arrays, whichever one the session names. */
static int use_gpu(struct gpufilter_job *j, struct gf_error *err)
{
    struct gf_run_context *c = &j->context;
    struct gf_device_facts facts;
    char why[300];

    if (c->where == GF_CPU)
        return gf_fail(err, GF_MISUSED, "the arrays are on a GPU, but the session has device cpu; use auto or cuda");
    gf_device_cuda.facts(j->where - GPUFILTER_GPU, &facts, why, sizeof why);
    if (!facts.present)
        return gf_fail(err, GF_FAILED, "no GPU: %s", why);
    snprintf(j->gpu, sizeof j->gpu, "cuda:%d", j->where - GPUFILTER_GPU);
    c->device = j->gpu;
    c->where = gf_device_cuda.cuda ? GF_CUDA : GF_CPU;
    c->gpus = (struct gf_device_list) { { j->where - GPUFILTER_GPU }, 1 };
    c->all_gpus = c->gpu_asked = false;
    c->limits.lanes = 1;                 /* nothing is copied meanwhile */
    return 0;
}

/* Makes what a job needs before it is bound. */
static int begin(struct gpufilter_job *j, int latency, struct gf_error *err)
{
    const struct gf_notice_options notices = { .take = take_notice, .context = j->session };

    if (take_stages(j, err) != 0)
        return -1;
    gf_run_context_copy(&j->session->context, &j->context);
    j->context.chain = j->stages;
    j->context.limits.latency_ms = latency;
    if (j->where != GPUFILTER_HOST && use_gpu(j, err) != 0)
        return -1;
    j->notices = gf_notices_new(&notices);
    if (j->notices == NULL)
        return gf_fail_memory(err, NULL);
    j->read = (struct gf_read_options) { .notices = j->notices, .memory_bytes = j->context.limits.memory_bytes };
    j->worker = gf_worker_new(&j->context, &j->context.limits, -1, err);
    if (j->worker == NULL)
        return -1;
    j->worker->on_device = j->where != GPUFILTER_HOST;
    return 0;
}

static int prepare(struct gpufilter_job *j, const gpufilter_request *given, struct gf_error *err)
{
    gpufilter_request q;

    if (!gf_library_copy(&q, sizeof q, given, offsetof(gpufilter_request, video)))
        return gf_fail(err, GF_MISUSED, "request: size is wrong; set it to sizeof(gpufilter_request)");
    if (q.latency < 0)
        return gf_fail(err, GF_MISUSED, "latency: must be 0 or more, not %d", q.latency);
    if (gf_library_check(j->session, err) != 0 || gf_library_read_format(&j->in, q.in, "array", err) != 0
        || gf_library_read_video(&j->in, q.video, &j->states_matrix, err) != 0 || take_inputs(j, &q, err) != 0)
        return -1;
    j->type = q.type;
    j->where = q.where;
    j->video = j->in.yuv.used;
    if (q.where != GPUFILTER_HOST && (q.where < 0 || j->video || j->in.units == GF_UNKNOWN))
        return gf_fail(err, GF_MISUSED, q.where < 0 ? "where: must be GPUFILTER_HOST, or GPUFILTER_GPU + N"
                       : "frames in planes, and signals of unknown length, must be in the memory of the host");
    return begin(j, q.latency, err) != 0 || bind(j, err) != 0 ? -1 : check_inputs(j, err);
}

static int prepare_file(struct gpufilter_job *j, const char *path, int type, struct gf_error *err)
{
    j->type = type;
    if (path == NULL || strcmp(path, "-") == 0)
        return gf_fail(err, GF_MISUSED, "a file needs a name");
    if (gf_library_check(j->session, err) != 0 || begin(j, 0, err) != 0)
        return -1;
    j->file = gf_reader_open(path, &j->read, err);
    if (j->file == NULL)
        return -1;
    j->from_file = true;
    gf_task_narrow(j->worker, j->file);
    j->in = j->file->format;
    return bind(j, err);
}

static struct gpufilter_job *new_job(gpufilter_session *session, gpufilter_chain *chain, struct gf_error *err)
{
    struct gpufilter_job *j = session != NULL && chain != NULL ? calloc(1, sizeof *j) : NULL;

    if (session == NULL || chain == NULL)
        gf_fail(err, GF_MISUSED, "a handle is NULL");
    else if (j == NULL)
        gf_fail_memory(err, NULL);
    if (j == NULL)
        return NULL;
    j->session = session;
    j->chain = chain;
    gf_watch_open(&j->watch);
    atomic_fetch_add(&session->holders, 1);
    atomic_fetch_add(&chain->holders, 1);
    return j;
}

/* Returns the job if `result` is 0; otherwise frees it and hands on the error. */
static struct gpufilter_job *hand_over(struct gpufilter_job *j, int result, const struct gf_error *from,
                                       gpufilter_error *error)
{
    if (result == 0)
        return j;
    gf_library_fail(error, from);
    gpufilter_job_free(j);               /* NULL is allowed */
    return NULL;
}

gpufilter_job *gpufilter_prepare(gpufilter_session *session, gpufilter_chain *chain, const gpufilter_request *request,
                                 gpufilter_error *error)
{
    struct gf_error err = { 0 };
    struct gpufilter_job *j = new_job(session, chain, &err);

    return hand_over(j, j == NULL ? -1 : prepare(j, request, &err), &err, error);
}

gpufilter_job *gpufilter_prepare_file(gpufilter_session *session, gpufilter_chain *chain, const char *path, int type,
                                      gpufilter_error *error)
{
    struct gf_error err = { 0 };
    struct gpufilter_job *j = new_job(session, chain, &err);

    return hand_over(j, j == NULL ? -1 : prepare_file(j, path, type, &err), &err, error);
}

void gpufilter_job_free(gpufilter_job *job)
{
    struct gf_error ignored;

    int before;

    if (job == NULL || gf_library_check(job->session, &ignored) != 0)
        return;                          /* a forked process has none of its threads */
    before = enter_gpu(job);
    gf_push_cancel(job->push);
    gf_worker_free(job->worker);
    leave_gpu(job, before);
    if (job->file != NULL)
        gf_reader_close(job->file);
    gf_notices_free(job->notices);
    gf_watch_close(&job->watch);
    for (size_t i = 0; i < job->given_count; i++)
        free(job->given[i].name);
    free(job->given);
    gf_library_stages_release(&job->own);
    gpufilter_chain_free(job->chain);
    gf_library_release(job->session);
    free(job);
}

/* Fails if there is no job, or if it is that of another process. */
static int check_job(const struct gpufilter_job *j, struct gf_error *err)
{
    return gf_library_check(j != NULL ? j->session : NULL, err);
}

/* Also fails if a caller pushes its input. */
static int check_idle(const struct gpufilter_job *j, struct gf_error *err)
{
    if (check_job(j, err) != 0)
        return -1;
    return j->push == NULL ? 0
        : gf_fail(err, GF_MISUSED, "the job runs; gpufilter_pull() all of the result, or cancel it");
}

/* Fails if a second input has no image. */
static int check_images(const struct gpufilter_job *j, struct gf_error *err)
{
    return !j->lacks_image ? 0
        : gf_fail(err, GF_MISUSED, "the number of the image could not be set; set another one");
}

int gpufilter_format_of(const gpufilter_job *job, gpufilter_format *format, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return check_job(job, &err) == 0 && gf_library_write_format(format, &job->out, &err) == 0 ? 0
        : gf_library_fail(error, &err);
}

int gpufilter_halo_of(const gpufilter_job *job, gpufilter_halo *halo, gpufilter_error *error)
{
    struct gf_error err = { 0 };
    struct gf_halo found;
    gpufilter_halo all;

    if (check_job(job, &err) == 0 && job->video)
        gf_fail(&err, GF_MISUSED, "frames in planes cannot be cut");
    if (err.status != 0 || check_images(job, &err) != 0 || gf_halo_of(&job->worker->task.binding, &found, &err) != 0)
        return gf_library_fail(error, &err);
    all = (gpufilter_halo) { .before = found.before, .after = found.after, .left = found.left, .right = found.right,
                             .step = found.step };
    return gf_library_hand_out(halo, &all, sizeof all, offsetof(gpufilter_halo, step), "halo", &err) == 0 ? 0
        : gf_library_fail(error, &err);
}

static int set_number(struct gpufilter_job *j, int64_t number, struct gf_error *err)
{
    struct gf_sides *s = &j->worker->sides;

    if (j->from_file || number < 0)
        return gf_fail(err, GF_MISUSED, "a number is 0 or more, and that of an array");
    if (number < s->signal)
        gf_sides_begin(s, &j->read, "array", 0);         /* opens videos again */
    s->signal = number;
    j->lacks_image = gf_task_bind(j->worker, &j->in, "array", err) != 0;
    return j->lacks_image ? -1 : 0;
}

int gpufilter_set_number(gpufilter_job *job, int64_t number, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return check_idle(job, &err) == 0 && set_number(job, number, &err) == 0 ? 0 : gf_library_fail(error, &err);
}

int gpufilter_measures(const gpufilter_job *job)
{
    return job != NULL && job->measures;
}

const char *gpufilter_device_of(const gpufilter_job *job)
{
    return job != NULL && (job->where != GPUFILTER_HOST || job->worker->task.plan.cuda) ? "cuda" : "cpu";
}

/* ---- running ---- */

static int run(struct gpufilter_job *j, struct gf_reader *reader, struct gf_writer *writer, struct gf_error *err)
{
    struct gf_writer *writers[GF_CHAIN_EXITS] = { writer };
    const struct gf_findings *found = &j->worker->task.run.findings;
    struct gf_run_results results = { 0 };
    int result;

    j->ran = false;
    gf_watch_reset(&j->watch);
    reader->watch = j->where == GPUFILTER_HOST ? &j->watch : NULL;       /* samples on a GPU stay there */
    j->worker->task.run.stop = &j->stop;
    result = gf_task_run(j->worker, reader, writers, &results, err);
    if (result != 0)
        return -1;
    j->table = results.table;
    j->ran = true;
    gf_value_losses_warn(&j->watch, j->notices, &j->worker->task.binding, "array", NULL);
    gf_clipping_warn(j->notices, "result", results.clipped[0], found->above, found->above_db);
    gf_notices_print(j->notices);
    return 0;
}

/* Ends a run, even one that failed before it began: a stop is for no other. */
static int end_run(struct gpufilter_job *j, int result)
{
    __atomic_store_n(&j->stop, false, __ATOMIC_RELAXED);
    return result;
}

/* Reads the file, which is done with then. */
static int run_file(struct gpufilter_job *j, struct gf_writer *writer, struct gf_error *err)
{
    int result;

    if (j->file == NULL)
        return gf_fail(err, GF_MISUSED, "the file was read; prepare the job again");
    result = plan(j, j->file, err) != 0 ? -1 : run(j, j->file, writer, err);
    gf_reader_close(j->file);
    j->file = NULL;
    return result;
}

/* Plans a run, and fails if a second input of another format makes that of the result another one. */
static int plan_run(struct gpufilter_job *j, const struct gf_reader *reader, struct gf_error *err)
{
    if (check_images(j, err) != 0 || plan(j, reader, err) != 0)
        return -1;
    return gf_same_format(&j->out, &j->worker->task.outputs.stored[0]) ? 0
        : gf_fail(err, GF_FAILED, "the result of image %lld has another format; prepare another job",
                  (long long)j->worker->sides.signal);
}

/* The arrays of a run. */
struct arrays {
    struct gf_array from, to;
    struct gf_reader reader;
    struct gf_writer writer;
};

/* Describes the input and plans for it. */
static int take_input(struct gpufilter_job *j, const gpufilter_array *in, struct arrays *a, struct gf_error *err)
{
    if (gf_array_of(&a->from, in, &j->in, j->where, "input", err) != 0)
        return -1;
    gf_array_reader(&a->reader, &j->in, &a->from, "array");
    if (plan_run(j, &a->reader, err) != 0)
        return -1;
    /* lanes copy into memory that a GPU reads faster */
    a->from.packed = a->from.packed && !j->worker->task.plan.cuda;
    gf_array_reader(&a->reader, &j->in, &a->from, "array");
    return 0;
}

static int take_arrays(struct gpufilter_job *j, const gpufilter_array *in, const gpufilter_array *out,
                       struct arrays *a, struct gf_error *err)
{
    if (j->in.units == GF_UNKNOWN)
        return gf_fail(err, GF_MISUSED, "the job has no length; set units to prepare it, or use gpufilter_run_io()");
    if (!j->from_file && take_input(j, in, a, err) != 0)
        return -1;
    if (j->measures)
        return 0;
    if (gf_array_of(&a->to, out, &j->out, j->where, "result", err) != 0
        || (!j->from_file && gf_array_check(&a->from, &a->to, err) != 0))
        return -1;
    a->to.packed = a->to.packed && !j->worker->task.plan.cuda;
    gf_array_writer(&a->writer, &j->out, &a->to);
    return 0;
}

/* Runs on arrays that were taken. */
static int run_taken(struct gpufilter_job *j, struct arrays *a, struct gf_error *err)
{
    const struct gf_device_ends ends = { gf_array_strided(&a->from), gf_array_strided(&a->to), j->stream };
    struct gf_writer *writer = j->measures ? NULL : &a->writer;
    int result;

    if (j->from_file)
        return run_file(j, writer, err);
    j->worker->task.run.ends = j->where != GPUFILTER_HOST ? &ends : NULL;
    result = run(j, &a->reader, writer, err);
    j->worker->task.run.ends = NULL;
    return result;
}

static int run_arrays(struct gpufilter_job *j, const gpufilter_array *in, const gpufilter_array *out,
                      struct gf_error *err)
{
    const int before = enter_gpu(j);
    struct arrays a = { 0 };
    const int result = take_arrays(j, in, out, &a, err) == 0 ? run_taken(j, &a, err) : -1;

    leave_gpu(j, before);
    return end_run(j, result);
}

int gpufilter_run(gpufilter_job *job, const gpufilter_array *in, const gpufilter_array *out, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return check_idle(job, &err) == 0 && run_arrays(job, in, out, &err) == 0 ? 0 : gf_library_fail(error, &err);
}

/* Runs on one image after another. */
static int run_images(struct gpufilter_job *j, struct arrays *a, int64_t count, int64_t in_step, int64_t out_step,
                      struct gf_error *err)
{
    char *const in = a->from.data, *const out = a->to.data;
    int result = 0;

    for (int64_t i = 0; result == 0 && i < count; i++) {
        a->from.data = in + i * in_step;
        a->to.data = out + i * out_step;
        a->from.next = 0;
        j->worker->task.run.signal = i;
        result = gf_array_check(&a->from, &a->to, err) == 0 ? run_taken(j, a, err) : -1;
    }
    return result;
}

static int run_batch(struct gpufilter_job *j, const gpufilter_array *in, const gpufilter_array *out, int64_t count,
                     int64_t in_step, int64_t out_step, struct gf_error *err)
{
    const int before = enter_gpu(j);
    const int64_t number = j->worker->task.run.signal;
    struct arrays a = { 0 };
    int result = -1;

    if (j->measures || j->from_file || j->in.kind != GF_IMAGE || count < 0)
        gf_fail(err, GF_MISUSED, "a batch is 0 or more images, whose result is an array");
    else
        result = take_arrays(j, in, out, &a, err) == 0 ? run_images(j, &a, count, in_step, out_step, err) : -1;
    j->worker->task.run.signal = number;
    leave_gpu(j, before);
    return end_run(j, result);
}

int gpufilter_run_batch(gpufilter_job *job, const gpufilter_array *in, const gpufilter_array *out, int64_t count,
                        int64_t in_step, int64_t out_step, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return check_idle(job, &err) == 0 && run_batch(job, in, out, count, in_step, out_step, &err) == 0 ? 0
        : gf_library_fail(error, &err);
}

int gpufilter_set_stream(gpufilter_job *job, void *stream, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    if (check_idle(job, &err) == 0 && job->where == GPUFILTER_HOST)
        gf_fail(&err, GF_MISUSED, "the arrays of the job are in the memory of the host, which has no streams");
    if (err.status != 0)
        return gf_library_fail(error, &err);
    job->stream = stream;
    return 0;
}

static int wait_for_job(struct gpufilter_job *j, struct gf_error *err)
{
    const int before = enter_gpu(j);
    const struct gf_engine *e = &j->worker->engine;
    const int result = j->where == GPUFILTER_HOST || e->count == 0 ? 0
                     : gf_device_cuda.stream_wait(&j->worker->engine.device[0], j->stream, err);

    leave_gpu(j, before);
    return result;
}

int gpufilter_wait(gpufilter_job *job, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return check_idle(job, &err) == 0 && wait_for_job(job, &err) == 0 ? 0 : gf_library_fail(error, &err);
}

static int allocate(struct gpufilter_job *j, int64_t count, gpufilter_array *array, struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(&j->out);
    const int64_t bytes = stored.units * (int64_t)gf_unit_bytes(&stored);
    const int before = enter_gpu(j);
    struct gf_device *device = NULL;
    gpufilter_array made = { .where = j->where };
    int result = 0;

    if (j->measures || stored.units == GF_UNKNOWN || count < 0 || (bytes > 0 && count > INT64_MAX / bytes))
        return gf_fail(err, GF_MISUSED, "there is no result of a known size");
    if (j->where != GPUFILTER_HOST) {
        result = gf_worker_open_engine(j->worker, err);
        device = &j->worker->engine.device[0];
    }
    if (result == 0) {
        made.memory = gf_memory_new(device, j->where, (size_t)(bytes * count), j->stream, &made.data, err);
        result = made.memory == NULL ? -1 : gf_library_hand_out(array, &made, sizeof made, sizeof made, "array", err);
    }
    if (result != 0)
        gpufilter_release(made.memory);
    leave_gpu(j, before);
    return result;
}

int gpufilter_allocate(gpufilter_job *job, int64_t count, gpufilter_array *array, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return check_idle(job, &err) == 0 && allocate(job, count, array, &err) == 0 ? 0 : gf_library_fail(error, &err);
}

static int run_functions(struct gpufilter_job *j, struct gf_array_calls *calls, struct gf_error *err)
{
    struct gf_reader reader;
    struct gf_writer writer;

    if ((calls->read == NULL) != j->from_file || (calls->write == NULL && !j->measures))
        return gf_fail(err, GF_MISUSED, "a function is missing, or there is a file to read");
    if (j->video || j->where != GPUFILTER_HOST)
        return gf_fail(err, GF_MISUSED, "%s are whole arrays; use gpufilter_run()",
                       j->video ? "frames in planes" : "signals on a GPU");
    gf_array_call_reader(&reader, &j->in, calls);
    if (!j->from_file && plan_run(j, &reader, err) != 0)
        return -1;
    gf_array_call_writer(&writer, &j->out, calls);
    return j->from_file ? run_file(j, j->measures ? NULL : &writer, err)
         : run(j, &reader, j->measures ? NULL : &writer, err);
}

static int run_calls(struct gpufilter_job *j, struct gf_array_calls *calls, struct gf_error *err)
{
    return end_run(j, run_functions(j, calls, err));
}

int gpufilter_run_io(gpufilter_job *job, int64_t (*read)(void *context, void *units, int64_t count),
                     int (*write)(void *context, const void *units, int64_t count), void *context,
                     gpufilter_error *error)
{
    struct gf_array_calls calls = { read, write, context };
    struct gf_error err = { 0 };

    return check_idle(job, &err) == 0 && run_calls(job, &calls, &err) == 0 ? 0 : gf_library_fail(error, &err);
}

/* ---- pushing ---- */

/* Starts a run whose input is pushed, if none runs. */
static int start_push(struct gpufilter_job *j, struct gf_error *err)
{
    if (check_job(j, err) != 0)
        return -1;
    if (j->from_file || j->measures || j->video || j->where != GPUFILTER_HOST)
        return gf_fail(err, GF_MISUSED, "only a job for arrays of the host with a result takes pushed input");
    if (j->push == NULL)
        j->push = gf_push_start(j, gf_unit_bytes(&j->in), gf_unit_bytes(&j->out), run_calls, err);
    return j->push != NULL ? 0 : -1;
}

static int64_t push(struct gpufilter_job *j, const void *units, int64_t count, struct gf_error *err)
{
    int64_t n;

    if (units == NULL || count < 0)
        return gf_fail(err, GF_MISUSED, "push: there are no units");
    if (start_push(j, err) != 0)
        return -1;
    n = gf_push_put(j->push, units, count, err);
    if (n < 0 && gf_push_failed(j->push))
        gpufilter_cancel(j);
    return n;
}

int64_t gpufilter_push(gpufilter_job *job, const void *units, int64_t count, gpufilter_error *error)
{
    struct gf_error err = { 0 };
    const int64_t n = push(job, units, count, &err);

    return n >= 0 ? n : gf_library_fail(error, &err);
}

int64_t gpufilter_pull(gpufilter_job *job, void *units, int64_t count, gpufilter_error *error)
{
    struct gf_error err = { 0 };
    int64_t n = check_job(job, &err);

    if (n == 0 && (units == NULL || count < 0))
        n = gf_fail(&err, GF_MISUSED, "pull: there is no room");
    if (n == 0 && job->push != NULL) {
        n = gf_push_get(job->push, units, count, &err);
        if (gf_push_ended(job->push))
            gpufilter_cancel(job);
    }
    return n >= 0 ? n : gf_library_fail(error, &err);
}

int gpufilter_finish(gpufilter_job *job, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    if (start_push(job, &err) != 0)
        return gf_library_fail(error, &err);
    gf_push_finish(job->push);
    return 0;
}

void gpufilter_cancel(gpufilter_job *job)
{
    struct gf_error ignored;

    if (job == NULL || gf_library_check(job->session, &ignored) != 0)
        return;
    gf_push_cancel(job->push);
    job->push = NULL;
}

void gpufilter_stop(gpufilter_job *job)
{
    if (job != NULL)
        __atomic_store_n(&job->stop, true, __ATOMIC_RELAXED);
}

/* ---- files ---- */

static int write_file(struct gpufilter_job *j, const gpufilter_array *in, struct gf_writer *writer,
                      struct gf_error *err)
{
    struct gf_sink sink = { .writer = writer };
    struct gf_array from;
    struct gf_reader reader;
    int result;

    if (gf_array_of(&from, in, &j->in, GPUFILTER_HOST, "input", err) != 0)
        return -1;
    gf_array_reader(&reader, &j->in, &from, "array");
    result = gf_task_plan(j->worker, &reader, &sink, err) != 0 || gf_task_describe(j->worker, &reader, &sink, err) != 0
          || gf_task_begin(j->worker, &reader, &sink, err) != 0 || run(j, &reader, writer, err) != 0
          || gf_task_end(j->worker, &sink, err) != 0 ? -1 : gf_writer_commit(writer, err);
    gf_meta_release(&sink.meta);
    return result;
}

static int write_named(struct gpufilter_job *j, const gpufilter_array *in, const char *path, struct gf_error *err)
{
    const struct gf_write_options options = { .compression = -1, .depth = depths[j->type], .notices = j->notices,
                                              .threads = j->context.cpu.cores,
                                              .memory_bytes = j->context.limits.memory_bytes };
    struct gf_writer *writer;
    int result;

    if (path == NULL || strcmp(path, "-") == 0)
        return gf_fail(err, GF_MISUSED, "a file needs a name");
    if (j->from_file || j->in.units == GF_UNKNOWN || j->measures || j->where != GPUFILTER_HOST)
        return gf_fail(err, GF_MISUSED, "%s: only a result of arrays of the host can be written", path);
    if (j->type == GPUFILTER_F64 && j->in.kind == GF_IMAGE)
        return gf_fail(err, GF_MISUSED, "%s: a file of an image cannot have samples of type %d", path, j->type);
    if (check_images(j, err) != 0)
        return -1;
    writer = gf_writer_open(path, &options, &j->worker->task.binding.out, false, err);
    result = writer != NULL ? write_file(j, in, writer, err) : -1;
    gf_writer_close(writer);
    return result;
}

int gpufilter_write(gpufilter_job *job, const gpufilter_array *in, const char *path, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return check_idle(job, &err) == 0 && end_run(job, write_named(job, in, path, &err)) == 0 ? 0
        : gf_library_fail(error, &err);
}

int gpufilter_table_of(const gpufilter_job *job, gpufilter_table *table, gpufilter_error *error)
{
    struct gf_error err = { 0 };
    const struct gf_table *t;
    gpufilter_table all;

    if (check_job(job, &err) == 0 && (!job->ran || !job->measures))
        gf_fail(&err, GF_MISUSED, "there is no table: %s", job->ran ? "the chain does not measure" : "run the job");
    if (err.status != 0)
        return gf_library_fail(error, &err);
    t = &job->table;
    all = (gpufilter_table) { .channels = t->channels, .channel_names = t->channel_names, .fields = t->fields,
                              .field_names = t->field_names, .values = t->values, .bins = t->bins, .low = t->low,
                              .high = t->high, .counts = t->counts, .columns = t->columns, .cells = t->cells,
                              .timeline = t->timeline, .seconds = t->seconds, .unmet = t->unmet };
    return gf_library_hand_out(table, &all, sizeof all, sizeof all, "table", &err) == 0 ? 0
        : gf_library_fail(error, &err);
}
