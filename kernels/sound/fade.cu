/* Fading on a GPU: a frame a thread. */
#include "kernels/sound/fade.h"

#include "kernels/base/program_buffers.cuh"

struct fade_task {
    struct gf_block_view src, dst;
    struct gf_fade f;
    int64_t first, end, units;
};

__global__ void __launch_bounds__(256) fade(const __grid_constant__ struct fade_task t)
{
    const int64_t n = t.first + (int64_t)blockIdx.x * 256 + threadIdx.x;

    if (n >= t.end)
        return;
    const bool faded = n < t.f.in || t.units - n < t.f.out;
    const float gain = faded ? gf_fade_gain(&t.f, n, t.units) : 1.0f;

    for (int c = 0; c < t.src.channels; c++)
        gf_frame_put(t.dst, n, c, faded ? __fmul_rn(gf_frame_get(t.src, n, c), gain) : gf_frame_get(t.src, n, c));
}

extern "C" int gf_fade_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const int64_t frames = gf_span_units(io->dst.span);

    if (frames <= 0)
        return 0;
    return gf_program_buffers_run(work, io, io->dst.span, err, [&](const struct gf_io &plain) {
        const struct fade_task t = { gf_block_view_of(&plain.src), gf_block_view_of(&plain.dst),
                                     *(const struct gf_fade *)params, io->dst.span.start, io->dst.span.end,
                                     io->src_units };

        fade<<<(unsigned)gf_ceil_div(frames, 256), 256, 0, (cudaStream_t)work->stream>>>(t);
        return gf_cuda_launched("fade", err);
    });
}
