/*
 * Interpolation at fixed-point positions on a GPU, by plain loads, for the kernels of sample and warp. The fractions of
 * positions are exact, so the bits are those of the C bodies.
 */
#ifndef GF_KERNELS_SAMPLE_FETCH_CUH
#define GF_KERNELS_SAMPLE_FETCH_CUH

#include "kernels/base/program_buffers.cuh"
#include "kernels/geometry/sample.h"

struct sample_task {
    struct gf_block_view src, dst;
    struct gf_sample s;
    int64_t width, first, end;
    int columns, rows;                   /* of the whole source */
    const unsigned char *base;           /* address where row 0 of the signal would be */
    int64_t pitch_bytes;
    const float *tables;
    bool whole;                          /* packed bytes of 2 or 4 channels: a load has all of a pixel */
};

/* Fills in a task for blocks, as far as it does not depend on the pools. */
static inline struct sample_task sample_task_of(const struct gf_io *io, const struct gf_sample *s, const float *tables)
{
    struct sample_task t;

    t.src = gf_block_view_of(&io->src);
    t.dst = gf_block_view_of(&io->dst);
    t.s = *s;
    t.width = io->dst.width;
    t.first = io->dst.span.start;
    t.end = io->dst.span.end;
    t.columns = (int)io->src.width;
    t.rows = (int)io->src_units;
    t.pitch_bytes = t.src.pitch * gf_sample_layout_bytes(t.src.layout);
    t.base = t.src.data - t.src.start * t.pitch_bytes;
    t.tables = tables;
    t.whole = t.src.layout == GF_U8 && io->src.channels % 2 == 0 && (uintptr_t)t.base % io->src.channels == 0
        && t.pitch_bytes % io->src.channels == 0;
    return t;
}

/* Returns what is added to coordinates before they are truncated. */
static __device__ __forceinline__ int64_t sample_round(int how, bool coarse)
{
    return how == GF_NEAREST ? INT64_C(1) << (GF_SAMPLE_ONE_BITS - 1)
         : how == GF_LINEAR && coarse ? INT64_C(1) << (GF_SAMPLE_ONE_BITS - 9) : 0;
}

/* A coordinate split into its cell and its fraction. */
struct sample_position {
    int cell;
    float fraction;
};

static __device__ __forceinline__ struct sample_position place_of(int64_t coordinate, bool coarse)
{
    struct sample_position p;

    p.cell = (int)(coordinate >> GF_SAMPLE_ONE_BITS);
    p.fraction = coarse ? __fmul_rn((float)((unsigned)(coordinate >> 32) & 0xff), 0x1p-8f)
                        : __fmul_rn((float)((unsigned)(coordinate >> 16) & 0xffffff), 0x1p-24f);
    return p;
}

/* Loads a pixel of two or four packed bytes. */
static __device__ __forceinline__ void fetch_whole(const struct sample_task &t, const unsigned char *row, int x,
                                                   float (&p)[4])
{
    const unsigned pixel = t.src.channels == 4 ? ((const unsigned *)row)[x] : ((const unsigned short *)row)[x];

#pragma unroll
    for (int c = 0; c < 4; c++)
        p[c] = c < t.src.channels ? gf_sample_quotient(__byte_perm(pixel, 0x4B000000u, 0x7440 + c), t.src) : 0.0f;
}

/* Loads W by H pixels inside the source, in a layout known at compile time. */
template <int T, int C, int W, int H>
static __device__ __forceinline__ void fetch_as(const struct sample_task &t, const unsigned char *row, int x,
                                                float (&p)[W * H][C])
{
#pragma unroll
    for (int i = 0; i < W * H; i++) {
        const unsigned char *at = row + i / W * t.pitch_bytes;

        if constexpr (T == GF_U8 && C == 4)
            if (t.whole) {
                fetch_whole(t, at, x + i % W, p[i]);
                continue;
            }
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (C == 4 && c >= t.src.channels)
                p[i][c] = 0.0f;
            else if (T == GF_PLANES)
                p[i][c] = ((const float *)at)[x + i % W + c * t.src.plane];
            else
                p[i][c] = gf_sample_get_as<T>(t.src, at, (x + i % W) * (C == 4 ? t.src.channels : C) + c);
        }
    }
}

