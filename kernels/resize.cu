/*
 * Change of size on a GPU. A tile of output is summed down the rows into shared memory, along
 * them from there, and stored from there; what no tile holds takes the long way, through planes.
 */
#include "resize.h"

#include "planes.cuh"
#include "point.cuh"

#define THREADS 256
#define WARPS (THREADS / 32)
#define TILE_X 64                        /* places of a tile, two a thread of a warp */
#define ROOMY (56 * 1024)                /* bytes of shared memory that leave room for three other blocks */

struct resize_task {
    struct gf_view src, dst;
    struct gf_resize_axis x, y;
    const float *x_entries, *y_entries, *tables;
    int64_t width, first, end;           /* of the result; units of it at hand */
    int tile_y;
    int pitch;                           /* floats of a row of sums */
    bool weights_shared;                 /* those of the columns fit beside them */
    float scale;
};

/* What place i is made of; where a direction stays as it is, itself. */
struct entry {
    int first, count;
    const float *w;
};

static __device__ __forceinline__ struct entry entry_of(const struct gf_resize_axis &axis, const float *entries, int64_t i)
{
    struct entry e;

    e.first = (int)i;
    e.count = 1;
    e.w = NULL;
    if (axis.taps > 0) {
        const float *at = entries + i * gf_resize_stride(&axis);

        e.first = (int)at[0];
        e.count = (int)at[1];
        e.w = at + GF_RESIZE_ENTRY;
    }
    return e;
}

/* ---- down the rows ---- */

/* Layouts whose samples lie in words of four bytes, and how many in one. Others are taken one by one. */
template <int T> struct words_of {
    static constexpr int samples = T == GF_U8 ? 4 : T == GF_U16 ? 2 : 1;
    static constexpr int bytes = T == GF_U8 ? 1 : T == GF_U16 ? 2 : 4;
};

/* Sample b of a word, as sums take it: stored numbers as they are. */
template <int T>
static __device__ __forceinline__ float part_of(unsigned word, int b)
{
    if (T == GF_U8)
        return __fadd_rn(__uint_as_float(__byte_perm(word, 0x4B000000u, 0x7440 | b)), -GF_MAGIC);
    if (T == GF_U16)
        return __fadd_rn(__uint_as_float(__byte_perm(word, 0x4B000000u, b ? 0x7432 : 0x7410)), -GF_MAGIC);
    return __uint_as_float(word);
}

/* A single sample, for any layout. */
template <int T>
static __device__ __forceinline__ float sample_at(const struct gf_view &v, const unsigned char *row, int64_t i)
{
    if (T == GF_U8)
        return __fadd_rn(__uint_as_float(0x4B000000u | row[i]), -GF_MAGIC);
    if (T == GF_U16)
        return __fadd_rn(__uint_as_float(0x4B000000u | ((const unsigned short *)row)[i]), -GF_MAGIC);
    if (T == GF_PLANES || T == GF_F32)
        return ((const float *)row)[i];
    return gf_get(v, row, i);
}

/* Sample i of the rows of e. */
template <int T>
static __device__ __forceinline__ float sum_rows(const struct resize_task &t, const struct entry &e, int64_t i)
{
    const int64_t pitch = t.src.pitch * gf_layout_bytes(t.src.layout);
    const unsigned char *row = t.src.data + (e.first - t.src.start) * pitch;
    float sum = 0.0f;

    if (e.w == NULL)
        return sample_at<T>(t.src, row, i);
    for (int k = 0; k < e.count;) {
        const int end = min(k + GF_RESIZE_CHUNK, e.count);
        float acc = 0.0f;

#pragma unroll 4
        for (; k < end; k++, row += pitch)
            acc = __fmaf_rn(e.w[k], sample_at<T>(t.src, row, i), acc);
        sum = __fadd_rn(sum, acc);
    }
    return __fmul_rn(sum, t.scale);
}

/* W words of each row, 32 apart, of which `mine` are there: weighed taps of one chain. */
template <int T, int W>
static __device__ __forceinline__ void sum_words(const unsigned char *p, int64_t pitch, const float *w, int count, int mine,
                                                 float (&acc)[W][words_of<T>::samples])
{
#pragma unroll
    for (int i = 0; i < W; i++)
#pragma unroll
        for (int b = 0; b < words_of<T>::samples; b++)
            acc[i][b] = 0.0f;
#pragma unroll 2
    for (int k = 0; k < count; k++, p += pitch) {
        const float weight = w[k];
        unsigned word[W];

#pragma unroll
        for (int i = 0; i < W; i++)
            word[i] = i < mine ? *(const unsigned *)(p + 128 * i) : 0u;
#pragma unroll
        for (int i = 0; i < W; i++)
#pragma unroll
            for (int b = 0; b < words_of<T>::samples; b++)
                acc[i][b] = __fmaf_rn(weight, part_of<T>(word[i], b), acc[i][b]);
    }
}

