/* Measures how many multiplications and additions of floats CPU cores can do: the ceiling of arithmetic. */
#include "bench/roofline/cpu_arithmetic.h"

#include "base/clock.h"
#include "base/clones.h"
#include "base/threads.h"

#include <stdlib.h>

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
#define LOOKS 12                         /* the fastest of so many counts, as other programs use the machine too */

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

/* Measures the rate of a core while all cores work. */
static void measure_core(void *argument, int number)
{
    double *best = (double *)argument + number;
    volatile float kept;

    for (int i = 0; i < LOOKS; i++) {
        const double start = gf_clock_seconds(), floats = (double)(i % 2 == 0 ? sizeof(narrow_vector)
                                                                   : sizeof(wide_vector)) / sizeof(float);
        double rate;

        kept = (i % 2 == 0 ? run_narrow : run_wide)(TURNS);
        rate = 2.0 * CHAINS * TURNS * floats / (gf_clock_seconds() - start);
        *best = rate > *best ? rate : *best;
    }
    (void)kept;
}

double gf_cpu_arithmetic_rate(int threads)
{
    double *rates = calloc((size_t)threads, sizeof *rates), sum = 0;

    if (rates == NULL)
        return 0;
    gf_threads_run(threads, measure_core, rates);
    for (int i = 0; i < threads; i++)
        sum += rates[i];
    free(rates);
    return sum;
}
