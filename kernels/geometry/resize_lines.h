/* Lines of floats on a CPU, one channel each: what a resize by a simple ratio adds up. */
#ifndef GF_KERNELS_RESIZE_LINES_H
#define GF_KERNELS_RESIZE_LINES_H

#include "base/signal.h"

#define GF_RESIZE_CHANNELS 4

/*
 * Copies n pixels of a row of a block of GF_U8 or GF_U16 as floats, stored value by stored value: channel c of pixels
 * from x on goes to to[c]. The samples of `channels` are interleaved.
 */
void gf_resize_lines_widen(const struct gf_block *b, int channels, int64_t row, int64_t x, int64_t n,
                           float *const *to);
/* Sums samples 0 to n - 1 of `count` lines, each with its weight: a chain of fma from 0, times `scale`. */
void gf_resize_lines_sum(const float *const *line, const float *weights, int count, float scale, int64_t n,
                         float *out);
/* Copies every `step`th of n · step pixels of `unit` samples. */
void gf_resize_lines_take(const float *from, int step, int64_t n, int unit, float *to);
/* Joins `step` lines of n pixels each, `pitch` samples apart, pixel by pixel. */
void gf_resize_lines_join(const float *from, int64_t pitch, int step, int64_t n, int unit, float *to);
/* Joins lines of bytes, `pitch` bytes apart, to n pixels of 1 to 4 channels. */
void gf_resize_lines_join_bytes(const uint8_t *line, int64_t pitch, int channels, int64_t n, uint8_t *to);

/*
 * Doubles n samples: sample 2i is the sum of s[i], s[i + 1], … with the first weights, sample 2i + 1 that of
 * s[i + 1], s[i + 2], … with the second ones. Bytes and words are rounded values times `one`.
 */
#define GF_RESIZE_DOUBLE_MOST 6
struct gf_resize_double {
    const float *first, *second;
    int count;                           /* of each: 2, 4 or 6 */
    float one;
    bool bytes;                          /* the samples are sums of bytes, 1 for 255 */
};
void gf_resize_double_bytes(const struct gf_resize_double *d, const float *s, int64_t n, uint8_t *out);
void gf_resize_double_words(const struct gf_resize_double *d, const float *s, int64_t n, uint16_t *out);
void gf_resize_double_floats(const struct gf_resize_double *d, const float *s, int64_t n, float *out);

/* Computes n pixels one by one: those at the ends of a row, whose weights do not repeat. Input `left` is the first. */
struct gf_resize_few {
    const float *entries;
    int64_t stride, left;
    int unit;                            /* samples of a pixel */
    float one;
};
void gf_resize_few(const struct gf_resize_few *f, const float *inputs, int64_t n, enum gf_type type, void *out);

#endif
