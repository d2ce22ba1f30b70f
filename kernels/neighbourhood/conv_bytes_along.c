/*
 * Sums of weighted bytes along a row, in vectors of 16 floats. Bytes become floats in registers, and two vectors are
 * permuted for each tap. Loads from a row of floats would cross cache lines at most taps, which costs more.
 */
#include "kernels/neighbourhood/conv_bytes_along.h"

#include "base/clones.h"
#include "kernels/base/byte_vector.h"

#include <string.h>

#ifdef GF_HAS_BYTE_VECTORS
#define LANES 16
#define VECTORS (GF_CONV_BYTES_ALONG / LANES)

#define TAPS 7                           /* the most that are faster this way */

_Static_assert(GF_CONV_BYTES_BEYOND == 2 * LANES && (TAPS - 1) * 4 <= GF_CONV_BYTES_BEYOND, "lines have their end");

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
    for (int64_t x = 0; x < n; x += GF_CONV_BYTES_ALONG) {
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

bool gf_conv_bytes_along_runs(int64_t step, int taps)
{
    return (taps == 3 || taps == 5 || taps == TAPS) && step <= 4 && gf_runs_byte_vectors();
}

void gf_conv_bytes_load_along(const uint8_t *line, int64_t step, const float *weights, int taps, float one, float *out,
                              int64_t n)
{
    sum_bytes(line, step, weights, taps, one, out, n);
}
#else
bool gf_conv_bytes_along_runs(int64_t step, int taps)
{
    (void)step;
    (void)taps;
    return false;
}

void gf_conv_bytes_load_along(const uint8_t *line, int64_t step, const float *weights, int taps, float one, float *out,
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
