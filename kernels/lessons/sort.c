/* The lesson on sorting. */
#include "kernels/lessons/sort.h"
#include "kernels/lessons/steps.h"

#include <stdlib.h>

/* Sorts by one byte, and keeps the order of keys in which it is equal. */
static void sort_by_byte(const uint32_t *from, uint32_t *to, int64_t count, int shift)
{
    int64_t begin[257] = { 0 };

    for (int64_t i = 0; i < count; i++)
        begin[(from[i] >> shift & 255) + 1]++;
    for (int byte = 0; byte < 256; byte++)
        begin[byte + 1] += begin[byte];
    for (int64_t i = 0; i < count; i++)
        to[begin[from[i] >> shift & 255]++] = from[i];
}

static void sort_keys(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const int64_t count = end - first;
    uint32_t *other = malloc((size_t)count * sizeof *other), *dst = io->dst;

    if (other == NULL)
        return;                          /* then steps differ from the result, which is reported */
    sort_by_byte(io->src, other, count, 0);
    sort_by_byte(other, dst, count, 8);
    sort_by_byte(dst, other, count, 16);
    sort_by_byte(other, dst, count, 24);
    free(other);
}

/* Keys between passes, the counts of digits, and the totals of their tiles; or CUB. */
static size_t scratch_bytes(int64_t count, int value)
{
    const size_t counts = (size_t)gf_ceil_div(count, GF_LESSON_SORT_TILE) * GF_LESSON_SORT_DIGITS;
    const size_t own = ((size_t)gf_ceil_div(count, 64) * 64 + counts + counts / 1024 + 64) * sizeof(uint32_t);
    const size_t room = gf_lesson_sort_room(count);

    (void)value;
    return own > room ? own : room;
}

static double keys(int64_t count, int value)
{
    (void)value;
    return (double)count;
}

const struct gf_lesson gf_lesson_sort = {
    .name = "sort",
    .summary = "sort 32-bit integers: bits per pass, and how keys reach their places",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t),
    .checked = { 1, 1000, 8192, 8193, 100003 },
    .unit = "G keys/s", .work = keys,
    .cpu = { { "plain C", sort_keys, .serial = true } },
    .steps = {
        { "one bit a pass", gf_lesson_sort_one,
          "32 passes. In each, keys with a 0 in that bit go before those with a 1, and a scan over the blocks' "
          "counts says where each block's keys go. A pass reads all keys twice and writes them once" },
        { "four bits a pass", gf_lesson_sort_four,
          "the same with 16 digits: 8 passes instead of 32. A thread finds its rank by 4 ballots, one for each bit, "
          "instead of 1" },
        { "eight bits a pass", gf_lesson_sort_eight,
          "256 digits, 4 passes. The 32 keys of a warp now go to nearly 32 different places, so each write is a "
          "transaction of its own" },
        { "eight bits a pass, in runs", gf_lesson_sort_runs,
          "the block first sorts its 8192 keys in shared memory. Keys of one digit, about 32, are then neighbors, "
          "and a warp writes them in few transactions" },
        { "CUB", gf_lesson_sort_cub,
          "cub::DeviceRadixSort::SortKeys(): on today's GPUs one kernel counts the digits of all passes at once, and "
          "each pass reads and writes the keys once: its blocks look back for the counts of those before them, as in "
          "a scan" },
        { "Thrust", gf_lesson_sort_thrust,
          "thrust::sort() sorts in place, so the keys are copied first. For integers and floats in their usual order "
          "it is CUB's radix sort, for other types and comparisons a merge sort. It allocates memory in each call, and "
          "waits, so the host's clock measures it", GF_LESSON_HOST_CLOCK } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 4, "8 passes instead of 32", "each pass takes longer: more ballots for a key, and "
          "more places that a warp writes to" },
        { 2, 1, GF_LESSON_UP_TO, 2, "4 passes instead of 8",
          "each pass takes longer: more ballots for a key, and a warp writes to nearly 32 places instead of at most "
          "16" },
        { 3, 2, GF_LESSON_UP_TO, 8, "a transaction of 32 bytes writes 8 keys instead of 1",
          "the second-level cache joins many of the single writes, and writing is only a part of a pass" },
        { 3, GF_LESSON_ONE_CORE, GF_LESSON_CROSSING, 1,
          "a pass is five launches of some microseconds, which a small number of keys does not pay for", NULL },
        { 4, 3, GF_LESSON_TIMES, 1.33,
          "9 accesses to memory for each key instead of 12: a pass reads it once, not twice", NULL } },
    .scratch_bytes = scratch_bytes,
};
