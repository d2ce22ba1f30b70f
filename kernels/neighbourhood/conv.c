/*
 * Convolution on a CPU, and its descriptor: every kind is one sum over taps, and each tap is a run of samples. Bytes
 * have a file of their own.
 */
#include "kernels/neighbourhood/conv.h"

#include "base/clones.h"
#include "kernels/base/exact_sum.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"
#include "kernels/base/program_steps.h"
#include "kernels/neighbourhood/conv_bytes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- sums of weighted samples ---- */

/* Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower. */
GF_KEEP_LOOPS_APART

#define BLOCK 64                         /* outputs whose sums stay in registers; fewer at once are slow */
#define ROWS 3                           /* rows that are computed together */
#define WIDTH 32                         /* outputs of rows that share their taps, whose sums stay in registers */

/*
 * Sets acc to the chain of taps [from, to), starting at 0. `count` is a constant in every call that
 * matters.
 */
GF_INLINE void sum_chain(const float *const *tap, const float *weights, int from, int to, int64_t x,
                         float *acc, int count)
{
    const float *s = tap[from] + x;
    float w = weights[from];

    for (int i = 0; i < count; i++)
        acc[i] = fmaf(w, s[i], 0.0f);
    for (int k = from + 1; k < to; k++) {
        s = tap[k] + x;
        w = weights[k];
        for (int i = 0; i < count; i++)
            acc[i] = fmaf(w, s[i], acc[i]);
    }
}

/* Computes one block of outputs from a single chain. */
GF_INLINE void sum_short(const float *const *tap, const float *weights, int taps, int64_t x,
                         float *restrict out, int count)
{
    float acc[BLOCK];

    sum_chain(tap, weights, 0, taps, x, acc, count);
    for (int i = 0; i < count; i++)
        out[i] = acc[i];
}

/* Computes one block of outputs from chains of `chunk` taps. */
GF_INLINE void sum_long(const float *const *tap, const float *weights, int taps, int chunk, int64_t x,
                        float *restrict out, int count)
{
    float acc[BLOCK], sum[BLOCK], lost[BLOCK];

    sum_chain(tap, weights, 0, chunk, x, sum, count);
    for (int i = 0; i < count; i++)
        lost[i] = 0.0f;
    for (int from = chunk; from < taps; from += chunk) {
        sum_chain(tap, weights, from, from + chunk < taps ? from + chunk : taps, x, acc, count);
        for (int i = 0; i < count; i++)
            gf_exact_sum_add(&sum[i], &lost[i], acc[i]);
    }
    for (int i = 0; i < count; i++)
        out[i] = sum[i] + lost[i];
}

GF_CLONES
static void sum_taps_short(const float *const *tap, const float *weights, int taps, float *restrict out, int64_t n)
{
    int64_t x = 0;

    for (; x + BLOCK <= n; x += BLOCK)
        sum_short(tap, weights, taps, x, out + x, BLOCK);
    if (x < n && n >= BLOCK)                 /* the last block overlaps the previous one */
        sum_short(tap, weights, taps, n - BLOCK, out + n - BLOCK, BLOCK);
    else if (x < n)
        sum_short(tap, weights, taps, x, out + x, (int)(n - x));
}

GF_CLONES
static void sum_taps_long(const float *const *tap, const float *weights, int taps, int chunk,
                          float *restrict out, int64_t n)
{
    int64_t x = 0;

    for (; x + BLOCK <= n; x += BLOCK)
        sum_long(tap, weights, taps, chunk, x, out + x, BLOCK);
    if (x < n && n >= BLOCK)
        sum_long(tap, weights, taps, chunk, n - BLOCK, out + n - BLOCK, BLOCK);
    else if (x < n)
        sum_long(tap, weights, taps, chunk, x, out + x, (int)(n - x));
}

/* Adds taps [from, to) of a row to its sums. */
GF_INLINE void add_taps(const float *const *tap, const float *weights, int from, int to, int64_t x, float *acc)
{
    for (int k = from; k < to; k++)
        for (int i = 0; i < WIDTH; i++)
            acc[i] = fmaf(weights[k], tap[k][x + i], acc[i]);
}

/*
 * Computes a block of three rows from x on. Row r reads taps r to r + taps - 1, so most taps are loaded once for
 * all rows.
 */
