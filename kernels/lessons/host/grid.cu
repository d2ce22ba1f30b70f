/*
 * The lesson on barriers across a grid. Each round needs words that other blocks wrote in the round
 * before, so all blocks must have ended it: by a new launch, or by a barrier for the whole grid.
 */
#include "kernels/lessons/host/grid.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <cooperative_groups.h>
#include <math.h>

namespace cg = cooperative_groups;

#define THREADS 256
#define MOST_THREADS 1024                /* of the step with one block */
#define WHAT "lesson of grids"

/* One round, from one array to another. */
static __device__ __forceinline__ void do_round(const unsigned *from, unsigned *to, int64_t count, int64_t me,
                                                int64_t threads)
{
    for (int64_t i = me; i < count; i += threads)
        to[i] = gf_lesson_grid_mix(from[i], from[i + 1 < count ? i + 1 : 0]);
}

/* The arrays of a round: from the source to one of two arrays in turn, and in the last round to the result. */
struct arrays {
    const unsigned *src;
    unsigned *dst, *own[2];
    int rounds;
};

static __host__ __device__ const unsigned *from_of(const struct arrays &a, int k)
{
    return k == 0 ? a.src : a.own[(k - 1) % 2];
}

static __host__ __device__ unsigned *to_of(const struct arrays &a, int k)
{
    return k == a.rounds - 1 ? a.dst : a.own[k % 2];
}

static struct arrays arrays_of(const struct gf_lesson_io *io)
{
    unsigned *const own = (unsigned *)((char *)io->scratch + 64);

    return { (const unsigned *)io->src, (unsigned *)io->dst, { own, own + io->count }, io->value };
}

/* ---- a launch for each round ---- */

__global__ void __launch_bounds__(THREADS) one_round(const unsigned *from, unsigned *to, int64_t count)
{
    do_round(from, to, count, (int64_t)blockIdx.x * THREADS + threadIdx.x, (int64_t)gridDim.x * THREADS);
}

extern "C" int gf_lesson_grid_launches(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct arrays a = arrays_of(io);

    for (int k = 0; k < a.rounds; k++)
        one_round<<<gf_lesson_blocks(io->count, THREADS), THREADS, 0,
                    (cudaStream_t)io->stream>>>(from_of(a, k), to_of(a, k), io->count);
    return gf_cuda_launched(WHAT, err);
}

/* ---- barriers for all blocks ---- */

/*
 * A barrier by hand. The last thread of each block counts the block; the count of all blocks is the
 * end of the round. It ends only because all blocks run at the same time.
 */
static __device__ __forceinline__ void wait_for_all(unsigned *arrived, unsigned wanted)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();                                     /* what this block wrote is seen before its arrival */
        atomicAdd(arrived, 1u);
        while (*(volatile unsigned *)arrived < wanted)
            ;
        __threadfence();
    }
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS) by_hand(struct arrays a, int64_t count, unsigned *arrived)
{
    for (int k = 0; k < a.rounds; k++) {
        do_round(from_of(a, k), to_of(a, k), count, (int64_t)blockIdx.x * THREADS + threadIdx.x,
                 (int64_t)gridDim.x * THREADS);
        wait_for_all(arrived, gridDim.x * (k + 1));
    }
}

__global__ void __launch_bounds__(THREADS) by_groups(struct arrays a, int64_t count, unsigned *)
{
    cg::grid_group grid = cg::this_grid();

    for (int k = 0; k < a.rounds; k++) {
        do_round(from_of(a, k), to_of(a, k), count, (int64_t)grid.thread_rank(), (int64_t)grid.num_threads());
        grid.sync();
    }
}

typedef void rounds(struct arrays a, int64_t count, unsigned *arrived);

/* A cooperative launch fails unless all blocks can run at the same time. */
static int launch(rounds *kernel, struct gf_lesson_io *io, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    struct arrays a = arrays_of(io);
    unsigned *arrived = (unsigned *)io->scratch;
    int device = 0, able = 0, processors = 0, fit = 0;
    int64_t count = io->count;
    void *arguments[] = { &a, &count, &arrived };

    if (gf_cuda_check(cudaGetDevice(&device), WHAT, err) != 0
        || gf_cuda_check(cudaDeviceGetAttribute(&able, cudaDevAttrCooperativeLaunch, device), WHAT, err) != 0
        || gf_cuda_check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), WHAT, err) != 0
        || gf_cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, THREADS, 0), WHAT, err) != 0
        || gf_cuda_check(cudaMemsetAsync(arrived, 0, sizeof *arrived, stream), WHAT, err) != 0)
        return -1;
    if (!able) {
        *io->seconds = NAN;
        return 0;
    }
    return gf_cuda_check(cudaLaunchCooperativeKernel((const void *)kernel,
                                                     gf_cuda_grid_size(gf_ceil_div(count, THREADS),
                                                                       (int64_t)fit * processors),
                                                     THREADS, arguments, 0, stream), WHAT, err);
}

extern "C" int gf_lesson_grid_hand(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_hand, io, err);
}

extern "C" int gf_lesson_grid_groups(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_groups, io, err);
}

/* ---- one block ---- */

__global__ void __launch_bounds__(MOST_THREADS) one_block(struct arrays a, int64_t count)
{
    for (int k = 0; k < a.rounds; k++) {
        do_round(from_of(a, k), to_of(a, k), count, threadIdx.x, MOST_THREADS);
        __syncthreads();
    }
}

extern "C" int gf_lesson_grid_block(struct gf_lesson_io *io, struct gf_error *err)
{
    one_block<<<1, MOST_THREADS, 0, (cudaStream_t)io->stream>>>(arrays_of(io), io->count);
    return gf_cuda_launched(WHAT, err);
}
