/*
 * Resizes by simple ratios on a CPU. The weights of columns repeat, so the outputs of one phase are a sum of lines,
 * each with one weight: a line has every `in`th input, and the outputs become every `out`th pixel of the result. A tile
 * is some columns of all rows of a call, so that its source, as lines of floats, stays in a cache.
 */
#include "kernels/geometry/resize_lines.h"
#include "kernels/geometry/resize_rows.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/byte_shuffle.h"
#include "kernels/base/pack.h"

#include <string.h>

#define LONGEST 4                        /* pixels of a period, before and after */
#define PIECE 2048                       /* samples of a line of a tile, before and after */
#define EDGE 96                          /* pixels at one end of a row whose weights do not repeat, and their inputs */
#define SPARE (2 * EDGE + GF_RESIZE_CHUNK + LONGEST)             /* inputs of a tile besides those of its periods */
#define LINE (PIECE + SPARE * GF_RESIZE_CHANNELS)
#define OUTS (PIECE + 2 * EDGE * GF_RESIZE_CHANNELS)     /* outputs of all lines of a tile */
#define REUSED 3                         /* rows of the result that read a row of the source, if it is not kept */
#define AHEAD 4                          /* rows */
#define RING 24576                       /* floats of the source, together, that stay in a cache */

/* ---- the period ---- */

static const float *entry_at(const struct gf_resize_axis *axis, const float *entries, int64_t x)
{
    return entries + x * gf_resize_stride(axis);
}

/* Returns the input after the last one of output x. */
static int64_t end_of(const struct gf_resize_axis *axis, const float *entries, int64_t x)
{
    const float *entry = entry_at(axis, entries, x);

    return (int64_t)entry[0] + (int64_t)entry[1];
}

/* Returns true if pixels x and x + out of the result have the same weights. */
static bool repeats(const struct gf_resize_axis *axis, const float *entries, int in, int out, int64_t x)
{
    const float *a = entry_at(axis, entries, x), *b = entry_at(axis, entries, x + out);

    return (int64_t)b[0] - (int64_t)a[0] == in && memcmp(a + 1, b + 1, (1 + (size_t)a[1]) * sizeof *a) == 0;
}

/* Returns true if pixels [from, to) of the result and their inputs are few enough for the end of a row. */
static bool fits_edge(const struct gf_resize_axis *axis, const float *entries, int64_t from, int64_t to)
{
    return to <= from || (to - from <= EDGE && end_of(axis, entries, to - 1)
                                               - (int64_t)entry_at(axis, entries, from)[0] <= EDGE);
}

bool gf_resize_period_is_short(const struct gf_resize_axis *axis)
{
    const int64_t divisor = gf_common_divisor(axis->in, axis->out);

    return axis->in / divisor <= LONGEST && axis->out / divisor <= LONGEST;
}

/*
 * Inputs beyond the ends of a row have no weights. They are missing at the first and the last pixels alone, so all
 * pixels between two that repeat do so, too.
 */
bool gf_resize_period_find(const struct gf_resize_axis *axis, const float *entries, struct gf_resize_period *p)
{
    int64_t first = 0, end = axis->out, divisor, in, out;

    if (axis->taps == 0 || axis->taps > GF_RESIZE_CHUNK)     /* without taps, the axis may have no lengths */
        return false;
    if (!gf_resize_period_is_short(axis))
        return false;
    divisor = gf_common_divisor(axis->in, axis->out);
    in = axis->in / divisor;
    out = axis->out / divisor;
    while (first + out < end && first <= EDGE && !repeats(axis, entries, (int)in, (int)out, first))
        first++;
    while (end - out > first && axis->out - end <= EDGE && !repeats(axis, entries, (int)in, (int)out, end - out - 1))
        end--;
    first = gf_ceil_div(first, out) * out;
    *p = (struct gf_resize_period) { (int)in, (int)out, first, (end - first) / out };
    return p->periods > 1 && fits_edge(axis, entries, 0, first)
           && fits_edge(axis, entries, first + p->periods * out, axis->out);
}

/* ---- tiles ---- */

/*
 * Some columns: outputs [from, to), of which n periods from `start` on repeat, and their inputs. A line has pixels of
 * `unit` samples: one channel, or all of them.
 */
struct tile {
    int64_t from, to, start, n;
    int64_t left, inputs;
    int unit, lines;                     /* unit · lines are the channels */
    float *ring;                         /* rows of the source as floats, each in the place of its number */
    int64_t rows, pitch;                 /* places of the ring, or 0; samples of a line of it */
};

