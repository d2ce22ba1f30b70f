/*
 * The lesson on streams: parts of a signal are uploaded, processed and downloaded in one stream; or
 * in several, queued part by part (depth first) or kind by kind (breadth first).
 */
#include "base/clock.h"
#include "kernels/lessons/apart.h"
#include "kernels/lessons/host/streams.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 256
#define STREAMS 4
#define PARTS 16
#define WHAT "lesson of streams"

enum action { UP, WORK, DOWN, ACTIONS };

struct streams {
    cudaStream_t stream[STREAMS];
    cudaEvent_t begun, done[STREAMS];
    int finished;                        /* parts, counted by callbacks; accessed by several threads */
};

/*
 * Enough work to be worth hiding. The factors are arguments, so that the compiler cannot do it all
 * at once.
 */
__global__ void __launch_bounds__(THREADS) turn(const unsigned *src, unsigned *dst, int64_t count, unsigned times,
                                                unsigned plus)
{
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < count; i += (int64_t)gridDim.x * THREADS) {
        unsigned v = src[i];

        for (int k = 0; k < GF_STREAMS_TURNS; k++)
            v = v * times + plus;
        dst[i] = v;
    }
}

extern "C" int gf_lesson_streams_close(struct gf_lesson_io *io, struct gf_error *err)
{
    struct streams *s = (struct streams *)io->state;

    (void)err;
    for (int i = 0; s != NULL && i < STREAMS; i++) {
        if (s->stream[i] != NULL)
            cudaStreamDestroy(s->stream[i]);
        if (s->done[i] != NULL)
            cudaEventDestroy(s->done[i]);
    }
    if (s != NULL && s->begun != NULL)
        cudaEventDestroy(s->begun);
    free(s);
    return 0;
}

extern "C" int gf_lesson_streams_open(struct gf_lesson_io *io, struct gf_error *err)
{
    struct streams *s = (struct streams *)calloc(1, sizeof *s);

    io->state = s;
    if (s == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < STREAMS; i++)
        if (gf_cuda_check(cudaStreamCreateWithFlags(&s->stream[i], cudaStreamNonBlocking), "stream", err) != 0
            || gf_cuda_check(cudaEventCreateWithFlags(&s->done[i], cudaEventDisableTiming), "stream", err) != 0)
            return -1;
    return gf_cuda_check(cudaEventCreateWithFlags(&s->begun, cudaEventDisableTiming), "stream", err);
}

/* The streams begin after the work queued on the timed stream, which continues after them. */
static int fork_streams(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct streams *s = (const struct streams *)io->state;

    if (gf_cuda_check(cudaEventRecord(s->begun, (cudaStream_t)io->stream), "streams", err) != 0)
        return -1;
    for (int i = 0; i < STREAMS; i++)
        if (gf_cuda_check(cudaStreamWaitEvent(s->stream[i], s->begun, 0), "streams", err) != 0)
            return -1;
    return 0;
}

static int join_streams(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct streams *s = (const struct streams *)io->state;

    for (int i = 0; i < STREAMS; i++)
        if (gf_cuda_check(cudaEventRecord(s->done[i], s->stream[i]), "streams", err) != 0
            || gf_cuda_check(cudaStreamWaitEvent((cudaStream_t)io->stream, s->done[i], 0), "streams", err) != 0)
            return -1;
    return 0;
}

static int act(struct gf_lesson_io *io, int part, enum action action, void *queue, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)queue;
    const int64_t first = io->count * part / PARTS, count = io->count * (part + 1) / PARTS - first;
    const size_t bytes = (size_t)count * sizeof(unsigned);
    unsigned *src = (unsigned *)io->src + first, *dst = (unsigned *)io->dst + first;

    if (count == 0)
        return 0;
    if (action == UP)
        return gf_cuda_check(cudaMemcpyAsync(src, (unsigned *)io->host_src + first, bytes, cudaMemcpyHostToDevice,
                                             stream), "copying", err);
    if (action == DOWN)
        return gf_cuda_check(cudaMemcpyAsync((unsigned *)io->host_dst + first, dst, bytes, cudaMemcpyDeviceToHost,
                                             stream), "copying", err);
    turn<<<gf_lesson_blocks(count, THREADS), THREADS, 0, stream>>>(src, dst, count, GF_STREAMS_TIMES, GF_STREAMS_PLUS);
    return gf_cuda_launched("lesson of streams", err);
}

