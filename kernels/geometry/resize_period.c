/*
 * Resizes columns by simple ratios on a CPU. The weights repeat, so the outputs of one phase are a sum of lines, each
 * with one weight: a line has every `in`th input, and the outputs become every `out`th pixel of the result.
 */
#include "kernels/geometry/resize_rows.h"

#include "base/clones.h"
#include "kernels/base/block.h"

#include <math.h>
#include <string.h>

/* Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-loop-unroll-and-jam")
#endif

#define LONGEST 4                        /* pixels of a period, before and after */
#define PIECE 1024                       /* samples that are computed at a time, so that they stay in a cache */
#define CHANNELS 4
/* samples of a line: those of a piece, and the inputs of its last outputs */
#define LINE (PIECE + (GF_RESIZE_CHUNK + LONGEST) * CHANNELS)
#define BLOCK 64                         /* outputs whose sums stay in registers */

/* ---- the period ---- */

static const float *entry_at(const struct gf_resize_axis *axis, const float *entries, int64_t x)
{
    return entries + x * gf_resize_stride(axis);
}

/* Returns true if pixels x and x + out of the result have the same weights. */
static bool repeats(const struct gf_resize_axis *axis, const float *entries, int in, int out, int64_t x)
{
    const float *a = entry_at(axis, entries, x), *b = entry_at(axis, entries, x + out);

    if ((int64_t)b[0] - (int64_t)a[0] != in || a[1] != b[1])
        return false;
    for (int k = 0; k < (int)a[1]; k++)
        if (a[GF_RESIZE_ENTRY + k] != b[GF_RESIZE_ENTRY + k])
            return false;
    return true;
}

/* Returns true if the inputs of pixels [from, to) fit into a line. */
static bool fits_line(const struct gf_resize_axis *axis, const float *entries, int64_t from, int64_t to)
{
    const float *last = entry_at(axis, entries, to - 1);

    return to <= from || (int64_t)last[0] + (int64_t)last[1] - (int64_t)entry_at(axis, entries, from)[0]
                         <= LINE / CHANNELS;
}

bool gf_resize_period_find(const struct gf_resize_axis *axis, const float *entries, struct gf_resize_period *p)
{
    int64_t first = axis->out / 2, end = first, divisor, in, out;

    if (axis->taps == 0 || axis->taps > GF_RESIZE_CHUNK)     /* without taps, the axis may have no lengths */
        return false;
    divisor = gf_common_divisor(axis->in, axis->out);
    in = axis->in / divisor;
    out = axis->out / divisor;
    if (in > LONGEST || out > LONGEST)
        return false;
    while (first > 0 && first - 1 + out < axis->out && repeats(axis, entries, (int)in, (int)out, first - 1))
        first--;
    while (end + out < axis->out && repeats(axis, entries, (int)in, (int)out, end))
        end++;
    *p = (struct gf_resize_period) { (int)in, (int)out, first, (end + out - first) / out };
    end = first + p->periods * out;
    return end <= axis->out && p->periods > 1 && fits_line(axis, entries, 0, first)
           && fits_line(axis, entries, end, axis->out);
}

/* ---- lines ---- */

/*
 * Copies n pixels. If there are three channels, all pixels except the last one are copied as four samples: the fourth
 * one is overwritten by the next pixel.
 */
GF_INLINE void copy_pixels(const float *restrict from, int64_t from_step, int64_t n, int channels, float *restrict to,
                           int64_t to_step)
{
    const size_t sample = sizeof *to;

    for (int64_t i = 0; i + 1 < n; i++)
        memcpy(to + i * to_step, from + i * from_step, (size_t)(channels == 3 ? 4 : channels) * sample);
    memcpy(to + (n - 1) * to_step, from + (n - 1) * from_step, (size_t)channels * sample);
}

/* Copies every `step`th of n · step pixels. Constants let the compiler vectorize. */
GF_CLONES
static void take_every(const float *from, int step, int64_t n, int channels, float *to)
{
    switch (channels) {
    case 1:
        if (step == 2)
            copy_pixels(from, 2, n, 1, to, 1);
        else
            copy_pixels(from, step, n, 1, to, 1);
        break;
    case 2: copy_pixels(from, 2 * step, n, 2, to, 2); break;
    case 3: copy_pixels(from, 3 * step, n, 3, to, 3); break;
    default: copy_pixels(from, 4 * step, n, 4, to, 4); break;
    }
}

/* Joins `step` lines of n pixels each, `pitch` samples apart, pixel by pixel. */
GF_INLINE void join_pixels(const float *restrict from, int64_t pitch, int step, int64_t n, int channels,
                           float *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        for (int p = 0; p < step; p++)
            memcpy(to + (i * step + p) * channels, from + p * pitch + i * channels, (size_t)channels * sizeof *to);
}

/* Each pixel is copied as four samples, the fourth one of which is overwritten by the next pixel. */
GF_INLINE void join_three(const float *restrict from, int64_t pitch, int step, int64_t n, float *restrict to)
{
    for (int64_t i = 0; i + 1 < n; i++)
        for (int p = 0; p < step; p++)
            memcpy(to + 3 * (i * step + p), from + p * pitch + 3 * i, 4 * sizeof *to);
    join_pixels(from + 3 * (n - 1), pitch, step, 1, 3, to + 3 * (n - 1) * step);
}

