/* Shared by the lessons: how many blocks fill a GPU. */
#ifndef GF_LESSONS_LESSON_CUH
#define GF_LESSONS_LESSON_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/lessons/lesson.h"

/* Returns the blocks of `threads` for `count` samples: no more than run at once. */
static inline unsigned gf_lesson_blocks(int64_t count, int threads)
{
    int device = 0, processors = 1, most = 2048;
    int64_t blocks;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    blocks = gf_ceil_div(count, threads);
    return gf_cuda_grid_size(blocks > 0 ? blocks : 1, (int64_t)processors * (most / threads));
}

#endif
