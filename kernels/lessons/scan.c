/* The lesson on prefix sums. */
#include "kernels/lessons/scan.h"
#include "kernels/lessons/steps.h"

static void add(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint64_t *src = io->src;
    uint64_t *dst = io->dst, sum = 0;

    for (int64_t i = first; i < end; i++)
        dst[i] = sum += src[i];
}

static void add_before(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint64_t *src = io->src;
    uint64_t *dst = io->dst, sum = 0;

    for (int64_t i = first; i < end; i++) {
        dst[i] = sum;
        sum += src[i];
    }
}

static void add_in_segments(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint64_t *src = io->src;
    uint64_t *dst = io->dst, sum = 0;

    for (int64_t i = first; i < end; i++)
        dst[i] = sum = gf_lesson_scan_starts(src[i]) ? src[i] : sum + src[i];
}

/* The sums of blocks, their sums, and so on; the links of the chain; the totals of tiles, which need less; or CUB. */
static size_t scratch_bytes(int64_t count, int value)
{
    const size_t links = (size_t)gf_ceil_div(count, GF_LESSON_SCAN_TILE) * sizeof(struct gf_lesson_scan_link) + 16;
    const size_t room = gf_lesson_scan_room(count), most = links > room ? links : room;
    size_t sums = 0;

    (void)value;
    for (int64_t n = gf_ceil_div(count, GF_LESSON_SCAN_THREADS); ; n = gf_ceil_div(n, GF_LESSON_SCAN_THREADS)) {
        sums += (size_t)n * sizeof(uint64_t);
        if (n <= 1)
            return most > sums ? most : sums;
    }
}

const struct gf_lesson gf_lesson_scan = {
    .name = "scan",
    .summary = "64-bit prefix sums: number of additions and of passes through memory; exclusive, and in segments",
    .fill = GF_LESSON_COUNTS, .src_bytes = sizeof(uint64_t), .dst_bytes = sizeof(uint64_t),
    .cpu = { { "plain C", add, .serial = true } },
    .steps = {
        { "step-efficient", gf_lesson_scan_steps,
          "Kogge and Stone: ten rounds for 1024 values, in which nearly all threads add. That is ten additions per "
          "value. Then the blocks' sums are scanned and added to all values" },
        { "work-efficient", gf_lesson_scan_work,
          "Brent and Kung: a tree up and a tree down. Only two additions per value, but 21 rounds for 2048 values. "
          "The threads of a warp use places that are a power of two apart, which lie in the same bank of shared "
          "memory, so most accesses wait for each other" },
        { "work-efficient, padded", gf_lesson_scan_padded,
          "the same tree, with one unused place after each 16 values, so that the places of a warp lie in different "
          "banks. What is left are the rounds in which few threads work while the whole block waits" },
        { "one pass, chained", gf_lesson_scan_chained,
          "each value is read and written once, but each block waits for the total of the block before it, and this "
          "chain of waits goes through the whole signal" },
        { "totals first", gf_lesson_scan_totals,
          "no block waits: one kernel adds up tiles of 4096 values, a second scans these totals, and a third scans "
          "each tile from its total on, by shuffles. Memory is read twice and written once, and there are few "
          "barriers" },
        { "totals first, exclusive", gf_lesson_scan_exclusive,
          "each sum leaves out its own value. Only what is stored differs, so it takes the same time",
          .wanted = add_before },
        { "totals first, segmented", gf_lesson_scan_segmented,
          "the sum starts again at about one of 1024 values. The same kernels combine pairs of a sum and a flag; if "
          "the flag of the later one is set, nothing is added to it", .wanted = add_in_segments },
        { "CUB", gf_lesson_scan_cub,
          "cub::DeviceScan::InclusiveSum(): one pass with decoupled look-back, as gpufilter's. Tiles and loads are "
          "chosen for this GPU and this type. ExclusiveSum() and ExclusiveScan() are used likewise" },
        { "Thrust", gf_lesson_scan_thrust,
          "thrust::inclusive_scan() calls CUB's kernels. It allocates memory in each call, and waits, so the host's "
          "clock measures it", GF_LESSON_HOST_CLOCK } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 5, "2 additions per value instead of 10",
          "accesses to shared memory wait for each other, because their places lie in the same bank" },
        { 2, 1, GF_LESSON_UP_TO, 3.3, "1160 turns of the banks for 2048 values instead of 3810",
          "each round also ends with a barrier, and blocks read and write memory" },
        { 2, 0, GF_LESSON_UP_TO, 5, "2 additions per value instead of 10",
          "there are twice as many rounds, each with a barrier, and memory is read and written in both" },
        { GF_LESSON_OURS, 0, GF_LESSON_UP_TO, 2, "one pass through memory instead of two: blocks publish their own "
          "sums at once, and look back over those of others until one has a total", NULL },
        { 4, 0, GF_LESSON_UP_TO, 1.33,
          "3 accesses to memory for each value instead of 4; besides, fewer barriers", NULL },
        { 5, 4, GF_LESSON_TIMES, 1, "the same work", NULL },
        { 6, 4, GF_LESSON_TIMES, 1, "a flag beside each sum costs little while memory is the limit", "a pair has "
          "twice as many registers to exchange as a sum, and each addition must look at the flag" },
        { 7, GF_LESSON_OURS, GF_LESSON_TIMES, 1, "both look back, and read and write each value once", NULL } },
    .operation_why = "one pass. Each block publishes its own sum at once, before it knows what precedes it. A warp "
        "of the next block looks back over the sums of 32 blocks at a time until one has a total, so no block waits "
        "for a chain",
    .scratch_bytes = scratch_bytes,
};
