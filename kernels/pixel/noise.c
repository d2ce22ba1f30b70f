/* Noise on a CPU. */
#include "kernels/pixel/noise.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

/*
 * The n input samples, whose random numbers begin at `number` and are `stride` apart, and the
 * parameters.
 */
struct line {
    const float *x;
    float *y;
    int64_t n;
    uint64_t seed, number, stride;
    float amplitude;
};

GF_INLINE void add_noise(struct line l, enum gf_noise_shape shape)
{
    const float *restrict x = l.x;
    float *restrict y = l.y;

    for (int64_t i = 0; i < l.n; i++)
        y[i] = fmaf(gf_noise_of(shape, gf_noise_bits(l.seed, l.number + (uint64_t)i * l.stride)), l.amplitude, x[i]);
}

GF_CLONES
static void add_triangular(struct line l)
{
    add_noise(l, GF_NOISE_TRIANGULAR);
}

GF_CLONES
static void add_uniform(struct line l)
{
    add_noise(l, GF_NOISE_UNIFORM);
}

GF_CLONES
static void add_gaussian(struct line l)
{
    add_noise(l, GF_NOISE_GAUSSIAN);
}

GF_CLONES
static void round_to(float *v, int64_t n, float step, float inverse)
{
    for (int64_t i = 0; i < n; i++)
        v[i] = rintf(v[i] * inverse) * step;
}

static void (*const adders[])(struct line l) = { [GF_NOISE_TRIANGULAR] = add_triangular,
                                                 [GF_NOISE_UNIFORM] = add_uniform,
                                                 [GF_NOISE_GAUSSIAN] = add_gaussian };

int gf_noise_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_noise *p = params;
    const struct gf_span d = io->dst.span;
    float *scratch = work->scratch;
    const struct gf_block src = gf_planar_source(work, io, d, scratch);
    const struct gf_block dst = gf_planar_result(io, src.channels,
                                                 scratch + gf_planar_source_samples(io, gf_span_units(d)));
    const bool run = src.pitch_samples == dst.width && dst.pitch_samples == dst.width;
    const uint64_t seed = gf_noise_seed(p, io->signal);
    const int64_t n = run ? dst.width * gf_span_units(d) : dst.width;

    (void)err;
    for (int c = 0; c < src.channels; c++)
        for (int64_t u = d.start; u < (run ? d.start + 1 : d.end); u++) {
            const float *x = gf_plane_at(&src, c, u);
            float *y = gf_plane_at(&dst, c, u);

            if (c < p->channels)
                adders[p->shape]((struct line) { x, y, n, seed,
                                                 (uint64_t)(u * dst.width * src.channels + (p->mono ? 0 : c)),
                                                 (uint64_t)src.channels, p->amplitude });
            else
                memcpy(y, x, (size_t)n * sizeof *y);
            if (c < p->channels && p->step > 0)
                round_to(y, n, p->step, 1.0f / p->step);
        }
    gf_planar_finish(work, io, &dst);
    return 0;
}

static struct gf_cost noise_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return (struct gf_cost) { .light = ((const struct gf_noise *)params)->shape == GF_NOISE_GAUSSIAN ? 6.6 : 3.5 };
}

const struct gf_operation gf_op_noise = {
    .word = "noise", .text = "Noise that is a function of the position of a sample.",
    .params_bytes = sizeof(struct gf_noise),
    .cpu = { .body = gf_noise_cpu, .scratch_bytes = gf_planar_scratch, .cost = noise_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_noise_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = gf_gpu_scratch_programs,
              .light = 2 },
};
