/* Measures how many multiplications and additions of floats CPU cores can do: the ceiling of arithmetic. */
#include "bench/roofline/cpu_arithmetic.h"

#include "base/clock.h"
#include "base/clones.h"
#include "base/threads.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * A multiplication and an addition become one instruction if the processor has it. The rest of the
 * program is compiled without this, so that results do not depend on the processor.
 */
#if defined(__clang__)
#pragma clang fp contract(fast)
#else
#pragma GCC optimize("fp-contract=fast")
#endif

#define CHAINS 10                        /* independent sums; enough to hide the latency of an instruction */
#define TURNS 20000
#define LOOKS 6                          /* the fastest counts, as other programs use the machine too */
#define LOOK_SECONDS 0.05                /* far longer than threads take to start */

typedef float narrow_vector __attribute__((vector_size(32)));
typedef float wide_vector __attribute__((vector_size(64)));

/* Each chain goes on with x·a + b. Values stay near 2, so that no number is subnormal. */
#define CHAIN_FUNCTION(name, vector)                                                          \
    GF_CLONES static float name(int turns)                                                    \
    {                                                                                         \
        vector v[CHAINS], a, b, sum;                                                          \
        float all = 0;                                                                        \
                                                                                              \
        for (int i = 0; i < (int)(sizeof a / sizeof(float)); i++) {                           \
            a[i] = 0.5f;                                                                      \
            b[i] = 1;                                                                         \
            for (int k = 0; k < CHAINS; k++)                                                  \
                v[k][i] = (float)(i + k);                                                     \
        }                                                                                     \
        for (int t = 0; t < turns; t++)                                                       \
            for (int k = 0; k < CHAINS; k++)                                                  \
                v[k] = v[k] * a + b;                                                          \
        sum = v[0];                                                                           \
        for (int k = 1; k < CHAINS; k++)                                                      \
            sum += v[k];                                                                      \
        for (int i = 0; i < (int)(sizeof a / sizeof(float)); i++)                             \
            all += sum[i];                                                                    \
        return all;                                                                           \
    }

CHAIN_FUNCTION(run_narrow, narrow_vector)
CHAIN_FUNCTION(run_wide, wide_vector)

/* One look at all threads. */
struct look {
    bool wide;
    _Atomic double end;                  /* no thread begins another call after it; 0: wait */
    struct { double flop, end; } *done;  /* by each thread, and when */
};

/*
 * Thread 0 is the last to start: it begins the look. Operations count from then on, even if a thread
 * gets no core at first.
 */
static void work_until_end(void *argument, int number)
{
    struct look *l = argument;
    const double floats = (double)(l->wide ? sizeof(wide_vector) : sizeof(narrow_vector)) / sizeof(float);
    volatile float kept;

    if (number == 0)
        atomic_store(&l->end, gf_clock_seconds() + LOOK_SECONDS);
    while (!(atomic_load(&l->end) > 0))
        sched_yield();
    do {
        kept = (l->wide ? run_wide : run_narrow)(TURNS);
        l->done[number].flop += 2.0 * CHAINS * TURNS * floats;
        l->done[number].end = gf_clock_seconds();
    } while (l->done[number].end < atomic_load(&l->end));
    (void)kept;
}

/* Returns the operations of all threads per second, from the beginning until the last thread is done. */
static double take_look(struct look *l, int threads)
{
    double flop = 0, last = 0;

    atomic_store(&l->end, 0);
    memset(l->done, 0, (size_t)threads * sizeof *l->done);
    gf_threads_run(threads, work_until_end, l);
    for (int i = 0; i < threads; i++) {
        flop += l->done[i].flop;
        last = l->done[i].end > last ? l->done[i].end : last;
    }
    return flop / (last - (atomic_load(&l->end) - LOOK_SECONDS));
}

double gf_cpu_arithmetic_rate(int threads)
{
    struct look l = { .done = calloc((size_t)threads, sizeof *l.done) };
    double best = 0;

    if (l.done == NULL)
        return 0;
    for (int i = 0; i < LOOKS; i++) {
        double rate;

        l.wide = i % 2 != 0;
        rate = take_look(&l, threads);
        best = rate > best ? rate : best;
    }
    free(l.done);
    return best;
}
