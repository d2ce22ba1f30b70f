/* Noise on a GPU: four pixels a thread, or a frame. */
#include "fours.cuh"
#include "noise.h"
#include "views.cuh"

struct noise_task {
    struct gf_view src, dst;
    struct gf_noise p;
    uint64_t seed;
    int64_t first, rows, width;
    float inverse;
};

static __device__ __forceinline__ float noisy(const struct gf_noise &p, float inverse, uint64_t bits, float v)
{
    v = __fmaf_rn(gf_noise_of(p.shape, bits), p.amplitude, v);
    return p.step > 0 ? __fmul_rn(rintf(__fmul_rn(v, inverse)), p.step) : v;
}

struct add_noise {
    struct gf_noise p;
    uint64_t seed;
    int64_t width;
    float inverse;
    int all;                             /* channels of the signal */

    __device__ __forceinline__ void operator()(int64_t x, int64_t y, int, float (&v)[4][4]) const
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const uint64_t number = (uint64_t)((y * width + x + i) * all);

#pragma unroll
            for (int c = 0; c < 4; c++)
                if (c < p.channels)
                    v[i][c] = noisy(p, inverse, gf_noise_bits(seed, number + (p.mono ? 0 : c)), v[i][c]);
        }
    }
};

__global__ void __launch_bounds__(256) noise(const __grid_constant__ struct noise_task t)
{
    for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < t.rows * t.width; i += (int64_t)gridDim.x * 256) {
        const int64_t y = t.first + i / t.width, x = i % t.width;

        for (int c = 0; c < t.src.channels; c++) {
            float v = gf_get(t.src, gf_row(t.src, y), gf_at(t.src, x, c));

            if (c < t.p.channels) {
                const uint64_t bits = gf_noise_bits(t.seed, (uint64_t)((y * t.width + x) * t.src.channels + (t.p.mono ? 0 : c)));

                v = noisy(t.p, t.inverse, bits, v);
            }
            gf_put(t.dst, gf_row(t.dst, y), gf_at(t.dst, x, c), v);
        }
    }
}

extern "C" int gf_noise_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_noise *p = (const struct gf_noise *)params;
    const int64_t pixels = gf_span_units(io->dst.span) * io->dst.width;
    struct gf_views v;
    struct noise_task t;
    int result;

    if (pixels <= 0)
        return 0;
    result = gf_views_open(&v, work, io, io->dst.span, err);
    if (result == 0) {
        t = { gf_view_of(&v.src), gf_view_of(&v.dst), *p, gf_noise_seed(p, io->signal), io->dst.span.start,
              gf_span_units(io->dst.span), io->dst.width, p->step > 0 ? 1.0f / p->step : 0.0f };
        if (gf_fours_can(&t.src, &t.dst, t.width))
            return gf_views_close(&v, work, io, gf_fours_launch(&t.src, &t.dst, &io->dst, add_noise { *p, t.seed, t.width, t.inverse, t.src.channels },
                                                                "noise", (cudaStream_t)work->stream, err), err);
        noise<<<gf_at_most(gf_ceil_div(pixels, 256), 1 << 20), 256, 0, (cudaStream_t)work->stream>>>(t);
        result = gf_cuda_launched("noise", err);
    }
    return gf_views_close(&v, work, io, result, err);
}
