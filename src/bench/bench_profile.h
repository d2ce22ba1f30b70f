/* Times work by the GPU's clock, and lists the kernels that it launches. */
#ifndef GF_BENCH_BENCH_PROFILE_H
#define GF_BENCH_BENCH_PROFILE_H

#include "bench/bench_kernel_facts.h"
#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

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
