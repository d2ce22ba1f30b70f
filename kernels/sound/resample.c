/* Changes the rate on a CPU: windows that use the same row are processed together of weights. */
#include "kernels/sound/resample.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define AT_ONCE 16                       /* windows with the same row; a multiple of 4 */
#define RUN 32                           /* windows that are weighed together, without sums across a vector */
#define HALF (GF_RESAMPLE_SUMS / 2)
#define MOST_ROWS 2048                   /* of a matrix, which should stay in the second cache */

#define UNROLLED _Pragma("GCC unroll 16")        /* otherwise the sums do not stay in registers */

GF_INLINE void add(float *restrict s, const float *restrict w, const float *restrict x)
{
    UNROLLED
    for (int j = 0; j < GF_RESAMPLE_SUMS; j++)
        s[j] = fmaf(w[j], x[j], s[j]);
}

/*
 * Sums of n windows weighted by the row. They are added up elsewhere, because the compiler would
 * split them here.
 */
GF_INLINE void weigh_n(const float *const *x, const float *restrict w, int taps, float (*to)[GF_RESAMPLE_SUMS], int n)
{
    float a[GF_RESAMPLE_SUMS] = { 0 }, b[GF_RESAMPLE_SUMS] = { 0 }, c[GF_RESAMPLE_SUMS] = { 0 },
                                d[GF_RESAMPLE_SUMS] = { 0 };
    const float *restrict x0 = x[0], *restrict x1 = x[n > 1 ? 1 : 0], *restrict x2 = x[n > 2 ? 2 : 0],
                               *restrict x3 = x[n > 3 ? 3 : 0];

    for (int k = 0; k < taps; k += GF_RESAMPLE_SUMS) {
        add(a, w + k, x0 + k);
        if (n > 1)
            add(b, w + k, x1 + k);
        if (n > 2)
            add(c, w + k, x2 + k);
        if (n > 3)
            add(d, w + k, x3 + k);
    }
    memcpy(to[0], a, sizeof a);
    memcpy(to[1], b, sizeof b);
    memcpy(to[2], c, sizeof c);
    memcpy(to[3], d, sizeof d);
}

GF_CLONES
static void weigh(const float *const *x, const float *restrict w, int taps, float (*to)[GF_RESAMPLE_SUMS], int n)
{
    for (int i = 0; i < n; i += 4)
        switch (n - i) {
        case 1: weigh_n(x + i, w, taps, to + i, 1); break;
        case 2: weigh_n(x + i, w, taps, to + i, 2); break;
        default: weigh_n(x + i, w, taps, to + i, 4); break;
        }
}

/* Adds the sums of each of n windows by halves. */
GF_INLINE void fold_n(const float (*restrict s)[GF_RESAMPLE_SUMS], float *restrict y, int n)
{
    float t[AT_ONCE][4];

    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            t[i][j] = (s[i][j] + s[i][j + 8]) + (s[i][j + 4] + s[i][j + 12]);
    for (int i = 0; i < n; i++)
        y[i] = (t[i][0] + t[i][2]) + (t[i][1] + t[i][3]);
}

/* The compiler makes the best code for numbers that it knows. */
GF_CLONES
static void fold(const float (*restrict s)[GF_RESAMPLE_SUMS], float *restrict y, int n)
{
    if (n <= 4)
        fold_n(s, y, 4);
    else
        fold_n(s, y, AT_ONCE);
}

/* Windows that wait for others with the same row. */
struct gathered {
    const struct gf_resample *r;
    const float *rows;                           /* of the table */
    struct gf_resample_place place;              /* common to all windows, except the frame */
    const float *window[AT_ONCE];
    float *to[AT_ONCE];
    float *room;                                 /* for windows that reach outside the signal */
    int n;
};

static void finish(struct gathered *g)
{
    const float *row = g->rows + g->place.row * g->r->taps;
    float sums[AT_ONCE][GF_RESAMPLE_SUMS], y[AT_ONCE], next[AT_ONCE];

    /* a valid address is needed, because three windows are processed as four */
    for (int i = g->n; i % 4 != 0; i++)
        g->window[i] = g->window[0];
    weigh(g->window, row, g->r->taps, sums, g->n);
    fold(sums, y, g->n);
    if (g->r->phases > 0) {
        weigh(g->window, row + g->r->taps, g->r->taps, sums, g->n);
        fold(sums, next, g->n);
        for (int i = 0; i < g->n; i++)
            y[i] = fmaf(g->place.share, next[i] - y[i], y[i]);
    }
    for (int i = 0; i < g->n; i++)
        *g->to[i] = y[i];
    g->n = 0;
}

