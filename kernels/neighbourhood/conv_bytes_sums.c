/*
 * Sums of weighted samples between rows of bytes, for separable masks on a CPU. Taps are added in the order of
 * conv_sums.c, which gives the same floats. Bytes are rounded where the sums are, in registers.
 */
#include "kernels/neighbourhood/conv_bytes_sums.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"
#include "kernels/base/pack.h"

#include <math.h>
#include <string.h>

/*
 * Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower, and keeps weights for the
 * next tap in a register each, from which it must spread them again.
 */
GF_KEEP_LOOPS_APART
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-predictive-commoning")
#endif

#define BLOCK GF_CONV_BYTES_BLOCK
#define LONG_BLOCK 64                    /* outputs along a row that are computed together: each load waits less */
#define ROWS GF_CONV_BYTES_ROWS
#define WHOLE 0x1p23f                    /* floats from here to twice as much are whole numbers */

/* ---- along a row ---- */

/* `count` is a constant in every call, so that the sums stay in registers. */
GF_INLINE void sum_along(const float *line, int64_t step, const float *weights, int taps, float *restrict out,
                         int count)
{
    float acc[LONG_BLOCK];
    int k = 0;

    for (int i = 0; i < count; i++)
        acc[i] = 0.0f;
    do {                                     /* a loop that always runs leaves the sums in registers */
        const float *s = line + k * step;

        for (int i = 0; i < count; i++)
            acc[i] = fmaf(weights[k], s[i], acc[i]);
    } while (++k < taps);
    for (int i = 0; i < count; i++)
        out[i] = acc[i];
}

GF_CLONES
static void sum_bytes_along(const float *line, int64_t step, const float *weights, int taps, float *restrict out,
                            int64_t n)
{
    int64_t x = 0;

    for (; x + LONG_BLOCK <= n; x += LONG_BLOCK)
        sum_along(line + x, step, weights, taps, out + x, LONG_BLOCK);
    for (; x < n; x += BLOCK)
        sum_along(line + x, step, weights, taps, out + x, BLOCK);
}

void gf_conv_bytes_along(const float *line, int64_t step, const float *weights, int taps, float *out, int64_t n)
{
    sum_bytes_along(line, step, weights, taps, out, n);
}

/* ---- across rows, with a constant number of samples in a block ---- */

/* The constants of the final step. */
struct finish {
    float one;                           /* the stored value of 1.0 */
    float sample_one, amount, threshold; /* to sharpen: that of the samples, and how */
    bool sharpens;                       /* a constant in every call */
};

GF_INLINE void add_tap(float *acc, float weight, const float *s, int block)
{
    for (int i = 0; i < block; i++)
        acc[i] = fmaf(weight, s[i], acc[i]);
}

/* Replaces the sums of half a block, in the one form that gcc makes vectors of after it has unrolled these loops. */
GF_INLINE void sharpen_short_sums(float *acc, const struct finish *f, const uint8_t *from)
{
    const float one = f->sample_one, inverse = 1.0f / one;
    int32_t whole[BLOCK / 2];

    for (int i = 0; i < BLOCK / 2; i++)
        whole[i] = from[i];
    for (int i = 0; i < BLOCK / 2; i++) {
        const float sample = gf_unit_value((float)whole[i], one, inverse), d = sample - acc[i];

        acc[i] = fabsf(d) > f->threshold ? fmaf(f->amount, d, sample) : sample;
    }
}

/* Replaces sums by the sharpened samples. Compilers keep the sums in registers if each loop is short. */
GF_INLINE void sharpen_sums(float *acc, const struct finish *f, const uint8_t *from, int block)
{
    const float one = f->sample_one, inverse = 1.0f / one;
    int32_t whole[BLOCK];
    float sample[BLOCK], change[BLOCK];

    for (int i = 0; i < block; i++)
        whole[i] = from[i];
    for (int i = 0; i < block; i++)
        sample[i] = gf_unit_value((float)whole[i], one, inverse);
    for (int i = 0; i < block; i++)
        change[i] = sample[i] - acc[i];
    for (int i = 0; i < block; i++)
        change[i] = fabsf(change[i]) > f->threshold ? change[i] : 0.0f;
    for (int i = 0; i < block; i++)
        acc[i] = fmaf(f->amount, change[i], sample[i]);
}

