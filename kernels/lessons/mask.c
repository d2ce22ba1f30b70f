/* The lesson on where the weights of a mask are stored. */
#include "kernels/lessons/mask.h"
#include "kernels/lessons/steps.h"

/* A mask applies to the sample and those after it; the last samples have no result. */
static void weigh(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const float *src = io->src;
    float *dst = io->dst;
    struct gf_lesson_masks masks = { { 0 } };

    gf_lesson_masks_fill(&masks);
    if (end > io->count - GF_LESSON_TAPS + 1)
        end = io->count - GF_LESSON_TAPS + 1;
    for (int64_t i = first; i < end; i++) {
        const int mask = (int)(i % io->value);
        float sum = 0;

        for (int k = 0; k < GF_LESSON_TAPS; k++)
            sum += masks.w[gf_lesson_weight_at(k, mask)] * src[i + k];
        dst[i] = sum;
    }
}

static double work(int64_t count, int value)
{
    (void)value;
    return 2.0 * GF_LESSON_TAPS * (double)count;
}

static size_t scratch_bytes(int64_t count, int value)
{
    (void)count;
    (void)value;
    return sizeof(struct gf_lesson_masks);
}

const struct gf_lesson gf_lesson_mask = {
    .name = "mask",
    .summary = "sums of 29 neighbors with weights in constant, shared, texture or global memory, or in parameters",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_bytes = sizeof(float),
    .axis = "indices", .values = { 1, 2, 4, 8, 16, 32 }, .value_count = 6, .samples = INT64_C(8) << 20,
    .unit = "GFLOP/s", .work = work,
    .cpu = { { "plain C", weigh } },
    .steps = {
        { "global memory", gf_lesson_mask_global,
          "a load is one instruction for the 32 threads of a warp. 'indices' says how many different weights a warp "
          "needs at a time: 1 as in a blur, more as in a resize, where neighbors have masks of their own. Here "
          "weights are loaded like samples, from the first-level cache" },
        { "__ldg", gf_lesson_mask_ldg,
          "the load says that nobody writes the weights. On Kepler this led to the texture cache, apart from the "
          "first-level cache; since Maxwell the two are one" },
        { "shared memory", gf_lesson_mask_shared,
          "each block copies the weights to shared memory first. Its 32 banks deliver 32 different weights, or one "
          "weight to all threads, at a time. It is the same memory as the first-level cache, so it delivers no more" },
        { "constant memory", gf_lesson_mask_constant,
          "the values lie in the GPU's memory, as any others do, but a small cache of their own gives one value to "
          "all threads of a warp. With one index the weight is part of the multiplication, with no load at all; but "
          "different indices are answered one after another" },
        { "parameter", gf_lesson_mask_parameter,
          "the weights are an argument of the kernel, a struct of 4 KB. Arguments lie in constant memory, too, but "
          "need no copy before the launch" },
        { "texture", gf_lesson_mask_texture,
          "the texture unit fetches the weights, through the same first-level cache but at a lower rate: it computes "
          "addresses and formats that are not needed here" } },
    .promises = {
        { 3, 0, GF_LESSON_TIMES, 2, "Kirk and Hwu: only samples are loaded, no weights",
          "each sample is loaded 29 times from the first-level cache in both ways, which takes most of the "
          "time", .at = 1 },
        { 0, 3, GF_LESSON_UP_TO, 32, "constant memory answers 32 indices one after another",
          "both also load the samples" },
        { 1, 0, GF_LESSON_TIMES, 1, "the same cache, since Maxwell", NULL },
        { 2, 0, GF_LESSON_TIMES, 1, "the first-level cache is the same memory as shared memory, since Volta", NULL },
        { 4, 3, GF_LESSON_TIMES, 1, "arguments are in constant memory", NULL, .at = 1 } },
    .scratch_bytes = scratch_bytes,
    .open = gf_lesson_mask_open, .close = gf_lesson_mask_close, .tell = gf_lesson_mask_tell,
};
