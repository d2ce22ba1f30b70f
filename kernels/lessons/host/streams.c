/* The lesson on streams. */
#include "kernels/lessons/host/streams.h"
#include "kernels/lessons/steps.h"

static void turn(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const uint32_t *src = io->src;
    uint32_t *dst = io->dst;

    for (int64_t i = first; i < end; i++) {
        uint32_t v = src[i];

        for (int k = 0; k < GF_STREAMS_TURNS; k++)
            v = v * GF_STREAMS_TIMES + GF_STREAMS_PLUS;
        dst[i] = v;
    }
}

const struct gf_lesson gf_lesson_streams = {
    .name = "streams",
    .summary = "upload, kernel, download: in which order they are issued",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t), .most = 64 << 20,
    .cpu = { { "plain C", turn } },
    .copy = { "copies only, both directions at once", gf_lesson_streams_copies, NULL, .to_host = true },
    .steps = {
        { "one stream", gf_lesson_streams_one,
          "each of 16 parts is uploaded, changed and downloaded, and each action waits for the one before it",
          .to_host = true },
        { "four streams, depth first", gf_lesson_streams_depth,
          "the parts take turns in four streams, so one part's upload runs beside another's kernel and a third's "
          "download; all three actions of a part are issued, then those of the next", .to_host = true },
        { "four streams, breadth first", gf_lesson_streams_breadth,
          "four uploads are issued, then four kernels, then four downloads. GPUs with a single queue needed this order",
          .to_host = true },
        { "four streams, callbacks", gf_lesson_streams_callbacks,
          "depth first, and after each part a function of the host is called (cudaLaunchHostFunc), which could pass "
          "the part on. A thread of the driver runs it; the stream waits meanwhile, and the other streams go on",
          .to_host = true } },
    .promises = {
        { 2, 0, GF_LESSON_UP_TO, 3, "both copy engines and kernels run at once",
          "the copies take longer than the kernels here, so there is less to hide" },
        { 2, 1, GF_LESSON_TIMES, 1, "since 2013 streams have queues of their own", NULL },
        { 3, 1, GF_LESSON_TIMES, 1, "the host hears of 16 parts, and does not have to ask",
          "a stream waits until a thread of the driver has run the function" } },
    .host = true, .open = gf_lesson_streams_open, .close = gf_lesson_streams_close,
    .tell = gf_lesson_streams_tell, .apart = gf_lesson_streams_queue,
};
