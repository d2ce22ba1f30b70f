/*
 * Minimum or maximum of a square: down the columns by the method of van Herk, Gil and Werman, with
 * three comparisons a sample for any size, then along the rows by windows that double.
 */
#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/neighbourhood/rank/rank_rows.h"

#include <string.h>

#define SHORT_SIDE 5                     /* the longest window along a row that is computed in one pass */
#define STRIP 2048                       /* bytes of rows that are processed together, in the first-level cache */

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

/* Sets to[i] to the min or max of a[i + k·step] for k from 0 to side - 1, which is a constant in hot loops: 3 or 5. */
#define WINDOWS(name, ctype)                                                                                     \
    GF_INLINE void windows_##name(ctype *restrict to, const ctype *restrict a, int64_t step, int side, int64_t n,\
                                  bool greatest)                                                                 \
    {                                                                                                            \
        for (int64_t i = 0; i < n; i++) {                                                                        \
            ctype v = a[i];                                                                                      \
                                                                                                                 \
            for (int k = 1; k < side; k++)                                                                       \
                v = greatest ? MORE(v, a[i + k * step]) : LESS(v, a[i + k * step]);                              \
            to[i] = v;                                                                                           \
        }                                                                                                        \
    }                                                                                                            \
    GF_CLONES                                                                                                    \
    static void pick_##name##_3(ctype *to, const ctype *a, int64_t step, int64_t n, bool greatest)               \
    {                                                                                                            \
        greatest ? windows_##name(to, a, step, 3, n, true) : windows_##name(to, a, step, 3, n, false);           \
    }                                                                                                            \
    GF_CLONES                                                                                                    \
    static void pick_##name##_5(ctype *to, const ctype *a, int64_t step, int64_t n, bool greatest)               \
    {                                                                                                            \
        greatest ? windows_##name(to, a, step, 5, n, true) : windows_##name(to, a, step, 5, n, false);           \
    }                                                                                                            \
    static void pick_##name##_windows(ctype *to, const ctype *a, int64_t step, int64_t side, int64_t n, bool greatest)\
    {                                                                                                            \
        side == 3 ? pick_##name##_3(to, a, step, n, greatest) : pick_##name##_5(to, a, step, n, greatest);       \
    }
WINDOWS(u8, uint8_t)
WINDOWS(u16, uint16_t)
WINDOWS(key, int32_t)
#undef WINDOWS

GF_CLONES
static void store_floats(const int32_t *restrict from, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const uint32_t bits = gf_rank_bits(from[i]);

        memcpy(&to[i], &bits, sizeof bits);
    }
}

static void pick_windows(const struct gf_rank_rows *r, void *to, const void *a, int64_t side, bool greatest)
{
    switch (r->bytes) {
    case 1: pick_u8_windows(to, a, r->step, side, r->length, greatest); break;
    case 2: pick_u16_windows(to, a, r->step, side, r->length, greatest); break;
    default: pick_key_windows(to, a, r->step, side, r->length, greatest); break;
    }
}

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
 * Computes a strip of rows [from, from + n) of the result, `length` samples from `first` on, where n is at most
 * the side of the square. Row i covers rows i to side - 1 of those from `from` on, accumulated upwards, and rows
 * side to side + i - 1, accumulated downwards.
 */
static void down_strip(const struct gf_rank_rows *r, char *to, char *running, size_t row, int64_t from, int64_t n,
                       int64_t first, int64_t length, bool greatest)
{
    const size_t pitch = (size_t)r->pitch * (size_t)r->bytes, offset = (size_t)first * (size_t)r->bytes;
    const char *in = (const char *)r->in + (size_t)from * pitch + offset;
    const int64_t side = 2 * (int64_t)r->radius + 1;

    to += offset;
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

static void down(const struct gf_rank_rows *r, char *to, char *running, size_t row, int64_t from, int64_t n,
                 bool greatest)
{
    const int64_t length = padded(r), strip = STRIP / r->bytes;

    for (int64_t x = 0; x < length; x += strip)
        down_strip(r, to, running, row, from, n, x, length - x < strip ? length - x : strip, greatest);
}

/*
 * Computes one row: extremes of 1, 2, 4… neighbors, then of two overlapping windows of the last kind. Each pass goes
 * through the second-level cache, so short windows are one pass.
 */
static void along(const struct gf_rank_rows *r, const char *from, char *const *between, char *to, bool greatest)
{
    const int64_t side = 2 * (int64_t)r->radius + 1, unit = r->step;
    const size_t bytes = (size_t)r->bytes;
    int64_t have = 1;

    if (side <= SHORT_SIDE) {
        pick_windows(r, to, from, side, greatest);
        return;
    }
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
    for (int64_t y = 0; y < r->rows; y++) {
        char *to = (char *)r->out + (size_t)(y * r->out_pitch) * (size_t)r->bytes;

        along(r, picked + (size_t)y * row, between, r->to_floats ? running : to, greatest);
        if (r->to_floats)
            store_floats((const int32_t *)(void *)running, (float *)(void *)to, r->length);
    }
}
