/*
 * Rows of samples at transformed positions on a CPU. Each row has parts: background, border, inside,
 * border, background.
 */
#include "kernels/geometry/sample_rows.h"

#include "kernels/base/block.h"
#include "kernels/base/pack.h"

#include <math.h>

#define ROWS 32                          /* rows that share what they loaded */

static struct gf_sample_walk walk_of(const struct gf_sample_job *j, int64_t y)
{
    const struct gf_sample *s = j->s;

    return (struct gf_sample_walk) { s->cx + y * s->xy + j->round, s->cy + y * s->yy + j->round, s->xx, s->yx };
}

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

/* Returns a sample of planes or of packed bytes as a float. */
static float stored_at(const struct gf_block *b, int c, int64_t x, int64_t y)
{
    const float one = (float)b->maxval;

    if (b->planar)
        return gf_plane_at(b, c, y)[x];
    return gf_unit_value((float)((const uint8_t *)b->data)[(y - b->span.start) * b->pitch_samples + x * b->channels + c],
                         one, 1.0f / one);
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

/*
 * Parts of a row: [touch[0], touch[1]) may read the source, [inside[0], inside[1]) reads only the
 * source.
 */
struct reach {
    int64_t touch[2], inside[2];
};

static struct reach reach_of(const struct gf_sample_job *j, struct gf_sample_walk w)
{
    static const int64_t before[] = { [GF_NEAREST] = 0, [GF_LINEAR] = 0, [GF_CUBIC] = 1 };
    static const int64_t after[] = { [GF_NEAREST] = 0, [GF_LINEAR] = 1, [GF_CUBIC] = 2 };
    const int64_t b = before[j->s->interpolation], a = after[j->s->interpolation];
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

/*
 * Computes a few rows and a few columns at a time: neighboring rows read the same source while it
 * is in the first-level cache. The columns begin at multiples of a piece for any rows.
 */
static void sample_band(const struct gf_sample_job *j, const struct gf_sample_parts *parts, int64_t from, int64_t to)
{
    struct reach reach[ROWS];

    for (int64_t y = from; y < to; y++) {
        const struct gf_sample_walk w = walk_of(j, y);
        const struct reach r = reach[y - from] = reach_of(j, w);

        parts->background(j, w, y, 0, r.touch[0]);
        parts->border(j, w, y, r.touch[0], r.inside[0]);
        parts->border(j, w, y, r.inside[1], r.touch[1]);
        parts->background(j, w, y, r.touch[1], j->dst->width);
    }
    for (int64_t x = 0; x < j->dst->width; x += GF_SAMPLE_PIECE)
        for (int64_t y = from; y < to; y++) {
            const struct reach *r = &reach[y - from];
            const int64_t end = x + GF_SAMPLE_PIECE;
            const int64_t first = x > r->inside[0] ? x : r->inside[0], last = end < r->inside[1] ? end : r->inside[1];

            if (first < last)
                parts->inside(j, walk_of(j, y), y, first, last);
        }
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
        sample_band(j, parts, y, y + ROWS < to ? y + ROWS : to);
}
