/*
 * The lesson on streams: parts of a signal are uploaded, processed and downloaded in one stream; or
 * in several, queued part by part (depth first) or kind by kind (breadth first).
 */
#include "kernels/lessons/host/streams.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <stdlib.h>

#define THREADS 256
#define STREAMS 4
#define PARTS GF_STREAMS_PARTS

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

int gf_streams_act(struct gf_lesson_io *io, int part, enum gf_streams_action action, void *queue, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)queue;
    const int64_t first = io->count * part / PARTS, count = io->count * (part + 1) / PARTS - first;
    const size_t bytes = (size_t)count * sizeof(unsigned);
    unsigned *src = (unsigned *)io->src + first, *dst = (unsigned *)io->dst + first;

    if (count == 0)
        return 0;
    if (action == GF_STREAMS_UP)
        return gf_cuda_check(cudaMemcpyAsync(src, (unsigned *)io->host_src + first, bytes, cudaMemcpyHostToDevice,
                                             stream), "copying", err);
    if (action == GF_STREAMS_DOWN)
        return gf_cuda_check(cudaMemcpyAsync((unsigned *)io->host_dst + first, dst, bytes, cudaMemcpyDeviceToHost,
                                             stream), "copying", err);
    turn<<<gf_lesson_blocks(count, THREADS), THREADS, 0, stream>>>(src, dst, count, GF_STREAMS_TIMES, GF_STREAMS_PLUS);
    return gf_cuda_launched("lesson of streams", err);
}

extern "C" int gf_lesson_streams_one(struct gf_lesson_io *io, struct gf_error *err)
{
    for (int part = 0; part < PARTS; part++)
        for (int k = GF_STREAMS_UP; k < GF_STREAMS_ACTIONS; k++)
            if (gf_streams_act(io, part, (enum gf_streams_action)k, io->stream, err) != 0)
                return -1;
    return 0;
}

extern "C" int gf_lesson_streams_depth(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct streams *s = (const struct streams *)io->state;

    if (fork_streams(io, err) != 0)
        return -1;
    for (int part = 0; part < PARTS; part++)
        for (int k = GF_STREAMS_UP; k < GF_STREAMS_ACTIONS; k++)
            if (gf_streams_act(io, part, (enum gf_streams_action)k, s->stream[part % STREAMS], err) != 0)
                return -1;
    return join_streams(io, err);
}

extern "C" int gf_lesson_streams_breadth(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct streams *s = (const struct streams *)io->state;

    if (fork_streams(io, err) != 0)
        return -1;
    for (int first = 0; first < PARTS; first += STREAMS)
        for (int k = GF_STREAMS_UP; k < GF_STREAMS_ACTIONS; k++)
            for (int part = first; part < first + STREAMS; part++)
                if (gf_streams_act(io, part, (enum gf_streams_action)k, s->stream[part % STREAMS], err) != 0)
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
        for (int k = GF_STREAMS_UP; k < GF_STREAMS_ACTIONS; k++)
            if (gf_streams_act(io, part, (enum gf_streams_action)k, s->stream[part % STREAMS], err) != 0)
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
        if (gf_streams_act(io, part, GF_STREAMS_UP, s->stream[0], err) != 0
            || gf_streams_act(io, part, GF_STREAMS_DOWN, s->stream[1], err) != 0)
            return -1;
    return join_streams(io, err);
}
