/*
 * The lesson on strides: threads read members of structs, from an array of structs or from an array
 * for each member. The grid has a row of blocks for each member, so each pass reads one member of
 * all structs.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>
#include <stdio.h>

#define THREADS 256
#define WHAT "lesson of strides"

/* Neighboring threads read addresses that are `stride` floats apart, and write contiguously. */
__global__ void __launch_bounds__(THREADS) read_structs(const float *src, float *dst, int64_t count, int64_t structs,
                                                        int offset)
{
    const int64_t stride = gridDim.y, member = blockIdx.y;
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x, at = k * stride + member + offset;

    if (k < structs && at < count)
        dst[member * structs + k] = src[at];
}

/* Neighboring threads read contiguously, and write `stride` floats apart. */
__global__ void __launch_bounds__(THREADS) write_structs(const float *src, float *dst, int64_t count, int64_t structs)
{
    const int64_t stride = gridDim.y, member = blockIdx.y;
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x, at = member * structs + k;

    if (k < structs && at < count)
        dst[k * stride + member] = src[at];
}

/* Each member has its own array of `structs` floats: everything is contiguous. */
__global__ void __launch_bounds__(THREADS) read_arrays(const float *src, float *dst, int64_t count, int64_t structs)
{
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x, at = blockIdx.y * structs + k;

    if (k < structs && at < count)
        dst[at] = src[at];
}

/* Leaves a gap after 32 floats, so that threads `stride` floats apart read from different banks. */
static __host__ __device__ __forceinline__ int place(int i)
{
    return i + i / 32;
}

/* A block reads its structs in the order of addresses. Its threads pick members in shared memory. */
__global__ void __launch_bounds__(THREADS) read_staged(const float *src, float *dst, int64_t count, int64_t structs,
                                                       int stride)
{
    extern __shared__ float s[];         /* all members of the structs, with gaps */
    const int64_t first = (int64_t)blockIdx.x * THREADS, k = first + threadIdx.x;

    for (int i = threadIdx.x; i < THREADS * stride; i += THREADS)
        if (first * stride + i < count)
            s[place(i)] = src[first * stride + i];
    __syncthreads();
    for (int member = 0; member < stride; member++)
        if (k * stride + member < count)
            dst[member * structs + k] = s[place(threadIdx.x * stride + member)];
}

static dim3 grid_of(const struct gf_lesson_io *io, int64_t structs)
{
    return dim3((unsigned)gf_ceil_div(structs, THREADS), (unsigned)io->value);
}

static int read_with_offset(struct gf_lesson_io *io, int offset, struct gf_error *err)
{
    const int64_t structs = gf_ceil_div(io->count, io->value);

    read_structs<<<grid_of(io, structs), THREADS, 0,
                   (cudaStream_t)io->stream>>>((const float *)io->src, (float *)io->dst, io->count, structs, offset);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_coalesce_structs(struct gf_lesson_io *io, struct gf_error *err)
{
    return read_with_offset(io, 0, err);
}

extern "C" int gf_lesson_coalesce_shifted(struct gf_lesson_io *io, struct gf_error *err)
{
    return read_with_offset(io, 1, err);
}

extern "C" int gf_lesson_coalesce_writes(struct gf_lesson_io *io, struct gf_error *err)
{
    const int64_t structs = gf_ceil_div(io->count, io->value);

    write_structs<<<grid_of(io, structs), THREADS, 0,
                    (cudaStream_t)io->stream>>>((const float *)io->src, (float *)io->dst, io->count, structs);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_coalesce_staged(struct gf_lesson_io *io, struct gf_error *err)
{
    const int64_t structs = gf_ceil_div(io->count, io->value);
    const size_t shared_bytes = (size_t)place(THREADS * io->value) * sizeof(float);

    read_staged<<<(unsigned)gf_ceil_div(structs, THREADS), THREADS, shared_bytes,
                  (cudaStream_t)io->stream>>>((const float *)io->src, (float *)io->dst, io->count, structs, io->value);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_coalesce_arrays(struct gf_lesson_io *io, struct gf_error *err)
{
    const int64_t structs = gf_ceil_div(io->count, io->value);

    read_arrays<<<grid_of(io, structs), THREADS, 0,
                  (cudaStream_t)io->stream>>>((const float *)io->src, (float *)io->dst, io->count, structs);
    return gf_cuda_launched(WHAT, err);
}

/* Says how many bytes a strided read of 4 bytes really moves. */
extern "C" int gf_lesson_coalesce_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_report *report = io->report;
    const int last = report->sizes - 1;
    const double contiguous = report->seconds(report->context, 4, last);
    const double strided = report->seconds(report->context, 0, last);
    size_t fetched = 0;
    char cache[80] = "";

    (void)err;
    if (cudaDeviceGetLimit(&fetched, cudaLimitMaxL2FetchGranularity) == cudaSuccess)
        snprintf(cache, sizeof cache, ", and this GPU's L2 cache may fetch %zu at once", fetched);
    else
        cudaGetLastError();              /* older GPUs have no such limit */
    if (!isnan(contiguous) && !isnan(strided))
        gf_lesson_say(report, "a read of 4 bytes at the largest stride takes as long as %.0f contiguous bytes; a "
                              "sector has 32 bytes%s", strided / contiguous * 8 - 4, cache);
    return 0;
}
