/* Sums of a convolution over a tile in shared memory: along lines, down columns, under a full mask. */
#ifndef GF_KERNELS_CONV_THREAD_CHAINS_CUH
#define GF_KERNELS_CONV_THREAD_CHAINS_CUH

#include "kernels/neighbourhood/conv_block_masks.cuh"

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

#endif
