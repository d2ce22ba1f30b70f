/*
 * The lesson on neighbors: each thread loads all of its own; or a block loads them once for all its
 * threads; or each thread also computes several results from what it loads.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/stencil.h"
#include "kernels/lessons/steps.h"

#define THREADS 256
#define TAPS (2 * GF_LESSON_RADIUS + 1)
#define EACH 4                           /* results of a thread, in the last step */

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

/* The samples from which a thread computes 4 results are 20, that is 5 loads of 16 bytes. */
__global__ void __launch_bounds__(THREADS) in_registers(const float *src, float *dst, int64_t count)
{
    __shared__ float4 s[(EACH * THREADS + TAPS - 1) / 4];
    const int64_t first = (int64_t)blockIdx.x * EACH * THREADS, i = first + EACH * threadIdx.x;
    float v[EACH + TAPS - 1], sum[EACH] = { 0 };

    for (int k = threadIdx.x; k < EACH * THREADS + TAPS - 1; k += THREADS)
        ((float *)s)[k] = sample(src, first + k - GF_LESSON_RADIUS, count);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < (EACH + TAPS - 1) / 4; k++) {
        const float4 four = s[threadIdx.x + k];

        v[4 * k] = four.x, v[4 * k + 1] = four.y, v[4 * k + 2] = four.z, v[4 * k + 3] = four.w;
    }
#pragma unroll
    for (int k = 0; k < TAPS; k++)
        for (int r = 0; r < EACH; r++)
            sum[r] = fmaf(gf_lesson_weight(k), v[r + k], sum[r]);
    if (i + EACH <= count)
        *(float4 *)(dst + i) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    else
        for (int r = 0; r < EACH && i + r < count; r++)
            dst[i + r] = sum[r];
}

typedef void stencil(const float *src, float *dst, int64_t count);

static int launch(stencil *kernel, int each, struct gf_lesson_io *io, struct gf_error *err)
{
    kernel<<<(unsigned)gf_ceil_div(io->count, each * THREADS), THREADS, 0, (cudaStream_t)io->stream>>>(
        (const float *)io->src, (float *)io->dst, io->count);
    return gf_cuda_launched("lesson of neighbors", err);
}

extern "C" int gf_lesson_stencil_plain(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(from_memory, 1, io, err);
}

extern "C" int gf_lesson_stencil_shared(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(through_shared, 1, io, err);
}

extern "C" int gf_lesson_stencil_registers(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(in_registers, EACH, io, err);
}
