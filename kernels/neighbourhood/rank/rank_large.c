/*
 * Medians of large squares. Bytes: a histogram for each column, added up as the square moves
 * (Perreault and Hébert), so that the size does not matter. Other types: the samples of a tile are
 * sorted, and a square is a set of positions in that order (Weiss's ordinals), which takes time
 * proportional to the side.
 */
#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/neighbourhood/rank/rank_rows.h"

#include <string.h>

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- bytes ---- */

/* pixels of the result whose columns are counted at a time, so that they stay in the second-level cache */
#define STRIPE 192
#define COARSE 16
#define COLUMN (COARSE + 256)            /* counts of the upper four bits, then of all eight */

/* Counts of the current square; fine ones are updated only when they are needed. */
struct square {
    uint16_t coarse[COARSE];
    uint16_t fine[COARSE][COARSE];
    int64_t at[COARSE];                  /* first column that fine[k] counts */
};

GF_INLINE void add16(uint16_t *restrict to, const uint16_t *restrict from)
{
    for (int i = 0; i < COARSE; i++)
        to[i] = (uint16_t)(to[i] + from[i]);
}

GF_INLINE void slide16(uint16_t *restrict to, const uint16_t *restrict come, const uint16_t *restrict go)
{
    for (int i = 0; i < COARSE; i++)
        to[i] = (uint16_t)(to[i] + come[i] - go[i]);
}

/* Updates fine[k] to the square whose first column is x: by sliding, or from scratch if that is shorter. */
GF_INLINE void refine(struct square *s, const uint16_t *columns, int k, int64_t x, int side)
{
    const uint16_t *fine = columns + COARSE + k * COARSE;

    if (x - s->at[k] >= side / 2) {
        memset(s->fine[k], 0, sizeof s->fine[k]);
        for (int64_t i = x; i < x + side; i++)
            add16(s->fine[k], fine + i * COLUMN);
    } else {
        for (int64_t i = s->at[k]; i < x; i++)
            slide16(s->fine[k], fine + (i + side) * COLUMN, fine + i * COLUMN);
    }
    s->at[k] = x;
}

/*
 * Returns the first of 16 counts at which their sum passes `half`, and subtracts the sum of the
 * counts below it.
 */
GF_INLINE int passing(const uint16_t *counts, int *half)
{
    int k = 0;

    while (*half >= counts[k] && k < COARSE - 1)
        *half -= counts[k++];
    return k;
}

/* Computes a row of the result from the counts of the columns. */
GF_CLONES
static void middle_row(const uint16_t *columns, uint8_t *to, int step, int64_t n, int side)
{
    struct square s;

    memset(&s.coarse, 0, sizeof s.coarse);
    for (int k = 0; k < COARSE; k++)
        s.at[k] = -side;
    for (int i = 0; i < side - 1; i++)
        add16(s.coarse, columns + i * COLUMN);
    for (int64_t x = 0; x < n; x++) {
        int half = side * side / 2, k;

        add16(s.coarse, columns + (x + side - 1) * COLUMN);
        k = passing(s.coarse, &half);
        refine(&s, columns, k, x, side);
        to[x * step] = (uint8_t)(k * COARSE + passing(s.fine[k], &half));
        for (int i = 0; i < COARSE; i++)
            s.coarse[i] = (uint16_t)(s.coarse[i] - columns[x * COLUMN + i]);
    }
}

static void count_row(uint16_t *columns, const uint8_t *row, int step, int64_t n, int by)
{
    for (int64_t x = 0; x < n; x++) {
        const uint8_t v = row[x * step];
        uint16_t *c = columns + x * COLUMN;

        c[v >> 4] = (uint16_t)(c[v >> 4] + by);
        c[COARSE + v] = (uint16_t)(c[COARSE + v] + by);
    }
}

size_t gf_rank_count_scratch(const struct gf_rank_rows *r)
{
    return (size_t)(STRIPE + 2 * r->radius) * COLUMN * sizeof(uint16_t);
}

void gf_rank_count(const struct gf_rank_rows *r)
{
    const int side = 2 * r->radius + 1;
    const int64_t pixels = r->length / r->step;
    uint16_t *columns = r->scratch;

    for (int64_t x = 0; x < pixels; x += STRIPE)
        for (int c = r->first; c < r->end; c++) {
            const int64_t n = smaller(STRIPE, pixels - x), wide = n + 2 * r->radius;
            const uint8_t *in = (const uint8_t *)r->in + x * r->step + c;
            uint8_t *out = (uint8_t *)r->out + x * r->step + c;

            memset(columns, 0, (size_t)wide * COLUMN * sizeof *columns);
            for (int k = 0; k < side - 1; k++)
                count_row(columns, in + k * r->pitch, r->step, wide, 1);
            for (int64_t y = 0; y < r->rows; y++) {
                count_row(columns, in + (y + side - 1) * r->pitch, r->step, wide, 1);
                middle_row(columns, out + y * r->out_pitch, r->step, n, side);
                count_row(columns, in + y * r->pitch, r->step, wide, -1);
            }
        }
}

/* ---- other types ---- */

#define TILE 128                         /* pixels of the result across a tile */
#define DIGIT 2048                       /* sorts 11 bits at a time */

struct entry {
    uint32_t key, place;
};

/* A tile: the order of its samples, and those in the square. */
struct tile {
    uint32_t *order;                     /* position of each sample in that order, row by row */
    struct entry *sorted, *other;
    uint64_t *held;                      /* a bit for each sample in the square, in that order */
    int64_t width, samples;
    /* the word with the last median, and the number of samples of the square in words before it */
    int64_t word, below;
};

