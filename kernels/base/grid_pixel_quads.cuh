/*
 * Launches kernels that change pixels by position, in words of sixteen bytes if the alignment
 * allows, with one kernel for each alignment.
 */
#ifndef GF_KERNELS_GRID_PIXEL_QUADS_CUH
#define GF_KERNELS_GRID_PIXEL_QUADS_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_pack.cuh"

#define GF_PIXEL_QUADS_THREADS 256
#define GF_PIXEL_QUADS_ROWS 4            /* rows of a thread, if the grid has enough blocks */
#define GF_PIXEL_QUADS_BLOCKS 4096

struct gf_pixel_quads_task {
    struct gf_block_view src, dst;
    int64_t first, rows, width;
    /* columns of a launch; a part of all columns if others are handled separately */
    int64_t left, right;
};

static inline struct gf_pixel_quads_task gf_pixel_quads_of_call(const struct gf_io *io)
{
    return { gf_block_view_of(&io->src), gf_block_view_of(&io->dst), io->dst.span.start, gf_span_units(io->dst.span),
             io->dst.width, 0, io->dst.width };
}

/* Returns channel c of a pixel in registers. A variable index would move the pixel to memory. */
static __device__ __forceinline__ float gf_pick4(const float (&v)[4], int c)
{
    return c == 0 ? v[0] : c == 1 ? v[1] : c == 2 ? v[2] : v[3];
}

/*
 * Loads and stores a pixel of any layout with up to four channels, by calls: for the ends of rows
 * and rare layouts.
 */
static __device__ __noinline__ float4 gf_get_pixel(const struct gf_block_view &v, const unsigned char *row, int64_t x)
{
    float p[4] = { };

    gf_pixel_get(v, row, x, p);
    return make_float4(p[0], p[1], p[2], p[3]);
}

static __device__ __noinline__ void gf_put_pixel(const struct gf_block_view &v, unsigned char *row, int64_t x,
                                                 float4 pixel)
{
    const float p[4] = { pixel.x, pixel.y, pixel.z, pixel.w };

#pragma unroll
    for (int c = 0; c < 4; c++)
        if (c < v.channels)
            gf_sample_put(v, row, gf_sample_index(v, x, c), p[c]);
}

/* Stores columns x to x + pixels of C channels. */
template <int C, int V>
static __device__ __forceinline__ void gf_pixel_quads_write(const struct gf_block_view &v, unsigned char *row,
                                                            int64_t x, int pixels,
                                                            const float (&in)[4][V])
{
    const int layout = pixels < 4 ? -1 : v.layout;

    if (layout == GF_PLANES)
        gf_write_planes(v, row, x, in);
    else if (layout == GF_U8)
        gf_write_quad<GF_U8, C>(v, row, x, in);
    else if (layout == GF_U16)
        gf_write_quad<GF_U16, C>(v, row, x, in);
    else if constexpr (V == 1)
        gf_write_any(v, row, x, pixels, in);
    else
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (i < pixels)
                gf_put_pixel(v, row, x + i, make_float4(in[i][0], in[i][1], in[i][2], in[i][3]));
}

/* Returns how many groups of four pixels fill words of sixteen bytes. */
template <int T, int C>
static __host__ __device__ constexpr int gf_pixel_quads_together()
{
    return gf_pixel_quad<T, C>::words % 4 == 0 ? 1 : gf_pixel_quad<T, C>::words % 2 == 0 ? 2 : 4;
}

/*
 * Returns the pixels from the last aligned place where a pixel could begin to the first pixel of
 * the row.
 */
template <int T, int C>
static __device__ __forceinline__ int gf_pixel_quads_ahead(const unsigned char *row)
{
    constexpr int bytes = gf_sample_layout<T>::bytes * (T == GF_PLANES ? 1 : C),
                          even = bytes % 16 == 0 ? 16 : bytes & -bytes;

    /* 3 · 11 is 1 modulo 16 */
    return (int)((unsigned)((uintptr_t)row / even) * (bytes == even ? 1 : 11) & (16 / even - 1));
}

/* Rotates the groups: the next four pixels move to the front, the changed ones to the end. */
template <int N, int W>
static __device__ __forceinline__ void gf_turn_words(unsigned (&w)[W], const unsigned (&made)[N])
{
#pragma unroll
    for (int k = 0; k < W; k++)
        w[k] = k + N < W ? w[k + N < W ? k + N : 0] : made[k + N < W ? 0 : k + N - W];
}

