/* Times what a lesson does. */
#include "bench/lessons/lesson_clock.h"

#include "base/clock.h"
#include "base/threads.h"
#include "bench/bench_gpu.h"
#include "bench/bench_results.h"

#include <math.h>
#include <string.h>

#define RUNS 9
#define RUN_SECONDS 0.004                /* plain C: of a run */
#define ENOUGH_SECONDS 0.03              /* of all runs */
#define ONCE_SECONDS 1.0                 /* of all runs of a step, if they are long */
#define LONG_SECONDS 0.1                 /* a longer call of plain C is timed only once */

/* The argument of step_call(). */
struct step_argument {
    const struct gf_lesson_step *step;
    struct gf_lesson_io *io;
};

static int step_call(void *argument, struct gf_error *err)
{
    const struct step_argument *s = argument;

    return s->step->run(s->io, err);
}

/* Runs a step until the stream is idle, and measures by the host's clock, or takes the step's own time. */
static int run_once(struct gf_lesson_memory *m, const struct gf_lesson_step *step, double *seconds,
                    struct gf_error *err)
{
    const double start = gf_clock_seconds();
    double own = 0;

    m->gpu.seconds = &own;
    if (step->run(&m->gpu, err) != 0 || m->device->kind->wait(m->device, err) != 0)
        return -1;
    *seconds = step->clock == GF_LESSON_OWN_CLOCK || isnan(own) ? own : gf_clock_seconds() - start;
    return 0;
}

int gf_lesson_time_step(struct gf_lesson_memory *m, const struct gf_lesson_step *step, double *seconds,
                        struct gf_error *err)
{
    struct step_argument s = { step, &m->gpu };
    const double begun = gf_clock_seconds();
    double took[RUNS];
    int runs = 0;

    if (run_once(m, step, seconds, err) != 0)                /* warms up */
        return -1;
    if (isnan(*seconds))
        return 0;
    if (step->clock == GF_LESSON_GPU_CLOCK)
        return gf_bench_gpu_time(m->device, step_call, &s, seconds, err);
    do
        if (run_once(m, step, &took[runs++], err) != 0)
            return -1;
    while (runs < RUNS && (runs < 3 || gf_clock_seconds() - begun < ONCE_SECONDS));
    *seconds = gf_bench_results_median(took, runs);
    return 0;
}

static int copy_call(void *argument, struct gf_error *err)
{
    const struct gf_lesson_memory *m = argument;

    return gf_bench_profile_copy(m->device, m->gpu.dst, m->gpu.src, (size_t)m->gpu.count * (size_t)m->lesson->src_bytes,
                                 err);
}

int gf_lesson_time_copy(struct gf_lesson_memory *m, double *seconds, struct gf_error *err)
{
    return gf_bench_gpu_time(m->device, copy_call, m, seconds, err);
}

/* ---- plain C ---- */

/* A call of plain C on several threads. */
struct shares {
    const struct gf_lesson_memory *m;
    gf_lesson_part *part;                /* NULL: copies */
    int threads;
};

static void run_share(void *argument, int number)
{
    const struct shares *s = argument;
    const struct gf_lesson_io *io = &s->m->cpu;
    const int64_t first = io->count * number / s->threads, end = io->count * (number + 1) / s->threads;
    const size_t each = (size_t)s->m->lesson->src_bytes;

    if (s->part != NULL)
        s->part(io, first, end);
    else
        memcpy((char *)io->dst + (size_t)first * each, (const char *)io->src + (size_t)first * each,
               (size_t)(end - first) * each);
}

static double call_shares(struct shares *s, int times)
{
    const double start = gf_clock_seconds();

    for (int i = 0; i < times; i++)
        gf_threads_run(s->threads, run_share, s);
    return (gf_clock_seconds() - start) / times;
}

double gf_lesson_time_cpu(const struct gf_lesson_memory *m, gf_lesson_part *part, int threads)
{
    struct shares s = { m, part, threads };
    const double begun = gf_clock_seconds(), warm = call_shares(&s, 1);
    const int times = (int)fmin(RUN_SECONDS / fmax(warm, 1e-8), 1e6) + 1;
    double took[RUNS];
    int runs = 0;

    if (warm > LONG_SECONDS)                                 /* a long call needs no warming up */
        return warm;
    do
        took[runs++] = call_shares(&s, times);
    while (runs < RUNS && (runs < 3 || gf_clock_seconds() - begun < ENOUGH_SECONDS));
    return gf_bench_results_median(took, runs);
}
