/* Noise on a CPU. */
#include "noise.h"

#include <math.h>
#include <string.h>

#include "clones.h"
#include "pack.h"

size_t gf_noise_scratch_bytes(const struct gf_io *shape, const void *params)
{
    (void)params;
    return gf_planar_scratch_bytes(shape, shape->dst.span);
}

/* n samples whose numbers begin at `number`, `stride` apart. */
GF_CLONES
static void add_noise(const float *restrict x, float *restrict y, int64_t n, uint64_t seed, uint64_t number, uint64_t stride, float amplitude)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = fmaf(gf_noise_triangular(seed, number + (uint64_t)i * stride), amplitude, x[i]);
}

GF_CLONES
static void round_to(float *v, int64_t n, float step, float inverse)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = rintf(v[i] * inverse) * step;
}

int gf_noise_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_noise *p = params;
    const struct gf_span d = io->dst.span;
    float *scratch = work->scratch;
    const struct gf_block src = gf_planar_source(work, io, d, scratch);
    const struct gf_block dst = gf_planar_result(io, src.channels, scratch + gf_planar_source_samples(io, gf_span_units(d)));
    const bool run = src.pitch_samples == dst.width && dst.pitch_samples == dst.width;
    const int64_t n = run ? dst.width * gf_span_units(d) : dst.width;

    (void)err;
    for (int c = 0; c < src.channels; c++)
        for (int64_t u = d.start; u < (run ? d.start + 1 : d.end); u++) {
            const float *x = gf_plane_at(&src, c, u);
            float *y = gf_plane_at(&dst, c, u);

            if (c < p->channels)
                add_noise(x, y, n, p->seed, (uint64_t)(u * dst.width * src.channels + c), (uint64_t)src.channels, p->amplitude);
            else
                memcpy(y, x, (size_t)n * sizeof *y);
            if (c < p->channels && p->step > 0)
                round_to(y, n, p->step, 1.0f / p->step);
        }
    gf_planar_finish(work, io, &dst);
    return 0;
}
