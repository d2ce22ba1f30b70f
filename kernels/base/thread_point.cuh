/* Runs point programs on pixels in registers. */
#ifndef GF_KERNELS_THREAD_POINT_CUH
#define GF_KERNELS_THREAD_POINT_CUH

#include "kernels/base/color_cube.h"
#include "kernels/base/curve.h"
#include "kernels/base/point.h"
#include "kernels/base/thread_pack.cuh"

#include <float.h>

/*
 * A program as a kernel argument. Arguments are passed by value and are in constant memory. Empty:
 * changes nothing.
 */
static inline struct gf_point gf_program(const struct gf_point *p, int channels)
{
    struct gf_point none;

    if (p != NULL)
        return *p;
    none.in = none.out = channels;
    none.count = 0;
    return none;
}

/* Returns the program for a signal of one channel. */
static inline struct gf_point gf_program_flat(const struct gf_point *p)
{
    struct gf_point flat = gf_program(p, 1);

    flat.in = flat.out = 1;
    for (int i = 0; i < flat.count; i++)
        flat.step[i].channels = 1;
    return flat;
}

/* Returns the most channels of a point under a program. */
static inline int gf_program_widest(const struct gf_point *p, int channels)
{
    int w = p != NULL && p->count > 0 ? gf_point_widest(p) : channels;
    return w > channels ? w : channels;
}

static __device__ __forceinline__ int gf_bin_of(float v, float last)
{
    float t = v > 0.0f ? __fmul_rn(v, last) : 0.0f;

    return __float2int_rn(t < last ? t : last);
}

static __device__ __forceinline__ float gf_finite(float v)
{
    return fabsf(v) <= FLT_MAX ? v : 0.0f;
}

static __device__ __forceinline__ float gf_between(float v, float low, float high)
{
    return v < low ? low : v > high ? high : v;
}

/* By value: a choice between two addresses would move both to memory. */
static __device__ __forceinline__ void gf_choose(float &to, float from, bool yes)
{
    float now = to;
    to = yes ? from : now;
}

/* Applies a curve, one sample at a time. */
static __device__ __forceinline__ float gf_curve(enum gf_point_kind kind, float v, float a)
{
    switch (kind) {
    case GF_POINT_POWER: return gf_powf(v > 0.0f ? v : 0.0f, a);
    case GF_POINT_LINEAR: return gf_linear_of_srgb(v);
    case GF_POINT_SRGB: return gf_srgb_of_linear(v);
    case GF_POINT_LAB: return gf_lab_of_linear(v);
    case GF_POINT_LAB_INVERSE: return gf_linear_of_lab(v);
    case GF_POINT_ROOT: return gf_cube_root(v);
    default: return v * v * v;
    }
}

static __device__ __forceinline__ bool gf_is_curve(enum gf_point_kind kind)
{
    return kind == GF_POINT_POWER || kind == GF_POINT_LINEAR || kind == GF_POINT_SRGB
        || (kind >= GF_POINT_LAB && kind <= GF_POINT_CUBE);
}

/* A separate call, so that several copies do not use up the registers. */
static __device__ __noinline__ float gf_curve_call(enum gf_point_kind kind, float v, float a)
{
    return gf_curve(kind, v, a);
}

/* Multiplies by rows of weights: one channel or more. The channels after them move along. */
template <int V>
static __device__ __forceinline__ void gf_matrix(float (&v)[V], const struct gf_point_step &s)
{
    float t[V];

#pragma unroll
    for (int o = 0; o < V; o++) {
        t[o] = 0.0f;
        if (o < s.outs) {
            t[o] = s.m[o][s.channels];
#pragma unroll
            for (int i = 0; i < V; i++)
                if (i < s.channels)
                    t[o] = __fmaf_rn(s.m[o][i], v[i], t[o]);
        } else {
#pragma unroll
            for (int i = 0; i < V; i++)
                gf_choose(t[o], v[i], i == o - s.outs + s.channels);
        }
    }
#pragma unroll
    for (int o = 0; o < V; o++)
        v[o] = t[o];
}

/* Same as the C body, not fmaxf, which leaves the sign of 0 to the machine. */
static __device__ __forceinline__ void gf_stretch(float &most, float &least, float v)
{
    most = most >= v || v != v ? most : v;
    least = least <= v || v != v ? least : v;
}

/*
 * Reduces the first channels to the largest, or to the mean of the largest and the smallest. The
 * channels after them move along.
 */
