/* Times calls on a GPU by the GPU's clock. */
#ifndef GF_BENCH_BENCH_GPU_H
#define GF_BENCH_BENCH_GPU_H

#include "bench/bench_call.h"
#include "bench/bench_profile.h"
#include "bench/bench_results.h"
#include "device/device.h"

/* Memory for a case at any of its sizes, filled with noise. */
struct gf_bench_gpu_memory {
    void *src, *dst, *carry;
};

/* A complete call: the argument of gf_bench_gpu_run(). */
struct gf_bench_gpu_call {
    struct gf_device *device;
    const struct gf_bench_call *made;
    struct gf_work work;
    struct gf_io io;
};

gf_device_call gf_bench_gpu_run;
int gf_bench_gpu_memory_open(struct gf_device *d, const struct gf_bench_call *m, size_t dst_least,
                             struct gf_bench_gpu_memory *memory, struct gf_error *err) GF_MUST_CHECK;
void gf_bench_gpu_memory_close(struct gf_device *d, struct gf_bench_gpu_memory *memory);
/* Sets the pools, and binds a call to its memory. */
int gf_bench_gpu_bind(struct gf_device *d, const struct gf_bench_call *m, const struct gf_bench_gpu_memory *memory,
                      struct gf_bench_gpu_call *ready, struct gf_error *err) GF_MUST_CHECK;
/* Measures the median of several runs. */
int gf_bench_gpu_time(struct gf_device *d, gf_device_call *call, void *argument, double *seconds,
                      struct gf_error *err) GF_MUST_CHECK;
/* Measures a case at all sizes, and writes the series `copy` (unless -1) and `own`. */
int gf_bench_gpu_measure(struct gf_device *d, struct gf_bench_results *r, const struct gf_bench_pick *pick, int copy,
                         int own, struct gf_error *err) GF_MUST_CHECK;

#endif
