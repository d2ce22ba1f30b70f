/*
 * Separable masks from packed bytes to packed bytes on a CPU. A few hundred columns at a time go from rows of bytes
 * to sums along the row, which stay in a ring of rows, and from there to bytes, so that no float leaves the
 * second-level cache. Several rows of the result share the loads from there. Channels stay interleaved: the taps
 * along a row are whole pixels apart.
 */
#include "kernels/neighbourhood/conv_bytes.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/byte_vector.h"
#include "kernels/base/pack.h"
#include "kernels/neighbourhood/box_bytes.h"

#include <math.h>
#include <string.h>

#define ALONG 64                         /* sums along a row that are computed together; rows are whole blocks */
#define BEYOND 32                        /* bytes that can be read beyond the last block of a line */
#define BLOCK 32                         /* samples that are computed together; rows of floats are whole blocks */
#define ROWS 4                           /* rows of a result that are computed together and load each tap once */

/* The final step of a result: sample + amount · d if |d| > threshold, otherwise the sample; d = sample - sum. */
struct sharpen {
    const uint8_t *from[ROWS];     /* the samples of each row */
    float one;                                   /* the stored value of 1.0 in them */
    float amount, threshold;
};

/*
 * ---- sums along a row of bytes, in vectors of 16 floats ----
 *
 * Bytes become floats in registers, and two vectors are permuted for each tap. Loads from a row of floats would cross
 * cache lines at most taps, which costs more.
 */

#ifdef GF_HAS_BYTE_VECTORS
#define LANES 16
#define VECTORS (ALONG / LANES)

#define TAPS 7                           /* the most that are faster this way */

_Static_assert(BEYOND == 2 * LANES && (TAPS - 1) * 4 <= BEYOND, "lines have their end");

typedef char some_bytes __attribute__((vector_size(LANES)));
typedef int32_t ints __attribute__((vector_size(4 * LANES)));
typedef float floats __attribute__((vector_size(4 * LANES)));

/* The stored value of 1.0: its reciprocal, and what the reciprocal lacks. */
struct unit {
    floats reciprocal, rest;
};

/*
 * Equals gf_unit_value() of 16 bytes: both are within 2^-47 of the quotient before they are rounded, and a quotient of
 * two numbers up to 255 is a float or at least 2^-34 from the middle between two.
 */
GF_BYTE_VECTORS GF_INLINE floats load_units(const uint8_t *from, const struct unit *unit)
{
    some_bytes bytes;
    floats v;

    memcpy(&bytes, from, sizeof bytes);
    v = __builtin_convertvector((ints)__builtin_ia32_pmovzxbd512_mask(bytes, (ints){ 0 }, 0xffff), floats);
    return gf_float_vector_fma(v, unit->reciprocal, v * unit->rest);
}

/* Returns the first of the two vectors that tap k is permuted from. */
GF_INLINE int first_of(int k, int64_t step, int beyond)
{
    return beyond > 1 && k * step > LANES ? 1 : 0;
}

/*
 * `taps` and `beyond` are constants in all calls, so that weights and positions stay in registers. The last tap reads
 * `beyond` more vectors, 1 or 2; `step` is a constant if they are 2.
 */
GF_BYTE_VECTORS GF_INLINE void sum_taps(const uint8_t *line, int64_t step, const float *weights, int taps, int beyond,
                                        const struct unit *unit, float *out, int64_t n)
{
    floats weight[TAPS], v[VECTORS + 2];
    ints position[TAPS];

    for (int k = 0; k < taps; k++) {
        weight[k] = (floats){ 0 } + weights[k];
        for (int i = 0; i < LANES; i++)
            position[k][i] = i + k * (int)step - first_of(k, step, beyond) * LANES;      /* of both vectors */
    }
    for (int i = 0; i < beyond; i++)
        v[VECTORS + i] = load_units(line + i * LANES, unit);
    for (int64_t x = 0; x < n; x += ALONG) {
        floats sum[VECTORS];

        for (int i = 0; i < beyond; i++)
            v[i] = v[VECTORS + i];
        for (int i = 0; i < VECTORS; i++) {
            v[i + beyond] = load_units(line + x + (i + beyond) * LANES, unit);
            sum[i] = gf_float_vector_fma(weight[0], v[i], (floats){ 0 });
        }
        for (int k = 1; k < taps; k++)
            for (int i = 0; i < VECTORS; i++) {
                const floats *two = v + i + first_of(k, step, beyond);

                sum[i] = gf_float_vector_fma(weight[k], __builtin_shuffle(two[0], two[1], position[k]), sum[i]);
            }
        for (int i = 0; i < VECTORS; i++)
            memcpy(out + x + i * LANES, &sum[i], sizeof sum[i]);
    }
}

