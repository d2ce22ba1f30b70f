/* Sums of squares around 64 bytes for bilateral means, in vectors of 64 bytes. */
#include "kernels/neighbourhood/bilateral_bytes_sums.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"

#include <string.h>

#ifdef GF_HAS_BYTE_VECTORS
#define PIXELS GF_BILATERAL_PIXELS
#define FOUR GF_BILATERAL_FOUR
#define BYTES GF_BILATERAL_BYTES
/*
 * Levels, more than the rounding errors of floats: sums of 32 in any body have up to 0.00095, all others together up to
 * 0.0003.
 */
#define SLACK 0.002f

typedef int8_t signed_bytes __attribute__((vector_size(64)));
typedef char plain_bytes __attribute__((vector_size(64)));

/* Sums of weights, and of weights times bytes, for each byte of the weights. */
struct byte_sums {
    gf_int_vector weight[BYTES], product[BYTES];
};

bool gf_bilateral_sums_runs(void)
{
    return gf_runs_byte_vectors() && __builtin_cpu_supports("avx512vnni");
}

GF_BYTE_VECTORS GF_INLINE gf_byte_vector load_bytes(const uint8_t *at)
{
    gf_byte_vector v;

    memcpy(&v, at, sizeof v);
    return v;
}

/* Joins the first or second eight of each 16 bytes of four rows, so that the bytes of a pixel are in one lane. */
GF_BYTE_VECTORS GF_INLINE void join_rows(const gf_byte_vector *row, bool second, gf_byte_vector *to)
{
    const plain_bytes none = { 0 };
    const plain_bytes a = (plain_bytes)row[0], b = (plain_bytes)row[1], c = (plain_bytes)row[2],
                      d = (plain_bytes)row[3];
    const gf_word_vector ab = (gf_word_vector)(second ? __builtin_ia32_punpckhbw512_mask(a, b, none, ~0ull)
                                    : __builtin_ia32_punpcklbw512_mask(a, b, none, ~0ull));
    const gf_word_vector cd = (gf_word_vector)(second ? __builtin_ia32_punpckhbw512_mask(c, d, none, ~0ull)
                                    : __builtin_ia32_punpcklbw512_mask(c, d, none, ~0ull));

    to[0] = (gf_byte_vector)__builtin_ia32_punpcklwd512_mask(ab, cd, (gf_word_vector)none, ~0u);
    to[1] = (gf_byte_vector)__builtin_ia32_punpckhwd512_mask(ab, cd, (gf_word_vector)none, ~0u);
}

/* Adds four pixels of the square for 16 pixels. */
GF_BYTE_VECTORS GF_INLINE void add_four_bytes(gf_byte_vector v, gf_byte_vector middle, const gf_byte_vector *table,
                                              bool wide, struct byte_sums *sums)
{
    const plain_bytes none = { 0 };
    const gf_byte_vector ones = (gf_byte_vector)none + 1;
    const gf_byte_vector more = (gf_byte_vector)__builtin_ia32_pmaxsb512_mask((plain_bytes)v, (plain_bytes)middle,
                                                                              none, ~0ull),
                         less = (gf_byte_vector)__builtin_ia32_pminsb512_mask((plain_bytes)v, (plain_bytes)middle,
                                                                              none, ~0ull);
    gf_byte_vector d = more - less;

    if (!wide)
        d = (gf_byte_vector)__builtin_ia32_pminub512_mask((plain_bytes)d, (plain_bytes)((gf_byte_vector)none + 127),
                                                          none, ~0ull);
    for (int i = 0; i < BYTES; i++) {
        gf_byte_vector weight;

        if (wide) {
            const gf_byte_vector far = (gf_byte_vector)((signed_bytes)d < 0), *at = table + 4 * i;

            weight = (__builtin_shuffle(at[0], at[1], d) & ~far) | (__builtin_shuffle(at[2], at[3], d) & far);
        } else {
            weight = __builtin_shuffle(table[2 * i], table[2 * i + 1], d);
        }
        sums->weight[i] = gf_int_vector_add_products(sums->weight[i], weight, ones);
        sums->product[i] = gf_int_vector_add_products(sums->product[i], weight, v);
    }
}

GF_BYTE_VECTORS GF_INLINE gf_float_vector join_sums(const gf_int_vector *sum)
{
    return __builtin_convertvector(sum[0], gf_float_vector) + __builtin_convertvector(sum[1], gf_float_vector) * 256.0f
         + __builtin_convertvector(sum[2], gf_float_vector) * 65536.0f;
}

GF_BYTE_VECTORS GF_INLINE gf_float_vector without_sign(gf_float_vector v)
{
    return (gf_float_vector)((gf_int_vector)v & INT32_MAX);
}

