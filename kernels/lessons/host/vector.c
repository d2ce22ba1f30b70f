/* The lesson on the sum of two vectors: when a GPU pays. */
#include "kernels/lessons/steps.h"

/* The second vector follows the first. */
static void add(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const float *a = io->src, *b = a + io->count;
    float *dst = io->dst;

    for (int64_t i = first; i < end; i++)
        dst[i] = a[i] + b[i];
}

const struct gf_lesson gf_lesson_vector = {
    .name = "vector",
    .summary = "sum of two vectors: CPU cores, a GPU, and a GPU with transfers",
    .fill = GF_LESSON_FLOATS, .src_bytes = 2 * sizeof(float), .dst_bytes = sizeof(float),
    .cpu = { { "plain C", add } },
    .steps = {
        { "a thread per sample", gf_lesson_vector_samples,
          "as many threads as samples, each of which adds two values. No kernel is simpler" },
        { "grid-stride loop", gf_lesson_vector_stride,
          "only as many blocks as run at once; each thread goes on with the sample that lies a whole grid further, "
          "so one launch fits any count" },
        { "four samples per load", gf_lesson_vector_wide,
          "each thread loads 16 bytes at once, so fewer instructions keep the same number of bytes on their way" },
        { "with transfers, pageable", gf_lesson_vector_pageable,
          "both vectors are uploaded from memory that the system may move, and the sum is downloaded: the driver "
          "copies each part through a buffer of its own", GF_LESSON_HOST_CLOCK, .to_pageable = true },
        { "with transfers, pinned", gf_lesson_vector_pinned,
          "the same from pinned memory, which the GPU reads and writes itself. The host sleeps while it waits, as in "
          "gpufilter, so that the core can work for others; waking up takes some tens of microseconds",
          GF_LESSON_HOST_CLOCK, .to_host = true } },
    .promises = {
        { 1, 0, GF_LESSON_TIMES, 1, "both are limited by memory", NULL },
        { 4, 3, GF_LESSON_TIMES, 2, "the driver's own copy is saved", NULL,
          .more = "one CPU core copies more slowly than today's bus" },
        { 1, GF_LESSON_ONE_CORE, GF_LESSON_CROSSING, 1,
          "a launch takes microseconds, in which a core adds thousands of values from its caches", NULL },
        { 1, GF_LESSON_ALL_CORES, GF_LESSON_CROSSING, 1,
          "to start a thread of a CPU takes longer than a launch", NULL },
        { 4, GF_LESSON_ONE_CORE, GF_LESSON_CROSSING, 1,
          "each value crosses the bus, and two copies and a launch take longer than a few values on a core", NULL },
        { 4, GF_LESSON_ALL_CORES, GF_LESSON_CROSSING, 1,
          "to start threads takes a few hundred microseconds, but then all cores together read memory faster than the "
          "bus transfers it", NULL } },
    .host = true,
};
