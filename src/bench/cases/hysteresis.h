/* Calls that follow thin edges in the case of canny. */
#ifndef GF_BENCH_CASES_HYSTERESIS_H
#define GF_BENCH_CASES_HYSTERESIS_H

#include "bench/bench_case.h"

extern const struct gf_bench_case gf_hysteresis_seams, gf_hysteresis_joined;
extern const struct gf_bench_group gf_bench_group_seams, gf_bench_group_hysteresis;

#endif
