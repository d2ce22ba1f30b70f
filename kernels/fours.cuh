/* Kernels that change pixels by their places: in words of sixteen bytes where they lie so, a kernel for each way they do. */
#ifndef GF_FOURS_CUH
#define GF_FOURS_CUH

#include "check.cuh"
#include "pack.cuh"

#define GF_FOURS_THREADS 256
#define GF_FOURS_ROWS 4                  /* rows a thread, where there are blocks enough */
#define GF_FOURS_BLOCKS 4096

struct gf_fours_task {
    struct gf_view src, dst;
    int64_t first, rows, width;
};

/* Channel c of a pixel in registers, which no index may take to memory. */
static __device__ __forceinline__ float gf_pick4(const float (&v)[4], int c)
{
    return c == 0 ? v[0] : c == 1 ? v[1] : c == 2 ? v[2] : v[3];
}

/* A pixel of any layout, up to four channels: calls, for where pictures end and for layouts that are rare. */
static __device__ __noinline__ float4 gf_get_pixel(const struct gf_view &v, const unsigned char *row, int64_t x)
{
    float p[4] = { };

#pragma unroll
    for (int c = 0; c < 4; c++)
        if (c < v.channels)
            p[c] = gf_get(v, row, gf_at(v, x, c));
    return make_float4(p[0], p[1], p[2], p[3]);
}

static __device__ __noinline__ void gf_put_pixel(const struct gf_view &v, unsigned char *row, int64_t x, float4 pixel)
{
    const float p[4] = { pixel.x, pixel.y, pixel.z, pixel.w };

#pragma unroll
    for (int c = 0; c < 4; c++)
        if (c < v.channels)
            gf_put(v, row, gf_at(v, x, c), p[c]);
}

/* Stores columns x to x + pixels of C channels. */
template <int C, int V>
static __device__ __forceinline__ void gf_fours_write(const struct gf_view &v, unsigned char *row, int64_t x, int pixels,
                                                      const float (&in)[4][V])
{
    const int layout = pixels < 4 ? -1 : v.layout;

    if (layout == GF_PLANES)
        gf_write_planes(v, row, x, in);
    else if (layout == GF_U8)
        gf_write_four<GF_U8, C>(v, row, x, in);
    else if (layout == GF_U16)
        gf_write_four<GF_U16, C>(v, row, x, in);
    else if constexpr (V == 1)
        gf_write_any(v, row, x, pixels, in);
    else
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (i < pixels)
                gf_put_pixel(v, row, x + i, make_float4(in[i][0], in[i][1], in[i][2], in[i][3]));
}

/* So many fours make words of sixteen bytes. */
template <int T, int C>
static __host__ __device__ constexpr int gf_fours_together()
{
    return gf_four<T, C>::words % 4 == 0 ? 1 : gf_four<T, C>::words % 2 == 0 ? 2 : 4;
}

/* Pixels from the last multiple of sixteen bytes that a pixel could begin at, to the row's first. */
template <int T, int C>
static __device__ __forceinline__ int gf_fours_ahead(const unsigned char *row)
{
    constexpr int bytes = gf_layout<T>::bytes * (T == GF_PLANES ? 1 : C), even = bytes % 16 == 0 ? 16 : bytes & -bytes;

    /* three times eleven is one, modulo sixteen */
    return (int)((unsigned)((uintptr_t)row / even) * (bytes == even ? 1 : 11) & (16 / even - 1));
}

/*
 * `change` is a structure by value. It is told of a group of pixels by begin(), with the first one's column and row and how many
 * there are, and then four by four what begin() has made of that, which pixel of the group is the first of the four, their first
 * channel that is there, how many of them there are, and their channels. Groups begin at multiples of sixteen bytes, so the
 * first of a row and the last may be incomplete. One four at a time, for the programs are long; a change that says `whole` is
 * asked first whether it has a short one, for all words of a group at once.
 */
template <int T, int C, class F>
__global__ void __launch_bounds__(GF_FOURS_THREADS, GF_BLOCKS(4)) gf_fours(const __grid_constant__ struct gf_fours_task t,
                                                                           const __grid_constant__ F change)
{
    constexpr int V = C == 1 ? 1 : 4, words = gf_four<T, C>::words, all = words * gf_fours_together<T, C>();
    constexpr int most = 4 * gf_fours_together<T, C>();
    const int64_t group = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * most;

    for (int64_t y = t.first + blockIdx.y * blockDim.y + threadIdx.y; y < t.first + t.rows; y += (int64_t)gridDim.y * blockDim.y) {
        const unsigned char *from = t.src.data + (y - t.src.start) * t.src.pitch * gf_layout<T>::bytes;
        unsigned char *to = gf_row(t.dst, y);
        const int64_t ahead = group - gf_fours_ahead<T, C>(from), x = ahead < 0 ? 0 : ahead;
        const int pixels = (int)(min(ahead + most, t.width) - x);
        unsigned char *const out = to + x * C * gf_layout<T>::bytes;
        unsigned w[all];
        const bool wide = T != GF_PLANES && pixels == most && gf_read_words<all>(from + x * C * gf_layout<T>::bytes, w);
        const auto at = change.begin(x, y, pixels);
        const bool stored = wide && t.dst.layout == T && (uintptr_t)out % 16 == 0;

        if constexpr (F::whole && T != GF_PLANES)
            if (stored && change.template make_whole<T, C, all>(at, t.src, t.dst, most, w)) {
                gf_write_words<all>(out, w);
                continue;
            }
#pragma unroll 1
        for (int i = 0; i < pixels; i += 4) {
            struct gf_four<T, C> four;
            float v[4][V] = { };

            if (wide)
#pragma unroll
                for (int k = 0; k < words; k++)
                    four.w[k] = w[k];
            else
                four.read(t.src, from, x + i, min(4, pixels - i));
            four.unpack(t.src, v);
            change.template make<T, C>(at, i, 0, min(4, pixels - i), v);
            if (!stored) {
                gf_fours_write<C>(t.dst, to, x + i, min(4, pixels - i), v);
            } else if (T != GF_PLANES) {
                gf_pack_four<T, C>(t.dst, v, four.w);
            }
            /* the next four to the front, what has been made to the end */
#pragma unroll
            for (int k = 0; k < all; k++)
                w[k] = k + words < all ? w[k + words] : four.w[k + words - all];
        }
        if (stored)
            gf_write_words<all>(out, w);
    }
}