/* Returns true if both phases of each period are the sums of the same inputs, except for one at each end. */
static bool find_double(const struct gf_resize_rows *j, const struct gf_resize_period *p, struct gf_resize_double *d)
{
    const float *a = entry_at(&j->r->x, j->x_entries, p->first), *b = a + gf_resize_stride(&j->r->x);

    *d = (struct gf_resize_double) { a + GF_RESIZE_ENTRY, b + GF_RESIZE_ENTRY, (int)a[1], (float)j->dst.maxval,
                                     j->src.type == GF_U8 && j->src.maxval == 255 };
    return p->in == 1 && p->out == 2 && a[1] == b[1] && (int64_t)b[0] == (int64_t)a[0] + 1
           && (d->count == 2 || d->count == 4 || d->count == GF_RESIZE_DOUBLE_MOST);
}

/* Returns the most pixels of a tile, before or after, whose rows stay in a cache. */
static int64_t piece_of(const struct gf_resize *r, int channels)
{
    const int64_t most = RING / (channels * (r->y.taps > 0 ? r->y.taps : 1)) / 16 * 16;

    return most < 128 ? 128 : most > PIECE / channels ? PIECE / channels : most;
}

/* Returns the pixels of a row of the ring: a multiple of 16, so that lines are aligned. */
static int64_t ring_pixels(const struct gf_resize *r, int channels)
{
    return gf_round_up(piece_of(r, channels) + SPARE, 16);
}

size_t gf_resize_period_scratch(const struct gf_resize *r, int channels)
{
    return gf_padded_floats((size_t)(ring_pixels(r, channels) * channels * r->y.taps));
}

/* Returns true if rows of the source are read so often that it pays to keep them as floats. */
static bool is_ring_useful(const struct gf_resize_axis *axis)
{
    return (axis->taps - 1) * axis->out > REUSED * axis->in;
}

/* Makes the tile from period `at` on. Channels are separated if there are planes, or the two phases are joined. */
static struct tile make_tile(const struct gf_resize_rows *j, const struct gf_resize_period *p, int64_t at)
{
    const struct gf_resize_axis *axis = &j->r->x;
    const int64_t most = piece_of(j->r, j->channels) / (p->in > p->out ? p->in : p->out);
    struct gf_resize_double d;
    struct tile t = { .start = p->first + at * p->out, .n = p->periods - at < most ? p->periods - at : most,
                      .ring = j->ring, .rows = j->r->y.taps };

    t.unit = j->planes != NULL || find_double(j, p, &d) ? 1 : j->channels;
    t.lines = j->channels / t.unit;
    if (t.lines == 1 && !is_ring_useful(&j->r->y))
        t.rows = 0;
    t.pitch = ring_pixels(j->r, j->channels) * t.unit;
    t.from = at == 0 ? 0 : t.start;
    t.to = at + t.n == p->periods ? axis->out : t.start + t.n * p->out;
    t.left = (int64_t)entry_at(axis, j->x_entries, t.from)[0];
    t.inputs = end_of(axis, j->x_entries, t.to - 1) - t.left;
    return t;
}

/* Returns line c of a row of the source, as floats, from the first input of the tile on. */
static float *ring_at(const struct tile *t, int64_t row, int c)
{
    return t->ring + (row % t->rows * t->lines + c) * t->pitch;
}

/*
 * Asks for a row of the source: processors do not see that a tile reads a part of each row. gcc drops calls of
 * functions that do nothing else.
 */
