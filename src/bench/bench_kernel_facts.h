/* Readable names of kernels, and what limits how many blocks run at once. */
#ifndef GF_BENCH_BENCH_KERNEL_FACTS_H
#define GF_BENCH_BENCH_KERNEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Block sizes for which occupancy is computed, besides that of a launch. */
enum { GF_BLOCK_SIZES = 5 };
extern const int gf_block_sizes[GF_BLOCK_SIZES];     /* 64, 128 … 1024 */

/* A kernel as an operation launches it, and the resources that it uses. */
struct gf_kernel_fact {
    char name[80];
    int threads;                 /* per block */
    int64_t blocks;              /* in the launch */
    int registers;               /* per thread */
    size_t local_bytes;          /* memory per thread, for values that do not fit into registers */
    size_t shared_bytes, dynamic_bytes;  /* shared memory per block: static and dynamic */
    int most_threads;            /* largest number of threads per block */
    int fit;                     /* blocks that run at once on a multiprocessor, according to the runtime */
    int other_fit[GF_BLOCK_SIZES];       /* the same for other sizes; -1: the kernel cannot have such blocks */
    /* threads per block with the highest occupancy, according to the runtime; 0: unknown */
    int best_threads;
};

/* The resources of a multiprocessor of a GPU, which blocks share. */
struct gf_multiprocessor {
    int threads, blocks, registers, warp;
    size_t shared_bytes, reserved_bytes; /* shared memory, and the part that the system reserves per block */
    /* how registers and shared memory are allocated; 0: as on GPUs since Volta */
    int parts;                   /* into which registers are divided; a warp has those of one part */
    int register_unit, shared_unit;
    bool registers_by_block;     /* blocks get registers, not warps, and for an even number of warps */
};

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

#ifdef __cplusplus
}
#endif
#endif