/*
 * `change` is a struct passed by value. Its begin() gets the column and row of the first pixel of a
 * group and the number of pixels. Its make() then gets four pixels at a time: the result of begin(),
 * the index of the first of the four in the group, the first and the number of those that exist, and
 * their channels. Groups begin at multiples of sixteen bytes, so the first and the last of a row may
 * be incomplete. The loop is not unrolled, because the code of programs is long.
 */
template <int T, int C, class F>
__global__ void __launch_bounds__(GF_PIXEL_QUADS_THREADS, GF_BLOCKS(4))
gf_pixel_quads(const __grid_constant__ struct gf_pixel_quads_task t, const __grid_constant__ F change)
{
    constexpr int V = C == 1 ? 1 : 4, words = gf_pixel_quad<T, C>::words, all = words * gf_pixel_quads_together<T, C>();
    constexpr int most = 4 * gf_pixel_quads_together<T, C>();
    const int64_t group = (t.left / most + (int64_t)blockIdx.x * blockDim.x + threadIdx.x) * most;

    for (int64_t y = t.first + blockIdx.y * blockDim.y + threadIdx.y; y < t.first + t.rows;
         y += (int64_t)gridDim.y * blockDim.y) {
        const unsigned char *from = t.src.data + (y - t.src.start) * t.src.pitch * gf_sample_layout<T>::bytes;
        unsigned char *to = gf_block_view_row(t.dst, y);
        const int64_t ahead = group - gf_pixel_quads_ahead<T, C>(from), x = ahead < t.left ? t.left : ahead;
        const int pixels = (int)(min(ahead + most, t.right) - x);
        unsigned char *const out = to + x * C * gf_sample_layout<T>::bytes;
        unsigned w[all];
        const bool wide = T != GF_PLANES && pixels == most
                          && gf_read_words<all>(from + x * C * gf_sample_layout<T>::bytes, w);
        const auto at = change.begin(x, y, pixels);
        const bool stored = wide && t.dst.layout == T && (uintptr_t)out % 16 == 0;

#pragma unroll 1
        for (int i = 0; i < pixels; i += 4) {
            struct gf_pixel_quad<T, C> four;
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
                gf_pixel_quads_write<C>(t.dst, to, x + i, min(4, pixels - i), v);
            } else if (T != GF_PLANES) {
                gf_pack_quad<T, C>(t.dst, v, four.w);
            }
            gf_turn_words<words>(w, four.w);
        }
        if (stored)
            gf_write_words<all>(out, w);
    }
}

/*
 * Changes pixels in rows of whole, aligned groups in source and result. A change with `both` may process
 * all words of a group at once (B): is_short() decides it, bound() returns the range, and
 * make_words() does it.
 */
template <int T, int C, bool B, class F>
__global__ void __launch_bounds__(GF_PIXEL_QUADS_THREADS, GF_BLOCKS(4))
gf_pixel_quads_whole(const __grid_constant__ struct gf_pixel_quads_task t, const __grid_constant__ F change)
{
    constexpr int V = C == 1 ? 1 : 4, words = gf_pixel_quad<T, C>::words, most = 4 * gf_pixel_quads_together<T, C>();
    constexpr int all = words * gf_pixel_quads_together<T, C>(), pixel = C * gf_sample_layout<T>::bytes;
    const int64_t x = t.left + ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * most;

    if (x >= t.right)
        return;
    for (int64_t y = t.first + blockIdx.y * blockDim.y + threadIdx.y; y < t.first + t.rows;
         y += (int64_t)gridDim.y * blockDim.y) {
        unsigned w[all];

        gf_read_words<all>(t.src.data + (y - t.src.start) * t.src.pitch * gf_sample_layout<T>::bytes + x * pixel, w);
        if constexpr (B) {
            change.template make_words<T, C>(t.src, t.dst, x, y, w);
        } else {
            const auto at = change.begin(x, y, most);

#pragma unroll 1
            for (int i = 0; i < most; i += 4) {
                struct gf_pixel_quad<T, C> four;
                float v[4][V] = { };

#pragma unroll
                for (int k = 0; k < words; k++)
                    four.w[k] = w[k];
                four.unpack(t.src, v);
                change.template make<T, C>(at, i, 0, 4, v);
                gf_pack_quad<T, C>(t.dst, v, four.w);
                gf_turn_words<words>(w, four.w);
            }
        }
        gf_write_words<all>(t.dst.data + (y - t.dst.start) * t.dst.pitch * gf_sample_layout<T>::bytes + x * pixel, w);
    }
}

