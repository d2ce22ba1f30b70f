/*
 * Prefix sums on a GPU in one pass: each tile publishes its own sum, then looks back over
 * the tiles before it until one has published all that came before (decoupled look-back,
 * Merrill and Garland 2016).
 */
#include "scan.h"

#include "check.cuh"

#define THREADS 128
#define ITEMS 16                         /* a thread; a tile must not be smaller than gf_scan_state_bytes() allows for */
#define TILE (THREADS * ITEMS)

/* The upper two bits of a tile's word say what the rest is: a sum is less than 2^62. */
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

/* One warp: the sum of everything before tile `tile`. Each lane reads one of the 32 tiles before it. */
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

/* The words of the tiles follow the counter that hands tiles out in order, so a tile's elders always run. */
__global__ void __launch_bounds__(THREADS, 7) scan(const unsigned long long *from, unsigned long long *to, int64_t count,
                                                unsigned long long *counter)
{
    __shared__ unsigned long long rows[THREADS * (ITEMS + 1)], warp_sums[THREADS / 32], before;
    __shared__ int64_t ticket;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned long long *state = counter + 1, v[ITEMS], own = 0, base;
    int64_t first;

    if (threadIdx.x == 0)
        ticket = (int64_t)atomicAdd(counter, 1ull);
    __syncthreads();
    first = ticket * TILE;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int i = k * THREADS + threadIdx.x;
        v[k] = first + i < count ? __ldcs(from + first + i) : 0;
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int i = k * THREADS + threadIdx.x;
        rows[i + i / ITEMS] = v[k];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        v[k] = own += rows[threadIdx.x * (ITEMS + 1) + k];
    base = warp_inclusive(own, lane);
    if (lane == 31)
        warp_sums[warp] = base;
    base -= own;
    __syncthreads();
    if (warp == 0) {
        unsigned long long sum = warp_inclusive(lane < THREADS / 32 ? warp_sums[lane] : 0, lane), all;
        const unsigned long long total = __shfl_sync(0xffffffffu, sum, THREADS / 32 - 1);

        if (lane == 0)
            publish(state + ticket, total | (ticket == 0 ? ALL : OWN));
        all = ticket == 0 ? 0 : look_back(state, ticket, lane);
        if (lane == 0 && ticket != 0)
            publish(state + ticket, (all + total) | ALL);
        if (lane < THREADS / 32)
            warp_sums[lane] = sum;
        if (lane == 0)
            before = all;
    }
    __syncthreads();
    base += before + (warp > 0 ? warp_sums[warp - 1] : 0);
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        rows[threadIdx.x * (ITEMS + 1) + k] = v[k] + base;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int i = k * THREADS + threadIdx.x;
        if (first + i < count)
            to[first + i] = rows[i + i / ITEMS];
    }
}

extern "C" int gf_scan_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_scan *s = (const struct gf_scan *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int64_t tiles = gf_ceil_div(s->count, TILE);

    if (s->count <= 0)
        return 0;
    if (gf_cuda_check(cudaMemsetAsync(s->state, 0, (size_t)(tiles + 1) * sizeof(uint64_t), stream), "prefix sums", err) != 0)
        return -1;
    scan<<<(unsigned)tiles, THREADS, 0, stream>>>((const unsigned long long *)io->src.data, (unsigned long long *)io->dst.data,
                                                  s->count, (unsigned long long *)s->state);
    return gf_cuda_launched("prefix sums", err);
}
