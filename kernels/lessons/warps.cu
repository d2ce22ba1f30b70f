/*
 * The lesson on warps: how the 32 threads of a warp learn each other's values: through shared
 * memory, or by instructions that read the registers of other threads.
 *
 * Each exchange takes the thread's value v, which is 0 to 255. `s` is shared memory for the warp's
 * 32 values; most exchanges do not need it.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"
#include "kernels/lessons/warps.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <math.h>

namespace cg = cooperative_groups;

#define THREADS 256
#define WARP 32
#define ALL 0xffffffffu                  /* a bit for each thread that takes part */

static __device__ __forceinline__ unsigned lane(void)
{
    return threadIdx.x % WARP;
}

/* ---- the sum of the warp ---- */

/* Five rounds: afterwards each thread has the sum of 2, 4, 8, 16 and 32 values. */
static __device__ __forceinline__ unsigned sum_shared(unsigned v, unsigned *s)
{
    for (unsigned d = 1; d < WARP; d *= 2) {
        s[lane()] = v;
        __syncwarp();                    /* all values are written before one is read … */
        v += s[lane() ^ d];
        __syncwarp();                    /* … and all are read before the next are written */
    }
    return v;
}

/* Does the same rounds, but each thread reads the register of the other one. */
static __device__ __forceinline__ unsigned sum_shuffles(unsigned v, unsigned *)
{
    for (unsigned d = 1; d < WARP; d *= 2)
        v += __shfl_xor_sync(ALL, v, d);
    return v;
}

/* One instruction, since compute capability 8.0. */
static __device__ __forceinline__ unsigned sum_instruction(unsigned v, unsigned *s)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(ALL, v);
#else
    return sum_shuffles(v, s);
#endif
}

static __device__ __forceinline__ unsigned sum_group(unsigned v, unsigned *)
{
    return cg::reduce(cg::tiled_partition<WARP>(cg::this_thread_block()), v, cg::plus<unsigned>());
}

/* ---- ranks: the number of bright values before a bright one ---- */

/* A scan in five rounds: each thread adds the count that a thread before it has so far. */
static __device__ __forceinline__ unsigned rank_shared(unsigned v, unsigned *s)
{
    const unsigned bright = v >= GF_LESSON_BRIGHT;
    unsigned counted = bright;

    for (unsigned d = 1; d < WARP; d *= 2) {
        s[lane()] = counted;
        __syncwarp();
        if (lane() >= d)
            counted += s[lane() - d];
        __syncwarp();
    }
    return bright ? counted - 1 : 0;
}

static __device__ __forceinline__ unsigned rank_shuffles(unsigned v, unsigned *)
{
    const unsigned bright = v >= GF_LESSON_BRIGHT;
    unsigned counted = bright;

    for (unsigned d = 1; d < WARP; d *= 2) {
        const unsigned before = __shfl_up_sync(ALL, counted, d);

        if (lane() >= d)
            counted += before;
    }
    return bright ? counted - 1 : 0;
}

/* The ballot returns the answers of all threads as 32 bits. The rank is the number of lower bits that are set. */
static __device__ __forceinline__ unsigned rank_ballot(unsigned v, unsigned *)
{
    const bool bright = v >= GF_LESSON_BRIGHT;
    const unsigned votes = __ballot_sync(ALL, bright), lower = (1u << lane()) - 1;

    return bright ? __popc(votes & lower) : 0;
}

/* Two groups, of the threads with bright values and of the others. Each thread knows its number in its group. */
static __device__ __forceinline__ unsigned rank_group(unsigned v, unsigned *)
{
    const bool bright = v >= GF_LESSON_BRIGHT;
    const cg::coalesced_group group =
        cg::binary_partition(cg::tiled_partition<WARP>(cg::this_thread_block()), bright);

    return bright ? group.thread_rank() : 0;
}

/* ---- the number of equal values in the warp ---- */

static __device__ __forceinline__ unsigned equal_shared(unsigned v, unsigned *s)
{
    unsigned equal = 0;

    s[lane()] = v;
    __syncwarp();
    for (int k = 0; k < WARP; k++)
        equal += s[k] == v;
    __syncwarp();
    return equal;
}

/* A ballot for each of 8 bits. The threads that agree in all of them have the same value. */
static __device__ __forceinline__ unsigned equal_ballots(unsigned v, unsigned *)
{
    unsigned same = ALL;

    for (int bit = 0; bit < 8; bit++) {
        const bool set = v >> bit & 1;
        const unsigned votes = __ballot_sync(ALL, set);

        same &= set ? votes : ~votes;
    }
    return __popc(same);
}

static __device__ __forceinline__ unsigned equal_match(unsigned v, unsigned *)
{
    return __popc(__match_any_sync(ALL, v));
}

/* ---- all of them ---- */

typedef unsigned exchange(unsigned v, unsigned *s);

/* Beyond the last sample threads have 0, because all 32 must take part. */
template <exchange *EXCHANGE>
__global__ void __launch_bounds__(THREADS) exchange_values(const unsigned char *src, unsigned char *dst, int64_t count,
                                                           int rounds)
{
    __shared__ unsigned shared[THREADS];
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    unsigned v = i < count ? src[i] : 0;

    for (int k = 0; k < rounds; k++)
        v = (5 * v + EXCHANGE(v, shared + threadIdx.x / WARP * WARP) + 1) % 256;
    if (i < count)
        dst[i] = (unsigned char)v;
}

template <exchange *EXCHANGE>
static int launch(struct gf_lesson_io *io, struct gf_error *err)
{
    exchange_values<EXCHANGE><<<(unsigned)gf_ceil_div(io->count, THREADS), THREADS, 0, (cudaStream_t)io->stream>>>(
        (const unsigned char *)io->src, (unsigned char *)io->dst, io->count, io->value);
    return gf_cuda_launched("lesson of warps", err);
}

#define STEP(name) \
    extern "C" int gf_lesson_warps_##name(struct gf_lesson_io *io, struct gf_error *err) \
    { return launch<name>(io, err); }
STEP(sum_shared)
STEP(sum_shuffles)
STEP(sum_group)
STEP(rank_shared)
STEP(rank_shuffles)
STEP(rank_ballot)
STEP(rank_group)
STEP(equal_shared)
STEP(equal_ballots)
STEP(equal_match)

extern "C" int gf_lesson_warps_sum_instruction(struct gf_lesson_io *io, struct gf_error *err)
{
    int device = 0, major = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (major >= 8)
        return launch<sum_instruction>(io, err);
    *io->seconds = NAN;
    return 0;
}