/* Copies `taps` frames of a plane from `first` on, with zeros outside it. */
static const float *window_at(const struct gf_block *src, int c, int64_t first, int taps, float *room)
{
    const float *plane = (const float *)src->data + c * src->plane_samples;
    const int64_t start = first > src->span.start ? first : src->span.start;
    const int64_t end = first + taps < src->span.end ? first + taps : src->span.end;

    if (start == first && end == first + taps)
        return plane + (first - src->span.start);
    memset(room, 0, (size_t)taps * sizeof *room);
    if (end > start)
        memcpy(room + (start - first), plane + (start - src->span.start), (size_t)(end - start) * sizeof *room);
    return room;
}

/*
 * Computes frames n, n + per, ... of all channels: `count` frames, at most AT_ONCE, that have the same row. With
 * interpolation between rows there is one.
 */
static void gather(struct gathered *g, const struct gf_io *io, int64_t n, int count)
{
    const struct gf_resample *r = g->r;
    const struct gf_span in = io->src.span;
    bool inside;

    g->place = gf_resample_at(r, n);
    inside = g->place.first >= in.start && g->place.first + (count - 1) * r->times + r->taps <= in.end;
    for (int c = 0; c < io->dst.channels; c++) {
        float *to = (float *)io->dst.data + c * io->dst.plane_samples + (n - io->dst.span.start);
        const float *from = (const float *)io->src.data + c * io->src.plane_samples;

        if (g->n + count > AT_ONCE)
            finish(g);
        for (int i = 0; i < count; i++, g->n++) {
            const int64_t first = g->place.first + i * r->times;

            g->window[g->n] = inside ? from + (first - in.start)
                            : window_at(&io->src, c, first, r->taps, g->room + g->n * r->taps);
            g->to[g->n] = to + i * r->per;
        }
    }
    if (g->n > 0)
        finish(g);
}

/* ---- runs: many windows with the same row ---- */

GF_INLINE void add_scaled(float *restrict s, float w, const float *restrict x)
{
    UNROLLED
    for (int m = 0; m < RUN / 2; m++)
        s[m] = fmaf(w, x[m], s[m]);
}

/* Sets s to sum j + sum j + 8 of each window. */
GF_INLINE void sum_up(const float *restrict x, const float *restrict w, int taps, int j, float *restrict s)
{
    float low[2][RUN / 2] = { { 0 } }, high[2][RUN / 2] = { { 0 } };

    for (int k = j; k < taps; k += GF_RESAMPLE_SUMS) {
        add_scaled(low[0], w[k], x + k * RUN);
        add_scaled(low[1], w[k], x + k * RUN + RUN / 2);
        add_scaled(high[0], w[k + HALF], x + (k + HALF) * RUN);
        add_scaled(high[1], w[k + HALF], x + (k + HALF) * RUN + RUN / 2);
    }
    for (int m = 0; m < RUN / 2; m++) {
        s[m] = low[0][m] + high[0][m];
        s[m + RUN / 2] = low[1][m] + high[1][m];
    }
}

