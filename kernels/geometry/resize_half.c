/*
 * Halves images of bytes on a CPU: each pixel is the mean of four. Two rows are added as integers, which is exact;
 * from there on, the floats are those of the other ways to resize. They decide how a mean halfway between two bytes is
 * rounded.
 */
#include "kernels/geometry/resize_rows.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"

#include <string.h>

#define PIECE 1024                       /* samples of the result that are computed at a time */

/* Returns true if result i is the mean of two inputs. */
static bool is_mean(const struct gf_resize_axis *axis, const float *entries, int64_t i)
{
    const float *entry = entries + i * gf_resize_stride(axis);

    return (int64_t)entry[0] == 2 * i && entry[1] == 2 && entry[GF_RESIZE_ENTRY] == 0.5f
           && entry[GF_RESIZE_ENTRY + 1] == 0.5f;
}

/*
 * Returns true if each of the results is the mean of two inputs. If the axis becomes half as
 * long, all results have the same weights, except at the ends, where inputs are missing. So the two ends decide.
 */
static bool is_half(const struct gf_resize_axis *axis, const float *entries, int64_t from, int64_t to)
{
    if (axis->shrunk == 0 && axis->in == 2 * axis->out)
        return is_mean(axis, entries, 0) && is_mean(axis, entries, axis->out - 1);
    for (int64_t i = from; i < to; i++)
        if (!is_mean(axis, entries, i))
            return false;
    return true;
}

bool gf_resize_half_fits(const struct gf_resize_rows *j, struct gf_span out)
{
    const struct gf_resize *r = j->r;

    return j->planes == NULL && j->src.type == GF_U8 && j->dst.type == GF_U8 && (j->channels == 1 || j->channels == 3)
        && r->x.taps >= 2 && r->y.taps >= 2 && 2 * r->x.out <= r->x.in && 2 * r->y.out <= r->y.in
        && is_half(&r->y, j->y_entries, out.start, out.end) && is_half(&r->x, j->x_entries, 0, r->x.out);
}

GF_CLONES
static void add_byte_rows(const uint8_t *restrict a, const uint8_t *restrict b, int64_t n, uint16_t *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (uint16_t)(a[i] + b[i]);
}

/*
 * Returns the mean of four bytes, whose sums down the rows are `first` and `second`. `quarter` is a quarter of the
 * scale of the bytes; factors of a power of two round nothing, so this is the sum of halves of halves. The sum with
 * 2^23 rounds to nearest, ties to even.
 */
GF_INLINE uint8_t mean_of(uint16_t first, uint16_t second, float quarter, float one)
{
    const float v = ((float)(int32_t)first * quarter + (float)(int32_t)second * quarter) * one;
    const float sum = (v < one ? v : one) + 8388608.0f;
    uint32_t bits;

    memcpy(&bits, &sum, sizeof bits);
    return (uint8_t)bits;
}

GF_CLONES
static void mean_adjacent(const uint16_t *restrict sums, int64_t n, float quarter, float one, uint8_t *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = mean_of(sums[2 * i], sums[2 * i + 1], quarter, one);
}

GF_CLONES
static void mean_lines(const uint16_t *restrict first, const uint16_t *restrict second, int64_t n, float quarter,
                       float one, uint8_t *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = mean_of(first[i], second[i], quarter, one);
}

/* Copies pixels of three samples as four; the fourth one is overwritten by the next pixel. */
GF_CLONES
static void part_pixels(const uint16_t *restrict sums, int64_t pixels, uint16_t *restrict first,
                        uint16_t *restrict second)
{
    for (int64_t i = 0; i < pixels; i++) {
        memcpy(first + 3 * i, sums + 6 * i, 4 * sizeof *first);
        memcpy(second + 3 * i, sums + 6 * i + 3, 4 * sizeof *second);
    }
}

#ifdef GF_HAS_BYTE_VECTORS
#define SIZE ((int)sizeof(gf_byte_vector))
#define MEANS (SIZE / 2)                 /* results of a vector */

typedef uint16_t words __attribute__((vector_size(64)));
typedef float floats __attribute__((vector_size(64)));

/*
 * Returns every word of a half of each 16 bytes as a float, times a factor. Words after 0x4b00 are the bits of floats
 * that are 2^23 larger. The product of that with the factor is exact, so the difference is rounded once, as the product
 * alone would be.
 */
GF_BYTE_VECTORS GF_INLINE floats multiply(words v, int half, float factor)
{
    const words top = (words){ 0 } + 0x4b00;
    words position;

    for (int i = 0; i < SIZE / 2; i++)
        position[i] = (uint16_t)(i / 8 * 8 + half * 4 + i % 8 / 2 + i % 2 * SIZE / 2);
    return (floats)__builtin_ia32_vfmaddps512_mask((floats)__builtin_shuffle(v, top, position), (floats){ 0 } + factor,
                                                   (floats){ 0 } - 8388608.0f * factor, -1, 4);
}

/* Returns floats whose lowest bytes are the means of mean_of(), whose limit they do not reach. */
GF_BYTE_VECTORS GF_INLINE floats means_of(words first, words second, int half, float quarter, float one)
{
    return (multiply(first, half, quarter) + multiply(second, half, quarter)) * one + 8388608.0f;
}

