/* The lesson on the host's memory. */
#include "kernels/lessons/mix.h"
#include "kernels/lessons/steps.h"

/* The result of steps that only copy. */
static void copy(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint32_t *dst = io->dst;

    for (int64_t i = first; i < end; i++)
        dst[i] = src[i];
}

const struct gf_lesson gf_lesson_memory = {
    .name = "memory",
    .summary = "the host's memory, pageable, pinned or mapped: how fast words reach a GPU and return",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t), .most = 16 << 20,
    .unit = "GB/s per way", .work = gf_lesson_count_bytes,
    .cpu = { { "plain C", gf_lesson_mix_once } },
    .steps = {
        { "up, pageable", gf_lesson_host_memory_up_pageable,
          "the system may move memory from malloc() at any time, so the GPU cannot read it. The CPU first copies each "
          "part to memory that stays in its place, and the GPU reads that", GF_LESSON_HOST_CLOCK, .wanted = copy },
        { "up, pinned", gf_lesson_host_memory_up_pinned,
          "pinned memory stays in its place. An engine of the GPU reads it over the bus, and no CPU core takes part. "
          "In all steps, the host sleeps while it waits, as in gpufilter, so that the core can work for others; waking "
          "up takes some tens of microseconds",
          GF_LESSON_HOST_CLOCK, .wanted = copy },
        { "down, pageable", gf_lesson_host_memory_down_pageable,
          "the same in the other direction: the GPU writes to the driver's memory, and the CPU copies from there",
          GF_LESSON_HOST_CLOCK, .to_pageable = true, .wanted = copy },
        { "down, pinned", gf_lesson_host_memory_down_pinned, "an engine of the GPU writes to the host's memory",
          GF_LESSON_HOST_CLOCK, .to_host = true, .wanted = copy },
        { "up and down at once", gf_lesson_host_memory_both,
          "each direction of the bus has wires and an engine of its own, so two copies of pinned memory in two streams "
          "hardly disturb each other", GF_LESSON_HOST_CLOCK, .to_host = true, .wanted = copy },
        { "there and back, pageable", gf_lesson_host_memory_pageable,
          "the words are uploaded, changed by a kernel and downloaded, one after the other", GF_LESSON_HOST_CLOCK,
          .to_pageable = true },
        { "there and back, pinned", gf_lesson_host_memory_pinned, "the same from and to pinned memory",
          GF_LESSON_HOST_CLOCK, .to_host = true },
        { "pinned each time", gf_lesson_host_memory_pinned_each,
          "memory from malloc() is pinned before the upload and released after the download. The system has to find "
          "and lock each page of 4 KB, and to tell the GPU where it is", GF_LESSON_OWN_CLOCK, .to_pageable = true },
        { "mapped", gf_lesson_host_memory_mapped,
          "no copies: threads of the kernel read and write pinned memory of the host themselves. Both directions of "
          "the bus are busy at the same time, and few words need only one launch instead of three calls",
          GF_LESSON_HOST_CLOCK,
          .to_host = true } },
    .promises = {
        { 1, 0, GF_LESSON_TIMES, 2, "the copy by the CPU is saved; CUDA Best Practices Guide", NULL,
          .more = "one CPU core copies more slowly than today's bus" },
        { 4, 1, GF_LESSON_TIMES, 1, "as fast as one direction alone, so twice the bytes",
          "both directions share the host's memory, or the connection to it" },
        { 6, 5, GF_LESSON_TIMES, 2, "the copies by the CPU are saved in both directions", NULL },
        { 7, 5, GF_LESSON_CROSSING, 1,
          "to pin memory for a single use takes about the time that the faster copies save, so it pays for memory "
          "that is used many times", NULL },
        { 8, 6, GF_LESSON_TIMES, 2, "reads and writes cross the bus at the same time, and each word once",
          "threads ask for 128 bytes at a time, and too few of these requests are on their way to fill the bus", 0 },
        { 8, 6, GF_LESSON_TIMES, 2, "for few words, one launch instead of two copies and a launch",
          "the launch itself, and two trips over the bus, take most of the time", 1 },
        { 8, GF_LESSON_ONE_CORE, GF_LESSON_CROSSING, 1,
          "with one multiplication per word, moving words decides: one core moves some 10 GB/s, the bus about 50",
          NULL } },
    .host = true, .more_copies = 2, .open = gf_lesson_host_memory_open, .close = gf_lesson_host_memory_close,
    .tell = gf_lesson_host_memory_tell,
};
