/* Starts gpufilter-bench, which answers requests for benchmarks and lessons. */
#ifndef GF_CLI_START_BENCH_H
#define GF_CLI_START_BENCH_H

#include "base/error.h"

#include <stddef.h>

/*
 * The first argument of gpufilter-bench if gpufilter started it: the others are gpufilter's, and so
 * is the name in messages.
 */
#define GF_START_BENCH_OPTION "--for-gpufilter"

/* Goes on as gpufilter-bench with the same arguments. Returns only if it cannot be started: -1 with the error. */
int gf_start_bench(char **argv, struct gf_error *err);
/* Writes the folder of the running program, or that of the installation if the system does not report it. */
void gf_own_folder(char *folder, size_t room);

#endif
