/* Readable names of kernels, and what limits how many blocks run at once. */
#ifndef GF_BENCH_BENCH_KERNEL_FACTS_H
#define GF_BENCH_BENCH_KERNEL_FACTS_H

#include "bench/bench_profile.h"

/* Turns "_Z5countIhLi8EEv9rank_task" into "count<u8,8>". Other symbols stay as they are. */
void gf_bench_kernel_facts_name(const char *symbol, char *name, size_t room);

/*
 * The number of blocks that each resource of a multiprocessor allows; INT_MAX if the kernel does
 * not use it.
 */
struct gf_kernel_room {
    int warps, blocks, registers, shared;
};
struct gf_kernel_room gf_bench_kernel_facts_room(const struct gf_kernel_fact *f, const struct gf_multiprocessor *m);
/*
 * Returns the threads of so many blocks as a percentage of those that a multiprocessor can run. A
 * warp counts as a whole.
 */
double gf_bench_kernel_facts_occupancy(const struct gf_multiprocessor *m, int blocks, int threads);
/* Writes the occupancy for other block sizes in columns, "-" if the kernel cannot have them, and the best size. */
void gf_bench_kernel_facts_sizes(const struct gf_kernel_fact *f, const struct gf_multiprocessor *m, char *text,
                                 size_t room);
/* Writes the scarcest resources: "registers", or "warps and shared memory". */
void gf_bench_kernel_facts_limit(const struct gf_kernel_room *r, char *text, size_t room);

#endif
