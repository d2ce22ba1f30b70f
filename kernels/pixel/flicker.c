/* Flicker on a CPU. */
#include "kernels/pixel/flicker.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <string.h>

GF_CLONES
static void change_brightness(const float *restrict from, float zero, float gain, float *restrict to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = (from[i] - zero) * gain + zero;
}

int gf_flicker_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_flicker *p = params;
    const struct gf_span rows = io->dst.span;
    const struct gf_block src = gf_planar_source(work, io, rows, work->scratch);
    const struct gf_block dst = gf_planar_result(io, src.channels, (float *)work->scratch
                                                 + gf_planar_source_samples(io, gf_span_units(rows)));
    const float gain = gf_flicker_gain(io);

    (void)err;
    for (int64_t y = rows.start; y < rows.end; y++)
        for (int c = 0; c < src.channels; c++)
            if (c < p->channels && gain != 1)
                change_brightness(gf_plane_at(&src, c, y), p->zero, gain, gf_plane_at(&dst, c, y), dst.width);
            else
                memcpy(gf_plane_at(&dst, c, y), gf_plane_at(&src, c, y), (size_t)dst.width * sizeof(float));
    gf_planar_finish(work, io, &dst);
    return 0;
}

const struct gf_operation gf_op_flicker = {
    .word = "flicker", .text = "A gain for each frame, which gives it the mean brightness of those around it.",
    .params_bytes = sizeof(struct gf_flicker),
    .cpu = { .body = gf_flicker_cpu, .scratch_bytes = gf_planar_scratch },
    .cuda = { .body = GF_CUDA_BODY(gf_flicker_cuda), GF_OP_READS_AND_STORES,
              .scratch_bytes = gf_gpu_scratch_programs },
};
