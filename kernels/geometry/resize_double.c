/*
 * Doubles lines of floats. Both phases of the result read the same inputs, which are loaded once, and the sums go from
 * registers into the result: rounded, and already joined.
 */
#include "kernels/geometry/resize_lines.h"

#include "base/clones.h"
#include "kernels/geometry/resize.h"
#include "kernels/geometry/resize_double_vector.h"

#include <math.h>
#include <string.h>

/* Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower. */
GF_KEEP_LOOPS_APART

#define BLOCK 32                         /* inputs whose sums stay in registers */
#define MOST GF_RESIZE_DOUBLE_MOST

/* Computes the sums of both phases for n inputs. `count` is a constant in the calls that matter. */
GF_INLINE void sum_phases(const float *first, const float *second, const float *s, int count, float *restrict a,
                          float *restrict b, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = fmaf(first[0], s[i], 0.0f);
        b[i] = 0.0f;
    }
    for (int k = 1; k < count; k++)
        for (int i = 0; i < n; i++) {
            const float v = s[k + i];

            a[i] = fmaf(first[k], v, a[i]);
            b[i] = fmaf(second[k - 1], v, b[i]);
        }
    for (int i = 0; i < n; i++)
        b[i] = fmaf(second[count - 1], s[count + i], b[i]);
}

/*
 * Rounds v·one as gf_store_pixels() does, into the low 16 bits: the sum with 2^23 has no fraction, and rounds to
 * nearest, ties to even. That takes one instruction less than to round and to convert.
 */