/*
 * Rounds sums to bytes. Floats that are not negative have the order of their bits, which limits them in one
 * instruction; compilers compare and select floats. The sum with WHOLE is rounded to a whole number, whose last
 * byte is the result.
 */
GF_INLINE void round_sums(const float *acc, float one, uint8_t *to, int block)
{
    int32_t bits[BLOCK], most;
    float value[BLOCK];

    memcpy(&most, &one, sizeof most);
    memcpy(bits, acc, (size_t)block * sizeof *bits);
    for (int i = 0; i < block; i++)
        bits[i] = bits[i] > 0 ? bits[i] : 0;
    memcpy(value, bits, (size_t)block * sizeof *value);
    for (int i = 0; i < block; i++)
        value[i] = value[i] * one;
    memcpy(bits, value, (size_t)block * sizeof *bits);
    for (int i = 0; i < block; i++)
        bits[i] = bits[i] < most ? bits[i] : most;
    memcpy(value, bits, (size_t)block * sizeof *value);
    for (int i = 0; i < block; i++)
        value[i] = value[i] + WHOLE;
    memcpy(bits, value, (size_t)block * sizeof *bits);
    for (int i = 0; i < block; i++)
        to[i] = (uint8_t)bits[i];
}

/* Finishes a block of `count` samples; `from` has its samples if it is sharpened. */
GF_INLINE void finish_sums(float *acc, const struct finish *f, const uint8_t *from, uint8_t *to, int64_t count,
                           int block)
{
    uint8_t last[BLOCK] = { 0 };

    if (count >= block) {
        if (f->sharpens)
            block < BLOCK ? sharpen_short_sums(acc, f, from) : sharpen_sums(acc, f, from, block);
        round_sums(acc, f->one, to, block);
        return;
    }
    if (f->sharpens) {
        memcpy(last, from, (size_t)count);
        block < BLOCK ? sharpen_short_sums(acc, f, last) : sharpen_sums(acc, f, last, block);
    }
    round_sums(acc, f->one, last, block);
    memcpy(to, last, (size_t)count);
}

/* Computes a block of one row from x on. */
GF_INLINE void sum_row(const float *const *tap, const float *weights, int taps, const struct finish *f,
                       const uint8_t *from, uint8_t *to, int64_t x, int64_t n, int block)
{
    float a[BLOCK];
    int k = 0;

    for (int i = 0; i < block; i++)
        a[i] = 0.0f;
    do
        add_tap(a, weights[k], tap[k] + x, block);
    while (++k < taps);
    finish_sums(a, f, f->sharpens ? from + x : NULL, to + x, n - x, block);
}

/* Computes a block of four rows from x on. Row r reads taps r to r + taps - 1; taps 3 to taps - 1 are of all rows. */
GF_INLINE void sum_four(const float *const *tap, const float *w, int taps, const struct finish *f,
                        const uint8_t *const *from, uint8_t *const *to, int64_t x, int64_t n, int block)
{
    float a[BLOCK], b[BLOCK], c[BLOCK], d[BLOCK];
    int k = ROWS - 1;

    for (int i = 0; i < block; i++)
        a[i] = b[i] = c[i] = d[i] = 0.0f;
    add_tap(a, w[0], tap[0] + x, block);
    add_tap(a, w[1], tap[1] + x, block);
    add_tap(b, w[0], tap[1] + x, block);
    add_tap(a, w[2], tap[2] + x, block);
    add_tap(b, w[1], tap[2] + x, block);
    add_tap(c, w[0], tap[2] + x, block);
    do {
        add_tap(a, w[k], tap[k] + x, block);
        add_tap(b, w[k - 1], tap[k] + x, block);
        add_tap(c, w[k - 2], tap[k] + x, block);
        add_tap(d, w[k - 3], tap[k] + x, block);
    } while (++k < taps);
    add_tap(b, w[taps - 1], tap[taps] + x, block);
    add_tap(c, w[taps - 2], tap[taps] + x, block);
    add_tap(d, w[taps - 3], tap[taps] + x, block);
    add_tap(c, w[taps - 1], tap[taps + 1] + x, block);
    add_tap(d, w[taps - 2], tap[taps + 1] + x, block);
    add_tap(d, w[taps - 1], tap[taps + 2] + x, block);
    finish_sums(a, f, f->sharpens ? from[0] + x : NULL, to[0] + x, n - x, block);
    finish_sums(b, f, f->sharpens ? from[1] + x : NULL, to[1] + x, n - x, block);
    finish_sums(c, f, f->sharpens ? from[2] + x : NULL, to[2] + x, n - x, block);
    finish_sums(d, f, f->sharpens ? from[3] + x : NULL, to[3] + x, n - x, block);
}

