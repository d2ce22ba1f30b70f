/* The lesson on atomic operations: what they cost, and where to combine them. */
#include "kernels/lessons/steps.h"

#include <string.h>

#define MOST_ADDRESSES (1 << 20)

static void count_samples(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint32_t *counters = io->dst;

    memset(counters, 0, MOST_ADDRESSES * sizeof *counters);
    for (int64_t i = first; i < end; i++)
        counters[src[i]]++;
}

/* Spreads the samples over the counters, in no order. All numbers of counters are powers of two. */
static void prepare(void *to, int64_t count, int addresses)
{
    uint32_t *src = to;

    for (int64_t i = 0; i < count; i++) {
        uint32_t h = (uint32_t)i;

        h = (h ^ h >> 16) * 0x7feb352du;                     /* Wellons 2018 */
        h = (h ^ h >> 15) * 0x846ca68bu;
        src[i] = (h ^ h >> 16) & ((uint32_t)addresses - 1);
    }
}

static double work(int64_t count, int addresses)
{
    (void)addresses;
    return (double)count;
}

const struct gf_lesson gf_lesson_atomics = {
    .name = "atomics",
    .summary = "threads increment the same counters: in memory, or combined in warps, blocks or threads first",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_more = MOST_ADDRESSES * sizeof(uint32_t),
    .prepare = prepare,
    .axis = "addresses", .values = { 1, 4, 32, 256, 1024, 8192, 32768, 131072, MOST_ADDRESSES }, .value_count = 9,
    .samples = INT64_C(16) << 20, .unit = "Gcounts/s", .work = work,
    .cpu = { { "plain C", count_samples, .serial = true } },
    .steps = {
        { "counters in memory", gf_lesson_atomics_memory,
          "every thread increments a counter in the GPU's memory (`addresses` is the number of counters). The L2 cache "
          "does it, and increments of one address happen one after another. Up to some hundred counters lie so close "
          "together that a small part of the cache does all the work" },
        { "combined in warps", gf_lesson_atomics_warps,
          "threads of a warp that increment the same counter find each other with one vote, and one of them adds for "
          "all. With many counters there is nothing to combine, and the vote is wasted" },
        { "counters in shared memory", gf_lesson_atomics_shared,
          "each block has its own counters inside the multiprocessor, so increments do not travel to the L2 cache. "
          "Many counters leave no room for other blocks, and are cleared and added up for each block; more than 32768 "
          "do not fit (no time)" },
        { "runs in registers", gf_lesson_atomics_registers,
          "each thread counts equal neighbors among 16 consecutive samples in a register. It pays only if neighbors "
          "are equal, as in sorted data, and here with one counter" } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 32, "one increment per warp instead of 32; Adinetz 2014",
          "the hardware combines a part of a warp's increments of one address itself", 1 },
        { 2, 0, GF_LESSON_TIMES, 10, "shared memory has a much shorter latency",
          "the L2 cache is fast at increments, too, if they are spread", 4,
          "each block has its own counters, so all multiprocessors count at the same time" },
        { 3, 0, GF_LESSON_UP_TO, 16, "one increment for 16 samples", "something else takes the time: the loads", 1 } },
    .tell = gf_lesson_atomics_tell,
};