/* Loads such pixels in layout T, or if T is -1 in any layout, which is looked up once for all of them. */
template <int T, int C, int W, int H>
static __device__ __forceinline__ void fetch_inside(const struct sample_task &t, const unsigned char *row, int x,
                                                    float (&p)[W * H][C])
{
    switch (T >= 0 ? T : t.src.layout) {
    case GF_U8: return fetch_as<GF_U8, C, W, H>(t, row, x, p);
    case GF_U16: return fetch_as<GF_U16, C, W, H>(t, row, x, p);
    case GF_S16: return fetch_as<GF_S16, C, W, H>(t, row, x, p);
    case GF_S32: return fetch_as<GF_S32, C, W, H>(t, row, x, p);
    case GF_F64: return fetch_as<GF_F64, C, W, H>(t, row, x, p);
    case GF_PLANES: return fetch_as<GF_PLANES, C, W, H>(t, row, x, p);
    default: return fetch_as<GF_F32, C, W, H>(t, row, x, p);
    }
}

/* Equals gf_border_index() for ints, whose division is much faster. */
static __device__ __forceinline__ int border_index(enum gf_border border, int i, int n)
{
    const int period = border == GF_WRAP ? n : border == GF_REFLECT ? 2 * n : max(2 * n - 2, 1);
    int r;

    if (i >= 0 && i < n)
        return i;
    if (border == GF_CLAMP || border == GF_ZERO)
        return border == GF_ZERO ? -1 : i < 0 ? 0 : n - 1;
    r = i % period;
    r += r < 0 ? period : 0;
    return r < n ? r : border == GF_REFLECT ? 2 * n - 1 - r : 2 * n - 2 - r;
}

/* Returns the column or row that replaces one outside, or -1 for none. */
static __device__ __forceinline__ int stand_in(const struct sample_task &t, int i, int n)
{
    return border_index(t.s.use_background ? GF_ZERO : t.s.border, i, n);
}

/* Loads the pixel at a position from stand_in(), or the background if one of them is negative. */
template <int T, int C>
static __device__ __forceinline__ void fetch(const struct sample_task &t, int x, int y, float (&out)[C])
{
    const bool there = x >= 0 && y >= 0;
    float p[1][C];

    if (there)
        fetch_inside<T, C, 1, 1>(t, t.base + y * t.pitch_bytes, x, p);
#pragma unroll
    for (int c = 0; c < C; c++)
        out[c] = there ? p[0][c] : t.s.use_background ? t.s.background[c] : 0.0f;
}

template <int T, int C>
static __device__ __forceinline__ void nearest(const struct sample_task &t, int64_t x, int64_t y, float (&out)[C])
{
    int column = (int)(x >> GF_SAMPLE_ONE_BITS), row = (int)(y >> GF_SAMPLE_ONE_BITS);

    if ((unsigned)column >= (unsigned)t.columns || (unsigned)row >= (unsigned)t.rows) {
        column = t.s.use_background ? -1 : stand_in(t, column, t.columns);
        row = t.s.use_background ? -1 : stand_in(t, row, t.rows);
    }
    fetch<T, C>(t, column, row, out);
}

