/*
 * Similarity on a CPU: sums of windows along each row, then over the last eleven rows, a few
 * hundred columns at a time.
 */
#include "kernels/neighbourhood/ssim.h"

#include "base/clones.h"
#include "kernels/base/planar.h"

#include <math.h>
#include <string.h>

GF_KEEP_LOOPS_APART                      /* otherwise gcc moves the sums out of registers */

#define COLUMNS 256                      /* columns whose sums of eleven rows stay in a cache */
#define BLOCK 32                         /* sums that stay in registers */
#define LINE (COLUMNS + 2 * GF_SSIM_REACH + 6)

enum { SUM, DIFFERENCE, SUM_SQUARES, DIFFERENCE_SQUARES, PLANES };

/* The memory of a call. */
struct ssim_sums {
    double line[PLANES][LINE];                           /* one row of samples */
    double row[GF_SSIM_TAPS][PLANES][COLUMNS];           /* sums along the last rows: row u is row[u % TAPS] */
    double window[PLANES][COLUMNS];
    double weight[GF_SSIM_TAPS];
};

/* One channel of a call. */
struct ssim_job {
    const struct gf_ssim *ssim;
    const struct gf_block *src, *beside, *dst;
    int c;
    float levels[2];                     /* levels of x and of y */
    int64_t width, units;                /* size of the images */
    struct ssim_sums *sums;
};

/* ---- samples ---- */

GF_CLONES
static void widen_samples(const float *restrict from, double *restrict to, float levels, int64_t n)
{
    const double step = levels > 0 ? 1.0 / (double)levels : 1.0;

    if (levels > 0)
        for (int64_t i = 0; i < n; i++)
            to[i] = (double)rintf(from[i] * levels) * step;
    else
        for (int64_t i = 0; i < n; i++)
            to[i] = (double)from[i];
}

/* From x and y: their sum and difference, and the squares of these. */
GF_CLONES
static void combine(double *restrict s, double *restrict d, double *restrict ss, double *restrict dd, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const double x = s[i], y = d[i];

        s[i] = x + y;
        d[i] = x - y;
        ss[i] = s[i] * s[i];
        dd[i] = d[i] * d[i];
    }
}

GF_CLONES
static void narrow_sums(const double *restrict from, float *restrict to, double scale, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)(from[i] * scale);
}

/* ---- windows ---- */

/* `count` is a constant wherever it matters. */
GF_INLINE void sum_block(const double *const *tap, const double *weight, int64_t x, double *restrict out, int count)
{
    double acc[BLOCK];

    for (int i = 0; i < count; i++)
        acc[i] = weight[0] * tap[0][x + i];
    for (int k = 1; k < GF_SSIM_TAPS; k++) {
        const double w = weight[k], *from = tap[k] + x;

        for (int i = 0; i < count; i++)
            acc[i] = fma(w, from[i], acc[i]);
    }
    for (int i = 0; i < count; i++)
        out[x + i] = acc[i];
}

/*
 * Sets out[x] to the sum of weight[k] · tap[k][x], for n of them; the last block overlaps the
 * previous one.
 */
GF_CLONES
static void sum_taps(const double *const *tap, const double *weight, double *restrict out, int64_t n)
{
    int64_t x = 0;

    for (; x + BLOCK <= n; x += BLOCK)
        sum_block(tap, weight, x, out, BLOCK);
    if (x < n && n >= BLOCK)
        sum_block(tap, weight, n - BLOCK, out, BLOCK);
    else if (x < n)
        sum_block(tap, weight, 0, out, (int)n);
}

GF_CLONES
static void similarity(const double *restrict s, const double *restrict d, const double *restrict ss,
                       const double *restrict dd,
                       float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const double vs = fma(-s[i], s[i], ss[i]), vd = fma(-d[i], d[i], dd[i]), ms = s[i] * s[i], md = d[i] * d[i];
        const double like = ((ms - md) + GF_SSIM_2C1) * ((vs - vd) + GF_SSIM_2C2);

        to[i] = (float)(like / (((ms + md) + GF_SSIM_2C1) * ((vs + vd) + GF_SSIM_2C2)));
    }
}

