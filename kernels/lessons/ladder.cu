/*
 * The lesson on latency. One thread follows a chain: it needs each value to know where the next one
 * is, so it waits for each, and nothing hides the wait.
 */
#include "kernels/lessons/ladder.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>

#define WHAT "lesson of latency"
#define THREADS 256                      /* that fill shared memory; only one follows the chain */
#define MOST_SHARED_WORDS (64 * 256)

/* Each multiplication needs the result of the one before. The numbers are arguments, so nothing is precomputed. */
__global__ void in_registers(unsigned *to, int64_t steps, unsigned times, unsigned plus)
{
    unsigned v = 0;

    for (int64_t k = steps; k > 0; k--)
        v = v * times + plus;
    *to = v;
}

__global__ void __launch_bounds__(THREADS) in_shared(const unsigned *src, int count, unsigned *to, int64_t steps)
{
    extern __shared__ unsigned s[];
    unsigned at = 0;

    for (int i = threadIdx.x; i < count; i += THREADS)
        s[i] = src[i];
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int64_t k = steps; k > 0; k--)
        at = s[at];
    *to = at;
}

/* Loads through both caches, or through the second-level cache alone. */
template <bool FIRST_LEVEL>
__global__ void in_memory(const unsigned *src, unsigned *to, int64_t steps)
{
    unsigned at = 0;

    for (int64_t k = steps; k > 0; k--)
        at = FIRST_LEVEL ? __ldca(src + at) : __ldcg(src + at);
    *to = at;
}

extern "C" int gf_lesson_ladder_open(struct gf_lesson_io *io, struct gf_error *err)
{
    (void)io;
    return gf_cuda_allow_shared_memory((const void *)in_shared, err);
}

extern "C" int gf_lesson_ladder_registers(struct gf_lesson_io *io, struct gf_error *err)
{
    in_registers<<<1, 1, 0, (cudaStream_t)io->stream>>>((unsigned *)io->dst, gf_lesson_ladder_steps(io->count),
                                                        GF_LESSON_LADDER_TIMES, GF_LESSON_LADDER_PLUS);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_ladder_shared(struct gf_lesson_io *io, struct gf_error *err)
{
    int device = 0, most = 0;

    if (gf_cuda_check(cudaGetDevice(&device), WHAT, err) != 0
        || gf_cuda_check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), WHAT,
                         err) != 0)
        return -1;
    if (io->count > MOST_SHARED_WORDS || io->count * (int64_t)sizeof(unsigned) > most) {
        *io->seconds = NAN;
        return 0;
    }
    in_shared<<<1, THREADS, (size_t)io->count * sizeof(unsigned),
                (cudaStream_t)io->stream>>>((const unsigned *)io->src, (int)io->count, (unsigned *)io->dst,
                                            gf_lesson_ladder_steps(io->count));
    return gf_cuda_launched(WHAT, err);
}

template <bool FIRST_LEVEL>
static int launch(struct gf_lesson_io *io, struct gf_error *err)
{
    in_memory<FIRST_LEVEL><<<1, 1, 0, (cudaStream_t)io->stream>>>((const unsigned *)io->src, (unsigned *)io->dst,
                                                                  gf_lesson_ladder_steps(io->count));
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_ladder_loads(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch<true>(io, err);
}

extern "C" int gf_lesson_ladder_second(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch<false>(io, err);
}

/* ---- what it says ---- */

static void tell(const struct gf_lesson_report *r, int step, int size, const char *what)
{
    static const int kb[] = { 16, 64, 1024, 16384, 131072 };
    int device = 0, khz = 0;
    double each;

    if (size >= r->sizes)
        return;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
    each = r->seconds(r->context, step, size) / (double)gf_lesson_ladder_steps(kb[size] * INT64_C(256));
    if (!isnan(each))
        gf_lesson_say(r, "%s: %.3g ns, or %.0f clocks at %.0f MHz", what, each * 1e9, each * khz * 1e3, khz * 1e-3);
}

extern "C" int gf_lesson_ladder_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    (void)err;
    tell(io->report, 0, 0, "a multiplication and an addition in registers");
    tell(io->report, 1, 0, "shared memory");
    tell(io->report, 2, 0, "first-level cache (a table of 16 KB)");
    tell(io->report, 3, 0, "second-level cache (a table of 16 KB)");
    tell(io->report, 2, 3, "second-level cache (a table of 16 MB)");
    tell(io->report, 2, 4, "memory (a table of 128 MB)");
    return 0;
}
