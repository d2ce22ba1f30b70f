/* What the kernels of every operation take of a multiprocessor. */
#ifndef GF_BENCH_BENCH_OCCUPANCY_H
#define GF_BENCH_BENCH_OCCUPANCY_H

#include "base/error.h"

/* Prints the kernels of a GPU, for --devices -v. */
int gf_bench_occupancy_print(int gpu, struct gf_error *err) GF_MUST_CHECK;

#endif