/* Loads n samples of row u from column x on, of one of the images; 1 if it has no such channel. */
static void read_samples(const struct ssim_job *j, int picture, int64_t u, int64_t x, int64_t n, double *to)
{
    const int c = j->ssim->of[picture][j->c];

    if (c >= 0)
        widen_samples(gf_plane_at(picture == 0 ? j->src : j->beside, c, u) + x, to, j->levels[picture], n);
    for (int64_t i = 0; c < 0 && i < n; i++)
        to[i] = 1;
}

/*
 * Loads row `u` around columns [from, to), with the samples that windows reach, as far as the image
 * goes; they begin at column *at.
 */
static void read_row(const struct ssim_job *j, int64_t u, int64_t from, int64_t to, int64_t *at)
{
    const int64_t first = from > GF_SSIM_REACH ? from - GF_SSIM_REACH : 0;
    const int64_t n = (to + GF_SSIM_REACH < j->width ? to + GF_SSIM_REACH : j->width) - first;
    double (*line)[LINE] = j->sums->line;

    read_samples(j, 0, u, first, n, line[SUM]);
    read_samples(j, 1, u, first, n, line[DIFFERENCE]);
    combine(line[SUM], line[DIFFERENCE], line[SUM_SQUARES], line[DIFFERENCE_SQUARES], n);
    *at = first;
}

/*
 * Computes the windows around columns [from, to) of row `u`, whose eleven rows have been summed;
 * columns count from x0.
 */
static void finish_row(const struct ssim_job *j, int64_t u, int64_t x0, int64_t from, int64_t to)
{
    double (*window)[COLUMNS] = j->sums->window;
    const double *tap[GF_SSIM_TAPS];

    for (int p = 0; p < PLANES; p++) {
        for (int k = 0; k < GF_SSIM_TAPS; k++)
            tap[k] = j->sums->row[(u - GF_SSIM_REACH + k) % GF_SSIM_TAPS][p] + (from - x0);
        sum_taps(tap, j->sums->weight, window[p], to - from);
    }
    similarity(window[SUM], window[DIFFERENCE], window[SUM_SQUARES], window[DIFFERENCE_SQUARES],
               gf_plane_at(j->dst, j->ssim->channels + j->c, u) + from, to - from);
}

/* Computes columns [x0, end) of all rows. */
static void some_columns(const struct ssim_job *j, struct gf_span rows, int64_t x0, int64_t end)
{
    const struct gf_span out = j->dst->span;
    const int64_t from = x0 > GF_SSIM_REACH ? x0 : GF_SSIM_REACH;            /* whole windows begin here */
    const int64_t to = end < j->width - GF_SSIM_REACH ? end : j->width - GF_SSIM_REACH;

    for (int64_t u = rows.start; u < rows.end; u++) {
        const int64_t middle = u - GF_SSIM_REACH;
        int64_t at;

        read_row(j, u, x0, end, &at);
        if (u >= out.start && u < out.end)
            narrow_sums(j->sums->line[DIFFERENCE] + (x0 - at), gf_plane_at(j->dst, j->c, u) + x0,
                        (double)j->ssim->scale, end - x0);
        for (int p = 0; from < to && p < PLANES; p++) {
            const double *tap[GF_SSIM_TAPS];

            for (int k = 0; k < GF_SSIM_TAPS; k++)
                tap[k] = j->sums->line[p] + (from - at) + k - GF_SSIM_REACH;
            sum_taps(tap, j->sums->weight, j->sums->row[u % GF_SSIM_TAPS][p] + (from - x0), to - from);
        }
        if (from < to && middle >= GF_SSIM_REACH && middle >= out.start)
            finish_row(j, middle, x0, from, to);
    }
}

