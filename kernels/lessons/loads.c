/* The lesson on bytes in flight: how many loads hide the latency of memory. */
#include "kernels/lessons/steps.h"

static void copy(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint8_t *src = io->src;
    uint8_t *dst = io->dst;

    for (int64_t i = first; i < end; i++)
        dst[i] = src[i];
}

const struct gf_lesson gf_lesson_loads = {
    .name = "loads",
    .summary = "copy bytes with few or many threads, 1 to 16 bytes per load: bytes in flight, and Little's law",
    .fill = GF_LESSON_BYTES, .src_bytes = 1, .dst_bytes = 1,
    .axis = "warps", .values = { 1, 2, 4, 8, 16, 32, 64 }, .value_count = 7, .samples = INT64_C(128) << 20,
    .cpu = { { "plain C", copy } },
    .steps = {
        { "1 byte", gf_lesson_loads_1,
          "each thread loads a byte, waits several hundred nanoseconds for it, stores it, and goes on. A "
          "multiprocessor runs `warps` warps of 32 threads, and while one waits, the others issue their loads; so the "
          "rate grows with the warps" },
        { "4 bytes", gf_lesson_loads_4,
          "the wait is as long for 4 bytes as for one, so each load brings four times as many" },
        { "8 bytes", gf_lesson_loads_8, "twice as many bytes per load again" },
        { "16 bytes", gf_lesson_loads_16,
          "the widest load of a thread: 512 bytes per warp. With 32 warps, so many bytes are on their way that memory "
          "is hardly ever idle, and more warps add little" },
        { "4 bytes, four loads at once", gf_lesson_loads_several,
          "a thread issues four loads before it needs the first value. Loads that do not depend on each other wait at "
          "the same time, so this is like four times as many warps" },
        { "16 bytes, four loads at once", gf_lesson_loads_wide_several,
          "both: 64 bytes on their way for each thread" } },
    .promises = {
        { 3, 0, GF_LESSON_TIMES, 16, "16 times as many bytes on their way, the same latency",
          "neighboring multiprocessors read the same sectors of 32 bytes, so some single bytes come from the "
          "cache", .at = 1 },
        { 4, 1, GF_LESSON_TIMES, 4, "Volkov 2010: independent instructions hide latency as well as threads do",
          "the four stores and the loop take time, too", .at = 1 },
        { 3, 1, GF_LESSON_UP_TO, 4, "a quarter of the loads",
          "with so many warps, 4 bytes per thread nearly keep the memory busy" },
        { 5, 3, GF_LESSON_UP_TO, 4, "four times as many bytes on their way",
          "the memory is busy already: bytes in flight help only up to latency x bandwidth" } },
    .tell = gf_lesson_loads_tell,
};
