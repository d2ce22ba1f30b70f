/* Vignettes on a GPU: four pixels at a time. */
#include "kernels/pixel/vignette.h"

#include "kernels/base/grid_pixel_quads.cuh"
#include "kernels/base/program_buffers.cuh"

struct darken {
    static constexpr bool both = false;
    struct gf_vignette v;

    struct place {
        int32_t x;
        float row;
    };

    __device__ __forceinline__ struct place begin(int64_t x, int64_t y, int) const
    {
        return { (int32_t)x, gf_vignette_row(&v, y) };
    }

    template <int T, int C, int N, int V>
    __device__ __forceinline__ void make(const struct place &at, int from, int first, int, float (&p)[N][V]) const
    {
#pragma unroll
        for (int i = 0; i < N; i++) {
            const float gain = gf_vignette_gain(&v, (float)(at.x + from + i), at.row);

#pragma unroll
            for (int c = 0; c < (C ? C : V); c++)
                if (first + c < v.channels)
                    p[i][c] = __fmul_rn(p[i][c], gain);
        }
    }
};

extern "C" int gf_vignette_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                                struct gf_error *err)
{
    const struct darken change = { *(const struct gf_vignette *)params };

    if (gf_span_units(io->dst.span) * io->dst.width <= 0)
        return 0;
    return gf_program_buffers_run(work, io, io->dst.span, err, [&](const struct gf_io &plain) {
        return gf_pixel_quads_launch(gf_pixel_quads_of_call(&plain), change, true, "vignette",
                                     (cudaStream_t)work->stream, err);
    });
}
