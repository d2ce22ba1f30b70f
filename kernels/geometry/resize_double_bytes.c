/*
 * Doubles rows of bytes on a CPU, from the bytes of the source to those of the result: all channels stay interleaved,
 * and a row of the result is computed from end to end. Weights of linear and cubic filters are multiples of 1/128
 * there, so sums down the rows are exact in integers, as they are in floats; from there on, the floats are those of the
 * other ways to resize.
 */
#include "kernels/geometry/resize_lines.h"
#include "kernels/geometry/resize_rows.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"
#include "kernels/geometry/resize_double_vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef GF_HAS_BYTE_VECTORS
#define SIZE ((int)sizeof(gf_byte_vector))
#define FLOATS (SIZE / 4)
#define ROWS 4                           /* taps, at most */
#define ONE 128                          /* a weight of 1 */
#define BIAS 3072                        /* keeps sums of words positive */
#define PIECE 960                        /* samples that are summed down the rows at a time, a multiple of each step */
#define BESIDE ((ROWS + 1) * GF_RESIZE_CHANNELS)         /* further samples that their columns need */

typedef uint32_t integers __attribute__((vector_size(64)));
typedef uint16_t words __attribute__((vector_size(64)));
typedef char chars __attribute__((vector_size(64)));

/* Rows of the source, and their weights in units of 1/ONE. */
struct rows {
    const uint8_t *row[ROWS];
    int64_t samples;
    int8_t weight[ROWS];
    int taps;                            /* 2 or 4 */
    float scale;
};

/* The two phases of columns, as in struct gf_resize_double. */
struct columns {
    const float *first, *second;
};

/* ---- sums down the rows ---- */

/* Returns bytes of a and b in turn: those of one half of each 16 bytes. */
GF_BYTE_VECTORS GF_INLINE chars interleave(gf_byte_vector a, gf_byte_vector b, int half)
{
    gf_byte_vector position;

    for (int i = 0; i < SIZE; i++)
        position[i] = (uint8_t)(i / 16 * 16 + half * 8 + i % 16 / 2 + i % 2 * SIZE);
    return (chars)__builtin_shuffle(a, b, position);
}

/* Returns pairs of bytes, each with its weight, added up. */
GF_BYTE_VECTORS GF_INLINE words sum_pairs(chars bytes, words weights)
{
    return (words)__builtin_ia32_pmaddubsw512_mask(bytes, (chars)weights, (gf_word_vector){ 0 }, ~0u);
}

/* Stores words of one half of each 16 bytes as floats. Words after 0x4b00 are floats that are 2^23 larger. */
GF_BYTE_VECTORS GF_INLINE void store_floats(words v, int half, float scale, float *to)
{
    const words top = (words){ 0 } + 0x4b00;
    words position;
    gf_float_vector f;

    for (int i = 0; i < SIZE / 2; i++)
        position[i] = (uint16_t)(i / 8 * 8 + half * 4 + i % 8 / 2 + i % 2 * SIZE / 2);
    f = ((gf_float_vector)__builtin_shuffle(v, top, position) - (8388608.0f + BIAS)) * scale;
    memcpy(to, &f, sizeof f);
}

/* Loads samples so that two steps of interleaving put them in order: as a square of 4 by 4 words of 4 bytes, turned. */
GF_BYTE_VECTORS GF_INLINE gf_byte_vector load_turned(const uint8_t *from)
{
    integers v, position;

    for (int i = 0; i < FLOATS; i++)
        position[i] = (uint32_t)(i % 4 * 4 + i / 4);
    memcpy(&v, from, sizeof v);
    return (gf_byte_vector)__builtin_shuffle(v, position);
}

/*
 * Sums a vector of samples. The limits of find_rows() keep the sums of pairs below 2^15, and all sums, with the bias,
 * from 0 to 2^16. Such a sum is an exact float, before it is scaled.
 */
GF_BYTE_VECTORS GF_INLINE void sum_vector(const struct rows *r, int taps, int64_t at, words upper, words lower,
                                          float *to)
{
    const gf_byte_vector a = load_turned(r->row[0] + at), b = load_turned(r->row[1] + at);
    const float scale = r->scale;
    words v[2];

    v[0] = sum_pairs(interleave(a, b, 0), upper) + BIAS;
    v[1] = sum_pairs(interleave(a, b, 1), upper) + BIAS;
    if (taps > 2) {
        const gf_byte_vector c = load_turned(r->row[2] + at), d = load_turned(r->row[3] + at);

        v[0] += sum_pairs(interleave(c, d, 0), lower);
        v[1] += sum_pairs(interleave(c, d, 1), lower);
    }
    for (int i = 0; i < 4; i++)
        store_floats(v[i / 2], i % 2, scale, to + i * FLOATS);
}

/*
 * Sums samples [from, from + n) and a few around them. The last vector of a row begins before `from`, if it must: there
 * is a vector of space before `to`, and one after its n floats.
 */
