/* Kernels that change pixels by their places: four columns a thread, read and written in words where they lie so. */
#ifndef GF_FOURS_CUH
#define GF_FOURS_CUH

#include "check.cuh"
#include "pack.cuh"

#define GF_FOURS_THREADS 256

struct gf_fours_task {
    struct gf_view src, dst;
    int64_t first, rows, width;
};

/* Channel c of a pixel in registers, which no index may take to memory. */
static __device__ __forceinline__ float gf_pick4(const float (&v)[4], int c)
{
    return c == 0 ? v[0] : c == 1 ? v[1] : c == 2 ? v[2] : v[3];
}

/* `change`, a structure by value, is called with a pixel's row and first column, how many of four there are, and their channels. */
template <class F>
__global__ void __launch_bounds__(GF_FOURS_THREADS) gf_fours(const __grid_constant__ struct gf_fours_task t, const __grid_constant__ F change)
{
    const int64_t x = ((int64_t)blockIdx.x * GF_FOURS_THREADS + threadIdx.x) * 4;
    const int pixels = (int)min((int64_t)4, t.width - x);

    if (x >= t.width)
        return;
    for (int64_t y = t.first + blockIdx.y; y < t.first + t.rows; y += gridDim.y) {
        float v[4][4] = { };

        gf_read4(t.src, gf_row(t.src, y), x, pixels, v);
        change(x, y, pixels, v);
        gf_write4(t.dst, gf_row(t.dst, y), x, pixels, v);
    }
}

/* Whether such a kernel can: pictures of up to four channels, as many behind it. */
static inline bool gf_fours_can(const struct gf_view *src, const struct gf_view *dst, int64_t width)
{
    return width > 1 && src->channels <= 4 && dst->channels == src->channels;
}

template <class F>
static int gf_fours_launch(const struct gf_view *src, const struct gf_view *dst, const struct gf_block *shape, const F &change,
                           const char *what, cudaStream_t stream, struct gf_error *err)
{
    const struct gf_fours_task t = { *src, *dst, shape->span.start, shape->span.end - shape->span.start, shape->width };
    const dim3 grid((unsigned)gf_ceil_div(t.width, 4 * GF_FOURS_THREADS), gf_at_most(t.rows, 65535));

    gf_fours<F><<<grid, GF_FOURS_THREADS, 0, stream>>>(t, change);
    return gf_cuda_launched(what, err);
}

#endif
