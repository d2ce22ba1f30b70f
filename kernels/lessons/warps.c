/* The lesson on warps. */
#include "kernels/lessons/warps.h"
#include "kernels/lessons/steps.h"

#define WARP 32

typedef void exchange(const unsigned v[WARP], unsigned result[WARP]);

static void sum(const unsigned v[WARP], unsigned result[WARP])
{
    unsigned all = 0;

    for (int k = 0; k < WARP; k++)
        all += v[k];
    for (int k = 0; k < WARP; k++)
        result[k] = all;
}

static void rank(const unsigned v[WARP], unsigned result[WARP])
{
    unsigned bright = 0;

    for (int k = 0; k < WARP; k++)
        result[k] = v[k] >= GF_LESSON_BRIGHT ? bright++ : 0;
}

static void equal(const unsigned v[WARP], unsigned result[WARP])
{
    for (int k = 0; k < WARP; k++) {
        result[k] = 0;
        for (int other = 0; other < WARP; other++)
            result[k] += v[other] == v[k];
    }
}

/* Each round changes the values, so that none can be left out. Beyond the last sample they start with 0. */
static void exchange_values(const struct gf_lesson_io *io, int64_t first, int64_t end, exchange *how)
{
    const uint8_t *src = io->src;
    uint8_t *dst = io->dst;

    for (int64_t at = first / WARP * WARP; at < end; at += WARP) {
        unsigned v[WARP], result[WARP];

        for (int k = 0; k < WARP; k++)
            v[k] = at + k < io->count ? src[at + k] : 0;
        for (int round = 0; round < io->value; round++) {
            how(v, result);
            for (int k = 0; k < WARP; k++)
                v[k] = (5 * v[k] + result[k] + 1) % 256;
        }
        for (int k = 0; k < WARP; k++)
            if (at + k >= first && at + k < end)
                dst[at + k] = (uint8_t)v[k];
    }
}

static void sums(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    exchange_values(io, first, end, sum);
}

static void ranks(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    exchange_values(io, first, end, rank);
}

static void equals(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    exchange_values(io, first, end, equal);
}

/* In each round a warp exchanges 32 values. */
static double warp_rounds(int64_t count, int rounds)
{
    return (double)count / WARP * rounds;
}

const struct gf_lesson gf_lesson_warps = {
    .name = "warps",
    .summary = "how the 32 threads of a warp exchange values: sums, ranks and equal values, through shared memory or "
        "registers",
    .fill = GF_LESSON_BYTES, .src_bytes = 1, .dst_bytes = 1,
    .axis = "rounds", .values = { 1, 4, 16, 64 }, .value_count = 4, .samples = 16 << 20,
    .checked = { 1, 33, 1000, 5003 },
    .unit = "G warps/s", .work = warp_rounds,
    .cpu = { { "sum: plain C", sums } },
    .steps = {
        { "sum: shared memory", gf_lesson_warps_sum_shared,
          "five rounds; in each, every thread writes its value to shared memory, reads that of another thread and "
          "adds it. That is ten accesses, and the warp waits after each until all its threads have finished it" },
        { "sum: shuffles", gf_lesson_warps_sum_shuffles,
          "the same rounds, but one instruction reads the register of another thread: five exchanges instead of ten "
          "accesses, and no shared memory" },
        { "sum: one instruction", gf_lesson_warps_sum_instruction,
          "__reduce_add_sync: the hardware adds the 32 integers itself (GPUs since 2020, integers only)" },
        { "sum: cooperative groups", gf_lesson_warps_sum_group,
          "cg::reduce names what is wanted, and the compiler chooses: here the instruction, shuffles on older GPUs" },
        { "rank: shared memory", gf_lesson_warps_rank_shared,
          "how many samples before this one are bright: a scan in five rounds through shared memory", .wanted = ranks },
        { "rank: shuffles", gf_lesson_warps_rank_shuffles, "the same scan through registers", .wanted = ranks },
        { "rank: ballot", gf_lesson_warps_rank_ballot,
          "each thread answers yes or no, and all get the 32 answers as the bits of one word. The rank is the number "
          "of lower bits that are set: one vote and one bit count instead of five rounds", .wanted = ranks },
        { "rank: cooperative groups", gf_lesson_warps_rank_group,
          "binary_partition makes a group of the threads that answer yes, in which each has a number. It is a "
          "ballot, too",
          .wanted = ranks },
        { "equal: shared memory", gf_lesson_warps_equal_shared,
          "how many threads have the same value: each thread compares its own with all 32 in shared memory",
          .wanted = equals },
        { "equal: ballots", gf_lesson_warps_equal_ballots,
          "a ballot for each of the 8 bits. Threads that agree in all of them have the same value", .wanted = equals },
        { "equal: match", gf_lesson_warps_equal_match,
          "__match_any_sync: one instruction returns the threads that have the same value, of up to 64 bits",
          .wanted = equals },
    },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 2, "5 exchanges instead of 10 accesses to shared memory", NULL },
        { 2, 1, GF_LESSON_UP_TO, 5, "1 instruction instead of 5 shuffles",
          "the instruction takes as long as several shuffles; what also takes time is the rest of a round" },
        { 3, 2, GF_LESSON_TIMES, 1, "it is the same instruction", NULL },
        { 6, 5, GF_LESSON_UP_TO, 5, "1 vote instead of 5 shuffles", "the bit count and the rest of a round take "
            "time, too" },
        { 7, 6, GF_LESSON_TIMES, 1, "it is the same vote", "the group also finds its size and its members" },
        { 10, 8, GF_LESSON_UP_TO, 32, "1 instruction instead of 32 comparisons",
          "the instruction takes many cycles, and reads of one place by all threads are cheap" },
        { 1, 0, GF_LESSON_TIMES, 1,
          "with one round, memory and the launch take the time, whatever the exchange", NULL, .at = 1 },
    },
};
