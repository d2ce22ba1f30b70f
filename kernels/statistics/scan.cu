/*
 * Prefix sums on a GPU in one pass: each tile publishes its own sum, then looks back over the
 * previous tiles until one has published the sum of everything before it (decoupled look-back,
 * Merrill and Garland 2016).
 */
#include "kernels/statistics/scan.h"

#include "kernels/base/borrow.cuh"
#include "kernels/base/cuda_check.cuh"

#define THREADS 128
#define ITEMS 20                         /* values of a thread */
#define BLOCKS 6                         /* blocks of a multiprocessor, at least */
#define ROW (ITEMS + 2)                  /* words between the values of two threads: pairs stay whole, banks differ */
#define TILE (THREADS * ITEMS)

static_assert(TILE >= GF_SCAN_TILE_LEAST, "the plan counts memory for larger tiles");

/* The upper two bits of a tile's word say what the other bits mean: a sum is less than 2^62. */
#define OWN (1ull << 62)
#define ALL (2ull << 62)
#define VALUE (OWN - 1)

static __device__ __forceinline__ unsigned long long look(const unsigned long long *word)
{
    unsigned long long v;

    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(word) : "memory");
    return v;
}

static __device__ __forceinline__ void publish(unsigned long long *word, unsigned long long v)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(v) : "memory");
}

static __device__ __forceinline__ unsigned long long warp_inclusive(unsigned long long v, int lane)
{
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const unsigned long long before = __shfl_up_sync(0xffffffffu, v, d);
        v += lane >= d ? before : 0;
    }
    return v;
}

/*
 * Finds the sum of everything before tile `tile`, by one warp. Each lane reads one of the 32
 * previous tiles.
 */
static __device__ __forceinline__ unsigned long long look_back(const unsigned long long *state, int64_t tile, int lane)
{
    unsigned long long sum = 0;

    for (int64_t at = tile - 1;; at -= 32) {
        const int64_t mine = at - lane;
        unsigned long long word = mine >= 0 ? 0 : ALL;
        unsigned whole;
        int upto;

        while (__any_sync(0xffffffffu, word >> 62 == 0))
            if (word >> 62 == 0)
                word = look(state + mine);
        whole = __ballot_sync(0xffffffffu, word >> 63 != 0);
        upto = whole ? __ffs(whole) - 1 : 31;
        word = lane <= upto ? word & VALUE : 0;
#pragma unroll
        for (int d = 16; d > 0; d /= 2)
            word += __shfl_xor_sync(0xffffffffu, word, d);
        sum += word;
        if (whole)
            return sum;
    }
}

/* Loads a tile of values to one row for each thread; values beyond `count` are 0. */
static __device__ __forceinline__ void load_tile(const unsigned long long *from, int64_t count,
                                                 unsigned long long *rows)
{
    unsigned long long v[ITEMS];

    if (count >= TILE && (uintptr_t)from % 16 == 0) {
#pragma unroll
        for (int k = 0; k < ITEMS; k += 2) {
            const longlong2 two = __ldcs((const longlong2 *)from + k / 2 * THREADS + threadIdx.x);
            v[k] = (unsigned long long)two.x, v[k + 1] = (unsigned long long)two.y;
        }
#pragma unroll
        for (int k = 0; k < ITEMS; k += 2) {
            const int i = k * THREADS + 2 * threadIdx.x;
            *(ulonglong2 *)(rows + i / ITEMS * ROW + i % ITEMS) = make_ulonglong2(v[k], v[k + 1]);
        }
        return;
    }
    for (int i = threadIdx.x; i < TILE; i += THREADS)
        rows[i / ITEMS * ROW + i % ITEMS] = i < count ? from[i] : 0;
}

