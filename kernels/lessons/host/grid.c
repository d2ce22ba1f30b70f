/* The lesson on barriers across a grid. */
#include "kernels/lessons/host/grid.h"

#include "kernels/lessons/steps.h"

#include <string.h>

/* In each round, every word becomes a mixture of itself and the next one; the first follows the last. */
static void mix(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    uint32_t *dst = io->dst;

    (void)first;
    (void)end;
    memcpy(dst, io->src, (size_t)io->count * sizeof *dst);
    for (int k = 0; k < io->value; k++) {
        const uint32_t begin = dst[0];

        for (int64_t i = 0; i < io->count; i++)
            dst[i] = gf_lesson_grid_mix(dst[i], i + 1 < io->count ? dst[i + 1] : begin);
    }
}

static size_t scratch_bytes(int64_t count, int value)
{
    (void)value;
    return 2 * (size_t)count * sizeof(uint32_t) + 64;
}

static double work(int64_t count, int rounds)
{
    (void)count;
    return rounds * 1e3;
}

const struct gf_lesson gf_lesson_grid = {
    .name = "grid",
    .summary = "rounds in which each needs the whole result of the one before: launches, or barriers for all blocks",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t),
    .axis = "rounds", .values = { 1, 4, 16, 64, 256 }, .value_count = 5, .samples = 64 << 10,
    .checked = { 1, 1000, 4099, 65536 },
    .unit = "rounds/us", .work = work,
    .cpu = { { "plain C", mix, .serial = true } },
    .steps = {
        { "a launch for each round", gf_lesson_grid_launches,
          "each round is a kernel. The next one begins when all blocks of this one have ended, so a launch is a "
          "barrier for all" },
        { "a barrier by hand", gf_lesson_grid_hand,
          "one kernel for all rounds. After each round a thread of each block adds 1 to a counter in memory, and "
          "waits until it has counted all blocks. This ends only if all blocks run at the same time, which a "
          "cooperative launch promises" },
        { "cooperative groups", gf_lesson_grid_groups,
          "the same with grid.sync() of cooperative groups" },
        { "one block", gf_lesson_grid_block,
          "a single block of 1024 threads, and __syncthreads(). All other multiprocessors are idle" } },
    .promises = {
        { 2, 0, GF_LESSON_UP_TO, 3, "no launch for a round; only blocks that wait for each other",
          "a barrier for the whole grid goes through memory, as a launch does" },
        { 1, 2, GF_LESSON_TIMES, 1, "it is what cooperative groups do", NULL },
        { 3, 2, GF_LESSON_UP_TO, 10, "a barrier within one multiprocessor instead of one through memory",
          "one multiprocessor has to do the work of all" } },
    .scratch_bytes = scratch_bytes,
};
