/* The magnitude of a gradient, for convolutions on a GPU that compute both slopes together. */
#ifndef GF_KERNELS_CONV_THREAD_HYPOTENUSE_CUH
#define GF_KERNELS_CONV_THREAD_HYPOTENUSE_CUH

/* Returns the magnitude for the slopes gx and gy. */
static __device__ __forceinline__ float gf_conv_hypotenuse(float gx, float gy)
{
    return __fsqrt_rn(__fmaf_rn(gx, gx, __fmul_rn(gy, gy)));
}

#endif
