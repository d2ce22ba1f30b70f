/* The lesson on sums. */
#include "kernels/base/border.h"
#include "kernels/lessons/steps.h"

#define THREADS 1024                     /* of a block, at least */

static void add(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const float *src = io->src;
    double sum = 0;

    for (int64_t i = first; i < end; i++)
        sum += (double)src[i];
    *(double *)io->dst = sum;
}

static size_t scratch_bytes(int64_t count, int value)
{
    (void)value;
    return (size_t)gf_ceil_div(count, THREADS / 4) * sizeof(double);
}

const struct gf_lesson gf_lesson_reduce = {
    .name = "reduce",
    .summary = "sum floats: which threads stay active, and how they exchange values",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_more = sizeof(double),
    .cpu = { { "plain C", add, .serial = true } },
    .steps = {
        { "divergent", gf_lesson_reduce_divergent,
          "each block adds 1024 values as a tree. Each level adds neighbors, so every other thread of a warp "
          "continues, then every fourth; a warp with one active thread takes as long as a full one" },
        { "contiguous", gf_lesson_reduce_contiguous,
          "each level adds values that are half a block apart, so the first half of the threads continues, and whole "
          "warps finish" },
        { "shuffles", gf_lesson_reduce_shuffles,
          "the threads of a warp read each other's registers, without shared memory. Only the sums of whole warps go "
          "through shared memory, so a block waits once" },
        { "shuffles, many samples per thread", gf_lesson_reduce_several,
          "each thread first adds many values, so there are few trees. Before, every 1024 values needed a whole "
          "tree" } },
    .promises = {
        { 1, 0, GF_LESSON_TIMES, 4.7, "Harris on a GeForce 8800, 2007",
          "something else takes the time: one tree for every 1024 values, with a barrier at each level" },
        { 2, 1, GF_LESSON_UP_TO, 10, "a block waits once for all its threads instead of 10 times",
          "each thread still loads only one value, and each block starts and ends" },
        { 3, 0, GF_LESSON_TIMES, 30, "all of his steps together",
          "the last step is as fast as memory, and the first is not as slow as on his GPU" } },
    .operation_why = "it finds the minimum, the maximum, the sum of squares and values that are not finite, too, and "
        "adds doubles in a fixed order",
    .scratch_bytes = scratch_bytes,
};
