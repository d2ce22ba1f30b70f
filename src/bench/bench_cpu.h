/* Times calls on CPU cores. */
#ifndef GF_BENCH_BENCH_CPU_H
#define GF_BENCH_BENCH_CPU_H

#include "bench/bench_call.h"
#include "bench/bench_results.h"

/*
 * Measures a case at all sizes on so many threads, and writes the series `copy` (unless -1) and
 * `own`.
 */
int gf_bench_cpu_measure(struct gf_bench_results *r, const struct gf_bench_pick *pick, int threads, int copy, int own,
                         struct gf_error *err) GF_MUST_CHECK;

#endif
