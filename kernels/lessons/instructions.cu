/*
 * The lesson on instructions. Each sample needs 256 instructions of a kind, each of which depends on
 * the one before, so memory is no limit; other warps fill the wait. Factors are arguments, so that
 * the compiler cannot compute anything in advance.
 */
#include "kernels/lessons/instructions.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#define THREADS 256
#define TURNS GF_LESSON_TURNS
#define WHAT "lesson of instructions"

struct task {
    const float *src;
    float *dst;
    int64_t count;
    float times, plus, divisor, sine_plus;
    double double_times, double_plus;
    unsigned word_times, word_plus;
};

/* Each returns a sample after all turns. */
struct rolled {
    static __device__ float of(float v, const struct task &t)
    {
#pragma unroll 1
        for (int k = 0; k < TURNS; k++)
            v = fmaf(v, t.times, t.plus);
        return v;
    }
};

struct unrolled {
    static __device__ float of(float v, const struct task &t)
    {
#pragma unroll 64
        for (int k = 0; k < TURNS; k++)
            v = fmaf(v, t.times, t.plus);
        return v;
    }
};

struct in_double {
    static __device__ float of(float v, const struct task &t)
    {
        double d = v;

#pragma unroll 64
        for (int k = 0; k < TURNS; k++)
            d = fma(d, t.double_times, t.double_plus);
        return (float)d;
    }
};

struct in_words {
    static __device__ float of(float v, const struct task &t)
    {
        unsigned w = (unsigned)(v * 256);

#pragma unroll 64
        for (int k = 0; k < TURNS; k++)
            w = w * t.word_times + t.word_plus;
        return (float)(w >> 16);
    }
};

struct division {
    static __device__ float of(float v, const struct task &t)
    {
#pragma unroll 16
        for (int k = 0; k < TURNS; k++)
            v = v / t.divisor + t.plus;
        return v;
    }
};

struct fast_division {
    static __device__ float of(float v, const struct task &t)
    {
#pragma unroll 16
        for (int k = 0; k < TURNS; k++)
            v = __fdividef(v, t.divisor) + t.plus;
        return v;
    }
};

struct sine {
    static __device__ float of(float v, const struct task &t)
    {
#pragma unroll 4
        for (int k = 0; k < TURNS; k++)
            v = sinf(v) + t.sine_plus;
        return v;
    }
};

struct fast_sine {
    static __device__ float of(float v, const struct task &t)
    {
#pragma unroll 4
        for (int k = 0; k < TURNS; k++)
            v = __sinf(v) + t.sine_plus;
        return v;
    }
};

template <class F>
__global__ void __launch_bounds__(THREADS) change(const struct task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < t.count)
        t.dst[i] = F::of(t.src[i], t);
}

static __device__ const float factors_in_memory[2] = { GF_LESSON_FLOAT_TIMES, GF_LESSON_FLOAT_PLUS };

/* The pointers may reach the same memory. */
__global__ void __launch_bounds__(THREADS) by_pointers(const float *src, float *dst, const float *factors,
                                                       int64_t count)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i >= count)
        return;
    dst[i] = src[i];
#pragma unroll 64
    for (int k = 0; k < TURNS; k++)
        dst[i] = fmaf(dst[i], factors[0], factors[1]);
}

/* The pointers reach different memory. */
__global__ void __launch_bounds__(THREADS) by_restrict(const float *__restrict__ src, float *__restrict__ dst,
                                                       const float *__restrict__ factors, int64_t count)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i >= count)
        return;
    dst[i] = src[i];
#pragma unroll 64
    for (int k = 0; k < TURNS; k++)
        dst[i] = fmaf(dst[i], factors[0], factors[1]);
}

/* ---- launches ---- */

static int launch_pointers(void (*kernel)(const float *, float *, const float *, int64_t), struct gf_lesson_io *io,
                           struct gf_error *err)
{
    void *factors;

    if (gf_cuda_check(cudaGetSymbolAddress(&factors, factors_in_memory), WHAT, err) != 0)
        return -1;
    kernel<<<(unsigned)gf_ceil_div(io->count, THREADS), THREADS, 0,
             (cudaStream_t)io->stream>>>((const float *)io->src, (float *)io->dst, (const float *)factors, io->count);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_instructions_pointers(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_pointers(by_pointers, io, err);
}

extern "C" int gf_lesson_instructions_restrict(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_pointers(by_restrict, io, err);
}

template <class F>
static int launch(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct task t = { (const float *)io->src, (float *)io->dst, io->count, GF_LESSON_FLOAT_TIMES,
                            GF_LESSON_FLOAT_PLUS, GF_LESSON_FLOAT_TIMES, GF_LESSON_SINE_PLUS, GF_LESSON_FLOAT_TIMES,
                            GF_LESSON_FLOAT_PLUS, GF_LESSON_WORD_TIMES, GF_LESSON_WORD_PLUS };

    change<F><<<(unsigned)gf_ceil_div(io->count, THREADS), THREADS, 0, (cudaStream_t)io->stream>>>(t);
    return gf_cuda_launched(WHAT, err);
}

#define STEP(name, way) \
    extern "C" int gf_lesson_instructions_##name(struct gf_lesson_io *io, struct gf_error *err) \
    { \
        return launch<way>(io, err); \
    }
STEP(rolled, rolled)
STEP(unrolled, unrolled)
STEP(double, in_double)
STEP(words, in_words)
STEP(division, division)
STEP(fast_division, fast_division)
STEP(sine, sine)
STEP(fast_sine, fast_sine)