template <int V>
static __device__ __forceinline__ void gf_extremes(float (&v)[V], int channels, bool lightness)
{
    float most = v[0], least = v[0];

#pragma unroll
    for (int c = 1; c < V; c++)
        if (c < channels)
            gf_stretch(most, least, v[c]);
    v[0] = lightness ? __fmul_rn(__fadd_rn(most, least), 0.5f) : most;
#pragma unroll
    for (int o = 1; o < V; o++)
#pragma unroll
        for (int i = o + 1; i < V; i++)
            gf_choose(v[o], v[i], i == o - 1 + channels);
}

template <int V>
static __device__ __forceinline__ void gf_mean(float (&v)[V], int channels)
{
    float sum = v[0];

#pragma unroll
    for (int c = 1; c < V; c++)
        if (c < channels)
            sum = __fadd_rn(sum, v[c]);
    v[0] = channels > 1 ? __fmaf_rn(sum, __fdiv_rn(1.0f, (float)channels), 0.0f) : sum;
}

/* Multiplies or divides the first channels by the channel after them. */
template <int V>
static __device__ __forceinline__ void gf_by_alpha(float (&v)[V], int channels, bool divide)
{
    float alpha = 0.0f;

#pragma unroll
    for (int c = 0; c < V; c++)
        gf_choose(alpha, v[c], c == channels);
#pragma unroll
    for (int c = 0; c < V; c++)
        if (c < channels)
            v[c] = !divide ? __fmul_rn(v[c], alpha) : alpha == 0.0f ? 0.0f : __fdiv_rn(v[c], alpha);
}

template <int V>
static __device__ __forceinline__ void gf_luma_table(float (&v)[V], const float *table, int bins)
{
    float d;

    if (V < 3)
        return;
    d = table[gf_bin_of(gf_luma(v[0], v[V > 1 ? 1 : 0], v[V > 2 ? 2 : 0]), (float)(bins - 1))];
#pragma unroll
    for (int c = 0; c < 3; c++)
        if (c < V)
            v[c] = __fadd_rn(v[c], d);
}

/* Returns the value of a curve: a line between the two entries around v. */
static __device__ __forceinline__ float gf_between_entries(float v, const float *table, int bins)
{
    const float place = gf_table_place(v, (float)(bins - 1));
    const int before = gf_table_before(place, bins);

    return __fmaf_rn(place - (float)before, table[before + 1] - table[before], table[before]);
}

/* Looks three colors up in a cube. */
template <int V>
static __device__ __forceinline__ void gf_cube_table(float (&v)[V], const float *table, int bins)
{
    if (V < 3)
        return;
    const struct gf_cube_place p = gf_cube_find(v[0], v[V > 1 ? 1 : 0], v[V > 2 ? 2 : 0], bins);
    const float *first = table + p.first, *one = first + p.one, *two = first + p.two;
    const float *last = first + gf_cube_last(bins);

#pragma unroll
    for (int c = 0; c < 3; c++)
        if (c < V)
            v[c] = __fmaf_rn(p.weight[3], last[c],
                             __fmaf_rn(p.weight[2], two[c], __fmaf_rn(p.weight[1], one[c], p.weight[0] * first[c])));
}

/* Replaces a pixel by the nearest color, the first of equally near ones; or by codes that name it. */
template <int V>
static __device__ __forceinline__ void gf_palette(float (&v)[V], const struct gf_point_step &s, const float *table)
{
    float least = INFINITY;
    int nearest = 0;

#pragma unroll 1
    for (int k = 0; k < s.bins; k++) {
        float d = 0.0f;

#pragma unroll
        for (int c = 0; c < V; c++)
            if (c < s.channels) {
                const float apart = v[c] - table[c * s.bins + k];

                d = __fmaf_rn(apart, apart, d);
            }
        nearest = d < least ? k : nearest;
        least = d < least ? d : least;
    }
#pragma unroll
    for (int c = 0; c < V; c++)
        if (c < s.channels)
            v[c] = s.b != 0 ? gf_palette_code(v[c], nearest, s.bins) : table[c * s.bins + nearest];
}

template <int V>
static __device__ __forceinline__ void gf_vibrance_colors(float (&v)[V], float a)
{
    if (V < 3)
        return;
    const float g = v[V > 1 ? 1 : 0], b = v[V > 2 ? 2 : 0];
    const float y = gf_luma(v[0], g, b), factor = gf_vibrance(v[0], g, b, a);

#pragma unroll
    for (int c = 0; c < 3; c++)
        if (c < V)
            v[c] = __fmaf_rn(v[c] - y, factor, y);
}

