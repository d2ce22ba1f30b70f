/*
 * Minimum or maximum of a square: down the columns by the method of van Herk, Gil and Werman, with
 * three comparisons a sample for any size, then along the rows by windows that double.
 */
#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/neighbourhood/rank/rank_rows.h"

#include <string.h>

#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define MORE(a, b) ((a) > (b) ? (a) : (b))

/* to = min or max of a and b, or of `to` and a. */
#define PICKS(name, ctype)                                                                                       \
    GF_CLONES                                                                                                    \
    static void pick_##name(ctype *restrict to, const ctype *restrict a, const ctype *restrict b, int64_t n,     \
                            bool greatest)                                                                       \
    {                                                                                                            \
        if (greatest)                                                                                            \
            for (int64_t i = 0; i < n; i++)                                                                      \
                to[i] = MORE(a[i], b[i]);                                                                        \
        else                                                                                                     \
            for (int64_t i = 0; i < n; i++)                                                                      \
                to[i] = LESS(a[i], b[i]);                                                                        \
    }                                                                                                            \
    GF_CLONES                                                                                                    \
    static void fold_##name(ctype *restrict to, const ctype *restrict a, int64_t n, bool greatest)                \
    {                                                                                                            \
        if (greatest)                                                                                            \
            for (int64_t i = 0; i < n; i++)                                                                      \
                to[i] = MORE(to[i], a[i]);                                                                       \
        else                                                                                                     \
            for (int64_t i = 0; i < n; i++)                                                                      \
                to[i] = LESS(to[i], a[i]);                                                                       \
    }
PICKS(u8, uint8_t)
PICKS(u16, uint16_t)
PICKS(key, int32_t)
#undef PICKS

static void pick(const struct gf_rank_rows *r, void *to, const void *a, const void *b, int64_t n, bool greatest)
{
    switch (r->bytes) {
    case 1: pick_u8(to, a, b, n, greatest); break;
    case 2: pick_u16(to, a, b, n, greatest); break;
    default: pick_key(to, a, b, n, greatest); break;
    }
}

static void fold(const struct gf_rank_rows *r, void *to, const void *a, int64_t n, bool greatest)
{
    switch (r->bytes) {
    case 1: fold_u8(to, a, n, greatest); break;
    case 2: fold_u16(to, a, n, greatest); break;
    default: fold_key(to, a, n, greatest); break;
    }
}

static int64_t padded(const struct gf_rank_rows *r)
{
    return r->length + 2 * (int64_t)r->radius * r->step;
}

/* Scratch: extremes down the columns, a row of running extremes, two rows for doubling. */
size_t gf_rank_extremes_scratch(const struct gf_rank_rows *r)
{
    return (size_t)(r->rows + 3) * gf_padded_bytes((size_t)padded(r) * (size_t)r->bytes);
}

/*
 * Computes rows [from, from + n) of the result, where n is at most the side of the square. Row i
 * covers rows i to side - 1 of those from `from` on, accumulated upwards, and rows side to side + i
 * - 1, accumulated downwards.
 */
static void down(const struct gf_rank_rows *r, char *to, char *running, size_t row, int64_t from, int64_t n,
                 bool greatest)
{
    const size_t pitch = (size_t)r->pitch * (size_t)r->bytes;
    const char *in = (const char *)r->in + (size_t)from * pitch;
    const int64_t side = 2 * (int64_t)r->radius + 1, length = padded(r);

    memcpy(to + (size_t)(n - 1) * row, in + (size_t)(side - 1) * pitch, (size_t)length * (size_t)r->bytes);
    for (int64_t k = side - 2; k >= n - 1; k--)
        fold(r, to + (size_t)(n - 1) * row, in + (size_t)k * pitch, length, greatest);
    for (int64_t k = n - 2; k >= 0; k--)
        pick(r, to + (size_t)k * row, to + (size_t)(k + 1) * row, in + (size_t)k * pitch, length, greatest);
    for (int64_t i = 1; i < n; i++) {
        const char *next = in + (size_t)(side + i - 1) * pitch;

        if (i == 1)
            memcpy(running, next, (size_t)length * (size_t)r->bytes);
        else
            fold(r, running, next, length, greatest);
        fold(r, to + (size_t)i * row, running, length, greatest);
    }
}

/* Computes one row: extremes of 1, 2, 4… neighbors, then of two overlapping windows of the last kind. */
static void along(const struct gf_rank_rows *r, const char *from, char *const *between, char *to, bool greatest)
{
    const int64_t side = 2 * (int64_t)r->radius + 1, unit = r->step;
    const size_t bytes = (size_t)r->bytes;
    int64_t have = 1;

    for (int k = 0; 2 * have <= side; have *= 2, k ^= 1) {
        pick(r, between[k], from, from + (size_t)(have * unit) * bytes, padded(r) - (2 * have - 1) * unit, greatest);
        from = between[k];
    }
    pick(r, to, from, from + (size_t)((side - have) * unit) * bytes, r->length, greatest);
}

void gf_rank_extremes(const struct gf_rank_rows *r, bool greatest)
{
    const size_t row = gf_padded_bytes((size_t)padded(r) * (size_t)r->bytes);
    const int64_t side = 2 * (int64_t)r->radius + 1;
    char *picked = r->scratch, *running = picked + (size_t)r->rows * row;
    char *const between[2] = { running + row, running + 2 * row };

    for (int64_t y = 0; y < r->rows; y += side)
        down(r, picked + (size_t)y * row, running, row, y, r->rows - y < side ? r->rows - y : side, greatest);
    for (int64_t y = 0; y < r->rows; y++)
        along(r, picked + (size_t)y * row, between,
              (char *)r->out + (size_t)(y * r->out_pitch) * (size_t)r->bytes, greatest);
}
