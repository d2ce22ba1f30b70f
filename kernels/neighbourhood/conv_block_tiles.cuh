/*
 * Convolution on tiles in shared memory: its kernels and their launches. The file of each number of channels compiles
 * its own.
 */
#ifndef GF_KERNELS_CONV_BLOCK_TILES_CUH
#define GF_KERNELS_CONV_BLOCK_TILES_CUH

#include "kernels/neighbourhood/conv_block_tiles.cuh"

#include "kernels/base/shared_tile.cuh"
#include "kernels/base/thread_point.cuh"
#include "kernels/neighbourhood/conv_block_masks.cuh"
#include "kernels/neighbourhood/conv_thread_hypotenuse.cuh"
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

/* ---- sums over a tile: along lines, down columns, under a full mask ---- */

/*
 * Sums one chain of taps [from, to) for four neighbors on a line of floats that is aligned to 16
 * bytes and readable up to a multiple of four after the taps. `from` is a multiple of four.
 */
template <class W>
static __device__ __forceinline__ void chain_along(const float *s, W w, int from, int to, float (&acc)[4])
{
    float v[8];

    *(float4 *)v = *(const float4 *)(s + from);
#pragma unroll
    for (int o = 0; o < 4; o++)
        acc[o] = 0.0f;
    for (int i = from; i < to; i += 4) {
        *(float4 *)(v + 4) = *(const float4 *)(s + i + 4);
#pragma unroll
        for (int u = 0; u < 4; u++) {
            if (i + u >= to)
                break;
            const float m = w[i + u];
#pragma unroll
            for (int o = 0; o < 4; o++)
                acc[o] = __fmaf_rn(m, v[u + o], acc[o]);
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = v[k + 4];
    }
}

/*
 * Sums one chain for four columns by four rows; rows are `pitch` apart and readable to a multiple
 * of four after the taps.
 */
template <class W>
static __device__ __forceinline__ void chain_down(const float *s, int pitch, W w, int from, int to, float (&acc)[16])
{
    float4 v[8];

#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = *(const float4 *)(s + (from + k) * pitch);
#pragma unroll
    for (int o = 0; o < 16; o++)
        acc[o] = 0.0f;
    for (int j = from; j < to; j += 4) {
#pragma unroll
        for (int k = 4; k < 8; k++)
            v[k] = *(const float4 *)(s + (j + k) * pitch);
#pragma unroll
        for (int u = 0; u < 4; u++) {
            if (j + u >= to)
                break;
            const float m = w[j + u];
#pragma unroll
            for (int o = 0; o < 4; o++) {
                acc[4 * o] = __fmaf_rn(m, v[u + o].x, acc[4 * o]);
                acc[4 * o + 1] = __fmaf_rn(m, v[u + o].y, acc[4 * o + 1]);
                acc[4 * o + 2] = __fmaf_rn(m, v[u + o].z, acc[4 * o + 2]);
                acc[4 * o + 3] = __fmaf_rn(m, v[u + o].w, acc[4 * o + 3]);
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = v[k + 4];
    }
}

/* Sums several chains. A call, so that short masks do not pay for its registers. */
template <class W>
static __device__ __noinline__ void chains_along(const float *s, W w, int taps, float *out)
{
    sums<4> all;

    all.clear();
    for (int from = 0; from < taps; from += GF_CONV_CHUNK) {
        chain_along(s, w, from, min(from + GF_CONV_CHUNK, taps), all.acc);
        all.end_chain();
    }
    all.finish(true);
#pragma unroll
    for (int o = 0; o < 4; o++)
        out[o] = all.acc[o];
}

template <class W>
static __device__ __noinline__ void chains_down(const float *s, int pitch, W w, int taps, float *out)
{
    sums<16> all;

    all.clear();
    for (int from = 0; from < taps; from += GF_CONV_CHUNK) {
        chain_down(s, pitch, w, from, min(from + GF_CONV_CHUNK, taps), all.acc);
        all.end_chain();
    }
    all.finish(true);
#pragma unroll
    for (int o = 0; o < 16; o++)
        out[o] = all.acc[o];
}

template <class W>
static __device__ __forceinline__ void sum_along(const float *s, W w, int taps, float (&out)[4])
{
    if (taps <= GF_CONV_CHUNK) {
        chain_along(s, w, 0, taps, out);
    } else {
        float far[4];

        chains_along(s, w, taps, far);
#pragma unroll
        for (int o = 0; o < 4; o++)
            out[o] = far[o];
    }
}

template <class W>
static __device__ __forceinline__ void sum_down(const float *s, int pitch, W w, int taps, float (&out)[16])
{
    if (taps <= GF_CONV_CHUNK) {
        chain_down(s, pitch, w, 0, taps, out);
    } else {
        float far[16];

        chains_down(s, pitch, w, taps, far);
#pragma unroll
        for (int o = 0; o < 16; o++)
            out[o] = far[o];
    }
}

/* Sums four columns by R rows under a full mask: each row of the tile serves all results that need it. */
template <int R, class W>
static __device__ __forceinline__ void sum_full(const float *s, int pitch, W w, int nx, int ny, sums<4> (&out)[R])
{
    const int chunk = gf_conv_chunk_rows(nx);

#pragma unroll
    for (int o = 0; o < R; o++)
        out[o].clear();
    for (int k = 0; k < ny + R - 1; k++, s += pitch) {
        float v[8];

        *(float4 *)v = *(const float4 *)s;
        for (int i = 0; i < nx; i += 4) {
            *(float4 *)(v + 4) = *(const float4 *)(s + i + 4);
#pragma unroll
            for (int o = 0; o < R; o++) {
                if (k < o || k - o >= ny)
                    continue;
#pragma unroll
                for (int u = 0; u < 4; u++) {
                    if (i + u >= nx)
                        break;
                    const float m = w[(k - o) * nx + i + u];
#pragma unroll
                    for (int x = 0; x < 4; x++)
                        out[o].acc[x] = __fmaf_rn(m, v[u + x], out[o].acc[x]);
                }
            }
#pragma unroll
            for (int n = 0; n < 4; n++)
                v[n] = v[n + 4];
        }
#pragma unroll
        for (int o = 0; o < R; o++)
            if (ny > chunk && k >= o && k - o < ny && ((k - o + 1) % chunk == 0 || k - o + 1 == ny))
                out[o].end_chain();
    }
#pragma unroll
    for (int o = 0; o < R; o++)
        out[o].finish(ny > chunk);
}

/* Sums under a mask of N by N that is one chain: its weights stay in registers. */
template <int N, int R, class W>
static __device__ __forceinline__ void sum_small(const float *s, int pitch, W w, float (&out)[R][4])
{
    float m[N * N];

#pragma unroll
    for (int i = 0; i < N * N; i++)
        m[i] = w[i];
#pragma unroll
    for (int k = 0; k < N + R - 1; k++) {
        float v[12];

#pragma unroll
        for (int i = 0; i < N + 3; i += 4)
            *(float4 *)(v + i) = *(const float4 *)(s + k * pitch + i);
#pragma unroll
        for (int o = 0; o < R; o++)
#pragma unroll
            for (int i = 0; i < N; i++)
#pragma unroll
                for (int x = 0; x < 4; x++)
                    if (k >= o && k - o < N)
                        out[o][x] = __fmaf_rn(m[(k - o) * N + i], v[x + i], k == o && i == 0 ? 0.0f : out[o][x]);
    }
}

/* ---- kernels ---- */

/* Stores four results at (x, y), sharpened; the samples are read again. */
template <int C>
static __device__ __forceinline__ void sharpen_four(const struct conv_task &t, const struct gf_point &load,
                                                    int64_t x, int64_t y,
                                                    float (&v)[4][4])
{
    float s[4][4];

    if (x >= t.width || y >= t.end)
        return;
    gf_read4(t.src, gf_block_view_row(t.src, y), x, (int)min((int64_t)4, t.width - x), s);
    if (load.count > 0)
        gf_program_run<4, 4>(load, t.tables, s);
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int c = 0; c < C; c++)
            v[p][c] = c < t.conv.combined ? sharpened(t.conv, s[p][c], v[p][c]) : s[p][c];
}

static __device__ __forceinline__ void store_four(const struct conv_task &t, const struct gf_point &store,
                                                  int64_t x, int64_t y,
                                                  float (&v)[4][4])
{
    if (x >= t.width || y >= t.end)
        return;
    if (store.count > 0)
        gf_program_run<4, 4>(store, t.tables, v);
    gf_write4(t.dst, gf_block_view_row(t.dst, y), x, (int)min((int64_t)4, t.width - x), v);
}

/* Rows take turns in the place of the first, so that the code to store a row exists once. */
template <int R, int C, bool SHARPEN>
static __device__ __forceinline__ void store_rows(const struct conv_task &t, const struct gf_point &load,
                                                  const struct gf_point &store,
                                                  int64_t x, int64_t y, int rows, float (&v)[R][4][4])
{
#pragma unroll 1
    for (int k = 0; k < rows; k++) {
        float u[4][4];

#pragma unroll
        for (int p = 0; p < 4; p++)
#pragma unroll
            for (int c = 0; c < C; c++) {
                u[p][c] = v[0][p][c];
#pragma unroll
                for (int r = 0; r + 1 < R; r++)
                    v[r][p][c] = v[r + 1][p][c];
            }
        if constexpr (SHARPEN)
            sharpen_four<C>(t, load, x, y + k, u);
        store_four(t, store, x, y + k, u);
    }
}

/* ---- a separable mask ---- */

/* A tile in shared memory: its position in the result, and its size. */
struct tile_place {
    float *tile;
    int64_t x0, y0;
    int quads, plane;                    /* groups of four columns; floats of a channel */
    int results, rows;                   /* rows of the result, and of the tile */
};

/* Returns the weights of channel c in one direction. */
template <class W>
static __device__ __forceinline__ W line_of(const struct conv_task &t, W masks, int64_t at, int taps, int c)
{
    return masks.from(at + (t.conv.mask_channels > 1 ? c * taps : 0));
}

/* Filters rows only: four pixels a thread, stored at once. */
template <int C>
static __device__ __forceinline__ void filter_along(const struct conv_task &t, const struct gf_point &store,
                                                    const struct tile_place &p)
{
    for (int i = threadIdx.x; i < p.quads * p.results; i += blockDim.x) {
        const int x = i % p.quads * 4, y = i / p.quads;
        float v[4][4];

        with_weights(t, [&](auto masks) {
#pragma unroll
            for (int c = 0; c < C; c++) {
                float s[4];

                sum_along(p.tile + c * p.plane + y * t.pitch + x, line_of(t, masks, t.conv.x_at, t.conv.nx, c),
                          t.conv.nx, s);
#pragma unroll
                for (int k = 0; k < 4; k++)
                    v[k][c] = s[k];
            }
        });
        store_four(t, store, p.x0 + x, p.y0 + y, v);
    }
}

/*
 * Filters each row of channel c in place, by the lanes of one warp. All lanes take part, so that
 * they meet before they write; idle lanes of the last row read what its last active lane reads.
 */
template <class W>
static __device__ __forceinline__ void filter_in_place(const struct conv_task &t,
                                                       const struct tile_place &p, W w, int c)
{
    const int all = p.rows * p.quads;

    for (int i = threadIdx.x; i - (int)threadIdx.x % 32 < all; i += blockDim.x) {
        const bool mine = i < all;
        const int at_most = mine ? i : all - 1;
        float *at = p.tile + c * p.plane + at_most / p.quads * t.pitch + at_most % p.quads * 4;
        float s[4];

        sum_along(at, w, t.conv.nx, s);
        __syncwarp();
        if (mine)
            *(float4 *)at = make_float4(s[0], s[1], s[2], s[3]);
        __syncwarp();
    }
}

/* Filters columns and stores the result, four by four pixels a thread. */
template <int C, bool SHARPEN>
static __device__ __forceinline__ void filter_down(const struct conv_task &t, const struct gf_point &load,
                                                   const struct gf_point &store, const struct tile_place &p)
{
    for (int i = threadIdx.x; i < p.quads * ((p.results + 3) / 4); i += blockDim.x) {
        const int x = i % p.quads * 4, y = i / p.quads * 4;
        float v[4][4][4];

        with_weights(t, [&](auto masks) {
#pragma unroll
            for (int c = 0; c < C; c++) {
                float s[16];

                sum_down(p.tile + c * p.plane + y * t.pitch + x, t.pitch, line_of(t, masks, t.conv.y_at, t.conv.ny, c),
                         t.conv.ny, s);
#pragma unroll
                for (int k = 0; k < 16; k++)
                    v[k / 4][k % 4][c] = s[k];
            }
        });
        store_rows<4, C, SHARPEN>(t, load, store, p.x0 + x, p.y0 + y, min(4, p.results - y), v);
    }
}

/* A separable mask, or one direction of it: the tile is loaded, then rows are filtered, then columns. */
template <int C, bool SHARPEN>
__global__ void __launch_bounds__(256, C == 1 ? 3 : 2) separable(const __grid_constant__ struct conv_task t,
                                                                 const __grid_constant__ struct gf_point load,
                                                                 const __grid_constant__ struct gf_point store)
{
    extern __shared__ float4 shared[];
    const int64_t x0 = (int64_t)blockIdx.x * t.tile_x, y0 = t.first + (int64_t)blockIdx.y * t.tile_y;
    const int nx = t.conv.nx, ny = t.conv.ny;
    const int results = (int)min((int64_t)t.tile_y, t.end - y0), rows = results + (ny > 0 ? ny - 1 : 0);
    const struct tile_place p = { (float *)shared, x0, y0, t.tile_x / 4, t.pitch * t.rows, results, rows };

    load_any_tile<C, false>(t, load, nx > 0 ? x0 - t.conv.cx : x0, ny > 0 ? y0 - t.conv.cy : y0,
                     t.tile_x + (nx > 0 ? nx - 1 : 0), rows, p.tile);
    __syncthreads();
    if (!SHARPEN && ny == 0)             /* sharpening has a mask in both directions */
        return filter_along<C>(t, store, p);
    with_weights(t, [&](auto masks) {
        for (int c = 0; c < (nx > 0 ? C : 0); c++)
            filter_in_place(t, p, line_of(t, masks, t.conv.x_at, nx, c), c);
    });
    __syncthreads();
    filter_down<C, SHARPEN>(t, load, store, p);
}

/* ---- a full mask ---- */

/* Sums four columns by R rows at `at` with the full mask at w. */
template <int R, class W>
static __device__ __forceinline__ void sum_any(const float *at, int pitch, W w, int nx, int ny, float (&out)[R][4])
{
    sums<4> s[R];

    sum_full<R>(at, pitch, w, nx, ny, s);
#pragma unroll
    for (int k = 0; k < R * 4; k++)
        out[k / 4][k % 4] = s[k / 4].acc[k % 4];
}

/*
 * Computes four columns by R rows of channel c, whose tile is at `at`, with a full mask, or the
 * hypotenuse of two.
 */
template <int R, class W>
static __device__ __forceinline__ void sum_channel(const struct conv_task &t, const float *at, W masks, int c,
                                                   float (&out)[R][4])
{
    const int nx = t.conv.nx, ny = t.conv.ny;

    sum_any<R>(at, t.pitch,
               masks.from(t.conv.full_at + (t.conv.mask_channels > 1 ? (int64_t)c * nx * ny : 0)), nx, ny, out);
    if (t.conv.combine == GF_CONV_HYPOT) {
        const float *centre = at + t.conv.cy * t.pitch + t.conv.cx;
        float other[R][4];

        sum_any<R>(at, t.pitch, masks.from(t.conv.also_at), nx, ny, other);
#pragma unroll
        for (int k = 0; k < R * 4; k++)
            out[k / 4][k % 4] = c < t.conv.combined ? gf_conv_hypotenuse(out[k / 4][k % 4], other[k / 4][k % 4])
                                                    : centre[k / 4 * t.pitch + k % 4];
    }
}

/* A full mask, or the hypotenuse of two; if N is not 0, N by N and in constant memory. */
template <int C, int R, int N>
__global__ void __launch_bounds__(256, N == 0 ? (C == 4 ? 4 : 2) : N < 7 ? 4 : 3)
full(const __grid_constant__ struct conv_task t, const __grid_constant__ struct gf_point load,
     const __grid_constant__ struct gf_point store)
{
    extern __shared__ float4 shared[];
    float *tile = (float *)shared;
    const int64_t x0 = (int64_t)blockIdx.x * t.tile_x, y0 = t.first + (int64_t)blockIdx.y * t.tile_y;
    const int nx = t.conv.nx, ny = t.conv.ny, quads = t.tile_x / 4;
    const int results = (int)min((int64_t)t.tile_y, t.end - y0);

    load_any_tile<C, N == 7>(t, load, x0 - t.conv.cx, y0 - t.conv.cy, t.tile_x + nx - 1, results + ny - 1, tile);
    __syncthreads();
    for (int i = threadIdx.x; i < quads * ((results + R - 1) / R); i += blockDim.x) {
        const int x = i % quads * 4, y = i / quads * R;
        float v[R][4][4];

#pragma unroll
        for (int c = 0; c < C; c++) {
            const float *at = tile + c * t.pitch * t.rows + y * t.pitch + x;
            float out[R][4];

            if constexpr (N > 0)
                sum_small<N, R>(at, t.pitch, weights<true>{ t.masks, t.conv.full_at }, out);
            else
                with_weights(t, [&](auto masks) { sum_channel<R>(t, at, masks, c, out); });
#pragma unroll
            for (int k = 0; k < R * 4; k++)
                v[k / 4][k % 4][c] = out[k / 4][k % 4];
        }
        store_rows<R, C, false>(t, load, store, x0 + x, y0 + y, min(R, results - y), v);
    }
}

/* ---- launches ---- */

typedef void conv_kernel(const struct conv_task, const struct gf_point, const struct gf_point);

/* Returns a kernel for C channels; masks of 3, 5 and 7 on one channel have kernels of their own. */
template <int C>
static conv_kernel *kernel_of(const struct conv_task *t)
{
    const struct gf_conv *conv = &t->conv;
    const int side = conv->nx == conv->ny ? conv->nx : 0;

    if constexpr (C == 1)
        if (conv->full && t->constant && conv->combine != GF_CONV_HYPOT && (side == 3 || side == 5 || side == 7))
            return side == 3 ? full<1, 4, 3> : side == 5 ? full<1, 4, 5> : full<1, 4, 7>;
    if (conv->full)
        return full<C, C == 1 ? 4 : 1, 0>;
    return conv->combine == GF_CONV_SHARPEN ? separable<C, true> : separable<C, false>;
}

template <int C>
static int launch_tiles(const struct gf_work *work, const struct gf_io *io, const struct conv_task *t,
                        struct gf_error *err)
{
    conv_kernel *const kernel = kernel_of<C>(t);
    const size_t bytes = conv_tile_bytes(t, C);
    const int threads = t->tile_x * t->tile_y / (t->conv.ny > 0 && (!t->conv.full || C == 1) ? 16 : 4);

    if ((t->constant && copy_constant_masks(work, err) != 0)
        || (bytes > 48 * 1024 && gf_cuda_allow_shared_memory((const void *)kernel, err) != 0))
        return -1;
    gf_cuda_launch_rows(*t, t->tile_y, [&](const struct conv_task &part, unsigned height) {
        kernel<<<dim3((unsigned)gf_ceil_div(t->width, t->tile_x), height),
                 threads < 128 ? 128 : threads > 256 ? 256 : threads, bytes, (cudaStream_t)work->stream>>>(
            part, gf_program(io->load, io->src.channels), gf_program(io->store, io->dst.channels));
    });
    return gf_cuda_launched("convolution", err);
}

#endif
