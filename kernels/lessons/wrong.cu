/*
 * The lesson on mistakes: sums that are right. wrong_tell.cu has the same ideas with what makes them
 * right left out.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#define THREADS 256
#define WHAT "lesson of mistakes"

typedef unsigned long long number;

/* Every thread adds its value. No other thread comes between reading and writing. */
__global__ void __launch_bounds__(THREADS) by_atomics(const unsigned *src, int64_t count, number *sum)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < count)
        atomicAdd(sum, (number)src[i]);
}

/* All threads reach every barrier, also those without a value. */
__global__ void __launch_bounds__(THREADS) by_blocks(const unsigned *src, int64_t count, number *sum)
{
    __shared__ number s[THREADS];
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    s[threadIdx.x] = i < count ? src[i] : 0;
    for (unsigned d = THREADS / 2; d > 0; d /= 2) {
        __syncthreads();                                     /* the values of the level before are complete */
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, s[0]);
}

/* The threads of a warp wait for each other between a read and a write of the same place, too. */
__global__ void __launch_bounds__(THREADS) by_warps(const unsigned *src, int64_t count, number *sum)
{
    __shared__ number s[THREADS];
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;

    s[threadIdx.x] = i < count ? src[i] : 0;
    for (unsigned d = 16; d > 0; d /= 2) {
        __syncwarp();
        if (lane < d)
            s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (lane == 0)
        atomicAdd(sum, s[threadIdx.x]);
}

typedef void adding(const unsigned *src, int64_t count, number *sum);

static int launch(adding *kernel, struct gf_lesson_io *io, struct gf_error *err)
{
    kernel<<<(unsigned)gf_ceil_div(io->count, THREADS), THREADS, 0,
             (cudaStream_t)io->stream>>>((const unsigned *)io->src, io->count, (number *)io->dst);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_wrong_atomics(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_atomics, io, err);
}

extern "C" int gf_lesson_wrong_blocks(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_blocks, io, err);
}

extern "C" int gf_lesson_wrong_warps(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_warps, io, err);
}
