/* Runs chains that work on consecutive images on images whose rows come one after another. */
#include "library/job_sequence.h"

#include "library/images.h"

/* ---- the run ---- */

static int run_image(struct gpufilter_job *j, struct gf_reader *r, struct gf_array_calls *calls, int64_t *clipped,
                     struct gf_error *err)
{
    struct gf_worker *const w = j->worker;
    struct gf_run_results results = { 0 };
    struct gf_writer writer, *writers[GF_CHAIN_EXITS] = { &writer };

    gf_array_call_writer(&writer, &j->out, calls);
    if (gf_task_bind(w, &r->format, "array", err) != 0 || gf_library_job_plan(j, r, err) != 0)
        return -1;
    if (!gf_same_format(&j->out, &w->task.outputs.stored[0]))
        return gf_fail(err, GF_FAILED, "the result of image %lld has another format; prepare another job",
                       (long long)w->sides.signal);
    w->task.run.stop = &j->stop;
    w->task.run.ends = NULL;
    if (gf_task_run(w, r, writers, &results, err) != 0)
        return -1;
    *clipped += results.clipped[0];
    return 0;
}

/* Runs on one image after another, from the current one on. */
static int run_images(struct gpufilter_job *j, struct gf_reader *r, struct gf_array_calls *calls, struct gf_error *err)
{
    int64_t clipped = 0;
    int more = 1;

    for (int64_t i = 0; more == 1; i++) {
        j->worker->sides.signal = i;
        more = run_image(j, r, calls, &clipped, err) != 0 ? -1 : gf_reader_next(r, err);
    }
    gf_value_losses_warn(&j->watch, j->notices, &j->worker->task.binding, "array", NULL);
    gf_clipping_warn(j->notices, "result", clipped, NULL, 0);
    gf_notices_print(j->notices);
    return more;
}

/* Opens windows around the images of a reader. */
static int open_windows(struct gpufilter_job *j, struct gf_reader **r, struct gf_error *err)
{
    const struct gf_divided_show nothing = { 0 };

    gf_sides_begin(&j->worker->sides, &j->read, "array", -1, 0);
    return gf_divided_open(&j->divided, j->worker, r, &j->watch, &nothing, err);
}

int gf_library_sequence_run(struct gpufilter_job *j, struct gf_array_calls *calls, struct gf_error *err)
{
    const int64_t memory = j->worker->limits.memory_bytes;
    struct gf_reader *r = gf_images_open(&j->in, calls, j->notices, &j->watch, err);
    int result = r != NULL ? gf_reader_next(r, err) : -1;

    gf_watch_reset(&j->watch);
    if (result == 1)                     /* there is an image */
        result = open_windows(j, &r, err) == 0 ? run_images(j, r, calls, err) : -1;
    gf_window_release(&j->worker->task.frames);
    j->worker->limits.memory_bytes = memory;
    gf_reader_close(r);
    return result;
}

/* ---- batches ---- */

/* The images of a batch, and the rows of all of them that were read and written. */
struct batch {
    struct gf_array from, to;
    int64_t count, in_step, out_step, in, out;
};

/* Copies rows of the current image. Returns their number. */
static int64_t copy_rows(const struct gf_array *first, int64_t step, int64_t *at, char *rows, int64_t count, bool out)
{
    struct gf_array image = *first;
    const int64_t row = *at % image.units, n = count < image.units - row ? count : image.units - row;

    image.data += *at / image.units * step;
    gf_array_copy(&image, row, rows, n, out);
    *at += n;
    return n;
}

static int64_t read_rows(void *context, void *rows, int64_t count)
{
    struct batch *const b = context;

    return b->in == b->count * b->from.units ? 0 : copy_rows(&b->from, b->in_step, &b->in, rows, count, false);
}

static int write_rows(void *context, const void *rows, int64_t count)
{
    struct batch *const b = context;
    const size_t bytes = (size_t)b->to.width * (size_t)b->to.channels * b->to.sample_bytes;

    for (int64_t done = 0; done < count; )
        done += copy_rows(&b->to, b->out_step, &b->out, (char *)(uintptr_t)rows + (size_t)done * bytes, count - done,
                          true);
    return 0;
}

int gf_library_sequence_batch(struct gpufilter_job *j, const gpufilter_array *in, const gpufilter_array *out,
                              int64_t count, int64_t in_step, int64_t out_step, struct gf_error *err)
{
    const struct gf_array_place host = { GPUFILTER_HOST, false };
    struct batch b = { .count = count, .in_step = in_step, .out_step = out_step };
    struct gf_array_calls calls = { read_rows, write_rows, &b };

    return gf_array_of(&b.from, in, &j->in, host, "input", err) != 0
        || gf_array_of(&b.to, out, &j->out, host, "result", err) != 0 || gf_array_check(&b.from, &b.to, err) != 0
        || gf_array_check_batch(&b.from, &b.to, count, in_step, out_step, err) != 0
        || gf_library_sequence_run(j, &calls, err) != 0 ? -1 : 0;
}
