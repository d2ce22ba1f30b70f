/* Medians of small squares by sorting networks on whole rows, which the compiler vectorizes. */
#include "kernels/neighbourhood/rank/rank_network.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"
#include "kernels/neighbourhood/rank/rank_rows.h"

#include <string.h>

/* Sorts the columns of `in`: the smallest sample to the first row of `to`. */
#define COLUMNS(name, ctype, n)                                                                              \
    GF_CLONES                                                                                                \
    static void columns_##name##_##n(const ctype *restrict in, int64_t pitch, ctype *restrict to, int64_t row, \
                                     int64_t count) \
    {                                                                                                        \
        for (int64_t x = 0; x < count; x++) {                                                                \
            GF_RANK_COLUMN_##n(ctype, IN, S_##name)                                                          \
            PUT_##n                                                                                          \
        }                                                                                                    \
    }
#define IN(i) in[(i) * pitch + x]
#define PUT(i) to[(i) * row + x] = v##i;
#define PUT_3 PUT(0) PUT(1) PUT(2)
#define PUT_5 PUT_3 PUT(3) PUT(4)
#define PUT_7 PUT_5 PUT(5) PUT(6)
#define PUT_9 PUT_7 PUT(7) PUT(8)

/* Computes the medians of squares of sorted columns. */
#define SQUARES(name, ctype, n)                                                                              \
    GF_CLONES                                                                                                \
    static void squares_##name##_##n(const ctype *restrict in, int64_t row, int64_t step, ctype *restrict to, \
                                     int64_t count) \
    {                                                                                                        \
        for (int64_t x = 0; x < count; x++) {                                                                \
            GF_RANK_SQUARE_##n(ctype, AT, S_##name)                                                          \
            to[x] = GF_RANK_MEDIAN_##n;                                                                      \
        }                                                                                                    \
    }
#define AT(i, j) in[(i) * row + (j) * step + x]

#define S_OF(ctype, a, b)                          \
    {                                              \
        const ctype less = (a) < (b) ? (a) : (b);  \
        b = (a) < (b) ? (b) : (a);                 \
        a = less;                                  \
    }
#define S_u8(a, b) S_OF(uint8_t, a, b)
#define S_u16(a, b) S_OF(uint16_t, a, b)
#define S_key(a, b) S_OF(int32_t, a, b)

/* Computes all rows of the result. */
#define ROWS(name, ctype, n)                                                                                 \
    COLUMNS(name, ctype, n)                                                                                  \
    SQUARES(name, ctype, n)                                                                                  \
    static void rows_##name##_##n(const struct gf_rank_rows *r, int64_t row)                                 \
    {                                                                                                        \
        const ctype *in = r->in;                                                                             \
        ctype *sorted = r->scratch, *out = r->out;                                                           \
                                                                                                             \
        for (int64_t y = 0; y < r->rows; y++) {                                                              \
            columns_##name##_##n(in + y * r->pitch, r->pitch, sorted, row, r->length + (n - 1) * r->step);   \
            squares_##name##_##n(sorted, row, r->step, out + y * r->out_pitch, r->length);                   \
        }                                                                                                    \
    }

/* ---- two rows of medians of nine ---- */

/*
 * Computes two rows of medians of nine at a time, without rows of sorted columns in between: both rows share the
 * order of the two rows in the middle. `a` and `b` are the sorted columns of the first and the second row.
 */