/*
 * Sets out[i] to the sum over k of weights[k] · line[i + k·step] / one, for n sums and those up to the end of
 * the last block. Sums equal those of sum_bytes_along() from the floats of gf_load_pixels().
 */
GF_BYTE_VECTORS
static void sum_bytes(const uint8_t *line, int64_t step, const float *weights, int taps, float one, float *out,
                      int64_t n)
{
    const float reciprocal = 1.0f / one;
    const struct unit unit = { .reciprocal = (floats){ 0 } + reciprocal,
                               .rest = (floats){ 0 } + (float)(1.0 / (double)one - (double)reciprocal) };

    if (taps == 3)
        sum_taps(line, step, weights, 3, 1, &unit, out, n);
    else if (taps == 5)
        sum_taps(line, step, weights, 5, 1, &unit, out, n);
    else if (step == 3)
        sum_taps(line, 3, weights, TAPS, 2, &unit, out, n);
    else if (step == 4)
        sum_taps(line, 4, weights, TAPS, 2, &unit, out, n);
    else
        sum_taps(line, step, weights, TAPS, 1, &unit, out, n);
}

/* Returns true for 3, 5 or 7 taps and up to four channels, if this processor has the instructions. */
static bool runs_along(int64_t step, int taps)
{
    return (taps == 3 || taps == 5 || taps == TAPS) && step <= 4 && gf_runs_byte_vectors();
}
#else
static bool runs_along(int64_t step, int taps)
{
    (void)step;
    (void)taps;
    return false;
}

static void sum_bytes(const uint8_t *line, int64_t step, const float *weights, int taps, float one, float *out,
                      int64_t n)
{
    (void)line;
    (void)step;
    (void)weights;
    (void)taps;
    (void)one;
    (void)out;
    (void)n;
}
#endif

/*
 * ---- sums along a row of floats, and across rows ----
 *
 * Taps are added in the order of conv.c, which gives the same floats. Bytes are rounded where the sums are, in
 * registers.
 */

/*
 * Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower, and keeps weights for the
 * next tap in a register each, from which it must spread them again.
 */
GF_KEEP_LOOPS_APART
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-predictive-commoning")
#endif

#define LONG_BLOCK 64                    /* outputs along a row that are computed together: each load waits less */
#define WHOLE 0x1p23f                    /* floats from here to twice as much are whole numbers */

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

/*
 * Sets out[i] to the sum over k of weights[k] · line[i + k·step], for n outputs and those up to the end of the last
 * block.
 */
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
                               const struct sharpen *s, uint8_t *const *to, int rows, int64_t n)
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
                                 const struct sharpen *s, uint8_t *const *to, int rows, int64_t n)
{
    const struct finish sharpen = { .one = one, .sample_one = s->one, .amount = s->amount, .threshold = s->threshold,
                                    .sharpens = true };

    sum_rows(tap, weights, taps, &sharpen, s->from, to, rows, n, BLOCK / 2);
}
#endif

/*
 * Computes `rows` rows of n bytes, at most ROWS. Row r is the sum over k of weights[k] · tap[r + k], times `one` (the
 * stored value of 1.0), rounded as gf_store_pixels() does. `sharpen` is NULL for sums without a final step.
 */
static void sum_down(const float *const *tap, const float *weights, int taps, float one,
                        const struct sharpen *sharpen, uint8_t *const *out, int rows, int64_t n)
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

/* ---- a call ---- */

/*
 * Samples of a row of the result that are computed together: whole blocks, and whole pixels of any number of channels.
 * Not 1024 or 2048: stores to rows of the ring that are 4 KB apart make loads wait.
 */
