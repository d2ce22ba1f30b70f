/* The lesson on counting: contiguous or strided parts, counters in global or in shared memory. */
#include "kernels/lessons/histogram.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#define THREADS 512

/* Each thread processes a contiguous part, so a warp reads 32 distant addresses. */
__global__ void __launch_bounds__(THREADS) count_parts(const unsigned char *src, int64_t count,
                                                       unsigned long long *counts)
{
    const int64_t threads = (int64_t)gridDim.x * THREADS, share = gf_ceil_div(count, threads);
    const int64_t first = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * share, end = min(first + share, count);

    for (int64_t i = first; i < end; i++)
        atomicAdd(counts + src[i], 1ull);
}

/* A warp reads 32 adjacent samples. */
__global__ void __launch_bounds__(THREADS) count_interleaved(const unsigned char *src, int64_t count,
                                                             unsigned long long *counts)
{
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t)gridDim.x * THREADS)
        atomicAdd(counts + src[i], 1ull);
}

/* The second step with counters in shared memory that are added up at the end. */
__global__ void __launch_bounds__(THREADS) count_private(const unsigned char *src, int64_t count,
                                                         unsigned long long *counts)
{
    __shared__ unsigned own[GF_LESSON_BINS];

    for (int i = threadIdx.x; i < GF_LESSON_BINS; i += THREADS)
        own[i] = 0;
    __syncthreads();
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t)gridDim.x * THREADS)
        atomicAdd(own + src[i], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < GF_LESSON_BINS; i += THREADS)
        if (own[i] > 0)
            atomicAdd(counts + i, (unsigned long long)own[i]);
}

typedef void counting(const unsigned char *src, int64_t count, unsigned long long *counts);

static int launch(counting *kernel, struct gf_lesson_io *io, struct gf_error *err)
{
    const unsigned blocks = gf_lesson_blocks(io->count, THREADS);
    unsigned long long *const counts = (unsigned long long *)io->dst;

    kernel<<<blocks, THREADS, 0, (cudaStream_t)io->stream>>>((const unsigned char *)io->src, io->count, counts);
    return gf_cuda_launched("lesson of histograms", err);
}

extern "C" int gf_lesson_histogram_parts(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(count_parts, io, err);
}

extern "C" int gf_lesson_histogram_interleaved(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(count_interleaved, io, err);
}

extern "C" int gf_lesson_histogram_private(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(count_private, io, err);
}
