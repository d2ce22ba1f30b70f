/* Kernels of convolution on tiles in shared memory. */
#ifndef GF_KERNELS_CONV_BLOCK_TILES_CUH
#define GF_KERNELS_CONV_BLOCK_TILES_CUH

#include "kernels/neighbourhood/conv_block_load.cuh"
#include "kernels/neighbourhood/conv_thread_chains.cuh"
#include "kernels/neighbourhood/conv_thread_hypotenuse.cuh"

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

#endif
