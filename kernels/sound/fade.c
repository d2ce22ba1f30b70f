/* Fades on a CPU; frames between the fades are copied. */
#include "kernels/sound/fade.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#define RUN 1024

GF_CLONES
static void fade_samples(const float *restrict x, const float *restrict gain, float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] * gain[i];
}

static void fade_run(const struct gf_fade *f, const struct gf_block *src, const struct gf_block *dst, int64_t start,
                     int64_t n, int64_t units)
{
    const bool faded = start < f->in || units - (start + n) < f->out;
    float gain[RUN];

    for (int64_t i = 0; faded && i < n; i++)
        gain[i] = gf_fade_gain(f, start + i, units);
    for (int c = 0; c < src->channels; c++)
        if (faded)
            fade_samples(gf_plane_at(src, c, start), gain, gf_plane_at(dst, c, start), n);
        else
            memcpy(gf_plane_at(dst, c, start), gf_plane_at(src, c, start), (size_t)n * sizeof(float));
}

int gf_fade_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_span d = io->dst.span;
    float *scratch = work->scratch;
    const struct gf_block src = gf_planar_source(work, io, d, scratch);
    const struct gf_block dst = gf_planar_result(io, src.channels,
                                                 scratch + gf_planar_source_samples(io, gf_span_units(d)));

    (void)err;
    for (int64_t n = d.start; n < d.end; n += RUN)
        fade_run(params, &src, &dst, n, d.end - n < RUN ? d.end - n : RUN, io->src_units);
    gf_planar_finish(work, io, &dst);
    return 0;
}

const struct gf_operation gf_op_fade = {
    .word = "fade", .text = "A gain for each frame that depends on its distance from both ends.",
    .params_bytes = sizeof(struct gf_fade),
    .cpu = { .body = gf_fade_cpu, .scratch_bytes = gf_planar_scratch },
    .cuda = { .body = GF_CUDA_BODY(gf_fade_cuda), GF_OP_STORES, .scratch_bytes = gf_gpu_scratch_programs },
};
