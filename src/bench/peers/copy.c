/* Times memcpy() on several threads, each with its own share of two large blocks. */
#include "bench/peers/copy.h"

#include "base/clock.h"
#include "base/pages.h"
#include "base/threads.h"
#include "bench/bench_results.h"

#include <stdlib.h>
#include <string.h>

#define RUN_SECONDS 0.02                 /* at least about this long is a run, so that starting threads is free */
#define RUNS 9

struct copies {
    char *from, *to;
    size_t bytes;
    int threads, times;
};

static void copy_share(void *argument, int number)
{
    const struct copies *c = argument;
    const size_t start = c->bytes * (size_t)number / (size_t)c->threads;
    const size_t end = c->bytes * (size_t)(number + 1) / (size_t)c->threads;

    for (int i = 0; i < c->times; i++)
        memcpy(c->to + start, c->from + start, end - start);
}

/* Returns the seconds of one copy, in a run of c->times of them. */
static double run_copies(struct copies *c)
{
    const double start = gf_clock_seconds();

    gf_threads_run(c->threads, copy_share, c);
    return (gf_clock_seconds() - start) / c->times;
}

int gf_copy_time(size_t bytes, int threads, double *seconds, struct gf_error *err)
{
    struct copies c = { .bytes = bytes, .threads = threads, .times = 1 };
    void *from = NULL, *to = NULL;
    double took[RUNS], one;
    const int result = gf_pages_alloc(bytes, &from, err) != 0 || gf_pages_alloc(bytes, &to, err) != 0 ? -1 : 0;

    if (result == 0) {
        memset(from, 1, bytes);
        memset(to, 0, bytes);
        c.from = from;
        c.to = to;
        one = run_copies(&c);
        c.times = one < RUN_SECONDS ? (int)(RUN_SECONDS / (one + 1e-6)) + 1 : 1;
        for (int i = 0; i < RUNS; i++)
            took[i] = run_copies(&c);
        *seconds = gf_bench_results_median(took, RUNS);
    }
    free(from);
    free(to);
    return result;
}
