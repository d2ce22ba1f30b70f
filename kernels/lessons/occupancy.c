/* The lesson on occupancy: how many threads a multiprocessor needs. */
#include "kernels/lessons/steps.h"

static void add_one(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint32_t *dst = io->dst;

    for (int64_t i = first; i < end; i++)
        dst[i] = src[i] + 1;
}

const struct gf_lesson gf_lesson_occupancy = {
    .name = "occupancy",
    .summary = "threads per block, registers and shared memory: how many threads run at once, and when that matters",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t),
    .axis = "threads per block", .values = { 32, 64, 128, 256, 512, 1024 }, .value_count = 6,
    .samples = INT64_C(32) << 20,
    .cpu = { { "plain C", add_one } },
    .steps = {
        { "one load at a time", gf_lesson_occupancy_one,
          "each thread loads a sample, waits hundreds of clocks for it, and stores it. Meanwhile the multiprocessor "
          "runs other threads, so it needs very many. Small blocks are too few: it runs 16 to 32 blocks at most" },
        { "one load, four blocks", gf_lesson_occupancy_one_quarter,
          "the same kernel, but each block asks for a quarter of the shared memory. Only four blocks fit, so with "
          "small blocks most of the multiprocessor is idle" },
        { "eight loads at a time", gf_lesson_occupancy_eight,
          "each thread starts eight loads before it waits for the first. Eight times as many bytes are on their way" },
        { "eight loads, four blocks", gf_lesson_occupancy_eight_quarter,
          "few threads with eight loads each keep as many bytes on their way as many threads with one, so low "
          "occupancy does little harm" },
        { "64 loads at a time", gf_lesson_occupancy_many,
          "64 values need more than 64 registers. A multiprocessor has 65536, so it runs fewer threads, and a block of "
          "1024 may not start at all" },
        { "64 loads, 32 registers", gf_lesson_occupancy_many_capped,
          "the same kernel, compiled for 32 registers: more threads run, but values that do not fit are stored in "
          "memory and loaded again (spilled)" } },
    .promises = {
        { 0, 1, GF_LESSON_UP_TO, 8, "8 times as many threads have a load on its way", NULL, 1 },
        { 3, 1, GF_LESSON_UP_TO, 8, "8 times as many loads per thread", NULL, 1 },
        { 3, 0, GF_LESSON_TIMES, 1, "Volkov, 2010: few threads with many loads are as fast as many threads", NULL, 3 },
        { 5, 4, GF_LESSON_UP_TO, 3, "three times as many threads run",
          "spilled values are stored and loaded again, which costs more than the threads gain", 4 } },
    .open = gf_lesson_occupancy_open, .tell = gf_lesson_occupancy_tell,
};
