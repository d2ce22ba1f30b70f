/*
 * The lesson on launches: as many short kernels as the axis says, each of which needs the result of
 * the one before. launch_graph.cu starts the same launches as a graph, launch_nested.cu on the GPU.
 */
#include "base/clock.h"
#include "kernels/lessons/host/launch.h"
#include "kernels/lessons/mix.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>

#define THREADS 256
#define WHAT "lesson of launches"

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

/* The first launch reads the source, the others the result of the one before. */
static const unsigned *source_of(const struct gf_lesson_io *io, int k)
{
    return (const unsigned *)(k == 0 ? io->src : io->dst);
}

int gf_launch_plain(const struct gf_lesson_io *io, int k, struct gf_error *err)
{
    gf_mix_launch(io, source_of(io, k));
    return gf_cuda_launched(WHAT, err);
}

int gf_launch_early(const struct gf_lesson_io *io, int k, struct gf_error *err)
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

int gf_launch_all(const struct gf_lesson_io *io, gf_launching *one, struct gf_error *err)
{
    for (int k = 0; k < io->value; k++)
        if (one(io, k, err) != 0)
            return -1;
    return 0;
}

extern "C" int gf_lesson_launch_waited(struct gf_lesson_io *io, struct gf_error *err)
{
    for (int k = 0; k < io->value; k++)
        if (gf_launch_plain(io, k, err) != 0
            || gf_cuda_check(cudaStreamSynchronize((cudaStream_t)io->stream), WHAT, err) != 0)
            return -1;
    return 0;
}

extern "C" int gf_lesson_launch_stream(struct gf_lesson_io *io, struct gf_error *err)
{
    return gf_launch_all(io, gf_launch_plain, err);
}

extern "C" int gf_lesson_launch_returned(struct gf_lesson_io *io, struct gf_error *err)
{
    const double start = gf_clock_seconds();
    const int result = gf_launch_all(io, gf_launch_plain, err);

    *io->seconds = gf_clock_seconds() - start;
    return result;
}

extern "C" int gf_lesson_launch_early(struct gf_lesson_io *io, struct gf_error *err)
{
    if (((const struct gf_launch_state *)io->state)->early)
        return gf_launch_all(io, gf_launch_early, err);
    *io->seconds = NAN;
    return 0;
}

extern "C" int gf_lesson_launch_one(struct gf_lesson_io *io, struct gf_error *err)
{
    change_often<<<(unsigned)gf_ceil_div(io->count, THREADS), THREADS, 0,
                   (cudaStream_t)io->stream>>>((const unsigned *)io->src, (unsigned *)io->dst, io->count, io->value);
    return gf_cuda_launched(WHAT, err);
}
