/* The lesson on launches. */
#include "kernels/lessons/host/launch.h"
#include "kernels/lessons/mix.h"
#include "kernels/lessons/steps.h"

const struct gf_lesson gf_lesson_launch = {
    .name = "launch",
    .summary = "many short kernels that depend on each other: who starts them, and when",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t),
    .axis = "launches", .values = { 1, 4, 16, 64, 256, 1024, 4096 }, .value_count = 7, .samples = 16 << 10,
    .checked = { 1, 1000, 4099 },
    .unit = "launches/us", .work = gf_lesson_count_launches,
    .cpu = { { "plain C", gf_lesson_mix_often } },
    .steps = {
        [GF_LAUNCH_WAITED] = { "waiting after each", gf_lesson_launch_waited,
          "the host launches a kernel, waits until it is done, and launches the next. A message to the GPU and one "
          "back belong to each kernel, and the GPU is idle meanwhile. The host sleeps while it waits, as in gpufilter, "
          "so that the core can work for others; waking up takes some tens of microseconds", GF_LESSON_HOST_CLOCK },
        [GF_LAUNCH_STREAM] = { "one after the other", gf_lesson_launch_stream,
          "a launch is only a message in a queue, and the host does not wait for it. The stream keeps the order, so "
          "the next launch is prepared while the kernel before it runs", GF_LESSON_HOST_CLOCK },
        [GF_LAUNCH_RETURNED] = { "until the calls return", gf_lesson_launch_returned,
          "the same launches, but the clock stops when the last call has returned. The queue holds about a thousand "
          "launches; then a call waits for a free place", GF_LESSON_OWN_CLOCK },
        [GF_LAUNCH_EARLY] = { "programmatic", gf_lesson_launch_early,
          "a kernel lets the next one start while it runs (compute capability 9.0). The next one's blocks are in their "
          "places then, and wait only before they read what it writes", GF_LESSON_HOST_CLOCK },
        [GF_LAUNCH_GRAPH] = { "a graph", gf_lesson_launch_graph,
          "the launches were recorded once, as a graph. The driver has prepared all messages, so one call sends them, "
          "and the GPU goes from one kernel to the next without the host", GF_LESSON_HOST_CLOCK },
        [GF_LAUNCH_GRAPH_EARLY] = { "a graph, programmatic", gf_lesson_launch_graph_early,
          "both: nothing waits for the host, and the next kernel's blocks start before the last one's have ended",
          GF_LESSON_HOST_CLOCK },
        [GF_LAUNCH_NESTED] = { "launched by the GPU", gf_lesson_launch_nested,
          "one thread of a kernel launches all others (dynamic parallelism). The host is free, and the number of "
          "launches may depend on results, but such a launch writes to memory and costs more than one in a graph",
          GF_LESSON_HOST_CLOCK },
        [GF_LAUNCH_RECURSIVE] = { "launched recursively", gf_lesson_launch_recursive,
          "a kernel launches itself twice, each for half of the launches, until one is left: 4096 of them are 12 deep, "
          "of 24 levels that are allowed. Half of all launches only launch others, and each kernel ends when those "
          "that it has launched have ended. Recursion is for trees, whose shape the GPU finds out while it walks them",
          GF_LESSON_HOST_CLOCK },
        [GF_LAUNCH_ONE] = { "one kernel", gf_lesson_launch_one,
          "the words stay in registers, and a loop changes them as many times. This needs no launches, but works only "
          "because no thread reads what another has written", GF_LESSON_HOST_CLOCK } },
    .promises = {
        { GF_LAUNCH_STREAM, GF_LAUNCH_WAITED, GF_LESSON_TIMES, 2.5,
          "Gray 2019: 3.8 us instead of 9.6 us for each kernel",
          "the kernels themselves take a large part of the time",
          .more = "the host sleeps while it waits, and waking up takes some tens of microseconds" },
        { GF_LAUNCH_GRAPH, GF_LAUNCH_STREAM, GF_LESSON_TIMES, 1.1,
          "Gray 2019: 3.4 us instead of 3.8 us, of which the kernel takes 2.9 us", NULL,
          .more = "these kernels are shorter than his, so launches are most of the time" },
        { GF_LAUNCH_GRAPH, GF_LAUNCH_STREAM, GF_LESSON_CROSSING, 1,
          "one call starts the whole graph, and each kernel in it takes less than a launch", NULL },
        { GF_LAUNCH_GRAPH_EARLY, GF_LAUNCH_GRAPH, GF_LESSON_UP_TO, 2,
          "the start of one kernel overlaps the end of the one before; CUDA Programming Guide", NULL },
        { GF_LAUNCH_ONE, GF_LAUNCH_GRAPH, GF_LESSON_CROSSING, 1, "the fastest launch is the one that is not needed",
          NULL },
        { GF_LAUNCH_STREAM, GF_LESSON_ONE_CORE, GF_LESSON_CROSSING, 1,
          "a launch costs about as much as 16384 words on one core, so a kernel should do much more than that",
          NULL } },
    .open = gf_lesson_launch_open, .bind = gf_lesson_launch_bind, .close = gf_lesson_launch_close,
    .tell = gf_lesson_launch_tell,
};
