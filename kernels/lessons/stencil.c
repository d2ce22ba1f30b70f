/* The lesson on neighbors. */
#include "kernels/lessons/stencil.h"
#include "kernels/lessons/steps.h"

#include <math.h>

static void weigh(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const float *src = io->src;
    float *dst = io->dst;

    for (int64_t i = first; i < end; i++) {
        float sum = 0;

        for (int k = 0; k <= 2 * GF_LESSON_RADIUS; k++) {
            const int64_t at = i + k - GF_LESSON_RADIUS;

            sum = fmaf(gf_lesson_weight(k), src[at < 0 ? 0 : at < io->count ? at : io->count - 1], sum);
        }
        dst[i] = sum;
    }
}

const struct gf_lesson gf_lesson_stencil = {
    .name = "stencil",
    .summary = "sum 17 neighbors of a float: which thread loads them",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_bytes = sizeof(float),
    .cpu = { { "plain C", weigh } },
    .steps = {
        { "each thread from memory", gf_lesson_stencil_plain,
          "every thread loads its 17 values itself, and compares each address with both ends of the signal. "
          "Neighbors load nearly the same values, which the first-level cache keeps, so memory is not the limit: the "
          "instructions are" },
        { "through shared memory", gf_lesson_stencil_shared,
          "each block loads the values that it needs once into shared memory, which gained much before GPUs had "
          "caches. Now it saves the comparisons: only one load in 17 goes to memory and may lie beyond an end" },
        { "four results per thread", gf_lesson_stencil_registers,
          "four neighboring results need 20 values, which a thread loads 4 at a time into registers: 5 loads instead "
          "of 68. Then memory is nearly the limit again" } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 17, "each sample is loaded once instead of 17 times",
          "the cache serves the loads of neighbors, too, so memory is read once in both ways" },
        { 2, 1, GF_LESSON_UP_TO, 13.6, "5 loads instead of 68 for four results", "memory becomes the limit long "
            "before that" } },
    .operation_why = "it supports masks of any length, any edge handling, several channels, and changes of samples "
        "on the way, which costs instructions",
};
