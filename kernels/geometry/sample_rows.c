/*
 * Rows of samples at transformed positions on a CPU. Each row has parts: background, border, inside,
 * border, background.
 */
#include "kernels/geometry/sample_rows.h"

#include "kernels/base/block.h"
#include "kernels/base/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS GF_SAMPLE_ROWS
#define ROOM 73728                       /* bytes of the source of a tile, if it is copied */

static struct gf_sample_walk walk_of(const struct gf_sample_job *j, int64_t y)
{
    const struct gf_sample *s = j->s;

    return (struct gf_sample_walk) { s->cx + y * s->xy + j->round, s->cy + y * s->yy + j->round, s->xx, s->yx };
}

/* ---- offsets and fractions ---- */

GF_INLINE void find_walk(struct gf_sample_walk w, int64_t base_row, int64_t pitch, int32_t step, int64_t n, bool coarse,
                         int32_t *restrict at, float *restrict fx, float *restrict fy)
{
    const int32_t line = (int32_t)pitch;
    const int64_t y0 = w.y - base_row * (INT64_C(1) << GF_SAMPLE_ONE_BITS);

    for (int32_t i = 0; i < (int32_t)n; i++) {
        const uint64_t x = (uint64_t)(w.x + i * w.dx), y = (uint64_t)(y0 + i * w.dy);

        at[i] = (int32_t)(y >> GF_SAMPLE_ONE_BITS) * line + (int32_t)(x >> GF_SAMPLE_ONE_BITS) * step;
        fx[i] = gf_sample_fraction(x, coarse);
        fy[i] = gf_sample_fraction(y, coarse);
    }
}

/* Constants let the compiler make loops without branches. */
GF_CLONES
static void walk_spots(struct gf_sample_walk w, int64_t base_row, int64_t pitch, int32_t step, int64_t n, bool coarse,
                       int32_t *restrict at, float *restrict fx, float *restrict fy)
{
    if (coarse)
        find_walk(w, base_row, pitch, step, n, true, at, fx, fy);
    else if (step == 1)
        find_walk(w, base_row, pitch, 1, n, false, at, fx, fy);
    else
        find_walk(w, base_row, pitch, step, n, false, at, fx, fy);
}

void gf_sample_walk_spots(struct gf_sample_walk w, int64_t base_row, int64_t pitch, int32_t step, int64_t n,
                          bool coarse, int32_t *restrict at, float *restrict fx, float *restrict fy)
{
    walk_spots(w, base_row, pitch, step, n, coarse, at, fx, fy);
}

GF_INLINE void find_places(const struct gf_sample_places *restrict p, int64_t i, int64_t base_row, int64_t pitch,
                           int32_t step, int64_t n, bool coarse, int32_t *restrict at, float *restrict fx,
                           float *restrict fy)
{
    const int32_t line = (int32_t)pitch, first = (int32_t)base_row;
    const int32_t *restrict x = p->x.one + i, *restrict y = p->y.one + i;
    const int32_t *restrict u = p->fraction_x.one + i, *restrict v = p->fraction_y.one + i;

    for (int64_t k = 0; k < n; k++) {
        at[k] = ((y[k] >> 8) - first) * line + (x[k] >> 8) * step;
        fx[k] = coarse ? (float)(x[k] & 255) * 0x1p-8f : (float)u[k] * 0x1p-24f;
        fy[k] = coarse ? (float)(y[k] & 255) * 0x1p-8f : (float)v[k] * 0x1p-24f;
    }
}

GF_CLONES
static void place_spots(const struct gf_sample_places *p, int64_t i, int64_t base_row, int64_t pitch, int32_t step,
                        int64_t n, bool coarse, int32_t *restrict at, float *restrict fx, float *restrict fy)
{
    if (coarse)
        find_places(p, i, base_row, pitch, step, n, true, at, fx, fy);
    else if (step == 1)
        find_places(p, i, base_row, pitch, 1, n, false, at, fx, fy);
    else
        find_places(p, i, base_row, pitch, step, n, false, at, fx, fy);
}

void gf_sample_place_spots(const struct gf_sample_places *p, int64_t i, int64_t base_row, int64_t pitch, int32_t step,
                           int64_t n, bool coarse, int32_t *restrict at, float *restrict fx, float *restrict fy)
{
    place_spots(p, i, base_row, pitch, step, n, coarse, at, fx, fy);
}

/* ---- parts of rows ---- */

static int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t q = a / b;

    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

