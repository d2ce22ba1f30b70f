/* Checks and times each step of a lesson, and the operation that does the same. */
#include "bench/bench_lessons.h"

#include "bench/bench_gpu.h"
#include "kernels/statistics/reduce.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHECKED_MOST 100003

static const int64_t checked_counts[] = { 1, 1000, 4096, CHECKED_MOST };

/* The argument of step_call(). */
struct step_argument {
    const struct gf_lesson_step *step;
    struct gf_lesson_io io;
};

/* The memory of a lesson. */
struct lesson_memory {
    struct gf_bench_gpu_memory memory;
    void *scratch;
    struct gf_room up, down;
    void *state;
};

const struct gf_lesson *gf_bench_lesson_find(const char *name)
{
    for (const struct gf_lesson *l = gf_lessons; l->name != NULL; l++)
        if (strcmp(l->name, name) == 0)
            return l;
    return NULL;
}

static int step_call(void *argument, struct gf_error *err)
{
    const struct step_argument *s = argument;

    return s->step->run(&s->io, err);
}

/* ---- memory ---- */

static void close_lesson_memory(struct gf_device *d, const struct gf_lesson *lesson, struct lesson_memory *g)
{
    struct gf_error ignored;

    (void)d->kind->wait(d, &ignored);                        /* an earlier error has been reported */
    gf_bench_gpu_memory_close(d, &g->memory);
    d->kind->release(d, g->scratch);
    if (g->up.data != NULL)
        d->kind->room_close(d, &g->up);
    if (g->down.data != NULL)
        d->kind->room_close(d, &g->down);
    if (lesson->close != NULL)
        lesson->close(g->state);
}

static int open_rooms(struct gf_device *d, struct lesson_memory *g, size_t bytes, struct gf_error *err)
{
    return d->kind->room_open(d, &g->up, bytes, err) != 0 || d->kind->room_open(d, &g->down, bytes, err) != 0
        || d->kind->room_pin(d, &g->up, err) != 0 || d->kind->room_pin(d, &g->down, err) != 0 ? -1 : 0;
}

/* Allocates memory. If no operation does the same, a sample is a word of 32 bits. */
static int open_lesson_memory(struct gf_device *d, const struct gf_lesson *lesson, const struct gf_bench_pick *pick,
                              int64_t samples, struct lesson_memory *g, struct gf_error *err)
{
    struct gf_bench_call m = { .fill = GF_BENCH_BYTES, .src_bytes = (size_t)samples * sizeof(uint32_t),
                               .dst_bytes = (size_t)samples * sizeof(uint32_t) };
    const size_t scratch = lesson->scratch_bytes != NULL ? lesson->scratch_bytes(samples) : 0;
    int64_t width, rows;
    int result;

    memset(g, 0, sizeof *g);
    gf_bench_square(samples, &width, &rows);
    if (pick != NULL && gf_bench_call_make(pick, width, rows, &pick->group->op->cuda, &m, err) != 0)
        return -1;
    result = gf_bench_gpu_memory_open(d, &m, 4096, &g->memory, err);
    if (result == 0)
        result = d->kind->alloc(d, scratch, &g->scratch, err);
    if (result == 0 && lesson->host)
        result = open_rooms(d, g, m.src_bytes, err);
    if (result == 0 && lesson->host)
        gf_bench_fill_noise(GF_BENCH_BYTES, g->up.data, m.src_bytes);
    if (result == 0 && lesson->open != NULL)
        result = lesson->open(&g->state, err);
    gf_bench_call_release(&m);
    return result;
}

static struct step_argument make_step_argument(struct gf_device *d, const struct gf_lesson_step *step,
                                             const struct lesson_memory *g, int64_t count)
{
    return (struct step_argument) { step, { .src = g->memory.src, .dst = g->memory.dst, .scratch = g->scratch,
                                            .count = count, .host_src = g->up.data, .host_dst = g->down.data,
                                            .state = g->state, .stream = d->kind->work(d).stream } };
}

/* ---- what is right ---- */

