/* Rows of extremes of squares: finds the rows under the squares, and goes down the columns, then along each row. */
#include "kernels/neighbourhood/rank/rank_squares.h"

#include "base/clones.h"

#include <string.h>

#define LEAST_ROWS 16                    /* together, so that small squares compute few keys again */

GF_CLONES
static void keys_of_row(const float *restrict from, int32_t *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;

        memcpy(&bits, &from[i], sizeof bits);
        to[i] = gf_rank_key(bits);
    }
}

GF_CLONES
static void floats_of_row(const int32_t *restrict from, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const uint32_t bits = gf_rank_bits(from[i]);

        memcpy(&to[i], &bits, sizeof bits);
    }
}

void gf_rank_keys(const float *from, int32_t *to, int64_t n)
{
    keys_of_row(from, to, n);
}

void gf_rank_floats(const int32_t *from, float *to, int64_t n)
{
    floats_of_row(from, to, n);
}

int64_t gf_rank_block_rows(int radius)
{
    return radius > LEAST_ROWS / 2 ? 2 * radius + 1 : LEAST_ROWS;
}

size_t gf_rank_row_bytes(int bytes, int step, int radius, int64_t width)
{
    return gf_padded_bytes((size_t)((width + 2 * (int64_t)radius) * step * bytes));
}

/* Rows: those picked, zeros, one that becomes floats, two between; for floats also keys. */
size_t gf_rank_squares_scratch(int bytes, int step, int radius, int64_t width)
{
    const int64_t rows = gf_rank_block_rows(radius), keys = bytes == (int)sizeof(int32_t) ? rows + 2 * radius : 0;

    return (size_t)(rows + 4 + keys) * gf_rank_row_bytes(bytes, step, radius, width) + GF_RANK_RUNNING;
}

void gf_rank_squares_open(struct gf_rank_squares *s, void *scratch)
{
    const struct gf_rank_window *w = &s->w;
    char *at = scratch;

    s->block_rows = gf_rank_block_rows(w->radius);
    s->row_bytes = gf_rank_row_bytes(w->bytes, w->step, w->radius, s->src->width);
    s->keyed = INT64_MIN;
    s->running = at;
    s->zeros = at + GF_RANK_RUNNING;
    s->made = s->zeros + s->row_bytes;
    s->between[0] = s->made + s->row_bytes;
    s->between[1] = s->made + 2 * s->row_bytes;
    s->picked = s->made + 3 * s->row_bytes;
    s->keys = (int32_t *)(void *)(s->picked + (size_t)s->block_rows * s->row_bytes);
    memset(s->zeros, 0, s->row_bytes);                   /* the key of 0 is 0, too */
}

void gf_rank_fill_ends(const struct gf_rank_window *w, enum gf_border border, void *padded)
{
    const size_t pixel = (size_t)(w->step * w->bytes);
    const int64_t width = w->length / w->step;
    char *row = padded, *inside = row + (size_t)w->radius * pixel;

    gf_border_copy(inside, width, pixel, border, -w->radius, w->radius, row);
    gf_border_copy(inside, width, pixel, border, width, w->radius, inside + (size_t)width * pixel);
}

/* Returns row y, or what replaces it, of keys or as stored. */
static const void *row_at(struct gf_rank_squares *s, int64_t y)
{
    const struct gf_rank_window *w = &s->w;
    const int64_t at = gf_border_index(s->border, y, s->units);
    int32_t *keys;

    if (at < 0)
        return s->zeros;
    if (w->bytes < (int)sizeof(int32_t))
        return gf_packed_row(s->src, at);
    keys = s->keys + gf_modulo(y, s->block_rows + 2 * w->radius) * (int64_t)(s->row_bytes / sizeof *keys);
    if (y >= s->keyed)
        keys_of_row(gf_plane_at(s->src, s->channel, at), keys, w->length);
    return keys;
}

void gf_rank_squares_make(struct gf_rank_squares *s, int64_t y, int64_t rows, void *const *to)
{
    const struct gf_rank_window *w = &s->w;
    const size_t edge = (size_t)(w->radius * w->step * w->bytes);
    const int64_t first = y - w->radius, end = y + rows + w->radius;
    const void *in[2 * GF_RANK_BLOCK_ROWS];
    void *picked[GF_RANK_BLOCK_ROWS];

    if (s->keyed < first || s->keyed > end)
        s->keyed = first;
    for (int64_t k = first; k < end; k++)
        in[k - first] = row_at(s, k);
    s->keyed = end;
    for (int64_t i = 0; i < rows; i++)
        picked[i] = s->picked + (size_t)i * s->row_bytes + edge;
    gf_rank_down(w, picked, in, rows, w->length, s->running);
    for (int64_t i = 0; i < rows; i++) {
        gf_rank_fill_ends(w, s->border, (char *)picked[i] - edge);
        gf_rank_along(w, s->to_floats ? s->made : to[i], (char *)picked[i] - edge, s->between);
        if (s->to_floats)
            floats_of_row((const int32_t *)(void *)s->made, to[i], w->length);
    }
}