/*
 * A run of a row's samples in a plane that begins `plane` samples on, [start, start + count) of it, by words: sample i goes to
 * to[(i - start)·step]. Words begin where memory has them, so some samples before and
 * behind are summed in vain, but none beyond the row's `whole`.
 */
template <int T, int W>
static __device__ __forceinline__ void fill_words(const struct resize_task &t, const struct entry &e, int64_t plane, int64_t start,
                                                  int count, int64_t whole, float *to, int step)
{
    constexpr int n = words_of<T>::samples;
    const int64_t pitch = t.src.pitch * words_of<T>::bytes, word = start / n;
    const int before = (int)(start - word * n), words = (before + count + n - 1) / n, lane = threadIdx.x % 32;
    const int full = (int)min((int64_t)words, whole / n - word);
    const unsigned char *row = t.src.data + (e.first - t.src.start) * pitch + plane * words_of<T>::bytes;
    float acc[W][n];

    for (int at = lane; at < full; at += 32 * W) {
        const int mine = (full - at + 31) / 32;
        const unsigned char *p = row + 4 * (word + at);

        if (e.w == NULL) {
#pragma unroll
            for (int i = 0; i < W; i++)
#pragma unroll
                for (int b = 0; b < n; b++)
                    acc[i][b] = i < mine ? part_of<T>(*(const unsigned *)(p + 128 * i), b) : 0.0f;
        } else if (e.count <= GF_RESIZE_CHUNK) {
            sum_words<T, W>(p, pitch, e.w, e.count, mine, acc);
        } else {
            float more[W][n];

            sum_words<T, W>(p, pitch, e.w, GF_RESIZE_CHUNK, mine, acc);
            for (int k = GF_RESIZE_CHUNK; k < e.count; k += GF_RESIZE_CHUNK) {
                sum_words<T, W>(p + k * pitch, pitch, e.w + k, min(GF_RESIZE_CHUNK, e.count - k), mine, more);
#pragma unroll
                for (int i = 0; i < W; i++)
#pragma unroll
                    for (int b = 0; b < n; b++)
                        acc[i][b] = __fadd_rn(acc[i][b], more[i][b]);
            }
        }
#pragma unroll
        for (int i = 0; i < W; i++)
#pragma unroll
            for (int b = 0; b < n; b++) {
                const int s = (at + 32 * i) * n + b - before;

                if (i < mine && (unsigned)s < (unsigned)count)
                    to[s * step] = n > 1 ? __fmul_rn(acc[i][b], t.scale) : acc[i][b];
            }
    }
    for (int s = full * n - before + lane; s < count; s += 32)
        if (s >= 0)
            to[s * step] = sum_rows<T>(t, e, plane + start + s);
}

/* As many words at once as leaves at most a quarter of them idle. */
template <int T>
static __device__ __forceinline__ void fill_run(const struct resize_task &t, const struct entry &e, int64_t plane, int64_t start,
                                                int count, int64_t whole, float *to, int step)
{
    constexpr int n = words_of<T>::samples;
    const int rounds = ((int)(start % n) + count + 32 * n - 1) / (32 * n), fours = (rounds + 3) / 4 * 4, pairs = (rounds + 1) / 2 * 2;

    if (4 * (fours - rounds) <= fours)
        fill_words<T, 4>(t, e, plane, start, count, whole, to, step);
    else if (4 * (pairs - rounds) <= pairs)
        fill_words<T, 2>(t, e, plane, start, count, whole, to, step);
    else
        fill_words<T, 1>(t, e, plane, start, count, whole, to, step);
}

