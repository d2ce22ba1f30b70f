/*
 * The lesson on prefix sums: in a block with few steps (Kogge and Stone) or few additions (Brent
 * and Kung), where the blocks' sums are scanned in turn and added by another pass; or in one pass,
 * where each block waits for the result of the previous one.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/scan.h"
#include "kernels/lessons/steps.h"

#define THREADS GF_LESSON_SCAN_THREADS
#define TILE GF_LESSON_SCAN_TILE
#define ITEMS (TILE / THREADS)           /* one pass: values of a thread */

typedef unsigned long long number;

/* ---- several passes ---- */

/* Each round adds the value d positions before, and d doubles: 10 rounds of 1024 additions. */
__global__ void __launch_bounds__(THREADS) blocks_in_few_steps(const number *from, number *to,
                                                               int64_t count, number *sums)
{
    __shared__ number s[THREADS];
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    s[threadIdx.x] = i < count ? from[i] : 0;
    for (unsigned d = 1; d < THREADS; d *= 2) {
        number before = 0;

        __syncthreads();
        if (threadIdx.x >= d)
            before = s[threadIdx.x - d];
        __syncthreads();
        s[threadIdx.x] += before;
    }
    if (i < count)
        to[i] = s[threadIdx.x];
    if (threadIdx.x == THREADS - 1)
        sums[blockIdx.x] = s[threadIdx.x];
}

/*
 * Returns where value i lies in shared memory. A row of the banks has 16 numbers of 64 bits. With a
 * gap after each row, numbers that are a power of two apart lie in different banks.
 */
template <bool PADDED> static __device__ __forceinline__ unsigned place(unsigned i)
{
    return PADDED ? i + i / 16 : i;
}

/* A tree up and a tree down, over two values a thread: 21 rounds, most of which use few threads. */
template <bool PADDED>
__global__ void __launch_bounds__(THREADS) blocks_with_little_work(const number *from, number *to,
                                                                   int64_t count, number *sums)
{
    __shared__ number s[2 * THREADS + 2 * THREADS / 16];
    const int64_t i = (int64_t)blockIdx.x * 2 * THREADS + threadIdx.x;

    s[place<PADDED>(threadIdx.x)] = i < count ? from[i] : 0;
    s[place<PADDED>(threadIdx.x + THREADS)] = i + THREADS < count ? from[i + THREADS] : 0;
    for (unsigned d = 1; d <= THREADS; d *= 2) {
        const unsigned at = (threadIdx.x + 1) * 2 * d - 1;

        __syncthreads();
        if (at < 2 * THREADS)
            s[place<PADDED>(at)] += s[place<PADDED>(at - d)];
    }
    for (unsigned d = THREADS / 2; d > 0; d /= 2) {
        const unsigned at = (threadIdx.x + 1) * 2 * d - 1;

        __syncthreads();
        if (at + d < 2 * THREADS)
            s[place<PADDED>(at + d)] += s[place<PADDED>(at)];
    }
    __syncthreads();
    if (i < count)
        to[i] = s[place<PADDED>(threadIdx.x)];
    if (i + THREADS < count)
        to[i + THREADS] = s[place<PADDED>(threadIdx.x + THREADS)];
    if (threadIdx.x == 0)
        sums[blockIdx.x] = s[place<PADDED>(2 * THREADS - 1)];
}

/* Adds the sum of all previous blocks. */
__global__ void __launch_bounds__(THREADS) add_before(number *to, int64_t count, const number *sums, int each)
{
    const int64_t i = (int64_t)each + (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < count)
        to[i] += sums[i / each - 1];
}

typedef void scanning(const number *from, number *to, int64_t count, number *sums);

/* Scans the blocks, then their sums in the same way, and adds those to later blocks. */
static void scan_levels(scanning *kernel, int each, const number *from, number *to, int64_t count, number *sums,
                        cudaStream_t stream)
{
    const int64_t blocks = gf_ceil_div(count, each);

    kernel<<<(unsigned)blocks, THREADS, 0, stream>>>(from, to, count, sums);
    if (blocks == 1)
        return;
    scan_levels(kernel, each, sums, sums, blocks, sums + blocks, stream);
    add_before<<<(unsigned)gf_ceil_div(count - each, THREADS), THREADS, 0, stream>>>(to, count, sums, each);
}

