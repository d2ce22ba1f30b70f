/*
 * The lesson on sorting: 32-bit keys by one, four or eight bits a pass, from the lowest bits to the
 * highest. Each pass keeps the order of keys with equal digits, so earlier passes are not undone.
 *
 * A pass has three parts: each block counts the digits of its tile; a scan over these counts, the
 * digit first and the block second, says where the keys of each block and digit go; and each block
 * moves its keys there.
 */
#include "kernels/lessons/scan_tiles.cuh"
#include "kernels/lessons/sort.h"
#include "kernels/lessons/steps.h"

#define THREADS 512
#define WARPS (THREADS / 32)
#define TILE GF_LESSON_SORT_TILE
#define ITEMS (TILE / THREADS)           /* keys of a thread: 16 */
typedef unsigned short tile_count;       /* of keys in a tile */

#define NONE 0xffffffffu                 /* beyond the last key; no key is larger, so it comes after all others */

/* A warp owns consecutive keys of the tile, and its threads read neighbors at the same time. */
static __device__ __forceinline__ int place_in_tile(int item)
{
    return (int)(threadIdx.x / 32 * (32 * ITEMS) + item * 32 + threadIdx.x % 32);
}

/* Returns the threads of the warp whose keys have the same digit: those that agree in each of its bits. */
template <int BITS>
static __device__ __forceinline__ unsigned same_digit(unsigned digit)
{
    unsigned same = 0xffffffffu;

    for (int bit = 0; bit < BITS; bit++) {
        const bool set = digit >> bit & 1;
        const unsigned votes = __ballot_sync(0xffffffffu, set);

        same &= set ? votes : ~votes;
    }
    return same;
}

/*
 * Loads the thread's keys, and finds for each how many of the same digit its warp has before it.
 * Afterwards `counts` has the warp's keys of each digit.
 */
template <int BITS>
static __device__ __forceinline__ void rank_in_warp(const unsigned *from, int64_t count, int shift, unsigned key[ITEMS],
                                                    unsigned rank[ITEMS], tile_count counts[1 << BITS])
{
    const unsigned lower = (1u << threadIdx.x % 32) - 1;

    for (int digit = threadIdx.x % 32; digit < 1 << BITS; digit += 32)
        counts[digit] = 0;
    __syncwarp();
    for (int k = 0; k < ITEMS; k++) {
        const int64_t i = (int64_t)blockIdx.x * TILE + place_in_tile(k);

        key[k] = i < count ? from[i] : NONE;
    }
    for (int k = 0; k < ITEMS; k++) {
        const unsigned digit = key[k] >> shift & ((1u << BITS) - 1), same = same_digit<BITS>(digit);

        rank[k] = counts[digit] + __popc(same & lower);
        __syncwarp();                    /* all have read the count before the first of them raises it */
        if ((same & lower) == 0)
            counts[digit] += (tile_count)__popc(same);
        __syncwarp();
    }
}

/* Counts the digits of a tile. `counts` is [digit][block]. */
template <int BITS>
__global__ void __launch_bounds__(THREADS, 2) count_digits(const unsigned *from, int64_t count, int shift,
                                                           unsigned *counts)
{
    __shared__ tile_count own[WARPS][1 << BITS];
    unsigned key[ITEMS], rank[ITEMS];

    rank_in_warp<BITS>(from, count, shift, key, rank, own[threadIdx.x / 32]);
    __syncthreads();
    for (int digit = threadIdx.x; digit < 1 << BITS; digit += THREADS) {
        unsigned sum = 0;

        for (int warp = 0; warp < WARPS; warp++)
            sum += own[warp][digit];
        counts[(int64_t)digit * gridDim.x + blockIdx.x] = sum;
    }
}

/* Replaces each warp's count of a digit by the number of such keys in the warps before it. Returns the block's. */
template <int BITS>
static __device__ __forceinline__ unsigned scan_warps(tile_count own[WARPS][1 << BITS], int digit)
{
    unsigned sum = 0;

    for (int warp = 0; warp < WARPS; warp++) {
        const unsigned here = own[warp][digit];

        own[warp][digit] = (tile_count)sum;
        sum += here;
    }
    return sum;
}

