/* Echoes on a GPU: a frame a thread. */
#include "kernels/sound/echo.h"

#include "kernels/base/program_buffers.cuh"

struct echo_task {
    struct gf_block_view src, dst;
    struct gf_echo e;
    int64_t first, end, units;
};

__global__ void __launch_bounds__(256) add_echoes(const __grid_constant__ struct echo_task t)
{
    const int64_t n = t.first + (int64_t)blockIdx.x * 256 + threadIdx.x;

    if (n >= t.end)
        return;
    for (int c = 0; c < t.src.channels; c++) {
        float y = n < t.units ? gf_frame_get(t.src, n, c) : 0.0f;

        for (int k = 0; k < t.e.count; k++) {
            const int64_t m = n - t.e.delay[k];

            if (m >= 0 && m < t.units)
                y = __fmaf_rn(t.e.decay[k], gf_frame_get(t.src, m, c), y);
        }
        gf_frame_put(t.dst, n, c, y);
    }
}

extern "C" int gf_echo_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const int64_t frames = gf_span_units(io->dst.span);

    if (frames <= 0)
        return 0;
    return gf_program_buffers_run(work, io, io->src.span, err, [&](const struct gf_io &plain) {
        const struct echo_task t = { gf_block_view_of(&plain.src), gf_block_view_of(&plain.dst),
                                     *(const struct gf_echo *)params, io->dst.span.start, io->dst.span.end,
                                     io->src_units };

        add_echoes<<<(unsigned)gf_ceil_div(frames, 256), 256, 0, (cudaStream_t)work->stream>>>(t);
        return gf_cuda_launched("echo", err);
    });
}