/* Sets the results outside whole windows. */
static void clear_border(const struct ssim_job *j)
{
    const int c = j->ssim->channels + j->c;
    const int64_t reach = GF_SSIM_REACH < j->width ? GF_SSIM_REACH : j->width;

    for (int64_t u = j->dst->span.start; u < j->dst->span.end; u++) {
        const bool whole = u < GF_SSIM_REACH || u >= j->units - GF_SSIM_REACH || j->width < GF_SSIM_TAPS;
        float *row = gf_plane_at(j->dst, c, u);

        memset(row, 0, (size_t)(whole ? j->width : reach) * sizeof *row);
        memset(row + j->width - reach, 0, (size_t)reach * sizeof *row);
    }
}

/* ---- a call ---- */

static struct gf_span needed(const struct gf_io *io)
{
    const struct gf_span s = { io->dst.span.start - GF_SSIM_REACH, io->dst.span.end + GF_SSIM_REACH };

    return (struct gf_span) { s.start > 0 ? s.start : 0, s.end < io->src_units ? s.end : io->src_units };
}

/* Describes the other image as a source. */
static struct gf_io other(const struct gf_io *io)
{
    return (struct gf_io) { .src = io->beside, .dst = io->dst, .src_units = io->src_units };
}

/* Scratch in bytes: sums of windows, and planes if the blocks are not planar. */
struct scratch_sizes {
    size_t sums, source, beside, result;
};

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_ssim *ssim)
{
    const struct gf_io second = other(io);
    const int64_t most = gf_span_units(io->dst.span) + 2 * GF_SSIM_REACH, all = gf_span_units(io->src.span);
    const int64_t units = most < all ? most : all;

    return (struct scratch_sizes) { gf_padded_bytes(sizeof(struct ssim_sums)),
                                    gf_padded_bytes(gf_planar_source_samples(io, units) * sizeof(float)),
                                    gf_padded_bytes(gf_planar_source_samples(&second, units) * sizeof(float)),
                                    gf_planar_result_samples(io, 2 * ssim->channels) * sizeof(float) };
}

static size_t ssim_scratch(const struct gf_io *io, const void *params)
{
    const struct scratch_sizes s = sizes_of(io, params);

    return s.sums + s.source + s.beside + s.result;
}

int gf_ssim_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_ssim *ssim = params;
    const struct scratch_sizes s = sizes_of(io, ssim);
    const struct gf_span rows = needed(io);
    const struct gf_io second = other(io);
    char *at = work->scratch;
    struct gf_block src, beside, dst;
    struct ssim_job j = { .ssim = ssim, .src = &src, .beside = &beside, .dst = &dst, .width = io->dst.width,
                          .levels = { ssim->levels, gf_ssim_levels(io) }, .units = io->src_units,
                                    .sums = work->scratch };

    if (work->scratch_bytes < s.sums + s.source + s.beside + s.result)
        return gf_fail(err, GF_FAILED, "internal error: ssim has too little scratch memory");
    src = gf_planar_source(work, io, rows, (float *)(void *)(at + s.sums));
    beside = gf_planar_source(work, &second, rows, (float *)(void *)(at + s.sums + s.source));
    dst = gf_planar_result(io, 2 * ssim->channels, (float *)(void *)(at + s.sums + s.source + s.beside));
    for (int k = 0; k < GF_SSIM_TAPS; k++)
        j.sums->weight[k] = gf_ssim_weight(k);
    for (j.c = 0; j.c < ssim->channels; j.c++) {
        clear_border(&j);
        for (int64_t x = 0; x < j.width; x += COLUMNS)
            some_columns(&j, rows, x, x + COLUMNS < j.width ? x + COLUMNS : j.width);
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

const struct gf_operation gf_op_ssim = {
    .word = "similar", .text = "The similarity of two images, window by window.",
    .params_bytes = sizeof(struct gf_ssim),
    .starts_anew = 4,
    .cpu = { .body = gf_ssim_cpu, .scratch_bytes = ssim_scratch, .light = 12 },
    .cuda = { .body = GF_CUDA_BODY(gf_ssim_cuda), .reads = GF_READS_PACKED, .light = 12 },
};