GF_INLINE void sum_one_by_one(const float *const *tap, const float *weights, int taps, const struct finish *f,
                              const uint8_t *const *from, uint8_t *const *to, int rows, int64_t n, int block)
{
    for (int r = 0; r < rows; r++) {
        const uint8_t *samples = f->sharpens ? from[r] : NULL;
        int64_t x = 0;

        for (; x + block <= n; x += block)
            sum_row(tap + r, weights, taps, f, samples, to[r], x, x + block, block);
        if (x < n)
            sum_row(tap + r, weights, taps, f, samples, to[r], x, n, block);
    }
}

GF_INLINE void sum_rows(const float *const *tap, const float *weights, int taps, const struct finish *f,
                        const uint8_t *const *from, uint8_t *const *to, int rows, int64_t n, int block)
{
    int64_t x = 0;

    if (rows < ROWS || taps < ROWS) {
        sum_one_by_one(tap, weights, taps, f, from, to, rows, n, block);
        return;
    }
    for (; x + block <= n; x += block)
        sum_four(tap, weights, taps, f, from, to, x, x + block, block);
    if (x < n)
        sum_four(tap, weights, taps, f, from, to, x, n, block);
}

GF_CLONES
static void sum_bytes_down(const float *const *tap, const float *weights, int taps, float one, uint8_t *const *to,
                           int rows, int64_t n)
{
    const struct finish plain = { .one = one, .sharpens = false };

    sum_rows(tap, weights, taps, &plain, NULL, to, rows, n, BLOCK);
}

GF_CLONES
static void sharpen_bytes_down(const float *const *tap, const float *weights, int taps, float one,
                               const struct gf_conv_bytes_sharpen *s, uint8_t *const *to, int rows, int64_t n)
{
    const struct finish sharpen = { .one = one, .sample_one = s->one, .amount = s->amount, .threshold = s->threshold,
                                    .sharpens = true };

    sum_rows(tap, weights, taps, &sharpen, s->from, to, rows, n, BLOCK);
}

/*
 * Blocks of one vector of 16 floats are faster. In shorter vectors they are slow, because gcc unrolls loops of 16 steps
 * before it looks for vectors.
 */
#ifdef GF_HAS_BYTE_VECTORS
GF_BYTE_VECTORS
static void sum_short_blocks(const float *const *tap, const float *weights, int taps, float one, uint8_t *const *to,
                             int rows, int64_t n)
{
    const struct finish plain = { .one = one, .sharpens = false };

    sum_rows(tap, weights, taps, &plain, NULL, to, rows, n, BLOCK / 2);
}

GF_BYTE_VECTORS
static void sharpen_short_blocks(const float *const *tap, const float *weights, int taps, float one,
                                 const struct gf_conv_bytes_sharpen *s, uint8_t *const *to, int rows, int64_t n)
{
    const struct finish sharpen = { .one = one, .sample_one = s->one, .amount = s->amount, .threshold = s->threshold,
                                    .sharpens = true };

    sum_rows(tap, weights, taps, &sharpen, s->from, to, rows, n, BLOCK / 2);
}
#endif

void gf_conv_bytes_down(const float *const *tap, const float *weights, int taps, float one,
                        const struct gf_conv_bytes_sharpen *sharpen, uint8_t *const *out, int rows, int64_t n)
{
#ifdef GF_HAS_BYTE_VECTORS
    if (gf_runs_byte_vectors()) {
        if (sharpen != NULL)
            sharpen_short_blocks(tap, weights, taps, one, sharpen, out, rows, n);
        else
            sum_short_blocks(tap, weights, taps, one, out, rows, n);
        return;
    }
#endif
    if (sharpen != NULL)
        sharpen_bytes_down(tap, weights, taps, one, sharpen, out, rows, n);
    else
        sum_bytes_down(tap, weights, taps, one, out, rows, n);
}
