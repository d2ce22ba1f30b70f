/*
 * Times calls on CPU cores: each thread works on its own share of the samples, and the rates are
 * added.
 */
#include "bench/bench_cpu.h"

#include "base/clock.h"
#include "base/threads.h"
#include "device/device.h"
#include "kernels/operations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN_SECONDS 0.004
#define ENOUGH_SECONDS 0.03
#define RUNS 9
#define ONCE_SECONDS 1.0                 /* a longer call is timed only once */

/*
 * Input and result of a thread: the bytes of a copy, and rates in bytes and in samples per second.
 */
struct share {
    const struct gf_bench_pick *pick;
    int64_t width, rows;
    double copied, rate, copy_rate, sample_rate;
    bool failed;
    struct gf_error error;
};

/* The memory of a thread. */
struct share_memory {
    struct gf_bench_call made;
    void *src, *dst;
    struct gf_work work;
};

static void close_share_memory(struct share_memory *g)
{
    free(g->src);
    free(g->dst);
    free(g->work.scratch);
    free(g->work.carry);
    gf_bench_call_release(&g->made);
}

static int open_share_memory(struct share_memory *g, const struct share *s, struct gf_error *err)
{
    struct gf_io io;
    size_t most;

    memset(g, 0, sizeof *g);
    if (gf_bench_call_make(s->pick, s->width, s->rows, &s->pick->group->op->cpu, &g->made, err) != 0)
        return -1;
    io = gf_bench_call_io(&g->made, NULL, NULL);
    most = g->made.src_bytes > g->made.dst_bytes ? g->made.src_bytes : g->made.dst_bytes;
    g->work = (struct gf_work) { .masks = g->made.masks, .tables = g->made.tables, .host_masks = g->made.masks,
                                 .scratch_bytes = gf_op_scratch_bytes(&g->made.op->cpu, g->made.params, &io) };
    g->src = aligned_alloc(64, (g->made.src_bytes + 127) / 64 * 64);
    g->dst = aligned_alloc(64, (most + 127) / 64 * 64);
    g->work.scratch = aligned_alloc(64, (g->work.scratch_bytes + 127) / 64 * 64);
    g->work.carry = calloc(1, g->made.carry_bytes + 1);
    if (g->src == NULL || g->dst == NULL || g->work.scratch == NULL || g->work.carry == NULL)
        return gf_fail_memory(err, NULL);
    gf_bench_fill_noise(g->made.fill, g->src, g->made.src_bytes);
    memset(g->dst, 0, most);
    return 0;
}

/* Runs the operation, or copies its source. */
static int call_once(struct share_memory *g, bool copies, struct gf_error *err)
{
    const struct gf_io io = gf_bench_call_io(&g->made, g->src, g->dst);

    if (!copies)
        return g->made.op->cpu.body(&g->work, &io, g->made.params, err);
    memcpy(g->dst, g->src, g->made.src_bytes);
    return 0;
}

/* Measures the seconds of a call: the median of runs that are long enough for the clock. */
static int time_calls(struct share_memory *g, bool copies, double *seconds, struct gf_error *err)
{
    double took[RUNS], start = gf_clock_seconds(), begun = start;
    int times, runs = 0;

    if (call_once(g, copies, err) != 0)                      /* warms up */
        return -1;
    *seconds = gf_clock_seconds() - begun;
    if (*seconds > ONCE_SECONDS)                             /* a long call needs no warming up */
        return 0;
    start = gf_clock_seconds();
    if (call_once(g, copies, err) != 0)
        return -1;
    times = (int)fmin(RUN_SECONDS / fmax(gf_clock_seconds() - start, 1e-8), 1e6) + 1;
    do {
        start = gf_clock_seconds();
        for (int i = 0; i < times; i++)
            if (call_once(g, copies, err) != 0)
                return -1;
        took[runs++] = (gf_clock_seconds() - start) / times;
    } while (runs < RUNS && (runs < 3 || gf_clock_seconds() - begun < ENOUGH_SECONDS));
    *seconds = gf_bench_results_median(took, runs);
    return 0;
}

static void measure_share(void *argument, int number)
{
    struct share *s = (struct share *)argument + number;
    struct share_memory g;
    double took, copied;

    if (s->rows == 0)
        return;
    s->failed = open_share_memory(&g, s, &s->error) != 0 || time_calls(&g, true, &copied, &s->error) != 0
             || time_calls(&g, false, &took, &s->error) != 0;
    if (!s->failed) {
        s->copied = 2.0 * (double)g.made.src_bytes;
        s->copy_rate = s->copied / copied;
        s->rate = g.made.moved / took;
        s->sample_rate = (double)(s->width * s->rows) / took;
    }
    close_share_memory(&g);
}

static int measure_size(struct gf_bench_results *r, const struct gf_bench_pick *pick, int threads, int i, int copy,
                        int own, struct gf_error *err)
{
    struct share *shares = calloc((size_t)threads, sizeof *shares), all = { 0 };
    int64_t width, rows;
    int result = 0;

    if (shares == NULL)
        return gf_fail_memory(err, NULL);
    gf_bench_square(r->size[i], &width, &rows);
    for (int k = 0; k < threads; k++)
        shares[k] = (struct share) { .pick = pick, .width = width,
                                     .rows = rows * (k + 1) / threads - rows * k / threads };
    gf_threads_run(threads, measure_share, shares);
    for (int k = 0; k < threads; k++) {
        if (shares[k].failed) {
            *err = shares[k].error;
            result = -1;
        }
        all.copied += shares[k].copied;
        all.rate += shares[k].rate;
        all.copy_rate += shares[k].copy_rate;
        all.sample_rate += shares[k].sample_rate;
    }
    if (result == 0 && all.sample_rate > 0) {
        const double took = (double)r->size[i] / all.sample_rate;

        if (copy >= 0)
            gf_bench_results_put(r, copy, i, all.copied / all.copy_rate, all.copied, all.copy_rate);
        gf_bench_results_put(r, own, i, took, took * all.rate, all.copy_rate);
    }
    free(shares);
    return result;
}

int gf_bench_cpu_measure(struct gf_bench_results *r, const struct gf_bench_pick *pick, int threads, int copy, int own,
                         struct gf_error *err)
{
    for (int i = 0; i < r->sizes; i++) {
        gf_bench_results_announce(r, own, i);
        if (measure_size(r, pick, threads, i, copy, own, err) != 0)
            return -1;
        if (gf_bench_results_is_slow(r, own, i))
            break;
    }
    return 0;
}