#define TILE 1536
#define CHANNELS 4
#define SPARE (ALONG + BEYOND)
#define LINE (TILE + GF_CONV_CHUNK * CHANNELS + BLOCK)

bool gf_conv_bytes_fits(const struct gf_io *io, const struct gf_conv *conv)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;
    const int channels = src->channels;
    const bool bytes = !src->planar && src->type == GF_U8 && !dst->planar && dst->type == GF_U8;

    return bytes && channels == dst->channels && channels <= CHANNELS && gf_point_is_identity(io->load)
        && gf_point_is_identity(io->store) && !conv->full && conv->mask_channels == 1
        && conv->nx > 0 && conv->nx <= GF_CONV_CHUNK && conv->ny > 0 && conv->ny <= GF_CONV_CHUNK
        && (conv->combine == GF_CONV_PLAIN || (conv->combine == GF_CONV_SHARPEN && conv->combined == channels));
}

/* A padded line, and a ring of sums along the rows. */
size_t gf_conv_bytes_scratch(const struct gf_conv *conv)
{
    const size_t sums = (size_t)(LINE + (conv->ny + ROWS - 1) * TILE) * sizeof(float);
    const size_t mean = conv->nx <= GF_BOX_BYTES_WEIGHTS ? gf_box_bytes_scratch(conv->nx / 2) : 0;

    return sums > mean ? sums : mean;
}

/* Returns true if the mask is the mean of a square around the pixel, which integers give, too. */
static bool is_mean(const struct gf_io *io, const struct gf_conv *conv, const float *x, const float *y)
{
    const float weight = 1.0f / (float)conv->nx;

    if (conv->nx != conv->ny || conv->nx % 2 == 0 || conv->nx > GF_BOX_BYTES_WEIGHTS || conv->cx != conv->nx / 2
        || conv->cy != conv->cx || conv->combine != GF_CONV_PLAIN || !gf_box_bytes_fits(io, conv->cx))
        return false;
    for (int k = 0; k < conv->nx; k++)
        if (x[k] != weight || y[k] != weight)
            return false;
    return true;
}

struct conv_bytes_job {
    const struct gf_conv *conv;
    const float *x_weights, *y_weights;
    struct gf_block src, dst;            /* all samples of a row as one channel */
    int channels;
    int64_t width, units;                /* pixels of a row, rows of the signal */
    float *line, *ring;
    int rows;                            /* of the ring */
    bool short_taps;                     /* bytes are summed along the rows without a line of floats */
};

/* Loads n pixels of row y from x on, and those beyond the ends of the row. */
static void load_line(const struct conv_bytes_job *j, int64_t y, int64_t x, int64_t n, float *to)
{
    const int c = j->channels;
    const int64_t first = x < 0 ? (-x < n ? -x : n) : 0, end = x + n > j->width ? j->width - x : n;

    for (int64_t i = 0; i < n; i++) {
        float *pixel = to + i * c;
        int64_t at;

        if (i == first && first < end) {
            gf_load_pixels(&j->src, y, (x + first) * c, (end - first) * c, &pixel);
            i = end - 1;
            continue;
        }
        at = gf_border_index(j->conv->border, x + i, j->width);
        if (at < 0)
            memset(pixel, 0, (size_t)c * sizeof *pixel);
        else
            gf_load_pixels(&j->src, y, at * c, c, &pixel);
    }
}

static uint8_t *bytes_at(const struct gf_block *b, int64_t y, int64_t sample)
{
    return (uint8_t *)b->data + (y - b->span.start) * b->pitch_samples + sample;
}

/*
 * Returns n pixels of row y from x on as bytes, and at least SPARE bytes after them: in the row itself, or copied if
 * any are beyond its ends.
 */
static const uint8_t *find_bytes(const struct conv_bytes_job *j, int64_t y, int64_t x, int64_t n, uint8_t *copy)
{
    const int c = j->channels;
    const uint8_t *row = bytes_at(&j->src, y, 0);

    if (x >= 0 && (x + n) * c + SPARE <= j->width * c)
        return row + x * c;
    gf_border_copy(row, j->width, (size_t)c, j->conv->border, x, n, copy);
    memset(copy + n * c, 0, SPARE);
    return copy;
}