extern "C" int gf_lesson_streams_one(struct gf_lesson_io *io, struct gf_error *err)
{
    for (int part = 0; part < PARTS; part++)
        for (int k = UP; k < ACTIONS; k++)
            if (act(io, part, (enum action)k, io->stream, err) != 0)
                return -1;
    return 0;
}

extern "C" int gf_lesson_streams_depth(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct streams *s = (const struct streams *)io->state;

    if (fork_streams(io, err) != 0)
        return -1;
    for (int part = 0; part < PARTS; part++)
        for (int k = UP; k < ACTIONS; k++)
            if (act(io, part, (enum action)k, s->stream[part % STREAMS], err) != 0)
                return -1;
    return join_streams(io, err);
}

extern "C" int gf_lesson_streams_breadth(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct streams *s = (const struct streams *)io->state;

    if (fork_streams(io, err) != 0)
        return -1;
    for (int first = 0; first < PARTS; first += STREAMS)
        for (int k = UP; k < ACTIONS; k++)
            for (int part = first; part < first + STREAMS; part++)
                if (act(io, part, (enum action)k, s->stream[part % STREAMS], err) != 0)
                    return -1;
    return join_streams(io, err);
}

/* Runs on a thread of the driver. It must not call CUDA. */
static void CUDART_CB count_part(void *state)
{
    __atomic_fetch_add(&((struct streams *)state)->finished, 1, __ATOMIC_RELAXED);
}

/* Depth first; the host hears of each part that has arrived. */
extern "C" int gf_lesson_streams_callbacks(struct gf_lesson_io *io, struct gf_error *err)
{
    struct streams *s = (struct streams *)io->state;

    if (fork_streams(io, err) != 0)
        return -1;
    for (int part = 0; part < PARTS; part++) {
        for (int k = UP; k < ACTIONS; k++)
            if (act(io, part, (enum action)k, s->stream[part % STREAMS], err) != 0)
                return -1;
        if (gf_cuda_check(cudaLaunchHostFunc(s->stream[part % STREAMS], count_part, s), "streams", err) != 0)
            return -1;
    }
    return join_streams(io, err);
}

/* No order of the same copies can be faster, because nothing waits. */
extern "C" int gf_lesson_streams_copies(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct streams *s = (const struct streams *)io->state;

    if (fork_streams(io, err) != 0)
        return -1;
    for (int part = 0; part < PARTS; part++)
        if (act(io, part, UP, s->stream[0], err) != 0
            || act(io, part, DOWN, s->stream[1], err) != 0)
            return -1;
    return join_streams(io, err);
}

/* ---- what events measure, and how long an urgent kernel waits for a long one ---- */

#define ALL_ACTIONS (PARTS * ACTIONS)
#define BLOCKS 400                       /* of the long kernel, for each multiprocessor; 8 of them run at once */
#define BLOCK_CYCLES 40000               /* 20 us or so */

static bool fails(cudaError_t code, struct gf_error *err)
{
    return gf_cuda_check(code, WHAT, err) != 0;
}