GF_INLINE void prefetch(const struct tile *t, const struct gf_resize_rows *j, int64_t row)
{
    const int64_t first = (row - j->src.span.start) * j->src.pitch_samples + t->left * j->channels;
    const size_t sample = gf_type_bytes(j->src.type), bytes = (size_t)(t->inputs * j->channels) * sample;
    const char *at = (const char *)j->src.data + (size_t)first * sample;

    for (size_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(at + i);
}

/* Converts rows [from, to) of the source. */
static void fill_ring(const struct tile *t, const struct gf_resize_rows *j, int64_t from, int64_t to)
{
    for (int64_t row = from; row < to; row++) {
        float *line[GF_RESIZE_CHANNELS];

        if (row + AHEAD < j->src.span.end)
            prefetch(t, j, row + AHEAD);
        for (int c = 0; c < t->lines; c++)
            line[c] = ring_at(t, row, c);
        gf_resize_lines_widen(&j->src, t->lines, row, t->left * t->unit, t->inputs * t->unit, line);
    }
}

/* Returns the sums down the rows for line c of row y, in `sums` or where they are already. */
static const float *sum_down(const struct tile *t, const struct gf_resize_rows *j, int64_t y, int c, float *sums)
{
    const float *entry = entry_at(&j->r->y, j->y_entries, y), *line[GF_RESIZE_CHUNK];
    const int64_t first = (int64_t)entry[0];

    if (j->r->y.taps == 0)
        return gf_plane_at(&j->src, 0, y) + t->left;
    if (t->rows == 0) {
        gf_resize_rows_load(j, y, t->left * t->unit, t->inputs * t->unit, sums);
        return sums;
    }
    for (int i = 0; i < (int)entry[1]; i++)
        line[i] = j->src.type == GF_F32 ? gf_plane_at(&j->src, 0, first + i) + t->left : ring_at(t, first + i, c);
    gf_resize_lines_sum(line, entry + GF_RESIZE_ENTRY, (int)entry[1], j->scale, t->inputs * t->unit, sums);
    return sums;
}

/* Computes outputs [from, to) one by one, from the inputs of the tile. */
static void make_few(const struct tile *t, const struct gf_resize_rows *j, const float *inputs, int64_t from,
                     int64_t to, const struct gf_block *target)
{
    const struct gf_resize_few few = { entry_at(&j->r->x, j->x_entries, from), gf_resize_stride(&j->r->x),
                                       t->left, t->unit, (float)j->dst.maxval };

    gf_resize_few(&few, inputs, to - from, target->type,
                  (char *)target->data + (size_t)((from - t->from) * t->unit) * gf_type_bytes(target->type));
}

/* Computes the periods of the tile, whose first input is at `inputs`. */
static void sum_periods(const struct tile *t, const struct gf_resize_rows *j, const struct gf_resize_period *p,
                        const float *inputs, float *out)
{
    const struct gf_resize_axis *axis = &j->r->x;
    const int64_t begin = (int64_t)entry_at(axis, j->x_entries, t->start)[0], n = t->n * t->unit;
    const int64_t count = end_of(axis, j->x_entries, t->start + t->n * p->out - 1) - begin;
    const int64_t pitch = gf_ceil_div(count, p->in) * t->unit;
    _Alignas(64) float taken[LINE + LONGEST * GF_RESIZE_CHANNELS], sums[PIECE];
    const float *lines = p->in > 1 ? taken : inputs, *line[GF_RESIZE_CHUNK];

    for (int q = 0; q < p->in && p->in > 1; q++)
        gf_resize_lines_take(inputs + q * t->unit, p->in, gf_ceil_div(count - q, p->in), t->unit, taken + q * pitch);
    for (int k = 0; k < p->out; k++) {
        const float *entry = entry_at(axis, j->x_entries, t->start + k);
        const int64_t ahead = (int64_t)entry[0] - begin;

        for (int i = 0; i < (int)entry[1]; i++)
            line[i] = lines + (ahead + i) % p->in * pitch + (ahead + i) / p->in * t->unit;
        gf_resize_lines_sum(line, entry + GF_RESIZE_ENTRY, (int)entry[1], 1.0f, n, p->out > 1 ? sums + k * n : out);
    }
    if (p->out > 1)
        gf_resize_lines_join(sums, n, p->out, t->n, t->unit, out);
}

/* Computes one line of a row of the tile from its sums down the rows. */
static void make_line(const struct tile *t, const struct gf_resize_rows *j, const struct gf_resize_period *p,
                      const float *inputs, const struct gf_block *to)
{
    const int64_t n = t->n * p->out, at = (t->start - t->from) * t->unit;
    const float *begin = inputs + ((int64_t)entry_at(&j->r->x, j->x_entries, t->start)[0] - t->left) * t->unit;
    struct gf_resize_double d;
    float own[PIECE];
    const float *row = own;

    make_few(t, j, inputs, t->from, t->start, to);
    make_few(t, j, inputs, t->start + n, t->to, to);
    if (find_double(j, p, &d)) {
        if (to->type == GF_U8)
            gf_resize_double_bytes(&d, begin, t->n, (uint8_t *)to->data + at);
        else if (to->type == GF_U16)
            gf_resize_double_words(&d, begin, t->n, (uint16_t *)to->data + at);
        else
            gf_resize_double_floats(&d, begin, t->n, (float *)to->data + at);
    } else if (to->type == GF_F32) {
        sum_periods(t, j, p, begin, (float *)to->data + at);
    } else {
        sum_periods(t, j, p, begin, own);
        gf_store_pixels(to, 0, at, n * t->unit, &row);
    }
}

/* Lines of channels that are interleaved in the result, OUTS / channels samples each. */
union lines {
    uint8_t bytes[OUTS];
    uint16_t words[OUTS];
    float floats[OUTS];
};

/* Returns the address of output t->from of row y in packed samples. */
static void *packed_at(const struct tile *t, const struct gf_resize_rows *j, int64_t y)
{
    return (char *)j->dst.data + (size_t)((y - j->dst.span.start) * j->dst.pitch_samples + t->from * j->channels)
                                 * gf_type_bytes(j->dst.type);
}

/* Returns where line c of row y goes: to the result, or to `lines`. */
static struct gf_block target_of(const struct tile *t, const struct gf_resize_rows *j, int64_t y, int c,
                                 union lines *lines)
{
    struct gf_block to = j->dst;

    to.span = (struct gf_span) { 0, 1 };
    to.planar = false;
    if (j->planes != NULL) {
        to.type = GF_F32;
        to.data = gf_plane_at(j->planes, c, y) + t->from;
    } else if (t->lines == 1) {
        to.data = packed_at(t, j, y);
    } else if (to.type == GF_U8) {
        to.data = lines->bytes + c * (OUTS / t->lines);
    } else if (to.type == GF_U16 && j->channels == 3) {
        to.data = lines->words + c * (OUTS / t->lines);
    } else {
        to.type = GF_F32;
        to.data = lines->floats + c * (OUTS / t->lines);
    }
    return to;
}

/* Stores lines of floats as pixels. */
static void store_floats(const struct gf_block *to, int64_t y, const struct tile *t, const float *lines)
{
    const float *row[GF_RESIZE_CHANNELS];

    for (int c = 0; c < t->lines; c++)
        row[c] = lines + c * (OUTS / t->lines);
    gf_store_pixels(to, y, t->from, t->to - t->from, row);
}

static void make_row(const struct tile *t, const struct gf_resize_rows *j, const struct gf_resize_period *p, int64_t y)
{
    struct gf_block pixels = j->dst;
    float sums[LINE];
    union lines lines;

    for (int c = 0; c < t->lines; c++) {
        const struct gf_block to = target_of(t, j, y, c, &lines);

        make_line(t, j, p, sum_down(t, j, y, c, sums), &to);
    }
    if (j->planes != NULL || t->lines == 1)
        return;
    pixels.channels = j->channels;
    if (j->dst.type == GF_U8)
        gf_resize_lines_join_bytes(lines.bytes, OUTS / t->lines, j->channels, t->to - t->from, packed_at(t, j, y));
    else if (j->dst.type == GF_U16 && j->channels == 3)
        gf_join_rgb_words(lines.words, lines.words + OUTS / 3, lines.words + OUTS / 3 * 2, t->to - t->from,
                          packed_at(t, j, y));
    else
        store_floats(&pixels, y, t, lines.floats);
}

/* Computes all rows of a tile, and keeps the rows of the source as floats. */
static void make_columns(const struct tile *t, const struct gf_resize_rows *j, const struct gf_resize_period *p,
                         struct gf_span out)
{
    int64_t row = 0;

    for (int64_t y = out.start; y < out.end; y++) {
        if (j->src.type != GF_F32) {
            const int64_t first = (int64_t)entry_at(&j->r->y, j->y_entries, y)[0];
            const int64_t end = end_of(&j->r->y, j->y_entries, y);

            fill_ring(t, j, row > first ? row : first, end);
            row = end;
        }
        make_row(t, j, p, y);
    }
}

/* Without a ring, rows of the source are read from end to end, which is faster. */
void gf_resize_period_rows(const struct gf_resize_rows *j, const struct gf_resize_period *p, struct gf_span out)
{
    struct tile t = make_tile(j, p, 0);

    if (t.rows > 0) {
        for (int64_t at = 0; at < p->periods; at += t.n) {
            t = make_tile(j, p, at);
            make_columns(&t, j, p, out);
        }
        return;
    }
    for (int64_t y = out.start; y < out.end; y++)
        for (int64_t at = 0; at < p->periods; at += t.n) {
            t = make_tile(j, p, at);
            make_row(&t, j, p, y);
        }
}
