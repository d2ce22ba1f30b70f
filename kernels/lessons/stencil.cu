/*
 * The lesson on neighbors: each thread loads all of its own, or a block loads them once for all its
 * threads.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/stencil.h"
#include "kernels/lessons/steps.h"

#define THREADS 256
#define TAPS (2 * GF_LESSON_RADIUS + 1)

/* Beyond the ends, the sample at the end repeats. */
static __device__ __forceinline__ float sample(const float *src, int64_t i, int64_t count)
{
    return src[i < 0 ? 0 : i < count ? i : count - 1];
}

__global__ void __launch_bounds__(THREADS) from_memory(const float *src, float *dst, int64_t count)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    float sum = 0;

    if (i >= count)
        return;
#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum = fmaf(gf_lesson_weight(k), sample(src, i + k - GF_LESSON_RADIUS, count), sum);
    dst[i] = sum;
}

__global__ void __launch_bounds__(THREADS) through_shared(const float *src, float *dst, int64_t count)
{
    __shared__ float s[THREADS + TAPS - 1];
    const int64_t first = (int64_t)blockIdx.x * THREADS, i = first + threadIdx.x;
    float sum = 0;

    for (int k = threadIdx.x; k < THREADS + TAPS - 1; k += THREADS)
        s[k] = sample(src, first + k - GF_LESSON_RADIUS, count);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum = fmaf(gf_lesson_weight(k), s[threadIdx.x + k], sum);
    if (i < count)
        dst[i] = sum;
}

typedef void stencil(const float *src, float *dst, int64_t count);

static int launch(stencil *kernel, struct gf_lesson_io *io, struct gf_error *err)
{
    kernel<<<(unsigned)gf_ceil_div(io->count, THREADS), THREADS, 0,
        (cudaStream_t)io->stream>>>((const float *)io->src, (float *)io->dst,
                                                                                                io->count);
    return gf_cuda_launched("lesson of neighbours", err);
}

extern "C" int gf_lesson_stencil_plain(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(from_memory, io, err);
}

extern "C" int gf_lesson_stencil_shared(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(through_shared, io, err);
}
