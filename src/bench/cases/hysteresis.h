/* Cases that follow thin edges in canny. */
#ifndef GF_BENCH_CASES_HYSTERESIS_H
#define GF_BENCH_CASES_HYSTERESIS_H

#include "bench/bench_case.h"

extern const struct gf_bench_case gf_hysteresis_after_nonmax;
extern const struct gf_bench_group gf_bench_group_seams, gf_bench_group_hysteresis;

#endif
