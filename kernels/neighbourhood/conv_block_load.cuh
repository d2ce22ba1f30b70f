/* Convolution on a GPU: where masks lie, how sums are kept, and how a tile comes into shared memory. */
#ifndef GF_KERNELS_CONV_BLOCK_LOAD_CUH
#define GF_KERNELS_CONV_BLOCK_LOAD_CUH

#include "kernels/base/exact_sum.h"
#include "kernels/base/thread_point.cuh"
#include "kernels/neighbourhood/conv.h"

/* All 64 KB of this module's constant memory: the first masks of the chain. */
static __constant__ float constant_masks[GF_CONSTANT_MASKS];

/* Weights from constant memory, which serves a whole warp at once, or from the pool. */
template <bool CONSTANT>
struct weights {
    const float *pool;
    int64_t at;
    __device__ __forceinline__ float operator[](int i) const
    {
        return CONSTANT ? constant_masks[(int)at + i] : __ldg(pool + at + i);
    }
    __device__ __forceinline__ weights from(int64_t more) const
    {
        weights w = *this;
        w.at += more;
        return w;
    }
};

struct conv_task {
    struct gf_block_view src, dst;
    struct gf_conv conv;
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
    const float *masks, *tables;
    int tile_x, tile_y;                      /* results a block */
    int pitch, rows;                         /* of the tile in shared memory */
};

/* N sums side by side, each a chain of fma; chains are joined with TwoSum where there are several. */
template <int N>
struct sums {
    float acc[N], sum[N], lost[N];

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            acc[i] = sum[i] = lost[i] = 0.0f;
    }
    __device__ __forceinline__ void end_chain()
    {
#pragma unroll
        for (int i = 0; i < N; i++) {
            gf_exact_sum_add(&sum[i], &lost[i], acc[i]);
            acc[i] = 0.0f;
        }
    }
    __device__ __forceinline__ void finish(bool several)
    {
        if (several) {
#pragma unroll
            for (int i = 0; i < N; i++)
                acc[i] = __fadd_rn(sum[i], lost[i]);
        }
    }
};

/* ---- loading a tile ---- */

/* One pixel of any layout that is known when compiling, or of any (T negative), up to C channels, program applied. */
template <int T, int C>
static __device__ __forceinline__ void load_pixel(const struct gf_block_view &v, const unsigned char *row, int64_t x,
                                                  const struct gf_point &load, const float *tables, float (&p)[1][4])
{
    const int in = v.channels;

#pragma unroll
    for (int c = 0; c < 4; c++) {
        if (c >= in)
            continue;
        if (T == GF_U8)
            p[0][c] = gf_sample_quotient(0x4B000000u | row[x * in + c], v);
        else if (T == GF_U16)
            p[0][c] = gf_sample_quotient(0x4B000000u | ((const unsigned short *)row)[x * in + c], v);
        else if (T == GF_F32)
            p[0][c] = ((const float *)row)[x * in + c];
        else if (T == GF_PLANES)
            p[0][c] = ((const float *)row)[x + c * v.plane];
        else
            p[0][c] = gf_sample_get(v, row, gf_sample_index(v, x, c));
    }
    if (load.count > 0)
        gf_program_run<1, 4>(load, tables, p);
}

/* A warp a row. Columns and units beyond the border are what the border says. */
template <int T, int C>
static __device__ __forceinline__ void load_tile(const struct conv_task &t, const struct gf_point &load,
                                                 int64_t x0, int64_t y0, int columns, int rows, float *tile)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const bool inside = x0 >= 0 && x0 + columns <= t.width;
    const int plane = t.pitch * t.rows;

    for (int r = warp; r < rows; r += warps) {
        const int64_t unit = gf_border_index(t.conv.border, y0 + r, t.src_units);
        const unsigned char *row = gf_block_view_row(t.src, unit);
        float *to = tile + r * t.pitch;

#pragma unroll 4
        for (int i = lane; i < columns; i += 32) {
            const int64_t x = inside ? x0 + i : gf_border_index(t.conv.border, x0 + i, t.width);
            float p[1][4] = { { 0.0f, 0.0f, 0.0f, 0.0f } };

            if (unit >= 0 && x >= 0)
                load_pixel<T, C>(t.src, row, x, load, t.tables, p);
#pragma unroll
            for (int c = 0; c < C; c++)
                to[i + c * plane] = p[0][c];
        }
    }
}

#define BATCH (S == 1 ? 4 : 2)           /* fours on their way to a thread */

/*
 * A tile that lies inside the signal: four pixels at a time, from where rows are aligned on,
 * so up to three more on either side than the tile holds; `lead` of them come first.
 */
template <int T, int S, int C>
static __device__ __forceinline__ void load_inside(const struct conv_task &t, const struct gf_point &load,
                                                   int64_t x0, int64_t y0, int columns, int rows, float *tile)
{
    const int lead = (int)(x0 & 3), quads = (lead + columns + 3) / 4, plane = t.pitch * t.rows;
    const unsigned magic = 0xFFFFFFFFu / quads + 1;          /* n / quads for n under 2^16 */
    const unsigned char *first = gf_block_view_row(t.src, y0);
    const int64_t step = t.src.pitch * gf_sample_layout<T>::bytes;

    for (int g = threadIdx.x; g < rows * quads; g += BATCH * blockDim.x) {
        struct gf_pixel_quad<T, S> four[BATCH];
        int row[BATCH];

#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const unsigned n = min(g + k * (int)blockDim.x, rows * quads - 1);

            row[k] = quads == 1 ? n : __umulhi(n, magic);
            four[k].read(t.src, first + row[k] * step, x0 - lead + 4 * ((int)n - row[k] * quads), 4);
        }
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const int n = g + k * (int)blockDim.x, at = 4 * (n - row[k] * quads) - lead;
            float v[4][4];

            if (n >= rows * quads)
                break;
            four[k].unpack(t.src, v);
            if (load.count > 0)
                gf_program_run<4, 4>(load, t.tables, v);
#pragma unroll
            for (int c = 0; c < C; c++)
#pragma unroll
                for (int p = 0; p < 4; p++)
                    if (at + p >= 0 && at + p < columns)
                        tile[c * plane + row[k] * t.pitch + at + p] = v[p][c];
        }
    }
}

template <int C>
static __device__ __forceinline__ void load_any_tile(const struct conv_task &t, const struct gf_point &load,
                                                     int64_t x0, int64_t y0, int columns, int rows, float *tile)
{
    const int64_t left = x0 & ~(int64_t)3, right = (x0 + columns + 3) & ~(int64_t)3;
    constexpr int one = C == 4 ? 4 : C == 3 ? 3 : 1;

    if (left >= 0 && right <= t.width && y0 >= 0 && y0 + rows <= t.src_units && rows * (columns + 6) < 1 << 17) {
        switch (t.src.layout * 8 + t.src.channels) {
        case GF_U8 * 8 + one: load_inside<GF_U8, one, C>(t, load, x0, y0, columns, rows, tile); return;
        case GF_PLANES * 8 + one: load_inside<GF_PLANES, one, C>(t, load, x0, y0, columns, rows, tile); return;
        case GF_U8 * 8 + (C == 1 ? 3 : 2): if (C == 1) { load_inside<GF_U8, 3, C>(t, load, x0, y0, columns, rows, tile); return; }
        }
    }
    load_tile<-1, C>(t, load, x0, y0, columns, rows, tile);
}

#endif
