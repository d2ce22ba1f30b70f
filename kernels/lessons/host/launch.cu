/*
 * The lesson on launches: as many short kernels as the axis says, each of which needs the result of
 * the one before. The same launches are also recorded as a graph; launch_nested.cu starts them on the GPU.
 */
#include "base/clock.h"
#include "kernels/lessons/host/launch.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/mix.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 256
#define WHAT "lesson of launches"

/* Queues launch `k`. */
typedef int launching(const struct gf_lesson_io *io, int k, struct gf_error *err);

/* May start before the kernel before it has ended, and lets the next one do so. */
static __global__ void __launch_bounds__(THREADS) change_early(const unsigned *src, unsigned *dst, int64_t count)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();     /* until the kernel before has ended, and its results can be read */
#endif
    if (i < count)
        dst[i] = gf_lesson_mix(src[i]);
}

static __global__ void __launch_bounds__(THREADS) change_often(const unsigned *src, unsigned *dst, int64_t count,
                                                               int times)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < count) {
        unsigned v = src[i];

        for (int k = 0; k < times; k++)
            v = gf_lesson_mix(v);
        dst[i] = v;
    }
}

/* ---- one launch, and many ---- */

static struct gf_launch_state *state_of(const struct gf_lesson_io *io)
{
    return (struct gf_launch_state *)io->state;
}

/* The first launch reads the source, the others the result of the one before. */
static const unsigned *source_of(const struct gf_lesson_io *io, int k)
{
    return (const unsigned *)(k == 0 ? io->src : io->dst);
}

static int queue_plain(const struct gf_lesson_io *io, int k, struct gf_error *err)
{
    gf_mix_launch(io, source_of(io, k));
    return gf_cuda_launched(WHAT, err);
}

/* Launch `k` need not wait for the end of the launch before. */
static int queue_early(const struct gf_lesson_io *io, int k, struct gf_error *err)
{
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t how = {};

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    how.gridDim = dim3((unsigned)gf_ceil_div(io->count, THREADS));
    how.blockDim = dim3(THREADS);
    how.stream = (cudaStream_t)io->stream;
    how.attrs = &early;
    how.numAttrs = 1;
    return gf_cuda_check(cudaLaunchKernelEx(&how, change_early, source_of(io, k), (unsigned *)io->dst, io->count), WHAT,
                         err);
}

/* Queues as many launches as io->value. */
static int queue_all(const struct gf_lesson_io *io, launching *one, struct gf_error *err)
{
    for (int k = 0; k < io->value; k++)
        if (one(io, k, err) != 0)
            return -1;
    return 0;
}

extern "C" int gf_lesson_launch_waited(struct gf_lesson_io *io, struct gf_error *err)
{
    for (int k = 0; k < io->value; k++)
        if (queue_plain(io, k, err) != 0
            || gf_cuda_check(cudaStreamSynchronize((cudaStream_t)io->stream), WHAT, err) != 0)
            return -1;
    return 0;
}

extern "C" int gf_lesson_launch_stream(struct gf_lesson_io *io, struct gf_error *err)
{
    return queue_all(io, queue_plain, err);
}

extern "C" int gf_lesson_launch_returned(struct gf_lesson_io *io, struct gf_error *err)
{
    const double start = gf_clock_seconds();
    const int result = queue_all(io, queue_plain, err);

    *io->seconds = gf_clock_seconds() - start;
    return result;
}

extern "C" int gf_lesson_launch_early(struct gf_lesson_io *io, struct gf_error *err)
{
    if (state_of(io)->early)
        return queue_all(io, queue_early, err);
    *io->seconds = NAN;
    return 0;
}

extern "C" int gf_lesson_launch_one(struct gf_lesson_io *io, struct gf_error *err)
{
    change_often<<<(unsigned)gf_ceil_div(io->count, THREADS), THREADS, 0,
                   (cudaStream_t)io->stream>>>((const unsigned *)io->src, (unsigned *)io->dst, io->count, io->value);
    return gf_cuda_launched(WHAT, err);
}

/* ---- a graph, which is recorded whenever the number of launches changes, and sent to the GPU by one call ---- */

#define EARLY_SINCE 9                    /* compute capability 9.0 */
#define MOST_LAUNCHES 4096

static int start_graph(struct gf_lesson_io *io, void *graph, struct gf_error *err)
{
    if (graph != NULL)
        return gf_cuda_check(cudaGraphLaunch((cudaGraphExec_t)graph, (cudaStream_t)io->stream), WHAT, err);
    *io->seconds = NAN;
    return 0;
}

extern "C" int gf_lesson_launch_graph(struct gf_lesson_io *io, struct gf_error *err)
{
    return start_graph(io, state_of(io)->graph, err);
}

