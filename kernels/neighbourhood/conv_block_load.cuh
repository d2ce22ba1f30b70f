/* Loads a tile of samples into shared memory for a convolution. */
#ifndef GF_KERNELS_CONV_BLOCK_LOAD_CUH
#define GF_KERNELS_CONV_BLOCK_LOAD_CUH

#include "kernels/base/shared_tile.cuh"
#include "kernels/base/thread_point.cuh"
#include "kernels/neighbourhood/conv_tiles.cuh"

/* ---- loading a tile ---- */

#define BATCH (S == 1 ? 4 : 2)           /* groups of four that a thread loads in advance */

/*
 * A tile inside the signal: four pixels at a time, beginning where rows are aligned. Up to three
 * more samples are loaded on each side than the tile needs; `lead` of them come first.
 */
template <int T, int S, int C>
static __device__ __forceinline__ void load_inside(const struct conv_task &t, const struct gf_point &load,
                                                   int64_t x0, int64_t y0, int columns, int rows, float *tile)
{
    const int lead = (int)(x0 & 3), quads = (lead + columns + 3) / 4, plane = t.pitch * t.rows;
    const unsigned magic = 0xFFFFFFFFu / quads + 1;          /* n / quads for n below 2^16 */
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
 * A tile at a border, or of a layout without its own code. It has its own view of the source,
 * because the compiler would load a field again after each store.
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

    /*
     * each sample looks up its layout: a look-up for each pixel takes more registers, and fewer
     * blocks fit
     */
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

/* A call, for kernels that need the registers for their weights. */
template <int C>
static __device__ __noinline__ void load_other_call(const struct conv_task &t, const struct gf_point &load, int64_t x0,
                                                    int64_t y0, int columns, int rows)
{
    load_other<C>(t, load, x0, y0, columns, rows);
}

/* CALL: tiles at borders and of other layouts are loaded by a call. */
template <int C, bool CALL>
static __device__ __forceinline__ void load_any_tile(const struct conv_task &t, const struct gf_point &load,
                                                     int64_t x0, int64_t y0, int columns, int rows, float *tile)
{
    const int64_t left = x0 & ~(int64_t)3, right = (x0 + columns + 3) & ~(int64_t)3;

    if (left >= 0 && right <= t.width && y0 >= 0 && y0 + rows <= t.src_units && rows * (columns + 6) < 1 << 17) {
        switch (t.src.layout * 8 + t.src.channels) {
        case GF_U8 * 8 + C:
            load_inside<GF_U8, C, C>(t, load, x0, y0, columns, rows, tile);
            return;
        case GF_PLANES * 8 + C:
            load_inside<GF_PLANES, C, C>(t, load, x0, y0, columns, rows, tile);
            return;
        case GF_U8 * 8 + (C == 1 ? 3 : 2):       /* color that the program makes gray */
            if constexpr (C == 1) {
                load_inside<GF_U8, 3, C>(t, load, x0, y0, columns, rows, tile);
                return;
            }
            break;
        case GF_F32 * 8 + 3:                     /* code for four channels would slow other layouts down */
            if constexpr (C == 3) {
                load_inside<GF_F32, 3, C>(t, load, x0, y0, columns, rows, tile);
                return;
            }
            break;
        }
    }
    if constexpr (CALL)
        load_other_call<C>(t, load, x0, y0, columns, rows);
    else
        load_other<C>(t, load, x0, y0, columns, rows);
}

#endif