/* Rows [y, y + rows) of columns [left, left + columns), a warp a row. */
template <int T, int C>
static __device__ __forceinline__ void fill_sums(const struct resize_task &t, int64_t y, int rows, int left, int columns, float *sums)
{
    const bool words = T != -1 && (uintptr_t)t.src.data % 4 == 0 && t.src.pitch * words_of<T>::bytes % 4 == 0;

    for (int r = threadIdx.x / 32; r < rows; r += WARPS) {
        const struct entry e = entry_of(t.y, t.y_entries, y + r);
        float *to = sums + r * t.pitch;

        if constexpr (T == GF_PLANES) {
#pragma unroll 1
            for (int c = 0; c < C; c++)
                fill_run<T>(t, e, c * t.src.plane, left, columns, t.src.width, to + c, C);
        } else if constexpr (T != -1) {
            if (words) {
                fill_run<T>(t, e, 0, (int64_t)left * C, columns * C, t.src.width * C, to, 1);
                continue;
            }
        }
        if (T != GF_PLANES)
            for (int s = threadIdx.x % 32; s < columns * C; s += 32)
                to[s] = sum_rows<T>(t, e, (int64_t)left * C + s);
    }
}

/* ---- along them ---- */

/* The weights of the tile's columns, a row a tap. */
static __device__ __forceinline__ void fill_weights(const struct resize_task &t, int64_t x, int places, float *weights)
{
    for (int p = threadIdx.x / 4; p < places; p += THREADS / 4)
        for (int k = threadIdx.x % 4; k < t.x.taps; k += 4)
            weights[k * TILE_X + p] = t.x_entries[(x + p) * gf_resize_stride(&t.x) + GF_RESIZE_ENTRY + k];
}

/* A pixel of two rows from sums that lie side by side, `pitch` from one row to the other; a weight every `step` floats. */
template <int C>
static __device__ __forceinline__ void sum_along(const float *s, int pitch, const float *w, int step, int count, float (&out)[2][C])
{
    float acc[2][C];

#pragma unroll
    for (int i = 0; i < 2 * C; i++)
        out[i / C][i % C] = 0.0f;
    for (int k = 0; k < count;) {
        const int end = min(k + GF_RESIZE_CHUNK, count);

#pragma unroll
        for (int i = 0; i < 2 * C; i++)
            acc[i / C][i % C] = 0.0f;
#pragma unroll 4
        for (; k < end; k++, s += C, w += step) {
            const float weight = *w;

#pragma unroll
            for (int i = 0; i < 2 * C; i++)
                acc[i / C][i % C] = __fmaf_rn(weight, s[i / C * pitch + i % C], acc[i / C][i % C]);
        }
#pragma unroll
        for (int i = 0; i < 2 * C; i++)
            out[i / C][i % C] = __fadd_rn(out[i / C][i % C], acc[i / C][i % C]);
    }
}

/* A thread keeps its place and goes down the rows, two at a time; an odd last one is made twice. */
template <int C>
static __device__ __forceinline__ void fill_pixels(const struct resize_task &t, int64_t x, int places, int rows, int left,
                                                   const float *sums, const float *weights, float *pixels)
{
    const int p = threadIdx.x % TILE_X;
    float v[2][C];

    if (p >= places)
        return;
    const struct entry e = entry_of(t.x, t.x_entries, x + p);

    for (int r = threadIdx.x / TILE_X * 2; r < rows; r += THREADS / TILE_X * 2) {
        const float *s = sums + r * t.pitch + (e.first - left) * C;
        const int other = r + 1 < rows ? t.pitch : 0;

        if (e.w == NULL) {
#pragma unroll
            for (int i = 0; i < 2 * C; i++)
                v[i / C][i % C] = s[i / C * other + i % C];
        } else if (t.weights_shared) {
            sum_along<C>(s, other, weights + p, TILE_X, e.count, v);
        } else {
            sum_along<C>(s, other, e.w, 1, e.count, v);
        }
#pragma unroll
        for (int i = 0; i < 2 * C; i++)
            if (i < C || other != 0)
                pixels[((r + i / C) * TILE_X + p) * C + i % C] = v[i / C][i % C];
    }
}

/* ---- a tile ---- */

/* Four pixels a thread from shared memory to where they belong. */
template <int C>
static __device__ __forceinline__ void put_pixels(const struct resize_task &t, const struct gf_point &store, int64_t x, int64_t y,
                                                  int places, int rows, const float *pixels)
{
    const int p = threadIdx.x % (TILE_X / 4) * 4, some = min(4, places - p);

    if (some <= 0)
        return;
    for (int r = threadIdx.x / (TILE_X / 4); r < rows; r += THREADS / (TILE_X / 4)) {
        const float4 *from = (const float4 *)(pixels + (r * TILE_X + p) * C);
        float v[4][4] = {}, u[4 * C];

#pragma unroll
        for (int i = 0; i < C; i++) {
            const float4 q = from[i];

            u[4 * i] = q.x, u[4 * i + 1] = q.y, u[4 * i + 2] = q.z, u[4 * i + 3] = q.w;
        }
#pragma unroll
        for (int i = 0; i < 4 * C; i++)
            v[i / C][i % C] = u[i];
        if (store.count > 0)
            gf_run<4, 4>(store, t.tables, v);
        gf_write4(t.dst, gf_row(t.dst, y + r), x + p, some, v);
    }
}

