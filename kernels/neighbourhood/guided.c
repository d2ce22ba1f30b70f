/* The guided filter on a CPU: some columns at a time, from block to block of units as in box.c. */
#include "kernels/neighbourhood/guided.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/planar.h"
#include "kernels/neighbourhood/box_doubling.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS 768                      /* of the result at a time: many for each one beyond them */

GF_BOX_SUM_WINDOWS(double)

/* The lines of one color. All rows of sums have `pitch` doubles. */
struct fit {
    const struct gf_io *io;
    const struct gf_guided *g;
    const struct gf_block *colour, *guide;       /* planes; the same if a color guides itself */
    int channel, guide_channel;
    int sums;                                    /* of sums_of() */
    int64_t x, columns, pitch;
    float *rows[2];                              /* a unit of the guide and of the color, with columns beyond */
    double *acc, *back, *line, *total;
};

GF_CLONES
static void add_squares(const double *from, double *to, int64_t pitch, const float *v, int64_t n)
{
    GF_NO_OVERLAP
    for (int64_t i = 0; i < n; i++) {
        to[i] = from[i] + (double)v[i];
        to[pitch + i] = from[pitch + i] + (double)v[i] * (double)v[i];
    }
}

GF_CLONES
static void add_products(const double *from, double *to, int64_t pitch, const float *v, const float *guide, int64_t n)
{
    GF_NO_OVERLAP
    for (int64_t i = 0; i < n; i++) {
        to[i] = from[i] + (double)v[i];
        to[pitch + i] = from[pitch + i] + (double)v[i] * (double)guide[i];
    }
}

GF_CLONES
static void add_sums_of_rows(double *restrict to, const double *restrict a, const double *restrict b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = a[i] + b[i];
}

GF_CLONES
static void fit_row(const double *a, const double *b, const double *c, const double *d, double by, double eps,
                    float *restrict factor, float *restrict constant, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const double sum[GF_GUIDED_SUMS] = { a[i], b[i], c[i], d[i] };

        gf_guided_fit(sum, by, eps, &factor[i], &constant[i]);
    }
}

GF_CLONES
static void line_values(const float *restrict factor, const float *restrict guide, const float *restrict constant,
                        float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = fmaf(factor[i], guide[i], constant[i]);
}

GF_CLONES
static void luma_row(const float *restrict r, const float *restrict g, const float *restrict b, float *restrict to,
                     int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = gf_luma(r[i], g[i], b[i]);
}

/* ---- lines ---- */

/* Sets sums to others plus a unit, or its replacement. They may be the same ones. */
static void add_unit(const struct fit *f, int64_t unit, const double *sums, double *to)
{
    const int64_t at = gf_border_index(f->g->border, unit, f->io->src_units), width = f->io->dst.width;
    const int64_t first = f->x - f->g->radius, n = f->columns + 2 * f->g->radius;

    if (at < 0 && to != sums)
        memcpy(to, sums, (size_t)(f->sums * f->pitch) * sizeof *to);
    if (at < 0)
        return;
    gf_border_copy(gf_plane_at(f->guide, f->guide_channel, at), width, sizeof(float), f->g->border, first, n,
                   f->rows[0]);
    add_squares(sums, to, f->pitch, f->rows[0], n);
    if (f->sums == 2)
        return;
    gf_border_copy(gf_plane_at(f->colour, f->channel, at), width, sizeof(float), f->g->border, first, n, f->rows[1]);
    add_products(sums + 2 * f->pitch, to + 2 * f->pitch, f->pitch, f->rows[1], f->rows[0], n);
}

/* Writes the lines of the squares that begin at unit w; `back` are sums to the end of the block. */
static void finish_unit(const struct fit *f, const struct gf_block *dst, int64_t w, const double *back)
{
    const int n = 2 * f->g->radius + 1;
    const int64_t p = f->pitch, unit = w + f->g->radius;
    const double by = 1.0 / ((double)n * (double)n);
    const double *sum[GF_GUIDED_SUMS];

    for (int k = 0; k < f->sums; k++) {
        add_sums_of_rows(f->line, back + k * p, f->acc + k * p, f->columns + n - 1);
        sum_windows(f->line, f->columns, 1, n, f->total + k * p);
    }
    for (int k = 0; k < GF_GUIDED_SUMS; k++)
        sum[k] = f->total + (k < f->sums ? k : k - 2) * p;
    fit_row(sum[0], sum[1], sum[2], sum[3], by, f->g->eps, gf_plane_at(dst, 2 * f->channel, unit) + f->x,
            gf_plane_at(dst, 2 * f->channel + 1, unit) + f->x, f->columns);
}

