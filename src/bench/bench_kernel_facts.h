/* Kernels as people call them, and what keeps more of them from running at once. */
#ifndef GF_BENCH_BENCH_KERNEL_FACTS_H
#define GF_BENCH_BENCH_KERNEL_FACTS_H

#include "bench/bench_profile.h"

/* "_Z5countIhLi8EEv9rank_task" becomes "count<u8,8>"; what can't be read stays as it is. */
void gf_bench_kernel_facts_name(const char *symbol, char *name, size_t room);

/* How many blocks of a kernel each part of a multiprocessor has room for; INT_MAX where none of it is used. */
struct gf_kernel_room {
    int warps, blocks, registers, shared;
};
struct gf_kernel_room gf_bench_kernel_facts_room(const struct gf_kernel_fact *f, const struct gf_multiprocessor *m);
/* The parts that have the least room: "registers", "warps and shared memory". */
void gf_bench_kernel_facts_limit(const struct gf_kernel_room *r, char *text, size_t room);

#endif
