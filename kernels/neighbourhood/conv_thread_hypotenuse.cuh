/* How steep a picture is, from its slopes along x and y: for convolutions on a GPU that work out both slopes at once. */
#ifndef GF_KERNELS_CONV_THREAD_HYPOTENUSE_CUH
#define GF_KERNELS_CONV_THREAD_HYPOTENUSE_CUH

/* The steepness where the slopes are gx and gy. */
static __device__ __forceinline__ float gf_conv_hypotenuse(float gx, float gy)
{
    return __fsqrt_rn(__fmaf_rn(gx, gx, __fmul_rn(gy, gy)));
}

#endif