GF_BYTE_VECTORS GF_INLINE void sum_samples(const struct rows *r, int taps, int64_t from, int64_t n, float *to)
{
    const words zero = { 0 };
    const words upper = zero + (uint16_t)((uint8_t)r->weight[0] | (uint8_t)r->weight[1] << 8);
    const words lower = zero + (uint16_t)((uint8_t)r->weight[2] | (uint8_t)r->weight[3] << 8);

    for (int64_t s = from; s < from + n; s += SIZE) {
        const int64_t at = s <= r->samples - SIZE ? s : r->samples - SIZE;

        sum_vector(r, taps, at, upper, lower, to + (at - from));
    }
}

/* ---- sums along a row ---- */

/* Returns where the bytes of the result are after their phases were joined, and packed in halves of 16 bytes. */
GF_BYTE_VECTORS GF_INLINE gf_byte_vector find_positions(int channels)
{
    gf_byte_vector position;

    for (int i = 0; i < SIZE; i++) {
        const int pixel = i / channels, sample = pixel / 2 * channels + i % channels;

        position[i] = (uint8_t)((sample % FLOATS / 4 * 16 + sample / FLOATS * 8 + sample % 4 * 2 + pixel % 2) % SIZE);
    }
    return position;
}

/*
 * Doubles n inputs of all channels together, at least a step of two vectors, but whole pixels. All vectors are stored
 * whole, except the last one.
 */
GF_BYTE_VECTORS GF_INLINE void double_samples(const struct columns *c, int count, int channels, const float *s,
                                              int64_t n, uint8_t *to)
{
    const gf_byte_vector position = find_positions(channels);
    const int step = 2 * FLOATS / channels * channels;
    float first[ROWS], second[ROWS];

    memcpy(first, c->first, (size_t)count * sizeof *first);
    memcpy(second, c->second, (size_t)count * sizeof *second);
    for (int64_t x = 0; x < n; x += step) {
        const int64_t at = x + step <= n ? x : n - step;             /* the last one overlaps the previous one */
        const gf_word_vector low = gf_resize_double_vector(first, second, s + at, count, channels, 255.0f);
        const gf_word_vector high = gf_resize_double_vector(first, second, s + at + FLOATS, count, channels, 255.0f);
        gf_byte_vector bytes = (gf_byte_vector)__builtin_ia32_packuswb512_mask(low, high, (chars){ 0 }, ~0ull);

        bytes = __builtin_shuffle(bytes, position);
        if (at + step < n)
            memcpy(to + 2 * at, &bytes, sizeof bytes);
        else
            memcpy(to + 2 * at, &bytes, 2 * (size_t)step);
    }
}

/* Doubles n samples from `from` on, the first input of the first result. The result goes to `to`. */
GF_BYTE_VECTORS GF_INLINE void double_row_of(const struct rows *r, const struct columns *c, int count, int channels,
                                             int64_t from, int64_t n, uint8_t *to)
{
    const int step = 2 * FLOATS / channels * channels;
    _Alignas(64) float sums[SIZE + PIECE + BESIDE + SIZE];

    for (int64_t at = 0; at < n; at += PIECE) {
        const int64_t start = n - at < step ? n - step : at, some = n - start < PIECE ? n - start : PIECE;

        sum_samples(r, count, from + start, some + count * channels, sums + SIZE);
        double_samples(c, count, channels, sums + SIZE, some, to + 2 * start);
    }
}

#define DOUBLE_ROW(name, count)                                                                               \
    GF_BYTE_VECTORS                                                                                           \
    static void name(const struct rows *r, const struct columns *c, int channels, int64_t from, int64_t n,    \
                     uint8_t *to)                                                                             \
    {                                                                                                         \
        switch (channels) {                                                                                   \
        case 1: double_row_of(r, c, count, 1, from, n, to); break;                                            \
        case 2: double_row_of(r, c, count, 2, from, n, to); break;                                            \
        case 3: double_row_of(r, c, count, 3, from, n, to); break;                                            \
        default: double_row_of(r, c, count, 4, from, n, to); break;                                           \
        }                                                                                                     \
    }
DOUBLE_ROW(double_row_linear, 2)
DOUBLE_ROW(double_row_cubic, 4)
#undef DOUBLE_ROW

/* ---- rows ---- */

static const float *x_entry(const struct gf_resize_rows *j, int64_t x)
{
    return j->x_entries + x * gf_resize_stride(&j->r->x);
}

