/* Measures a lesson: chooses the sizes, checks the steps, and times everything. */
#include "bench/lessons/lesson_measure.h"

#include "base/words.h"
#include "bench/bench_cpu.h"
#include "bench/bench_gpu.h"
#include "bench/lessons/lesson_check.h"
#include "bench/lessons/lesson_clock.h"
#include "bench/lessons/lesson_notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_SECONDS 8                   /* no call should take longer */

/* A lesson that is being measured. */
struct lesson_run {
    const struct gf_lesson_request *q;
    struct gf_bench_results *r;
    struct gf_lesson_memory memory;
    struct gf_lesson_series at;
    int copy;                            /* the series that others are compared with */
    struct gf_bench_pick pick;           /* gpufilter's operation; group NULL: none */
};

const struct gf_lesson *gf_lesson_find(const char *name)
{
    for (const struct gf_lesson *const *l = gf_lessons; *l != NULL; l++)
        if (strcmp((*l)->name, name) == 0)
            return *l;
    return NULL;
}

/* Finds the operation that does the same: the named case, or the first. */
static struct gf_bench_pick find_operation(const struct gf_lesson *lesson)
{
    const struct gf_bench_group *group =
        gf_bench_group_find(lesson->operation != NULL ? lesson->operation : lesson->name);

    for (const struct gf_bench_case *one = group != NULL ? group->cases : NULL; one != NULL && one->name != NULL; one++)
        if (lesson->operation_case == NULL || strcmp(one->name, lesson->operation_case) == 0)
            return lesson->operation_form == NULL ? gf_bench_pick_first(group, one)
                : (struct gf_bench_pick) { group, one, gf_bench_form_at(lesson->operation_form) };
    return (struct gf_bench_pick) { NULL, NULL, NULL };
}

/* ---- sizes ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Chooses the values of the axis, as far as memory lasts and to at most `most` samples. */
static int choose_sizes(const struct gf_lesson_request *q, struct gf_bench_results *r, struct gf_error *err)
{
    const struct gf_lesson *lesson = q->lesson;
    char needed[40], given[40];
    double bytes = 0;

    r->sizes = 0;
    for (int i = 0; i < (lesson->axis != NULL ? lesson->value_count : GF_BENCH_SIZES); i++) {
        const int value = lesson->values[i];
        const int64_t count = lesson->axis == NULL ? (int64_t)GF_BENCH_LEAST << 2 * i
            : lesson->count_at != NULL ? lesson->count_at(value) : least(lesson->samples, q->most);

        if ((count > q->most || (lesson->most > 0 && count > lesson->most)) && r->sizes > 0)
            break;
        bytes = gf_lesson_memory_bytes(lesson, count, value, q->device != NULL);
        if (bytes > q->ceiling)
            break;
        r->size[r->sizes] = lesson->axis != NULL ? value : count;
        r->samples[r->sizes++] = count;
    }
    if (r->sizes > 0)
        return 0;
    gf_bytes_text((int64_t)bytes, needed);
    gf_bytes_text((int64_t)q->ceiling, given);
    return gf_fail(err, GF_FAILED, "%s of memory needed, %s allowed;; raise --memory", needed, given);
}

static double work_at(const struct lesson_run *c, int size)
{
    const struct gf_lesson *lesson = c->q->lesson;
    const int64_t count = c->r->samples[size];
    const int value = lesson->axis != NULL ? (int)c->r->size[size] : 0;

    if (lesson->work != NULL)
        return lesson->work(count, value);
    return (double)count * lesson->src_bytes + (double)gf_lesson_result_bytes(lesson, count);
}

/* ---- series ---- */

/* Returns true if the next size should be skipped because a call would take long. Some work grows fast. */
static bool is_slow(struct lesson_run *c, int series, int size)
{
    const double took = c->r->value[series][size][GF_BENCH_US] * 1e-6;

    if (gf_bench_results_is_slow(c->r, series, size))
        return true;
    if (size + 1 >= c->r->sizes || !(took * work_at(c, size + 1) / work_at(c, size) > LONG_SECONDS))
        return false;
    gf_bench_results_note(c->r, "%s: larger sizes were skipped, because a call would take more than %d seconds",
                          c->r->name[series], LONG_SECONDS);
    return true;
}