/* Narrows [*from, *to) to the pixels whose coordinate a + i·d is in cells [low, high). */
static void narrow(int64_t a, int64_t d, int64_t low, int64_t high, int64_t *from, int64_t *to)
{
    const int64_t lo = low * (INT64_C(1) << GF_SAMPLE_ONE_BITS) - a;         /* lo ≤ i·d < hi */
    const int64_t hi = high * (INT64_C(1) << GF_SAMPLE_ONE_BITS) - a;
    int64_t first, end;

    if (d == 0) {
        if (lo > 0 || hi <= 0)
            *to = *from;
        return;
    }
    if (d > 0) {
        first = -floor_divide(-lo, d);                       /* the smallest i with i·d ≥ lo */
        end = -floor_divide(-hi, d);                         /* the smallest i with i·d ≥ hi */
    } else {
        first = floor_divide(-hi, -d) + 1;                   /* the smallest i with i·(-d) > -hi */
        end = floor_divide(-lo, -d) + 1;                     /* the smallest i with i·(-d) > -lo */
    }
    first = first < *from ? *from : first > *to ? *to : first;   /* both may be far outside */
    end = end < first ? first : end > *to ? *to : end;
    *from = first;
    *to = end;
}

/* Returns a sample of planes, of packed floats or of packed bytes as a float. */
static float stored_at(const struct gf_block *b, int c, int64_t x, int64_t y)
{
    const int64_t at = (y - b->span.start) * b->pitch_samples + x * b->channels + c;
    const float one = (float)b->maxval;

    if (b->planar)
        return gf_plane_at(b, c, y)[x];
    if (b->type == GF_F32)
        return ((const float *)b->data)[at];
    return gf_unit_value((float)((const uint8_t *)b->data)[at], one, 1.0f / one);
}

/* Returns a source pixel at any position, or its replacement. */
static float fetch(const struct gf_sample_job *j, int c, int64_t x, int64_t y)
{
    const struct gf_sample *s = j->s;
    const bool inside = x >= 0 && x < j->columns && y >= 0 && y < j->rows;

    if (!inside) {
        if (s->use_background)
            return s->background[c];
        x = gf_border_index(s->border, x, j->columns);
        y = gf_border_index(s->border, y, j->rows);
        if (x < 0 || y < 0)
            return 0.0f;
    }
    return stored_at(j->src, c, x, y);
}

static float linear_at(const struct gf_sample_job *j, int c, int64_t x, int64_t y)
{
    const float fx = gf_sample_fraction((uint64_t)x, j->s->coarse), fy = gf_sample_fraction((uint64_t)y, j->s->coarse);
    const int64_t ix = gf_sample_cell(x), iy = gf_sample_cell(y);
    const float p00 = fetch(j, c, ix, iy), p01 = fetch(j, c, ix + 1, iy);
    const float p10 = fetch(j, c, ix, iy + 1), p11 = fetch(j, c, ix + 1, iy + 1);
    const float h0 = fmaf(fx, p01 - p00, p00), h1 = fmaf(fx, p11 - p10, p10);

    return fmaf(fy, h1 - h0, h0);
}

static float cubic_at(const struct gf_sample_job *j, int c, int64_t x, int64_t y)
{
    const int64_t ix = gf_sample_cell(x) - 1, iy = gf_sample_cell(y) - 1;
    float wx[4], wy[4], sum = 0.0f;

    gf_cubic_weights(gf_sample_fraction((uint64_t)x, false), wx);
    gf_cubic_weights(gf_sample_fraction((uint64_t)y, false), wy);
    for (int k = 0; k < 4; k++) {
        float row = 0.0f;

        for (int i = 0; i < 4; i++)
            row = fmaf(wx[i], fetch(j, c, ix + i, iy + k), row);
        sum = fmaf(wy[k], row, sum);
    }
    return sum;
}

float gf_sample_anywhere(const struct gf_sample_job *j, struct gf_sample_walk w, int c, int64_t i)
{
    const int64_t x = w.x + i * w.dx, y = w.y + i * w.dy;

    switch (j->s->interpolation) {
    case GF_NEAREST: return fetch(j, c, gf_sample_cell(x), gf_sample_cell(y));
    case GF_LINEAR: return linear_at(j, c, x, y);
    default: return cubic_at(j, c, x, y);
    }
}

void gf_sample_packed_border(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from,
                             int64_t to)
{
    for (int64_t x = from; x < to; x++) {
        float value[GF_SAMPLE_CHANNELS];
        const float *row[GF_SAMPLE_CHANNELS];

        for (int c = 0; c < j->src->channels; c++) {
            value[c] = gf_sample_anywhere(j, w, c, x);
            row[c] = &value[c];
        }
        gf_store_pixels(j->dst, y, x, 1, row);
    }
}

