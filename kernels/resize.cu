/*
 * Change of size on a GPU. A tile of output is summed down the rows into shared memory, along
 * them from there, and stored from there; what no tile holds takes the long way, through planes.
 */
#include "resize.h"

#include "planes.cuh"
#include "point.cuh"

#define THREADS 256
#define ROOMY (72 * 1024)                /* bytes of shared memory that leave room for another block or two */

struct resize_task {
    struct gf_view src, dst;
    struct gf_resize_axis x, y;
    const float *x_entries, *y_entries, *tables;
    int64_t width, first, end;           /* of the result; units of it at hand */
    int tile_x, tile_y;
    int columns;                         /* of the source, that a tile may need at most */
    bool weights_shared;                 /* those of the columns fit beside it */
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

/* A sample as sums take it: stored numbers as they are. */
template <int T>
static __device__ __forceinline__ float sample_at(const struct gf_view &v, const unsigned char *row, int64_t i)
{
    if (T == GF_U8)
        return __fadd_rn(__uint_as_float(0x4B000000u | row[i]), -GF_MAGIC);
    if (T == GF_U16)
        return __fadd_rn(__uint_as_float(0x4B000000u | ((const unsigned short *)row)[i]), -GF_MAGIC);
    if (T == GF_PLANES)
        return ((const float *)row)[i];
    return gf_get(v, row, i);
}

/* Sample i of the rows of e. */
template <int T>
static __device__ __forceinline__ float sum_rows(const struct resize_task &t, const struct entry &e, int64_t i)
{
    const int64_t pitch = t.src.pitch * (T == GF_U8 ? 1 : T == GF_U16 ? 2 : T == GF_PLANES ? 4 : gf_layout_bytes(t.src.layout));
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

/* Four stored bytes of each row, which lie in one word. */
static __device__ __forceinline__ void sum_words(const struct resize_task &t, const struct entry &e, int64_t i, float (&out)[4])
{
    const unsigned char *p = t.src.data + (e.first - t.src.start) * t.src.pitch + i;
    float acc[4];

#pragma unroll
    for (int b = 0; b < 4; b++)
        out[b] = 0.0f;
    for (int k = 0; k < e.count;) {
        const int end = min(k + GF_RESIZE_CHUNK, e.count);

#pragma unroll
        for (int b = 0; b < 4; b++)
            acc[b] = 0.0f;
#pragma unroll 4
        for (; k < end; k++, p += t.src.pitch) {
            const unsigned word = *(const unsigned *)p;
            const float w = e.w[k];

#pragma unroll
            for (int b = 0; b < 4; b++)
                acc[b] = __fmaf_rn(w, __fadd_rn(__uint_as_float(__byte_perm(word, 0x4B000000u, 0x7440 | b)), -GF_MAGIC), acc[b]);
        }
#pragma unroll
        for (int b = 0; b < 4; b++)
            out[b] = __fadd_rn(out[b], acc[b]);
    }
#pragma unroll
    for (int b = 0; b < 4; b++)
        out[b] = __fmul_rn(out[b], t.scale);
}

/* Rows [y, y + rows) of columns [left, left + columns): `sums` has t.columns · C floats a row. */
template <int T, int C>
static __device__ __forceinline__ void fill_sums(const struct resize_task &t, int64_t y, int rows, int left, int columns, float *sums)
{
    [[maybe_unused]] const int samples = columns * C;

    if constexpr (T == GF_PLANES) {
        for (int i = threadIdx.x; i < rows * columns; i += THREADS) {
            const int r = i / columns, x = i % columns;
            const struct entry e = entry_of(t.y, t.y_entries, y + r);

#pragma unroll
            for (int c = 0; c < C; c++)
                sums[(r * t.columns + x) * C + c] = sum_rows<T>(t, e, left + x + c * t.src.plane);
        }
    } else {
        for (int i = threadIdx.x; i < rows * samples; i += THREADS) {
            const int r = i / samples, s = i % samples;

            sums[r * t.columns * C + s] = sum_rows<T>(t, entry_of(t.y, t.y_entries, y + r), (int64_t)left * C + s);
        }
    }
}

/* The same by words of four bytes, wherever these begin: what lies around the columns is left out. */
template <int C>
static __device__ __forceinline__ void fill_by_words(const struct resize_task &t, int64_t y, int rows, int left, int columns, float *sums)
{
    const int64_t start = (int64_t)left * C;
    const int before = (int)(start & 3), samples = columns * C, words = (before + samples + 3) / 4;
    const int64_t whole = t.src.width * C;

    for (int i = threadIdx.x; i < rows * words; i += THREADS) {
        const int r = i / words, s = i % words * 4 - before;
        const struct entry e = entry_of(t.y, t.y_entries, y + r);
        float *to = sums + r * t.columns * C + s;
        float v[4];

        if (start + s + 4 <= whole) {
            sum_words(t, e, start + s, v);
        } else {
#pragma unroll
            for (int b = 0; b < 4; b++)
                v[b] = start + s + b < whole ? sum_rows<GF_U8>(t, e, start + s + b) : 0.0f;
        }
#pragma unroll
        for (int b = 0; b < 4; b++)
            if (s + b >= 0 && s + b < samples)
                to[b] = v[b];
    }
}

/* ---- along them ---- */

/* The weights of the tile's columns, a row a tap. */
static __device__ __forceinline__ void fill_weights(const struct resize_task &t, int64_t x, int places, float *weights)
{
    for (int i = threadIdx.x; i < places * t.x.taps; i += THREADS) {
        const int p = i / t.x.taps, k = i % t.x.taps;

        weights[k * t.tile_x + p] = t.x_entries[(x + p) * gf_resize_stride(&t.x) + GF_RESIZE_ENTRY + k];
    }
}

/* A pixel from sums that lie side by side; a weight every `step` floats. */
template <int C>
static __device__ __forceinline__ void sum_along(const float *s, const float *w, int step, int count, float (&out)[C])
{
    float acc[C];

#pragma unroll
    for (int c = 0; c < C; c++)
        out[c] = 0.0f;
    for (int k = 0; k < count;) {
        const int end = min(k + GF_RESIZE_CHUNK, count);

#pragma unroll
        for (int c = 0; c < C; c++)
            acc[c] = 0.0f;
#pragma unroll 4
        for (; k < end; k++, s += C, w += step) {
            const float weight = *w;

#pragma unroll
            for (int c = 0; c < C; c++)
                acc[c] = __fmaf_rn(weight, s[c], acc[c]);
        }
#pragma unroll
        for (int c = 0; c < C; c++)
            out[c] = __fadd_rn(out[c], acc[c]);
    }
}

template <int C>
static __device__ __forceinline__ void fill_pixels(const struct resize_task &t, int64_t x, int places, int rows, int left,
                                                   const float *sums, const float *weights, float *pixels)
{
    for (int i = threadIdx.x; i < rows * t.tile_x; i += THREADS) {
        const int r = i / t.tile_x, p = i % t.tile_x;
        float v[C];

        if (p >= places)
            continue;
        const struct entry e = entry_of(t.x, t.x_entries, x + p);
        const float *s = sums + (r * t.columns + e.first - left) * C;

        if (e.w == NULL) {
#pragma unroll
            for (int c = 0; c < C; c++)
                v[c] = s[c];
        } else if (t.weights_shared) {
            sum_along<C>(s, weights + p, t.tile_x, e.count, v);
        } else {
            sum_along<C>(s, e.w, 1, e.count, v);
        }
#pragma unroll
        for (int c = 0; c < C; c++)
            pixels[i * C + c] = v[c];
    }
}

/* ---- a tile ---- */

template <int T, int C>
static __global__ void __launch_bounds__(THREADS) resize(const __grid_constant__ struct resize_task t,
                                                         const __grid_constant__ struct gf_point store)
{
    extern __shared__ float shared[];
    float *sums = shared, *pixels = sums + (t.tile_y * t.columns * C + 3) / 4 * 4, *weights = pixels + t.tile_y * t.tile_x * C;
    const int64_t x = (int64_t)blockIdx.x * t.tile_x, y = t.first + (int64_t)blockIdx.y * t.tile_y;
    const int places = (int)min((int64_t)t.tile_x, t.width - x), rows = (int)min((int64_t)t.tile_y, t.end - y);
    const struct entry leftmost = entry_of(t.x, t.x_entries, x), last = entry_of(t.x, t.x_entries, x + places - 1);
    const int left = leftmost.first, columns = last.first + last.count - left;
    const bool words = T == GF_U8 && t.src.pitch % 4 == 0 && (uintptr_t)t.src.data % 4 == 0;

    if (t.weights_shared)
        fill_weights(t, x, places, weights);
    if (words)
        fill_by_words<C>(t, y, rows, left, columns, sums);
    else
        fill_sums<T, C>(t, y, rows, left, columns, sums);
    __syncthreads();
    fill_pixels<C>(t, x, places, rows, left, sums, weights, pixels);
    __syncthreads();
    for (int i = threadIdx.x; i < rows * (t.tile_x / 4); i += THREADS) {
        const int r = i / (t.tile_x / 4), p = i % (t.tile_x / 4) * 4, some = min(4, places - p);
        float v[4][4];

        if (some <= 0)
            continue;
#pragma unroll
        for (int k = 0; k < 4; k++)
#pragma unroll
            for (int c = 0; c < 4; c++)
                v[k][c] = c < C ? pixels[(r * t.tile_x + p + k) * C + (c < C ? c : 0)] : 0.0f;
        if (store.count > 0)
            gf_run<4, 4>(store, t.tables, v);
        gf_write4(t.dst, gf_row(t.dst, y + r), x + p, some, v);
    }
}

typedef void kernel(const struct resize_task, const struct gf_point);

template <int C>
static kernel *kernel_of(const struct resize_task *t, bool stored)
{
    if (stored)
        return t->src.layout == GF_U8 ? resize<GF_U8, C> : resize<GF_U16, C>;
    return t->src.layout == GF_PLANES ? resize<GF_PLANES, C> : resize<-1, C>;
}

static size_t tile_bytes(const struct resize_task *t, int channels)
{
    const size_t sums = ((size_t)t->tile_y * t->columns * channels + 3) / 4 * 4, pixels = (size_t)t->tile_y * t->tile_x * channels;

    return (sums + pixels + (t->weights_shared ? (size_t)t->x.taps * t->tile_x : 0)) * sizeof(float);
}

/* The largest tile that leaves room for others, else any that fits. */
static bool choose_tile(struct resize_task *t, int channels)
{
    static const int tiles[][2] = { { 64, 16 }, { 64, 8 }, { 32, 8 }, { 32, 4 }, { 16, 4 }, { 8, 4 }, { 8, 2 }, { 4, 2 }, { 4, 1 } };
    int most = 0, device = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    for (int pass = 0; pass < 2; pass++)
        for (const int *tile : tiles) {
            const int64_t columns = t->x.taps > 0 ? (tile[0] * t->x.in + t->x.out - 1) / t->x.out + t->x.taps + 1 : tile[0];

            if (columns > 65536)
                continue;
            t->tile_x = tile[0];
            t->tile_y = tile[1];
            t->columns = (int)(columns < t->src.width ? columns : t->src.width);
            t->weights_shared = t->x.taps > 0 && t->x.taps <= 128;
            if (tile_bytes(t, channels) <= (size_t)(pass == 0 ? ROOMY : most) && tile_bytes(t, channels) <= (size_t)most)
                return true;
        }
    return false;
}

static int launch_tiles(const struct gf_work *work, const struct gf_io *io, const struct resize_task *t, bool stored, struct gf_error *err)
{
    const int channels = io->src.channels;
    kernel *k = channels == 1 ? kernel_of<1>(t, stored) : channels == 2 ? kernel_of<2>(t, stored)
              : channels == 3 ? kernel_of<3>(t, stored) : kernel_of<4>(t, stored);
    const size_t bytes = tile_bytes(t, channels);
    struct resize_task piece = *t;

    if (bytes > 48 * 1024
        && gf_cuda_check(cudaFuncSetAttribute((const void *)k, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
                         "shared memory", err) != 0)
        return -1;
    for (; piece.first < t->end; piece.first = piece.end) {             /* a grid is at most 65535 blocks high */
        const int64_t most = INT64_C(65535) * t->tile_y;

        piece.end = t->end - piece.first > most ? piece.first + most : t->end;
        k<<<dim3((unsigned)gf_ceil_div(t->width, t->tile_x), (unsigned)gf_ceil_div(piece.end - piece.first, t->tile_y)),
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
        float v[1] = { *s };

        if (e.w != NULL)
            sum_along<1>(s, e.w, 1, e.count, v);
        ((float *)gf_row(t.dst, y))[x + c * t.dst.plane] = v[0];
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