/* Prepares the memory for one of the sizes. */
static int bind_size(struct lesson_run *c, int series, int size, struct gf_error *err)
{
    gf_bench_results_announce(c->r, series, size);
    return gf_lesson_memory_bind(&c->memory, c->r->samples[size],
                                 c->q->lesson->axis != NULL ? (int)c->r->size[size] : 0, err);
}

static double copy_rate(const struct lesson_run *c, int size)
{
    return c->copy >= 0 ? c->r->value[c->copy][size][GF_BENCH_RATE] * 1e9 : NAN;
}

static int time_step(struct lesson_run *c, const struct gf_lesson_step *step, int series, struct gf_error *err)
{
    for (int i = 0; i < c->r->sizes; i++) {
        const double work = work_at(c, i);
        double took;

        if (bind_size(c, series, i, err) != 0 || gf_lesson_time_step(&c->memory, step, &took, err) != 0)
            return -1;
        if (isnan(took))
            continue;
        gf_bench_results_put(c->r, series, i, took, work, series == c->copy ? work / took : copy_rate(c, i));
        if (is_slow(c, series, i))
            break;
    }
    return 0;
}

/* Times plain C; part NULL: a copy of the source. */
static int time_cpu(struct lesson_run *c, gf_lesson_part *part, int threads, int series, struct gf_error *err)
{
    for (int i = 0; i < c->r->sizes; i++) {
        const double bytes = 2.0 * (double)c->r->samples[i] * c->q->lesson->src_bytes;
        double took;

        if (bind_size(c, series, i, err) != 0)
            return -1;
        took = gf_lesson_time_cpu(&c->memory, part, threads);
        gf_bench_results_put(c->r, series, i, took, part != NULL ? work_at(c, i) : bytes,
                             part != NULL ? copy_rate(c, i) : bytes / took);
        if (is_slow(c, series, i))
            break;
    }
    return 0;
}

static int add_threads(struct gf_bench_results *r, const char *what, int threads)
{
    char name[120];

    snprintf(name, sizeof name, "%.90s, %d thread%s", what, threads, threads == 1 ? "" : "s");
    return gf_bench_results_add(r, name);
}

/* Times a copy, with which rates of bytes are compared. */
static int time_copies(struct lesson_run *c, struct gf_error *err)
{
    const struct gf_lesson *lesson = c->q->lesson;

    c->copy = -1;
    if (lesson->unit != NULL)
        return 0;
    if (c->q->device == NULL) {
        c->copy = add_threads(c->r, "copy", c->q->threads);
        return time_cpu(c, NULL, c->q->threads, c->copy, err);
    }
    c->copy = gf_bench_results_add(c->r, lesson->copy.name != NULL ? lesson->copy.name : "copy");
    if (lesson->copy.name != NULL)
        return time_step(c, &lesson->copy, c->copy, err);
    for (int i = 0; i < c->r->sizes; i++) {
        const double bytes = 2.0 * (double)c->r->samples[i] * lesson->src_bytes;
        double took;

        if (bind_size(c, c->copy, i, err) != 0 || gf_lesson_time_copy(&c->memory, &took, err) != 0)
            return -1;
        gf_bench_results_put(c->r, c->copy, i, took, bytes, bytes / took);
    }
    return 0;
}

/* Times plain C on one thread, and on all. */
static int time_plain(struct lesson_run *c, struct gf_error *err)
{
    for (const struct gf_lesson_cpu *cpu = c->q->lesson->cpu; cpu->name != NULL; cpu++) {
        const bool first = cpu == c->q->lesson->cpu, several = !cpu->serial && c->q->threads > 1;
        const int one = add_threads(c->r, cpu->name, 1);
        const int all = several ? add_threads(c->r, cpu->name, c->q->threads) : one;

        if (first) {
            c->at.one_core = one;
            c->at.all_cores = all;
        }
        if (time_cpu(c, cpu->part, 1, one, err) != 0
            || (several && time_cpu(c, cpu->part, c->q->threads, all, err) != 0))
            return -1;
    }
    return 0;
}

static int measure_operation(const struct lesson_run *c, struct gf_bench_results *r, int series, struct gf_error *err)
{
    if (c->q->device != NULL)
        return gf_bench_gpu_measure(c->q->device, r, &c->pick, -1, series, err);
    return gf_bench_cpu_measure(r, &c->pick, c->q->threads, -1, series, err);
}