GF_INLINE void sum_shared(const float *const *tap, const float *weights, int taps, int64_t x, float *const *out)
{
    float a[WIDTH], b[WIDTH], c[WIDTH];

    for (int i = 0; i < WIDTH; i++)
        a[i] = b[i] = c[i] = 0.0f;
    add_taps(tap, weights, 0, 2, x, a);
    add_taps(tap + 1, weights, 0, 1, x, b);
    for (int k = 2; k < taps; k++) {
        const float *s = tap[k] + x, *w = weights + k;

        for (int i = 0; i < WIDTH; i++) {
            a[i] = fmaf(w[0], s[i], a[i]);
            b[i] = fmaf(w[-1], s[i], b[i]);
            c[i] = fmaf(w[-2], s[i], c[i]);
        }
    }
    add_taps(tap + 1, weights, taps - 1, taps, x, b);
    add_taps(tap + 2, weights, taps - 2, taps, x, c);
    memcpy(out[0] + x, a, sizeof a);
    memcpy(out[1] + x, b, sizeof b);
    memcpy(out[2] + x, c, sizeof c);
}

GF_CLONES
static void sum_taps_shared(const float *const *tap, const float *weights, int taps, float *const *out, int64_t n)
{
    for (int64_t x = 0; x + WIDTH <= n; x += WIDTH)
        sum_shared(tap, weights, taps, x, out);
    if (n % WIDTH != 0)
        sum_shared(tap, weights, taps, n - WIDTH, out);
}

/*
 * Sets out[x] to the sum over k of weights[k] · tap[k][x], for n outputs, in chains of `chunk` taps. `out` must not
 * overlap the taps.
 */
static void sum_row(const float *const *tap, const float *weights, int taps, int chunk, float *restrict out, int64_t n)
{
    if (taps <= chunk)
        sum_taps_short(tap, weights, taps, out, n);
    else
        sum_taps_long(tap, weights, taps, chunk, out, n);
}

/*
 * Does so for ROWS rows, with the same results: row r reads `taps` of them from tap[r] on. Rows share most of their
 * taps, which are loaded once.
 */
static void sum_rows(const float *const *tap, const float *weights, int taps, int chunk, float *const *out,
                       int64_t n)
{
    if (taps <= chunk && taps >= ROWS && n >= WIDTH) {
        sum_taps_shared(tap, weights, taps, out, n);
        return;
    }
    for (int r = 0; r < ROWS; r++)
        sum_row(tap + r, weights, taps, chunk, out[r], n);
}

/* Replaces the sums in `to` by the sharpened samples. */
GF_CLONES
static void sharpen_row(float *restrict to, const float *restrict sample, float amount, float threshold, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float d = sample[i] - to[i];

        to[i] = fabsf(d) > threshold ? fmaf(amount, d, sample[i]) : sample[i];
    }
}

/* Sets `to` to the root of the sum of the squares of itself and `other`. */
GF_CLONES
static void combine_hypot(float *restrict to, const float *restrict other, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = sqrtf(fmaf(to[i], to[i], other[i] * other[i]));
}

/* ---- ways of filtering ---- */

/*
 * Tiles: columns, and most rows of the result. Without them, a mask whose rows take more than CACHED_SAMPLES floats, or
 * 1.6 MB, leaves the second-level cache; shorter masks and smaller ones were as fast or faster without tiles.
 */
#define TILE 128
#define TILE_ROWS 96
#define TILE_TAPS 16
#define CACHED_SAMPLES 400000

/* Returns true if it filters down the rows of planes of that width in tiles of some columns. */
static bool uses_tiles(const struct gf_conv *conv, int64_t width)
{
    return !conv->full && conv->ny >= TILE_TAPS && width > 2 * TILE && width * conv->ny > CACHED_SAMPLES;
}

/* Everything that a call needs: the masks of a channel, and the parts of the scratch memory. */
struct conv_job {
    const struct gf_conv *conv;
    const struct gf_block *src;
    struct gf_block dst;
    int64_t src_units;
    const float *mask;
    const float **tap;
    float *line;             /* one padded row, or all of them for a full mask */
    float *tile;             /* some columns of the rows under some results, TILE apart; only with tiles */
    float *zeros;            /* a row of zeros */
    float *other;            /* a row of sums with another mask, or NULL */
    const float *also;       /* that mask */
};

