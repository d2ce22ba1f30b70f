/* Noise on a GPU: four pixels at a time, or four samples if each sample gets its own noise. */
#include "kernels/pixel/noise.h"

#include "kernels/base/grid_pixel_quads.cuh"
#include "kernels/base/program_buffers.cuh"

struct add_noise {
    static constexpr bool both = false;
    struct gf_noise p;
    uint64_t seed, apart;                /* added to a pixel's 64 bits, before they are mixed, for the next pixel */
    int64_t width;
    float inverse;

    template <enum gf_noise_shape S, int C, int N, int V>
    __device__ __forceinline__ void add(uint64_t bits, int first, float (&v)[N][V]) const
    {
        const uint64_t next = p.mono ? 0 : gf_noise_place(1);

#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int c = 0; c < (C ? C : V); c++)
                if (first + c < p.channels)
                    v[i][c] = __fmaf_rn(gf_noise_of(S, gf_noise_mix(bits + i * apart + c * next)),
                                        p.amplitude, v[i][c]);
    }

    __device__ __forceinline__ uint64_t begin(int64_t x, int64_t y, int) const
    {
        return seed + (uint64_t)(y * width + x) * apart;
    }

    template <int T, int C, int N, int V>
    __device__ __forceinline__ void make(uint64_t at, int from, int first, int, float (&v)[N][V]) const
    {
        const uint64_t bits = at + (unsigned)from * apart + (p.mono ? 0 : gf_noise_place((uint64_t)first));

        if (p.shape == GF_NOISE_GAUSSIAN)
            add<GF_NOISE_GAUSSIAN, C>(bits, first, v);
        else if (p.shape == GF_NOISE_UNIFORM)
            add<GF_NOISE_UNIFORM, C>(bits, first, v);
        else
            add<GF_NOISE_TRIANGULAR, C>(bits, first, v);
        if (p.step > 0)
#pragma unroll
            for (int i = 0; i < N; i++)
#pragma unroll
                for (int c = 0; c < (C ? C : V); c++)
                    if (first + c < p.channels)
                        v[i][c] = __fmul_rn(rintf(__fmul_rn(v[i][c], inverse)), p.step);
    }
};

extern "C" int gf_noise_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    const struct gf_noise *p = (const struct gf_noise *)params;

    if (gf_span_units(io->dst.span) * io->dst.width <= 0)
        return 0;
    return gf_program_buffers_run(work, io, io->dst.span, err, [&](const struct gf_io &plain) {
        struct gf_pixel_quads_task t = gf_pixel_quads_of_call(&plain);
        struct add_noise add = { *p, gf_noise_seed(p, io->signal), gf_noise_place((uint64_t)t.src.channels), t.width,
                                 p->step > 0 ? 1.0f / p->step : 0.0f };

        if (gf_block_view_flatten(&t.src, &t.dst, !p->mono && p->channels >= plain.src.channels, &t.width, &t.rows)) {
            add.width *= plain.src.channels;
            add.apart = gf_noise_place(1);
        }
        return gf_pixel_quads_launch(t, add, true, "noise", (cudaStream_t)work->stream, err);
    });
}