/* Times the operation with the samples of one value of the axis, which its case has, too. */
static int time_operation_at(struct lesson_run *c, int size, struct gf_error *err)
{
    struct gf_bench_results *one = calloc(1, sizeof *one);
    int result;

    if (one == NULL)
        return gf_fail_memory(err, NULL);
    one->size[0] = c->r->samples[size];
    one->sizes = 1;
    result = measure_operation(c, one, gf_bench_results_add(one, "gpufilter"), err);
    memcpy(c->r->value[c->at.ours][size], one->value[0][0], sizeof one->value[0][0]);
    free(one);
    return result;
}

static int time_operation(struct lesson_run *c, struct gf_error *err)
{
    if (c->pick.group == NULL)
        return 0;
    c->at.ours = c->q->device != NULL ? gf_bench_results_add(c->r, "gpufilter")
        : add_threads(c->r, "gpufilter", c->q->threads);
    if (c->q->lesson->axis == NULL)
        return measure_operation(c, c->r, c->at.ours, err);
    for (int i = 0; i < c->r->sizes; i++)
        if (c->r->size[i] == c->q->lesson->operation_value)
            return time_operation_at(c, i, err);
    return 0;
}

static int time_all(struct lesson_run *c, struct gf_error *err)
{
    const struct gf_lesson *lesson = c->q->lesson;

    if (time_copies(c, err) != 0 || time_plain(c, err) != 0)
        return -1;
    c->at.steps = c->q->device != NULL ? c->r->series : -1 - GF_BENCH_SERIES;
    for (const struct gf_lesson_step *step = lesson->steps; c->q->device != NULL && step->name != NULL; step++)
        gf_bench_results_add(c->r, step->name);
    for (int k = 0; c->q->device != NULL && lesson->steps[k].name != NULL; k++)
        if (time_step(c, &lesson->steps[k], c->at.steps + k, err) != 0)
            return -1;
    return 0;
}

/* ---- what it says ---- */

static void add_line(void *context, const char *line)
{
    gf_bench_results_note(((struct lesson_run *)context)->r, "%s", line);
}

static double seconds_of(void *context, int step, int size)
{
    const struct lesson_run *c = context;

    return c->r->value[c->at.steps + step][size][GF_BENCH_US] * 1e-6;
}

static int tell(struct lesson_run *c, struct gf_error *err)
{
    const struct gf_lesson_report report = { add_line, seconds_of, c, c->r->sizes };

    if (c->q->device == NULL || c->q->lesson->tell == NULL)
        return 0;
    c->memory.gpu.report = &report;
    return c->q->lesson->tell(&c->memory.gpu, err);
}

int gf_lesson_measure(const struct gf_lesson_request *q, struct gf_bench_results *r, struct gf_error *err)
{
    const struct gf_lesson *lesson = q->lesson;
    struct lesson_run c = { .q = q, .r = r, .at = { -1, -1, -1, -1 } };
    char checked[GF_LESSON_CHECKED] = "";
    int64_t most = 0;
    int result;

    r->axis = lesson->axis;
    r->axis_linear = lesson->axis_linear;
    r->unit = lesson->unit;
    r->draw_time = lesson->draw_time;
    if (choose_sizes(q, r, err) != 0 || gf_lesson_check(lesson, q->device, checked, err) != 0)
        return -1;
    for (int i = 0; i < r->sizes; i++)
        most = r->samples[i] > most ? r->samples[i] : most;
    if (lesson->axis == NULL || lesson->operation != NULL)
        c.pick = find_operation(lesson);
    if (q->device != NULL)
        gf_lesson_note_steps(r, lesson);
    r->explanations = r->notes;
    result = gf_lesson_memory_open(&c.memory, lesson, q->device, most,
                                   lesson->axis != NULL ? (int)r->size[r->sizes - 1] : 0, err);
    if (result == 0)
        result = time_all(&c, err);
    if (result == 0)
        result = time_operation(&c, err);
    if (result == 0 && q->device != NULL)
        gf_bench_results_note(r, "%s: %s", lesson->name, checked);
    if (result == 0)
        gf_lesson_note_promises(r, lesson, &c.at);
    if (result == 0)
        result = tell(&c, err);
    if (q->device == NULL)
        gf_bench_results_note(r, "the steps of the lesson %s need a GPU; they show: %s", lesson->name, lesson->summary);
    gf_lesson_memory_close(&c.memory);
    return result;
}
