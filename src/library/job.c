/* Jobs of libgpufilter: a chain bound to one format, with a worker of the engine. job_run.c runs it on arrays. */
#include "library/job.h"

#include "library/formats.h"
#include "library/images.h"
#include "library/memory.h"

#include "chain/halo.h"
#include "chain/unlikely_values.h"
#include "io/formats/frames/y4m.h"
#include "run/evened.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- preparing ---- */

const int gf_library_depths[] = { [GPUFILTER_SAME] = 0, [GPUFILTER_U8] = 8, [GPUFILTER_U16] = 16, [GPUFILTER_S16] = 16,
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
    y4m.options.depth = gf_library_depths[j->type];
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

int gf_library_job_plan(struct gpufilter_job *j, const struct gf_reader *reader, struct gf_error *err)
{
    static const struct gf_writer_ops fitted = { .name = "array", .fit = fit_result, .writing = GF_LABOUR_COPY };
    static const struct gf_writer_ops planes = { .name = "array", .yuv = true, .fit = fit_planes,
                                                 .writing = GF_LABOUR_COPY };
    struct gf_writer writer = { .ops = j->video ? &planes : &fitted, .name = "result", .state = j };
    const struct gf_sink sink = { .writer = &writer };

    return gf_task_plan(j->worker, reader, &sink, err);
}

static void drop_notice(void *context, enum gf_notice_level level, const char *name, const char *text)
{
    (void)context, (void)level, (void)name, (void)text;
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
        if (gf_array_of(&g->array, in.array, &f, (struct gf_array_place) { GPUFILTER_HOST, false }, g->name, err) != 0)
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

/* Divides a chain that works on consecutive images. */
static int divide(struct gpufilter_job *j, struct gf_error *err)
{
    const struct gf_stage *const stage = gf_library_sequence_stage(j->stages);

    if (stage != NULL && (j->video || j->where != GPUFILTER_HOST))
        return gf_fail(err, GF_MISUSED, "%s: works on consecutive images, which must be arrays of pixels in the memory "
                       "of the host", stage->name);
    j->context.chain = j->stages;
    return stage == NULL ? 0 : gf_divided_make(&j->divided, &j->context.chain, err);
}

/* Binds to the format of a reader and plans, and reports warnings that do not depend on samples. */
static int bind_to(struct gpufilter_job *j, const struct gf_reader *reader, const char *name, struct gf_error *err)
{
    struct gf_worker *w = j->worker;

    if (gf_task_bind(w, &reader->format, name, err) != 0)
        return -1;
    if (w->task.binding.exits > 1)
        return gf_fail(err, GF_MISUSED, "tee writes files; leave it out, or use the program gpufilter");
    if (w->task.binding.tiling.width > 0)
        return gf_fail(err, GF_MISUSED, "tile writes files; leave it out, or use the program gpufilter");
    if (gf_library_job_plan(j, reader, err) != 0)
        return -1;
    j->out = w->task.outputs.stored[0];
    j->measures = w->task.outputs.table;
    if (j->measures && j->divided.parts > 0)
        return gf_fail(err, GF_MISUSED, "a sequence of images has no table; measure its results by another chain");
    j->half_out = j->half_out || (j->half_in && j->type == GPUFILTER_SAME && j->out.type == GF_F32);
    gf_unlikely_values_warn(&w->task.binding, name, j->notices);
    if (w->task.binding.remark[0] != '\0' && !w->task.binding.remark_is_note)
        gf_warn(j->notices, "stage", name, "%s", w->task.binding.remark);
    gf_notices_print(j->notices);
    return 0;
}

/* Binds the last part of a chain to what the parts before it make. No image is read. */
static int bind_divided(struct gpufilter_job *j, struct gf_error *err)
{
    const struct gf_divided_show show = { .explains = true };
    const int64_t memory = j->worker->limits.memory_bytes;
    struct gf_reader *r = gf_images_open(&j->in, NULL, j->notices, &j->watch, err);
    const int result = r != NULL && gf_divided_open(&j->divided, j->worker, &r, &j->watch, &show, err) == 0
        ? bind_to(j, r, "array", err) : -1;

    gf_reader_close(r);
    j->worker->limits.memory_bytes = memory;
    return result;
}

static int bind(struct gpufilter_job *j, struct gf_error *err)
{
    const char *name = j->from_file ? j->file->name : "array";
    const int word = j->in.units == GF_UNKNOWN ? gf_chain_wants_length(j->stages, j->in.kind) : -1;
    struct gf_array none = { 0 };
    struct gf_reader reader;

    j->worker->sides.given = &j->finds;
    j->worker->sides.even = gf_evened_open;
    gf_sides_begin(&j->worker->sides, &j->read, name, -1, 0);
    if (word >= 0)
        return gf_fail(err, GF_MISUSED, "%s needs the length of its input; give it a whole array",
                       j->stages->word[word].text);
    if (j->divided.parts > 0)
        return bind_divided(j, err);
    gf_array_reader(&reader, &j->in, &none, "array");
    reader.random = j->in.units != GF_UNKNOWN;
    return bind_to(j, j->from_file ? j->file : &reader, name, err);
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

int gf_library_enter_gpu(const struct gpufilter_job *j)
{
    return j->where != GPUFILTER_HOST ? gf_device_cuda.current(-1) : -1;
}

void gf_library_leave_gpu(const struct gpufilter_job *j, int before)
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
    const struct gf_notice_options notices = { .take = j->whole != NULL ? drop_notice : take_notice,
                                               .context = j->session };

    if (take_stages(j, err) != 0)
        return -1;
    gf_run_context_copy(&j->session->context, &j->context);
    if (divide(j, err) != 0)
        return -1;
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
    j->uses_gpus = j->context.where != GF_CPU || j->where != GPUFILTER_HOST;
    if (j->uses_gpus)
        gf_library_add_gpu_user();
    return 0;
}

/* Reads the format of the input. Floats of 16 bits on a GPU become those of 32 bits when they are copied. */
static int take_format(struct gpufilter_job *j, const gpufilter_format *given, struct gf_error *err)
{
    gpufilter_format f;

    j->half_in = j->where != GPUFILTER_HOST && gf_library_copy(&f, sizeof f, given, sizeof f)
                 && f.type == GPUFILTER_F16;
    if (!j->half_in)
        return gf_library_read_format(&j->in, given, "array", err);
    f.type = GPUFILTER_F32;
    return gf_library_read_format(&j->in, &f, "array", err);
}

/* Copies an image to where a stage can look at it. The caller frees it. */
static void *copy_image(const struct gf_format *f, const gpufilter_array *given, struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(f);
    struct gf_array a;
    struct gf_reader reader;
    void *samples;

    if (gf_array_of(&a, given, f, (struct gf_array_place) { GPUFILTER_HOST, false }, "look", err) != 0)
        return NULL;
    gf_array_reader(&reader, f, &a, "look");
    samples = malloc((size_t)stored.units * gf_unit_bytes(&stored) + 1);
    if (samples == NULL)
        gf_fail_memory(err, "look");
    else if (reader.ops->read_at(&reader, 0, samples, stored.units, err) == 0)
        return samples;
    free(samples);
    return NULL;
}

/* Lets the first stage look at an image, if it does that. */
static int look(struct gpufilter_job *j, const gpufilter_array *given, struct gf_error *err)
{
    const struct gf_chain_word *const word = &j->stages->word[0];
    const struct gf_stage *const stage = j->stages->count > 0 ? word->stage[GF_IMAGE] : NULL;
    struct gf_look image = { &j->in, NULL };
    void *samples;

    if (j->in.kind != GF_IMAGE || stage == NULL || !gf_stage_looks(stage, word->config[GF_IMAGE]))
        return 0;
    if (given == NULL || j->in.units == GF_UNKNOWN)
        return gf_fail(err, GF_MISUSED, "%s: depends on what is in the image; call the chain with one whole image of "
                       "the host in Python, or set look in C", word->text);
    image.samples = samples = copy_image(&j->in, given, err);
    if (samples == NULL)
        return -1;
    j->looked = stage->look(word->config[GF_IMAGE], &image, j->in.found, err) == 0;
    free(samples);
    return j->looked ? 0 : gf_chain_fail_word(word, err);
}

static int prepare(struct gpufilter_job *j, const gpufilter_request *given, struct gf_error *err)
{
    gpufilter_request q;

    if (!gf_library_copy(&q, sizeof q, given, offsetof(gpufilter_request, video)))
        return gf_fail(err, GF_MISUSED, "request: size is wrong; set it to sizeof(gpufilter_request)");
    if (q.latency < 0)
        return gf_fail(err, GF_MISUSED, "latency: must be 0 or more, not %d", q.latency);
    j->where = q.where;
    if (gf_library_check(j->session, err) != 0 || take_format(j, q.in, err) != 0
        || gf_library_read_video(&j->in, q.video, &j->states_matrix, err) != 0 || take_inputs(j, &q, err) != 0)
        return -1;
    j->half_out = q.where != GPUFILTER_HOST && q.type == GPUFILTER_F16;
    j->type = j->half_out ? GPUFILTER_F32 : q.type;
    j->video = j->in.yuv.used;
    if (q.where != GPUFILTER_HOST && (q.where < 0 || j->video || j->in.units == GF_UNKNOWN))
        return gf_fail(err, GF_MISUSED, q.where < 0 ? "where: must be GPUFILTER_HOST, or GPUFILTER_GPU + N"
                       : "frames in planes, and signals of unknown length, must be in the memory of the host");
    return begin(j, q.latency, err) != 0 || look(j, q.look, err) != 0 || bind(j, err) != 0 ? -1 : check_inputs(j, err);
}

static int prepare_file(struct gpufilter_job *j, const char *path, int type, struct gf_error *err)
{
    j->type = type;
    if (path == NULL || strcmp(path, "-") == 0)
        return gf_fail(err, GF_MISUSED, "a file needs a name");
    if (gf_library_check(j->session, err) != 0 || begin(j, 0, err) != 0 || gf_library_job_single(j, err) != 0)
        return -1;
    j->file = gf_reader_open(path, &j->read, err);
    if (j->file == NULL)
        return -1;
    j->from_file = true;
    gf_task_narrow(j->worker, j->file);
    j->in = j->file->format;
    return look(j, NULL, err) != 0 ? -1 : bind(j, err);
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

struct gpufilter_job *gf_library_job_column(struct gpufilter_job *j, int64_t count)
{
    struct gf_error ignored = { 0 };
    gpufilter_format in = { .size = sizeof in };
    const gpufilter_request request = { .size = sizeof request, .in = &in, .where = j->where,
                                        .type = j->half_out ? GPUFILTER_F16 : j->type };
    struct gf_halo halo;

    if (j->column != NULL && j->column->in.units == j->in.units * count)
        return j->column;
    if (j->video || j->given_count > 0 || j->in.units > INT_MAX / count
        || gf_halo_of(&j->worker->task.binding, &halo, &ignored) != 0 || halo.before > 0 || halo.after > 0
        || halo.step > 1 || gf_library_write_format(&in, &j->in, j->half_in, &ignored) != 0)
        return NULL;
    in.units *= count;
    gpufilter_job_free(j->column);
    j->column = new_job(j->session, j->chain, &ignored);
    if (j->column == NULL)
        return NULL;
    j->column->whole = j;
    if (prepare(j->column, &request, &ignored) == 0)
        return j->column;
    gpufilter_job_free(j->column);
    j->column = NULL;
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
    before = gf_library_enter_gpu(job);
    gpufilter_job_free(job->column);
    gf_push_cancel(job->push);
    gf_worker_free(job->worker);
    if (job->uses_gpus)
        gf_library_drop_gpu_user();
    gf_library_leave_gpu(job, before);
    if (job->file != NULL)
        gf_reader_close(job->file);
    gf_notices_free(job->notices);
    gf_watch_close(&job->watch);
    for (size_t i = 0; i < job->given_count; i++)
        free(job->given[i].name);
    free(job->given);
    gf_divided_release(&job->divided);
    gf_library_stages_release(&job->own);
    gpufilter_chain_free(job->chain);
    gf_library_release(job->session);
    free(job);
}

int gf_library_job_check(const struct gpufilter_job *j, struct gf_error *err)
{
    return gf_library_check(j != NULL ? j->session : NULL, err);
}

int gf_library_job_idle(const struct gpufilter_job *j, struct gf_error *err)
{
    if (gf_library_job_check(j, err) != 0)
        return -1;
    return j->push == NULL ? 0
        : gf_fail(err, GF_MISUSED, "the job runs; gpufilter_pull() all of the result, or cancel it");
}

int gf_library_job_images(const struct gpufilter_job *j, struct gf_error *err)
{
    return !j->lacks_image ? 0
        : gf_fail(err, GF_MISUSED, "the number of the image could not be set; set another one");
}

int gf_library_job_single(const struct gpufilter_job *j, struct gf_error *err)
{
    const struct gf_stage *const stage = j->divided.parts > 0 ? gf_library_sequence_stage(j->divided.typed)
        : NULL;

    return stage == NULL ? 0
        : gf_fail(err, GF_MISUSED, "%s: works on consecutive images, not on one alone; give it a batch or use map() "
                  "in Python, or gpufilter_run_batch() or gpufilter_push() in C", stage->name);
}

int gpufilter_format_of(const gpufilter_job *job, gpufilter_format *format, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return gf_library_job_check(job, &err) == 0
        && gf_library_write_format(format, &job->out, job->half_out, &err) == 0 ? 0
        : gf_library_fail(error, &err);
}

int gpufilter_halo_of(const gpufilter_job *job, gpufilter_halo *halo, gpufilter_error *error)
{
    struct gf_error err = { 0 };
    struct gf_halo found;
    gpufilter_halo all;

    if (gf_library_job_check(job, &err) == 0 && job->video)
        gf_fail(&err, GF_MISUSED, "frames in planes cannot be cut");
    if (err.status == 0 && job->looked)
        gf_fail(&err, GF_MISUSED, "%s depends on what is in the image, so it has no halo; run the chain on the whole "
                "image", job->stages->word[0].text);
    if (err.status != 0 || gf_library_job_single(job, &err) != 0 || gf_library_job_images(job, &err) != 0
        || gf_halo_of(&job->worker->task.binding, &found, &err) != 0)
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
    if (gf_library_job_single(j, err) != 0)
        return -1;
    if (number < s->signal)
        gf_sides_begin(s, &j->read, "array", -1, 0);         /* opens videos again */
    s->signal = number;
    j->lacks_image = gf_task_bind(j->worker, &j->in, "array", err) != 0;
    return j->lacks_image ? -1 : 0;
}

int gpufilter_set_number(gpufilter_job *job, int64_t number, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return gf_library_job_idle(job, &err) == 0 && set_number(job, number, &err) == 0 ? 0 : gf_library_fail(error, &err);
}

int gpufilter_looked(const gpufilter_job *job)
{
    return job != NULL && job->looked;
}

int gpufilter_measures(const gpufilter_job *job)
{
    return job != NULL && job->measures;
}

const char *gpufilter_device_of(const gpufilter_job *job)
{
    return job != NULL && (job->where != GPUFILTER_HOST || job->worker->task.plan.cuda) ? "cuda" : "cpu";
}

