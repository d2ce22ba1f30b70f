/* The limiter on a CPU: minima over blocks as long as the window, means by running sums. */
#include "kernels/sound/limit.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <math.h>
#include <string.h>

/* Scratch for n frames: gains around them, the minimum up to each and from each, and sums. */
struct limit_scratch {
    int64_t around;                      /* frames including the halo */
    int32_t *gain, *least;
    int64_t *sum;
    float *factor;
};

static int64_t around(const struct gf_limit *l, int64_t units)
{
    return units + 2 * gf_limit_halo(l);
}

static size_t room_bytes(int64_t n)
{
    return (size_t)n * (2 * sizeof(int32_t) + sizeof(int64_t) + sizeof(float));
}

static struct limit_scratch room_at(void *scratch, int64_t n)
{
    struct limit_scratch r = { .around = n, .sum = scratch };

    r.gain = (int32_t *)(r.sum + n);
    r.least = r.gain + n;
    r.factor = (float *)(r.least + n);
    return r;
}

static size_t limit_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_limit *l = params;

    return room_bytes(around(l, gf_span_units(shape->dst.span))) + 64 + gf_planar_scratch_bytes(shape, shape->src.span);
}

GF_CLONES
static void widen_peak(const float *restrict x, float *restrict peak, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float v = fabsf(x[i]);

        peak[i] = v > peak[i] ? v : peak[i];
    }
}

GF_CLONES
static void gains_of(const float *restrict peak, int32_t *restrict gain, int64_t n, float threshold)
{
    for (int64_t i = 0; i < n; i++)
        gain[i] = peak[i] > threshold ? (int32_t)(threshold / peak[i] * (float)GF_LIMIT_ONE) : GF_LIMIT_ONE;
}

/* Computes the gains that frames from `start` on need, r->around of them. */
static void find_gains(struct limit_scratch *r, const struct gf_limit *l, const struct gf_block *src, int64_t start,
                       int64_t units)
{
    const int64_t from = start < 0 ? 0 : start, end = start + r->around < units ? start + r->around : units,
                         n = end - from;

    for (int64_t i = 0; i < r->around; i++)
        r->gain[i] = GF_LIMIT_ONE;
    if (n <= 0)
        return;
    memset(r->factor, 0, (size_t)n * sizeof(float));
    for (int c = 0; c < src->channels; c++)
        widen_peak(gf_plane_at(src, c, from), r->factor, n);
    gains_of(r->factor, r->gain + (from - start), n, l->threshold);
}

/* Sets least[i] to the minimum of gain[i] to gain[i + window - 1], for i up to `count`; overwrites gain. */
static void find_least(struct limit_scratch *r, int64_t window, int64_t count)
{
    int32_t *g = r->gain, *least = r->least;

    for (int64_t b = 0; b < r->around; b += window) {                /* from each frame to the end of its block */
        int64_t i = (b + window < r->around ? b + window : r->around) - 1;

        least[i] = g[i];
        for (i--; i >= b; i--)
            least[i] = g[i] < least[i + 1] ? g[i] : least[i + 1];
    }
    for (int64_t i = 0; i < r->around; i++)                          /* and from the start of its block to each frame */
        if (i % window != 0)
            g[i] = g[i] < g[i - 1] ? g[i] : g[i - 1];
    for (int64_t i = 0; i < count; i++)
        least[i] = g[i + window - 1] < least[i] ? g[i + window - 1] : least[i];
}

/* Sets sum[i] to the sum of least[i] to least[i + window - 1]. */
static void sum_least(struct limit_scratch *r, int64_t window, int64_t count)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < window - 1; i++)
        sum += r->least[i];
    for (int64_t i = 0; i < count; i++) {
        sum += r->least[i + window - 1];
        r->sum[i] = sum;
        sum -= r->least[i];
    }
}

/* Sums once more, and converts the sums to gains. */
static void make_factors(struct limit_scratch *r, int64_t window, int64_t count, double scale)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < window - 1; i++)
        sum += r->sum[i];
    for (int64_t i = 0; i < count; i++) {
        sum += r->sum[i + window - 1];
        r->factor[i] = (float)((double)sum * scale);
        sum -= r->sum[i];
    }
}

GF_CLONES
static void apply_factor(const float *restrict x, const float *restrict factor, float *restrict y,
                         int64_t n, float most)
{
    for (int64_t i = 0; i < n; i++) {
        const float v = x[i] * factor[i], low = v > -most ? v : -most;

        y[i] = low < most ? low : most;
    }
}

int gf_limit_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_limit *l = params;
    const struct gf_span d = io->dst.span;
    const int64_t n = gf_span_units(d), halo = gf_limit_halo(l);
    struct limit_scratch r = room_at(work->scratch, around(l, n));
    float *planes = (float *)((char *)work->scratch + gf_padded_bytes(room_bytes(r.around)));
    const struct gf_block src = gf_planar_source(work, io, io->src.span, planes);
    const struct gf_block dst = gf_planar_result(io, src.channels,
                                                 planes + gf_planar_source_samples(io, gf_span_units(io->src.span)));

    (void)err;
    find_gains(&r, l, &src, d.start - halo, io->src_units);
    find_least(&r, 2 * l->reach + 1, n + 2 * l->first + 2 * l->second);
    sum_least(&r, 2 * l->first + 1, n + 2 * l->second);
    make_factors(&r, 2 * l->second + 1, n, gf_limit_scale(l));
    for (int c = 0; c < src.channels; c++)
        apply_factor(gf_plane_at(&src, c, d.start), r.factor, gf_plane_at(&dst, c, d.start), n, l->threshold);
    gf_planar_finish(work, io, &dst);
    return 0;
}

static size_t limit_gpu_scratch(const struct gf_io *io, const void *params)
{
    const int64_t count = gf_span_units(io->dst.span) + 2 * gf_limit_halo(params) + 1;

    return gf_gpu_scratch_programs(io, params)
           + (size_t)(gf_round_up(count, 128) * 24 + count / 16 + 4 * GF_GPU_SCRATCH_SMALL);
}

const struct gf_operation gf_op_limit = {
    .word = "limit", .text = "A gain that falls before a peak and recovers after it.",
    .params_bytes = sizeof(struct gf_limit),
    .cpu = { .body = gf_limit_cpu, .scratch_bytes = limit_scratch, .light = 8 },
    .cuda = { .body = GF_CUDA_BODY(gf_limit_cuda), GF_OP_STORES, .scratch_bytes = limit_gpu_scratch, .light = 8 },
    .reach = gf_reach_own_column,
};