template <int V>
static __device__ __forceinline__ void gf_tones(float (&v)[V], const struct gf_point_step &s)
{
    const bool luma = V >= 3 && s.channels == 3;
    const float y = luma ? gf_luma(v[0], v[V > 1 ? 1 : 0], v[V > 2 ? 2 : 0]) : 0.0f;

#pragma unroll
    for (int c = 0; c < V; c++)
        if (c < s.channels)
            v[c] = gf_tone(v[c], luma ? y : v[c], s.a, s.b);
}

/* Picks channels unchanged; 1 for outputs without a channel. */
template <int V>
static __device__ __forceinline__ void gf_pick(float (&v)[V], const struct gf_point_step &s)
{
#pragma unroll
    for (int o = 0; o < V && o < GF_POINT_MATRIX_MAX; o++) {
        if (o >= s.outs)
            continue;
        gf_choose(v[o], 1.0f, s.pick[o] < 0);
#pragma unroll
        for (int i = o + 1; i < V; i++)
            gf_choose(v[o], v[i], i == s.pick[o]);
    }
}

/* Sums weighted by rows of a table, in order of channels; a weight of 0 omits a channel. */
template <int V>
static __device__ __forceinline__ void gf_mix(float (&v)[V], const struct gf_point_step &s, const float *weights)
{
    float t[V];

#pragma unroll
    for (int o = 0; o < V; o++) {
        t[o] = 0.0f;
#pragma unroll
        for (int k = 0; k < V; k++)
            if (o < s.outs && k < s.channels && weights[o * s.channels + k] != 0.0f)
                t[o] = __fmaf_rn(weights[o * s.channels + k], v[k], t[o]);
    }
#pragma unroll
    for (int o = 0; o < V; o++)
        v[o] = t[o];
}

static __device__ __forceinline__ int gf_channels_behind(const struct gf_point_step &s, int channels)
{
    switch (s.kind) {
    case GF_POINT_MATRIX: return channels - s.channels + s.outs;
    case GF_POINT_MEAN: return 1;
    case GF_POINT_MAX:
    case GF_POINT_LIGHTNESS: return channels - s.channels + 1;
    case GF_POINT_PICK:
    case GF_POINT_MIX: return s.outs;
    default: return channels;
    }
}

/* Runs a step that treats channels one by one. */
template <int V>
static __device__ __forceinline__ void gf_channels_run(const struct gf_point_step &s, const float *tables,
                                                       float (&v)[V])
{
#pragma unroll
    for (int c = 0; c < V; c++) {
        if (c >= s.channels)
            continue;
        if (s.kind == GF_POINT_THRESHOLD)
            v[c] = v[c] >= tables[s.table + c] ? 1.0f : 0.0f;
        else if (s.kind == GF_POINT_SCALE)
            v[c] = __fmaf_rn(v[c], tables[s.table + 2 * c], tables[s.table + 2 * c + 1]);
        else if (gf_is_curve(s.kind))
            v[c] = V == 1 ? gf_curve(s.kind, v[c], s.a) : gf_curve_call(s.kind, v[c], s.a);
        else if (s.kind == GF_POINT_CLAMP)
            v[c] = gf_between(v[c], s.a, s.b);
        else if (s.kind == GF_POINT_CURVE)
            v[c] = gf_point_keeps(&s, c) ? v[c]
                 : gf_between_entries(v[c], tables + s.table + (int64_t)c * s.bins, s.bins);
        else if (s.kind == GF_POINT_TABLE)
            v[c] = tables[s.table + (int64_t)c * s.bins + gf_bin_of(v[c], (float)(s.bins - 1))];
    }
}

/* Runs one step on a pixel of up to V channels; all threads take the same branch. */
template <int V>
static __device__ __forceinline__ void gf_step_run(const struct gf_point_step &s, const float *tables, int channels,
                                                   float (&v)[V])
{
    switch (s.kind) {
    case GF_POINT_MATRIX:
        gf_matrix(v, s);
        break;
    case GF_POINT_MEAN:
        gf_mean(v, channels);
        break;
    case GF_POINT_MAX:
    case GF_POINT_LIGHTNESS:
        gf_extremes(v, s.channels, s.kind == GF_POINT_LIGHTNESS);
        break;
    case GF_POINT_PREMULTIPLY:
    case GF_POINT_UNPREMULTIPLY:
        gf_by_alpha(v, s.channels, s.kind == GF_POINT_UNPREMULTIPLY);
        break;
    case GF_POINT_LUMA_TABLE:
        gf_luma_table(v, tables + s.table, s.bins);
        break;
    case GF_POINT_LUT:
        gf_cube_table(v, tables + s.table, s.bins);
        break;
    case GF_POINT_PALETTE:
        gf_palette(v, s, tables + s.table);
        break;
    case GF_POINT_VIBRANCE:
        gf_vibrance_colors(v, s.a);
        break;
    case GF_POINT_TONES:
        gf_tones(v, s);
        break;
    case GF_POINT_PICK:
        gf_pick(v, s);
        break;
    case GF_POINT_MIX:
        gf_mix(v, s, tables + s.table);
        break;
    default:
        gf_channels_run(s, tables, v);
    }
}

