/* Echoes on a GPU: one frame a thread. */
#include "kernels/sound/echo.h"

#include "kernels/sound/frames.cuh"

__global__ void __launch_bounds__(GF_FRAMES_THREADS)
add_echoes(const __grid_constant__ struct gf_frames<struct gf_echo> t)
{
    const int64_t n = t.first + (int64_t)blockIdx.x * GF_FRAMES_THREADS + threadIdx.x;

    if (n >= t.end)
        return;
    for (int c = 0; c < t.src.channels; c++) {
        float y = n < t.units ? gf_frame_get(t.src, n, c) : 0.0f;

        for (int k = 0; k < t.params.count; k++) {
            const int64_t m = n - t.params.delay[k];

            if (m >= 0 && m < t.units)
                y = __fmaf_rn(t.params.decay[k], gf_frame_get(t.src, m, c), y);
        }
        gf_frame_put(t.dst, n, c, y);
    }
}

extern "C" int gf_echo_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    return gf_frames_run(work, io, io->src.span, params, add_echoes, "echo", err);
}