void gf_sample_packed_background(const struct gf_sample_job *j, struct gf_sample_walk w, int64_t y, int64_t from,
                                 int64_t to)
{
    (void)w;
    gf_repeat_item(gf_sample_pixel_at(j->dst, from, y), j->background,
                   (size_t)j->src->channels * gf_type_bytes(j->src->type), to - from);
}

/*
 * Parts of a row: [touch[0], touch[1]) may read the source, [inside[0], inside[1]) reads only the
 * source.
 */
struct reach {
    int64_t touch[2], inside[2];
};

static struct reach reach_of(const struct gf_sample_job *j, struct gf_sample_walk w)
{
    const int64_t b = gf_sample_before[j->s->interpolation], a = gf_sample_after[j->s->interpolation];
    struct reach r = { { 0, j->dst->width }, { 0, 0 } };

    if (j->s->use_background) {                              /* outside these, everything is background */
        narrow(w.x, w.dx, -a, j->columns + b, &r.touch[0], &r.touch[1]);
        narrow(w.y, w.dy, -a, j->rows + b, &r.touch[0], &r.touch[1]);
    }
    r.inside[0] = r.touch[0];
    r.inside[1] = r.touch[1];
    narrow(w.x, w.dx, b, j->columns - a - j->spare, &r.inside[0], &r.inside[1]);
    narrow(w.y, w.dy, b, j->rows - a, &r.inside[0], &r.inside[1]);
    return r;
}

/* Returns the inside pixels of a row in the columns of a tile. */
static struct gf_span part_of(const struct reach *r, struct gf_span x)
{
    return (struct gf_span) { x.start > r->inside[0] ? x.start : r->inside[0],
                              x.end < r->inside[1] ? x.end : r->inside[1] };
}

static void widen(struct gf_span *s, int64_t at)
{
    s->start = at < s->start ? at : s->start;
    s->end = at + 1 > s->end ? at + 1 : s->end;
}

/* ---- tiles ---- */

/* Returns the source that the inside pixels of a tile need, as columns and rows. */
static void find_source(const struct gf_sample_job *j, const struct reach *reach, struct gf_span x, struct gf_span y,
                        struct gf_span *columns, struct gf_span *rows)
{
    *columns = *rows = (struct gf_span) { INT64_MAX, INT64_MIN };
    for (int64_t row = y.start; row < y.end; row++) {
        const struct gf_sample_walk w = walk_of(j, row);
        const struct gf_span part = part_of(&reach[row - y.start], x);

        if (part.start >= part.end)
            continue;
        widen(columns, gf_sample_cell(w.x + part.start * w.dx));
        widen(columns, gf_sample_cell(w.x + (part.end - 1) * w.dx));
        widen(rows, gf_sample_cell(w.y + part.start * w.dy));
        widen(rows, gf_sample_cell(w.y + (part.end - 1) * w.dy));
    }
    columns->start -= gf_sample_before[j->s->interpolation];
    columns->end += gf_sample_after[j->s->interpolation] + j->spare;
    rows->start -= gf_sample_before[j->s->interpolation];
    rows->end += gf_sample_after[j->s->interpolation];
}

/*
 * Copies the source of a tile to `room`, without the gaps between its rows: pitches that are multiples of a page
 * would put all rows into the same few lines of the first-level cache. Returns false if it is too large, or empty.
 */
static bool copy_source(const struct gf_block *src, struct gf_span columns, struct gf_span rows, uint8_t *room,
                        struct gf_block *copy)
{
    const size_t pixel = gf_type_bytes(src->type) * (size_t)(src->planar ? 1 : src->channels);
    const size_t planes = src->planar ? (size_t)src->channels : 1;
    const uint8_t *from = src->data;
    int64_t width, units;
    size_t line;

    if (rows.start >= rows.end)
        return false;
    width = gf_span_units(columns);
    units = gf_span_units(rows);
    line = (size_t)width * pixel;
    if (planes * line * (size_t)units > ROOM)
        return false;
    *copy = *src;
    copy->data = room;
    copy->span = rows;
    copy->width = width;
    copy->pitch_samples = width * (src->planar ? 1 : src->channels);
    copy->plane_samples = width * units;
    for (size_t c = 0; c < planes; c++)
        for (int64_t y = rows.start; y < rows.end; y++, room += line)
            memcpy(room, from + (c * (size_t)src->plane_samples + (size_t)((y - src->span.start) * src->pitch_samples))
                   * gf_type_bytes(src->type) + (size_t)columns.start * pixel, line);
    return true;
}