static const float *mask_at(const struct gf_work *work, const struct gf_conv *conv, int64_t at, int count, int c)
{
    return work->masks + at + (conv->mask_channels > 1 ? (int64_t)c * count : 0);
}

/* Units are contiguous in memory (audio), so filtering along the units is filtering a line. */
static bool is_line(const struct gf_block *b)
{
    return b->width == 1 && b->pitch_samples == 1;
}

static void along_line(const struct conv_job *j, int c)
{
    const struct gf_conv *conv = j->conv;
    const struct gf_block *src = j->src;
    const int64_t n = gf_span_units(j->dst.span), first = j->dst.span.start - conv->cy;
    const float *origin = gf_plane_at(src, c, src->span.start) - src->span.start;

    gf_border_copy(origin, j->src_units, sizeof(float), conv->border, first, n + conv->ny - 1, j->line);
    for (int k = 0; k < conv->ny; k++)
        j->tap[k] = j->line + k;
    sum_row(j->tap, j->mask, conv->ny, GF_CONV_CHUNK, gf_plane_at(&j->dst, c, j->dst.span.start), n);
}

/* Computes outputs [from, to) of a row, for which samples beyond its ends are needed. */
static void sum_end(const struct conv_job *j, const float *row, float *out, int64_t from, int64_t to)
{
    const struct gf_conv *conv = j->conv;
    const int64_t first = from - conv->cx;

    gf_border_copy(row, j->src->width, sizeof(float), conv->border, first, to - from + conv->nx - 1, j->line);
    for (int k = 0; k < conv->nx; k++)
        j->tap[k] = j->line + k;
    sum_row(j->tap, j->mask, conv->nx, GF_CONV_CHUNK, out + from, to - from);
}

static void along_columns(const struct conv_job *j, int c)
{
    const struct gf_conv *conv = j->conv;
    const int64_t width = j->src->width, end = conv->nx > BLOCK ? conv->nx : BLOCK;

    for (int64_t u = j->dst.span.start; u < j->dst.span.end; u++) {
        const float *row = gf_plane_at(j->src, c, u);
        float *out = gf_plane_at(&j->dst, c, u);

        if (width < 3 * end) {
            sum_end(j, row, out, 0, width);
            continue;
        }
        sum_end(j, row, out, 0, end);
        for (int k = 0; k < conv->nx; k++)
            j->tap[k] = row + end - conv->cx + k;
        sum_row(j->tap, j->mask, conv->nx, GF_CONV_CHUNK, out + end, width - 2 * end);
        sum_end(j, row, out, width - end, width);
    }
}

/* Finds the taps of `rows` units from u on. */
static void find_taps(const struct conv_job *j, int c, int64_t u, int rows)
{
    const struct gf_conv *conv = j->conv;

    for (int k = 0; k < conv->ny + rows - 1; k++) {
        const int64_t at = gf_border_index(conv->border, u + k - conv->cy, j->src_units);

        j->tap[k] = at < 0 ? j->zeros : gf_plane_at(j->src, c, at);
    }
}

/* Computes `n` columns from x on of `rows` units from u on. j->tap has the rows under them, `tap` those of the tile. */
static void make_tile(const struct conv_job *j, const float *const *tap, int c, int64_t u, int rows, int64_t x,
                      int64_t n)
{
    const int taps = j->conv->ny;
    int r = 0;

    for (int k = 0; k < taps + rows - 1; k++)
        memcpy(j->tile + k * TILE, j->tap[k] + x, (size_t)n * sizeof *j->tile);
    for (; r + ROWS <= rows; r += ROWS) {
        float *out[ROWS];

        for (int i = 0; i < ROWS; i++)
            out[i] = gf_plane_at(&j->dst, c, u + r + i) + x;
        sum_rows(tap + r, j->mask, taps, GF_CONV_CHUNK, out, n);
    }
    for (; r < rows; r++)
        sum_row(tap + r, j->mask, taps, GF_CONV_CHUNK, gf_plane_at(&j->dst, c, u + r) + x, n);
}

