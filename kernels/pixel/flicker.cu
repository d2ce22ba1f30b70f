/* Flicker on a GPU: four pixels at a time. */
#include "kernels/pixel/flicker.h"

#include "kernels/base/grid_pixel_quads.cuh"
#include "kernels/base/program_buffers.cuh"

struct change_brightness {
    static constexpr bool both = false;
    struct gf_flicker p;
    float gain;

    struct place { };

    __device__ __forceinline__ struct place begin(int64_t, int64_t, int) const
    {
        return { };
    }

    template <int T, int C, int N, int V>
    __device__ __forceinline__ void make(const struct place &, int, int first, int, float (&v)[N][V]) const
    {
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int c = 0; c < (C ? C : V); c++)
                if (first + c < p.channels && gain != 1)
                    v[i][c] = __fadd_rn(__fmul_rn(__fadd_rn(v[i][c], -p.zero), gain), p.zero);
    }
};

extern "C" int gf_flicker_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                               struct gf_error *err)
{
    const struct change_brightness change = { *(const struct gf_flicker *)params, gf_flicker_gain(io) };

    if (gf_span_units(io->dst.span) * io->dst.width <= 0)
        return 0;
    return gf_program_buffers_run(work, io, io->dst.span, err, [&](const struct gf_io &plain) {
        return gf_pixel_quads_launch(gf_pixel_quads_of_call(&plain), change, true, "deflicker",
                                     (cudaStream_t)work->stream, err);
    });
}