/* Any layout, and any number of channels, four at a time: a pixel a thread. */
template <class F>
__global__ void __launch_bounds__(GF_FOURS_THREADS) gf_fours_any(const __grid_constant__ struct gf_fours_task t,
                                                                 const __grid_constant__ F change)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (x >= t.width)
        return;
    for (int64_t y = t.first + blockIdx.y * blockDim.y + threadIdx.y; y < t.first + t.rows; y += (int64_t)gridDim.y * blockDim.y)
        for (int first = 0; first < t.src.channels; first += 4) {
            float v[1][4] = { };

#pragma unroll
            for (int c = 0; c < 4; c++)
                if (first + c < t.src.channels)
                    v[0][c] = gf_get(t.src, gf_row(t.src, y), gf_at(t.src, x, first + c));
            change.template make<-1, 0>(change.begin(x, y, 1), 0, first, 1, v);
#pragma unroll
            for (int c = 0; c < 4; c++)
                if (first + c < t.src.channels)
                    gf_put(t.dst, gf_row(t.dst, y), gf_at(t.dst, x, first + c), v[0][c]);
        }
}

/* Blocks as broad as rows of so many groups want them. */
static inline dim3 gf_fours_block(int64_t groups)
{
    unsigned across = 1;

    while (across < GF_FOURS_THREADS && across < groups)
        across *= 2;
    return dim3(across, GF_FOURS_THREADS / across);
}

template <int T, int C, class F>
static void gf_fours_of(const struct gf_fours_task &t, const F &change, cudaStream_t stream)
{
    constexpr int most = 4 * gf_fours_together<T, C>();
    const int64_t groups = gf_ceil_div(t.width + most - 1, most);
    const dim3 block = gf_fours_block(groups);
    const int64_t across = gf_ceil_div(groups, block.x), rows = gf_ceil_div(t.rows, block.y), fewer = gf_ceil_div(rows, GF_FOURS_ROWS);

    gf_fours<T, C, F><<<dim3((unsigned)across, gf_at_most(across * fewer < GF_FOURS_BLOCKS ? rows : fewer, 65535)), block, 0,
                        stream>>>(t, change);
}

/* As many channels behind it. `usual`: the change suits all of the kernels, not just the one for any layout. */
template <class F>
static int gf_fours_launch(struct gf_fours_task t, const F &change, bool usual, const char *what, cudaStream_t stream,
                           struct gf_error *err)
{
    const dim3 block = gf_fours_block(t.width);
    const dim3 grid((unsigned)gf_ceil_div(t.width, block.x), gf_at_most(gf_ceil_div(t.rows, block.y), 65535));

    /* floats of one channel are a plane */
    if (t.src.layout == GF_F32 && t.src.channels == 1)
        t.src.layout = GF_PLANES;
    if (t.dst.layout == GF_F32 && t.dst.channels == 1)
        t.dst.layout = GF_PLANES;
    switch (usual && t.width > 1 ? t.src.layout * 8 + t.src.channels : -1) {
    case GF_U8 * 8 + 1: gf_fours_of<GF_U8, 1>(t, change, stream); break;
    case GF_U8 * 8 + 3: gf_fours_of<GF_U8, 3>(t, change, stream); break;
    case GF_U8 * 8 + 4: gf_fours_of<GF_U8, 4>(t, change, stream); break;
    case GF_U16 * 8 + 1: gf_fours_of<GF_U16, 1>(t, change, stream); break;
    case GF_U16 * 8 + 3: gf_fours_of<GF_U16, 3>(t, change, stream); break;
    case GF_U16 * 8 + 4: gf_fours_of<GF_U16, 4>(t, change, stream); break;
    case GF_PLANES * 8 + 1: gf_fours_of<GF_PLANES, 1>(t, change, stream); break;
    case GF_PLANES * 8 + 3: gf_fours_of<GF_PLANES, 3>(t, change, stream); break;
    case GF_PLANES * 8 + 4: gf_fours_of<GF_PLANES, 4>(t, change, stream); break;
    default: gf_fours_any<<<grid, block, 0, stream>>>(t, change);
    }
    return gf_cuda_launched(what, err);
}

#endif