template <int T, int C>
static __global__ void __launch_bounds__(THREADS, GF_BLOCKS(4)) resize(const __grid_constant__ struct resize_task t,
                                                                       const __grid_constant__ struct gf_point store)
{
    extern __shared__ float4 shared[];
    float *pixels = (float *)shared, *sums = pixels + t.tile_y * TILE_X * C, *weights = sums + t.tile_y * t.pitch;
    const int64_t x = (int64_t)blockIdx.x * TILE_X, y = t.first + (int64_t)blockIdx.y * t.tile_y;
    const int places = (int)min((int64_t)TILE_X, t.width - x), rows = (int)min((int64_t)t.tile_y, t.end - y);
    const struct entry leftmost = entry_of(t.x, t.x_entries, x), last = entry_of(t.x, t.x_entries, x + places - 1);
    const int left = leftmost.first, columns = last.first + last.count - left;

    if (t.weights_shared)
        fill_weights(t, x, places, weights);
    fill_sums<T, C>(t, y, rows, left, columns, sums);
    __syncthreads();
    fill_pixels<C>(t, x, places, rows, left, sums, weights, pixels);
    __syncthreads();
    put_pixels<C>(t, store, x, y, places, rows, pixels);
}

typedef void kernel(const struct resize_task, const struct gf_point);

template <int C>
static kernel *kernel_of(const struct resize_task *t, bool stored)
{
    if (stored)
        return t->src.layout == GF_U8 ? resize<GF_U8, C> : resize<GF_U16, C>;
    return t->src.layout == GF_PLANES ? resize<GF_PLANES, C> : t->src.layout == GF_F32 ? resize<GF_F32, C> : resize<-1, C>;
}

static size_t tile_bytes(const struct resize_task *t, int channels)
{
    return ((size_t)t->tile_y * (t->pitch + TILE_X * channels) + (t->weights_shared ? (size_t)t->x.taps * TILE_X : 0)) * sizeof(float);
}

/* The highest tile that leaves room for others, else any that fits. */
static bool choose_tile(struct resize_task *t, int channels)
{
    const int64_t columns = t->x.taps > 0 ? (TILE_X * t->x.in + t->x.out - 1) / t->x.out + t->x.taps + 1 : TILE_X;
    int most = 0, device = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (columns > 65536)
        return false;
    t->pitch = (int)(columns < t->src.width ? columns : t->src.width) * channels;
    t->weights_shared = t->x.taps > 0 && t->x.taps <= 128;
    for (int pass = 0; pass < 2; pass++)
        for (t->tile_y = 16; t->tile_y >= (pass == 0 ? 8 : 1); t->tile_y /= 2)
            if (tile_bytes(t, channels) <= (size_t)(pass == 0 && ROOMY < most ? ROOMY : most))
                return true;
    return false;
}

static int launch_tiles(const struct gf_work *work, const struct gf_io *io, const struct resize_task *t, bool stored, struct gf_error *err)
{
    const int channels = io->src.channels;
    kernel *k = channels == 1 ? kernel_of<1>(t, stored) : channels == 2 ? kernel_of<2>(t, stored)
              : channels == 3 ? kernel_of<3>(t, stored) : kernel_of<4>(t, stored);
    const size_t bytes = tile_bytes(t, channels);
    struct resize_task piece = *t;

    if (bytes > 48 * 1024 && gf_cuda_roomy((const void *)k, err) != 0)
        return -1;
    for (; piece.first < t->end; piece.first = piece.end) {             /* a grid is at most 65535 blocks high */
        const int64_t most = INT64_C(65535) * t->tile_y;

        piece.end = t->end - piece.first > most ? piece.first + most : t->end;
        k<<<dim3((unsigned)gf_ceil_div(t->width, TILE_X), (unsigned)gf_ceil_div(piece.end - piece.first, t->tile_y)),
            THREADS, bytes, (cudaStream_t)work->stream>>>(piece, gf_program(io->store, channels));
    }
    return gf_cuda_launched("resizing", err);
}

/* ---- the long way ---- */

