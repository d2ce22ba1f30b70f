/* Replaces gpu_arithmetic_kernel.cu in a build without CUDA. Nothing calls these functions, as no GPU can be opened. */
#include "bench/roofline/gpu_arithmetic.h"

int gf_gpu_arithmetic_size(struct gf_multiply_adds *m, struct gf_error *err)
{
    (void)m;
    return gf_fail(err, GF_FAILED, "no GPU: gpufilter was built without CUDA");
}

int gf_gpu_arithmetic_run(void *argument, struct gf_error *err)
{
    (void)argument;
    return gf_fail(err, GF_FAILED, "no GPU: gpufilter was built without CUDA");
}
