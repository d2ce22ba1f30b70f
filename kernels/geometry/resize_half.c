/*
 * Halves images of bytes on a CPU: each pixel is the mean of four. Two rows are added as integers, which is exact;
 * from there on, the floats are those of the other ways to resize.
 */
#include "kernels/geometry/resize_rows.h"

#include "base/clones.h"

#include <string.h>

#define PIECE 1024                       /* samples of the result that are computed at a time */

/* Returns true if each of the results is the mean of two inputs. */
static bool is_half(const struct gf_resize_axis *axis, const float *entries, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        const float *entry = entries + i * gf_resize_stride(axis);

        if ((int64_t)entry[0] != 2 * i || entry[1] != 2 || entry[GF_RESIZE_ENTRY] != 0.5f
            || entry[GF_RESIZE_ENTRY + 1] != 0.5f)
            return false;
    }
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

void gf_resize_half_row(const struct gf_resize_rows *j, int64_t y)
{
    const int64_t samples = j->r->x.out * j->channels, most = PIECE / j->channels * j->channels;
    const uint8_t *a = (const uint8_t *)j->src.data + (2 * y - j->src.span.start) * j->src.pitch_samples;
    uint8_t *to = (uint8_t *)j->dst.data + (y - j->dst.span.start) * j->dst.pitch_samples;
    uint16_t sums[2 * PIECE + 1], first[PIECE + 1], second[PIECE + 1];
    const float one = (float)j->dst.maxval;

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
