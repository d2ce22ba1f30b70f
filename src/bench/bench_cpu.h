/* Times calls on CPU cores. */
#ifndef GF_BENCH_BENCH_CPU_H
#define GF_BENCH_BENCH_CPU_H

#include "bench/bench_call.h"
#include "bench/bench_results.h"

/* All sizes of a pick on so many threads, each with a share of its own: series `copy` (if it is not -1) and `own`. */
int gf_bench_cpu_measure(struct gf_bench_results *r, const struct gf_bench_pick *pick, int threads, int copy, int own,
                         struct gf_error *err) GF_MUST_CHECK;

#endif
