/*
 * The first lesson: counts the threads of an example of textbooks, an image of 76 x 62 pixels in
 * blocks of 16 x 16, on the GPU itself.
 */
#include "kernels/lessons/host/first.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#define WHAT "first lesson"
#define WARP 32

enum { BLOCKS, THREADS_IN_ALL, IDLE_THREADS, DIVERGENT_WARPS, IDLE_WARPS, COUNTS };

/* Each warp votes who has a pixel, and its first thread counts. */
__global__ void count_threads(int width, int height, unsigned *counts)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned votes = __ballot_sync(0xffffffffu, x < width && y < height);

    if (me == 0)
        atomicAdd(counts + BLOCKS, 1u);
    if (me % WARP == 0) {
        atomicAdd(counts + THREADS_IN_ALL, (unsigned)WARP);
        atomicAdd(counts + IDLE_THREADS, (unsigned)(WARP - __popc(votes)));
        atomicAdd(counts + DIVERGENT_WARPS, votes != 0 && votes != 0xffffffffu ? 1u : 0u);
        atomicAdd(counts + IDLE_WARPS, votes == 0 ? 1u : 0u);
    }
}

/* Counts in an image of width x height pixels, in blocks of `block` threads: a multiple of a warp. */
static int count(int width, int height, dim3 block, unsigned counts[COUNTS], struct gf_error *err)
{
    const dim3 grid((unsigned)gf_ceil_div(width, block.x), (unsigned)gf_ceil_div(height, block.y));
    unsigned *own = NULL;
    int result = -1;

    if (gf_cuda_check(cudaMalloc(&own, COUNTS * sizeof *own), WHAT, err) == 0
        && gf_cuda_check(cudaMemset(own, 0, COUNTS * sizeof *own), WHAT, err) == 0) {
        count_threads<<<grid, block>>>(width, height, own);
        if (gf_cuda_launched(WHAT, err) == 0)
            result = gf_cuda_check(cudaMemcpy(counts, own, COUNTS * sizeof *own, cudaMemcpyDeviceToHost), WHAT, err);
    }
    cudaFree(own);
    return result;
}

extern "C" int gf_lesson_first_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    unsigned row[COUNTS], image[COUNTS], wide[COUNTS];

    if (count(1000000, 1, dim3(128, 1), row, err) != 0 || count(76, 62, dim3(16, 16), image, err) != 0
        || count(76, 62, dim3(32, 8), wide, err) != 0)
        return -1;
    if (row[BLOCKS] != 7813 || row[IDLE_THREADS] != 64 || image[BLOCKS] != 20 || image[DIVERGENT_WARPS] != 31)
        return gf_fail(err, GF_FAILED, "lesson first: the threads of an example are not as many as there should be");
    gf_lesson_say(io->report, "counted on the GPU, 1000000 elements in blocks of 128: %u blocks, %u threads, of which "
                  "%u have nothing to do; %u warps diverge", row[BLOCKS], row[THREADS_IN_ALL], row[IDLE_THREADS],
                  row[DIVERGENT_WARPS]);
    gf_lesson_say(io->report, "an image of 76 x 62 in blocks of 16 x 16: %u blocks, %u threads, of which %u have no "
                  "pixel; of %u warps %u diverge, and %u have no pixel at all, so they end at once", image[BLOCKS],
                  image[THREADS_IN_ALL], image[IDLE_THREADS], image[THREADS_IN_ALL] / WARP, image[DIVERGENT_WARPS],
                  image[IDLE_WARPS]);
    gf_lesson_say(io->report, "the same image in blocks of 32 x 8: %u blocks, %u threads, of which %u have no pixel; "
                  "of %u warps %u diverge, and %u have no pixel at all", wide[BLOCKS], wide[THREADS_IN_ALL],
                  wide[IDLE_THREADS], wide[THREADS_IN_ALL] / WARP, wide[DIVERGENT_WARPS], wide[IDLE_WARPS]);
    return 0;
}
