/* Vignettes on a GPU: four pixels a thread. */
#include "fours.cuh"
#include "views.cuh"
#include "vignette.h"

struct darken {
    struct gf_vignette v;

    __device__ __forceinline__ void operator()(int64_t x, int64_t y, int, float (&p)[4][4]) const
    {
        const float row = gf_vignette_row(&v, y);

#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float gain = gf_vignette_gain(&v, (float)(int32_t)(x + i), row);

#pragma unroll
            for (int c = 0; c < 4; c++)
                p[i][c] = c < v.channels ? __fmul_rn(p[i][c], gain) : p[i][c];
        }
    }
};

/* Any number of channels, a pixel a thread. */
struct vignette_task {
    struct gf_view src, dst;
    struct gf_vignette v;
    int64_t first, rows, width;
};

__global__ void __launch_bounds__(256) vignette(const __grid_constant__ struct vignette_task t)
{
    for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < t.rows * t.width; i += (int64_t)gridDim.x * 256) {
        const int64_t y = t.first + i / t.width, x = i % t.width;
        const float gain = gf_vignette_gain(&t.v, (float)(int32_t)x, gf_vignette_row(&t.v, y));

        for (int c = 0; c < t.src.channels; c++) {
            const float v = gf_get(t.src, gf_row(t.src, y), gf_at(t.src, x, c));

            gf_put(t.dst, gf_row(t.dst, y), gf_at(t.dst, x, c), c < t.v.channels ? __fmul_rn(v, gain) : v);
        }
    }
}

extern "C" int gf_vignette_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const int64_t pixels = gf_span_units(io->dst.span) * io->dst.width;
    struct gf_views v;
    struct vignette_task t;
    int result;

    if (pixels <= 0)
        return 0;
    result = gf_views_open(&v, work, io, io->dst.span, err);
    if (result == 0 && gf_fours_can(&(t.src = gf_view_of(&v.src)), &(t.dst = gf_view_of(&v.dst)), io->dst.width)) {
        result = gf_fours_launch(&t.src, &t.dst, &io->dst, darken { *(const struct gf_vignette *)params }, "vignette",
                                 (cudaStream_t)work->stream, err);
    } else if (result == 0) {
        t = { gf_view_of(&v.src), gf_view_of(&v.dst), *(const struct gf_vignette *)params, io->dst.span.start,
              gf_span_units(io->dst.span), io->dst.width };
        vignette<<<gf_at_most(gf_ceil_div(pixels, 256), 1 << 20), 256, 0, (cudaStream_t)work->stream>>>(t);
        result = gf_cuda_launched("vignette", err);
    }
    return gf_views_close(&v, work, io, result, err);
}
