/*
 * Shared by the lessons on prefix sums and on sorting: a scan of anything that can be combined, in
 * three kernels. The first adds up each tile, the second scans these totals, and the third scans
 * each tile, beginning with the total of all tiles before it.
 *
 * T is what is scanned, S what is stored. combine(), shifted(), take() and sum_of() tell how.
 */
#ifndef GF_LESSONS_SCAN_TILES_CUH
#define GF_LESSONS_SCAN_TILES_CUH

#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/scan.h"

#define SCAN_THREADS GF_LESSON_SCAN_THREADS
#define SCAN_TILE GF_LESSON_SCAN_TILE
#define SCAN_ITEMS (SCAN_TILE / SCAN_THREADS)            /* values of a thread: 4 */
#define SCAN_WARPS (SCAN_THREADS / 32)                   /* 32, so that one warp can scan the sums of all warps */

/* ---- plain numbers ---- */

template <typename T> static __device__ __forceinline__ T combine(T a, T b)
{
    return a + b;
}

/* Returns the value of the thread `d` places before, within the warp. All its threads must call. */
template <typename T> static __device__ __forceinline__ T shifted(T v, unsigned d)
{
    return __shfl_up_sync(0xffffffffu, v, d);
}

template <typename T> static __device__ __forceinline__ void take(T *to, T from)
{
    *to = from;
}

template <typename T> static __device__ __forceinline__ T sum_of(T v)
{
    return v;
}

/* ---- a block ---- */

/* Returns what this thread and those before it in the warp have, combined: five rounds. */
template <typename T> static __device__ __forceinline__ T scan_warp(T v)
{
    for (unsigned d = 1; d < 32; d *= 2) {
        const T before = shifted(v, d);

        if (threadIdx.x % 32 >= d)
            v = combine(before, v);
    }
    return v;
}

/* Returns what all threads before this one have, and in `all` what the block has. */
template <typename T> static __device__ __forceinline__ T scan_block(T own, T *all)
{
    __shared__ T warps[SCAN_WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const T up_to_me = scan_warp(own);
    T before = shifted(up_to_me, 1);

    __syncthreads();                     /* an earlier call may still read */
    if (lane == 31)
        warps[warp] = up_to_me;
    __syncthreads();
    if (warp == 0)
        warps[lane] = scan_warp(warps[lane]);
    __syncthreads();
    *all = warps[SCAN_WARPS - 1];
    if (lane == 0)
        before = T();                    /* nothing */
    return warp > 0 ? combine(warps[warp - 1], before) : before;
}

/* ---- tiles ---- */

/* Four values that are loaded and stored with 16 bytes an instruction. */
template <typename S> struct __align__(16) four {
    S v[SCAN_ITEMS];
};

/* Loads the values of a thread, and nothing beyond the end. Returns all of them combined. */
template <typename T, typename S>
static __device__ __forceinline__ T load_items(const S *from, int64_t at, int64_t count, T item[SCAN_ITEMS])
{
    struct four<S> loaded;
    T own = T();

    if (at + SCAN_ITEMS <= count)
        loaded = *(const struct four<S> *)(from + at);
    for (int k = 0; k < SCAN_ITEMS; k++) {
        item[k] = T();
        if (at + SCAN_ITEMS <= count)
            take(&item[k], loaded.v[k]);
        else if (at + k < count)
            take(&item[k], from[at + k]);
        own = combine(own, item[k]);
    }
    return own;
}

/* Scans one tile. EXCLUSIVE leaves out the value itself. Returns `before` and the tile combined. */
template <typename T, bool EXCLUSIVE, typename S>
static __device__ __forceinline__ T scan_tile(const S *from, S *to, int64_t tile, int64_t count, T before)
{
    const int64_t at = tile * SCAN_TILE + (int64_t)threadIdx.x * SCAN_ITEMS;
    T item[SCAN_ITEMS], all, sum;
    struct four<S> result;

    sum = scan_block(load_items(from, at, count, item), &all);
    sum = combine(before, sum);
    for (int k = 0; k < SCAN_ITEMS; k++) {
        const T next = combine(sum, item[k]);

        result.v[k] = sum_of(EXCLUSIVE ? sum : next);
        sum = next;
    }
    if (at + SCAN_ITEMS <= count)
        *(struct four<S> *)(to + at) = result;
    else
        for (int k = 0; k < SCAN_ITEMS && at + k < count; k++)
            to[at + k] = result.v[k];
    return combine(before, all);
}

template <typename T, typename S>
__global__ void __launch_bounds__(SCAN_THREADS) add_tiles(const S *from, int64_t count, T *totals)
{
    const int64_t at = (int64_t)blockIdx.x * SCAN_TILE + (int64_t)threadIdx.x * SCAN_ITEMS;
    T item[SCAN_ITEMS], all;

    scan_block(load_items(from, at, count, item), &all);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = all;
}

/* One block goes through all totals. They become those of all tiles up to each. */
template <typename T>
__global__ void __launch_bounds__(SCAN_THREADS) scan_totals(T *totals, int64_t tiles)
{
    T before = T();

    for (int64_t first = 0; first < tiles; first += SCAN_THREADS) {
        const int64_t i = first + threadIdx.x;
        const T own = i < tiles ? totals[i] : T();
        T all;
        const T sum = combine(scan_block(own, &all), own);

        if (i < tiles)
            totals[i] = combine(before, sum);
        before = combine(before, all);
    }
}

template <typename T, bool EXCLUSIVE, typename S>
__global__ void __launch_bounds__(SCAN_THREADS) scan_tiles(const S *from, S *to, int64_t count, const T *totals)
{
    scan_tile<T, EXCLUSIVE>(from, to, blockIdx.x, count, blockIdx.x > 0 ? totals[blockIdx.x - 1] : T());
}

/* Scans `from` to `to`, which may be the same. `totals` has room for one T a tile. */
template <typename T, bool EXCLUSIVE, typename S>
static void scan_all(const S *from, S *to, int64_t count, T *totals, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)gf_ceil_div(count, SCAN_TILE);

    if (tiles > 1) {
        add_tiles<<<tiles, SCAN_THREADS, 0, stream>>>(from, count, totals);
        scan_totals<<<1, SCAN_THREADS, 0, stream>>>(totals, tiles);
    }
    scan_tiles<T, EXCLUSIVE><<<tiles, SCAN_THREADS, 0, stream>>>(from, to, count, (const T *)totals);
}

#endif
