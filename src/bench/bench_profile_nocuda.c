/*
 * Replaces bench_profile.cu in a build without CUDA. Nothing calls these functions, as no GPU can
 * be opened.
 */
#include "bench/bench_profile.h"

#define NO_GPU "no GPU: gpufilter was built without CUDA"

int gf_bench_profile_copy(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err)
{
    (void)d, (void)to, (void)from, (void)bytes;
    return gf_fail(err, GF_FAILED, NO_GPU);
}

int gf_bench_profile_time(struct gf_device *d, int times, gf_device_call *call, void *argument, double *seconds,
                          struct gf_error *err)
{
    (void)d, (void)times, (void)call, (void)argument, (void)seconds;
    return gf_fail(err, GF_FAILED, NO_GPU);
}

int gf_bench_profile_kernels(struct gf_device *d, gf_device_call *call, void *argument, struct gf_kernel_fact *facts,
                             int most, struct gf_error *err)
{
    (void)d, (void)call, (void)argument, (void)facts, (void)most;
    return gf_fail(err, GF_FAILED, NO_GPU);
}

int gf_bench_profile_multiprocessor(struct gf_device *d, struct gf_multiprocessor *m, struct gf_error *err)
{
    (void)d, (void)m;
    return gf_fail(err, GF_FAILED, NO_GPU);
}
