/* Runs point programs on one point of any width. It is slower, because the point is in memory. */
#ifndef GF_KERNELS_THREAD_POINT_WIDE_CUH
#define GF_KERNELS_THREAD_POINT_WIDE_CUH

#include "kernels/base/thread_point.cuh"

/* Weighted sums of all channels; a separate call because of its memory. */
static __device__ __noinline__ void gf_mix_wide(const struct gf_point_step &s, const float *weights, float *v)
{
    float in[GF_MAX_CHANNELS];

    for (int k = 0; k < s.channels; k++)
        in[k] = v[k];
    for (int o = 0; o < s.outs; o++) {
        float sum = 0;

        for (int k = 0; k < s.channels; k++) {
            const float w = weights[o * s.channels + k];

            if (w != 0.0f)
                sum = __fmaf_rn(w, in[k], sum);
        }
        v[o] = sum;
    }
}

/* Applies a function to each of the first channels. */
template <class F>
static __device__ __forceinline__ void gf_each_wide(int channels, float *v, F f)
{
    for (int c = 0; c < channels; c++)
        v[c] = f(v[c], c);
}

/* Moves channels from `from` on to their new position. */
static __device__ __forceinline__ void gf_move_wide(float *v, int from, int to, int channels)
{
    if (to <= from)
        for (int c = from; c < channels; c++)
            v[c - from + to] = v[c];
    else
        for (int c = channels - 1; c >= from; c--)
            v[c - from + to] = v[c];
}

static __device__ __forceinline__ void gf_mean_wide(float *v, int channels)
{
    float sum = v[0];

    for (int c = 1; c < channels; c++)
        sum = __fadd_rn(sum, v[c]);
    v[0] = channels > 1 ? __fmaf_rn(sum, __fdiv_rn(1.0f, (float)channels), 0.0f) : sum;
}

static __device__ __forceinline__ void gf_extremes_wide(float *v, const struct gf_point_step &s, int channels)
{
    float most = v[0], least = v[0];

    for (int c = 1; c < s.channels; c++)
        gf_stretch(most, least, v[c]);
    v[0] = s.kind == GF_POINT_MAX ? most : __fmul_rn(__fadd_rn(most, least), 0.5f);
    gf_move_wide(v, s.channels, 1, channels);
}

/* Runs a step that looks at three channels, or at one. */
static __device__ __forceinline__ void gf_colors_wide(float *v, const struct gf_point_step &s, const float *tables,
                                                      int channels)
{
    float one[4] = { v[0], 0.0f, 0.0f, 0.0f };

    for (int c = 1; c < 3 && c < channels; c++)
        one[c] = v[c];
    gf_step_run<4>(s, tables, channels, one);
    for (int c = 0; c < 3 && c < channels; c++)
        v[c] = one[c];
}

static __device__ __forceinline__ void gf_matrix_wide(float *v, const struct gf_point_step &s, int channels)
{
    float one[GF_POINT_MATRIX_MAX];

    for (int o = 0; o < s.outs; o++) {
        one[o] = s.m[o][s.channels];
        for (int k = 0; k < s.channels; k++)
            one[o] = __fmaf_rn(s.m[o][k], v[k], one[o]);
    }
    gf_move_wide(v, s.channels, s.outs, channels);
    for (int o = 0; o < s.outs; o++)
        v[o] = one[o];
}

/* Runs a step of a kind that treats channels one by one. */
static __device__ __forceinline__ void gf_step_each(const struct gf_point_step &s, const float *tables, float *v)
{
    const float *table = tables + s.table;

    switch (s.kind) {
    case GF_POINT_THRESHOLD:
        return gf_each_wide(s.channels, v, [&](float x, int c) { return x >= table[c] ? 1.0f : 0.0f; });
    case GF_POINT_FINITE:
        return gf_each_wide(s.channels, v, [&](float x, int) { return gf_finite(x); });
    case GF_POINT_CLAMP:
        return gf_each_wide(s.channels, v, [&](float x, int) { return gf_between(x, s.a, s.b); });
    case GF_POINT_SCALE:
        return gf_each_wide(s.channels, v,
                            [&](float x, int c) { return __fmaf_rn(x, table[2 * c], table[2 * c + 1]); });
    case GF_POINT_AFFINE:
        return gf_each_wide(s.channels, v, [&](float x, int) { return __fmaf_rn(x, s.a, s.b); });
    case GF_POINT_CURVE:
        return gf_each_wide(s.channels, v, [&](float x, int c) {
            return gf_point_keeps(&s, c) ? x : gf_between_entries(x, table + (int64_t)c * s.bins, s.bins);
        });
    case GF_POINT_TABLE:
        return gf_each_wide(s.channels, v, [&](float x, int c) {
            return table[(int64_t)c * s.bins + gf_bin_of(x, (float)(s.bins - 1))];
        });
    case GF_POINT_PREMULTIPLY:
    case GF_POINT_UNPREMULTIPLY:
        return gf_each_wide(s.channels, v, [&, alpha = v[s.channels]](float x, int) {
            return s.kind == GF_POINT_PREMULTIPLY ? __fmul_rn(x, alpha) : alpha == 0.0f ? 0.0f : __fdiv_rn(x, alpha);
        });
    default:
        return gf_each_wide(s.channels, v, [&](float x, int) { return gf_curve_call(s.kind, x, s.a); });
    }
}

/* Runs a step of any kind. */
static __device__ __forceinline__ void gf_step_wide(const struct gf_point_step &s, const float *tables,
                                                    int channels, float *v)
{
    switch (s.kind) {
    case GF_POINT_PICK:
        return gf_each_wide(s.outs, v, [&](float, int o) { return s.pick[o] < 0 ? 1.0f : v[s.pick[o]]; });
    case GF_POINT_MIX:
        return gf_mix_wide(s, tables + s.table, v);
    case GF_POINT_MEAN:
        return gf_mean_wide(v, channels);
    case GF_POINT_MAX:
    case GF_POINT_LIGHTNESS:
        return gf_extremes_wide(v, s, channels);
    case GF_POINT_LUMA_TABLE:
    case GF_POINT_LUT:
    case GF_POINT_PALETTE:
    case GF_POINT_VIBRANCE:
        return gf_colors_wide(v, s, tables, channels);
    case GF_POINT_TONES:
        if (s.channels == 3)
            return gf_colors_wide(v, s, tables, channels);
        return gf_each_wide(s.channels, v, [&](float x, int) { return gf_tone(x, x, s.a, s.b); });
    case GF_POINT_MATRIX:
        return gf_matrix_wide(v, s, channels);
    default:
        return gf_step_each(s, tables, v);
    }
}

/* Runs a whole program. */
static __device__ __noinline__ void gf_program_run_wide(const struct gf_point &program, const float *tables, float *v)
{
    int channels = program.in;

    for (int i = 0; i < program.count; i++) {
        gf_step_wide(program.step[i], tables, channels, v);
        channels = gf_channels_behind(program.step[i], channels);
    }
}

#endif
