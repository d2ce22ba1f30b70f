/*
 * The lesson on atomic operations: many threads increment counters. Increments of one address must
 * wait for each other, so it pays to combine them first: in a warp, in a block, or in a thread.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>

#define WHAT "lesson of atomic operations"
#define THREADS 1024
#define ALL_LANES 0xffffffffu
#define RUN 16                           /* consecutive samples of a thread */

/* Sample i increments counter src[i]. */
struct task {
    const unsigned *src;
    int64_t count;
    unsigned *counters;
    int addresses;
};

__global__ void __launch_bounds__(THREADS) in_memory(struct task t)
{
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < t.count; i += (int64_t)gridDim.x * THREADS)
        atomicAdd(t.counters + t.src[i], 1u);
}

/* The threads of a warp that increment the same counter find each other, and the first of them adds for all. */
__global__ void __launch_bounds__(THREADS) combined_in_warps(struct task t)
{
    const int lane = threadIdx.x % 32;

    /* all 32 threads stay in the loop together */
    for (int64_t first = (int64_t)blockIdx.x * THREADS + threadIdx.x - lane; first < t.count;
         first += (int64_t)gridDim.x * THREADS) {
        const bool mine = first + lane < t.count;
        const unsigned active = __ballot_sync(ALL_LANES, mine);

        if (mine) {
            const unsigned address = t.src[first + lane], same = __match_any_sync(active, address);

            if (lane == __ffs(same) - 1)
                atomicAdd(t.counters + address, (unsigned)__popc(same));
        }
    }
}

/* Each block has counters of its own in shared memory, and adds them to the others at the end. */
__global__ void __launch_bounds__(THREADS) in_shared_memory(struct task t)
{
    extern __shared__ unsigned own[];

    for (int i = threadIdx.x; i < t.addresses; i += THREADS)
        own[i] = 0;
    __syncthreads();
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < t.count; i += (int64_t)gridDim.x * THREADS)
        atomicAdd(own + t.src[i], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < t.addresses; i += THREADS)
        if (own[i] > 0)
            atomicAdd(t.counters + i, own[i]);
}

/* Each thread counts equal neighbors in a register. This pays if the input is sorted. */
__global__ void __launch_bounds__(THREADS) runs_in_registers(struct task t)
{
    const int64_t step = (int64_t)gridDim.x * THREADS * RUN;

    for (int64_t first = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * RUN; first < t.count; first += step) {
        const int64_t end = min(first + RUN, t.count);
        unsigned address = t.src[first], number = 1;

        for (int64_t i = first + 1; i < end; i++)
            if (t.src[i] == address) {
                number++;
            } else {
                atomicAdd(t.counters + address, number);
                address = t.src[i];
                number = 1;
            }
        atomicAdd(t.counters + address, number);
    }
}

static struct task task_of(const struct gf_lesson_io *io)
{
    const struct task t = { (const unsigned *)io->src, io->count, (unsigned *)io->dst, io->value };

    return t;
}

extern "C" int gf_lesson_atomics_memory(struct gf_lesson_io *io, struct gf_error *err)
{
    in_memory<<<gf_lesson_blocks(io->count, THREADS), THREADS, 0, (cudaStream_t)io->stream>>>(task_of(io));
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_atomics_warps(struct gf_lesson_io *io, struct gf_error *err)
{
    combined_in_warps<<<gf_lesson_blocks(io->count, THREADS), THREADS, 0, (cudaStream_t)io->stream>>>(task_of(io));
    return gf_cuda_launched(WHAT, err);
}

/* A multiprocessor may have room for only one block with many counters, or for none. */
extern "C" int gf_lesson_atomics_shared(struct gf_lesson_io *io, struct gf_error *err)
{
    const size_t bytes = (size_t)io->value * sizeof(unsigned);
    int device = 0, processors = 0, most = 0, fit = 0;

    if (gf_cuda_check(cudaGetDevice(&device), WHAT, err) != 0
        || gf_cuda_check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), WHAT, err) != 0
        || gf_cuda_check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), WHAT,
                         err) != 0)
        return -1;
    if (bytes > (size_t)most) {
        *io->seconds = NAN;
        return 0;
    }
    if (gf_cuda_allow_shared_memory((const void *)in_shared_memory, err) != 0
        || gf_cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, in_shared_memory, THREADS, bytes), WHAT,
                         err) != 0)
        return -1;
    in_shared_memory<<<gf_cuda_grid_size(gf_ceil_div(io->count, THREADS), (int64_t)processors * max(fit, 1)), THREADS,
                       bytes, (cudaStream_t)io->stream>>>(task_of(io));
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_atomics_registers(struct gf_lesson_io *io, struct gf_error *err)
{
    runs_in_registers<<<gf_lesson_blocks(gf_ceil_div(io->count, RUN), THREADS), THREADS, 0,
                        (cudaStream_t)io->stream>>>(task_of(io));
    return gf_cuda_launched(WHAT, err);
}

/* Compares many addresses with one. */
extern "C" int gf_lesson_atomics_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_report *r = io->report;
    const double one = r->seconds(r->context, 0, 0), many = r->seconds(r->context, 0, r->sizes - 1);

    (void)err;
    gf_lesson_say(r, "one counter in memory takes %.3g billion increments each second, because each increment must "
                  "wait for the one before it. Spread over %d counters, they are %.3g times as fast: different "
                  "addresses are in different parts of the L2 cache, which work at the same time",
                  (double)io->count / one * 1e-9, io->value, one / many);
    return 0;
}
