/* Makes lines of floats from rows of a block, adds them up, and takes them apart and together again. */
#include "kernels/geometry/resize_lines.h"

#include "base/clones.h"
#include "kernels/base/byte_shuffle.h"

#include <math.h>
#include <string.h>

/* Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower. */
GF_KEEP_LOOPS_APART

#define BLOCK 64                         /* outputs whose sums stay in registers */
#define PIXELS 256                       /* pixels whose channels are separated as bytes at a time */
#define VECTOR 64                        /* bytes that are separated together */

/* ---- integers to floats ---- */

GF_CLONES
static void bytes_to_floats(const uint8_t *restrict s, int step, int64_t n, float *restrict to)
{
    if (step == 1)
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[i];
    else
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[i * step];
}

GF_CLONES
static void words_to_floats(const uint16_t *restrict s, int step, int64_t n, float *restrict to)
{
    if (step == 1)
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[i];
    else
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[i * step];
}

/* Separates the channels as bytes, which is faster than as floats. */
static void widen_colors(const uint8_t *s, int channels, int64_t n, float *const *to)
{
    uint8_t part[GF_RESIZE_CHANNELS][PIXELS];

    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < PIXELS ? n - at : PIXELS;
        if (m < PIXELS && m % VECTOR != 0 && at > VECTOR) {     /* the last vector overlaps the previous one */
            at -= VECTOR - m % VECTOR;
            m = n - at;
        }
        if (channels == 3)
            gf_split_rgb(s + 3 * at, m, part[0], part[1], part[2]);
        else
            gf_split_rgba(s + 4 * at, m, part[0], part[1], part[2], part[3]);
        for (int c = 0; c < channels; c++)
            bytes_to_floats(part[c], 1, m, to[c] + at);
    }
}

static void widen_rgb_words(const uint16_t *s, int64_t n, float *const *to)
{
    uint16_t part[3][PIXELS];

    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < PIXELS ? n - at : PIXELS;
        gf_split_rgb_words(s + 3 * at, m, part[0], part[1], part[2]);
        for (int c = 0; c < 3; c++)
            words_to_floats(part[c], 1, m, to[c] + at);
    }
}

void gf_resize_lines_widen(const struct gf_block *b, int channels, int64_t row, int64_t x, int64_t n, float *const *to)
{
    const int64_t at = (row - b->span.start) * b->pitch_samples + x * channels;

    if (b->type == GF_U8 && channels >= 3)
        widen_colors((const uint8_t *)b->data + at, channels, n, to);
    else if (b->type == GF_U16 && channels == 3)
        widen_rgb_words((const uint16_t *)b->data + at, n, to);
    else
        for (int c = 0; c < channels; c++)
            if (b->type == GF_U8)
                bytes_to_floats((const uint8_t *)b->data + at + c, channels, n, to[c]);
            else
                words_to_floats((const uint16_t *)b->data + at + c, channels, n, to[c]);
}

/* ---- sums ---- */

GF_INLINE void sum_block(const float *const *line, const float *w, int count, float scale, int64_t at,
                         float *restrict out, int n)
{
    float acc[BLOCK];

    for (int i = 0; i < n; i++)
        acc[i] = 0.0f;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n; i++)
            acc[i] = fmaf(w[k], line[k][at + i], acc[i]);
    for (int i = 0; i < n; i++)
        out[at + i] = (0.0f + acc[i]) * scale;           /* the sum of one chain; no result is -0 */
}

GF_CLONES
static void sum_lines(const float *const *line, const float *w, int count, float scale, int64_t n, float *out)
{
    int64_t x = 0;

    for (; x + BLOCK <= n; x += BLOCK)
        sum_block(line, w, count, scale, x, out, BLOCK);
    if (x < n && n >= BLOCK)                             /* the last block overlaps the previous one */
        sum_block(line, w, count, scale, n - BLOCK, out, BLOCK);
    else if (x < n)
        sum_block(line, w, count, scale, 0, out, (int)n);
}