/* Clears dst, makes the call, and downloads the result. */
static int run_and_download(struct gf_device *d, gf_device_call *call, void *argument, void *dst, void *to,
                            size_t bytes, struct gf_error *err)
{
    memset(to, 0, bytes);
    return d->kind->upload(d, dst, to, bytes, err) != 0 || call(argument, err) != 0 || d->kind->wait(d, err) != 0
        || d->kind->download(d, to, dst, bytes, err) != 0 ? -1 : 0;
}

/* Computes the operation's result for `count` samples, in the form that steps use. */
static int compute_wanted(struct gf_device *d, const struct gf_bench_pick *pick, const struct lesson_memory *g,
                          int64_t count, void *to, size_t *bytes, struct gf_error *err)
{
    struct gf_bench_gpu_call ready;
    struct gf_bench_call m;
    int result = -1;

    if (gf_bench_call_make(pick, count, 1, &pick->group->op->cuda, &m, err) != 0)
        return -1;
    *bytes = m.dst_bytes;
    if (gf_bench_gpu_bind(d, &m, &g->memory, &ready, err) == 0)
        result = run_and_download(d, gf_bench_gpu_run, &ready, g->memory.dst, to, *bytes, err);
    if (pick->group->op == &gf_op_reduce) {                             /* steps compute only the sum of the record */
        const double sum = ((const struct gf_reduced *)to)->sum;

        memcpy(to, &sum, sizeof sum);
        *bytes = sizeof sum;
    }
    gf_bench_call_release(&m);
    return result;
}

/* Applies all turns at once: repeated x·times + plus is again x·times + plus. */
static void turn_words(const uint32_t *from, uint32_t *to, int64_t count)
{
    uint32_t times = 1, plus = 0;

    for (int k = 0; k < GF_LESSON_TURNS; k++) {
        plus = plus * GF_LESSON_TIMES + GF_LESSON_PLUS;
        times *= GF_LESSON_TIMES;
    }
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i] * times + plus;
}

/* Computes the result of a step. */
static int compute_got(struct gf_device *d, const struct gf_lesson *lesson, struct step_argument *s, void *got,
                       size_t bytes, struct gf_error *err)
{
    if (!lesson->host)
        return run_and_download(d, step_call, s, s->io.dst, got, bytes, err);
    memset(s->io.host_dst, 0, bytes);
    if (s->step->run(&s->io, err) != 0 || d->kind->wait(d, err) != 0)
        return -1;
    memcpy(got, s->io.host_dst, bytes);
    return 0;
}

static int check_count(struct gf_device *d, const struct gf_lesson *lesson, const struct gf_bench_pick *pick,
                       const struct lesson_memory *g, int64_t count, void *wanted, void *got, struct gf_error *err)
{
    size_t bytes = (size_t)count * sizeof(uint32_t);

    if (pick != NULL && compute_wanted(d, pick, g, count, wanted, &bytes, err) != 0)
        return -1;
    if (pick == NULL)
        turn_words(g->up.data, wanted, count);
    for (const struct gf_lesson_step *step = lesson->steps; step->name != NULL; step++) {
        struct step_argument s = make_step_argument(d, step, g, count);

        if (compute_got(d, lesson, &s, got, bytes, err) != 0)
            return -1;
        if (memcmp(got, wanted, bytes) != 0)
            return gf_fail(err, GF_FAILED, "lesson %s: step '%s': wrong result for %" PRId64 " samples", lesson->name,
                           step->name, count);
    }
    return 0;
}

/* Checks all steps. It has its own memory, because the timed sizes may be smaller. */
static int check_all(struct gf_device *d, const struct gf_lesson *lesson, const struct gf_bench_pick *pick,
                     struct gf_error *err)
{
    const size_t most = CHECKED_MOST * sizeof(uint64_t);
    void *wanted = malloc(most), *got = malloc(most);
    struct lesson_memory g = { .scratch = NULL };
    int result = -1;

    if (wanted == NULL || got == NULL)
        gf_fail_memory(err, NULL);
    else
        result = open_lesson_memory(d, lesson, pick, 320 * 320, &g, err);
    for (size_t i = 0; result == 0 && i < sizeof checked_counts / sizeof *checked_counts; i++)
        result = check_count(d, lesson, pick, &g, checked_counts[i], wanted, got, err);
    close_lesson_memory(d, lesson, &g);
    free(wanted);
    free(got);
    return result;
}