static int several_passes(scanning *kernel, int each, struct gf_lesson_io *io, struct gf_error *err)
{
    scan_levels(kernel, each, (const number *)io->src, (number *)io->dst, io->count, (number *)io->scratch,
                (cudaStream_t)io->stream);
    return gf_cuda_launched("lesson of prefix sums", err);
}

extern "C" int gf_lesson_scan_steps(struct gf_lesson_io *io, struct gf_error *err)
{
    return several_passes(blocks_in_few_steps, THREADS, io, err);
}

extern "C" int gf_lesson_scan_work(struct gf_lesson_io *io, struct gf_error *err)
{
    return several_passes(blocks_with_little_work<false>, 2 * THREADS, io, err);
}

extern "C" int gf_lesson_scan_padded(struct gf_lesson_io *io, struct gf_error *err)
{
    return several_passes(blocks_with_little_work<true>, 2 * THREADS, io, err);
}

/* ---- one pass ---- */

static __device__ __forceinline__ unsigned load_acquire(const unsigned *word)
{
    unsigned v;

    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(word) : "memory");
    return v;
}

static __device__ __forceinline__ void store_release(unsigned *word, unsigned v)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(v) : "memory");
}

/*
 * Returns the sum before tile `tile`, whose own sum is `total`, and publishes it for the next tile.
 * One thread.
 */
static __device__ __forceinline__ number take_over(struct gf_lesson_scan_link *chain, int64_t tile, number total)
{
    number before = 0;

    if (tile > 0) {
        while (load_acquire(&chain[tile - 1].ready) == 0)
            ;
        before = chain[tile - 1].sum;
    }
    chain[tile].sum = before + total;
    store_release(&chain[tile].ready, 1);
    return before;
}

/* Tiles are assigned in the order in which blocks start, so the previous one is always running. */
__global__ void __launch_bounds__(THREADS) in_one_pass(const number *from, number *to, int64_t count,
                                                       struct gf_lesson_scan_link *chain,
                                                       unsigned long long *next)
{
    __shared__ number s[TILE], sums[THREADS], before;
    __shared__ int64_t tile;
    number own = 0;

    if (threadIdx.x == 0)
        tile = (int64_t)atomicAdd(next, 1ull);
    __syncthreads();
    for (int i = threadIdx.x; i < TILE; i += THREADS)
        s[i] = tile * TILE + i < count ? from[tile * TILE + i] : 0;
    __syncthreads();
    for (int k = 0; k < ITEMS; k++)
        s[threadIdx.x * ITEMS + k] = own += s[threadIdx.x * ITEMS + k];
    sums[threadIdx.x] = own;
    for (unsigned d = 1; d < THREADS; d *= 2) {
        number less = 0;

        __syncthreads();
        if (threadIdx.x >= d)
            less = sums[threadIdx.x - d];
        __syncthreads();
        sums[threadIdx.x] += less;
    }
    if (threadIdx.x == THREADS - 1)
        before = take_over(chain, tile, sums[threadIdx.x]);
    __syncthreads();
    for (int i = threadIdx.x; i < TILE; i += THREADS)
        if (tile * TILE + i < count)
            to[tile * TILE + i] = s[i] + before + (i < ITEMS ? 0 : sums[i / ITEMS - 1]);
}

extern "C" int gf_lesson_scan_chained(struct gf_lesson_io *io, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    const int64_t tiles = gf_ceil_div(io->count, TILE);
    unsigned long long *next = (unsigned long long *)io->scratch;

    if (gf_cuda_check(cudaMemsetAsync(next, 0, 16 + (size_t)tiles * sizeof(struct gf_lesson_scan_link), stream),
                      "lesson of prefix sums", err) != 0)
        return -1;
    in_one_pass<<<(unsigned)tiles, THREADS, 0,
        stream>>>((const number *)io->src, (number *)io->dst, io->count, (struct gf_lesson_scan_link *)(next + 2),
                                                         next);
    return gf_cuda_launched("lesson of prefix sums", err);
}