void gf_resize_lines_sum(const float *const *line, const float *w, int count, float scale, int64_t n,
                         float *out)
{
    sum_lines(line, w, count, scale, n, out);
}

/* ---- apart and together ---- */

/*
 * Copies n pixels. If there are three samples, all pixels except the last one are copied as four samples: the fourth
 * one is overwritten by the next pixel.
 */
GF_INLINE void copy_pixels(const float *restrict from, int64_t from_step, int64_t n, int unit, float *restrict to,
                           int64_t to_step)
{
    const size_t sample = sizeof *to;

    for (int64_t i = 0; i + 1 < n; i++)
        memcpy(to + i * to_step, from + i * from_step, (size_t)(unit == 3 ? 4 : unit) * sample);
    if (n > 0)
        memcpy(to + (n - 1) * to_step, from + (n - 1) * from_step, (size_t)unit * sample);
}

/* Constants let the compiler vectorize. */
GF_CLONES
static void take_lines(const float *from, int step, int64_t n, int unit, float *to)
{
    switch (unit) {
    case 1:
        if (step == 2)
            copy_pixels(from, 2, n, 1, to, 1);
        else
            copy_pixels(from, step, n, 1, to, 1);
        break;
    case 2: copy_pixels(from, 2 * step, n, 2, to, 2); break;
    case 3: copy_pixels(from, 3 * step, n, 3, to, 3); break;
    default: copy_pixels(from, 4 * step, n, 4, to, 4); break;
    }
}

void gf_resize_lines_take(const float *from, int step, int64_t n, int unit, float *to)
{
    take_lines(from, step, n, unit, to);
}

GF_INLINE void join_pixels(const float *restrict from, int64_t pitch, int step, int64_t n, int unit,
                           float *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        for (int p = 0; p < step; p++)
            memcpy(to + (i * step + p) * unit, from + p * pitch + i * unit, (size_t)unit * sizeof *to);
}

/* Each pixel is copied as four samples, the fourth one of which is overwritten by the next pixel. */
GF_INLINE void join_three(const float *restrict from, int64_t pitch, int step, int64_t n, float *restrict to)
{
    for (int64_t i = 0; i + 1 < n; i++)
        for (int p = 0; p < step; p++)
            memcpy(to + 3 * (i * step + p), from + p * pitch + 3 * i, 4 * sizeof *to);
    join_pixels(from + 3 * (n - 1), pitch, step, 1, 3, to + 3 * (n - 1) * step);
}

GF_CLONES
static void join_lines(const float *from, int64_t pitch, int step, int64_t n, int unit, float *to)
{
    switch (unit) {
    case 1:
        if (step == 2)
            join_pixels(from, pitch, 2, n, 1, to);
        else
            join_pixels(from, pitch, step, n, 1, to);
        break;
    case 2: join_pixels(from, pitch, step, n, 2, to); break;
    case 3:
        if (step == 2)
            join_three(from, pitch, 2, n, to);
        else
            join_three(from, pitch, step, n, to);
        break;
    default: join_pixels(from, pitch, step, n, 4, to); break;
    }
}

void gf_resize_lines_join(const float *from, int64_t pitch, int step, int64_t n, int unit, float *to)
{
    join_lines(from, pitch, step, n, unit, to);
}

void gf_resize_lines_join_bytes(const uint8_t *line, int64_t pitch, int channels, int64_t n, uint8_t *to)
{
    switch (channels) {
    case 1:
        memcpy(to, line, (size_t)n);
        break;
    case 2:
        for (int64_t i = 0; i < n; i++) {
            to[2 * i] = line[i];
            to[2 * i + 1] = line[pitch + i];
        }
        break;
    case 3: gf_join_rgb(line, line + pitch, line + 2 * pitch, n, to); break;
    default: gf_join_rgba(line, line + pitch, line + 2 * pitch, line + 3 * pitch, n, to); break;
    }
}
