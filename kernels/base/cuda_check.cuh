/* Checks calls of the CUDA runtime and launches, and keeps grids within the height that CUDA allows. */
#ifndef GF_KERNELS_CUDA_CHECK_CUH
#define GF_KERNELS_CUDA_CHECK_CUH

#include "base/error.h"
#include "base/signal.h"

#include <cuda_runtime.h>
#include <stdint.h>

static inline int gf_cuda_check(cudaError_t code, const char *what, struct gf_error *err)
{
    if (code == cudaSuccess)
        return 0;
    return gf_fail(err, GF_FAILED, "the GPU failed (%s): %s", what, cudaGetErrorString(code));
}

/* Call this after every launch. Errors inside a kernel appear at the next wait. */
static inline int gf_cuda_launched(const char *what, struct gf_error *err)
{
    return gf_cuda_check(cudaGetLastError(), what, err);
}

#define GF_CUDA_KERNELS 64               /* kernels of a file that remember that they were allowed it; a power of 2 */

/*
 * Allows a kernel to use all shared memory. The limit of a kernel is the same for all threads of
 * the process, and another lane may be about to launch it with more, so always set the maximum. It stays, and setting
 * it takes some microseconds, so each file remembers the last kernel and GPU for each remainder of their number.
 */
static inline int gf_cuda_allow_shared_memory(const void *kernel, struct gf_error *err)
{
    static uintptr_t allowed[GF_CUDA_KERNELS];
    struct cudaFuncAttributes code;
    int device = 0, most = 0;
    uintptr_t number, *seen;

    if (gf_cuda_check(cudaGetDevice(&device), "selecting the device", err) != 0)
        return -1;
    number = (uintptr_t)kernel * 64 + (uintptr_t)device % 64;
    seen = &allowed[(number ^ number >> 10) % GF_CUDA_KERNELS];
    if (device < 64 && __atomic_load_n(seen, __ATOMIC_RELAXED) == number)
        return 0;
    if (gf_cuda_check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                      "shared memory", err) != 0
        || gf_cuda_check(cudaFuncGetAttributes(&code, kernel), "shared memory", err) != 0
        || gf_cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              most - (int)code.sharedSizeBytes),
                         "shared memory", err) != 0)
        return -1;
    __atomic_store_n(seen, number, __ATOMIC_RELAXED);
    return 0;
}

/* Returns the bytes of shared memory that a block can have on this device. */
static inline size_t gf_cuda_most_shared_memory(void)
{
    int most = 0, device = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return (size_t)most;
}

static inline unsigned gf_cuda_grid_size(int64_t n, int64_t limit)
{
    return (unsigned)(n < limit ? n : limit);
}

#define GF_CUDA_HIGHEST 65535            /* most blocks of a grid in y, a limit of CUDA */

/* Returns the height of a grid whose blocks advance by that height until all n are done. */
static inline unsigned gf_cuda_grid_rows(int64_t n)
{
    return gf_cuda_grid_size(n, GF_CUDA_HIGHEST);
}

/* Calls launch(first, height) for consecutive grids that have `blocks` blocks in all. */
template <class L>
static inline void gf_cuda_launch_blocks(int64_t blocks, const L &launch)
{
    for (int64_t first = 0; first < blocks; first += GF_CUDA_HIGHEST)
        launch(first, gf_cuda_grid_rows(blocks - first));
}

/* Calls launch(task, height) for units [t.first, t.end). A block has `rows` units; the grid begins at task.first. */
template <class T, class L>
static inline void gf_cuda_launch_rows(const T &t, int64_t rows, const L &launch)
{
    gf_cuda_launch_blocks(gf_ceil_div(t.end - t.first, rows), [&](int64_t first, unsigned height) {
        T task = t;

        task.first += first * rows;
        launch((const T &)task, height);
    });
}

/* The number of blocks that should fit on a multiprocessor; older ones have room for four of 256 threads. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define GF_BLOCKS(n) ((n) < 4 ? (n) : 4)
#else
#define GF_BLOCKS(n) (n)
#endif

#endif