static float *ring_row(const struct conv_bytes_job *j, int64_t row)
{
    return j->ring + gf_modulo(row, j->rows) * TILE;
}

/* Sums n pixels from x on along row `row`, which may be beyond the first or the last one, into the ring. */
static void fill_ring(const struct conv_bytes_job *j, int64_t row, int64_t x, int64_t n)
{
    const struct gf_conv *conv = j->conv;
    const int64_t at = gf_border_index(conv->border, row, j->units), length = n + conv->nx - 1;

    if (at < 0) {
        memset(ring_row(j, row), 0, TILE * sizeof(float));
        return;
    }
    if (j->short_taps) {
        const uint8_t *bytes = find_bytes(j, at, x - conv->cx, length, (uint8_t *)j->line);

        sum_bytes(bytes, j->channels, j->x_weights, conv->nx, (float)j->src.maxval, ring_row(j, row),
                                 n * j->channels);
        return;
    }
    load_line(j, at, x - conv->cx, length, j->line);
    memset(j->line + length * j->channels, 0, BLOCK * sizeof(float));
    sum_bytes_along(j->line, j->channels, j->x_weights, conv->nx, ring_row(j, row), n * j->channels);
}

/* Computes n pixels from x on of `rows` rows from y on, from the ring. */
static void finish_rows(const struct conv_bytes_job *j, int64_t y, int rows, int64_t x, int64_t n)
{
    const struct gf_conv *conv = j->conv;
    struct sharpen sharpen = { .one = (float)j->src.maxval, .amount = conv->amount,
                                             .threshold = conv->threshold };
    const float *tap[GF_CONV_CHUNK + ROWS - 1];
    uint8_t *to[ROWS];

    for (int k = 0; k < conv->ny + rows - 1; k++)
        tap[k] = ring_row(j, y - conv->cy + k);
    for (int r = 0; r < rows; r++) {
        to[r] = bytes_at(&j->dst, y + r, x * j->channels);
        if (conv->combine == GF_CONV_SHARPEN)
            sharpen.from[r] = bytes_at(&j->src, y + r, x * j->channels);
    }
    sum_down(tap, j->y_weights, conv->ny, (float)j->dst.maxval,
                       conv->combine == GF_CONV_SHARPEN ? &sharpen : NULL, to, rows, n * j->channels);
}

/* Computes n pixels from x on of all rows. */
static void run_tile(const struct conv_bytes_job *j, int64_t x, int64_t n)
{
    const int64_t end = j->dst.span.end;
    int64_t summed = j->dst.span.start - j->conv->cy;

    for (int64_t y = j->dst.span.start; y < end; y += ROWS) {
        const int rows = end - y < ROWS ? (int)(end - y) : ROWS;

        for (; summed < y + rows - 1 + j->conv->ny - j->conv->cy; summed++)
            fill_ring(j, summed, x, n);
        finish_rows(j, y, rows, x, n);
    }
}

static struct gf_block all_as_one(struct gf_block b)
{
    b.width *= b.channels;
    b.channels = 1;
    return b;
}

void gf_conv_bytes_run(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv)
{
    float *at = work->scratch;
    const struct conv_bytes_job j = {
        .conv = conv, .x_weights = work->masks + conv->x_at, .y_weights = work->masks + conv->y_at,
        .src = all_as_one(io->src), .dst = all_as_one(io->dst), .channels = io->src.channels,
        .width = io->src.width, .units = io->src_units,
        .line = at, .ring = at + LINE, .rows = conv->ny + ROWS - 1,
        .short_taps = runs_along(io->src.channels, conv->nx),
    };
    const int64_t most = TILE / j.channels;

    if (is_mean(io, conv, j.x_weights, j.y_weights)) {
        gf_box_bytes_run(io, conv->cx, conv->border, work->scratch);
        return;
    }
    for (int64_t x = 0; x < j.width; x += most)
        run_tile(&j, x, j.width - x < most ? j.width - x : most);
}
