/* Sums along the columns of a resize: rows are transposed, so that a vector has a column of many rows. */
#include "kernels/geometry/resize_columns.h"

#include "base/clones.h"
#include "kernels/geometry/resize.h"

#include <math.h>
#include <string.h>

#define SIDE 16                          /* samples along both sides of a square that is transposed in registers */

/* Otherwise gcc combines two taps and then adds pixel by pixel, which is five times slower. */
GF_KEEP_LOOPS_APART

/*
 * Computes outputs [from, to) from transposed rows, in which `group` floats take the place of one
 * sample.
 */
GF_INLINE void sum_along_groups(const float *restrict turned, const float *restrict entries, int64_t stride,
                                int64_t from, int64_t to,
                                float *restrict out, int group)
{
    for (int64_t x = from; x < to; x++, out += group) {
        const float *entry = entries + x * stride, *w = entry + GF_RESIZE_ENTRY;
        const float *s = turned + (int64_t)entry[0] * group;
        const int count = (int)entry[1];
        float acc[GF_RESIZE_MOST], sum[GF_RESIZE_MOST];
        int k = 0;

        for (int i = 0; i < group; i++)
            sum[i] = 0.0f;
        do {
            const int end = count - k > GF_RESIZE_CHUNK ? k + GF_RESIZE_CHUNK : count;

            for (int i = 0; i < group; i++)
                acc[i] = 0.0f;
            for (; k < end; k++, s += group)
                for (int i = 0; i < group; i++)
                    acc[i] = fmaf(w[k], s[i], acc[i]);
            for (int i = 0; i < group; i++)
                sum[i] = sum[i] + acc[i];
        } while (k < count);
        for (int i = 0; i < group; i++)
            out[i] = sum[i];
    }
}

GF_CLONES
static void sum_columns(const float *turned, const float *entries, int64_t stride, int64_t from, int64_t to,
                        float *out, int group)
{
    switch (group) {
    case 2 * GF_RESIZE_LANES: sum_along_groups(turned, entries, stride, from, to, out, 2 * GF_RESIZE_LANES); break;
    case 3 * GF_RESIZE_LANES: sum_along_groups(turned, entries, stride, from, to, out, 3 * GF_RESIZE_LANES); break;
    default: sum_along_groups(turned, entries, stride, from, to, out, GF_RESIZE_MOST); break;
    }
}

void gf_resize_columns_sum(const float *turned, const float *entries, int64_t stride, int64_t from, int64_t to,
                           float *out, int group)
{
    sum_columns(turned, entries, stride, from, to, out, group);
}

/*
 * Transposes SIDE by SIDE samples, whose rows are `from` and `to` apart. To interleave the halves of a square
 * rotates the bits of an index by one, so four times exchange rows and columns. Compilers make that a few
 * permutations of registers.
 */
GF_INLINE void interleave(const float *restrict a, float *restrict b)
{
    for (int i = 0; i < SIDE * SIDE / 2; i++) {
        b[2 * i] = a[i];
        b[2 * i + 1] = a[SIDE * SIDE / 2 + i];
    }
}

GF_INLINE void turn_square(const float *restrict s, int64_t from, float *restrict d, int64_t to)
{
    float a[SIDE * SIDE], b[SIDE * SIDE];

    for (int k = 0; k < SIDE; k++)
        memcpy(a + k * SIDE, s + k * from, SIDE * sizeof *a);
    interleave(a, b);
    interleave(b, a);
    interleave(a, b);
    interleave(b, a);
    for (int k = 0; k < SIDE; k++)
        memcpy(d + k * to, a + k * SIDE, SIDE * sizeof *a);
}

/* `lanes` is a multiple of SIDE. */
GF_CLONES
static void turn_rows(const float *rows, int64_t n, float *turned, int lanes)
{
    const int64_t run = GF_RESIZE_PART / lanes;
    int64_t i = 0;

    for (; i + SIDE <= n; i += SIDE)
        for (int l = 0; l < lanes; l += SIDE)
            turn_square(rows + l * run + i, run, turned + i * lanes + l, lanes);
    for (; i < n; i++)
        for (int l = 0; l < lanes; l++)
            turned[i * lanes + l] = rows[l * run + i];
}

void gf_resize_columns_turn(const float *rows, int64_t n, float *turned, int lanes)
{
    turn_rows(rows, n, turned, lanes);
}

GF_CLONES
static void turn_back(const float *turned, int64_t n, float *rows, int lanes)
{
    const int64_t run = GF_RESIZE_PART / lanes;
    int64_t i = 0;

    for (; i + SIDE <= n; i += SIDE)
        for (int l = 0; l < lanes; l += SIDE)
            turn_square(turned + i * lanes + l, lanes, rows + l * run + i, run);
    for (; i < n; i++)
        for (int l = 0; l < lanes; l++)
            rows[l * run + i] = turned[i * lanes + l];
}

void gf_resize_columns_turn_back(const float *turned, int64_t n, float *rows, int lanes)
{
    turn_back(turned, n, rows, lanes);
}
