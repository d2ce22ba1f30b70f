/* Kernels that change each word once: with a thread per word, or with as many threads as run at once. */
#ifndef GF_LESSONS_MIX_CUH
#define GF_LESSONS_MIX_CUH

#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/mix.h"

#define GF_MIX_THREADS 256

static __global__ void __launch_bounds__(GF_MIX_THREADS) gf_mix_word(const unsigned *src, unsigned *dst, int64_t count)
{
    const int64_t i = (int64_t)blockIdx.x * GF_MIX_THREADS + threadIdx.x;

    if (i < count)
        dst[i] = gf_lesson_mix(src[i]);
}

static __global__ void __launch_bounds__(GF_MIX_THREADS) gf_mix_by_grid(const unsigned *src, unsigned *dst,
                                                                        int64_t count)
{
    for (int64_t i = (int64_t)blockIdx.x * GF_MIX_THREADS + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * GF_MIX_THREADS)
        dst[i] = gf_lesson_mix(src[i]);
}

/* Launches a thread per word. The caller asks for errors. */
static inline void gf_mix_launch(const struct gf_lesson_io *io, const void *src)
{
    gf_mix_word<<<(unsigned)gf_ceil_div(io->count, GF_MIX_THREADS), GF_MIX_THREADS, 0,
                  (cudaStream_t)io->stream>>>((const unsigned *)src, (unsigned *)io->dst, io->count);
}

/* Changes words of any memory that the GPU can address, with as many threads as run at once. */
static inline int gf_mix_all(const struct gf_lesson_io *io, const void *src, void *dst, const char *what,
                             struct gf_error *err)
{
    gf_mix_by_grid<<<gf_lesson_blocks(io->count, GF_MIX_THREADS), GF_MIX_THREADS, 0,
                     (cudaStream_t)io->stream>>>((const unsigned *)src, (unsigned *)dst, io->count);
    return gf_cuda_launched(what, err);
}

static inline size_t gf_mix_bytes(const struct gf_lesson_io *io)
{
    return (size_t)io->count * sizeof(unsigned);
}

#endif
