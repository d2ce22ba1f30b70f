/* Sums of weighted samples on a CPU, with which all kinds of masks are computed. */
#include "kernels/neighbourhood/conv_sums.h"

#include "base/clones.h"
#include "kernels/base/exact_sum.h"

#include <math.h>
#include <string.h>

/* Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower. */
GF_KEEP_LOOPS_APART

#define BLOCK GF_CONV_SUMS_BLOCK
#define WIDTH 32                         /* outputs of rows that share their taps, whose sums stay in registers */

/*
 * Sets acc to the chain of taps [from, to), starting at 0. `count` is a constant in every call that
 * matters.
 */
GF_INLINE void sum_chain(const float *const *tap, const float *weights, int from, int to, int64_t x,
                         float *acc, int count)
{
    const float *s = tap[from] + x;
    float w = weights[from];

    for (int i = 0; i < count; i++)
        acc[i] = fmaf(w, s[i], 0.0f);
    for (int k = from + 1; k < to; k++) {
        s = tap[k] + x;
        w = weights[k];
        for (int i = 0; i < count; i++)
            acc[i] = fmaf(w, s[i], acc[i]);
    }
}

/* Computes one block of outputs from a single chain. */
GF_INLINE void sum_short(const float *const *tap, const float *weights, int taps, int64_t x,
                         float *restrict out, int count)
{
    float acc[BLOCK];

    sum_chain(tap, weights, 0, taps, x, acc, count);
    for (int i = 0; i < count; i++)
        out[i] = acc[i];
}

/* Computes one block of outputs from chains of `chunk` taps. */
GF_INLINE void sum_long(const float *const *tap, const float *weights, int taps, int chunk, int64_t x,
                        float *restrict out, int count)
{
    float acc[BLOCK], sum[BLOCK], lost[BLOCK];

    sum_chain(tap, weights, 0, chunk, x, sum, count);
    for (int i = 0; i < count; i++)
        lost[i] = 0.0f;
    for (int from = chunk; from < taps; from += chunk) {
        sum_chain(tap, weights, from, from + chunk < taps ? from + chunk : taps, x, acc, count);
        for (int i = 0; i < count; i++)
            gf_exact_sum_add(&sum[i], &lost[i], acc[i]);
    }
    for (int i = 0; i < count; i++)
        out[i] = sum[i] + lost[i];
}

GF_CLONES
static void sum_taps_short(const float *const *tap, const float *weights, int taps, float *restrict out, int64_t n)
{
    int64_t x = 0;

    for (; x + BLOCK <= n; x += BLOCK)
        sum_short(tap, weights, taps, x, out + x, BLOCK);
    if (x < n && n >= BLOCK)                 /* the last block overlaps the previous one */
        sum_short(tap, weights, taps, n - BLOCK, out + n - BLOCK, BLOCK);
    else if (x < n)
        sum_short(tap, weights, taps, x, out + x, (int)(n - x));
}

GF_CLONES
static void sum_taps_long(const float *const *tap, const float *weights, int taps, int chunk,
                          float *restrict out, int64_t n)
{
    int64_t x = 0;

    for (; x + BLOCK <= n; x += BLOCK)
        sum_long(tap, weights, taps, chunk, x, out + x, BLOCK);
    if (x < n && n >= BLOCK)
        sum_long(tap, weights, taps, chunk, n - BLOCK, out + n - BLOCK, BLOCK);
    else if (x < n)
        sum_long(tap, weights, taps, chunk, x, out + x, (int)(n - x));
}

/* Adds taps [from, to) of a row to its sums. */
GF_INLINE void add_taps(const float *const *tap, const float *weights, int from, int to, int64_t x, float *acc)
{
    for (int k = from; k < to; k++)
        for (int i = 0; i < WIDTH; i++)
            acc[i] = fmaf(weights[k], tap[k][x + i], acc[i]);
}

/*
 * Computes a block of three rows from x on. Row r reads taps r to r + taps - 1, so most taps are loaded once for
 * all rows.
 */
GF_INLINE void sum_shared(const float *const *tap, const float *weights, int taps, int64_t x, float *const *out)
{
    float a[WIDTH], b[WIDTH], c[WIDTH];

    for (int i = 0; i < WIDTH; i++)
        a[i] = b[i] = c[i] = 0.0f;
    add_taps(tap, weights, 0, 2, x, a);
    add_taps(tap + 1, weights, 0, 1, x, b);
    for (int k = 2; k < taps; k++) {
        const float *s = tap[k] + x, *w = weights + k;

        for (int i = 0; i < WIDTH; i++) {
            a[i] = fmaf(w[0], s[i], a[i]);
            b[i] = fmaf(w[-1], s[i], b[i]);
            c[i] = fmaf(w[-2], s[i], c[i]);
        }
    }
    add_taps(tap + 1, weights, taps - 1, taps, x, b);
    add_taps(tap + 2, weights, taps - 2, taps, x, c);
    memcpy(out[0] + x, a, sizeof a);
    memcpy(out[1] + x, b, sizeof b);
    memcpy(out[2] + x, c, sizeof c);
}

GF_CLONES
static void sum_taps_shared(const float *const *tap, const float *weights, int taps, float *const *out, int64_t n)
{
    for (int64_t x = 0; x + WIDTH <= n; x += WIDTH)
        sum_shared(tap, weights, taps, x, out);
    if (n % WIDTH != 0)
        sum_shared(tap, weights, taps, n - WIDTH, out);
}

void gf_conv_sums(const float *const *tap, const float *weights, int taps, int chunk, float *restrict out, int64_t n)
{
    if (taps <= chunk)
        sum_taps_short(tap, weights, taps, out, n);
    else
        sum_taps_long(tap, weights, taps, chunk, out, n);
}

void gf_conv_sums_rows(const float *const *tap, const float *weights, int taps, int chunk, float *const *out,
                       int64_t n)
{
    if (taps <= chunk && taps >= GF_CONV_SUMS_ROWS && n >= WIDTH) {
        sum_taps_shared(tap, weights, taps, out, n);
        return;
    }
    for (int r = 0; r < GF_CONV_SUMS_ROWS; r++)
        gf_conv_sums(tap + r, weights, taps, chunk, out[r], n);
}

/* Replaces the sums in `to` by the sharpened samples. */
GF_CLONES
static void sharpen_row(float *restrict to, const float *restrict sample, float amount, float threshold, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float d = sample[i] - to[i];

        to[i] = fabsf(d) > threshold ? fmaf(amount, d, sample[i]) : sample[i];
    }
}

void gf_conv_sums_sharpen(float *to, const float *sample, float amount, float threshold, int64_t n)
{
    sharpen_row(to, sample, amount, threshold, n);
}
