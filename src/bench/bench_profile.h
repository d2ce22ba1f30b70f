/* Times work by the GPU's clock, and lists the kernels that it launches. */
#ifndef GF_BENCH_BENCH_PROFILE_H
#define GF_BENCH_BENCH_PROFILE_H

#include "device/device.h"

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
    int best_threads;            /* threads per block with the highest occupancy, according to the runtime; 0: unknown */
};

/* The resources of a multiprocessor of a GPU, which blocks share. */
struct gf_multiprocessor {
    int threads, blocks, registers, warp;
    size_t shared_bytes, reserved_bytes; /* shared memory, and the part that the system reserves per block */
};

/* Queues work on a device's stream. */
typedef int gf_device_call(void *argument, struct gf_error *err);

/* Queues a copy within the device's memory. */
int gf_bench_profile_copy(struct gf_device *d, void *to, const void *from, size_t bytes,
                          struct gf_error *err) GF_MUST_CHECK;
/* Measures the seconds of so many calls. */
int gf_bench_profile_time(struct gf_device *d, int times, gf_device_call *call, void *argument, double *seconds,
                          struct gf_error *err) GF_MUST_CHECK;
/*
 * Lists up to `most` kernels that a call launches, without running them. Returns their number, or
 * -1.
 */
int gf_bench_profile_kernels(struct gf_device *d, gf_device_call *call, void *argument, struct gf_kernel_fact *facts,
                             int most, struct gf_error *err) GF_MUST_CHECK;
int gf_bench_profile_multiprocessor(struct gf_device *d, struct gf_multiprocessor *m,
                                    struct gf_error *err) GF_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