/* Finds the rows that row y needs. Returns false unless they are `taps` rows with weights that are exact in words. */
static bool find_rows(const struct gf_resize_rows *j, int64_t y, int taps, struct rows *r)
{
    const float *entry = j->y_entries + y * gf_resize_stride(&j->r->y);
    int below = 0, above = 0;

    if ((int)entry[1] != taps)
        return false;
    *r = (struct rows) { .samples = j->src.width, .taps = taps, .scale = j->scale / ONE };
    for (int k = 0; k < taps; k++) {
        const float weight = entry[GF_RESIZE_ENTRY + k] * ONE;

        if (fabsf(weight) > 127.0f || weight != truncf(weight))
            return false;
        r->row[k] = (const uint8_t *)j->src.data + ((int64_t)entry[0] + k - j->src.span.start) * j->src.pitch_samples;
        r->weight[k] = (int8_t)weight;
        *(weight < 0.0f ? &below : &above) += (int)weight;
    }
    for (int k = 0; k < taps; k += 2)                    /* sums of pairs are limited to 2^15 - 1 */
        if (abs(r->weight[k]) + abs(r->weight[k + 1]) > ONE)
            return false;
    return below * 255 + BIAS >= 0 && above * 255 + BIAS <= UINT16_MAX;
}

/* Returns the first input of the last vector of a row, where a pixel begins. */
static int64_t last_pixels(const struct gf_resize_rows *j)
{
    return j->r->x.in - SIZE / j->channels;
}

GF_BYTE_VECTORS
static void sum_end(const struct rows *r, int64_t from, int64_t n, float *to)
{
    if (r->taps == 2)
        sum_samples(r, 2, from, n, to);
    else
        sum_samples(r, 4, from, n, to);
}

/* Computes pixels [from, to) at an end of a row, which have weights of their own. */
static void make_end(const struct gf_resize_rows *j, const struct rows *r, int64_t from, int64_t to, uint8_t *out)
{
    const int64_t left = from == 0 ? 0 : last_pixels(j);
    const struct gf_resize_few few = { x_entry(j, from), gf_resize_stride(&j->r->x), left, j->channels, 255.0f };
    float sums[3 * SIZE];

    if (from == to)
        return;
    sum_end(r, left * j->channels, SIZE / j->channels * j->channels, sums + SIZE);
    gf_resize_few(&few, sums + SIZE, to - from, GF_U8, out + from * j->channels);
}

/* Returns the first pixel of the result after those whose weights repeat. */
static int64_t end_of_periods(const struct gf_resize_period *p)
{
    return p->first + 2 * p->periods;
}

/* Returns true if the pixels at both ends of a row need no inputs beside the vectors there. */
static bool has_short_ends(const struct gf_resize_rows *j, const struct gf_resize_period *p)
{
    const float *last = p->first > 0 ? x_entry(j, p->first - 1) : NULL;
    const float *next = end_of_periods(p) < j->r->x.out ? x_entry(j, end_of_periods(p)) : NULL;

    return (last == NULL || (int64_t)last[0] + (int64_t)last[1] <= SIZE / j->channels)
           && (next == NULL || (int64_t)next[0] >= last_pixels(j));
}

bool gf_resize_double_fits(const struct gf_resize_rows *j, const struct gf_resize_period *p)
{
    const float *a = x_entry(j, p->first), *b = a + gf_resize_stride(&j->r->x);

    return gf_runs_byte_vectors() && j->planes == NULL && j->src.type == GF_U8 && j->dst.type == GF_U8
        && j->scale == 1.0f / 255.0f && j->dst.maxval == 255 && j->r->y.taps > 0 && j->r->y.out == 2 * j->r->y.in
        && p->in == 1 && p->out == 2
        && (a[1] == 2 || a[1] == 4) && b[1] == a[1] && (int64_t)b[0] == (int64_t)a[0] + 1
        && j->src.width >= SIZE && p->periods * j->channels >= 2 * FLOATS && has_short_ends(j, p);
}

bool gf_resize_double_row(const struct gf_resize_rows *j, const struct gf_resize_period *p, int64_t y)
{
    const float *entry = x_entry(j, p->first);
    const struct columns columns = { entry + GF_RESIZE_ENTRY, entry + gf_resize_stride(&j->r->x) + GF_RESIZE_ENTRY };
    uint8_t *to = (uint8_t *)j->dst.data + (y - j->dst.span.start) * j->dst.pitch_samples;
    struct rows r;

    if (!find_rows(j, y, (int)entry[1], &r))
        return false;
    (r.taps == 2 ? double_row_linear : double_row_cubic)(&r, &columns, j->channels, (int64_t)entry[0] * j->channels,
                                                         p->periods * j->channels, to + p->first * j->channels);
    make_end(j, &r, 0, p->first, to);
    make_end(j, &r, end_of_periods(p), j->r->x.out, to);
    return true;
}
#else
bool gf_resize_double_fits(const struct gf_resize_rows *j, const struct gf_resize_period *p)
{
    (void)j;
    (void)p;
    return false;
}

bool gf_resize_double_row(const struct gf_resize_rows *j, const struct gf_resize_period *p, int64_t y)
{
    (void)j;
    (void)p;
    (void)y;
    return false;
}
#endif
