/* How much memory a measurement may use. */
#ifndef GF_BENCH_BENCH_MEMORY_H
#define GF_BENCH_BENCH_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns the bytes that a call may use on the host and, with `cuda`, on the GPU: as many as --memory
 * gives, or a share of what the machine has if that is 0.
 */
int64_t gf_bench_memory(bool cuda, int gpu, int64_t given);

#endif
