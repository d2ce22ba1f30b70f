/* The lesson on mistakes. */
#include "kernels/lessons/steps.h"

static void add(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint64_t sum = 0;

    for (int64_t i = first; i < end; i++)
        sum += src[i];
    *(uint64_t *)io->dst = sum;
}

const struct gf_lesson gf_lesson_wrong = {
    .name = "wrong",
    .summary = "mistakes made on purpose: races, missing barriers, indices beyond the end, too little memory",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_more = sizeof(uint64_t), .most = 16 << 20,
    .cpu = { { "plain C", add, .serial = true } },
    .steps = {
        { "atomic additions", gf_lesson_wrong_atomics,
          "each thread adds its value with atomicAdd(). It reads, adds and writes without any other thread between. "
          "With an ordinary '*sum += v' two threads could read the same old sum, and one addition would be lost (a "
          "race)" },
        { "barriers", gf_lesson_wrong_blocks,
          "a tree in shared memory, with __syncthreads() before each level: all values of the level before are "
          "written. Threads without a value add 0, so that all reach every barrier" },
        { "__syncwarp", gf_lesson_wrong_warps,
          "a tree for each warp, with __syncwarp() before each level. Since Volta the threads of a warp need not be "
          "at the same place of the program, so leaving it out is a race, too" } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 256, "one atomic addition for 256 values",
          "each block waits at eight barriers" },
        { 2, 1, GF_LESSON_UP_TO, 8, "no barriers of the block",
          "there are eight times as many atomic additions" } },
    .tell = gf_lesson_wrong_tell,
};