/* The rows under a tile are copied, so that they stay in a cache. Whole rows would leave it between two results. */
static void along_tiles(const struct conv_job *j, int c)
{
    const int64_t end = j->dst.span.end, width = j->src->width, units = end - j->dst.span.start;
    const int most = j->conv->ny + (units < TILE_ROWS ? (int)units : TILE_ROWS) - 1;
    const float **tap = j->tap + most;

    for (int k = 0; k < most; k++)
        tap[k] = j->tile + k * TILE;
    for (int64_t u = j->dst.span.start; u < end; u += TILE_ROWS) {
        const int rows = end - u < TILE_ROWS ? (int)(end - u) : TILE_ROWS;

        find_taps(j, c, u, rows);
        for (int64_t x = 0; x < width; x += TILE)
            make_tile(j, tap, c, u, rows, x, width - x < TILE ? width - x : TILE);
    }
}

static void along_units(const struct conv_job *j, int c)
{
    const int64_t end = j->dst.span.end, width = j->src->width;
    const int taps = j->conv->ny;
    int64_t u = j->dst.span.start;

    for (; u + ROWS <= end; u += ROWS) {
        float *out[ROWS];

        for (int r = 0; r < ROWS; r++)
            out[r] = gf_plane_at(&j->dst, c, u + r);
        find_taps(j, c, u, ROWS);
        sum_rows(j->tap, j->mask, taps, GF_CONV_CHUNK, out, width);
    }
    for (; u < end; u++) {
        find_taps(j, c, u, 1);
        sum_row(j->tap, j->mask, taps, GF_CONV_CHUNK, gf_plane_at(&j->dst, c, u), width);
    }
}

/* All rows are padded once. Then every weight of the mask is a tap into one of them. */
static void full_mask(const struct conv_job *j, int c)
{
    const struct gf_conv *conv = j->conv;
    const int64_t length = j->src->width + conv->nx - 1;
    const int64_t first = j->src->span.start, rows = gf_span_units(j->src->span);
    const int chunk = gf_conv_chunk_rows(conv->nx) * conv->nx;

    for (int64_t u = 0; u < rows; u++)
        gf_border_copy(gf_plane_at(j->src, c, first + u), j->src->width, sizeof(float), conv->border, -conv->cx, length,
                       j->line + u * length);
    for (int64_t u = j->dst.span.start; u < j->dst.span.end; u++) {
        for (int k = 0; k < conv->ny; k++) {
            const int64_t at = gf_border_index(conv->border, u + k - conv->cy, j->src_units);
            const float *row = at < 0 ? j->zeros : j->line + (at - first) * length;

            for (int i = 0; i < conv->nx; i++)
                j->tap[k * conv->nx + i] = row + i;
        }
        sum_row(j->tap, j->mask, conv->nx * conv->ny, chunk, gf_plane_at(&j->dst, c, u), j->src->width);
        if (conv->combine == GF_CONV_HYPOT) {
            sum_row(j->tap, j->also, conv->nx * conv->ny, chunk, j->other, j->src->width);
            combine_hypot(gf_plane_at(&j->dst, c, u), j->other, j->src->width);
        }
    }
}

/* Returns the units of src that dst needs; all of src if the border may read from the other end. */
static struct gf_span needed(const struct gf_io *io, const struct gf_conv *conv)
{
    int64_t before, after;

    if (conv->ny == 0)
        return io->dst.span;
    gf_conv_reach(conv->ny, conv->cy, conv->border, &before, &after);
    return gf_span_around(io, before, after, conv->border);
}

/* Scratch in floats: pointers, padded lines, a row of zeros, and the result between two passes. */
struct scratch_sizes {
    size_t tap, line, tile, zeros, other, between, source, result;
};

static int channels_out(const struct gf_io *io, const struct gf_conv *conv)
{
    const int in = gf_channels_at_work(io);

    return conv->combine == GF_CONV_KEEP ? 2 * in : conv->combine == GF_CONV_SHARPEN_KEPT ? in / 2 : in;
}

