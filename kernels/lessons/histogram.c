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

const struct gf_lesson gf_lesson_histogram = {
    .name = "histogram",
    .summary = "count bytes: where the counters are stored, and which thread reads which byte",
    .fill = GF_LESSON_BYTES, .src_bytes = 1, .dst_more = GF_LESSON_BINS * sizeof(uint64_t),
    .cpu = { { "plain C", count_bytes, .serial = true } },
    .steps = {
        { "a part for each thread", gf_lesson_histogram_parts,
          "each thread reads its own part of the bytes, as a CPU core would. The 32 threads of a warp then read 32 "
          "distant places at the same time, and all threads increment the same 256 counters. The second-level cache "
          "does this, for one counter once at a time" },
        { "interleaved", gf_lesson_histogram_interleaved,
          "neighboring threads read neighboring bytes, so one memory transaction serves a warp. But the threads "
          "still wait for the same counters" },
        { "counters in shared memory", gf_lesson_histogram_private,
          "each block has its own counters inside the multiprocessor, and adds them to the others at the end, so "
          "threads seldom wait for each other" } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 32, "one memory transaction per warp instead of 32",
          "the order of reads hardly matters, because the threads wait for the counters" },
        { 2, 1, GF_LESSON_TIMES, 10, "shared memory has a much shorter latency", NULL,
          .more = "each block has its own counters, so all multiprocessors count at the same time" } },
    .operation_why = "each of the 32 threads of a warp has a column of counters of its own in shared memory, and a "
        "load brings it several bytes. So threads of a warp never wait for each other, even if all bytes are equal",
};
