/* Runs of jobs: on whole arrays, batches of them, functions, pushed input and files; streams and memory on a GPU. */
#include "library/job.h"

#include "library/formats.h"
#include "library/memory.h"
#include "library/job_sequence.h"

#include "device/kept.h"
#include "device/strided.h"
#include "run/value_losses.h"

/* ---- arrays ---- */

static int run(struct gpufilter_job *j, struct gf_reader *reader, struct gf_writer *writer, struct gf_error *err)
{
    struct gf_writer *writers[GF_CHAIN_EXITS] = { writer };
    const struct gf_findings *found = &j->worker->task.run.findings;
    struct gf_run_results results = { 0 };
    int result;

    j->ran = false;
    gf_watch_reset(&j->watch);
    reader->watch = j->where == GPUFILTER_HOST ? &j->watch : NULL;       /* samples on a GPU stay there */
    j->worker->task.run.stop = j->whole != NULL ? &j->whole->stop : &j->stop;
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
    result = gf_library_job_plan(j, j->file, err) != 0 ? -1 : run(j, j->file, writer, err);
    gf_reader_close(j->file);
    j->file = NULL;
    return result;
}

/* Plans a run, and fails if a second input of another format makes that of the result another one. */
static int plan_run(struct gpufilter_job *j, const struct gf_reader *reader, struct gf_error *err)
{
    if (gf_library_job_images(j, err) != 0 || gf_library_job_plan(j, reader, err) != 0)
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
    if (gf_array_of(&a->from, in, &j->in, (struct gf_array_place) { j->where, j->half_in }, "input", err) != 0)
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
    if (gf_library_job_single(j, err) != 0 || (!j->from_file && take_input(j, in, a, err) != 0))
        return -1;
    if (j->measures)
        return 0;
    if (gf_array_of(&a->to, out, &j->out, (struct gf_array_place) { j->where, j->half_out }, "result", err) != 0
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
    const int before = gf_library_enter_gpu(j);
    struct arrays a = { 0 };
    const int result = take_arrays(j, in, out, &a, err) == 0 ? run_taken(j, &a, err) : -1;

    gf_library_leave_gpu(j, before);
    return end_run(j, result);
}

int gpufilter_run(gpufilter_job *job, const gpufilter_array *in, const gpufilter_array *out, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return gf_library_job_idle(job, &err) == 0 && run_arrays(job, in, out, &err) == 0 ? 0
        : gf_library_fail(error, &err);
}

/* Runs on images from `first` to `end`, one after another. */
static int run_images(struct gpufilter_job *j, struct arrays *a, int64_t first, int64_t end, int64_t in_step,
                      int64_t out_step, struct gf_error *err)
{
    char *const in = a->from.data, *const out = a->to.data;
    int result = 0;

    for (int64_t i = first; result == 0 && i < end; i++) {
        a->from.data = in + i * in_step;
        a->to.data = out + i * out_step;
        a->from.next = 0;
        j->worker->task.run.signal = i;
        result = run_taken(j, a, err);
    }
    a->from.data = in;
    a->to.data = out;
    return result;
}

/*
 * Returns true if no pass needs memory of its own, so that images may run at the same time on a GPU. Call it after a
 * first image, whose run opened what it needed.
 */
static bool are_independent(const struct gpufilter_job *j, const struct arrays *a)
{
    const struct gf_plan *plan = &j->worker->task.plan;
    const struct gf_strided in = gf_array_strided(&a->from), out = gf_array_strided(&a->to);
    bool good = gf_strided_is_whole(&in, &plan->in) && gf_strided_is_whole(&out, &plan->out);

    for (int p = 0; p < plan->passes; p++) {
        const struct gf_pass *pass = plan->pass[p];
        const bool copies = pass->steps == 0 && pass->from.end == GF_END_FILE && pass->to.end == GF_END_RESIDENT
                            && !pass->to.planar          /* the input is lent, unless an earlier one was not */
                            && j->worker->engine.device[0].kept->result[p] == NULL;

        good = good && !pass->measure.used && pass->lane_work_bytes == 0 && pass->lane_side_bytes == 0
            && pass->carry_bytes == 0 && (copies || pass->to.end == GF_END_FILE);
    }
    return good;
}

/* Runs on images that do not depend on each other together, except the first one, which has opened the device. */
static int run_together(struct gpufilter_job *j, struct arrays *a, int64_t count, int64_t in_step, int64_t out_step,
                        struct gf_error *err)
{
    struct gf_device *const d = &j->worker->engine.device[0];
    struct gf_error ignored;
    int result;

    if (gf_device_cuda.batch_begin(d, j->stream, err) != 0)
        return -1;
    result = run_images(j, a, 1, count, in_step, out_step, err);
    return gf_device_cuda.batch_end(d, j->stream, result == 0 ? err : &ignored) != 0 ? -1 : result;
}

/* Runs on one image after another, or all but the first at the same time. */
static int run_each(struct gpufilter_job *j, struct arrays *a, int64_t count, int64_t in_step, int64_t out_step,
                    struct gf_error *err)
{
    if (count < 3 || j->where == GPUFILTER_HOST)
        return run_images(j, a, 0, count, in_step, out_step, err);
    return run_images(j, a, 0, 1, in_step, out_step, err) != 0 ? -1
         : are_independent(j, a) ? run_together(j, a, count, in_step, out_step, err)
                                 : run_images(j, a, 1, count, in_step, out_step, err);
}

/* Returns the array of the images of a batch that are below each other without a gap. */
static gpufilter_array column_of(const struct gf_array *a)
{
    return (gpufilter_array) { .size = sizeof(gpufilter_array), .data = a->data, .unit_stride = a->unit,
                               .pixel_stride = a->pixel, .channel_stride = a->channel, .where = a->where };
}

/* Runs on images below each other as on one image, if the chain allows it; they are one launch on a GPU then. */
static int run_batch_taken(struct gpufilter_job *j, struct arrays *a, int64_t count, int64_t in_step,
                           int64_t out_step, struct gf_error *err)
{
    const bool joined = count > 1 && in_step == a->from.unit * a->from.units && out_step == a->to.unit * a->to.units;
    struct gpufilter_job *const column = joined ? gf_library_job_column(j, count) : NULL;
    const gpufilter_array in = column_of(&a->from), out = column_of(&a->to);
    struct arrays all = { 0 };

    if (column == NULL)
        return run_each(j, a, count, in_step, out_step, err);
    column->stream = j->stream;
    return take_arrays(column, &in, &out, &all, err) == 0 ? run_taken(column, &all, err) : -1;
}

static int run_batch(struct gpufilter_job *j, const gpufilter_array *in, const gpufilter_array *out, int64_t count,
                     int64_t in_step, int64_t out_step, struct gf_error *err)
{
    const int before = gf_library_enter_gpu(j);
    const int64_t number = j->worker->task.run.signal;
    struct arrays a = { 0 };
    int result = -1;

    if (j->measures || j->from_file || j->in.kind != GF_IMAGE || count < 0)
        gf_fail(err, GF_MISUSED, "a batch is 0 or more images, whose result is an array");
    else if (j->divided.parts > 0)
        result = gf_library_sequence_batch(j, in, out, count, in_step, out_step, err);
    else
        result = take_arrays(j, in, out, &a, err) == 0
                 && gf_array_check_batch(&a.from, &a.to, count, in_step, out_step, err) == 0
                 ? run_batch_taken(j, &a, count, in_step, out_step, err) : -1;
    j->worker->task.run.signal = number;
    gf_library_leave_gpu(j, before);
    return end_run(j, result);
}

int gpufilter_run_batch(gpufilter_job *job, const gpufilter_array *in, const gpufilter_array *out, int64_t count,
                        int64_t in_step, int64_t out_step, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return gf_library_job_idle(job, &err) == 0 && run_batch(job, in, out, count, in_step, out_step, &err) == 0 ? 0
        : gf_library_fail(error, &err);
}

int gpufilter_set_stream(gpufilter_job *job, void *stream, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    if (gf_library_job_idle(job, &err) == 0 && job->where == GPUFILTER_HOST)
        gf_fail(&err, GF_MISUSED, "the arrays of the job are in the memory of the host, which has no streams");
    if (err.status != 0)
        return gf_library_fail(error, &err);
    job->stream = stream;
    return 0;
}

/* Waits for the runs of a job, and for batches that were joined, which its column ran. */
static int wait_for_runs(struct gpufilter_job *j, struct gf_error *err)
{
    if (j->column != NULL && wait_for_runs(j->column, err) != 0)
        return -1;
    return j->where == GPUFILTER_HOST || j->worker->engine.count == 0 ? 0
        : gf_device_cuda.runs_wait(&j->worker->engine.device[0], err);
}

static int wait_for_job(struct gpufilter_job *j, struct gf_error *err)
{
    const int before = gf_library_enter_gpu(j);
    const int result = wait_for_runs(j, err);

    gf_library_leave_gpu(j, before);
    return result;
}

int gpufilter_wait(gpufilter_job *job, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return gf_library_job_idle(job, &err) == 0 && wait_for_job(job, &err) == 0 ? 0 : gf_library_fail(error, &err);
}

static int allocate(struct gpufilter_job *j, int64_t count, gpufilter_array *array, struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(&j->out);
    const int64_t bytes = stored.units * (int64_t)gf_unit_bytes(&stored) / (j->half_out ? 2 : 1);
    const int before = gf_library_enter_gpu(j);
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
    gf_library_leave_gpu(j, before);
    return result;
}

int gpufilter_allocate(gpufilter_job *job, int64_t count, gpufilter_array *array, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return gf_library_job_idle(job, &err) == 0 && allocate(job, count, array, &err) == 0 ? 0
        : gf_library_fail(error, &err);
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
    if (!j->from_file && j->divided.parts == 0 && plan_run(j, &reader, err) != 0)
        return -1;
    if (j->divided.parts > 0)
        return gf_library_sequence_run(j, calls, err);
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

    return gf_library_job_idle(job, &err) == 0 && run_calls(job, &calls, &err) == 0 ? 0 : gf_library_fail(error, &err);
}

/* ---- pushing ---- */

/* Starts a run whose input is pushed, if none runs. */
static int start_push(struct gpufilter_job *j, struct gf_error *err)
{
    if (gf_library_job_check(j, err) != 0)
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
    int64_t n = gf_library_job_check(job, &err);

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

    if (gf_array_of(&from, in, &j->in, (struct gf_array_place) { GPUFILTER_HOST, false }, "input", err) != 0)
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
    const struct gf_write_options options = { .compression = -1, .depth = gf_library_depths[j->type],
                                              .notices = j->notices,
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
    if (gf_library_job_single(j, err) != 0 || gf_library_job_images(j, err) != 0)
        return -1;
    writer = gf_writer_open(path, &options, &j->worker->task.binding.out, false, err);
    result = writer != NULL ? write_file(j, in, writer, err) : -1;
    gf_writer_close(writer);
    return result;
}

int gpufilter_write(gpufilter_job *job, const gpufilter_array *in, const char *path, gpufilter_error *error)
{
    struct gf_error err = { 0 };

    return gf_library_job_idle(job, &err) == 0 && end_run(job, write_named(job, in, path, &err)) == 0 ? 0
        : gf_library_fail(error, &err);
}

int gpufilter_table_of(const gpufilter_job *job, gpufilter_table *table, gpufilter_error *error)
{
    struct gf_error err = { 0 };
    const struct gf_table *t;
    gpufilter_table all;

    if (gf_library_job_check(job, &err) == 0 && (!job->ran || !job->measures))
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
