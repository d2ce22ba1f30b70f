/*
 * The lesson on streams: what events measure, and how long an urgent kernel waits for a long one,
 * with and without priority.
 */
#include "base/clock.h"
#include "kernels/lessons/apart.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"
#include "kernels/lessons/host/streams.h"

#include <stdio.h>

#define ACTIONS (GF_STREAMS_PARTS * GF_STREAMS_ACTIONS)
#define THREADS 256
#define BLOCKS 400                       /* of the long kernel, for each multiprocessor; 8 of them run at once */
#define BLOCK_CYCLES 40000               /* 20 us or so */
#define WHAT "lesson of streams"

static bool fails(cudaError_t code, struct gf_error *err)
{
    return gf_cuda_check(code, WHAT, err) != 0;
}

/* ---- events ---- */

/* Records an event before the first action and after each one, in one stream, and sums the times between them. */
static int time_actions(struct gf_lesson_io *io, cudaEvent_t events[ACTIONS + 1], float ms[GF_STREAMS_ACTIONS],
                        struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;

    if (fails(cudaEventRecord(events[0], stream), err))
        return -1;
    for (int i = 0; i < ACTIONS; i++)
        if (gf_streams_act(io, i / GF_STREAMS_ACTIONS, (enum gf_streams_action)(i % GF_STREAMS_ACTIONS), stream,
                           err) != 0
            || fails(cudaEventRecord(events[i + 1], stream), err))
            return -1;
    if (fails(cudaEventSynchronize(events[ACTIONS]), err))
        return -1;
    for (int i = 0; i < ACTIONS; i++) {
        float took = 0;

        if (fails(cudaEventElapsedTime(&took, events[i], events[i + 1]), err))
            return -1;
        ms[i % GF_STREAMS_ACTIONS] += took;
    }
    return 0;
}

/* Measures the actions in four streams. */
static int time_overlapped(struct gf_lesson_io *io, cudaEvent_t events[2], float *ms, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;

    return fails(cudaEventRecord(events[0], stream), err) || gf_lesson_streams_depth(io, err) != 0
        || fails(cudaEventRecord(events[1], stream), err) || fails(cudaEventSynchronize(events[1]), err)
        || fails(cudaEventElapsedTime(ms, events[0], events[1]), err) ? -1 : 0;
}

static int tell_overlap(struct gf_lesson_io *io, struct gf_error *err)
{
    float ms[GF_STREAMS_ACTIONS] = { 0 }, overlapped = 0;
    cudaEvent_t events[ACTIONS + 1] = { NULL };
    int result = 0;

    for (int i = 0; result == 0 && i <= ACTIONS; i++)
        result = fails(cudaEventCreate(&events[i]), err) ? -1 : 0;
    if (result == 0 && time_actions(io, events, ms, err) == 0 && time_overlapped(io, events, &overlapped, err) == 0)
        gf_lesson_say(io->report, "events are times that the GPU notes between actions: in one stream, uploads "
                      "take %.3g ms, kernels %.3g ms and downloads %.3g ms, together %.3g ms; in four streams, all "
                      "take %.3g ms, so %.2g actions ran at once on average", ms[GF_STREAMS_UP], ms[GF_STREAMS_WORK],
                      ms[GF_STREAMS_DOWN], ms[0] + ms[1] + ms[2], overlapped, (ms[0] + ms[1] + ms[2]) / overlapped);
    else
        result = -1;
    for (int i = 0; i <= ACTIONS; i++)
        if (events[i] != NULL)
            cudaEventDestroy(events[i]);
    return result;
}

/* ---- priorities ---- */

static __global__ void __launch_bounds__(THREADS) keep_busy(long long cycles)
{
    const long long start = clock64();

    while (clock64() - start < cycles)
        ;
}

/* Queues a long kernel and then a short one in another stream, and measures until the short one has ended. */
static int time_urgent(cudaStream_t longer, cudaStream_t urgent, unsigned blocks, double *seconds, struct gf_error *err)
{
    double start;

    keep_busy<<<blocks, THREADS, 0, longer>>>(BLOCK_CYCLES);
    if (gf_cuda_launched(WHAT, err) != 0)
        return -1;
    start = gf_clock_seconds();
    keep_busy<<<1, THREADS, 0, urgent>>>(0);
    if (gf_cuda_launched(WHAT, err) != 0 || fails(cudaStreamSynchronize(urgent), err))
        return -1;
    *seconds = gf_clock_seconds() - start;
    return fails(cudaStreamSynchronize(longer), err) ? -1 : 0;
}

static int tell_priority(struct gf_lesson_io *io, struct gf_error *err)
{
    enum { LONG, EQUAL, HIGH, STREAMS };
    cudaStream_t streams[STREAMS] = { NULL };
    double equal = 0, high = 0;
    int lowest, highest, device, processors, result = -1;
    unsigned blocks;

    if (fails(cudaGetDevice(&device), err) || fails(cudaDeviceGetStreamPriorityRange(&lowest, &highest), err)
        || fails(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), err))
        return -1;
    blocks = (unsigned)processors * BLOCKS;
    if (!fails(cudaStreamCreateWithPriority(&streams[LONG], cudaStreamNonBlocking, lowest), err)
        && !fails(cudaStreamCreateWithPriority(&streams[EQUAL], cudaStreamNonBlocking, lowest), err)
        && !fails(cudaStreamCreateWithPriority(&streams[HIGH], cudaStreamNonBlocking, highest), err)
        && time_urgent(streams[LONG], streams[EQUAL], blocks, &equal, err) == 0      /* warms up */
        && time_urgent(streams[LONG], streams[EQUAL], blocks, &equal, err) == 0
        && time_urgent(streams[LONG], streams[HIGH], blocks, &high, err) == 0)
        result = 0;
    for (int i = 0; i < STREAMS; i++)
        if (streams[i] != NULL)
            cudaStreamDestroy(streams[i]);
    if (result == 0)
        gf_lesson_say(io->report, "a kernel of one block, launched after one of %u blocks of about 20 us: it has ended "
                      "after %.0f us in a stream of the same priority, and after %.0f us in one of the highest. "
                      "Its block is started before those that wait; blocks that run are not interrupted", blocks,
                      equal * 1e6, high * 1e6);
    return result;
}

/* The steps 1 and 3 differ by the callbacks. */
extern "C" int gf_lesson_streams_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_report *r = io->report;
    const double added = r->seconds(r->context, 3, 0) - r->seconds(r->context, 1, 0);
    char text[40] = "nothing measurable";
    int device = 0;

    if (tell_overlap(io, err) != 0 || tell_priority(io, err) != 0
        || fails(cudaGetDevice(&device), err) || gf_apart_start(r, "streams", 0, device, err) != 0)
        return -1;
    if (added >= 0.5e-6)
        snprintf(text, sizeof text, "%.0f us", added * 1e6);
    gf_lesson_say(r, "with few words, %d callbacks add %s. A stream stops for each, so use one for each large part, "
                  "not for each launch", GF_STREAMS_PARTS, text);
    return 0;
}