GF_INLINE uint32_t rounded(float v, float one)
{
    const float t = (v > 0.0f ? v : 0.0f) * one, sum = (t < one ? t : one) + 8388608.0f;
    uint32_t bits;

    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

GF_INLINE void join_bytes(const float *a, const float *b, float one, uint8_t *to, int n)
{
    uint16_t pair[BLOCK];

    for (int i = 0; i < n; i++)
        pair[i] = (uint16_t)((rounded(a[i], one) & 255) | rounded(b[i], one) << 8);
    memcpy(to, pair, (size_t)n * sizeof *pair);
}

GF_INLINE void join_words(const float *a, const float *b, float one, uint16_t *to, int n)
{
    uint32_t pair[BLOCK];

    for (int i = 0; i < n; i++)
        pair[i] = (rounded(a[i], one) & 65535) | rounded(b[i], one) << 16;
    memcpy(to, pair, (size_t)n * sizeof *pair);
}

GF_INLINE void join_floats(const float *a, const float *b, float one, float *to, int n)
{
    (void)one;
    for (int i = 0; i < n; i++) {
        to[2 * i] = 0.0f + a[i];                         /* the sum of one chain; no result is -0 */
        to[2 * i + 1] = 0.0f + b[i];
    }
}

#define DOUBLE(scope, name, ctype, join)                                                                      \
    GF_INLINE void name##_of(const struct gf_resize_double *d, const float *s, int count, int64_t n, ctype *out) \
    {                                                                                                         \
        float a[BLOCK], b[BLOCK], first[MOST], second[MOST];                                                  \
        int64_t x = 0;                                                                                        \
                                                                                                              \
        memcpy(first, d->first, (size_t)count * sizeof *first);                                               \
        memcpy(second, d->second, (size_t)count * sizeof *second);                                            \
        for (; x + BLOCK <= n; x += BLOCK) {                                                                  \
            sum_phases(first, second, s + x, count, a, b, BLOCK);                                                \
            join(a, b, d->one, out + 2 * x, BLOCK);                                                           \
        }                                                                                                     \
        if (x < n && n >= BLOCK) {           /* the last block overlaps the previous one */                  \
            sum_phases(first, second, s + n - BLOCK, count, a, b, BLOCK);                                        \
            join(a, b, d->one, out + 2 * (n - BLOCK), BLOCK);                                                 \
        } else if (x < n) {                                                                                   \
            sum_phases(first, second, s, count, a, b, (int)n);                                                   \
            join(a, b, d->one, out, (int)n);                                                                  \
        }                                                                                                     \
    }                                                                                                         \
    GF_CLONES                                                                                                 \
    static void name##_clones(const struct gf_resize_double *d, const float *s, int64_t n, ctype *out)        \
    {                                                                                                         \
        switch (d->count) {                                                                                   \
        case 2: name##_of(d, s, 2, n, out); break;                                                            \
        case 4: name##_of(d, s, 4, n, out); break;                                                            \
        default: name##_of(d, s, 6, n, out); break;                                                           \
        }                                                                                                     \
    }                                                                                                         \
                                                                                                              \
    scope void name(const struct gf_resize_double *d, const float *s, int64_t n, ctype *out)                  \
    {                                                                                                         \
        name##_clones(d, s, n, out);                                                                          \
    }
DOUBLE(static, double_bytes, uint8_t, join_bytes)
DOUBLE(, gf_resize_double_words, uint16_t, join_words)
DOUBLE(, gf_resize_double_floats, float, join_floats)
#undef DOUBLE

/* ---- bytes of bytes ---- */

#ifdef GF_HAS_BYTE_VECTORS
#define FLOATS ((int64_t)(sizeof(gf_float_vector) / sizeof(float)))

/* Doubles one vector as sum_phases() and join_bytes() do. */
GF_BYTE_VECTORS GF_INLINE void double_vector(const float *first, const float *second, const float *s, int count,
                                             float one, uint8_t *to)
{
    const gf_word_vector zero = { 0 }, most = zero + (int16_t)one;
    gf_word_vector w = gf_resize_double_vector(first, second, s, count, 1, one);
    gf_byte_vector bytes, position = { 0 };

    w = (gf_word_vector)__builtin_ia32_pmaxsw512_mask(w, zero, zero, ~0u);
    w = (gf_word_vector)__builtin_ia32_pminsw512_mask(w, most, zero, ~0u);
    for (int i = 0; i < 2 * FLOATS; i++)
        position[i] = (uint8_t)(2 * i);
    bytes = __builtin_shuffle((gf_byte_vector)w, position);
    memcpy(to, &bytes, 2 * FLOATS);
}

GF_BYTE_VECTORS GF_INLINE void double_vectors_of(const struct gf_resize_double *d, const float *s, int count, int64_t n,
                                                 uint8_t *out)
{
    float first[MOST], second[MOST];

    memcpy(first, d->first, (size_t)count * sizeof *first);
    memcpy(second, d->second, (size_t)count * sizeof *second);
    for (int64_t x = 0; x < n; x += FLOATS) {
        const int64_t at = n - x < FLOATS ? n - FLOATS : x;      /* the last vector overlaps the previous one */

        double_vector(first, second, s + at, count, d->one, out + 2 * at);
    }
}

GF_BYTE_VECTORS
static void double_vectors(const struct gf_resize_double *d, const float *s, int64_t n, uint8_t *out)
{
    switch (d->count) {
    case 2: double_vectors_of(d, s, 2, n, out); break;
    case 4: double_vectors_of(d, s, 4, n, out); break;
    default: double_vectors_of(d, s, 6, n, out); break;
    }
}
#endif

void gf_resize_double_bytes(const struct gf_resize_double *d, const float *s, int64_t n, uint8_t *out)
{
#ifdef GF_HAS_BYTE_VECTORS
    if (d->bytes && n >= FLOATS && gf_runs_byte_vectors()) {
        double_vectors(d, s, n, out);
        return;
    }
#endif
    double_bytes(d, s, n, out);
}

/* ---- single outputs ---- */

/* Stores one value as a sample of a type. */
GF_INLINE void store_one(float v, float one, enum gf_type type, void *out, int64_t i)
{
    if (type == GF_U8)
        ((uint8_t *)out)[i] = (uint8_t)rounded(v, one);
    else if (type == GF_U16)
        ((uint16_t *)out)[i] = (uint16_t)rounded(v, one);
    else
        ((float *)out)[i] = 0.0f + v;                    /* the sum of one chain; no result is -0 */
}

GF_CLONES
static void sum_few(const struct gf_resize_few *f, const float *inputs, int64_t n, enum gf_type type, void *out)
{
    const float *entry = f->entries;

    for (int64_t i = 0; i < n; i++, entry += f->stride)
        for (int c = 0; c < f->unit; c++) {
            const float *in = inputs + ((int64_t)entry[0] - f->left) * f->unit + c, *w = entry + GF_RESIZE_ENTRY;
            float acc = 0.0f;

            for (int k = 0; k < (int)entry[1]; k++)
                acc = fmaf(w[k], in[k * f->unit], acc);
            store_one(acc, f->one, type, out, i * f->unit + c);
        }
}

void gf_resize_few(const struct gf_resize_few *f, const float *inputs, int64_t n, enum gf_type type, void *out)
{
    sum_few(f, inputs, n, type, out);
}
