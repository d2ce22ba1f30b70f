/* A slow gain towards a loudness, on a CPU: block by block. */
#include "kernels/sound/steer.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/gpu_scratch.h"

#include <string.h>

GF_CLONES
static int64_t energy_of(const float *x, float root, int64_t n)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += gf_follow_square(x[i] * root);
    return sum;
}

int gf_steer_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_steer *s = params;
    const struct gf_span out = io->dst.span;
    const double scale = gf_steer_scale(s);
    struct gf_steer_state *state = work->carry;
    float *gain = gf_plane_at(&io->dst, s->kept, out.start);

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: steer needs planes and no programs");
    for (int c = 0; c < s->kept && out.end > out.start; c++)
        memcpy(gf_plane_at(&io->dst, c, out.start), gf_plane_at(&io->src, c, out.start),
               (size_t)gf_span_units(out) * sizeof(float));
    for (int64_t u = out.start, end; u < out.end; u = end) {
        const float now = gf_octaves_gain((int32_t)state->gain);

        end = (u / s->block_units + 1) * s->block_units;
        end = end < out.end ? end : out.end;
        for (int c = s->kept; c < io->src.channels; c++)
            state->energy += energy_of(gf_plane_at(&io->src, c, u), s->root[c - s->kept], end - u);
        for (int64_t i = u; i < end; i++)
            gain[i - out.start] = now;
        if (end % s->block_units == 0)
            gf_steer_end(s, scale, state);
    }
    return 0;
}

static size_t steer_gpu_scratch(const struct gf_io *io, const void *params)
{
    const int64_t blocks = gf_span_units(io->dst.span) / ((const struct gf_steer *)params)->block_units + 2;

    return (size_t)blocks * 16 + GF_GPU_SCRATCH_SMALL;
}

const struct gf_operation gf_op_steer = {
    .word = "steer", .text = "A slow gain that brings the loudness to a target.",
    .params_bytes = sizeof(struct gf_steer),
    .cpu = { .body = gf_steer_cpu, .light = 1 },
    .cuda = { .body = GF_CUDA_BODY(gf_steer_cuda), .scratch_bytes = steer_gpu_scratch, .light = 1 },
};
