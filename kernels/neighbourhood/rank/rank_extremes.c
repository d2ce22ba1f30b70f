/*
 * Minimum or maximum of a window: down the columns by the method of van Herk, Gil and Werman, with
 * three comparisons a sample for any size, and along the rows by windows that double.
 */
#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/neighbourhood/rank/rank_extremes.h"

#include <string.h>

#define SHORT_SIDE 5                     /* the longest window along a row that is computed in one pass */
#define FEW_ROWS 7                       /* the longest window down the columns that is computed in one pass */
#define STRIP GF_RANK_RUNNING            /* they are processed together, in the first-level cache */

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

/*
 * Sets two rows to the min or max of `side` rows of in, from the first and from the second on. What they share is
 * computed once.
 */
#define ROWS(name, ctype)                                                                                        \
    GF_INLINE void rows_##name(ctype *restrict one, ctype *restrict two, const ctype *const *in, int side, int64_t n,\
                               bool greatest)                                                                    \
    {                                                                                                            \
        const ctype *row[FEW_ROWS + 1];                                                                          \
                                                                                                                 \
        for (int k = 0; k <= side; k++)                                                                          \
            row[k] = in[k];                                                                                      \
        GF_NO_OVERLAP                                                                                            \
        for (int64_t i = 0; i < n; i++) {                                                                        \
            ctype v = row[1][i];                                                                                 \
                                                                                                                 \
            for (int k = 2; k < side; k++)                                                                       \
                v = greatest ? MORE(v, row[k][i]) : LESS(v, row[k][i]);                                          \
            one[i] = greatest ? MORE(v, row[0][i]) : LESS(v, row[0][i]);                                         \
            two[i] = greatest ? MORE(v, row[side][i]) : LESS(v, row[side][i]);                                   \
        }                                                                                                        \
    }                                                                                                            \
    GF_CLONES                                                                                                    \
    static void pick_##name##_rows(ctype *one, ctype *two, const ctype *const *in, int side, int64_t n, bool greatest)\
    {                                                                                                            \
        switch (side + greatest) {                                                                               \
        case 3: rows_##name(one, two, in, 3, n, false); break;                                                   \
        case 4: rows_##name(one, two, in, 3, n, true); break;                                                    \
        case 5: rows_##name(one, two, in, 5, n, false); break;                                                   \
        case 6: rows_##name(one, two, in, 5, n, true); break;                                                    \
        case 7: rows_##name(one, two, in, 7, n, false); break;                                                   \
        default: rows_##name(one, two, in, 7, n, true);                                                          \
        }                                                                                                        \
    }
ROWS(u8, uint8_t)
ROWS(u16, uint16_t)
ROWS(key, int32_t)
#undef ROWS

static void pick_windows(const struct gf_rank_window *w, void *to, const void *a, int64_t side)
{
    switch (w->bytes) {
    case 1: pick_u8_windows(to, a, w->step, side, w->length, w->greatest); break;
    case 2: pick_u16_windows(to, a, w->step, side, w->length, w->greatest); break;
    default: pick_key_windows(to, a, w->step, side, w->length, w->greatest); break;
    }
}

static void pick(const struct gf_rank_window *w, void *to, const void *a, const void *b, int64_t n)
{
    switch (w->bytes) {
    case 1: pick_u8(to, a, b, n, w->greatest); break;
    case 2: pick_u16(to, a, b, n, w->greatest); break;
    default: pick_key(to, a, b, n, w->greatest); break;
    }
}

static void fold(const struct gf_rank_window *w, void *to, const void *a, int64_t n)
{
    switch (w->bytes) {
    case 1: fold_u8(to, a, n, w->greatest); break;
    case 2: fold_u16(to, a, n, w->greatest); break;
    default: fold_key(to, a, n, w->greatest); break;
    }
}

static void pick_rows(const struct gf_rank_window *w, void *one, void *two, const void *const *in, int64_t n)
{
    const int side = 2 * w->radius + 1;

    switch (w->bytes) {
    case 1: pick_u8_rows(one, two, (const uint8_t *const *)in, side, n, w->greatest); break;
    case 2: pick_u16_rows(one, two, (const uint16_t *const *)in, side, n, w->greatest); break;
    default: pick_key_rows(one, two, (const int32_t *const *)in, side, n, w->greatest); break;
    }
}

/* ---- down the columns ---- */

/*
 * Sets at most `side` rows. Row i covers rows i to side - 1 of in, accumulated upwards, and rows side to side + i - 1,
 * accumulated downwards.
 */
static void down_block(const struct gf_rank_window *w, void *const *to, const void *const *in, int64_t rows, int64_t n,
                       void *running)
{
    const int64_t side = 2 * (int64_t)w->radius + 1;
    const size_t bytes = (size_t)n * (size_t)w->bytes;

    memcpy(to[rows - 1], in[side - 1], bytes);
    for (int64_t k = side - 2; k >= rows - 1; k--)
        fold(w, to[rows - 1], in[k], n);
    for (int64_t k = rows - 2; k >= 0; k--)
        pick(w, to[k], to[k + 1], in[k], n);
    for (int64_t i = 1; i < rows; i++) {
        if (i == 1)
            memcpy(running, in[side], bytes);
        else
            fold(w, running, in[side + i - 1], n);
        fold(w, to[i], running, n);
    }
}

void gf_rank_down(const struct gf_rank_window *w, void *const *to, const void *const *in, int64_t rows, int64_t n,
                  void *running)
{
    const int64_t side = 2 * (int64_t)w->radius + 1, strip = STRIP / w->bytes;
    const void *from[2 * GF_RANK_BLOCK_ROWS];
    void *out[GF_RANK_BLOCK_ROWS];

    for (int64_t x = 0; x < n; x += strip) {
        const int64_t length = n - x < strip ? n - x : strip;

        for (int64_t k = 0; k < rows + side - 1; k++)
            from[k] = (const char *)in[k] + x * w->bytes;
        from[rows + side - 1] = from[0];                 /* if the number of rows is odd */
        for (int64_t i = 0; i < rows; i++)
            out[i] = (char *)to[i] + x * w->bytes;
        for (int64_t i = 0; i < rows && side <= FEW_ROWS; i += 2)
            pick_rows(w, out[i], i + 1 < rows ? out[i + 1] : running, from + i, length);
        for (int64_t i = 0; i < rows && side > FEW_ROWS; i += side)
            down_block(w, out + i, from + i, rows - i < side ? rows - i : side, length, running);
    }
}

/* ---- along a row ---- */

/*
 * Extremes of 1, 2, 4… neighbors, then of two overlapping windows of the last kind. Each pass goes through the
 * second-level cache, so short windows are one pass.
 */
void gf_rank_along(const struct gf_rank_window *w, void *to, const void *padded, void *const *between)
{
    const int64_t side = 2 * (int64_t)w->radius + 1, unit = w->step, all = w->length + 2 * w->radius * unit;
    const char *from = padded;
    int64_t have = 1;

    if (side <= SHORT_SIDE) {
        pick_windows(w, to, from, side);
        return;
    }
    for (int k = 0; 2 * have <= side; have *= 2, k ^= 1) {
        pick(w, between[k], from, from + have * unit * w->bytes, all - (2 * have - 1) * unit);
        from = between[k];
    }
    pick(w, to, from, from + (side - have) * unit * w->bytes, w->length);
}