/*
 * Returns true if the source of a whole tile fits in the room, and rows of the result do not stay on few rows of the
 * source.
 */
static bool may_copy(const struct gf_sample_job *j, int64_t width, int64_t rows)
{
    const struct gf_sample *s = j->s;
    const int64_t columns = gf_sample_cell(llabs(s->xx) * width + llabs(s->xy) * rows);
    const int64_t units = gf_sample_cell(llabs(s->yx) * width + llabs(s->yy) * rows);

    return gf_sample_is_steep(s)
        && columns * units * j->src->channels * (int64_t)gf_type_bytes(j->src->type) < ROOM;
}

/* Computes the inside pixels of a tile. */
static void sample_tile(const struct gf_sample_job *j, const struct gf_sample_parts *parts, const struct reach *reach,
                        struct gf_span x, struct gf_span y)
{
    _Alignas(64) uint8_t room[ROOM];
    struct gf_sample_job near = *j;
    struct gf_span columns, rows;
    struct gf_block copy;
    int64_t left = 0;

    if (may_copy(j, gf_span_units(x), gf_span_units(y))) {
        find_source(j, reach, x, y, &columns, &rows);
        if (copy_source(j->src, columns, rows, room, &copy)) {
            near.src = &copy;
            left = columns.start * (INT64_C(1) << GF_SAMPLE_ONE_BITS);
        }
    }
    for (int64_t row = y.start; row < y.end; row++) {
        const struct gf_span part = part_of(&reach[row - y.start], x);
        struct gf_sample_walk w = walk_of(j, row);

        w.x -= left;
        if (row + 1 < y.end && !j->dst->planar)              /* no processor foresees the next row */
            gf_sample_fetch(gf_sample_pixel_at(j->dst, x.start, row + 1),
                            gf_sample_pixel_at(j->dst, x.end < j->dst->width ? x.end : j->dst->width, row + 1), true);
        if (part.start < part.end)
            parts->inside(&near, w, row, part.start, part.end);
    }
}

/* Computes the inside pixels of rows in tiles whose source can be copied, or else in tiles of a piece's width. */
static void sample_tiles(const struct gf_sample_job *j, const struct gf_sample_parts *parts, const struct reach *reach,
                         struct gf_span rows)
{
    int64_t width = GF_SAMPLE_PIECE, units = gf_span_units(rows);

    for (int64_t w = width, u = units; w >= GF_SAMPLE_PIECE / 4 && u > 0; w /= 2, u /= 2)
        if (may_copy(j, w, u)) {
            width = w, units = u;
            break;
        }
    for (int64_t y = rows.start; y < rows.end; y += units)
        for (int64_t x = 0; x < j->dst->width; x += width)
            sample_tile(j, parts, &reach[y - rows.start], (struct gf_span) { x, x + width },
                        (struct gf_span) { y, y + units < rows.end ? y + units : rows.end });
}

/*
 * Computes a few rows and a few columns at a time: neighboring rows read the same source while it
 * is in the first-level cache. The columns begin at multiples of a piece for any rows.
 */
static void sample_band(const struct gf_sample_job *j, const struct gf_sample_parts *parts, struct gf_span rows)
{
    struct reach reach[ROWS];

    for (int64_t y = rows.start; y < rows.end; y++) {
        const struct gf_sample_walk w = walk_of(j, y);
        const struct reach r = reach[y - rows.start] = reach_of(j, w);

        parts->background(j, w, y, 0, r.touch[0]);
        parts->border(j, w, y, r.touch[0], r.inside[0]);
        parts->border(j, w, y, r.inside[1], r.touch[1]);
        parts->background(j, w, y, r.touch[1], j->dst->width);
    }
    sample_tiles(j, parts, reach, rows);
}

struct gf_sample_job gf_sample_job_of(const struct gf_sample *s, const struct gf_io *io, const struct gf_block *src,
                                      const struct gf_block *dst)
{
    struct gf_sample_job j = { .s = s, .src = src, .dst = dst, .columns = io->src.width, .rows = io->src_units };

    if (s->interpolation == GF_NEAREST)
        j.round = INT64_C(1) << (GF_SAMPLE_ONE_BITS - 1);
    else if (s->interpolation == GF_LINEAR && s->coarse)
        j.round = INT64_C(1) << (GF_SAMPLE_ONE_BITS - 9);
    return j;
}

void gf_sample_rows(const struct gf_sample_job *j, const struct gf_sample_parts *parts, int64_t from, int64_t to)
{
    for (int64_t y = from; y < to; y += ROWS)
        sample_band(j, parts, (struct gf_span) { y, y + ROWS < to ? y + ROWS : to });
}