/* Fits the squares that begin at units [first, end) of one block. */
static void block_of_units(const struct fit *f, const struct gf_block *dst, int64_t first, int64_t end)
{
    const int64_t n = 2 * f->g->radius + 1, next = (first - gf_modulo(first, n)) + n, all = f->sums * f->pitch;
    const double *sums = f->acc;

    memset(f->acc, 0, (size_t)all * sizeof *f->acc);
    for (int64_t w = next - 1; w >= first; w--) {
        double *to = w < end ? f->back + (w - first) * all : f->acc;

        add_unit(f, w, sums, to);
        sums = to;
    }
    memset(f->acc, 0, (size_t)all * sizeof *f->acc);
    for (int64_t unit = next; unit < first + n - 1; unit++)
        add_unit(f, unit, f->acc, f->acc);
    for (int64_t w = first; w < end; w++) {
        if (w + n - 1 >= next)
            add_unit(f, w + n - 1, f->acc, f->acc);
        finish_unit(f, dst, w, f->back + (w - first) * all);
    }
}

static void fit_colour(struct fit *f, const struct gf_block *dst)
{
    const int64_t n = 2 * f->g->radius + 1, last = dst->span.end - f->g->radius;
    int64_t end;

    for (f->x = 0; f->x < dst->width; f->x += COLUMNS) {
        f->columns = dst->width - f->x < COLUMNS ? dst->width - f->x : COLUMNS;
        for (int64_t w = dst->span.start - f->g->radius; w < last; w = end) {
            end = w - gf_modulo(w, n) + n;
            end = end > last ? last : end;
            block_of_units(f, dst, w, end);
        }
    }
}

/* ---- a call ---- */

/* Scratch, in floats. */
struct scratch_sizes {
    int64_t pitch, backs;                        /* doubles of a row of sums, rows of sums to the end of a block */
    size_t sums, rows, source, guide, result;
};

/* A color that guides itself has the same sums as its guide. */
static int sums_of(const struct gf_guided *g)
{
    return g->beside ? GF_GUIDED_SUMS : 2;
}

static struct gf_span needed(const struct gf_io *io, const struct gf_guided *g)
{
    return g->values ? gf_span_around(io, 0, 0, GF_CLAMP) : gf_span_around(io, g->radius, g->radius, g->border);
}

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_guided *g)
{
    const int64_t units = gf_span_units(io->dst.span), n = 2 * g->radius + 1, all = gf_span_units(io->src.span);
    const int64_t reach = g->values ? 0 : n - 1;
    const int64_t from = units + reach < all && g->border != GF_WRAP ? units + reach : all;
    struct scratch_sizes s = { .pitch = gf_round_up(COLUMNS + n, 8), .backs = units < n ? units : n };

    s.source = gf_padded_floats(gf_planar_source_samples(io, from));
    s.result = gf_padded_floats(gf_planar_result_samples(io, gf_guided_channels(g, gf_channels_at_work(io))));
    if (g->values)
        return s;
    s.sums = (size_t)(s.pitch * (sums_of(g) * (2 + s.backs) + 1)) * 2;
    s.rows = (size_t)s.pitch * 2 + 4 * GF_RUN_PIXELS;
    s.guide = g->beside ? gf_padded_floats((size_t)(from * io->dst.width)) : 0;
    return s;
}

static size_t bytes_of(struct scratch_sizes s)
{
    return (s.sums + s.rows + s.source + s.guide + s.result) * sizeof(float);
}

static size_t guided_scratch(const struct gf_io *io, const void *params)
{
    return bytes_of(sizes_of(io, params));
}

/* Makes the guide of the second source's rows that go with units `part`: its luma, or its only color. */
static struct gf_block make_guide(const struct gf_io *io, struct gf_span part, float *to, float *runs)
{
    const struct gf_block guide = { .data = to, .span = part, .width = io->dst.width, .channels = 1, .planar = true,
                                    .type = GF_F32, .pitch_samples = io->dst.width };
    float *row[4];

    for (int64_t u = part.start; u < part.end; u++)
        for (int64_t x = 0, n; x < guide.width; x += n) {
            n = guide.width - x < GF_RUN_PIXELS ? guide.width - x : GF_RUN_PIXELS;
            for (int c = 0; c < 4; c++)
                row[c] = runs + c * GF_RUN_PIXELS;
            gf_load_pixels(&io->beside, u - io->beside_shift, x, n, row);
            if (io->beside.channels >= 3)
                luma_row(row[0], row[1], row[2], gf_plane_at(&guide, 0, u) + x, n);
            else
                memcpy(gf_plane_at(&guide, 0, u) + x, row[0], (size_t)n * sizeof(float));
        }
    return guide;
}

static void copy_channel(const struct gf_block *src, int from, const struct gf_block *dst, int to)
{
    for (int64_t u = dst->span.start; u < dst->span.end; u++)
        memcpy(gf_plane_at(dst, to, u), gf_plane_at(src, from, u), (size_t)dst->width * sizeof(float));
}

