/* Squares whose rows become columns, in vectors. Items of three bytes are turned as numbers of 32 bits. */
#include "kernels/geometry/move_squares.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"
#include "kernels/geometry/move.h"

#include <stdint.h>
#include <string.h>

#define SIDE GF_MOVE_SQUARE              /* a power of two */

/*
 * Each round joins the first half of the items with the second half, item by item, so the bits of an item's index
 * rotate by one. After as many rounds as the side has bits, rows are columns, and in `b`.
 */
#define ROUNDS(type)                                                                                        \
    GF_INLINE void join_halves_##type(const type *restrict from, type *restrict to)                         \
    {                                                                                                       \
        for (int i = 0; i < SIDE * SIDE / 2; i++) {                                                         \
            to[2 * i] = from[i];                                                                            \
            to[2 * i + 1] = from[i + SIDE * SIDE / 2];                                                      \
        }                                                                                                   \
    }                                                                                                       \
    GF_CLONES                                                                                               \
    static void turn_##type(type *a, type *b)                                                               \
    {                                                                                                       \
        join_halves_##type(a, b);                                                                           \
        join_halves_##type(b, a);                                                                           \
        join_halves_##type(a, b);                                                                           \
        join_halves_##type(b, a);                                                                           \
        join_halves_##type(a, b);                                                                           \
    }

ROUNDS(uint8_t)
ROUNDS(uint16_t)
ROUNDS(uint32_t)
ROUNDS(uint64_t)
#undef ROUNDS

/* ---- items of three bytes ---- */

/* Every item except the last one is copied with the byte after it. */
static void widen_any(const char *from, char *to)
{
    for (int i = 0; i < SIDE - 1; i++)
        memcpy(to + 4 * i, from + 3 * i, 4);
    memcpy(to + 4 * (SIDE - 1), from + 3 * (SIDE - 1), 3);
}

/* The next item replaces the fourth byte. */
static void narrow_any(const char *from, char *to)
{
    for (int i = 0; i < SIDE - 1; i++)
        memcpy(to + 3 * i, from + 4 * i, 4);
    memcpy(to + 3 * (SIDE - 1), from + 4 * (SIDE - 1), 3);
}

#ifdef GF_HAS_BYTE_VECTORS
_Static_assert(4 * SIDE == 2 * sizeof(gf_byte_vector), "a row of wide items is two vectors");
#define SIZE ((int)sizeof(gf_byte_vector))
#define OVERLAP (3 * SIDE - SIZE)        /* two vectors cover a row of items of three bytes and overlap */

GF_BYTE_VECTORS
static void widen_vectors(const char *from, ptrdiff_t pitch, char *to)
{
    gf_byte_vector first, second;

    for (int i = 0; i < SIZE; i++) {
        first[i] = (uint8_t)(i / 4 * 3 + i % 4 % 3);
        second[i] = (uint8_t)(SIZE / 4 * 3 - OVERLAP + first[i]);
    }
    for (int k = 0; k < SIDE; k++, from += pitch, to += 2 * SIZE) {
        gf_byte_vector low, high;

        memcpy(&low, from, sizeof low);
        memcpy(&high, from + OVERLAP, sizeof high);
        low = __builtin_shuffle(low, first);
        high = __builtin_shuffle(high, second);
        memcpy(to, &low, sizeof low);
        memcpy(to + SIZE, &high, sizeof high);
    }
}

GF_BYTE_VECTORS
static void narrow_vectors(const char *from, char *to, ptrdiff_t pitch)
{
    gf_byte_vector first, second;

    for (int i = 0; i < SIZE; i++) {
        first[i] = (uint8_t)(i / 3 * 4 + i % 3);
        second[i] = (uint8_t)((i + OVERLAP) / 3 * 4 + (i + OVERLAP) % 3);
    }
    for (int k = 0; k < SIDE; k++, from += 2 * SIZE, to += pitch) {
        gf_byte_vector v[2], low, high;

        memcpy(v, from, sizeof v);
        low = __builtin_shuffle(v[0], v[1], first);
        high = __builtin_shuffle(v[0], v[1], second);
        memcpy(to, &low, sizeof low);
        memcpy(to + OVERLAP, &high, sizeof high);
    }
}
#endif

static void widen_rows(const char *from, ptrdiff_t pitch, char *to)
{
#ifdef GF_HAS_BYTE_VECTORS
    if (gf_runs_byte_vectors()) {
        widen_vectors(from, pitch, to);
        return;
    }
#endif
    for (int i = 0; i < SIDE; i++)
        widen_any(from + i * pitch, to + i * 4 * SIDE);
}

static void narrow_rows(const char *from, char *to, ptrdiff_t pitch)
{
#ifdef GF_HAS_BYTE_VECTORS
    if (gf_runs_byte_vectors()) {
        narrow_vectors(from, to, pitch);
        return;
    }
#endif
    for (int i = 0; i < SIDE; i++)
        narrow_any(from + i * 4 * SIDE, to + i * pitch);
}

/* ---- squares ---- */

/* The items of a square, before and after it is turned. */
union square {
    _Alignas(64) uint8_t uint8_t_items[SIDE * SIDE];
    uint16_t uint16_t_items[SIDE * SIDE];
    uint32_t uint32_t_items[SIDE * SIDE];
    uint64_t uint64_t_items[SIDE * SIDE];
    char bytes[SIDE * SIDE * sizeof(uint64_t)];
};

#define TURN(type)                                                                          \
    GF_INLINE void turn_rows_##type(const char *from, ptrdiff_t pitch, char *to, ptrdiff_t to_pitch) \
    {                                                                                       \
        union square a, b;                                                                  \
                                                                                            \
        for (int i = 0; i < SIDE; i++)                                                      \
            memcpy(a.type##_items + SIDE * i, from + i * pitch, SIDE * sizeof(type));       \
        turn_##type(a.type##_items, b.type##_items);                                        \
        for (int i = 0; i < SIDE; i++)                                                      \
            memcpy(to + i * to_pitch, b.type##_items + SIDE * i, SIDE * sizeof(type));      \
    }

TURN(uint8_t)
TURN(uint16_t)
TURN(uint32_t)
TURN(uint64_t)
#undef TURN

static void turn_rows_three(const char *from, ptrdiff_t pitch, char *to, ptrdiff_t to_pitch)
{
    union square a, b;

    widen_rows(from, pitch, a.bytes);
    turn_uint32_t(a.uint32_t_items, b.uint32_t_items);
    narrow_rows(b.bytes, to, to_pitch);
}

bool gf_square_has(size_t bytes)
{
    return (bytes >= 1 && bytes <= 4) || bytes == 8;
}

void gf_square_turn(const char *from, ptrdiff_t pitch, char *to, ptrdiff_t to_pitch, size_t bytes)
{
    switch (bytes) {
    case 1: turn_rows_uint8_t(from, pitch, to, to_pitch); break;
    case 2: turn_rows_uint16_t(from, pitch, to, to_pitch); break;
    case 3: turn_rows_three(from, pitch, to, to_pitch); break;
    case 4: turn_rows_uint32_t(from, pitch, to, to_pitch); break;
    default: turn_rows_uint64_t(from, pitch, to, to_pitch); break;
    }
}