/* Any layout and any number of channels: one pixel at a time. */
template <class F>
__global__ void __launch_bounds__(GF_PIXEL_QUADS_THREADS)
gf_pixel_quads_any(const __grid_constant__ struct gf_pixel_quads_task t, const __grid_constant__ F change)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (x >= t.width)
        return;
    for (int64_t y = t.first + blockIdx.y * blockDim.y + threadIdx.y; y < t.first + t.rows;
         y += (int64_t)gridDim.y * blockDim.y)
        for (int first = 0; first < t.src.channels; first += 4) {
            float v[1][4] = { };

#pragma unroll
            for (int c = 0; c < 4; c++)
                if (first + c < t.src.channels)
                    v[0][c] = gf_sample_get(t.src, gf_block_view_row(t.src, y), gf_sample_index(t.src, x, first + c));
            change.template make<-1, 0>(change.begin(x, y, 1), 0, first, 1, v);
#pragma unroll
            for (int c = 0; c < 4; c++)
                if (first + c < t.src.channels)
                    gf_sample_put(t.dst, gf_block_view_row(t.dst, y), gf_sample_index(t.dst, x, first + c), v[0][c]);
        }
}

/* Returns blocks as wide as rows with that many groups need. */
static inline dim3 gf_pixel_quads_block(int64_t groups)
{
    unsigned across = 1;

    while (across < GF_PIXEL_QUADS_THREADS && across < groups)
        across *= 2;
    return dim3(across, GF_PIXEL_QUADS_THREADS / across);
}

/* Returns true if all rows have the same alignment to sixteen bytes, and which. */
template <int T>
static bool gf_pixel_quads_alike(const struct gf_block_view &v, int64_t unit, uintptr_t *start)
{
    *start = (uintptr_t)(v.data + (unit - v.start) * v.pitch * gf_sample_layout<T>::bytes);
    return v.pitch * gf_sample_layout<T>::bytes % 16 == 0;
}

/*
 * Returns the part of t that gf_pixel_quads_whole() can process, with B; it may be empty. It
 * consists of whole groups that begin at multiples of sixteen bytes, in all rows and columns or in
 * those that the change names.
 */
template <int T, int C, bool B, class F>
static struct gf_pixel_quads_task gf_pixel_quads_inside(const struct gf_pixel_quads_task &t, const F &change)
{
    constexpr int most = 4 * gf_pixel_quads_together<T, C>(), pixel = C * gf_sample_layout<T>::bytes;
    struct gf_pixel_quads_task in = t;
    uintptr_t from, to;

    if (!gf_pixel_quads_alike<T>(t.src, t.first, &from) || !gf_pixel_quads_alike<T>(t.dst, t.first, &to)
        || (from - to) % 16 != 0 || t.dst.layout != T || t.dst.channels != C)
        in.rows = 0;
    if constexpr (B)
        change.template bound<T, C>(from, in);
    for (int i = 0; i < 16 && (from + (uintptr_t)in.left * pixel) % 16 != 0; i++)
        in.left++;
    if ((from + (uintptr_t)in.left * pixel) % 16 != 0 || in.right - in.left < most)
        in.rows = 0;
    in.right -= (in.right - in.left) % most;
    return in;
}

static inline dim3 gf_pixel_quads_grid(const struct gf_pixel_quads_task &t, int64_t groups, dim3 block)
{
    const int64_t across = gf_ceil_div(groups, block.x), rows = gf_ceil_div(t.rows, block.y),
                           fewer = gf_ceil_div(rows, GF_PIXEL_QUADS_ROWS);

    return dim3((unsigned)across, gf_cuda_grid_rows(across * fewer < GF_PIXEL_QUADS_BLOCKS ? rows : fewer));
}

/* Runs the general kernel on rows [first, end) and columns [left, right) of t, which may be empty. */
template <int T, int C, class F>
static void gf_pixel_quads_rest(struct gf_pixel_quads_task t, int64_t first, int64_t end, int64_t left, int64_t right,
                                const F &change, cudaStream_t stream)
{
    constexpr int most = 4 * gf_pixel_quads_together<T, C>();
    const int64_t groups = gf_ceil_div(right - left / most * most + most - 1, most);
    const dim3 block = gf_pixel_quads_block(groups);

    t.first = first, t.rows = end - first, t.left = left, t.right = right;
    if (first < end && left < right)
        gf_pixel_quads<T, C, F><<<gf_pixel_quads_grid(t, groups, block), block, 0, stream>>>(t, change);
}