/* Records an event before the first action and after each one, in one stream, and sums the times between them. */
static int time_actions(struct gf_lesson_io *io, cudaEvent_t events[ALL_ACTIONS + 1], float ms[ACTIONS],
                        struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;

    if (fails(cudaEventRecord(events[0], stream), err))
        return -1;
    for (int i = 0; i < ALL_ACTIONS; i++)
        if (act(io, i / ACTIONS, (enum action)(i % ACTIONS), stream,
                           err) != 0
            || fails(cudaEventRecord(events[i + 1], stream), err))
            return -1;
    if (fails(cudaEventSynchronize(events[ALL_ACTIONS]), err))
        return -1;
    for (int i = 0; i < ALL_ACTIONS; i++) {
        float took = 0;

        if (fails(cudaEventElapsedTime(&took, events[i], events[i + 1]), err))
            return -1;
        ms[i % ACTIONS] += took;
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
    float ms[ACTIONS] = { 0 }, overlapped = 0;
    cudaEvent_t events[ALL_ACTIONS + 1] = { NULL };
    int result = 0;

    for (int i = 0; result == 0 && i <= ALL_ACTIONS; i++)
        result = fails(cudaEventCreate(&events[i]), err) ? -1 : 0;
    if (result == 0 && time_actions(io, events, ms, err) == 0 && time_overlapped(io, events, &overlapped, err) == 0)
        gf_lesson_say(io->report, "events are times that the GPU notes between actions: in one stream, uploads "
                      "take %.3g ms, kernels %.3g ms and downloads %.3g ms, together %.3g ms; in four streams, all "
                      "take %.3g ms, so %.2g actions ran at once on average", ms[UP], ms[WORK],
                      ms[DOWN], ms[0] + ms[1] + ms[2], overlapped, (ms[0] + ms[1] + ms[2]) / overlapped);
    else
        result = -1;
    for (int i = 0; i <= ALL_ACTIONS; i++)
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
    enum { LONG, EQUAL, HIGH, KINDS };
    cudaStream_t streams[KINDS] = { NULL };
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
    for (int i = 0; i < KINDS; i++)
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
                  "not for each launch", PARTS, text);
    return 0;
}

/*
 * ---- one queue for all streams, as on GPUs before 2013 ----
 *
 * The number of queues is chosen when a process begins to use CUDA, so this runs in a process of its own.
 */

#define COUNT (INT64_C(16) << 20)
#define BYTES ((size_t)COUNT * sizeof(unsigned))
#define RUNS 5

static int allocate(struct gf_lesson_io *io, cudaStream_t *stream, struct gf_error *err)
{
    return gf_cuda_check(cudaSetDevice(io->value), WHAT, err) != 0
        || gf_cuda_check(cudaMalloc((void **)&io->src, BYTES), WHAT, err) != 0
        || gf_cuda_check(cudaMalloc(&io->dst, BYTES), WHAT, err) != 0
        || gf_cuda_check(cudaMallocHost(&io->host_src, BYTES), WHAT, err) != 0
        || gf_cuda_check(cudaMallocHost(&io->host_dst, BYTES), WHAT, err) != 0
        || gf_cuda_check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), WHAT, err) != 0 ? -1 : 0;
}

/* Finds the shortest of some times. The first run warms up. */
static int time_order(struct gf_lesson_io *io, gf_lesson_run *order, double *seconds, struct gf_error *err)
{
    *seconds = 1e9;
    for (int i = 0; i <= RUNS; i++) {
        const double start = gf_clock_seconds();

        if (order(io, err) != 0
            || gf_cuda_check(cudaStreamSynchronize((cudaStream_t)io->stream), WHAT, err) != 0)
            return -1;
        if (i > 0 && gf_clock_seconds() - start < *seconds)
            *seconds = gf_clock_seconds() - start;
    }
    return 0;
}

extern "C" int gf_lesson_streams_queue(struct gf_lesson_io *io, struct gf_error *err)
{
    double depth, breadth;
    cudaStream_t stream;

    io->count = COUNT;
    if (setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 1) != 0)
        return gf_fail(err, GF_FAILED, "the environment cannot be changed: %s", strerror(errno));
    if (allocate(io, &stream, err) != 0)
        return -1;
    io->stream = stream;
    if (gf_lesson_streams_open(io, err) != 0 || time_order(io, gf_lesson_streams_depth, &depth, err) != 0
        || time_order(io, gf_lesson_streams_breadth, &breadth, err) != 0)
        return -1;
    printf("with one queue for all streams (CUDA_DEVICE_MAX_CONNECTIONS=1, in a process of its own), 16M samples: "
           "depth first %.3g GB/s, breadth first %.3g GB/s, so breadth first is %.3g times as fast. On GPUs "
           "before 2013, an upload waited for the download that was issued before it; a ratio of about 1 shows that "
           "this GPU does not need the order even so\n",
           2 * BYTES / depth * 1e-9, 2 * BYTES / breadth * 1e-9, depth / breadth);
    return 0;                            /* the process ends, which releases everything */
}
