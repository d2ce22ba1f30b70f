/*
 * Total variation on a CPU: several steps run down the rows of a strip, each one row after the one before, so that the
 * rows between the first and the last of them stay in a cache.
 */
#include "kernels/neighbourhood/tv.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <stdio.h>
#include <string.h>

#define STEPS 16                         /* most steps at a time */
#define CACHE (256 << 10)                /* bytes of their rows */
#define MARGIN 16                        /* floats before and after a row; the last one before it is a zero */

/* The planes of one channel. Rows of p, q and u have `pitch` floats. */
struct tv_planes {
    const struct gf_block *src;
    const struct gf_tv *tv;
    int channel;
    int64_t width, pitch, units;         /* columns, floats of a row, units of the signal */
    struct gf_span all, result;          /* units of p and q, and of the result */
    float *p, *q;
    float *u[2];                         /* STEPS rows each: u of the row before, and of the row */
    bool second[STEPS];                  /* which of them has u of the last row of a step */
};

/* Computes u of a row; `above` is q of the row before, or a row of zeros. */
GF_CLONES
static void tv_value_row(const float *restrict v, const float *restrict p, const float *restrict q,
                      const float *restrict above, float *restrict u, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        u[i] = gf_tv_value(v[i], p[i], q[i], p[i - 1], above[i]);
    u[n] = u[n - 1];                     /* the last column has no gradient */
}

/* Computes u of the next row, and the step of this one. */
GF_CLONES
static void tv_step_row(const float *restrict next_v, const float *restrict next_p, const float *restrict next_q,
                     const float *restrict u, float rate, float *restrict p, float *restrict q, float *restrict next_u,
                     int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float below = gf_tv_value(next_v[i], next_p[i], next_q[i], next_p[i - 1], q[i]);

        gf_tv_step(u[i + 1] - u[i], below - u[i], rate, &p[i], &q[i]);
        next_u[i] = below;
    }
    next_u[n] = next_u[n - 1];
}

GF_CLONES
static void last_step_row(const float *restrict u, float rate, float *restrict p, float *restrict q, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        gf_tv_step(u[i + 1] - u[i], 0.0f, rate, &p[i], &q[i]);
}

static float *row_of(const struct tv_planes *t, float *plane, int64_t unit)
{
    return plane + (unit - t->all.start) * t->pitch + MARGIN;
}

static const float *value_at(const struct tv_planes *t, int64_t unit)
{
    return gf_plane_at(t->src, t->channel, unit);
}

/*
 * Computes u of a unit from what p and q are now. Before the first unit they are zeros: there is no signal, or no step
 * yet.
 */
static void make_value(const struct tv_planes *t, int64_t unit, float *u)
{
    static const float zeros[1024];
    const float *p = row_of(t, t->p, unit), *q = row_of(t, t->q, unit), *v = value_at(t, unit);

    if (unit > t->all.start) {
        tv_value_row(v, p, q, row_of(t, t->q, unit - 1), u, t->width);
        return;
    }
    for (int64_t x = 0, n; x < t->width; x += n) {
        n = t->width - x < 1024 ? t->width - x : 1024;
        tv_value_row(v + x, p + x, q + x, zeros, u + x, n);
    }
}

/* Runs step number `step` of a group for a unit, whose u is known if the step did the unit before. */
static void do_step(struct tv_planes *t, int step, int64_t unit, bool begins)
{
    float *u[2] = { t->u[0] + step * t->pitch + MARGIN, t->u[1] + step * t->pitch + MARGIN };
    float *p = row_of(t, t->p, unit), *q = row_of(t, t->q, unit), *own, *next;

    if (begins) {
        t->second[step] = false;
        make_value(t, unit, u[0]);
    }
    own = u[t->second[step]], next = u[!t->second[step]];
    if (unit + 1 < t->units)
        tv_step_row(value_at(t, unit + 1), row_of(t, t->p, unit + 1), row_of(t, t->q, unit + 1), own, t->tv->rate, p, q,
                 next, t->width);
    else
        last_step_row(own, t->tv->rate, p, q, t->width);
    t->second[step] = !t->second[step];
}

/* Runs `steps` steps, after which `left` more follow: they need a unit less on each side each time. */
static void do_steps(struct tv_planes *t, int steps, int left)
{
    struct gf_span span[STEPS];

    for (int k = 0; k < steps; k++) {
        const int64_t more = left + steps - 1 - k, start = t->result.start - 1 - more, end = t->result.end + more;

        span[k] = (struct gf_span) { start < 0 ? 0 : start, end > t->units ? t->units : end };
    }
    for (int64_t y = span[0].start; y < span[steps - 1].end + steps; y++)
        for (int k = 0; k < steps; k++)
            if (y - k >= span[k].start && y - k < span[k].end)
                do_step(t, k, y - k, y - k == span[k].start);
}

