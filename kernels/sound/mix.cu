/* Mixing on a GPU: one frame a thread. */
#include "kernels/sound/mix.h"

#include "kernels/sound/frames.cuh"

struct mix_task {
    struct gf_block_view src, dst, beside;
    struct gf_span there;                /* frames that the second source has */
    int64_t first, end, shift;
    int64_t units, row;                  /* of the second source, if it loops: its length, and the first row here */
    float gain;
};

__global__ void __launch_bounds__(GF_FRAMES_THREADS) mix(const __grid_constant__ struct mix_task t)
{
    const int64_t n = t.first + (int64_t)blockIdx.x * GF_FRAMES_THREADS + threadIdx.x;

    if (n >= t.end)
        return;
    int64_t at = n - t.shift;
    const bool mixed = n >= t.there.start && n < t.there.end;

    if (t.units > 0 && mixed)
        at = gf_looped_row(at, t.units, t.row);
    for (int c = 0; c < t.src.channels; c++) {
        const float x = gf_frame_get(t.src, n, c);

        gf_frame_put(t.dst, n, c, mixed ? fmaf(t.gain, gf_frame_get(t.beside, at, c), x) : x);
    }
}

extern "C" int gf_mix_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_mix *mixing = (const struct gf_mix *)params;
    const struct gf_span d = io->dst.span, there = gf_mix_frames(io, mixing);
    const int64_t frames = gf_span_units(d), units = mixing->loops ? io->beside_units : 0;

    if (frames <= 0)
        return 0;
    return gf_program_buffers_run(work, io, d, err, [&](const struct gf_io &plain) {
        const struct mix_task t = { gf_block_view_of(&plain.src), gf_block_view_of(&plain.dst),
                                    gf_block_view_of(&io->beside), there, d.start, d.end, io->beside_shift,
                                    units, io->beside.span.start, mixing->gain };

        mix<<<(unsigned)gf_ceil_div(frames, GF_FRAMES_THREADS), GF_FRAMES_THREADS, 0, (cudaStream_t)work->stream>>>(t);
        return gf_cuda_launched("mix", err);
    });
}
