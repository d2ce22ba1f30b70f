/* Starts gpufilter-bench, which answers requests for benchmarks and lessons. */
#ifndef GF_CLI_START_BENCH_H
#define GF_CLI_START_BENCH_H

#include "base/error.h"

/*
 * Replaces the process by gpufilter-bench with the same arguments. Returns -1 with the error if it
 * cannot be started.
 */
int gf_start_bench(char **argv, struct gf_error *err);

#endif