GF_CLONES
static void join_lines(const float *from, int64_t pitch, int step, int64_t n, int channels, float *to)
{
    switch (channels) {
    case 1:
        if (step == 2)
            join_pixels(from, pitch, 2, n, 1, to);
        else
            join_pixels(from, pitch, step, n, 1, to);
        break;
    case 2: join_pixels(from, pitch, step, n, 2, to); break;
    case 3:
        if (step == 2)
            join_three(from, pitch, 2, n, to);
        else
            join_three(from, pitch, step, n, to);
        break;
    default: join_pixels(from, pitch, step, n, 4, to); break;
    }
}

GF_INLINE void sum_block(const float *const *line, const float *w, int count, int64_t at, float *restrict out, int n)
{
    float acc[BLOCK];

    for (int i = 0; i < n; i++)
        acc[i] = 0.0f;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n; i++)
            acc[i] = fmaf(w[k], line[k][at + i], acc[i]);
    for (int i = 0; i < n; i++)
        out[at + i] = 0.0f + acc[i];     /* the sum of one chain; no result is -0 */
}

/* Sums samples 0 to n - 1 of `count` lines. */
GF_CLONES
static void sum_weighted(const float *const *line, const float *w, int count, int64_t n, float *restrict out)
{
    int64_t x = 0;

    for (; x + BLOCK <= n; x += BLOCK)
        sum_block(line, w, count, x, out, BLOCK);
    if (x < n && n >= BLOCK)                             /* the last block overlaps the previous one */
        sum_block(line, w, count, n - BLOCK, out, BLOCK);
    else if (x < n)
        sum_block(line, w, count, 0, out, (int)n);
}

/* ---- a row ---- */

/* Computes n periods of row y from period `at` on. */
static void make_piece(const struct gf_resize_rows *j, const struct gf_resize_period *p, int64_t y, int64_t at,
                       int64_t n)
{
    const int c = j->channels;
    const struct gf_resize_axis *axis = &j->r->x;
    const float *first = entry_at(axis, j->x_entries, p->first),
                *last = entry_at(axis, j->x_entries, p->first + p->out - 1);
    const int64_t left = (int64_t)first[0], inputs = (int64_t)last[0] + (int64_t)last[1] - left + (n - 1) * p->in;
    const int64_t pitch = gf_ceil_div(inputs, p->in) * c, made = n * c;
    _Alignas(64) float loaded[LINE + LONGEST * CHANNELS], taken[LINE + LONGEST * CHANNELS], sums[PIECE], joined[PIECE];
    const float *lines = p->in > 1 ? taken : loaded, *line[GF_RESIZE_CHUNK];

    gf_resize_rows_load(j, y, (left + at * p->in) * c, inputs * c, loaded);
    for (int q = 0; q < p->in && p->in > 1; q++)
        take_every(loaded + q * c, p->in, gf_ceil_div(inputs - q, p->in), c, taken + q * pitch);
    for (int k = 0; k < p->out; k++) {
        const float *entry = entry_at(axis, j->x_entries, p->first + k);
        const int64_t ahead = (int64_t)entry[0] - left;

        for (int i = 0; i < (int)entry[1]; i++)
            line[i] = lines + (ahead + i) % p->in * pitch + (ahead + i) / p->in * c;
        sum_weighted(line, entry + GF_RESIZE_ENTRY, (int)entry[1], made, sums + k * made);
    }
    if (p->out > 1)
        join_lines(sums, made, p->out, n, c, joined);
    gf_resize_rows_store(j, y, (p->first + at * p->out) * c, made * p->out, p->out > 1 ? joined : sums);
}

/* Computes pixels [from, to) of row y, whose weights do not repeat. */
static void make_edge(const struct gf_resize_rows *j, int64_t y, int64_t from, int64_t to)
{
    const int c = j->channels;
    float loaded[LINE], out[CHANNELS];
    const float *last = entry_at(&j->r->x, j->x_entries, to - 1);
    const int64_t left = to > from ? (int64_t)entry_at(&j->r->x, j->x_entries, from)[0] : 0;

    if (to <= from)
        return;
    gf_resize_rows_load(j, y, left * c, ((int64_t)last[0] + (int64_t)last[1] - left) * c, loaded);
    for (int64_t x = from; x < to; x++) {
        const float *entry = entry_at(&j->r->x, j->x_entries, x), *line[GF_RESIZE_CHUNK];

        for (int i = 0; i < (int)entry[1]; i++)
            line[i] = loaded + ((int64_t)entry[0] - left + i) * c;
        sum_weighted(line, entry + GF_RESIZE_ENTRY, (int)entry[1], c, out);
        gf_resize_rows_store(j, y, x * c, c, out);
    }
}

void gf_resize_period_row(const struct gf_resize_rows *j, const struct gf_resize_period *p, int64_t y)
{
    const int64_t most = PIECE / ((p->in > p->out ? p->in : p->out) * j->channels);

    make_edge(j, y, 0, p->first);
    for (int64_t at = 0; at < p->periods; at += most)
        make_piece(j, p, y, at, p->periods - at < most ? p->periods - at : most);
    make_edge(j, y, p->first + p->periods * p->out, j->r->x.out);
}
