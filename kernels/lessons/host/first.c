/* The first lesson: grids, blocks and threads. */
#include "kernels/lessons/host/first.h"

#include "kernels/lessons/steps.h"

static void turn_gray(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint8_t *src = io->src;
    uint8_t *dst = io->dst;

    for (int64_t i = first; i < end; i++)
        dst[i] = gf_lesson_first_gray(src + 3 * i);
}

const struct gf_lesson gf_lesson_first = {
    .name = "first",
    .summary = "a color image becomes gray: one thread, one block, many blocks, two dimensions, and copies",
    .fill = GF_LESSON_BYTES, .src_bytes = 3, .dst_bytes = 1, .most = INT64_C(64) << 20,
    .cpu = { { "plain C", turn_gray } },
    .steps = {
        { "one thread", gf_lesson_first_thread,
          "<<<1, 1>>>: one block of one thread, with the loop of plain C. It waits for each load, and nothing else "
          "runs meanwhile. A GPU's thread is much slower than a CPU's (not timed above 1M samples)" },
        { "one block", gf_lesson_first_block,
          "<<<1, 256>>>: 256 threads on one multiprocessor. Each takes every 256th pixel, beginning with pixel "
          "threadIdx.x. The other multiprocessors are idle" },
        { "many blocks", gf_lesson_first_blocks,
          "<<<(n + 255) / 256, 256>>>: a thread for each pixel, which is number blockIdx.x * blockDim.x + threadIdx.x. "
          "The number of blocks is rounded up, so the last threads have no pixel, and an if stops them" },
        { "grid-stride loop", gf_lesson_first_stride,
          "as many blocks as run at once. Each thread goes on with the pixel that is a whole grid further, "
          "gridDim.x * blockDim.x, so any number of blocks gives the right result" },
        { "two dimensions, 16 x 16", gf_lesson_first_square,
          "dim3 block(16, 16): a thread for each pixel of an image with rows of 1024, at row y and column x, which is "
          "pixel y * 1024 + x (row-major). Threads count along x first, so the 32 of a warp are two half rows" },
        { "two dimensions, 32 x 8", gf_lesson_first_wide,
          "dim3 block(32, 8): as many threads, but a warp is 32 neighbors of one row" },
        { "a copy for each pixel", gf_lesson_first_copies,
          "each pixel is copied to the GPU by a call of its own, then one launch, then each result is copied back by a "
          "call of its own (not timed above 4K samples)", GF_LESSON_HOST_CLOCK, .to_host = true },
        { "one copy each way", gf_lesson_first_copy,
          "all pixels are copied by one call, and all results by another. The bytes are the same, but each call costs "
          "microseconds", GF_LESSON_HOST_CLOCK, .to_host = true },
        { "allocate, copy, launch, copy, free", gf_lesson_first_whole,
          "the five steps of a small program: cudaMalloc, cudaMemcpy to the GPU, the launch, cudaMemcpy back, "
          "cudaFree, all for one image and from memory of malloc(). Programs that work on many images allocate once",
          GF_LESSON_HOST_CLOCK, .to_pageable = true },
        { "three dimensions, 32 x 4 x 2", gf_lesson_first_slices,
          "dim3 block(32, 4, 2): the same pixels, seen as slices of 64 rows, as those of a tomograph. The pixel in "
          "column x, row y and slice z is number (z * 64 + y) * 1024 + x. A block has as many threads as before: 32 in "
          "x, 4 in y and 2 in z, so a warp is 32 neighbors of one row" } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 256, "256 threads instead of one",
          "one thread finds most of its bytes in a cache: a sector has those of ten pixels", 6 },
        { 2, 1, GF_LESSON_UP_TO, 1056, "132 multiprocessors of an H100 or H200, 8 blocks on each, instead of one block",
          "each thread loads three single bytes, so too few bytes are on their way" },
        { 3, 2, GF_LESSON_TIMES, 1, "the same loads and stores, in fewer blocks", NULL,
          .more = "each block has to be started, for only a pixel per thread" },
        { 5, 4, GF_LESSON_TIMES, 1, "a warp reads as many bytes, from one row instead of two", NULL },
        { 7, 6, GF_LESSON_UP_TO, 8192, "two calls instead of 8192; each costs about as much for one pixel as for 4096",
          "the launch and the wait cost as much as many calls", 2 },
        { 2, GF_LESSON_ONE_CORE, GF_LESSON_CROSSING, 1,
          "a launch takes microseconds, in which a core computes thousands of pixels", NULL },
        { 8, 7, GF_LESSON_TIMES, 0.5, "memory is allocated for each image, and pageable memory is copied twice",
          "cudaMalloc and cudaFree each take longer than a launch, and cudaFree waits for the GPU" },
        { 9, 5, GF_LESSON_TIMES, 1, "the warps are the same; only the index has another term", NULL } },
    .host = true, .tell = gf_lesson_first_tell,
};