template <int T, int C>
static __device__ __forceinline__ void linear(const struct sample_task &t, int64_t x, int64_t y, float (&out)[C])
{
    const struct sample_position px = place_of(x, t.s.coarse), py = place_of(y, t.s.coarse);
    float p[4][C];

    if ((unsigned)px.cell < (unsigned)(t.columns - 1) && (unsigned)py.cell < (unsigned)(t.rows - 1)) {
        fetch_inside<T, C, 2, 2>(t, t.base + py.cell * t.pitch_bytes, px.cell, p);
    } else if (t.s.use_background && ((unsigned)(px.cell + 1) > (unsigned)t.columns
                                      || (unsigned)(py.cell + 1) > (unsigned)t.rows)) {
#pragma unroll
        for (int i = 0; i < 4 * C; i++)
            p[i / C][i % C] = t.s.background[i % C];
    } else {
        const int left = stand_in(t, px.cell, t.columns), right = stand_in(t, px.cell + 1, t.columns);
        const int above = stand_in(t, py.cell, t.rows), below = stand_in(t, py.cell + 1, t.rows);

        fetch<T, C>(t, left, above, p[0]);
        fetch<T, C>(t, right, above, p[1]);
        fetch<T, C>(t, left, below, p[2]);
        fetch<T, C>(t, right, below, p[3]);
    }
#pragma unroll
    for (int c = 0; c < C; c++) {
        const float h0 = __fmaf_rn(px.fraction, __fsub_rn(p[1][c], p[0][c]), p[0][c]);
        const float h1 = __fmaf_rn(px.fraction, __fsub_rn(p[3][c], p[2][c]), p[2][c]);
        out[c] = __fmaf_rn(py.fraction, __fsub_rn(h1, h0), h0);
    }
}

template <int T, int C>
static __device__ __forceinline__ void cubic(const struct sample_task &t, int64_t x, int64_t y, float (&out)[C])
{
    const struct sample_position px = place_of(x, false), py = place_of(y, false);
    const bool inside = px.cell >= 1 && px.cell + 2 < t.columns && py.cell >= 1 && py.cell + 2 < t.rows;
    const bool beyond = px.cell < -2 || px.cell > t.columns || py.cell < -2 || py.cell > t.rows;
    float wx[4], wy[4];
    int column[4];

    if (t.s.use_background && beyond) {                     /* weights would not sum to exactly 1 */
#pragma unroll
        for (int c = 0; c < C; c++)
            out[c] = t.s.background[c];
        return;
    }
    gf_cubic_weights(px.fraction, wx);
    gf_cubic_weights(py.fraction, wy);
#pragma unroll
    for (int c = 0; c < C; c++)
        out[c] = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; i++)
        column[i] = stand_in(t, px.cell - 1 + i, t.columns);
    /* a row at a time; its weight moves to the front */
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        const int y = stand_in(t, py.cell - 1 + k, t.rows);
        const bool together = inside && (C == 1 || T >= 0);
        float row[C], p[4][C];

        if (together)
            fetch_inside<T, C, 4, 1>(t, t.base + y * t.pitch_bytes, px.cell - 1, p);
#pragma unroll
        for (int c = 0; c < C; c++)
            row[c] = 0.0f;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (!together)
                fetch<T, C>(t, column[i], y, p[i]);
#pragma unroll
            for (int c = 0; c < C; c++)
                row[c] = __fmaf_rn(wx[i], p[i][c], row[c]);
        }
#pragma unroll
        for (int c = 0; c < C; c++)
            out[c] = __fmaf_rn(wy[0], row[c], out[c]);
        wy[0] = wy[1], wy[1] = wy[2], wy[2] = wy[3];
    }
}

/* Appends the pixel at a position to four, of which the first leaves: registers cannot be indexed. */
template <int T, int C, int HOW>
static __device__ __forceinline__ void append_pixel(const struct sample_task &t, int64_t x, int64_t y, float (&v)[4][4])
{
    float p[C];

    if (HOW == GF_LINEAR)
        linear<T, C>(t, x, y, p);
    else if (HOW == GF_CUBIC)
        cubic<T, C>(t, x, y, p);
    else
        nearest<T, C>(t, x, y, p);
#pragma unroll
    for (int i = 0; i < 4 * C; i++)
        v[i / C][i % C] = i < 3 * C ? v[(i / C + 1) % 4][i % C] : p[i % C];
}

/* Blocks on a multiprocessor at once: as many as their registers allow without spilling. */
template <int T, int C, int HOW>
static __host__ __device__ constexpr int blocks_of()
{
    if (T < 0 && C == 4)
        return HOW == GF_NEAREST ? 10 : HOW == GF_LINEAR ? 9 : 8;
    if (HOW == GF_CUBIC && C == 3)
        return 8;
    return HOW == GF_LINEAR && (C == 1 || (T >= 0 && C == 3)) ? 12 : 10;
}

#endif
