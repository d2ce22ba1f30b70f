/* Kernels of convolution: tiles in shared memory, tall columns, and lines of audio. */
#ifndef GF_CONV_CUH
#define GF_CONV_CUH

#include "conv.h"
#include "point.cuh"

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
    struct gf_view src, dst;
    struct gf_conv conv;
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
    const float *masks, *tables;
    int tile_x, tile_y;                      /* results a block */
    int pitch, rows;                         /* of the tile in shared memory */
};

/* Adds p to the sum s + e without losing what rounding drops (TwoSum). */
static __device__ __forceinline__ void add_exactly(float &s, float &e, float p)
{
    const float t = __fadd_rn(s, p), back = __fsub_rn(t, s);

    e = __fadd_rn(e, __fadd_rn(__fsub_rn(s, __fsub_rn(t, back)), __fsub_rn(p, back)));
    s = t;
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
            add_exactly(sum[i], lost[i], acc[i]);
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
static __device__ __forceinline__ void load_pixel(const struct gf_view &v, const unsigned char *row, int64_t x,
                                                  const struct gf_point &load, const float *tables, float (&p)[1][4])
{
    const int in = v.channels;

#pragma unroll
    for (int c = 0; c < 4; c++) {
        if (c >= in)
            continue;
        if (T == GF_U8)
            p[0][c] = gf_quotient(0x4B000000u | row[x * in + c], v);
        else if (T == GF_U16)
            p[0][c] = gf_quotient(0x4B000000u | ((const unsigned short *)row)[x * in + c], v);
        else if (T == GF_F32)
            p[0][c] = ((const float *)row)[x * in + c];
        else if (T == GF_PLANES)
            p[0][c] = ((const float *)row)[x + c * v.plane];
        else
            p[0][c] = gf_get(v, row, gf_at(v, x, c));
    }
    if (load.count > 0)
        gf_run<1, 4>(load, tables, p);
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
        const unsigned char *row = gf_row(t.src, unit);
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
    const unsigned char *first = gf_row(t.src, y0);
    const int64_t step = t.src.pitch * gf_layout<T>::bytes;

    for (int g = threadIdx.x; g < rows * quads; g += BATCH * blockDim.x) {
        struct gf_four<T, S> four[BATCH];
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
                gf_run<4, 4>(load, t.tables, v);
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

/* ---- sums over a tile ---- */

/*
 * One chain of taps [from, to) for four neighbours on a line of floats that is aligned to
 * 16 bytes and readable to a multiple of four behind the taps. `from` is a multiple of four.
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

/* One chain for four columns by four rows; rows are `pitch` apart and readable to a multiple of four behind the taps. */
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

/* Several chains: a call, so that short masks do not pay with registers. */
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

/* Four columns by R rows under a full mask: each row of the tile serves all results that need it. */
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

/* The same for a mask of N by N that is one chain: its weights stay in registers. */
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

/* ---- tiles ---- */

static __device__ __forceinline__ void store_four(const struct conv_task &t, const struct gf_point &store, int64_t x, int64_t y,
                                                  float (&v)[4][4])
{
    if (x >= t.width || y >= t.end)
        return;
    if (store.count > 0)
        gf_run<4, 4>(store, t.tables, v);
    gf_write4(t.dst, gf_row(t.dst, y), x, (int)min((int64_t)4, t.width - x), v);
}

/* Rows take turns in the place of the first, so that the code to store one is there once. */
template <int R, int C>
static __device__ __forceinline__ void store_rows(const struct conv_task &t, const struct gf_point &store, int64_t x, int64_t y,
                                                  int rows, float (&v)[R][4][4])
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
        store_four(t, store, x, y + k, u);
    }
}

/*
 * A separable mask, or one direction of it: the tile is loaded, each row is filtered in its
 * own place (by the lanes of one warp), then columns are and leave. Idle lanes of the last
 * warp read what its last working lane does.
 */
template <int C, bool CONSTANT>
__global__ void __launch_bounds__(256, C == 1 ? 3 : 2) separable(const __grid_constant__ struct conv_task t,
                                                 const __grid_constant__ struct gf_point load,
                                                 const __grid_constant__ struct gf_point store)
{
    extern __shared__ float4 shared[];
    float *tile = (float *)shared;
    const int64_t x0 = (int64_t)blockIdx.x * t.tile_x, y0 = t.first + (int64_t)blockIdx.y * t.tile_y;
    const int nx = t.conv.nx, ny = t.conv.ny, quads = t.tile_x / 4, plane = t.pitch * t.rows;
    const int results = (int)min((int64_t)t.tile_y, t.end - y0), rows = results + (ny > 0 ? ny - 1 : 0);
    const weights<CONSTANT> masks = { t.masks, 0 };

    load_any_tile<C>(t, load, nx > 0 ? x0 - t.conv.cx : x0, ny > 0 ? y0 - t.conv.cy : y0,
                     t.tile_x + (nx > 0 ? nx - 1 : 0), rows, tile);
    __syncthreads();
    if (ny == 0) {
        for (int i = threadIdx.x; i < quads * results; i += blockDim.x) {
            const int x = i % quads * 4, y = i / quads;
            float v[4][4];

#pragma unroll
            for (int c = 0; c < C; c++) {
                float s[4];

                sum_along(tile + c * plane + y * t.pitch + x,
                          masks.from(t.conv.x_at + (t.conv.mask_channels > 1 ? c * nx : 0)), nx, s);
#pragma unroll
                for (int k = 0; k < 4; k++)
                    v[k][c] = s[k];
            }
            store_four(t, store, x0 + x, y0 + y, v);
        }
        return;
    }
    for (int c = 0; c < (nx > 0 ? C : 0); c++) {
        const weights<CONSTANT> w = masks.from(t.conv.x_at + (t.conv.mask_channels > 1 ? c * nx : 0));

        /* whole warps go round, so that they meet before they write */
        for (int i = threadIdx.x; i - (int)threadIdx.x % 32 < rows * quads; i += blockDim.x) {
            const bool mine = i < rows * quads;
            const int at_most = mine ? i : rows * quads - 1;
            float *at = tile + c * plane + at_most / quads * t.pitch + at_most % quads * 4;
            float s[4];

            sum_along(at, w, nx, s);
            __syncwarp();
            if (mine)
                *(float4 *)at = make_float4(s[0], s[1], s[2], s[3]);
            __syncwarp();
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < quads * ((results + 3) / 4); i += blockDim.x) {
        const int x = i % quads * 4, y = i / quads * 4;
        float v[4][4][4];

#pragma unroll
        for (int c = 0; c < C; c++) {
            float s[16];

            sum_down(tile + c * plane + y * t.pitch + x, t.pitch,
                     masks.from(t.conv.y_at + (t.conv.mask_channels > 1 ? c * ny : 0)), ny, s);
#pragma unroll
            for (int k = 0; k < 16; k++)
                v[k / 4][k % 4][c] = s[k];
        }
        store_rows<4, C>(t, store, x0 + x, y0 + y, min(4, results - y), v);
    }
}

/* A full mask; N by N where N is not 0. */
template <int C, int R, bool CONSTANT, int N>
__global__ void __launch_bounds__(256, N == 0 ? 2 : N < 7 ? 4 : 3) full(const __grid_constant__ struct conv_task t,
                                            const __grid_constant__ struct gf_point load,
                                            const __grid_constant__ struct gf_point store)
{
    extern __shared__ float4 shared[];
    float *tile = (float *)shared;
    const int64_t x0 = (int64_t)blockIdx.x * t.tile_x, y0 = t.first + (int64_t)blockIdx.y * t.tile_y;
    const int nx = t.conv.nx, ny = t.conv.ny, quads = t.tile_x / 4, plane = t.pitch * t.rows;
    const int results = (int)min((int64_t)t.tile_y, t.end - y0);
    const weights<CONSTANT> masks = { t.masks, t.conv.full_at };

    load_any_tile<C>(t, load, x0 - t.conv.cx, y0 - t.conv.cy, t.tile_x + nx - 1, results + ny - 1, tile);
    __syncthreads();
    for (int i = threadIdx.x; i < quads * ((results + R - 1) / R); i += blockDim.x) {
        const int x = i % quads * 4, y = i / quads * R;
        float v[R][4][4];

#pragma unroll
        for (int c = 0; c < C; c++) {
            const float *at = tile + c * plane + y * t.pitch + x;
            const weights<CONSTANT> w = masks.from(t.conv.mask_channels > 1 ? (int64_t)c * nx * ny : 0);
            float out[R][4];

            if constexpr (N > 0) {
                sum_small<N, R>(at, t.pitch, w, out);
            } else {
                sums<4> s[R];

                sum_full<R>(at, t.pitch, w, nx, ny, s);
#pragma unroll
                for (int k = 0; k < R * 4; k++)
                    out[k / 4][k % 4] = s[k / 4].acc[k % 4];
            }
#pragma unroll
            for (int k = 0; k < R * 4; k++)
                v[k / 4][k % 4][c] = out[k / 4][k % 4];
        }
        store_rows<R, C>(t, store, x0 + x, y0 + y, min(R, results - y), v);
    }
}

#endif
