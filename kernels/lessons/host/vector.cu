/*
 * The lesson on the sum of two vectors, the first kernel of every course: with a thread per sample,
 * with a grid-stride loop, with wide loads, and with the transfers that a user would wait for.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#define THREADS 256
#define WHAT "lesson of vectors"

__global__ void __launch_bounds__(THREADS) add_one(const float *a, const float *b, float *sum, int64_t count)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < count)
        sum[i] = a[i] + b[i];
}

__global__ void __launch_bounds__(THREADS) add_by_grid(const float *a, const float *b, float *sum, int64_t count)
{
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t)gridDim.x * THREADS)
        sum[i] = a[i] + b[i];
}

/* The second vector may begin at any multiple of 4 bytes, so `fours` is 0 unless 16 divide its place. */
__global__ void __launch_bounds__(THREADS) add_fours(const float *a, const float *b, float *sum, int64_t count,
                                                     int64_t fours)
{
    const int64_t first = (int64_t)blockIdx.x * THREADS + threadIdx.x, step = (int64_t)gridDim.x * THREADS;

    for (int64_t i = first; i < fours; i += step) {
        const float4 x = ((const float4 *)a)[i], y = ((const float4 *)b)[i];

        ((float4 *)sum)[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
    for (int64_t i = fours * 4 + first; i < count; i += step)
        sum[i] = a[i] + b[i];
}

extern "C" int gf_lesson_vector_samples(struct gf_lesson_io *io, struct gf_error *err)
{
    const float *a = (const float *)io->src;

    add_one<<<(unsigned)gf_ceil_div(io->count, THREADS), THREADS, 0,
              (cudaStream_t)io->stream>>>(a, a + io->count, (float *)io->dst, io->count);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_vector_stride(struct gf_lesson_io *io, struct gf_error *err)
{
    const float *a = (const float *)io->src;

    add_by_grid<<<gf_lesson_blocks(io->count, THREADS), THREADS, 0,
                  (cudaStream_t)io->stream>>>(a, a + io->count, (float *)io->dst, io->count);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_vector_wide(struct gf_lesson_io *io, struct gf_error *err)
{
    const float *a = (const float *)io->src;

    add_fours<<<gf_lesson_blocks(gf_ceil_div(io->count, 4), THREADS), THREADS, 0,
                (cudaStream_t)io->stream>>>(a, a + io->count, (float *)io->dst, io->count,
                                            io->count % 4 == 0 ? io->count / 4 : 0);
    return gf_cuda_launched(WHAT, err);
}

static int with_transfers(struct gf_lesson_io *io, const void *from, void *to, struct gf_error *err)
{
    const size_t bytes = (size_t)io->count * sizeof(float);
    const cudaStream_t stream = (cudaStream_t)io->stream;

    if (gf_cuda_check(cudaMemcpyAsync((void *)io->src, from, 2 * bytes, cudaMemcpyHostToDevice, stream), WHAT, err) != 0
        || gf_lesson_vector_stride(io, err) != 0)
        return -1;
    return gf_cuda_check(cudaMemcpyAsync(to, io->dst, bytes, cudaMemcpyDeviceToHost, stream), WHAT, err);
}

extern "C" int gf_lesson_vector_pageable(struct gf_lesson_io *io, struct gf_error *err)
{
    return with_transfers(io, io->pageable_src, io->pageable_dst, err);
}

extern "C" int gf_lesson_vector_pinned(struct gf_lesson_io *io, struct gf_error *err)
{
    return with_transfers(io, io->host_src, io->host_dst, err);
}
