/*
 * Squares of a radius above 3, in a separate file, so that their kernels are loaded only when they
 * are used.
 */
#ifndef GF_KERNELS_RANK_LARGE_CUH
#define GF_KERNELS_RANK_LARGE_CUH

#include "kernels/neighbourhood/rank/rank_thread_words.cuh"

typedef void rank_kernel(const struct rank_task);

/* Calls launch(part, height) for consecutive grids; a block has `rows` units of the task. */
template <class T, class L>
static void gf_rank_launch_rows(const struct rank_task &t, int64_t rows, const L &launch)
{
    gf_cuda_launch_rows(t, rows, [&](struct rank_task part, unsigned height) {
        part.out += (part.first - t.first) * t.out_pitch * (int64_t)sizeof(T);
        launch((const struct rank_task &)part, height);
    });
}

template <class T>
int gf_rank_large(const struct rank_task &t, enum gf_rank_pick pick, cudaStream_t stream, struct gf_error *err);

#endif