/* The sizes for `src_units` units of the source. */
static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_conv *conv, int64_t src_units)
{
    const int64_t dst_units = gf_span_units(io->dst.span);
    const bool tiles = uses_tiles(conv, io->dst.width);
    const int together = !tiles ? ROWS : dst_units < TILE_ROWS ? (int)dst_units : TILE_ROWS;
    const int rows = conv->ny + together - 1, down = tiles ? 2 * rows : rows;
    const int taps = conv->full ? conv->nx * conv->ny : conv->nx > down ? conv->nx : down;
    const int64_t width = io->dst.width;
    struct scratch_sizes s = { 0 };
    int64_t line = width + conv->nx;

    if (conv->full)
        line *= src_units;
    if (line < dst_units + conv->ny && width == 1)
        line = dst_units + conv->ny;
    s.tap = gf_padded_floats((size_t)taps * sizeof(float *) / sizeof(float));
    s.line = gf_padded_floats((size_t)line);
    s.tile = tiles ? (size_t)(rows * TILE) : 0;
    s.zeros = gf_padded_floats((size_t)(width + conv->nx));
    s.source = gf_padded_floats(gf_planar_source_samples(io, src_units));
    s.result = gf_padded_floats(gf_planar_result_samples(io, channels_out(io, conv)));
    s.other = conv->combine == GF_CONV_HYPOT ? gf_padded_floats((size_t)width) : 0;
    if (!conv->full && conv->nx > 0 && conv->ny > 0)
        s.between = gf_padded_floats((size_t)(src_units * width * gf_channels_at_work(io)));
    return s;
}

static size_t bytes_of(struct scratch_sizes s)
{
    return (s.tap + s.line + s.tile + s.zeros + s.other + s.between + s.source + s.result) * sizeof(float);
}

/* The plan gives the source that a strip needs; the body may find more there, and needs no more memory for it. */
static size_t conv_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_conv *conv = params;
    const int64_t there = gf_span_units(io->src.span);
    const int64_t reach = 2 * (int64_t)conv->ny + 1;         /* reflections reach as far to each side */
    const int64_t most = gf_span_units(io->dst.span) + reach;

    if (gf_conv_bytes_fits(io, conv))
        return gf_conv_bytes_scratch(conv);
    return bytes_of(sizes_of(io, conv, most < there && conv->border != GF_WRAP ? most : there));
}

/* Filters one channel with a separable mask, or with one half of it. */
static void both_ways(struct conv_job *j, const struct gf_work *work, const struct gf_block *src,
                      const struct gf_block *middle,
                      const struct gf_block *dst, int c)
{
    const struct gf_conv *conv = j->conv;
    const bool both = conv->nx > 0 && conv->ny > 0;

    j->src = src;
    if (conv->nx > 0) {
        j->mask = mask_at(work, conv, conv->x_at, conv->nx, c);
        j->dst = both ? *middle : *dst;
        along_columns(j, c);
    }
    if (conv->ny > 0) {
        j->mask = mask_at(work, conv, conv->y_at, conv->ny, c);
        j->src = both ? middle : src;
        j->dst = *dst;
        if (is_line(j->src) && is_line(dst))
            along_line(j, c);
        else if (uses_tiles(conv, src->width))
            along_tiles(j, c);
        else
            along_units(j, c);
    }
    j->src = src;
}

/* Copies channel c of src to channel `to` of dst, or adds to what is there. */
static void bring(const struct gf_conv *conv, const struct gf_block *src, int c, const struct gf_block *dst,
                  int to, bool sharpen)
{
    for (int64_t u = dst->span.start; u < dst->span.end; u++) {
        if (sharpen)
            sharpen_row(gf_plane_at(dst, to, u), gf_plane_at(src, c, u), conv->amount, conv->threshold,
                                 dst->width);
        else
            memcpy(gf_plane_at(dst, to, u), gf_plane_at(src, c, u), (size_t)dst->width * sizeof(float));
    }
}

/* Computes channel c of the result. */
static void one_channel(struct conv_job *j, const struct gf_work *work, const struct gf_block *src,
                        const struct gf_block *middle,
                        const struct gf_block *dst, int c)
{
    const struct gf_conv *conv = j->conv;
    const bool kept = conv->combine == GF_CONV_SHARPEN_KEPT, keep = conv->combine == GF_CONV_KEEP;
    const int sample = kept ? dst->channels + c : c;

    if (conv->combine != GF_CONV_PLAIN && c >= conv->combined) {
        bring(conv, src, sample, dst, c, false);
    } else if (conv->full) {
        j->mask = mask_at(work, conv, conv->full_at, conv->nx * conv->ny, c);
        full_mask(j, c);
    } else {
        both_ways(j, work, src, middle, dst, c);
        if (kept || conv->combine == GF_CONV_SHARPEN)
            bring(conv, src, sample, dst, c, true);
    }
    if (keep)
        bring(conv, src, c, dst, dst->channels / 2 + c, false);
}

