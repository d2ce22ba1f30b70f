/* The lesson on counting: the same steps with skewed data, in which many bytes are equal. */
#include "kernels/lessons/histogram.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <stdio.h>

#define WHAT "lesson of histograms"
#define MOST_SAMPLES (INT64_C(16) << 20)

/* Makes all bytes equal, or every second one. */
__global__ void make_equal(unsigned char *to, int64_t count, int step)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (int64_t)gridDim.x * blockDim.x)
        if (i % step == 0)
            to[i] = 128;
}

static int time_step(struct gf_lesson_io *io, gf_lesson_run *run, cudaEvent_t events[2], float *ms,
                     struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;

    return run(io, err) != 0                                 /* warms up */
        || gf_cuda_check(cudaEventRecord(events[0], stream), WHAT, err) != 0 || run(io, err) != 0
        || gf_cuda_check(cudaEventRecord(events[1], stream), WHAT, err) != 0
        || gf_cuda_check(cudaEventSynchronize(events[1]), WHAT, err) != 0
        || gf_cuda_check(cudaEventElapsedTime(ms, events[0], events[1]), WHAT, err) != 0 ? -1 : 0;
}

static int tell(struct gf_lesson_io *io, const char *what, cudaEvent_t events[2], struct gf_error *err)
{
    static const struct { const char *name; gf_lesson_run *run; } steps[] = {
        { "interleaved", gf_lesson_histogram_interleaved },
        { "counters for each block, in memory", gf_lesson_histogram_by_block },
        { "in shared memory", gf_lesson_histogram_near },
        { "16 bytes per load", gf_lesson_histogram_wide },
        { "counters for each warp", gf_lesson_histogram_by_warp },
        { "runs in registers", gf_lesson_histogram_runs },
        { "half of the counters", gf_lesson_histogram_half },
    };
    char text[360];
    int n = 0;

    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        float ms = 0;

        if (time_step(io, steps[k].run, events, &ms, err) != 0)
            return -1;
        n += snprintf(text + n, sizeof text - n, "%s'%s' %.3g", k == 0 ? "" : ", ", steps[k].name,
                      (double)io->count / ms * 1e-6);
    }
    gf_lesson_say(io->report, "GB/s with %s: %s", what, text);
    return 0;
}

extern "C" int gf_lesson_histogram_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    cudaEvent_t events[2] = { NULL, NULL };
    int result = -1;

    io->count = io->count < MOST_SAMPLES ? io->count : MOST_SAMPLES;
    if (gf_cuda_check(cudaEventCreate(&events[0]), WHAT, err) == 0
        && gf_cuda_check(cudaEventCreate(&events[1]), WHAT, err) == 0
        && tell(io, "noise", events, err) == 0) {
        make_equal<<<1024, 256, 0, stream>>>((unsigned char *)io->src, io->count, 2);
        result = tell(io, "every second byte equal", events, err);
        make_equal<<<1024, 256, 0, stream>>>((unsigned char *)io->src, io->count, 1);
        result = result == 0 ? tell(io, "all bytes equal", events, err) : -1;
    }
    if (events[0] != NULL)
        cudaEventDestroy(events[0]);
    if (events[1] != NULL)
        cudaEventDestroy(events[1]);
    return result;
}