/* Returns the means of adjacent bytes of two rows, in the first half of a vector. */
GF_BYTE_VECTORS GF_INLINE gf_byte_vector mean_vectors(gf_byte_vector a, gf_byte_vector b, float quarter, float one)
{
    const words first = ((words)a & 255) + ((words)b & 255), second = ((words)a >> 8) + ((words)b >> 8);
    const floats v[] = { means_of(first, second, 0, quarter, one), means_of(first, second, 1, quarter, one) };
    gf_byte_vector position = { 0 };

    for (int i = 0; i < MEANS; i++)
        position[i] = (uint8_t)(i / 8 * 16 + i % 4 * 4 + i % 8 / 4 * SIZE);
    return __builtin_shuffle((gf_byte_vector)v[0], (gf_byte_vector)v[1], position);
}

/* Fills the positions that put samples of the same channel of two pixels side by side, from byte `from` on. */
GF_INLINE void find_pairs(int channels, int from, gf_byte_vector *positions)
{
    for (int i = 0; i < SIZE; i++) {
        const int sample = i / 2;

        (*positions)[i] = (uint8_t)(from + sample / channels * 2 * channels + sample % channels + i % 2 * channels);
    }
}

/*
 * Halves a row of at least MEANS samples. Vectors begin and end with pixels of the result, except the last one, which
 * ends with the row. Processors begin to read each row late, so the two rows that are `ahead` of these are requested.
 */
GF_BYTE_VECTORS GF_INLINE void mean_row(const uint8_t *a, const uint8_t *b, int64_t ahead, int64_t samples,
                                        int channels, float quarter, float one, uint8_t *to)
{
    const int some = MEANS / channels * channels;
    gf_byte_vector positions, u, v, m;
    int64_t s = 0;

    find_pairs(channels, 0, &positions);
    for (; s + MEANS <= samples; s += some) {
        __builtin_prefetch(a + 2 * s + ahead);
        __builtin_prefetch(b + 2 * s + ahead);
        memcpy(&u, a + 2 * s, sizeof u);
        memcpy(&v, b + 2 * s, sizeof v);
        if (channels > 1)
            u = __builtin_shuffle(u, positions), v = __builtin_shuffle(v, positions);
        m = mean_vectors(u, v, quarter, one);
        memcpy(to + s, &m, MEANS);
    }
    if (s == samples)
        return;
    find_pairs(channels, SIZE - 2 * some, &positions);
    memcpy(&u, a + 2 * samples - SIZE, sizeof u);
    memcpy(&v, b + 2 * samples - SIZE, sizeof v);
    m = mean_vectors(__builtin_shuffle(u, positions), __builtin_shuffle(v, positions), quarter, one);
    memcpy(to + samples - some, &m, (size_t)some);
}

GF_BYTE_VECTORS
static void mean_row_gray(const uint8_t *a, const uint8_t *b, int64_t ahead, int64_t samples, float quarter, float one,
                          uint8_t *to)
{
    mean_row(a, b, ahead, samples, 1, quarter, one, to);
}

GF_BYTE_VECTORS
static void mean_row_rgb(const uint8_t *a, const uint8_t *b, int64_t ahead, int64_t samples, float quarter, float one,
                         uint8_t *to)
{
    mean_row(a, b, ahead, samples, 3, quarter, one, to);
}
#endif

void gf_resize_half_row(const struct gf_resize_rows *j, int64_t y)
{
    const int64_t samples = j->r->x.out * j->channels, most = PIECE / j->channels * j->channels;
    const uint8_t *a = (const uint8_t *)j->src.data + (2 * y - j->src.span.start) * j->src.pitch_samples;
    uint8_t *to = (uint8_t *)j->dst.data + (y - j->dst.span.start) * j->dst.pitch_samples;
    uint16_t sums[2 * PIECE + 1], first[PIECE + 1], second[PIECE + 1];
    const float one = (float)j->dst.maxval;

#ifdef GF_HAS_BYTE_VECTORS
    const int64_t ahead = 2 * y + 3 < j->src.span.end ? 2 * j->src.pitch_samples : 0;

    /* bytes up to 255: means of others may need the limit */
    if (samples >= MEANS && j->scale == 1.0f / 255.0f && gf_runs_byte_vectors()) {
        (j->channels == 1 ? mean_row_gray : mean_row_rgb)(a, a + j->src.pitch_samples, ahead, samples, 0.25f * j->scale,
                                                          one, to);
        return;
    }
#endif
    for (int64_t s = 0; s < samples; s += most) {
        const int64_t n = samples - s < most ? samples - s : most;

        add_byte_rows(a + 2 * s, a + 2 * s + j->src.pitch_samples, 2 * n, sums);
        if (j->channels == 1) {
            mean_adjacent(sums, n, 0.25f * j->scale, one, to + s);
        } else {
            sums[2 * n] = 0;
            part_pixels(sums, n / 3, first, second);
            mean_lines(first, second, n, 0.25f * j->scale, one, to + s);
        }
    }
}
