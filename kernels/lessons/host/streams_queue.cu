/*
 * The lesson on streams: depth first and breadth first with one queue for all streams, as on GPUs
 * before 2013. The number of queues is chosen when a process begins to use CUDA, so this runs in a
 * process of its own.
 */
#include "base/clock.h"
#include "kernels/lessons/host/streams.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHAT "lesson of streams"
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
           "depth first %.3g GB/s, breadth first %.3g GB/s, so breadth first is %.3g times as fast. In one queue an "
           "upload waits for the download that was issued before it\n",
           2 * BYTES / depth * 1e-9, 2 * BYTES / breadth * 1e-9, depth / breadth);
    return 0;                            /* the process ends, which releases everything */
}
