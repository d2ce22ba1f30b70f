/* The resources of a multiprocessor that kernels use. */
#ifndef GF_BENCH_BENCH_OCCUPANCY_H
#define GF_BENCH_BENCH_OCCUPANCY_H

#include "base/error.h"

/* Prints the kernels of a GPU. */
int gf_bench_occupancy_print(int gpu, struct gf_error *err) GF_MUST_CHECK;

#endif