extern "C" int gf_lesson_launch_graph_early(struct gf_lesson_io *io, struct gf_error *err)
{
    return start_graph(io, state_of(io)->graph_early, err);
}

/* Records launches, which do not run now, and prepares a graph of them. Returns NULL if that is not possible. */
static cudaGraphExec_t build(struct gf_lesson_io *io, launching *one)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    cudaGraphExec_t graph = NULL;
    cudaGraph_t recorded = NULL;
    struct gf_error ignored;

    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
        const int result = queue_all(io, one, &ignored);

        if (cudaStreamEndCapture(stream, &recorded) == cudaSuccess && result == 0
            && cudaGraphInstantiate(&graph, recorded, 0) != cudaSuccess)
            graph = NULL;
        if (graph != NULL)
            (void)cudaGraphUpload(graph, stream);
        if (recorded != NULL)
            cudaGraphDestroy(recorded);
    }
    (void)cudaGetLastError();
    return graph;
}

static void discard(struct gf_launch_state *s)
{
    if (s->graph != NULL)
        cudaGraphExecDestroy((cudaGraphExec_t)s->graph);
    if (s->graph_early != NULL)
        cudaGraphExecDestroy((cudaGraphExec_t)s->graph_early);
    s->graph = s->graph_early = NULL;
}

extern "C" int gf_lesson_launch_bind(struct gf_lesson_io *io, struct gf_error *err)
{
    struct gf_launch_state *s = state_of(io);
    const double start = gf_clock_seconds();

    discard(s);
    s->graph = build(io, queue_plain);
    s->build_seconds = gf_clock_seconds() - start;
#if CUDART_VERSION >= 12030
    if (s->early)
        s->graph_early = build(io, queue_early);
#endif
    return s->graph != NULL ? gf_cuda_check(cudaStreamSynchronize((cudaStream_t)io->stream), WHAT, err)
        : gf_fail(err, GF_FAILED, "the GPU failed (%s): no graph of %d launches", WHAT, io->value);
}

extern "C" int gf_lesson_launch_open(struct gf_lesson_io *io, struct gf_error *err)
{
    struct gf_launch_state *s = (struct gf_launch_state *)calloc(1, sizeof *s);
    int device = 0, major = 0;

    io->state = s;
    if (s == NULL)
        return gf_fail_memory(err, NULL);
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    s->early = major >= EARLY_SINCE;
    s->nested = gf_launch_nested_open(MOST_LAUNCHES, &s->nested_limit);
    return 0;
}

extern "C" int gf_lesson_launch_close(struct gf_lesson_io *io, struct gf_error *err)
{
    struct gf_launch_state *s = state_of(io);

    (void)err;
    if (s != NULL)
        discard(s);
    if (s != NULL && s->nested)
        gf_launch_nested_close(s->nested_limit);
    free(s);
    return 0;
}

/* Says what a launch of each kind costs at the last value of the axis, and when a graph pays. */
extern "C" int gf_lesson_launch_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    static const struct { int step; const char *name; } each[] = {
        { GF_LAUNCH_WAITED, "waited for" }, { GF_LAUNCH_STREAM, "in a stream" },
        { GF_LAUNCH_RETURNED, "the host's call" }, { GF_LAUNCH_EARLY, "programmatic" },
        { GF_LAUNCH_GRAPH, "in a graph" }, { GF_LAUNCH_GRAPH_EARLY, "programmatic in a graph" },
        { GF_LAUNCH_NESTED, "by the GPU" } };
    const struct gf_lesson_report *r = io->report;
    const int last = r->sizes - 1;
    const double saved = r->seconds(r->context, GF_LAUNCH_STREAM, last) - r->seconds(r->context, GF_LAUNCH_GRAPH, last);
    char text[300] = "";

    (void)err;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        const double took = r->seconds(r->context, each[i].step, last);

        if (!isnan(took))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s %.2f us", i > 0 ? "," : "", each[i].name,
                     took * 1e6 / io->value);
    }
    gf_lesson_say(r, "times of one of %d kernels:%s", io->value, text);
    if (!state_of(io)->early)
        gf_lesson_say(r, "programmatic launches need compute capability 9.0, so those steps have no times");
    if (!state_of(io)->nested)
        gf_lesson_say(r, "this build has no code for launches by this GPU, so that step has no times");
    gf_lesson_say(r, "recording and preparing the graph of %d launches takes %.3g ms, once", io->value,
                  state_of(io)->build_seconds * 1e3);
    if (saved > 0)
        gf_lesson_say(r, "so it pays from start number %.0f on", ceil(state_of(io)->build_seconds / saved));
    return 0;
}