static int conv_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_conv *conv = params;
    const struct gf_span part = needed(io, conv);
    const struct scratch_sizes s = sizes_of(io, conv, gf_span_units(part));
    float *tap = work->scratch, *line = tap + s.tap, *tile = line + s.line, *zeros = tile + s.tile;
    float *other = zeros + s.zeros, *between = other + s.other;
    struct gf_block src, dst, middle;
    struct conv_job j = { .conv = conv, .src = &src, .src_units = io->src_units, .tap = (const float **)(void *)tap,
                          .line = line, .tile = tile, .zeros = zeros, .other = other,
                          .also = work->masks + conv->also_at };

    if (work->scratch_bytes < (gf_conv_bytes_fits(io, conv) ? gf_conv_bytes_scratch(conv) : bytes_of(s)))
        return gf_fail(err, GF_FAILED, "internal error: conv has too little scratch memory");
    if (gf_conv_bytes_fits(io, conv)) {
        gf_conv_bytes_run(work, io, conv);
        return 0;
    }
    memset(zeros, 0, s.zeros * sizeof(float));
    src = middle = gf_planar_source(work, io, part, between + s.between);
    dst = j.dst = gf_planar_result(io, channels_out(io, conv), between + s.between + s.source);
    middle.data = between;
    middle.pitch_samples = src.width;
    middle.plane_samples = src.width * gf_span_units(part);
    for (int c = 0; c < (conv->combine == GF_CONV_KEEP ? src.channels : dst.channels); c++)
        one_channel(&j, work, &src, &middle, &dst, c);
    gf_planar_finish(work, io, &dst);
    return 0;
}

/* ---- what the plan asks ---- */

#define COLLIDING_SAMPLES (1 << 13)      /* rows of a multiple of 32 KB take each other's places in the cache */
/* Rows of a result on a CPU, at least: with tiles, for which all rows under them are copied, and without. */
#define ROWS_WITH_TILES 32
#define ROWS_WITHOUT_TILES (2 * ROWS)
#define TILE_WEIGHTS 64                  /* most weights in a direction that a tile in shared memory has room for */

static double weights_of(const struct gf_conv *conv)
{
    return conv->full ? conv->nx * conv->ny : conv->nx + conv->ny;
}

/* Each segment sums along the rows before and after it again, and yet is faster than two steps. */
static bool at_once(const void *params, const struct gf_format *f)
{
    const struct gf_conv *conv = params;
    struct gf_io io = { .src = gf_block_packed(NULL, f, (struct gf_span) { 0, 0 }) };

    io.dst = io.src;
    return gf_conv_bytes_fits(&io, conv);
}

/* Bytes, and planes under long masks, are filtered in tiles that stay in a cache. Rows of other planes may leave it. */
static struct gf_cost conv_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_conv *conv = params;
    const bool collides = out->width % COLLIDING_SAMPLES == 0 && !uses_tiles(conv, out->width);

    if (in->type == GF_U8 && out->type == GF_U8 && at_once(conv, in))
        return (struct gf_cost) { 1.5, 0.8 * weights_of(conv) };
    return (struct gf_cost) { 1, weights_of(conv) + 3.0 * collides * conv->ny };
}

static int least_rows(const void *params, const struct gf_format *out)
{
    const struct gf_conv *conv = params;

    return uses_tiles(conv, out->width) ? ROWS_WITH_TILES : conv->ny > 1 ? ROWS_WITHOUT_TILES : 1;
}

/* Masks that do not fit in a tile of shared memory take a slower way, plane by plane. */
static struct gf_cost conv_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_conv *conv = params;
    const bool tiled = conv->nx <= TILE_WEIGHTS && conv->ny <= TILE_WEIGHTS / (out->channels > 1 ? 2 : 1);

    (void)in;
    return (struct gf_cost) { 1, (tiled ? 1 : 4) * weights_of(conv) };
}

