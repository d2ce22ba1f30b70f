/* Edge thinning on a CPU: gradients row by row, three rows at a time. */
#include "kernels/neighbourhood/nonmax.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <math.h>
#include <string.h>

/* Rows in scratch; those of samples and of squares have an additional pixel at both ends. */
struct nonmax_rows {
    float *q[3], *gx[3], *gy[3];
    double *m[3];
};

static int64_t pitch_of(int64_t width)
{
    return gf_round_up(width + 2, 16);
}

GF_CLONES
static void whole_numbers(const float *restrict from, float *restrict to, int64_t n)
{
    const float magic = 8388608.0f;      /* 2^23: floats from here on are integers */

    for (int64_t i = 0; i < n; i++) {
        const float v = from[i] > 0.0f ? from[i] : 0.0f;

        to[i] = ((v < 1.0f ? v : 1.0f) * 65535.0f + magic) - magic;
    }
}

/* q: the rows above, here and below, from the pixel before the first on. */
GF_CLONES
static void slopes(const float *restrict above, const float *restrict here, const float *restrict below,
                   float *restrict gx,
                   float *restrict gy, double *restrict m, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float x = (above[i + 2] - above[i]) + 2.0f * (here[i + 2] - here[i]) + (below[i + 2] - below[i]);
        const float y = (below[i] - above[i]) + 2.0f * (below[i + 1] - above[i + 1]) + (below[i + 2] - above[i + 2]);

        gx[i] = x;
        gy[i] = y;
        m[i] = (double)x * (double)x + (double)y * (double)y;
    }
}

/*
 * Compares squares of three rows, from the pixel before the first on. All neighbors are read in any
 * direction, so that the loop vectorizes. For integers, a ≥ b is a > b - 1/2.
 */
GF_CLONES
static void nonmax_row(const double *restrict above, const double *restrict here, const double *restrict below,
                       const float *restrict gx, const float *restrict gy, double low, double high,
                           float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const double x = (double)gx[i], y = (double)gy[i], m = here[i + 1];
        const double left = here[i], right = here[i + 2] - 0.5, up = above[i + 1], down = below[i + 1] - 0.5;
        const double up_left = above[i], up_right = above[i + 2], down_left = below[i], down_right = below[i + 2];
        const double flat = fabs(x) * 13573.0, steep = flat + fabs(x) * 65536.0, rise = fabs(y) * 32768.0, turn = x * y;
        const double corner = turn < 0.0 ? up_right : up_left, other = turn < 0.0 ? down_left : down_right;
        double first = rise > steep ? up : corner, second = rise > steep ? down : other;

        first = rise < flat ? left : first;
        second = rise < flat ? right : second;
        first = first > second ? first : second;
        first = first > low ? first : low;
        to[i] = (float)(m > first ? m > high ? 1.0 : 0.5 : 0.0);
    }
}

/* ---- a call ---- */

/* Scratch, in floats. */
struct scratch_sizes {
    size_t lines, source, result;
};

static struct scratch_sizes sizes_of(const struct gf_io *io)
{
    const int64_t units = gf_span_units(io->dst.span) + 2 * GF_NONMAX_HALO, all = gf_span_units(io->src.span);

    return (struct scratch_sizes) { .lines = (size_t)(pitch_of(io->dst.width) * 3 * 5),
                                    .source = gf_planar_source_samples(io, units < all ? units : all),
                                    .result = gf_planar_result_samples(io, 1) };
}

static size_t nonmax_scratch(const struct gf_io *io, const void *params)
{
    const struct scratch_sizes s = sizes_of(io);

    (void)params;
    return (s.lines + s.source + s.result) * sizeof(float);
}

static struct nonmax_rows lines_of(float *scratch, int64_t width)
{
    const int64_t pitch = pitch_of(width);
    struct nonmax_rows l;

    for (int i = 0; i < 3; i++) {
        l.m[i] = (double *)(void *)scratch + i * pitch;
        l.q[i] = scratch + (6 + i) * pitch;
        l.gx[i] = scratch + (9 + i) * pitch;
        l.gy[i] = scratch + (12 + i) * pitch;
    }
    return l;
}

static int in_three(int64_t unit)
{
    return (int)gf_modulo(unit, 3);
}

static void add_samples(const struct gf_io *io, const struct gf_block *src, int64_t unit, float *to)
{
    const int64_t n = io->dst.width;

    whole_numbers(gf_plane_at(src, 0, gf_border_index(GF_CLAMP, unit, io->src_units)), to + 1, n);
    to[0] = to[1];
    to[n + 1] = to[n];
}

/* Computes the gradients of a unit; its samples and those around it exist. */
static void add_slopes(const struct gf_io *io, const struct nonmax_rows *l, int64_t unit)
{
    const int at = in_three(unit);
    const int64_t n = io->dst.width;

    l->m[at][0] = l->m[at][n + 1] = 0;
    if (unit < 0 || unit >= io->src_units)
        memset(l->m[at], 0, (size_t)(n + 2) * sizeof *l->m[at]);
    else
        slopes(l->q[in_three(unit - 1)], l->q[at], l->q[in_three(unit + 1)], l->gx[at], l->gy[at], l->m[at] + 1, n);
}

int gf_nonmax_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_nonmax *t = params;
    const struct scratch_sizes s = sizes_of(io);
    const struct nonmax_rows l = lines_of(work->scratch, io->dst.width);
    float *source = (float *)work->scratch + s.lines;
    struct gf_span part = { io->dst.span.start - GF_NONMAX_HALO, io->dst.span.end + GF_NONMAX_HALO };
    struct gf_block src, dst;

    if (work->scratch_bytes < (s.lines + s.source + s.result) * sizeof(float))
        return gf_fail(err, GF_FAILED, "internal error: nonmax has too little scratch memory");
    part.start = part.start < io->src.span.start ? io->src.span.start : part.start;
    part.end = part.end > io->src.span.end ? io->src.span.end : part.end;
    src = gf_planar_source(work, io, part, source);
    dst = gf_planar_result(io, 1, source + s.source);
    if (src.channels != 1 || dst.channels != 1)
        return gf_fail(err, GF_FAILED, "internal error: nonmax needs one channel");
    for (int64_t y = io->dst.span.start - GF_NONMAX_HALO; y < io->dst.span.end + GF_NONMAX_HALO; y++) {
        add_samples(io, &src, y, l.q[in_three(y)]);
        if (y >= io->dst.span.start)
            add_slopes(io, &l, y - 1);
        if (y >= io->dst.span.start + GF_NONMAX_HALO)
            nonmax_row(l.m[in_three(y - 3)], l.m[in_three(y - 2)], l.m[in_three(y - 1)], l.gx[in_three(y - 2)],
                       l.gy[in_three(y - 2)], t->low,
                       t->high, gf_plane_at(&dst, 0, y - 2), io->dst.width);
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

const struct gf_operation gf_op_nonmax = {
    .word = "thin",
    .text = "Makes edges thin: keeps a gradient if it is the largest along its own direction.",
    .params_bytes = sizeof(struct gf_nonmax),
    .starts_anew = 1,
    .cpu = { .body = gf_nonmax_cpu, .scratch_bytes = nonmax_scratch, .light = 12 },
    .cuda = { .body = GF_CUDA_BODY(gf_nonmax_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = gf_gpu_scratch_programs },
};
