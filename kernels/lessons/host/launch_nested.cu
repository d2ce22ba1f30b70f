/*
 * The lesson on launches: one thread of a kernel launches all others (dynamic parallelism). Such
 * code is linked twice, first for the GPU; see the Makefile.
 */
#include "kernels/lessons/host/launch.h"
#include "kernels/lessons/mix.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>

#define WHAT "lesson of launches"

#ifdef GF_LAUNCH_NESTED_LINKED
/* Launches of one thread run in their order. This kernel ends when all of them have ended. */
static __global__ void launch_all(const unsigned *src, unsigned *dst, int64_t count, int launches)
{
    for (int k = 0; k < launches; k++)
        gf_mix_word<<<(unsigned)gf_ceil_div(count, GF_MIX_THREADS), GF_MIX_THREADS>>>(k == 0 ? src : dst, dst, count);
}

/* The second half waits for the first one with all that it has launched. */
static __global__ void launch_halves(const unsigned *src, unsigned *dst, int64_t count, int launches)
{
    if (launches == 1) {
        gf_mix_word<<<(unsigned)gf_ceil_div(count, GF_MIX_THREADS), GF_MIX_THREADS>>>(src, dst, count);
        return;
    }
    launch_halves<<<1, 1>>>(src, dst, count, launches / 2);
    launch_halves<<<1, 1>>>(dst, dst, count, launches - launches / 2);
}

bool gf_launch_nested_open(int launches, size_t *limit_before)
{
    struct cudaFuncAttributes code;
    const bool works = cudaFuncGetAttributes(&code, launch_all) == cudaSuccess
        && cudaDeviceGetLimit(limit_before, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess
        && cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2 * (size_t)launches) == cudaSuccess;

    (void)cudaGetLastError();
    return works;
}

void gf_launch_nested_close(size_t limit_before)
{
    (void)cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit_before);
    (void)cudaGetLastError();
}

static int launch(void (*first)(const unsigned *, unsigned *, int64_t, int), struct gf_lesson_io *io,
                  struct gf_error *err)
{
    if (!((const struct gf_launch_state *)io->state)->nested) {
        *io->seconds = NAN;
        return 0;
    }
    first<<<1, 1, 0, (cudaStream_t)io->stream>>>((const unsigned *)io->src, (unsigned *)io->dst, io->count, io->value);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_launch_nested(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(launch_all, io, err);
}

extern "C" int gf_lesson_launch_recursive(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(launch_halves, io, err);
}
#else
/* The toolkit lacks the library that is linked for the GPU. */
bool gf_launch_nested_open(int launches, size_t *limit_before)
{
    (void)launches;
    (void)limit_before;
    return false;
}

void gf_launch_nested_close(size_t limit_before)
{
    (void)limit_before;
}

extern "C" int gf_lesson_launch_nested(struct gf_lesson_io *io, struct gf_error *err)
{
    (void)err;
    *io->seconds = NAN;
    return 0;
}

extern "C" int gf_lesson_launch_recursive(struct gf_lesson_io *io, struct gf_error *err)
{
    return gf_lesson_launch_nested(io, err);
}
#endif
