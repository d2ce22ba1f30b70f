/* The lesson on instructions: how many of each kind a GPU executes. */
#include "kernels/lessons/instructions.h"

#include "kernels/lessons/steps.h"

#include <math.h>

static void add_floats(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const float *src = io->src;
    float *dst = io->dst;

    for (int64_t i = first; i < end; i++) {
        float v = src[i];

        for (int k = 0; k < GF_LESSON_TURNS; k++)
            v = v * GF_LESSON_FLOAT_TIMES + GF_LESSON_FLOAT_PLUS;
        dst[i] = v;
    }
}

static void add_words(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const float *src = io->src;
    float *dst = io->dst;

    for (int64_t i = first; i < end; i++) {
        uint32_t v = (uint32_t)(src[i] * 256);

        for (int k = 0; k < GF_LESSON_TURNS; k++)
            v = v * GF_LESSON_WORD_TIMES + GF_LESSON_WORD_PLUS;
        dst[i] = (float)(v >> 16);
    }
}

static void find_sines(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const float *src = io->src;
    float *dst = io->dst;

    for (int64_t i = first; i < end; i++) {
        float v = src[i];

        for (int k = 0; k < GF_LESSON_TURNS; k++)
            v = sinf(v) + GF_LESSON_SINE_PLUS;
        dst[i] = v;
    }
}

static double work(int64_t count, int value)
{
    (void)value;
    return (double)count * GF_LESSON_TURNS;
}

const struct gf_lesson gf_lesson_instructions = {
    .name = "instructions",
    .summary = "float, double and integer arithmetic, divisions, sines, unrolled loops, and __restrict__",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_bytes = sizeof(float), .most = 16 << 20,
    .tolerance = 1e-4,
    .unit = "Gop/s", .work = work,
    .cpu = { { "plain C", add_floats } },
    .steps = {
        { "a loop", gf_lesson_instructions_rolled,
          "256 multiplications with an addition (fmaf), one a turn of a loop: the counter and the branch are "
          "instructions, too" },
        { "unrolled", gf_lesson_instructions_unrolled,
          "the same, with 64 of them in each turn (#pragma unroll). Compilers do it themselves if they know the "
          "number of turns" },
        { "through pointers", gf_lesson_instructions_pointers,
          "the same in memory: dst[i] = dst[i] * factors[0] + factors[1]. The result might be one of the factors, as "
          "far as the compiler knows, so each of the 256 turns loads them again and stores its result" },
        { "__restrict__", gf_lesson_instructions_restrict,
          "the same pointers, of which __restrict__ promises that nothing is reached through two of them. The "
          "compiler keeps all values in registers, and loads and stores once" },
        { "double", gf_lesson_instructions_double,
          "the same in doubles. The unit for doubles is half as wide on GPUs for science, and tiny on those for "
          "games: a constant like 0.5 without f makes a whole expression double" },
        { "integer", gf_lesson_instructions_words,
          "a multiplication with an addition of 32-bit integers",
          .wanted = add_words },
        { "division", gf_lesson_instructions_division,
          "each turn divides and adds. An exact division is a function of some ten instructions" },
        { "__fdividef", gf_lesson_instructions_fast_division,
          "the same by an intrinsic: a multiplication by the reciprocal, of which the last one or two bits may be "
          "wrong. The divisor is the same in all turns, so its reciprocal is computed once" },
        { "sinf", gf_lesson_instructions_sine,
          "each turn takes a sine. The function first brings its argument into range. Only the last one or two bits "
          "may be wrong",
          .wanted = find_sines },
        { "__sinf", gf_lesson_instructions_fast_sine,
          "an intrinsic: one instruction of the special function unit. Its error is below 1e-6 from -pi to pi, and "
          "larger beyond. nvcc --use_fast_math takes it everywhere",
          .wanted = find_sines } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 2, "no counter and no branch for each turn",
          "other warps use the clocks that a branch leaves" },
        { 3, 2, GF_LESSON_UP_TO, 20, "registers instead of two loads and a store in each turn", NULL },
        { 4, 1, GF_LESSON_TIMES, 0.5, "half as many units for doubles on these GPUs; a 32nd to a 64th on those for "
          "games", "this GPU has few units for doubles",
          .more = "floats reach only half of their rate here, and the lesson does not show why; cuBLAS reaches more "
                  "in the lesson matmul" },
        { 5, 1, GF_LESSON_TIMES, 0.5, "half as many units multiply integers", NULL,
          .more = "floats reach only half of their rate, as beside doubles" },
        { 7, 6, GF_LESSON_UP_TO, 10, "a division that need not be exact is a reciprocal and a multiplication",
          "a turn is still three instructions: two multiplications and an addition" },
        { 9, 8, GF_LESSON_UP_TO, 20, "one instruction of the special function unit, instead of dozens",
          "the special function unit has an eighth of the units for floats, or a quarter" } },
};
