/* Fades on a GPU: one frame a thread. */
#include "kernels/sound/fade.h"

#include "kernels/sound/frames.cuh"

__global__ void __launch_bounds__(GF_FRAMES_THREADS) fade(const __grid_constant__ struct gf_frames<struct gf_fade> t)
{
    const int64_t n = t.first + (int64_t)blockIdx.x * GF_FRAMES_THREADS + threadIdx.x;

    if (n >= t.end)
        return;
    const bool faded = n < t.params.in || t.units - n < t.params.out;
    const float gain = faded ? gf_fade_gain(&t.params, n, t.units) : 1.0f;

    for (int c = 0; c < t.src.channels; c++)
        gf_frame_put(t.dst, n, c, faded ? __fmul_rn(gf_frame_get(t.src, n, c), gain) : gf_frame_get(t.src, n, c));
}

extern "C" int gf_fade_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    return gf_frames_run(work, io, io->dst.span, params, fade, "fade", err);
}
