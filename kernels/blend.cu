/* Blending on a GPU: a pixel a thread. */
#include "blend.h"
#include "views.cuh"

struct blend_task {
    struct gf_view src, dst, beside;
    struct gf_blend p;
    struct gf_span rows;                 /* of the second source, in memory */
    int64_t shift;
    int64_t first, units, width;
};

static __device__ __forceinline__ void blend_pixel(const struct blend_task &t, float *v, const float *s)
{
    const struct gf_blend &p = t.p;
    const float own = p.beside_alpha ? s[p.beside_colours] : 1;

    if (p.mode == GF_BLEND_MASK) {
        const float m = p.beside_alpha ? own : p.beside_colours == 3 ? gf_blend_gray(s[0], s[1], s[2]) : s[0];

        v[p.colours] = v[p.colours] * m;
        return;
    }
    for (int c = 0; c < p.colours; c++) {
        const float other = p.beside_colours == 1 ? s[0] : s[c];

        v[c] = p.mode == GF_BLEND_COMPARE ? gf_blend_distance(v[c], other, p.amount)
             : p.alpha ? gf_blend_mixed(p.mode, v[c], v[p.colours], other, own * p.amount)
                       : gf_blend_opaque(p.mode, v[c], other, own * p.amount);
    }
    if (p.alpha && p.mode != GF_BLEND_COMPARE)
        v[p.colours] = gf_blend_alpha(v[p.colours], own * p.amount);
}

__global__ void __launch_bounds__(256) blend(const __grid_constant__ struct blend_task t)
{
    for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < t.units * t.width; i += (int64_t)gridDim.x * 256) {
        const int64_t y = t.first + i / t.width, x = i % t.width, row = y - t.shift, column = x - t.p.x;
        float v[GF_POINT_MATRIX_MAX] = { 0 }, s[GF_POINT_MATRIX_MAX] = { 0 };

        for (int c = 0; c < t.src.channels; c++)
            v[c] = gf_get(t.src, gf_row(t.src, y), gf_at(t.src, x, c));
        if (row >= t.rows.start && row < t.rows.end && column >= 0 && column < t.beside.width) {
            for (int c = 0; c < t.beside.channels; c++)
                s[c] = gf_get(t.beside, gf_row(t.beside, row), gf_at(t.beside, column, c));
            blend_pixel(t, v, s);
        }
        for (int c = 0; c < t.dst.channels; c++)
            gf_put(t.dst, gf_row(t.dst, y), gf_at(t.dst, x, c), v[c]);
    }
}

extern "C" int gf_blend_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_blend *p = (const struct gf_blend *)params;
    const int64_t pixels = gf_span_units(io->dst.span) * io->dst.width;
    struct gf_views v;
    struct blend_task t;
    int result;

    if (pixels <= 0)
        return 0;
    result = gf_views_open(&v, work, io, io->dst.span, err);
    if (result == 0) {
        t = { gf_view_of(&v.src), gf_view_of(&v.dst), gf_view_of(&io->beside), *p, io->beside.span, io->beside_shift,
              io->dst.span.start, gf_span_units(io->dst.span), io->dst.width };
        blend<<<gf_at_most(gf_ceil_div(pixels, 256), 1 << 20), 256, 0, (cudaStream_t)work->stream>>>(t);
        result = gf_cuda_launched("blend", err);
    }
    return gf_views_close(&v, work, io, result, err);
}
