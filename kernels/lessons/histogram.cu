/*
 * The lesson on counting: contiguous or interleaved parts; counters in memory, one set for all or one
 * for each block, or in shared memory; several samples a load; equal neighbors combined.
 */
#include "kernels/lessons/histogram.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <stdio.h>

#define WHAT "lesson of histograms"
#define THREADS GF_LESSON_HISTOGRAM_THREADS
#define BINS GF_LESSON_BINS
#define EACH 16                          /* bytes of a wide load */

typedef unsigned long long number;

/* Calls count(byte) for the bytes of this thread: a contiguous part, or every n-th of n threads. */
template <bool PART, class F>
static __device__ __forceinline__ void for_each(const unsigned char *src, int64_t count, F &&see)
{
    const int64_t threads = (int64_t)gridDim.x * THREADS, me = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t share = gf_ceil_div(count, threads);
    const int64_t first = PART ? me * share : me, end = PART ? min(first + share, count) : count;

    for (int64_t i = first; i < end; i += PART ? 1 : threads)
        see(src[i]);
}

/* Does this with 16 bytes a load. */
template <class F>
static __device__ __forceinline__ void for_each_wide(const unsigned char *src, int64_t count, F &&see)
{
    const int64_t threads = (int64_t)gridDim.x * THREADS, me = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t loads = count / EACH;

    for (int64_t i = me; i < loads; i += threads) {
        const uint4 v = ((const uint4 *)src)[i];
        const unsigned words[EACH / 4] = { v.x, v.y, v.z, v.w };

        for (int k = 0; k < EACH; k++)
            see((unsigned char)(words[k / 4] >> k % 4 * 8));
    }
    for (int64_t i = loads * EACH + me; i < count; i += threads)
        see(src[i]);
}

/* ---- counters in memory ---- */

template <bool PART>
__global__ void __launch_bounds__(THREADS) count_in_memory(const unsigned char *src, int64_t count, number *counts,
                                                           unsigned *)
{
    for_each<PART>(src, count, [=](unsigned char v) { atomicAdd(counts + v, 1ull); });
}

/* Each block has a set of counters in memory, and adds them to the others at the end. */
__global__ void __launch_bounds__(THREADS) count_by_block(const unsigned char *src, int64_t count, number *counts,
                                                          unsigned *sets)
{
    unsigned *const own = sets + (int64_t)blockIdx.x * BINS;

    for (int i = threadIdx.x; i < BINS; i += THREADS)
        own[i] = 0;
    __syncthreads();
    for_each<false>(src, count, [=](unsigned char v) { atomicAdd(own + v, 1u); });
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += THREADS)
        if (own[i] > 0)
            atomicAdd(counts + i, (number)own[i]);
}

/* ---- counters in shared memory ---- */

enum way { PARTS, INTERLEAVED, WIDE, RUNS, HALF };

/* Counts equal neighbors in a register, and adds them when another byte follows. */
static __device__ __forceinline__ void count_runs(const unsigned char *src, int64_t count, unsigned *own)
{
    unsigned run = 0, last = 0;

    for_each_wide(src, count, [&](unsigned char v) {
        if (v != last && run > 0) {
            atomicAdd(own + last, run);
            run = 0;
        }
        last = v;
        run++;
    });
    if (run > 0)
        atomicAdd(own + last, run);
}

/* Counters of a part of the range are in shared memory; the others are in memory. */
static __device__ __forceinline__ void count_half(const unsigned char *src, int64_t count, unsigned *own,
                                                  number *counts)
{
    for_each_wide(src, count, [=](unsigned char v) {
        if (v - GF_LESSON_BINS_FIRST < GF_LESSON_BINS_NEAR)
            atomicAdd(own + v, 1u);
        else
            atomicAdd(counts + v, 1ull);
    });
}

/* SETS sets of counters for each block; a warp uses one of them. */
template <enum way WAY, int SETS>
__global__ void __launch_bounds__(THREADS) count_near(const unsigned char *src, int64_t count, number *counts,
                                                      unsigned *)
{
    __shared__ unsigned sets[SETS][BINS];
    unsigned *const own = sets[threadIdx.x / 32 % SETS];

    for (int i = threadIdx.x; i < SETS * BINS; i += THREADS)
        sets[i / BINS][i % BINS] = 0;
    __syncthreads();
    if (WAY == RUNS)
        count_runs(src, count, own);
    else if (WAY == HALF)
        count_half(src, count, own, counts);
    else if (WAY == WIDE)
        for_each_wide(src, count, [=](unsigned char v) { atomicAdd(own + v, 1u); });
    else
        for_each<WAY == PARTS>(src, count, [=](unsigned char v) { atomicAdd(own + v, 1u); });
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += THREADS) {
        unsigned sum = 0;

        for (int k = 0; k < SETS; k++)
            sum += sets[k][i];
        if (sum > 0)
            atomicAdd(counts + i, (number)sum);
    }
}