/* Moves each key to its place in memory. */
template <int BITS>
__global__ void __launch_bounds__(THREADS, 2) move_keys(const unsigned *from, unsigned *to, int64_t count, int shift,
                                                     const unsigned *begins)
{
    __shared__ tile_count own[WARPS][1 << BITS];
    __shared__ unsigned begin[1 << BITS];
    unsigned key[ITEMS], rank[ITEMS];

    rank_in_warp<BITS>(from, count, shift, key, rank, own[threadIdx.x / 32]);
    __syncthreads();
    for (int digit = threadIdx.x; digit < 1 << BITS; digit += THREADS) {
        begin[digit] = begins[(int64_t)digit * gridDim.x + blockIdx.x];
        scan_warps<BITS>(own, digit);
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++) {
        const unsigned digit = key[k] >> shift & ((1u << BITS) - 1);

        if ((int64_t)blockIdx.x * TILE + place_in_tile(k) < count)
            to[begin[digit] + own[threadIdx.x / 32][digit] + rank[k]] = key[k];
    }
}

/*
 * Like the kernel before it, but the block sorts its keys in shared memory first, so that neighbors
 * write to neighboring places.
 */
template <int BITS>
__global__ void __launch_bounds__(THREADS, 2) move_runs(const unsigned *from, unsigned *to, int64_t count, int shift,
                                                     const unsigned *begins)
{
    __shared__ tile_count own[WARPS][1 << BITS];
    __shared__ unsigned begin[1 << BITS], sorted[TILE], sums[WARPS];
    const int keys = (int)min((int64_t)TILE, count - (int64_t)blockIdx.x * TILE);
    unsigned key[ITEMS], rank[ITEMS], before = 0, all = 0, up_to_me;

    static_assert(1 << BITS <= THREADS, "a thread for each digit");
    rank_in_warp<BITS>(from, count, shift, key, rank, own[threadIdx.x / 32]);
    __syncthreads();
    if (threadIdx.x < 1 << BITS)
        all = scan_warps<BITS>(own, threadIdx.x);
    up_to_me = scan_warp(all);           /* of digits up to this thread's, within its warp */
    if (threadIdx.x % 32 == 31)
        sums[threadIdx.x / 32] = up_to_me;
    __syncthreads();
    for (int warp = 0; warp < (int)(threadIdx.x / 32); warp++)
        before += sums[warp];
    before += up_to_me - all;            /* where the digit begins in the tile */
    if (threadIdx.x < 1 << BITS) {
        begin[threadIdx.x] = begins[(int64_t)threadIdx.x * gridDim.x + blockIdx.x] - before;
        for (int warp = 0; warp < WARPS; warp++)
            own[warp][threadIdx.x] += (tile_count)before;
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++)
        sorted[own[threadIdx.x / 32][key[k] >> shift & ((1u << BITS) - 1)] + rank[k]] = key[k];
    __syncthreads();
    for (int i = threadIdx.x; i < keys; i += THREADS)
        to[begin[sorted[i] >> shift & ((1u << BITS) - 1)] + i] = sorted[i];
}

/* ---- all passes ---- */

typedef void moving(const unsigned *from, unsigned *to, int64_t count, int shift, const unsigned *begins);

/* The number of passes is even, so the last one writes the result. */
template <int BITS>
static int sort(moving *move, struct gf_lesson_io *io, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    const unsigned blocks = (unsigned)gf_ceil_div(io->count, TILE);
    const unsigned *from = (const unsigned *)io->src;
    unsigned *const other = (unsigned *)io->scratch, *const dst = (unsigned *)io->dst;
    unsigned *const counts = other + gf_ceil_div(io->count, 64) * 64;
    unsigned *const totals = counts + (int64_t)GF_LESSON_SORT_DIGITS * blocks;

    for (int shift = 0; shift < 32; shift += BITS) {
        unsigned *const to = shift / BITS % 2 == 0 ? other : dst;

        count_digits<BITS><<<blocks, THREADS, 0, stream>>>(from, io->count, shift, counts);
        scan_all<unsigned, true>((const unsigned *)counts, counts, (int64_t)blocks << BITS, totals, stream);
        move<<<blocks, THREADS, 0, stream>>>(from, to, io->count, shift, (const unsigned *)counts);
        from = to;
    }
    return gf_cuda_launched("lesson of sorting", err);
}

#define STEP(name, bits, move) \
    extern "C" int gf_lesson_sort_##name(struct gf_lesson_io *io, struct gf_error *err) \
    { return sort<bits>(move, io, err); }
STEP(one, 1, move_keys<1>)
STEP(four, 4, move_keys<4>)
STEP(eight, 8, move_keys<8>)
STEP(runs, 8, move_runs<8>)