/* Processes whole groups, if there are any, and the rest around them; false if there are none. */
template <int T, int C, bool B, class F>
static bool gf_pixel_quads_most(const struct gf_pixel_quads_task &t, const F &change, cudaStream_t stream)
{
    const struct gf_pixel_quads_task in = gf_pixel_quads_inside<T, C, B>(t, change);
    const int64_t groups = (in.right - in.left) / (4 * gf_pixel_quads_together<T, C>()), end = in.first + in.rows;

    if (in.rows <= 0)
        return false;
    const dim3 block = gf_pixel_quads_block(groups);

    gf_pixel_quads_whole<T, C, B, F><<<gf_pixel_quads_grid(in, groups, block), block, 0, stream>>>(in, change);
    gf_pixel_quads_rest<T, C>(t, t.first, in.first, t.left, t.right, change, stream);
    gf_pixel_quads_rest<T, C>(t, end, t.first + t.rows, t.left, t.right, change, stream);
    gf_pixel_quads_rest<T, C>(t, in.first, end, t.left, in.left, change, stream);
    gf_pixel_quads_rest<T, C>(t, in.first, end, in.right, t.right, change, stream);
    return true;
}

template <int T, int C, class F>
static void gf_pixel_quads_of(const struct gf_pixel_quads_task &t, const F &change, cudaStream_t stream)
{
    bool done = false;

    if constexpr (T != GF_PLANES && F::both)
        done = change.is_short() && gf_pixel_quads_most<T, C, true>(t, change, stream);
    if constexpr (T != GF_PLANES)
        done = done || gf_pixel_quads_most<T, C, false>(t, change, stream);
    if (!done)
        gf_pixel_quads_rest<T, C>(t, t.first, t.first + t.rows, t.left, t.right, change, stream);
}

/*
 * Launches the kernel for the layout; the result has as many channels as the source. `usual`: the
 * change works in all kernels, not only in the one for any layout.
 */
template <class F>
static int gf_pixel_quads_launch(struct gf_pixel_quads_task t, const F &change, bool usual, const char *what,
                                 cudaStream_t stream, struct gf_error *err)
{
    const dim3 block = gf_pixel_quads_block(t.width);
    const dim3 grid((unsigned)gf_ceil_div(t.width, block.x), gf_cuda_grid_rows(gf_ceil_div(t.rows, block.y)));

    t.left = 0, t.right = t.width;
    /* floats of one channel are a plane */
    if (t.src.layout == GF_F32 && t.src.channels == 1)
        t.src.layout = GF_PLANES;
    if (t.dst.layout == GF_F32 && t.dst.channels == 1)
        t.dst.layout = GF_PLANES;
    switch (usual && t.width > 1 ? t.src.layout * 8 + t.src.channels : -1) {
    case GF_U8 * 8 + 1: gf_pixel_quads_of<GF_U8, 1>(t, change, stream); break;
    case GF_U8 * 8 + 3: gf_pixel_quads_of<GF_U8, 3>(t, change, stream); break;
    case GF_U8 * 8 + 4: gf_pixel_quads_of<GF_U8, 4>(t, change, stream); break;
    case GF_U16 * 8 + 1: gf_pixel_quads_of<GF_U16, 1>(t, change, stream); break;
    case GF_U16 * 8 + 3: gf_pixel_quads_of<GF_U16, 3>(t, change, stream); break;
    case GF_U16 * 8 + 4: gf_pixel_quads_of<GF_U16, 4>(t, change, stream); break;
    case GF_PLANES * 8 + 1: gf_pixel_quads_of<GF_PLANES, 1>(t, change, stream); break;
    case GF_PLANES * 8 + 3: gf_pixel_quads_of<GF_PLANES, 3>(t, change, stream); break;
    case GF_PLANES * 8 + 4: gf_pixel_quads_of<GF_PLANES, 4>(t, change, stream); break;
    default: gf_pixel_quads_any<<<grid, block, 0, stream>>>(t, change);
    }
    return gf_cuda_launched(what, err);
}

#endif
