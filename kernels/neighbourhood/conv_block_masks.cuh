/* Weights of a convolution on a GPU, in constant or global memory, and sums of products with them. */
#ifndef GF_KERNELS_CONV_BLOCK_MASKS_CUH
#define GF_KERNELS_CONV_BLOCK_MASKS_CUH

#include "kernels/base/exact_sum.h"
#include "kernels/neighbourhood/conv_tiles.cuh"

#include <pthread.h>

/*
 * Masks of all chains at work. Each file that includes this one is a module with its own 64 KB of
 * constant memory.
 */
static __constant__ float constant_masks[GF_CONSTANT_MASKS];

/*
 * Copies the masks of the chain to their place in this module's constant memory, if the current GPU has others there.
 * No kernel of another chain reads that place. A module is loaded by its first copy or kernel, so chains that need none
 * of its kernels do not wait for it. The stream is the thread's own, because the stream of the work may be one that is
 * being recorded, which must not be waited for.
 */
static inline int copy_constant_masks(const struct gf_work *work, struct gf_error *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int64_t versions[GF_CONSTANT_GPUS][GF_CONSTANT_PLACES];
    const struct gf_constant *c = &work->constant;
    int gpu = 0, result = 0;
    int64_t *version;

    if (gf_cuda_check(cudaGetDevice(&gpu), "constant memory", err) != 0)
        return -1;
    version = &versions[gpu][c->number];
    pthread_mutex_lock(&lock);
    if (*version != c->version) {
        *version = 0;                            /* invalid until the new masks are there */
        result = gf_cuda_check(cudaMemcpyToSymbolAsync(constant_masks, work->host_masks,
                                                       (size_t)c->count * sizeof(float), (size_t)c->at * sizeof(float),
                                                       cudaMemcpyHostToDevice, cudaStreamPerThread),
                               "constant memory", err);
        if (result == 0)
            result = gf_cuda_check(cudaStreamSynchronize(cudaStreamPerThread), "constant memory", err);
        if (result == 0)
            *version = c->version;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* Weights from constant memory, which serves a whole warp at once, or from the pool. */
template <bool CONSTANT>
struct weights {
    const float *pool;
    int64_t at;
    __device__ __forceinline__ float operator[](int i) const
    {
        return CONSTANT ? constant_masks[(int)at + i] : __ldg(pool + at + i);
    }
    __device__ __forceinline__ weights from(int64_t more) const
    {
        weights w = *this;
        w.at += more;
        return w;
    }
};

/*
 * Calls sum(weights) with the masks of a task. A kernel has the code of its sums twice and
 * everything else once; two kernels would take twice as long to compile.
 */
template <class F>
static __device__ __forceinline__ void with_weights(const struct conv_task &t, const F &sum)
{
    if (t.constant)
        sum(weights<true>{ t.masks, 0 });
    else
        sum(weights<false>{ t.masks, 0 });
}

/* N adjacent sums, each a chain of fma; several chains are joined with TwoSum. */
template <int N>
struct sums {
    float acc[N], sum[N], lost[N];

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            acc[i] = sum[i] = lost[i] = 0.0f;
    }
    __device__ __forceinline__ void end_chain()
    {
#pragma unroll
        for (int i = 0; i < N; i++) {
            gf_exact_sum_add(&sum[i], &lost[i], acc[i]);
            acc[i] = 0.0f;
        }
    }
    __device__ __forceinline__ void finish(bool several)
    {
        if (several) {
#pragma unroll
            for (int i = 0; i < N; i++)
                acc[i] = __fadd_rn(sum[i], lost[i]);
        }
    }
};

#endif
