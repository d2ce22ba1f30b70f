/* The lesson on managed memory. */
#include "kernels/lessons/mix.h"
#include "kernels/lessons/steps.h"

const struct gf_lesson gf_lesson_managed = {
    .name = "managed",
    .summary = "managed memory, which host and GPU share: faults, prefetches and advice, beside copies",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t), .most = 16 << 20,
    .unit = "GB/s per way", .work = gf_lesson_count_bytes,
    .cpu = { { "plain C", gf_lesson_mix_once } },
    .steps = {
        { "pinned copies", gf_lesson_managed_copies,
          "for comparison: an upload from pinned memory, a kernel, and a download. As in all steps, the host has "
          "written the source before, and the time includes that it reads a byte of each page of the result. It sleeps "
          "while it waits for the kernel, as in gpufilter, so that the core can work for others; waking up takes some "
          "tens of microseconds",
          GF_LESSON_OWN_CLOCK, .to_host = true },
        { "managed", gf_lesson_managed_faults,
          "one pointer for both, and no copies. The first thread that touches a page in the host's memory causes a "
          "fault: its warp stops until the driver has moved the page. So does the host when it reads the result",
          GF_LESSON_OWN_CLOCK, .to_host = true },
        { "managed, prefetched", gf_lesson_managed_prefetch,
          "both arrays are sent to the GPU before the kernel, and the result back after it, so no thread waits for a "
          "page. The old contents of the result cross the bus, too, which copies would not do",
          GF_LESSON_OWN_CLOCK, .to_host = true },
        { "managed, with advice", gf_lesson_managed_advice,
          "advice to the driver: the pages belong on the host, and the GPU uses them. It maps them, and no page "
          "moves: threads read and write over the bus, which is best for words that are used once",
          GF_LESSON_OWN_CLOCK, .to_host = true } },
    .promises = {
        { 1, 0, GF_LESSON_TIMES, 1, "managed memory saves code, and the same bytes cross the bus",
          "the driver handles faults in groups, and each group costs tens of microseconds in which threads wait" },
        { 2, 1, GF_LESSON_UP_TO, 2, "no faults on the way to the GPU",
          "the host still has a fault for each page of the result, and pages of the result are moved up for nothing" },
        { 3, 1, GF_LESSON_UP_TO, 4,
          "no page moves, and both directions of the bus are busy at once", NULL,
          .more = "no thread waits for the driver" },
        { 3, 0, GF_LESSON_TIMES, 1, "the same words cross the bus, but in both directions at once", NULL } },
    .host = true, .more_copies = 2, .open = gf_lesson_managed_open, .close = gf_lesson_managed_close,
    .tell = gf_lesson_managed_tell,
};
