/* The lesson on branches: what a warp does whose threads take different sides. */
#include "kernels/lessons/divergence.h"

#include "base/clones.h"
#include "kernels/lessons/steps.h"

#define WARP 32                          /* threads that execute the same instruction */
#define GROUP 64                         /* samples that a CPU changes together, in vectors */

GF_CLONES static void change_group(const uint32_t *src, uint32_t *dst)
{
    uint32_t v[GROUP], times[GROUP], plus[GROUP];

    for (int i = 0; i < GROUP; i++) {
        v[i] = src[i];
        times[i] = src[i] % 2 == 1 ? GF_LESSON_ODD_TIMES : GF_LESSON_EVEN_TIMES;
        plus[i] = src[i] % 2 == 1 ? GF_LESSON_ODD_PLUS : GF_LESSON_EVEN_PLUS;
    }
    for (int k = 0; k < GF_LESSON_SIDE_TURNS; k++)
        for (int i = 0; i < GROUP; i++)
            v[i] = v[i] * times[i] + plus[i];
    for (int i = 0; i < GROUP; i++)
        dst[i] = v[i];
}

static void change(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint32_t *dst = io->dst;
    int64_t i = first;

    for (; i + GROUP <= end; i += GROUP)
        change_group(src + i, dst + i);
    for (; i < end; i++) {
        const bool odd = src[i] % 2 == 1;
        uint32_t v = src[i];

        for (int k = 0; k < GF_LESSON_SIDE_TURNS; k++)
            v = v * (odd ? GF_LESSON_ODD_TIMES : GF_LESSON_EVEN_TIMES)
                + (odd ? GF_LESSON_ODD_PLUS : GF_LESSON_EVEN_PLUS);
        dst[i] = v;
    }
}

static void change_in_loops(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint32_t *dst = io->dst;

    for (int64_t i = first; i < end; i++) {
        const int turns = gf_lesson_divergence_turns(src[i]);

        dst[i] = src[i];
        for (int k = 0; k < turns; k++)
            dst[i] = dst[i] * GF_LESSON_EVEN_TIMES + GF_LESSON_EVEN_PLUS;
    }
}

/* In a divergent warp, odd and even samples alternate; in another, all are odd or all are even. */
static void prepare(void *to, int64_t count, int percent)
{
    uint32_t *src = to;

    for (int64_t i = 0; i < count; i++) {
        const int64_t warp = i / WARP;
        const bool divergent = (warp + 1) * percent / 100 != warp * percent / 100;
        const uint32_t odd = divergent ? (uint32_t)i & 1 : (uint32_t)warp * 2654435761u >> 31;

        src[i] = ((uint32_t)i * 2654435761u & ~1u) | odd;
    }
}

static double work(int64_t count, int percent)
{
    (void)percent;
    return 2.0 * GF_LESSON_SIDE_TURNS * (double)count;
}

const struct gf_lesson gf_lesson_divergence = {
    .name = "divergence",
    .summary = "an if whose sides are taken by different threads of a warp, loops of different length, and ways around",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t), .prepare = prepare,
    .axis = "percent of divergent warps", .values = { 0, 25, 50, 75, 100 }, .value_count = 5, .axis_linear = true,
    .samples = INT64_C(8) << 20, .unit = "Gop/s", .work = work, .draw_time = true,
    .cpu = { { "plain C", change } },
    .steps = {
        { "if and else", gf_lesson_divergence_branch,
          "32 threads form a warp, which executes one instruction at a time, for those of them that have come to it. "
          "If some take one side of an if and some the other, the warp executes both sides in turn, and threads wait "
          "during the wrong one" },
        { "both sides, then choose", gf_lesson_divergence_both,
          "every thread computes both sides and keeps one result. No warp diverges, but all do the work twice. It pays "
          "only if the sides are a few instructions long; then compilers do it themselves" },
        { "choose numbers, not code", gf_lesson_divergence_numbers,
          "both sides are the same formula with different numbers. Each thread chooses its numbers once, and then all "
          "threads execute the same instructions" },
        { "sorted by side", gf_lesson_divergence_sorted,
          "the threads of a block of 1024 exchange samples first, so that each warp but one has a single side. Sorting "
          "costs a little time, which long sides repay" },
        { "loops of different length", gf_lesson_divergence_loops,
          "another task: the value of a sample decides whether its loop has 32 turns, 64, or so on up to 256; all "
          "warps have all of them. A warp goes on until its longest loop ends, 256 turns, though 144 is the mean",
          .wanted = change_in_loops },
        { "loops, sorted by length", gf_lesson_divergence_sorted_loops,
          "the same, but the threads of a block exchange samples first, so that the threads of a warp have loops of "
          "about equal length", .wanted = change_in_loops } },
    .promises = {
        { 2, 0, GF_LESSON_TIMES, 2, "a divergent warp executes two sides, and each takes the same time", NULL },
        { 3, 0, GF_LESSON_UP_TO, 2, "after sorting, nearly no warp executes two sides",
          "sorting itself takes time here, and barriers make the warps of a block wait for each other" },
        { 1, 0, GF_LESSON_TIMES, 1, "both sides are executed in either case", NULL },
        { 1, 0, GF_LESSON_TIMES, 0.5, "without divergence, it does the work twice", NULL, 1 },
        { 5, 4, GF_LESSON_UP_TO, 1.78, "256 turns of the longest loop, instead of 144 on average",
          "sorting takes time, and warps that end early leave their places empty until the block has ended" } },
    .tell = gf_lesson_divergence_tell,
};
