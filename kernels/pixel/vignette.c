/* Vignettes on a CPU. */
#include "kernels/pixel/vignette.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <string.h>

#define RUN 1024

/* Computes the gains of n pixels from column `first` on. */
GF_CLONES
static void find_gains(struct gf_vignette v, float row, int32_t first, int n, float *restrict gain)
{
    for (int32_t i = 0; i < n; i++)
        gain[i] = gf_vignette_gain(&v, (float)(first + i), row);
}

GF_CLONES
static void darken(const float *restrict x, const float *restrict gain, float *restrict y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * gain[i];
}

static void make_row(const struct gf_vignette *v, const struct gf_block *src, const struct gf_block *dst, int64_t y)
{
    const float row = gf_vignette_row(v, y);
    float gain[RUN];

    for (int64_t x = 0; x < dst->width; x += RUN) {
        const int n = (int)(dst->width - x < RUN ? dst->width - x : RUN);

        find_gains(*v, row, (int32_t)x, n, gain);
        for (int c = 0; c < src->channels; c++)
            if (c < v->channels)
                darken(gf_plane_at(src, c, y) + x, gain, gf_plane_at(dst, c, y) + x, n);
            else
                memcpy(gf_plane_at(dst, c, y) + x, gf_plane_at(src, c, y) + x, (size_t)n * sizeof *gain);
    }
}

int gf_vignette_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_span d = io->dst.span;
    float *scratch = work->scratch;
    const struct gf_block src = gf_planar_source(work, io, d, scratch);
    const struct gf_block dst = gf_planar_result(io, src.channels,
                                                 scratch + gf_planar_source_samples(io, gf_span_units(d)));

    (void)err;
    for (int64_t y = d.start; y < d.end; y++)
        make_row(params, &src, &dst, y);
    gf_planar_finish(work, io, &dst);
    return 0;
}

const struct gf_operation gf_op_vignette = {
    .word = "vignette", .text = "A gain for each pixel that depends on its position.",
    .params_bytes = sizeof(struct gf_vignette),
    .cpu = { .body = gf_vignette_cpu, .scratch_bytes = gf_planar_scratch },
    .cuda = { .body = GF_CUDA_BODY(gf_vignette_cuda), GF_OP_READS_AND_STORES,
              .scratch_bytes = gf_gpu_scratch_programs },
};