/* Finds the levels of 16 pixels, as bytes in integers, and -1 where a level may be another one. */
GF_BYTE_VECTORS GF_INLINE void find_mean(const struct gf_bilateral_sums *s, const struct byte_sums *sums,
                                         gf_byte_vector middle, gf_int_vector *level, gf_int_vector *doubt)
{
    const float whole = 12582912.0f;     /* 1.5 * 2^23: a sum with it is rounded, and its low bits are an integer */
    const gf_float_vector v = __builtin_convertvector((gf_int_vector)middle << 24 >> 24, gf_float_vector);
    const gf_float_vector weights = join_sums(sums->weight) + s->center_weight;
    const gf_float_vector from = (join_sums(sums->product) + s->center_weight * v) / weights;
    const gf_float_vector rounded = from + whole, off = from - (rounded - whole), moved = from - v;
    const gf_float_vector distance = without_sign(off), change = without_sign(moved);

    *level = (gf_int_vector)rounded + GF_BILATERAL_SIGN;
    *doubt = distance + SLACK + (s->error_by_level + change * s->error) / weights > 0.5f;
}

/* Puts the low bytes of integers in the order of the pixels, from the order of join_rows(). */
GF_BYTE_VECTORS GF_INLINE gf_byte_vector order_bytes(const gf_int_vector *v)
{
    gf_byte_vector at, half;

    for (int i = 0; i < PIXELS; i++) {
        at[i] = (uint8_t)((i / 16 * 4 + i % 4) * 4 + (i / 4 % 2) * PIXELS);
        half[i] = (uint8_t)(i + i / 8 % 2 * PIXELS);
    }
    return __builtin_shuffle(__builtin_shuffle((gf_byte_vector)v[0], (gf_byte_vector)v[1], at),
                             __builtin_shuffle((gf_byte_vector)v[2], (gf_byte_vector)v[3], at), half);
}

/* Adds the square for the pixels of one half of each 16 bytes, and finds their levels. */
GF_BYTE_VECTORS GF_INLINE void half_of_pixels(const struct gf_bilateral_sums *s, const uint8_t *center, bool second,
                                              bool wide, gf_int_vector *level, gf_int_vector *doubt)
{
    struct byte_sums left = { .weight = { { 0 } } }, right = { .weight = { { 0 } } };
    gf_byte_vector row[FOUR], middle[2], v[2];

    for (int i = 0; i < FOUR; i++)
        row[i] = load_bytes(center);
    join_rows(row, second, middle);
    for (int k = 0; k < s->fours; k++) {
        const struct gf_bilateral_four *f = &s->four[k];

        for (int i = 0; i < FOUR; i++)
            row[i] = load_bytes(center + f->offset[i]);
        join_rows(row, second, v);
        add_four_bytes(v[0], middle[0], (const gf_byte_vector *)(const void *)f->table, wide, &left);
        add_four_bytes(v[1], middle[1], (const gf_byte_vector *)(const void *)f->table, wide, &right);
    }
    find_mean(s, &left, middle[0], &level[0], &doubt[0]);
    find_mean(s, &right, middle[1], &level[1], &doubt[1]);
}

GF_BYTE_VECTORS GF_INLINE void some_pixels_of(const struct gf_bilateral_sums *s, const uint8_t *center, bool wide,
                                              uint8_t *to, uint8_t *doubts)
{
    gf_int_vector level[FOUR], doubt[FOUR];
    gf_byte_vector bytes;

    half_of_pixels(s, center, false, wide, level, doubt);
    half_of_pixels(s, center, true, wide, level + 2, doubt + 2);
    bytes = order_bytes(level);
    memcpy(to, &bytes, sizeof bytes);
    bytes = order_bytes(doubt);
    memcpy(doubts, &bytes, sizeof bytes);
}

GF_BYTE_VECTORS
static void some_pixels(const struct gf_bilateral_sums *s, const uint8_t *center, uint8_t *to, uint8_t *doubts)
{
    if (s->wide)
        some_pixels_of(s, center, true, to, doubts);
    else
        some_pixels_of(s, center, false, to, doubts);
}

void gf_bilateral_sums_find(const struct gf_bilateral_sums *s, const uint8_t *center, uint8_t *to, uint8_t *doubts)
{
    some_pixels(s, center, to, doubts);
}
#else
bool gf_bilateral_sums_runs(void)
{
    return false;
}

void gf_bilateral_sums_find(const struct gf_bilateral_sums *s, const uint8_t *center, uint8_t *to, uint8_t *doubts)
{
    (void)s;
    (void)center;
    (void)to;
    (void)doubts;
}
#endif