#define COLUMN_OF_TWO(T, L, S, j)                                                                           \
    T a##j##0 = L(0, j), a##j##1 = L(1, j), a##j##2 = L(2, j), b##j##0 = L(3, j), b##j##1, b##j##2;         \
    S(a##j##1, a##j##2)                                                                                     \
    b##j##1 = a##j##1;                                                                                      \
    b##j##2 = a##j##2;                                                                                      \
    S(a##j##0, a##j##1) S(a##j##1, a##j##2) S(b##j##0, b##j##1) S(b##j##1, b##j##2)
/* Sets v11 to the median of the largest of the smallest, the median of the medians and the smallest of the largest. */
#define MEDIAN_OF_COLUMNS(S, v)                                                                             \
    S(v##00, v##10) S(v##10, v##20) S(v##12, v##22) S(v##02, v##12) S(v##01, v##11) S(v##11, v##21)         \
    S(v##01, v##11) S(v##20, v##11) S(v##11, v##02) S(v##20, v##11)
#define MEDIANS_OF_TWO(T, L, S)                                                                              \
    COLUMN_OF_TWO(T, L, S, 0)                                                                                \
    COLUMN_OF_TWO(T, L, S, 1)                                                                                \
    COLUMN_OF_TWO(T, L, S, 2)                                                                                \
    MEDIAN_OF_COLUMNS(S, a)                                                                                  \
    MEDIAN_OF_COLUMNS(S, b)
#define NEAR(i, j) in[(i) * pitch + (j) * step + x]

#ifdef GF_HAS_BYTE_VECTORS
#define S_vector(a, b)                                                                                       \
    {                                                                                                        \
        const plain_bytes less = (plain_bytes)__builtin_ia32_pminub512_mask(a, b, none, ~0ull);              \
                                                                                                             \
        b = (plain_bytes)__builtin_ia32_pmaxub512_mask(a, b, none, ~0ull);                                   \
        a = less;                                                                                            \
    }
#define LOAD_ONCE(i, j) load_once(in + (i) * pitch + (j) * step + at)

typedef char plain_bytes __attribute__((vector_size(64)));

/* Loads bytes to a register. Otherwise gcc loads them again for each comparison, and most loads cross a cache line. */
GF_BYTE_VECTORS GF_INLINE plain_bytes load_once(const uint8_t *at)
{
    plain_bytes v;

    memcpy(&v, at, sizeof v);
    __asm__("" : "+v"(v));
    return v;
}

/* Computes two rows of at least 64 bytes; the last vector overlaps the one before. */
GF_BYTE_VECTORS
static void two_rows_of_vectors(const uint8_t *restrict in, int64_t pitch, int64_t step, uint8_t *restrict to,
                                uint8_t *restrict next, int64_t count)
{
    const plain_bytes none = { 0 };
    const int64_t size = sizeof none;

    for (int64_t x = 0; x < count; x += size) {
        const int64_t at = count - x < size ? count - size : x;

        MEDIANS_OF_TWO(plain_bytes, LOAD_ONCE, S_vector)
        memcpy(to + at, &a11, sizeof a11);
        memcpy(next + at, &b11, sizeof b11);
    }
}
#endif

#define TWO(name, ctype)                                                                                    \
    GF_CLONES                                                                                               \
    static void two_rows_##name(const ctype *restrict in, int64_t pitch, int64_t step, ctype *restrict to,  \
                                ctype *restrict next, int64_t count)                                        \
    {                                                                                                       \
        for (int64_t x = 0; x < count; x++) {                                                               \
            MEDIANS_OF_TWO(ctype, NEAR, S_##name)                                                           \
            to[x] = a11;                                                                                    \
            next[x] = b11;                                                                                  \
        }                                                                                                   \
    }                                                                                                       \
    static void rows_by_two_##name(const struct gf_rank_rows *r, int64_t row)                               \
    {                                                                                                       \
        struct gf_rank_rows last = *r;                                                                      \
        const ctype *in = r->in;                                                                            \
        ctype *out = r->out;                                                                                \
                                                                                                            \
        for (; last.rows >= 2; last.rows -= 2) {                                                            \
            two_rows_##name(in, r->pitch, r->step, out, out + r->out_pitch, r->length);                     \
            in += 2 * r->pitch;                                                                             \
            out += 2 * r->out_pitch;                                                                        \
        }                                                                                                   \
        last.in = in;                                                                                       \
        last.out = out;                                                                                     \
        rows_##name##_3(&last, row);                                                                        \
    }

#define SIDES(name, ctype) \
    ROWS(name, ctype, 3) ROWS(name, ctype, 5) ROWS(name, ctype, 7) ROWS(name, ctype, 9) TWO(name, ctype)
SIDES(u8, uint8_t)
SIDES(u16, uint16_t)
SIDES(key, int32_t)

static void rows_by_two_bytes(const struct gf_rank_rows *r, int64_t row)
{
    struct gf_rank_rows last = *r;

#ifdef GF_HAS_BYTE_VECTORS
    if (r->length >= 64 && gf_runs_byte_vectors()) {
        const uint8_t *in = r->in;
        uint8_t *out = r->out;

        for (; last.rows >= 2; last.rows -= 2) {
            two_rows_of_vectors(in, r->pitch, r->step, out, out + r->out_pitch, r->length);
            in += 2 * r->pitch;
            out += 2 * r->out_pitch;
        }
        last.in = in;
        last.out = out;
    }
#endif
    rows_by_two_u8(&last, row);
}

static int64_t row_samples(const struct gf_rank_rows *r)
{
    return gf_round_up(r->length + 2 * (int64_t)r->radius * r->step, 64);
}

size_t gf_rank_network_scratch(const struct gf_rank_rows *r)
{
    return (size_t)((2 * r->radius + 1) * row_samples(r) * r->bytes);
}

void gf_rank_network(const struct gf_rank_rows *r)
{
    typedef void way(const struct gf_rank_rows *r, int64_t row);
    static way *const ways[3][GF_RANK_NETWORK_RADIUS] = {
        { rows_by_two_bytes, rows_u8_5, rows_u8_7, rows_u8_9 },
        { rows_by_two_u16, rows_u16_5, rows_u16_7, rows_u16_9 },
        { rows_by_two_key, rows_key_5, rows_key_7, rows_key_9 },
    };

    ways[r->bytes / 2][r->radius - 1](r, row_samples(r));
}
