/* The lesson on sums. */
#include "kernels/base/border.h"
#include "kernels/lessons/steps.h"

#define THREADS 256                      /* of a block, at least; each adds a value or more */

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
    return (size_t)gf_ceil_div(count, THREADS) * sizeof(double) + gf_lesson_sum_room();
}

const struct gf_lesson gf_lesson_reduce = {
    .name = "reduce",
    .summary = "sum floats: which threads stay active, and how they exchange values",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_more = sizeof(double),
    .cpu = { { "plain C", add, .serial = true } },
    .steps = {
        { "divergent", gf_lesson_reduce_divergent,
          "each block of 256 threads adds 256 values as a tree. Each level adds neighbors, so every other thread of "
          "a warp continues, then every fourth: warps diverge at all levels. A warp with one active thread takes as "
          "long as a full one. The remainder by 2 d finds out who is active; compilers see that it is a power of two, "
          "so nothing is divided" },
        { "adjacent threads, gaps", gf_lesson_reduce_gaps,
          "the same additions, but by the first threads: thread i adds at place 2 d i. No warp diverges until fewer "
          "than 32 threads are left. But the places of a warp are powers of two apart, in the same banks of shared "
          "memory" },
        { "contiguous", gf_lesson_reduce_contiguous,
          "each level adds values that are half a block apart, so the first half of the threads continues, on "
          "adjacent places: no divergence until fewer than 32 threads are left, and no bank conflicts" },
        { "two loads per thread", gf_lesson_reduce_two,
          "each thread adds two values while it loads them, so half as many blocks are needed. Before, half of the "
          "threads did nothing but load" },
        { "shuffles", gf_lesson_reduce_shuffles,
          "the threads of a warp read each other's registers, without shared memory. Only the sums of whole warps go "
          "through shared memory, so a block waits once. The additions do not diverge; threads whose result nobody "
          "needs add, too" },
        { "shuffles, many samples per thread", gf_lesson_reduce_several,
          "each thread of as many blocks as run at once first adds many values, so there are few trees. Before, "
          "every 512 values needed a whole tree" },
        { "CUB", gf_lesson_reduce_cub,
          "NVIDIA's library, included as a file: cub::DeviceReduce::Sum() chooses threads, loads and blocks for this "
          "GPU. It uses memory that the caller gives it, and queues its kernels as one's own launches. Here it adds in "
          "doubles, because the result is one" },
        { "Thrust", gf_lesson_reduce_thrust,
          "thrust::reduce() looks like a function of C++, and calls CUB. It allocates memory in each call, waits, and "
          "returns the sum to the host, so the host's clock measures it", GF_LESSON_HOST_CLOCK } },
    .promises = {
        { 1, 0, GF_LESSON_TIMES, 2.33, "Harris on a GeForce 8800, 2007: no divergence",
          "bank conflicts cost what divergence did, and memory and the start of blocks take time in both" },
        { 2, 1, GF_LESSON_TIMES, 2.01, "Harris: no bank conflicts",
          "memory and the start of blocks take time in both" },
        { 3, 2, GF_LESSON_TIMES, 1.78, "Harris: half as many blocks, whose threads all add", NULL },
        { 4, 3, GF_LESSON_UP_TO, 8, "a block waits once for all its threads instead of 8 times",
          "each thread still loads only two values, and each block starts and ends" },
        { 5, 0, GF_LESSON_TIMES, 30, "all of his steps",
          "the last step is as fast as memory, and the first is not as slow as on his GPU" },
        { 6, 5, GF_LESSON_TIMES, 1, "both read each value once, which memory limits", NULL },
        { 7, 6, GF_LESSON_TIMES, 1, "it runs CUB's kernels; what it allocates, and the way of the sum to the host, "
          "are little beside many values", NULL } },
    .operation_why = "it finds the minimum, the maximum, the sum of squares and values that are not finite, too, and "
        "adds doubles in a fixed order",
    .scratch_bytes = scratch_bytes,
};
