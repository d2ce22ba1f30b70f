/*
 * The lesson on bytes in flight: a copy by so many warps per multiprocessor, with loads of 1 to 16
 * bytes, one or four of them at a time. Latency is hidden if enough bytes are on their way (Little's
 * law: bytes in flight = latency x bandwidth).
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>

#define WARP 32
#define MOST_THREADS 512                 /* of a block; several blocks make more warps */
#define WHAT "lesson of loads"

/* The bytes after the last whole word. */
static __device__ __forceinline__ void copy_rest(const unsigned char *src, unsigned char *dst, int64_t bytes, int size)
{
    for (int64_t i = bytes / size * size + (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes;
         i += (int64_t)gridDim.x * blockDim.x)
        dst[i] = src[i];
}

/* Each thread waits for a word before it loads another: the store needs the value. */
template <typename T>
__global__ void __launch_bounds__(MOST_THREADS) copy_words(const unsigned char *src, unsigned char *dst, int64_t bytes)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x, words = bytes / (int64_t)sizeof(T);
    const T *from = (const T *)src;
    T *to = (T *)dst;

#pragma unroll 1
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += step)
        to[i] = from[i];
    copy_rest(src, dst, bytes, sizeof(T));
}

/* Four loads are on their way before the first store waits. */
template <typename T>
__global__ void __launch_bounds__(MOST_THREADS) copy_several(const unsigned char *src, unsigned char *dst,
                                                             int64_t bytes)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x, words = bytes / (int64_t)sizeof(T);
    const T *from = (const T *)src;
    T *to = (T *)dst;
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

#pragma unroll 1
    for (; i + 3 * step < words; i += 4 * step) {
        const T a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];

        to[i] = a;
        to[i + step] = b;
        to[i + 2 * step] = c;
        to[i + 3 * step] = d;
    }
#pragma unroll 1
    for (; i < words; i += step)
        to[i] = from[i];
    copy_rest(src, dst, bytes, sizeof(T));
}

typedef void copying(const unsigned char *src, unsigned char *dst, int64_t bytes);

static int device_attribute(enum cudaDeviceAttr what, int *value, struct gf_error *err)
{
    int device = 0;

    return gf_cuda_check(cudaGetDevice(&device), WHAT, err) != 0
        || gf_cuda_check(cudaDeviceGetAttribute(value, what, device), WHAT, err) != 0 ? -1 : 0;
}

/* Starts exactly io->value warps on each multiprocessor, if all of them can be there at once. */
static int launch(copying *kernel, struct gf_lesson_io *io, struct gf_error *err)
{
    const int threads = io->value * WARP < MOST_THREADS ? io->value * WARP : MOST_THREADS;
    const int blocks = io->value * WARP / threads;       /* of a multiprocessor */
    int processors = 1, fitting = 0;

    if (device_attribute(cudaDevAttrMultiProcessorCount, &processors, err) != 0
        || gf_cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, kernel, threads, 0), WHAT, err) != 0)
        return -1;
    if (fitting < blocks) {
        *io->seconds = NAN;
        return 0;
    }
    kernel<<<processors * blocks, threads, 0, (cudaStream_t)io->stream>>>((const unsigned char *)io->src,
                                                                          (unsigned char *)io->dst, io->count);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_loads_1(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(copy_words<unsigned char>, io, err);
}

extern "C" int gf_lesson_loads_4(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(copy_words<unsigned>, io, err);
}

extern "C" int gf_lesson_loads_8(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(copy_words<uint2>, io, err);
}

extern "C" int gf_lesson_loads_16(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(copy_words<uint4>, io, err);
}

extern "C" int gf_lesson_loads_several(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(copy_several<unsigned>, io, err);
}

extern "C" int gf_lesson_loads_wide_several(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(copy_several<uint4>, io, err);
}

/* Compares the bytes in flight with what Little's law asks for. */
extern "C" int gf_lesson_loads_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_report *report = io->report;
    const double alone = report->seconds(report->context, 3, 0);
    double best = INFINITY, latency, needed;
    int processors = 1, threads = 1;

    if (device_attribute(cudaDevAttrMultiProcessorCount, &processors, err) != 0
        || device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, &threads, err) != 0)
        return -1;
    for (int step = 0; step < 6; step++)
        for (int size = 0; size < report->sizes; size++)
            best = fmin(best, report->seconds(report->context, step, size));
    if (isnan(alone) || !(best < INFINITY))
        return 0;
    latency = alone * processors * WARP * 16 / (double)io->count;        /* with one warp: time / loads of a thread */
    needed = latency * (double)io->count / best;
    gf_lesson_say(report, "latency: with one warp per multiprocessor, a thread needs %.0f ns for a load of 16 bytes "
                          "and its store; %.0f bytes are on their way then, for each of %d "
                          "multiprocessors", latency * 1e9, 16.0 * WARP, processors);
    gf_lesson_say(report, "Little's law: bytes in flight = latency x bandwidth. The fastest step reads %.2f TB/s, so "
                          "at least %.0f KB must be on their way, or %.1f KB per multiprocessor: %.1f bytes for each "
                          "of its %d threads. In practice more is needed: the latency is that of an idle "
                          "memory, and grows",
                  (double)io->count / best * 1e-12, needed / 1024, needed / 1024 / processors,
                  needed / processors / threads, threads);
    return 0;
}
