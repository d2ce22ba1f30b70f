/* How long work takes on a GPU by its own clock, and which kernels it is made of. */
#ifndef GF_BENCH_BENCH_PROFILE_H
#define GF_BENCH_BENCH_PROFILE_H

#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel as an operation launches it, and what that takes of a multiprocessor. */
struct gf_kernel_fact {
    char name[80];
    int threads;                 /* of a block */
    int64_t blocks;              /* of the launch */
    int registers;               /* of a thread, */
    size_t local_bytes;          /* and what it keeps in memory for want of them */
    size_t shared_bytes, dynamic_bytes;  /* of a block: fixed, and as asked for */
    int most_threads;            /* that a block of it could have */
    int fit;                     /* blocks that a multiprocessor holds at once, as the runtime says */
};

/* The resources of a multiprocessor of a GPU, which blocks share. */
struct gf_multiprocessor {
    int threads, blocks, registers, warp;
    size_t shared_bytes, reserved_bytes; /* of which each block takes so many for itself */
};

/* Something that queues work on a device's stream. */
typedef int gf_device_call(void *argument, struct gf_error *err);

/* Queues a copy within the device's memory. */
int gf_bench_profile_copy(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Seconds that it takes to do it so many times, one after another. */
int gf_bench_profile_time(struct gf_device *d, int times, gf_device_call *call, void *argument, double *seconds,
                          struct gf_error *err) GF_MUST_CHECK;
/* The kernels that it would launch, without running any of them: up to `most`. Returns how many, or -1. */
int gf_bench_profile_kernels(struct gf_device *d, gf_device_call *call, void *argument, struct gf_kernel_fact *facts, int most,
                             struct gf_error *err) GF_MUST_CHECK;
int gf_bench_profile_multiprocessor(struct gf_device *d, struct gf_multiprocessor *m, struct gf_error *err) GF_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
