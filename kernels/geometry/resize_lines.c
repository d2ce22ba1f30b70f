/* Makes lines of floats from rows of a block, adds them up, and takes them apart and together again. */
#include "kernels/geometry/resize_lines.h"

#include "base/clones.h"
#include "kernels/base/byte_shuffle.h"

#include <math.h>
#include <string.h>

/* Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-loop-unroll-and-jam")
#endif

#define BLOCK 64                         /* outputs whose sums stay in registers */
#define PIXELS 256                       /* pixels whose channels are separated as bytes at a time */

/* ---- integers to floats ---- */

GF_CLONES
static void widen_bytes(const uint8_t *restrict s, int step, int64_t n, float *restrict to)
{
    if (step == 1)
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[i];
    else
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[i * step];
}

GF_CLONES
static void widen_words(const uint16_t *restrict s, int step, int64_t n, float *restrict to)
{
    switch (step) {
    case 1:
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[i];
        break;
    case 3:
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[3 * i];
        break;
    case 4:
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[4 * i];
        break;
    default:
        for (int64_t i = 0; i < n; i++)
            to[i] = (float)s[i * step];
    }
}

/* Separates the channels as bytes, which is faster than as floats. */
static void widen_colors(const uint8_t *s, int channels, int64_t n, float *const *to)
{
    uint8_t part[GF_RESIZE_CHANNELS][PIXELS];

    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < PIXELS ? n - at : PIXELS;
        if (channels == 3)
            gf_split_rgb(s + 3 * at, m, part[0], part[1], part[2]);
        else
            gf_split_rgba(s + 4 * at, m, part[0], part[1], part[2], part[3]);
        for (int c = 0; c < channels; c++)
            widen_bytes(part[c], 1, m, to[c] + at);
    }
}

void gf_resize_lines_widen(const struct gf_block *b, int channels, int64_t row, int64_t x, int64_t n, float *const *to)
{
    const int64_t at = (row - b->span.start) * b->pitch_samples + x * channels;

    if (b->type == GF_U8 && channels >= 3)
        widen_colors((const uint8_t *)b->data + at, channels, n, to);
    else
        for (int c = 0; c < channels; c++)
            if (b->type == GF_U8)
                widen_bytes((const uint8_t *)b->data + at + c, channels, n, to[c]);
            else
                widen_words((const uint16_t *)b->data + at + c, channels, n, to[c]);
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
void gf_resize_lines_sum(const float *const *line, const float *w, int count, float scale, int64_t n, float *out)
{
    int64_t x = 0;

    for (; x + BLOCK <= n; x += BLOCK)
        sum_block(line, w, count, scale, x, out, BLOCK);
    if (x < n && n >= BLOCK)                             /* the last block overlaps the previous one */
        sum_block(line, w, count, scale, n - BLOCK, out, BLOCK);
    else if (x < n)
        sum_block(line, w, count, scale, 0, out, (int)n);
}

/* ---- apart and together ---- */

GF_INLINE void take(const float *restrict from, int step, int64_t n, float *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = from[i * step];
}

/* Constants let the compiler vectorize. */
GF_CLONES
void gf_resize_lines_take(const float *from, int step, int64_t n, float *to)
{
    switch (step) {
    case 2: take(from, 2, n, to); break;
    case 3: take(from, 3, n, to); break;
    case 4: take(from, 4, n, to); break;
    default: take(from, step, n, to); break;
    }
}

GF_INLINE void join(const float *restrict from, int64_t pitch, int step, int64_t n, float *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        for (int p = 0; p < step; p++)
            to[i * step + p] = from[p * pitch + i];
}

GF_CLONES
void gf_resize_lines_join(const float *from, int64_t pitch, int step, int64_t n, float *to)
{
    switch (step) {
    case 2: join(from, pitch, 2, n, to); break;
    case 3: join(from, pitch, 3, n, to); break;
    case 4: join(from, pitch, 4, n, to); break;
    default: join(from, pitch, step, n, to); break;
    }
}

void gf_resize_lines_join_bytes(uint8_t *const *line, int channels, int64_t n, uint8_t *to)
{
    switch (channels) {
    case 1:
        memcpy(to, line[0], (size_t)n);
        break;
    case 2:
        for (int64_t i = 0; i < n; i++) {
            to[2 * i] = line[0][i];
            to[2 * i + 1] = line[1][i];
        }
        break;
    case 3: gf_join_rgb(line[0], line[1], line[2], n, to); break;
    default: gf_join_rgba(line[0], line[1], line[2], line[3], n, to); break;
    }
}
