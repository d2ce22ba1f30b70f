/*
 * The lesson on mistakes: kernels that are wrong on purpose, and what they compute. Where only
 * chance decides, threads wait so that the bad order happens. Nothing here checks the results.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#define WHAT "lesson of mistakes"
#define THREADS 256
#define WARP 32
#define DELAY 20000                      /* clocks: about 10 us */
#define ELEMENTS 1000                    /* of an array whose end is missed */
#define BLOCK 128
#define WORDS 2048                       /* of the memory for results */

static __device__ void wait(long long clocks)
{
    const long long start = clock64();

    while (clock64() - start < clocks)
        ;
}

/* Every thread reads the sum, and then every thread writes it: all but one of the additions are lost. */
__global__ void race(unsigned *sum)
{
    const unsigned old = *(volatile unsigned *)sum;

    __syncthreads();
    *(volatile unsigned *)sum = old + 1;
}

/* Turns the order of 256 numbers around. The last four warps are late, and nobody waits for them. */
__global__ void without_barrier(unsigned *to)
{
    __shared__ volatile unsigned s[THREADS];

    s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x >= THREADS / 2)
        wait(DELAY);
    s[threadIdx.x] = threadIdx.x + 1;
    to[threadIdx.x] = s[THREADS - 1 - threadIdx.x];          /* __syncthreads() is missing before this line */
}

/* Half of the block returns before the barrier. The others are not kept waiting. */
__global__ void half_at_barrier(unsigned *passed)
{
    if (threadIdx.x >= THREADS / 2)
        return;
    __syncthreads();
    atomicAdd(passed, 1u);
}

/* 'if (i < n)' is missing. */
__global__ void beyond_the_end(unsigned *to)
{
    to[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

/* A warp adds 32 ones. The upper half of its threads is late, and nobody waits for it. */
__global__ void without_syncwarp(unsigned *to)
{
    __shared__ volatile unsigned s[WARP];
    const unsigned lane = threadIdx.x;

    s[lane] = 0;
    __syncwarp();
    if (lane >= WARP / 2) {
#if __CUDA_ARCH__ >= 700
        __nanosleep(10000);
#endif
        s[lane] = 1;
    } else {
        s[lane] = 1 + s[lane + WARP / 2];                    /* __syncwarp() is missing before this read */
        to[lane] = s[lane];
    }
}

/* ---- what it says ---- */

/* Waits for the kernel before, and copies its results. */
static int fetch(unsigned *to, const unsigned *from, struct gf_error *err)
{
    return gf_cuda_launched(WHAT, err) != 0
        || gf_cuda_check(cudaMemcpy(to, from, WORDS * sizeof *to, cudaMemcpyDeviceToHost), WHAT, err) != 0
        || gf_cuda_check(cudaMemset((void *)from, 0, WORDS * sizeof *to), WHAT, err) != 0 ? -1 : 0;
}

static int tell_blocks(const struct gf_lesson_report *r, unsigned *gpu, unsigned *got, struct gf_error *err)
{
    int wrong = 0, outside = 0;

    race<<<1, THREADS>>>(gpu);
    if (fetch(got, gpu, err) != 0)
        return -1;
    gf_lesson_say(r, "wrong, a race: %d threads add 1 without atomicAdd(), and all read before the first writes: the "
                  "sum is %u, right is %d", THREADS, got[0], THREADS);
    without_barrier<<<1, THREADS>>>(gpu);
    if (fetch(got, gpu, err) != 0)
        return -1;
    for (unsigned i = 0; i < THREADS; i++)
        wrong += got[i] != THREADS - i;
    gf_lesson_say(r, "wrong, a missing barrier: %d numbers are turned around in shared memory, and four of eight warps "
                  "are late: %d numbers are wrong; the first is %u, right is %d", THREADS, wrong, got[0], THREADS);
    half_at_barrier<<<1, THREADS>>>(gpu);
    if (fetch(got, gpu, err) != 0)
        return -1;
    gf_lesson_say(r, "wrong, a barrier that half of a block skips: %u of %d threads passed it. Here the others had "
                  "returned, and GPUs do not wait for those; CUDA calls it undefined. If they went on instead, to "
                  "another barrier or in a loop, the block could wait forever", got[0], THREADS);
    beyond_the_end<<<(ELEMENTS + BLOCK - 1) / BLOCK, BLOCK>>>(gpu);
    if (fetch(got, gpu, err) != 0)
        return -1;
    for (int i = ELEMENTS; i < WORDS; i++)
        outside += got[i] != 0;
    gf_lesson_say(r, "wrong, an index beyond the end: 8 blocks of %d threads write an array of %d without 'if (i < n)':"
                  " %d values after it were overwritten, and no call returned an error", BLOCK, ELEMENTS, outside);
    return 0;
}

static int tell_warp(const struct gf_lesson_report *r, unsigned *gpu, unsigned *got, struct gf_error *err)
{
    int sum = 0;

    without_syncwarp<<<1, WARP>>>(gpu);
    if (fetch(got, gpu, err) != 0)
        return -1;
    for (int i = 0; i < WARP / 2; i++)
        sum += got[i];
    gf_lesson_say(r, "wrong, no __syncwarp(): each of 16 threads adds its 1 and that of a thread of the same warp that "
                  "is late: the sum is %d, right is %d. Before Volta a warp had one place in the program, so code "
                  "without branches needed no barrier, and many programs still have none", sum, WARP);
    return 0;
}

static int tell_memory(const struct gf_lesson_report *r, struct gf_error *err)
{
    size_t unused = 0, all = 0;
    void *memory = NULL;
    cudaError_t first, second;

    if (gf_cuda_check(cudaMemGetInfo(&unused, &all), WHAT, err) != 0)
        return -1;
    first = cudaMalloc(&memory, all + all);
    (void)cudaGetLastError();
    second = cudaMalloc(&memory, THREADS);
    gf_lesson_say(r, "wrong, too much memory: cudaMalloc() of %.0f GB, of which the GPU has half, returns '%s'. A "
                  "smaller request after that: '%s', so the program can go on", (double)(all + all) * 1e-9,
                  cudaGetErrorString(first), cudaGetErrorString(second));
    if (second == cudaSuccess)
        cudaFree(memory);
    return 0;
}

extern "C" int gf_lesson_wrong_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    unsigned *gpu = NULL, got[WORDS];
    int result = -1;

    if (gf_cuda_check(cudaMalloc(&gpu, sizeof got), WHAT, err) == 0
        && gf_cuda_check(cudaMemset(gpu, 0, sizeof got), WHAT, err) == 0
        && tell_blocks(io->report, gpu, got, err) == 0 && tell_warp(io->report, gpu, got, err) == 0
        && tell_memory(io->report, err) == 0)
        result = 0;
    cudaFree(gpu);
    return result;
}