static void do_channel(struct tv_planes *t, const struct gf_block *dst)
{
    const int64_t fit = CACHE / (5 * t->pitch * (int64_t)sizeof(float));
    const int each = fit < 2 ? 2 : fit < STEPS ? (int)fit : STEPS;
    float *u = t->u[0] + MARGIN;

    memset(t->p, 0, (size_t)(gf_span_units(t->all) * t->pitch) * sizeof *t->p);
    memset(t->q, 0, (size_t)(gf_span_units(t->all) * t->pitch) * sizeof *t->q);
    for (int left = t->tv->iterations - 1, steps; left > 0; left -= steps) {
        steps = left < each ? left : each;
        do_steps(t, steps, left - steps);
    }
    for (int64_t unit = t->result.start; unit < t->result.end; unit++) {
        make_value(t, unit, u);
        memcpy(gf_plane_at(dst, t->channel, unit), u, (size_t)t->width * sizeof *u);
    }
}

/* ---- a call ---- */

static struct gf_span needed(const struct gf_io *io, const struct gf_tv *tv)
{
    return gf_span_around(io, tv->iterations - 1, tv->iterations - 1, GF_CLAMP);
}

/* Scratch, in floats. */
struct scratch_sizes {
    int64_t pitch;
    size_t plane, source, result;
};

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_tv *tv)
{
    const int64_t units = gf_span_units(io->dst.span) + 2 * (tv->iterations - 1), all = gf_span_units(io->src.span);
    const int64_t rows = units < all ? units : all;
    struct scratch_sizes s = { .pitch = gf_round_up(io->dst.width + 2 * MARGIN, MARGIN) };

    s.plane = (size_t)(rows * s.pitch);
    s.source = gf_padded_floats(gf_planar_source_samples(io, rows));
    s.result = gf_padded_floats(gf_planar_result_samples(io, gf_channels_at_work(io)));
    return s;
}

static size_t floats_of(struct scratch_sizes s)
{
    return 2 * s.plane + 2 * STEPS * (size_t)s.pitch + s.source + s.result;
}

static size_t tv_scratch(const struct gf_io *io, const void *params)
{
    return floats_of(sizes_of(io, params)) * sizeof(float);
}

int gf_tv_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_tv *tv = params;
    const struct scratch_sizes s = sizes_of(io, tv);
    float *scratch = work->scratch, *source = scratch + 2 * s.plane + 2 * STEPS * (size_t)s.pitch;
    const struct gf_span part = needed(io, tv);
    struct tv_planes t = { .tv = tv, .width = io->dst.width, .pitch = s.pitch, .units = io->src_units, .all = part,
                           .result = io->dst.span, .p = scratch, .q = scratch + s.plane };
    struct gf_block src, dst;

    if (work->scratch_bytes < floats_of(s) * sizeof(float))
        return gf_fail(err, GF_FAILED, "internal error: tv has too little scratch memory");
    src = gf_planar_source(work, io, part, source);
    dst = gf_planar_result(io, src.channels, source + s.source);
    t.src = &src;
    t.u[0] = t.q + s.plane;
    t.u[1] = t.u[0] + STEPS * s.pitch;
    for (t.channel = 0; t.channel < src.channels; t.channel++)
        if (t.channel < tv->colours && t.width > 0)
            do_channel(&t, &dst);
        else
            for (int64_t u = dst.span.start; u < dst.span.end; u++)
                memcpy(gf_plane_at(&dst, t.channel, u), gf_plane_at(&src, t.channel, u),
                       (size_t)t.width * sizeof(float));
    gf_planar_finish(work, io, &dst);
    return 0;
}

static size_t tv_gpu_scratch(const struct gf_io *io, const void *params)
{
    const int64_t units = gf_span_units(io->src.span);

    (void)params;
    return (size_t)(gf_gpu_loaded_bytes(io, true, units) + gf_gpu_stored_bytes(io, true) + GF_GPU_SCRATCH_SMALL
                    + 4 * gf_gpu_plane_bytes(&io->src, 1, units));
}

static struct gf_cost tv_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_tv *tv = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = 2 + 0.9 * tv->iterations };
}

static struct gf_cost tv_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_tv *tv = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = 2 + 2.0 * tv->iterations };
}

static void describe(const void *params, bool cuda, char *text, size_t room)
{
    const struct gf_tv *tv = params;

    (void)cuda;
    snprintf(text, room, ", %d iterations", tv->iterations);
}

static bool reach(const void *params, struct gf_reach *reach)
{
    const struct gf_tv *tv = params;

    return gf_reach_square(tv->iterations - 1, GF_CLAMP, reach);
}

const struct gf_operation gf_op_tv = {
    .word = "tv", .text = "Denoises by total variation: steps that flatten areas and keep their edges.",
    .params_bytes = sizeof(struct gf_tv),
    .starts_anew = 1,
    .cpu = { .body = gf_tv_cpu, .scratch_bytes = tv_scratch, .cost = tv_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_tv_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = tv_gpu_scratch,
              .cost = tv_gpu_cost },
    .describe = describe,
    .reach = reach,
};