/* Runs the short, common steps on all pixels at once; false for other steps. */
template <int P, int V>
static __device__ __forceinline__ bool gf_step_quick(const struct gf_point_step &s, float (&v)[P][V])
{
    if (s.kind == GF_POINT_AFFINE) {
#pragma unroll
        for (int c = 0; c < V; c++) {
            if (c < s.channels)
#pragma unroll
                for (int p = 0; p < P; p++)
                    v[p][c] = __fmaf_rn(v[p][c], s.a, s.b);
        }
        return true;
    }
    if (s.kind == GF_POINT_FINITE) {
#pragma unroll
        for (int c = 0; c < V; c++) {
            if (c < s.channels)
#pragma unroll
                for (int p = 0; p < P; p++)
                    v[p][c] = gf_finite(v[p][c]);
        }
        return true;
    }
    if constexpr (V > 3) {
        if (s.kind == GF_POINT_MATRIX && s.channels == 3 && s.outs == 1) {
#pragma unroll
            for (int p = 0; p < P; p++) {
                v[p][0] = __fmaf_rn(s.m[0][2], v[p][2],
                                    __fmaf_rn(s.m[0][1], v[p][1], __fmaf_rn(s.m[0][0], v[p][0], s.m[0][3])));
                v[p][1] = v[p][3];
            }
            return true;
        }
        if (s.kind == GF_POINT_MATRIX && s.channels == 3 && s.outs == 3) {
#pragma unroll
            for (int p = 0; p < P; p++) {
                const float r = v[p][0], g = v[p][1], b = v[p][2];
#pragma unroll
                for (int o = 0; o < 3; o++)
                    v[p][o] = __fmaf_rn(s.m[o][2], b, __fmaf_rn(s.m[o][1], g, __fmaf_rn(s.m[o][0], r, s.m[o][3])));
            }
            return true;
        }
    }
    return false;
}

/*
 * Runs a rare step on `pixels` pixels in memory. It is a call, so that surrounding kernels do not
 * pay for its registers.
 */
static __device__ __noinline__ void gf_step_call(const struct gf_point_step &s, const float *tables,
                                                 int channels, int pixels,
                                                 float *v)
{
#pragma unroll 1
    for (int p = 0; p < pixels; p++) {
        float u[4] = { v[4 * p], v[4 * p + 1], v[4 * p + 2], v[4 * p + 3] };

        gf_step_run<4>(s, tables, channels, u);
#pragma unroll
        for (int c = 0; c < 4; c++)
            v[4 * p + c] = u[c];
    }
}

/* Runs a step that is not quick on all pixels. Single channels take turns in the place of the first one. */
template <int P, int V>
static __device__ __forceinline__ void gf_step_slow(const struct gf_point_step &s, const float *tables, int channels,
                                                    float (&v)[P][V])
{
    if constexpr (V == 4) {
        float u[4 * P];

#pragma unroll
        for (int i = 0; i < 4 * P; i++)
            u[i] = v[i / 4][i % 4];
        gf_step_call(s, tables, channels, P, u);
#pragma unroll
        for (int i = 0; i < 4 * P; i++)
            v[i / 4][i % 4] = u[i];
    } else {
#pragma unroll 1
        for (int p = 0; p < P; p++) {
            float first;

            gf_step_run<V>(s, tables, channels, v[0]);
            first = v[0][0];
#pragma unroll
            for (int q = 0; q + 1 < P; q++)
                v[q][0] = v[q + 1][0];
            v[P - 1][0] = first;
        }
    }
}

/* Runs a whole program on P pixels in registers. */
template <int P, int V>
static __device__ __forceinline__ void gf_program_run(const struct gf_point &program, const float *tables,
                                                      float (&v)[P][V])
{
    int channels = program.in;

#pragma unroll 1
    for (int i = 0; i < program.count; i++) {
        const struct gf_point_step &s = program.step[i];

        if (!gf_step_quick<P, V>(s, v))
            gf_step_slow<P, V>(s, tables, channels, v);
        channels = gf_channels_behind(s, channels);
    }
}

#endif