/* Fits the lines of all colors, and copies what comes after them. */
static void make_lines(const struct gf_io *io, const struct gf_guided *g, const struct scratch_sizes *s, float *scratch,
                       const struct gf_block *src, const struct gf_block *guide, const struct gf_block *dst)
{
    struct fit f = { .io = io, .g = g, .colour = src, .guide = g->beside ? guide : src,
                     .sums = sums_of(g), .pitch = s->pitch, .acc = (double *)(void *)scratch };
    const int lines = gf_guided_lines(g);

    f.total = f.acc + f.sums * s->pitch;
    f.line = f.total + f.sums * s->pitch;
    f.back = f.line + s->pitch;
    f.rows[0] = scratch + s->sums;
    f.rows[1] = f.rows[0] + s->pitch;
    for (f.channel = 0; f.channel < g->colours; f.channel++) {
        f.guide_channel = g->beside ? 0 : f.channel;
        fit_colour(&f, dst);
    }
    if (g->beside)
        copy_channel(guide, 0, dst, 2 * g->colours);
    for (int c = 0; c < g->colours && !g->beside; c++)
        copy_channel(src, c, dst, 2 * g->colours + c);
    for (int c = lines; c < dst->channels; c++)
        copy_channel(src, g->colours + c - lines, dst, c);
}

static void make_values(const struct gf_guided *g, const struct gf_block *src, const struct gf_block *dst)
{
    for (int64_t u = dst->span.start; u < dst->span.end; u++)
        for (int c = 0; c < g->colours; c++)
            line_values(gf_plane_at(src, 2 * c, u), gf_plane_at(src, 2 * g->colours + (g->beside ? 0 : c), u),
                      gf_plane_at(src, 2 * c + 1, u), gf_plane_at(dst, c, u), dst->width);
    for (int c = g->colours; c < dst->channels; c++)
        copy_channel(src, gf_guided_lines(g) + c - g->colours, dst, c);
}

int gf_guided_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_guided *g = params;
    const struct scratch_sizes s = sizes_of(io, g);
    float *scratch = work->scratch, *source = scratch + s.sums + s.rows, *at = source + s.source;
    const struct gf_span part = needed(io, g);
    struct gf_block src, dst, guide = { .data = NULL };

    if (work->scratch_bytes < bytes_of(s))
        return gf_fail(err, GF_FAILED, "internal error: guided has too little scratch memory");
    src = gf_planar_source(work, io, part, source);
    dst = gf_planar_result(io, gf_guided_channels(g, src.channels), at + s.guide);
    if (g->values) {
        make_values(g, &src, &dst);
    } else {
        if (g->beside)
            guide = make_guide(io, part, at, scratch + s.sums + 2 * s.pitch);
        make_lines(io, g, &s, scratch, &src, &guide, &dst);
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

static size_t guided_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_guided *g = params;
    const int64_t sums = g->values ? 0 : (g->beside ? GF_GUIDED_SUMS : 2) * gf_span_units(io->dst.span) * io->dst.width;
    struct gf_io made = *io;

    made.dst.channels = gf_guided_channels(g, gf_channels_at_work(io));
    return (size_t)(gf_gpu_loaded_bytes(io, true, gf_span_units(io->src.span))
                    + gf_gpu_plane_bytes(&made.dst, made.dst.channels, gf_span_units(io->dst.span))
                    + GF_GPU_SCRATCH_SMALL + sums * (int64_t)sizeof(double));
}

/* Sums are of doubles, and wide squares need many columns around those of the result. */
static struct gf_cost guided_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_guided *g = params;
    const double sums = g->beside ? 2 : 1;

    (void)in, (void)out;
    return (struct gf_cost) { .light = g->values ? 1.5 : sums * (6 + 0.05 * g->radius) };
}

static struct gf_cost guided_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_guided *g = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = g->values ? 1 : g->beside ? 16 : 8 };
}

static void describe(const void *params, bool cuda, char *text, size_t room)
{
    const struct gf_guided *g = params;

    (void)cuda;
    if (g->values)
        snprintf(text, room, ", values");
    else
        snprintf(text, room, ", lines of %d by %d pixels", 2 * g->radius + 1, 2 * g->radius + 1);
}

static bool reach(const void *params, struct gf_reach *reach)
{
    const struct gf_guided *g = params;
    const bool inside = gf_reach_square(g->values ? 0 : g->radius, g->border, reach);

    reach->step = g->values ? 0 : 2 * g->radius + 1;
    return g->values || (inside && !g->beside);
}

const struct gf_operation gf_op_guided = {
    .word = "guided",
    .text = "Fits the colors of each square as a line of a guide, or computes colors from such lines.",
    .params_bytes = sizeof(struct gf_guided),
    .starts_anew = 1,
    .cpu = { .body = gf_guided_cpu, .scratch_bytes = guided_scratch, .cost = guided_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_guided_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = guided_gpu_scratch,
              .cost = guided_gpu_cost },
    .describe = describe,
    .reach = reach,
};