/* ---- how long it takes ---- */

/* Computes the bytes that a step must read and write: those of the operation that does the same. */
static int find_moved_bytes(const struct gf_bench_pick *pick, int64_t samples, double *moved, struct gf_error *err)
{
    struct gf_bench_call m;
    int64_t width, rows;

    *moved = 2.0 * (double)samples * sizeof(uint32_t);
    if (pick == NULL)
        return 0;
    gf_bench_square(samples, &width, &rows);
    if (gf_bench_call_make(pick, width, rows, &pick->group->op->cuda, &m, err) != 0)
        return -1;
    *moved = m.moved;
    gf_bench_call_release(&m);
    return 0;
}

static int time_step(struct gf_device *d, struct gf_bench_results *r, const struct gf_lesson_step *step,
                     const struct gf_bench_pick *pick, const struct lesson_memory *g, int copy, int own,
                     struct gf_error *err)
{
    for (int i = 0; i < r->sizes; i++) {
        struct step_argument s = make_step_argument(d, step, g, r->size[i]);
        double took, moved;

        gf_bench_results_announce(r, own, i);
        if (find_moved_bytes(pick, r->size[i], &moved, err) != 0
            || gf_bench_gpu_time(d, step_call, &s, &took, err) != 0)
            return -1;
        gf_bench_results_put(r, own, i, took, moved, copy == own ? moved / took
                             : r->value[copy][i][GF_BENCH_RATE] * 1e9);
    }
    return 0;
}

/*
 * Adds notes that compare the speedups of textbooks with the measured ones. `own` is the series of
 * gpufilter's operation.
 */
static void note_promises(struct gf_bench_results *r, const struct gf_lesson *lesson, int first, int own)
{
    int steps = 0;

    while (lesson->steps[steps].name != NULL)
        steps++;
    for (const struct gf_lesson_promise *p = lesson->promises; p->times > 0; p++) {
        const int fast = p->faster < steps ? first + p->faster : own, slow = p->slower < steps ? first + p->slower
            : own;
        const double ratio = r->value[fast][r->sizes - 1][GF_BENCH_RATE] / r->value[slow][r->sizes - 1][GF_BENCH_RATE];

        gf_bench_results_note(r, "'%s' is %.3g times as fast as '%s'; textbooks: %s%g (%s); measured / expected: %.2g",
                              r->name[fast], ratio, r->name[slow], p->ceiling ? "up to " : "", p->times, p->why,
                              ratio / p->times);
    }
}

int gf_bench_lesson_measure(struct gf_device *d, struct gf_bench_results *r, const struct gf_lesson *lesson,
                            const struct gf_bench_pick *pick, struct gf_error *err)
{
    const int copy = gf_bench_results_add(r, lesson->copy.name != NULL ? lesson->copy.name : "copy");
    struct lesson_memory g = { .scratch = NULL };
    int result = check_all(d, lesson, pick, err), first = r->series;

    for (const struct gf_lesson_step *step = lesson->steps; step->name != NULL; step++)
        gf_bench_results_add(r, step->name);
    if (result == 0 && pick != NULL)
        result = gf_bench_gpu_measure(d, r, pick, copy, gf_bench_results_add(r, "gpufilter"), err);
    if (result != 0)
        return -1;
    result = open_lesson_memory(d, lesson, pick, r->size[r->sizes - 1], &g, err);
    if (result == 0 && lesson->copy.name != NULL)
        result = time_step(d, r, &lesson->copy, pick, &g, copy, copy, err);
    for (int k = 0; result == 0 && lesson->steps[k].name != NULL; k++)
        result = time_step(d, r, &lesson->steps[k], pick, &g, copy, first + k, err);
    close_lesson_memory(d, lesson, &g);
    if (result != 0)
        return -1;
    gf_bench_results_note(r, "%s: every step gives the same result as %s, for 1, 1000, 4096 and %d samples",
                          lesson->name, pick != NULL ? "gpufilter's operation" : "the formula", CHECKED_MOST);
    note_promises(r, lesson, first, r->series - 1);
    return 0;
}
