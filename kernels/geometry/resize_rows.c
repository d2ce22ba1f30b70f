/* Rows of a resize on a CPU: sums rows of the source, and stores rows of the result. */
#include "kernels/geometry/resize_rows.h"

#include "base/clones.h"
#include "kernels/base/pack.h"

#include <math.h>
#include <string.h>

/* Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower. */
GF_KEEP_LOOPS_APART

#define BLOCK 64                         /* outputs whose sums stay in registers */

/* Bytes ahead to prefetch in each row: processors do not see that many rows are read in parts. May be past the rows. */
#define AHEAD 256

/*
 * A block of one row: `count` taps that are `pitch` samples apart. `n` is a constant in every call
 * that matters.
 */
#define SUM_ROWS(name, ctype)                                                                                 \
    GF_INLINE void name##_block(const ctype *s, int64_t pitch, const float *w, int count, float scale,        \
                                float *restrict out, int n)                                                   \
    {                                                                                                         \
        float acc[BLOCK], sum[BLOCK];                                                                         \
        int k = 0;                                                                                            \
                                                                                                              \
        for (int i = 0; i < n; i++)                                                                           \
            sum[i] = 0.0f;                                                                                    \
        do {                                                                                                  \
            const int end = count - k > GF_RESIZE_CHUNK ? k + GF_RESIZE_CHUNK : count;                        \
                                                                                                              \
            for (int i = 0; i < n; i++)                                                                       \
                acc[i] = 0.0f;                                                                                \
            for (; k < end; k++, s += pitch) {                                                                \
                if (sizeof *s == 1)          /* a block fills a line of the cache */                          \
                    __builtin_prefetch((const void *)((uintptr_t)s + AHEAD));                                 \
                for (int i = 0; i < n; i++)                                                                   \
                    acc[i] = fmaf(w[k], (float)s[i], acc[i]);                                                 \
            }                                                                                                 \
            for (int i = 0; i < n; i++)                                                                       \
                sum[i] = sum[i] + acc[i];                                                                     \
        } while (k < count);                                                                                  \
        for (int i = 0; i < n; i++)                                                                           \
            out[i] = sum[i] * scale;                                                                          \
    }                                                                                                         \
    GF_CLONES                                                                                                 \
    static void name(const ctype *s, int64_t pitch, const float *w, int count, float scale,                   \
                     float *restrict out, int64_t n)                                                          \
    {                                                                                                         \
        int64_t x = 0;                                                                                        \
                                                                                                              \
        for (; x + BLOCK <= n; x += BLOCK)                                                                    \
            name##_block(s + x, pitch, w, count, scale, out + x, BLOCK);                                      \
        if (x < n && n >= BLOCK)             /* the last block overlaps the previous one */                  \
            name##_block(s + n - BLOCK, pitch, w, count, scale, out + n - BLOCK, BLOCK);                      \
        else if (x < n)                                                                                       \
            name##_block(s, pitch, w, count, scale, out, (int)n);                                             \
    }
SUM_ROWS(sum_rows_u8, uint8_t)
SUM_ROWS(sum_rows_u16, uint16_t)
SUM_ROWS(sum_rows_f32, float)
#undef SUM_ROWS

void gf_resize_rows_load(const struct gf_resize_rows *j, int64_t y, int64_t s, int64_t n, float *out)
{
    const struct gf_block *b = &j->src;
    const float *entry = j->y_entries + y * gf_resize_stride(&j->r->y), *w = entry + GF_RESIZE_ENTRY;
    int64_t at;

    if (j->r->y.taps == 0) {
        memcpy(out, gf_plane_at(b, 0, y) + s, (size_t)n * sizeof *out);
        return;
    }
    at = ((int64_t)entry[0] - b->span.start) * b->pitch_samples + s;
    if (b->type == GF_U8)
        sum_rows_u8((const uint8_t *)b->data + at, b->pitch_samples, w, (int)entry[1], j->scale, out, n);
    else if (b->type == GF_U16)
        sum_rows_u16((const uint16_t *)b->data + at, b->pitch_samples, w, (int)entry[1], j->scale, out, n);
    else
        sum_rows_f32((const float *)b->data + at, b->pitch_samples, w, (int)entry[1], j->scale, out, n);
}

void gf_resize_rows_store(const struct gf_resize_rows *j, int64_t y, int64_t s, int64_t n, const float *row)
{
    const int c = j->channels;

    if (j->planes == NULL) {
        gf_store_pixels(&j->dst, y, s, n, &row);
        return;
    }
    for (int k = 0; k < c; k++) {
        float *to = gf_plane_at(j->planes, k, y) + s / c;

        for (int64_t i = 0; i < n / c; i++)
            to[i] = row[i * c + k];
    }
}