static void describe_conv(const void *params, bool cuda, char *text, size_t room)
{
    const struct gf_conv *conv = params;

    (void)cuda;
    snprintf(text, room, ", %d by %d weights%s", conv->nx ? conv->nx : 1, conv->ny ? conv->ny : 1,
             conv->full || conv->nx == 0 || conv->ny == 0 ? "" : " in two directions");
}

_Static_assert(sizeof(struct gf_conv) <= GF_OP_CHANGED_BYTES, "halves change them");

/* Splits a separable mask. If the second half needs the original samples, the first half passes them on. */
static int halves(const void *params, bool fuses, union gf_op_changed *first, union gf_op_changed *second)
{
    const struct gf_conv *conv = params;
    const bool sharpens = conv->combine == GF_CONV_SHARPEN;
    struct gf_conv *x = (void *)first, *y = (void *)second;

    if (fuses || conv->full || conv->nx == 0 || conv->ny == 0)
        return 0;
    *x = *y = *conv;
    x->ny = y->nx = 0;
    if (sharpens)
        x->combine = GF_CONV_KEEP, y->combine = GF_CONV_SHARPEN_KEPT;
    return sharpens ? 2 : 1;
}

/*
 * Filters along audio, and masks that fit in a tile of one, three or four channels, borrow nothing;
 * others work in planes, with one more in between.
 */
static size_t conv_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_conv *conv = params;
    const bool in_registers = gf_channels_at_work(io) != 2 && io->dst.channels <= 4 && gf_point_widest_of(io) <= 4;

    if (gf_conv_is_line(io, conv)
        || (io->dst.width > 1 && in_registers && conv->nx <= TILE_WEIGHTS && conv->ny <= TILE_WEIGHTS))
        return 0;
    return gf_gpu_scratch_planes(io, params)
         + (size_t)(!conv->full && conv->nx > 0
                    && conv->ny > 0 ? gf_gpu_plane_bytes(&io->src, 1, gf_span_units(io->src.span)) : 0);
}

static bool reach(const void *params, struct gf_reach *reach)
{
    const struct gf_conv *c = params;

    *reach = (struct gf_reach) { 0 };
    gf_conv_reach(c->nx, c->cx, c->border, &reach->left, &reach->right);
    return c->border != GF_WRAP;
}

/* Numbers of a plan that another process has sent may be any. */
static int64_t masks_end(const void *params, int channels)
{
    const struct gf_conv *c = params;
    const int64_t far = INT64_MAX / 2, ways = c->mask_channels;
    int64_t end = 0;

    if (ways < 1 || ways > GF_MAX_CHANNELS || (ways > 1 && channels > ways) || c->nx < 0 || c->nx > GF_CONV_MAX_TAPS
        || c->ny < 0 || c->ny > GF_CONV_MAX_TAPS || (c->full && (c->nx < 1 || c->ny < 1)) || c->x_at < 0
        || c->x_at > far || c->y_at < 0 || c->y_at > far || c->full_at < 0 || c->full_at > far || c->also_at < 0
        || c->also_at > far)
        return -1;
    if (c->full)
        end = c->full_at + ways * c->nx * c->ny;
    if (!c->full && c->nx > 0)
        end = c->x_at + ways * c->nx;
    if (!c->full && c->ny > 0 && c->y_at + ways * c->ny > end)
        end = c->y_at + ways * c->ny;
    if (c->combine == GF_CONV_HYPOT && c->also_at + (int64_t)c->nx * c->ny > end)
        end = c->also_at + (int64_t)c->nx * c->ny;
    return end;
}

const struct gf_operation gf_op_conv = {
    .word = "conv",
    .text = "Weighted sums of neighbors: along rows and then along columns, or over a whole "
            "mask. In audio, a filter with few taps.",
    .params_bytes = sizeof(struct gf_conv),
    .cpu = { .body = conv_cpu, .scratch_bytes = conv_scratch, .cost = conv_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_conv_cuda), GF_OP_LOADS_AND_STORES, .scratch_bytes = conv_gpu_scratch,
              .cost = conv_gpu_cost },
    .describe = describe_conv,
    .least_units = least_rows,
    .halves = halves,
    .at_once = at_once,
    .reach = reach,
    .masks_end = masks_end,
};
