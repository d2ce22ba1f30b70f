/* Convolution on a GPU: where masks lie, how sums are kept, and how a tile comes into shared memory. */
#ifndef GF_KERNELS_CONV_BLOCK_LOAD_CUH
#define GF_KERNELS_CONV_BLOCK_LOAD_CUH

#include "kernels/base/exact_sum.h"
#include "kernels/base/shared_tile.cuh"
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
    bool constant;                           /* the masks are in constant memory as well */
};

/*
 * Calls sum(weights) with the masks of a task. A kernel has the code of its sums twice and all else once: two kernels would
 * take twice as long to compile.
 */
template <class F>
static __device__ __forceinline__ void with_weights(const struct conv_task &t, const F &sum)
{
    if (t.constant)
        sum(weights<true>{ t.masks, 0 });
    else
        sum(weights<false>{ t.masks, 0 });
}

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

/*
 * A tile at a border, or of a layout that has no code of its own. It has its own view of the source, because the compiler
 * would load a field again after each store.
 */
template <int C>
static __device__ __forceinline__ void load_other(const struct conv_task &t, const struct gf_point &load, int64_t x0,
                                                  int64_t y0, int columns, int rows)
{
    extern __shared__ float4 shared[];
    const struct gf_block_view src = t.src;
    const struct gf_shared_tile all = { (float *)shared, t.pitch, t.pitch * t.rows, x0, y0, columns, rows };
    const float *tables = t.tables;
    const bool program = load.count > 0;

    /* each sample looks its layout up: once a pixel takes more registers, and fewer blocks fit at a time */
    gf_shared_tile_load<C>(src, t.conv.border, t.src_units, all, threadIdx.x / 32, blockDim.x / 32,
                           [&](const unsigned char *row, int64_t x, float (&p)[1][4]) {
#pragma unroll
        for (int c = 0; c < 4; c++)
            if (c < src.channels)
                p[0][c] = gf_sample_get(src, row, gf_sample_index(src, x, c));
        if (program)
            gf_program_run<1, 4>(load, tables, p);
    });
}

/* A call, which all kernels of C channels share. */
template <int C>
static __device__ __noinline__ void load_other_call(const struct conv_task &t, const struct gf_point &load, int64_t x0,
                                                    int64_t y0, int columns, int rows)
{
    load_other<C>(t, load, x0, y0, columns, rows);
}

/* CALL: not for kernels with so few registers that those of a call would go to memory. */
template <int C, bool CALL = true>
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
    if constexpr (CALL)
        load_other_call<C>(t, load, x0, y0, columns, rows);
    else
        load_other<C>(t, load, x0, y0, columns, rows);
}

#endif
