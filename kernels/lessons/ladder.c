/* The lesson on latency: how long one value takes, from the register to memory. */
#include "kernels/lessons/ladder.h"

#include "kernels/lessons/steps.h"

#define KB_WORDS 256

/* Each place has the number of the next one. */
static void follow(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint32_t at = 0;

    (void)first;
    (void)end;
    for (int64_t k = gf_lesson_ladder_steps(io->count); k > 0; k--)
        at = src[at];
    *(uint32_t *)io->dst = at;
}

static void calculate(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    uint32_t v = 0;

    (void)first;
    (void)end;
    for (int64_t k = gf_lesson_ladder_steps(io->count); k > 0; k--)
        v = v * GF_LESSON_LADDER_TIMES + GF_LESSON_LADDER_PLUS;
    *(uint32_t *)io->dst = v;
}

/* One chain through all places, in an order that no hardware foresees (Sattolo's algorithm). */
static void prepare(void *to, int64_t count, int value)
{
    const int64_t places = count / GF_LESSON_LADDER_GAP;
    uint32_t *src = to;
    uint64_t noise = 1;

    (void)value;
    for (int64_t i = 0; i < places; i++)
        src[i * GF_LESSON_LADDER_GAP] = (uint32_t)(i * GF_LESSON_LADDER_GAP);
    for (int64_t i = places - 1; i > 0; i--) {
        int64_t j;
        uint32_t swapped;

        noise = noise * UINT64_C(6364136223846793005) + 1442695040888963407u;
        j = (int64_t)((noise >> 33) % (uint64_t)i);
        swapped = src[i * GF_LESSON_LADDER_GAP];
        src[i * GF_LESSON_LADDER_GAP] = src[j * GF_LESSON_LADDER_GAP];
        src[j * GF_LESSON_LADDER_GAP] = swapped;
    }
}

static int64_t count_at(int kb)
{
    return (int64_t)kb * KB_WORDS;
}

static double work(int64_t count, int kb)
{
    (void)kb;
    return (double)gf_lesson_ladder_steps(count) * 1e3;
}

const struct gf_lesson gf_lesson_ladder = {
    .name = "ladder",
    .summary = "how long a thread waits for one value: registers, shared memory, caches, memory",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_more = sizeof(uint32_t), .prepare = prepare,
    .axis = "KB", .values = { 16, 64, 1024, 16384, 131072 }, .value_count = 5, .count_at = count_at,
    .checked = { 16, 64, 1024 },
    .unit = "M steps/s", .work = work,
    .cpu = { { "plain C", follow, .serial = true } },
    .steps = {
        { "registers", gf_lesson_ladder_registers,
          "a multiplication and an addition, each of which needs the result before it. This is the time of an "
          "instruction, not of an access", .wanted = calculate },
        { "shared memory", gf_lesson_ladder_shared,
          "the table is copied to shared memory first, if it is not too large, and one thread follows the chain "
          "there" },
        { "loads through both caches", gf_lesson_ladder_loads,
          "one thread follows the chain with ordinary loads. A small table stays in the first-level cache of the "
          "multiprocessor, a larger one in the second-level cache, and 128 MB in neither" },
        { "loads from the second-level cache", gf_lesson_ladder_second,
          "the same loads, but past the first-level cache (ld.cg)" } },
    .promises = {
        { 0, 1, GF_LESSON_TIMES, 7, "4 clocks instead of about 30", NULL, 1 },
        { 1, 2, GF_LESSON_UP_TO, 1.5, "it is the same memory, but a cache must find the line", NULL, 1 },
        { 2, 3, GF_LESSON_TIMES, 7, "about 33 clocks instead of 200 and more",
          "the second-level cache of this GPU is near", 1 },
        { 3, 2, GF_LESSON_TIMES, 1, "tables that do not fit the first-level cache come from the second-level one, or "
          "from memory, in both ways", NULL } },
    .open = gf_lesson_ladder_open, .tell = gf_lesson_ladder_tell,
};
