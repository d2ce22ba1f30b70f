/* The lesson on errors. */
#include "kernels/lessons/mix.h"
#include "kernels/lessons/steps.h"

const struct gf_lesson gf_lesson_errors = {
    .name = "errors",
    .summary = "what checking launches costs, and an error made on purpose: when it is seen, and what it breaks",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t),
    .axis = "launches", .values = { 1, 4, 16, 64, 256, 1024 }, .value_count = 6, .samples = 16 << 10,
    .checked = { 1, 1000, 4099 },
    .unit = "launches/us", .work = gf_lesson_count_launches,
    .cpu = { { "plain C", gf_lesson_mix_often } },
    .steps = {
        { "unchecked", gf_lesson_errors_unchecked,
          "launches, and one wait at the end. A launch returns nothing, so an error in one is seen later, or never",
          GF_LESSON_HOST_CLOCK },
        { "error read after each", gf_lesson_errors_read,
          "cudaGetLastError() after each launch finds wrong arguments: too many threads, too much shared memory. It "
          "reads a variable of this thread and asks the GPU nothing, so it costs nearly nothing",
          GF_LESSON_HOST_CLOCK },
        { "stream asked after each", gf_lesson_errors_asked,
          "cudaStreamQuery() also finds an error inside a kernel that has happened by now. It asks for the state of "
          "the stream, but does not wait", GF_LESSON_HOST_CLOCK },
        { "waiting after each 16th", gf_lesson_errors_some,
          "an error inside a kernel is found at most 16 launches later. The GPU is idle only while the host continues "
          "after a wait", GF_LESSON_HOST_CLOCK },
        { "waiting after each", gf_lesson_errors_waited,
          "the error belongs to the launch before the wait for certain, as with CUDA_LAUNCH_BLOCKING=1. This is for "
          "finding mistakes: the GPU is idle between all kernels. The host sleeps while it waits, as in gpufilter, so "
          "that the core can work for others; waking up takes some tens of microseconds", GF_LESSON_HOST_CLOCK } },
    .promises = {
        { 1, 0, GF_LESSON_TIMES, 1,
          "nothing is asked of the GPU, so there is no reason to leave a launch unchecked", NULL },
        { 0, 4, GF_LESSON_TIMES, 2.5, "Gray 2019: 3.8 us for each kernel instead of 9.6 us",
          "the kernels themselves take a large part of the time",
          .more = "the host sleeps while it waits, and waking up takes some tens of microseconds" },
        { 3, 4, GF_LESSON_TIMES, 2, "15 of 16 waits are saved",
          "the kernels themselves take a large part of the time" } },
    .tell = gf_lesson_errors_tell, .apart = gf_lesson_errors_make,
};