static __device__ __forceinline__ void store_tile(unsigned long long *to, int64_t count, const unsigned long long *rows)
{
    if (count >= TILE && (uintptr_t)to % 16 == 0) {
#pragma unroll
        for (int k = 0; k < ITEMS; k += 2) {
            const int i = k * THREADS + 2 * threadIdx.x;
            const ulonglong2 two = *(const ulonglong2 *)(rows + i / ITEMS * ROW + i % ITEMS);
            __stcs((longlong2 *)(to + i), make_longlong2((long long)two.x, (long long)two.y));
        }
        return;
    }
    for (int i = threadIdx.x; i < TILE && i < count; i += THREADS)
        to[i] = rows[i / ITEMS * ROW + i % ITEMS];
}

/* Finds the sum before tile `tile`, whose own sum is `total`, by one warp. */
static __device__ __forceinline__ unsigned long long before_tile(unsigned long long *state, int64_t tile,
                                                                 unsigned long long total,
                                                                 int lane)
{
    unsigned long long all;

    if (tile == 0) {
        if (lane == 0)
            publish(state, total | ALL);
        return 0;
    }
    if (lane == 0)
        publish(state + tile, total | OWN);
    all = look_back(state, tile, lane);
    if (lane == 0)
        publish(state + tile, (all + total) | ALL);
    return all;
}

/*
 * A tile waits for previous tiles, so those must be running or finished: blocks start in order of
 * their numbers. CUB's prefix sums rely on that, too.
 */
__global__ void __launch_bounds__(THREADS, BLOCKS) scan(const unsigned long long *from, unsigned long long *to,
                                                        int64_t count,
                                                        unsigned long long *state)
{
    __shared__ __align__(16) unsigned long long rows[THREADS * ROW];
    __shared__ unsigned long long warp_sums[THREADS / 32], before;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t first = (int64_t)blockIdx.x * TILE;
    unsigned long long v[ITEMS], own = 0, base;

    load_tile(from + first, count - first, rows);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k += 2) {
        const ulonglong2 two = *(const ulonglong2 *)(rows + threadIdx.x * ROW + k);
        v[k] = own += two.x, v[k + 1] = own += two.y;
    }
    base = warp_inclusive(own, lane);
    if (lane == 31)
        warp_sums[warp] = base;
    base -= own;
    __syncthreads();
    if (warp == 0) {
        const unsigned long long sum = warp_inclusive(lane < THREADS / 32 ? warp_sums[lane] : 0, lane);
        const unsigned long long all = before_tile(state, blockIdx.x,
                                                   __shfl_sync(0xffffffffu, sum, THREADS / 32 - 1), lane);

        if (lane < THREADS / 32)
            warp_sums[lane] = sum;
        if (lane == 0)
            before = all;
    }
    __syncthreads();
    base += before + (warp > 0 ? warp_sums[warp - 1] : 0);
#pragma unroll
    for (int k = 0; k < ITEMS; k += 2)
        *(ulonglong2 *)(rows + threadIdx.x * ROW + k) = make_ulonglong2(v[k] + base, v[k + 1] + base);
    __syncthreads();
    store_tile(to + first, count - first, rows);
}

extern "C" int gf_scan_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_scan *s = (const struct gf_scan *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int64_t tiles = gf_ceil_div(s->count, TILE);
    const size_t bytes = (size_t)tiles * sizeof(uint64_t);
    unsigned long long *state = NULL;
    int result = -1;

    if (s->count <= 0)
        return 0;
    if (gf_cuda_check(gf_cuda_borrow((void **)&state, bytes, stream), "memory for prefix sums", err) != 0)
        return -1;
    if (gf_cuda_check(cudaMemsetAsync(state, 0, bytes, stream), "prefix sums", err) == 0) {
        scan<<<(unsigned)tiles, THREADS, 0, stream>>>((const unsigned long long *)io->src.data,
                                                      (unsigned long long *)io->dst.data,
                                                      s->count, state);
        result = gf_cuda_launched("prefix sums", err);
    }
    cudaFreeAsync(state, stream);
    return result;
}
