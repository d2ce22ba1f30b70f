/* Times calls on a device that has a clock of its own. */
#ifndef GF_BENCH_BENCH_GPU_H
#define GF_BENCH_BENCH_GPU_H

#include "bench/bench_call.h"
#include "bench/bench_profile.h"
#include "bench/bench_results.h"
#include "device/device.h"

/* Memory for a case of any size up to the largest, filled with noise. */
struct gf_bench_gpu_memory {
    void *src, *dst, *carry;
};

/* A call that can be made: what gf_device_call wants as its argument. */
struct gf_bench_gpu_call {
    struct gf_device *device;
    const struct gf_bench_call *made;
    struct gf_work work;
    struct gf_io io;
};

gf_device_call gf_bench_gpu_run;
int gf_bench_gpu_memory_open(struct gf_device *d, const struct gf_bench_call *m, size_t dst_least, struct gf_bench_gpu_memory *memory, struct gf_error *err) GF_MUST_CHECK;
void gf_bench_gpu_memory_close(struct gf_device *d, struct gf_bench_gpu_memory *memory);
/* Sets the pools and binds everything. */
int gf_bench_gpu_bind(struct gf_device *d, const struct gf_bench_call *m, const struct gf_bench_gpu_memory *memory,
                      struct gf_bench_gpu_call *ready, struct gf_error *err) GF_MUST_CHECK;
/* The median of several runs, one after another, on a device that has a clock. */
int gf_bench_gpu_time(struct gf_device *d, gf_device_call *call, void *argument, double *seconds,
                      struct gf_error *err) GF_MUST_CHECK;
/* All sizes of a case, beside copies: series "copy" (if `copy` is not -1) and `own`. */
int gf_bench_gpu_measure(struct gf_device *d, struct gf_bench_results *r, const struct gf_bench_pick *pick, int copy, int own,
                         struct gf_error *err) GF_MUST_CHECK;

#endif