/* Rows of any layout to planes; then columns of planes to planes. */
static __global__ void rows_alone(const __grid_constant__ struct resize_task t, bool stored)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int c = blockIdx.z;

    if (x >= t.width)
        return;
    for (int64_t y = t.first + blockIdx.y; y < t.end; y += gridDim.y) {
        const struct entry e = entry_of(t.y, t.y_entries, y);
        const int64_t i = gf_at(t.src, x, c);

        ((float *)gf_row(t.dst, y))[x + c * t.dst.plane] = !stored ? sum_rows<-1>(t, e, i)
            : t.src.layout == GF_U8 ? sum_rows<GF_U8>(t, e, i) : sum_rows<GF_U16>(t, e, i);
    }
}

static __global__ void columns_alone(const __grid_constant__ struct resize_task t)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int c = blockIdx.z;

    if (x >= t.width)
        return;
    for (int64_t y = t.first + blockIdx.y; y < t.end; y += gridDim.y) {
        const struct entry e = entry_of(t.x, t.x_entries, x);
        const float *s = (const float *)gf_row(t.src, y) + e.first + c * t.src.plane;
        float v[2][1] = { { *s }, { *s } };

        if (e.w != NULL)
            sum_along<1>(s, 0, e.w, 1, e.count, v);
        ((float *)gf_row(t.dst, y))[x + c * t.dst.plane] = v[0][0];
    }
}

static dim3 grid_of(const struct resize_task *t, int channels)
{
    return dim3((unsigned)gf_ceil_div(t->width, THREADS), gf_at_most(t->end - t->first, 65535), (unsigned)channels);
}

static int long_way(const struct gf_work *work, const struct gf_io *io, const struct resize_task *task, bool stored, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int channels = io->src.channels;
    struct gf_block between = io->src, result = io->dst;
    struct resize_task t = *task;
    struct gf_io convert = *io;
    int done = -1;

    between.data = result.data = NULL;
    if (gf_borrow_planes(&between, &io->src, channels, io->dst.span, stream, err) != 0
        || gf_borrow_planes(&result, &io->dst, channels, io->dst.span, stream, err) != 0)
        goto out;
    t.dst = gf_view_of(&between);
    t.width = io->src.width;
    rows_alone<<<grid_of(&t, channels), THREADS, 0, stream>>>(t, stored);
    t.src = t.dst;
    t.dst = gf_view_of(&result);
    t.width = io->dst.width;
    columns_alone<<<grid_of(&t, channels), THREADS, 0, stream>>>(t);
    convert.src = result;
    convert.load = io->store;
    convert.store = NULL;
    done = gf_cuda_launched("resizing", err) != 0 ? -1 : gf_point_cuda(work, &convert, NULL, err);
out:
    gf_return_planes(&between, stream);
    gf_return_planes(&result, stream);
    return done;
}

/* ---- a call ---- */

static int run(const struct gf_work *work, const struct gf_io *io, const struct gf_resize *r, struct gf_error *err)
{
    const bool stored = gf_resize_is_stored(io, r);
    struct resize_task t;

    t.src = gf_view_of(&io->src);
    t.dst = gf_view_of(&io->dst);
    t.x = r->x;
    t.y = r->y;
    t.tables = work->tables;
    t.x_entries = work->tables + r->x.at;
    t.y_entries = work->tables + r->y.at;
    t.width = io->dst.width;
    t.first = io->dst.span.start;
    t.end = io->dst.span.end;
    t.scale = stored ? 1.0f / (float)io->src.maxval : 1.0f;
    if (io->src.channels <= 4 && io->dst.channels <= 4 && gf_program_widest(io->store, io->src.channels) <= 4
        && choose_tile(&t, io->src.channels))
        return launch_tiles(work, io, &t, stored, err);
    return long_way(work, io, &t, stored, err);
}

/* A program that loads applies once to each pixel, not each time one is weighed: into planes first. */
extern "C" int gf_resize_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_resize *r = (const struct gf_resize *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct gf_io plain = *io, convert = *io;
    int result;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (gf_point_is_identity(io->load))
        return run(work, io, r, err);
    if (gf_borrow_planes(&plain.src, &io->src, io->load->out, io->src.span, stream, err) != 0)
        return -1;
    convert.dst = plain.src;
    convert.store = NULL;
    plain.load = NULL;
    result = gf_point_cuda(work, &convert, NULL, err) != 0 ? -1 : run(work, &plain, r, err);
    gf_return_planes(&plain.src, stream);
    return result;
}