/* ---- launches ---- */

typedef void counting(const unsigned char *src, int64_t count, number *counts, unsigned *sets);

static int launch(counting *kernel, struct gf_lesson_io *io, struct gf_error *err)
{
    const unsigned blocks = gf_cuda_grid_size(gf_lesson_blocks(io->count, THREADS), GF_LESSON_HISTOGRAM_BLOCKS);

    kernel<<<blocks, THREADS, 0, (cudaStream_t)io->stream>>>((const unsigned char *)io->src, io->count,
                                                             (number *)io->dst, (unsigned *)io->scratch);
    return gf_cuda_launched(WHAT, err);
}

#define STEP(name, kernel) \
    extern "C" int gf_lesson_histogram_##name(struct gf_lesson_io *io, struct gf_error *err) \
    { \
        return launch(kernel, io, err); \
    }
STEP(parts, count_in_memory<true>)
STEP(interleaved, count_in_memory<false>)
STEP(by_block, count_by_block)
STEP(near_parts, (count_near<PARTS, 1>))
STEP(near, (count_near<INTERLEAVED, 1>))
STEP(wide, (count_near<WIDE, 1>))
STEP(by_warp, (count_near<WIDE, 16>))
STEP(runs, (count_near<RUNS, 1>))
STEP(half, (count_near<HALF, 1>))

/* ---- the same steps with skewed data, in which many bytes are equal ---- */

#define MOST_SAMPLES (INT64_C(16) << 20)

/* Makes all bytes equal, or every second one. */
__global__ void make_equal(unsigned char *to, int64_t count, int step)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (int64_t)gridDim.x * blockDim.x)
        if (i % step == 0)
            to[i] = 128;
}

static int time_step(struct gf_lesson_io *io, gf_lesson_run *run, cudaEvent_t events[2], float *ms,
                     struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;

    return run(io, err) != 0                                 /* warms up */
        || gf_cuda_check(cudaEventRecord(events[0], stream), WHAT, err) != 0 || run(io, err) != 0
        || gf_cuda_check(cudaEventRecord(events[1], stream), WHAT, err) != 0
        || gf_cuda_check(cudaEventSynchronize(events[1]), WHAT, err) != 0
        || gf_cuda_check(cudaEventElapsedTime(ms, events[0], events[1]), WHAT, err) != 0 ? -1 : 0;
}

static int tell(struct gf_lesson_io *io, const char *what, cudaEvent_t events[2], struct gf_error *err)
{
    static const struct { const char *name; gf_lesson_run *run; } steps[] = {
        { "interleaved", gf_lesson_histogram_interleaved },
        { "counters for each block, in memory", gf_lesson_histogram_by_block },
        { "in shared memory", gf_lesson_histogram_near },
        { "16 bytes per load", gf_lesson_histogram_wide },
        { "counters for each warp", gf_lesson_histogram_by_warp },
        { "runs in registers", gf_lesson_histogram_runs },
        { "half of the counters", gf_lesson_histogram_half },
    };
    char text[360];
    int n = 0;

    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        float ms = 0;

        if (time_step(io, steps[k].run, events, &ms, err) != 0)
            return -1;
        n += snprintf(text + n, sizeof text - n, "%s'%s' %.3g", k == 0 ? "" : ", ", steps[k].name,
                      (double)io->count / ms * 1e-6);
    }
    gf_lesson_say(io->report, "GB/s with %s: %s", what, text);
    return 0;
}

extern "C" int gf_lesson_histogram_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    cudaEvent_t events[2] = { NULL, NULL };
    int result = -1;

    io->count = io->count < MOST_SAMPLES ? io->count : MOST_SAMPLES;
    if (gf_cuda_check(cudaEventCreate(&events[0]), WHAT, err) == 0
        && gf_cuda_check(cudaEventCreate(&events[1]), WHAT, err) == 0
        && tell(io, "noise", events, err) == 0) {
        make_equal<<<1024, 256, 0, stream>>>((unsigned char *)io->src, io->count, 2);
        result = tell(io, "every second byte equal", events, err);
        make_equal<<<1024, 256, 0, stream>>>((unsigned char *)io->src, io->count, 1);
        result = result == 0 ? tell(io, "all bytes equal", events, err) : -1;
    }
    if (events[0] != NULL)
        cudaEventDestroy(events[0]);
    if (events[1] != NULL)
        cudaEventDestroy(events[1]);
    return result;
}
