/* Sums of neighbors on a line in shared memory, by doubling. */
#ifndef GF_KERNELS_BOX_AHEAD_CUH
#define GF_KERNELS_BOX_AHEAD_CUH

/*
 * Replaces the sums of `step` samples by sums of twice as many, in place. All threads of the block call it, and each
 * has at most MOST of them. They are the sums of the C body.
 */
template <int THREADS, int MOST, typename T>
static __device__ __forceinline__ void gf_add_ahead(T *line, int step, int length)
{
    T v[MOST];

#pragma unroll
    for (int k = 0; k < MOST; k++) {
        const int i = threadIdx.x + k * THREADS;

        if (i < length)
            v[k] = line[i] + line[i + step];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < MOST; k++) {
        const int i = threadIdx.x + k * THREADS;

        if (i < length)
            line[i] = v[k];
    }
    __syncthreads();
}

#endif
