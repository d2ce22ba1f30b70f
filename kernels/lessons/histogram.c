/* The lesson on counting bytes. */
#include "kernels/lessons/histogram.h"
#include "kernels/lessons/steps.h"

#include <string.h>

static void count_bytes(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint8_t *src = io->src;
    uint64_t *counts = io->dst;

    memset(counts, 0, GF_LESSON_BINS * sizeof *counts);
    for (int64_t i = first; i < end; i++)
        counts[src[i]]++;
}

/* Counters for each block. */
static size_t scratch_bytes(int64_t count, int value)
{
    (void)count;
    (void)value;
    return (size_t)GF_LESSON_HISTOGRAM_BLOCKS * GF_LESSON_BINS * sizeof(uint32_t);
}

const struct gf_lesson gf_lesson_histogram = {
    .name = "histogram",
    .summary = "count bytes: where the counters are, how many sets there are, and which thread reads which byte",
    .fill = GF_LESSON_BYTES, .src_bytes = 1, .dst_more = GF_LESSON_BINS * sizeof(uint64_t),
    .cpu = { { "plain C", count_bytes, .serial = true } },
    .steps = {
        { "a part for each thread", gf_lesson_histogram_parts,
          "each thread reads its own part of the bytes, as a CPU core would. The 32 threads of a warp then read 32 "
          "distant places at the same time, and all threads increment the same 256 counters in memory. The "
          "second-level cache does this, for one counter once at a time" },
        { "interleaved", gf_lesson_histogram_interleaved,
          "neighboring threads read neighboring bytes, so one load of a warp is one sector. But the threads still "
          "wait for the same counters" },
        { "counters for each block, in memory", gf_lesson_histogram_by_block,
          "each block has 256 counters of its own in memory, and adds them to the others at the end (privatization). "
          "Fewer threads wait for the same counter, but each increment still travels to the second-level cache" },
        { "a part for each thread, in shared memory", gf_lesson_histogram_near_parts,
          "the counters of a block are in shared memory, inside the multiprocessor; otherwise as the first step. Now "
          "the order of reads shows" },
        { "in shared memory", gf_lesson_histogram_near,
          "the same, interleaved" },
        { "16 bytes per load", gf_lesson_histogram_wide,
          "each thread loads 16 bytes at once, and counts them one after another (coarsening): a 16th of the loads" },
        { "counters for each warp", gf_lesson_histogram_by_warp,
          "a block has 16 sets of counters, one for each of its warps, so that warps do not wait for each other's "
          "counters. Clearing and adding up takes longer" },
        { "runs in registers", gf_lesson_histogram_runs,
          "each thread counts equal neighbors in a register, and increments once for all of them (aggregation). It "
          "pays if neighbors are equal; noise only adds comparisons" },
        { "half of the counters", gf_lesson_histogram_half,
          "shared memory has only the counters of bytes 64 to 191, as if all did not fit; the others are in memory. "
          "With noise, half of the increments are as slow as in the first steps" } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 32, "a warp reads one sector instead of 32",
          "the order of reads hardly matters, because the threads wait for the counters" },
        { 2, 1, GF_LESSON_UP_TO, 528, "as many sets of counters as blocks; an H100 or H200 runs 528 of these",
          "the second-level cache does all increments, a limited number in each clock" },
        { 4, 2, GF_LESSON_TIMES, 10, "shared memory has a much shorter latency",
          "loads of single bytes are the limit",
          .more = "all multiprocessors count at the same time, each in its own memory" },
        { 4, 3, GF_LESSON_UP_TO, 32, "a warp reads one sector instead of 32",
          "the first-level cache keeps a sector until its other bytes are needed" },
        { 5, 4, GF_LESSON_UP_TO, 16, "a 16th of the loads", "then the increments in shared memory are the limit" },
        { 6, 5, GF_LESSON_UP_TO, 16, "16 sets of counters in a block",
          "with noise, few threads of different warps need the same counter at the same time" } },
    .scratch_bytes = scratch_bytes, .tell = gf_lesson_histogram_tell,
    .operation_why = "each of the 32 threads of a warp has a column of counters of its own in shared memory, and a "
        "load brings it several bytes. So threads of a warp never wait for each other, even if all bytes are equal",
};