/* Weighs RUN windows: frame k of window m is x[k·RUN + m]. */
GF_CLONES
static void weigh_run(const float *restrict x, const float *restrict w, int taps, float *restrict y)
{
    float s[HALF][RUN];

    for (int j = 0; j < HALF; j++)
        sum_up(x, w, taps, j, s[j]);
    for (int half = HALF / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            for (int m = 0; m < RUN; m++)
                s[j][m] += s[j + half][m];
    memcpy(y, s[0], sizeof s[0]);
}

/* Returns true if the row only copies a frame. */
static bool copies(const float *row, int taps)
{
    for (int k = 0; k < taps; k++)
        if (row[k] != (k == taps / 2 - 1 ? 1.0f : 0.0f))
            return false;
    return true;
}

/* Periods that a run counts as one, so that its windows overlap those of the next by at most half. */
static int64_t joined_periods(const struct gf_resample *r)
{
    return gf_ceil_div(r->taps, r->times);
}

/* Returns the most rows of the matrix of frames that is laid out for a run. */
static int64_t matrix_rows(const struct gf_resample *r)
{
    return joined_periods(r) * r->times + r->taps;
}

static bool makes_runs(const struct gf_resample *r)
{
    return r->phases == 0 && matrix_rows(r) <= MOST_ROWS;
}

/* Sets element m of row k to x[m·times + k], so that frames that are weighed together are adjacent. */
GF_CLONES
static void lay_out(const float *restrict x, int64_t times, int64_t rows, float *restrict to)
{
    for (int m = 0; m < RUN; m++)
        for (int64_t k = 0; k < rows; k++)
            to[k * RUN + m] = x[m * times + k];
}

/* Computes RUN · joined_periods frames of a channel from n on. Their windows are inside the source. */
static void make_run(const struct gf_resample *r, const float *rows, float *matrix, const float *x, int64_t n,
                     float *to)
{
    const int64_t joined = joined_periods(r), start = gf_resample_at(r, n).first;
    const int64_t last = gf_resample_at(r, n + joined * r->per - 1).first;
    bool laid_out = false;
    float y[RUN];

    for (int64_t i = 0; i < joined * r->per; i++) {
        const struct gf_resample_place p = gf_resample_at(r, n + i);
        const float *row = rows + p.row * r->taps, *from = matrix + (p.first - start) * RUN;
        const bool copied = copies(row, r->taps);

        if (!copied && !laid_out)
            lay_out(x, joined * r->times, last - start + r->taps, matrix);
        laid_out = laid_out || !copied;
        if (copied)
            for (int m = 0; m < RUN; m++)        /* a sum turns -0 into 0, too */
                y[m] = x[p.first - start + r->taps / 2 - 1 + m * joined * r->times] + 0.0f;
        else
            weigh_run(from, row, r->taps, y);
        for (int m = 0; m < RUN; m++)
            to[m * joined * r->per + i] = y[m];
    }
}

/* Computes whole runs from frame n on, as long as their windows are inside the source. Returns the next frame. */
static int64_t make_runs(const struct gf_resample *r, const float *rows, float *matrix, const struct gf_io *io,
                         int64_t n)
{
    const struct gf_span in = io->src.span;
    const int64_t frames = RUN * joined_periods(r) * r->per;

    if (!makes_runs(r) || gf_resample_at(r, n).first < in.start)
        return n;
    for (; io->dst.span.end - n >= frames
           && gf_resample_at(r, n + frames - 1).first + r->taps <= in.end; n += frames)
        for (int c = 0; c < io->dst.channels; c++)
            make_run(r, rows, matrix,
                     (const float *)io->src.data + c * io->src.plane_samples
                         + (gf_resample_at(r, n).first - in.start), n,
                     (float *)io->dst.data + c * io->dst.plane_samples + (n - io->dst.span.start));
    return n;
}

static size_t resample_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_resample *r = params;
    const int64_t matrix = makes_runs(r) ? matrix_rows(r) * RUN : 0;

    (void)shape;
    return (size_t)(r->taps * AT_ONCE + matrix) * sizeof(float);
}

int gf_resample_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_resample *r = params;
    struct gathered g = { .r = r, .rows = work->tables + r->table, .room = work->scratch };
    float *matrix = (float *)work->scratch + r->taps * AT_ONCE;
    const struct gf_span out = io->dst.span;
    const int most = r->phases > 0 ? 1 : AT_ONCE;
    /* frames of the result that share rows, and whose windows stay in the first cache */
    const int64_t block = r->phases > 0 ? 1 : r->per * most;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: resample needs planes and no programs");
    for (int64_t at = out.start; at < out.end; at += block) {
        at = make_runs(r, g.rows, matrix, io, at);
        for (int64_t n = at; n < out.end && n < at + block / most; n++) {
            const int64_t left = (out.end - n - 1) / r->per + 1;

            gather(&g, io, n, left < most ? (int)left : most);
        }
    }
    return 0;
}

static struct gf_cost resample_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return (struct gf_cost) { 1, ((const struct gf_resample *)params)->taps };
}

/* The table of weights in another order, and zeros that are read in advance. */
static size_t resample_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_resample *r = params;

    (void)io;
    return r->phases > 0 ? 0 : (size_t)(r->per * (r->taps + GF_RESAMPLE_AHEAD)) * sizeof(float) + GF_GPU_SCRATCH_SMALL;
}

static void resample_map(const void *params, struct gf_affine *to_source)
{
    const struct gf_resample *r = params;

    *to_source = (struct gf_affine) { .xx = 1, .yy = (double)r->times / (double)r->per };
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    const struct gf_resample *r = params;

    (void)out;
    return r->per < 1 || r->times < 1 || r->taps % GF_RESAMPLE_SUMS != 0 || r->phases < 0 || r->phases == INT_MAX
               ? -1 : gf_op_rows_end(r->table, gf_resample_rows(r), r->taps);
}

const struct gf_operation gf_op_resample = {
    .word = "resample",
    .text = "Weighted sums at positions between frames, to change the sample rate.",
    .params_bytes = sizeof(struct gf_resample),
    .cpu = { .body = gf_resample_cpu, .scratch_bytes = resample_scratch, .cost = resample_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_resample_cuda), .scratch_bytes = resample_gpu_scratch, .cost = resample_cost },
    .map = resample_map,
    .tables_end = tables_end,
};