static uint32_t key_at(const struct gf_rank_rows *r, int64_t i)
{
    if (r->bytes == 2)
        return ((const uint16_t *)r->in)[i];
    return (uint32_t)((const int32_t *)r->in)[i] ^ 0x80000000u;
}

/* Sorts entries by their keys, digit by digit. */
static void sort_entries(struct tile *t, int bits)
{
    for (int shift = 0; shift < bits; shift += 11) {
        uint32_t counts[DIGIT] = { 0 }, sum = 0;
        struct entry *swap = t->sorted;

        for (int64_t i = 0; i < t->samples; i++)
            counts[t->sorted[i].key >> shift & (DIGIT - 1)]++;
        for (int d = 0; d < DIGIT; d++) {
            const uint32_t n = counts[d];

            counts[d] = sum;
            sum += n;
        }
        for (int64_t i = 0; i < t->samples; i++)
            t->other[counts[t->sorted[i].key >> shift & (DIGIT - 1)]++] = t->sorted[i];
        t->sorted = t->other;
        t->other = swap;
    }
}

/* Sorts `wide` by `high` samples of channel c from column x on; the square is empty. */
static void open_tile(const struct gf_rank_rows *r, struct tile *t, int64_t x, int c, int64_t wide, int64_t high)
{
    t->width = wide;
    t->samples = wide * high;
    for (int64_t y = 0; y < high; y++)
        for (int64_t i = 0; i < wide; i++)
            t->sorted[y * wide + i] = (struct entry) { key_at(r, y * r->pitch + (x + i) * r->step + c),
                                                       (uint32_t)(y * wide + i) };
    sort_entries(t, r->bytes == 2 ? 16 : 32);
    for (int64_t i = 0; i < t->samples; i++)
        t->order[t->sorted[i].place] = (uint32_t)i;
    memset(t->held, 0, (size_t)(t->samples / 64 + 1) * sizeof *t->held);
    t->word = t->below = 0;
}

/* Adds or removes `n` samples that are `stride` apart. */
static void flip_samples(struct tile *t, int64_t at, int64_t stride, int n, int by)
{
    for (int i = 0; i < n; i++) {
        const uint32_t o = t->order[at + i * stride];

        t->held[o / 64] ^= UINT64_C(1) << o % 64;
        t->below += (int64_t)(o / 64) < t->word ? by : 0;
    }
}

/* Returns the key of the sample in the square that has `half` others before it. */
static uint32_t middle_key(struct tile *t, int64_t half)
{
    uint64_t bits;

    while (t->below > half)
        t->below -= __builtin_popcountll(t->held[--t->word]);
    while (t->below + __builtin_popcountll(t->held[t->word]) <= half)
        t->below += __builtin_popcountll(t->held[t->word++]);
    bits = t->held[t->word];
    for (int64_t i = t->below; i < half; i++)
        bits &= bits - 1;
    return t->sorted[t->word * 64 + __builtin_ctzll(bits)].key;
}

/* The square moves right, one row down, left, and so on: each step changes one side of it. */
static void sweep_tile(const struct gf_rank_rows *r, struct tile *t, int64_t x, int c)
{
    const int side = 2 * r->radius + 1;
    const int64_t n = t->width - 2 * r->radius, w = t->width;
    int64_t i = 0;

    for (int k = 0; k < side; k++)
        flip_samples(t, k * w, 1, side, 1);
    for (int64_t y = 0; y < r->rows; y++) {
        for (int64_t k = 0; k < n; k++) {
            const int64_t to = y * r->out_pitch + (x + i) * r->step + c;
            const uint32_t key = middle_key(t, side * side / 2);

            if (r->bytes == 2)
                ((uint16_t *)r->out)[to] = (uint16_t)key;
            else
                ((int32_t *)r->out)[to] = (int32_t)(key ^ 0x80000000u);
            if (k == n - 1)
                break;
            flip_samples(t, y * w + (y % 2 ? i + side - 1 : i), w, side, -1);
            flip_samples(t, y * w + (y % 2 ? i - 1 : i + side), w, side, 1);
            i += y % 2 ? -1 : 1;
        }
        if (y == r->rows - 1)
            break;
        flip_samples(t, y * w + i, 1, side, -1);
        flip_samples(t, (y + side) * w + i, 1, side, 1);
    }
}

static size_t tile_samples(const struct gf_rank_rows *r)
{
    return (size_t)((TILE + 2 * r->radius) * (r->rows + 2 * r->radius));
}

size_t gf_rank_ordinals_scratch(const struct gf_rank_rows *r)
{
    const size_t n = tile_samples(r);

    return gf_padded_bytes(n * sizeof(uint32_t)) + 2 * gf_padded_bytes(n * sizeof(struct entry)) + n / 8 + 64;
}

void gf_rank_ordinals(const struct gf_rank_rows *r)
{
    const size_t n = tile_samples(r);
    char *at = r->scratch;
    struct tile t = { .order = (uint32_t *)(void *)at };

    at += gf_padded_bytes(n * sizeof(uint32_t));
    t.sorted = (struct entry *)(void *)at;
    at += gf_padded_bytes(n * sizeof(struct entry));
    t.other = (struct entry *)(void *)at;
    at += gf_padded_bytes(n * sizeof(struct entry));
    t.held = (uint64_t *)(void *)at;
    for (int64_t x = 0; x < r->length / r->step; x += TILE)
        for (int c = r->first; c < r->end; c++) {
            open_tile(r, &t, x, c, smaller(TILE, r->length / r->step - x) + 2 * r->radius, r->rows + 2 * r->radius);
            sweep_tile(r, &t, x, c);
        }
}
