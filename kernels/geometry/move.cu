/* Moves samples on a GPU: wide copies of rows, reversed rows, and tiles transposed in shared memory. */
#include "kernels/geometry/move.h"

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_point.cuh"

#define TILE 32

/* A plane of items of `bytes` each: packed pixels, or the samples of a plane. Pitches are in bytes. */
struct move_task {
    const unsigned char *src;
    unsigned char *dst;
    int64_t src_pitch, dst_pitch, src_plane, dst_plane;
    int64_t src_start, first, width, rows;
    int bytes;
    struct gf_move m;
};

static __device__ __forceinline__ const unsigned char *source_row(const struct move_task &t, int64_t unit)
{
    return t.src + blockIdx.z * t.src_plane + (unit - t.src_start) * t.src_pitch;
}

static __device__ __forceinline__ unsigned char *result_row(const struct move_task &t, int64_t r)
{
    return t.dst + blockIdx.z * t.dst_plane + r * t.dst_pitch;
}

/* ---- rows that keep their direction ---- */

template <class V>
__global__ void __launch_bounds__(256) copy_rows(const __grid_constant__ struct move_task t)
{
    const int64_t pieces = t.width * t.bytes / (int)sizeof(V);

    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const int64_t y = t.first + r;
        const V *from = (const V *)(source_row(t, t.m.cy + y * t.m.yy) + t.m.cx * t.bytes);
        V *to = (V *)result_row(t, r);
        const int64_t i = (int64_t)blockIdx.x * 1024 + threadIdx.x;
        V v[4];

#pragma unroll
        for (int k = 0; k < 4; k++)
            if (i + k * 256 < pieces)
                v[k] = from[i + k * 256];
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (i + k * 256 < pieces)
                to[i + k * 256] = v[k];
    }
}

/* ---- reversed rows ---- */

/* Reverses the items of a word. */
template <int B>
static __device__ __forceinline__ unsigned backwards(unsigned w)
{
    return B == 1 ? __byte_perm(w, 0, 0x0123) : B == 2 ? __byte_perm(w, 0, 0x1032) : w;
}

/* Moves sixteen bytes at a time if both rows and the width are aligned to that, otherwise item by item. */
template <int B>
__global__ void __launch_bounds__(256) reverse_rows(const __grid_constant__ struct move_task t)
{
    constexpr int items = 16 / B;
    const int64_t pieces = gf_ceil_div(t.width, items);

    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const unsigned char *from = source_row(t, t.m.cy + (t.first + r) * t.m.yy);
        unsigned char *to = result_row(t, r);

        for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < pieces; i += gridDim.x * 256) {
            const int64_t x = i * items, last = t.m.cx - x - items + 1;
            const unsigned char *s = from + last * B;

            if (x + items <= t.width && ((uintptr_t)s | (uintptr_t)(to + x * B)) % 16 == 0) {
                uint4 v = *(const uint4 *)s;
                if (B == 8)
                    v = make_uint4(v.z, v.w, v.x, v.y);
                else if (B < 8)
                    v = make_uint4(backwards<B>(v.w), backwards<B>(v.z), backwards<B>(v.y), backwards<B>(v.x));
                *(uint4 *)(to + x * B) = v;
                continue;
            }
            for (int k = 0; k < items && x + k < t.width; k++)
                for (int b = 0; b < B; b++)
                    to[(x + k) * B + b] = from[(t.m.cx - x - k) * B + b];
        }
    }
}

/*
 * Items of other sizes, a byte a thread: neighbors in the result are neighbors in the source, in
 * another order.
 */
__global__ void __launch_bounds__(256) reverse_any(const __grid_constant__ struct move_task t)
{
    const int64_t n = t.width * t.bytes;

    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const unsigned char *from = source_row(t, t.m.cy + (t.first + r) * t.m.yy);
        unsigned char *to = result_row(t, r);

        for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
            const int64_t x = i / t.bytes;
            to[i] = from[(t.m.cx - x) * t.bytes + (i - x * t.bytes)];
        }
    }
}

/* ---- rows that become columns ---- */

/* B bytes, aligned to A. */
template <int A> struct part;
template <> struct part<1> { typedef unsigned char type; };
template <> struct part<2> { typedef unsigned short type; };
template <> struct part<4> { typedef unsigned type; };
template <> struct part<8> { typedef uint2 type; };
template <> struct part<16> { typedef uint4 type; };
template <int B, int A> struct item { typename part<A>::type p[B / A]; };

/*
 * A tile reads one source column for each row of the result, and one source row for each column of
 * the result.
 */
template <int B, int A>
__global__ void __launch_bounds__(256) turn(const __grid_constant__ struct move_task t)
{
    __shared__ item<B, A> tile[TILE][TILE + 1];
    const int64_t x0 = (int64_t)blockIdx.x * TILE;
    const int i = threadIdx.x, j = threadIdx.y;

    for (int64_t y0 = (int64_t)blockIdx.y * TILE; y0 < t.rows; y0 += (int64_t)gridDim.y * TILE) {
#pragma unroll
        for (int k = 0; k < TILE; k += 8)
            if (x0 + j + k < t.width && y0 + i < t.rows)
                tile[j + k][i] = ((const item<B, A> *)source_row(t, t.m.cy + (x0 + j + k) * t.m.yx))
                                     [t.m.cx + (t.first + y0 + i) * t.m.xy];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k += 8)
            if (x0 + i < t.width && y0 + j + k < t.rows)
                ((item<B, A> *)result_row(t, y0 + j + k))[x0 + i] = tile[i][j + k];
        __syncthreads();
    }
}

/* Transposes four by four bytes. */
static __device__ __forceinline__ void turn_bytes(unsigned (&w)[4])
{
    const unsigned a = __byte_perm(w[0], w[1], 0x5140), b = __byte_perm(w[0], w[1], 0x7362);
    const unsigned c = __byte_perm(w[2], w[3], 0x5140), d = __byte_perm(w[2], w[3], 0x7362);

    w[0] = __byte_perm(a, c, 0x5410), w[1] = __byte_perm(a, c, 0x7632);
    w[2] = __byte_perm(b, d, 0x5410), w[3] = __byte_perm(b, d, 0x7632);
}

/*
 * Bytes: 128 by 128 a block, in words. Source rows follow the columns of the result, and source
 * columns its rows; both may run backwards.
 */
__global__ void __launch_bounds__(256) turn_words(const __grid_constant__ struct move_task t)
{
    __shared__ unsigned tile[128][33];
    const int64_t x0 = (int64_t)blockIdx.x * 128, y0 = (int64_t)blockIdx.y * 128;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    /* four rows of the result: source columns */
    const int64_t y = y0 + 4 * lane;
    const int64_t column = t.m.cx + (t.first + y + (t.m.xy < 0 ? 3 : 0)) * t.m.xy;

#pragma unroll
    for (int k = warp; k < 32; k += 8) {
        unsigned w[4] = { 0, 0, 0, 0 };

#pragma unroll
        for (int q = 0; q < 4; q++) {
            const int64_t x = x0 + 4 * k + q;

            if (x >= t.width || y >= t.rows)
                continue;
            const unsigned char *s = source_row(t, t.m.cy + x * t.m.yx) + column;
            if (y + 3 < t.rows && (uintptr_t)s % 4 == 0) {
                w[q] = *(const unsigned *)s;
                w[q] = t.m.xy < 0 ? backwards<1>(w[q]) : w[q];
            } else {
                for (int n = 0; n < 4 && y + n < t.rows; n++)
                    w[q] |= (unsigned)s[t.m.xy < 0 ? 3 - n : n] << 8 * n;
            }
        }
        turn_bytes(w);
#pragma unroll
        for (int n = 0; n < 4; n++)
            tile[4 * lane + n][k] = w[n];
    }
    __syncthreads();
    for (int r = warp; r < 128 && y0 + r < t.rows; r += 8) {
        unsigned char *to = result_row(t, y0 + r) + x0 + 4 * lane;
        const unsigned w = tile[r][lane];

        if (x0 + 4 * lane + 3 < t.width && (uintptr_t)to % 4 == 0)
            *(unsigned *)to = w;
        else
            for (int n = 0; n < 4 && x0 + 4 * lane + n < t.width; n++)
                to[n] = (unsigned char)(w >> 8 * n);
    }
}

/* Items of other sizes, directly. */
__global__ void __launch_bounds__(256) turn_any(const __grid_constant__ struct move_task t)
{
    const int64_t x = (int64_t)blockIdx.x * 256 + threadIdx.x;

    for (int64_t r = blockIdx.y; r < t.rows && x < t.width; r += gridDim.y) {
        const int64_t y = t.first + r;
        const unsigned char *s = source_row(t, t.m.cy + x * t.m.yx + y * t.m.yy)
                               + (t.m.cx + x * t.m.xx + y * t.m.xy) * t.bytes;
        unsigned char *d = result_row(t, r) + x * t.bytes;

        for (int b = 0; b < t.bytes; b++)
            d[b] = s[b];
    }
}

/* ---- choosing ---- */

static struct move_task task_of(const struct gf_io *io, const struct gf_move *m)
{
    const int sample = (int)gf_type_bytes(io->src.type), items = io->src.planar ? 1 : io->src.channels;
    struct move_task t;

    t.src = (const unsigned char *)io->src.data;
    t.dst = (unsigned char *)io->dst.data;
    t.src_pitch = io->src.pitch_samples * sample;
    t.dst_pitch = io->dst.pitch_samples * sample;
    t.src_plane = io->src.plane_samples * sample;
    t.dst_plane = io->dst.plane_samples * sample;
    t.src_start = io->src.span.start;
    t.first = io->dst.span.start;
    t.width = io->dst.width;
    t.rows = gf_span_units(io->dst.span);
    t.bytes = sample * items;
    t.m = *m;
    return t;
}

static void launch_copy(struct move_task *t, int planes, cudaStream_t stream)
{
    const int64_t row = t->width * t->bytes, from = t->m.cx * t->bytes;
    uintptr_t all;

    /* contiguous rows in order are one long row */
    if (t->m.yy == 1 && t->m.cx == 0 && t->src_pitch == row && t->dst_pitch == row) {
        t->src += (t->m.cy + t->first - t->src_start) * row;
        t->m.cy = t->src_start - t->first;
        t->width *= t->rows;
        t->rows = 1;
    }
    all = (uintptr_t)t->src | (uintptr_t)t->dst | (uintptr_t)t->src_plane | (uintptr_t)t->dst_plane
        | (uintptr_t)from | (uintptr_t)(t->width * t->bytes)
        | (t->rows > 1 ? (uintptr_t)(t->src_pitch | t->dst_pitch) : 0)
        | (uintptr_t)((t->m.cy + t->first * t->m.yy - t->src_start) * t->src_pitch);
    const int size = all % 16 == 0 ? 16 : all % 4 == 0 ? 4 : 1;
    const dim3 grid((unsigned)gf_ceil_div(t->width * t->bytes, 1024 * size), gf_cuda_grid_rows(t->rows),
                    (unsigned)planes);

    if (size == 16)
        copy_rows<uint4><<<grid, 256, 0, stream>>>(*t);
    else if (size == 4)
        copy_rows<unsigned><<<grid, 256, 0, stream>>>(*t);
    else
        copy_rows<unsigned char><<<grid, 256, 0, stream>>>(*t);
}

static void launch_reverse(const struct move_task *t, int planes, cudaStream_t stream)
{
    const int64_t threads = t->bytes == 1 || t->bytes == 2 || t->bytes == 4 || t->bytes == 8 || t->bytes == 16
                                ? gf_ceil_div(t->width * t->bytes, 16) : t->width * t->bytes;
    const dim3 grid(gf_cuda_grid_rows(gf_ceil_div(threads, 256)), gf_cuda_grid_rows(t->rows),
                    (unsigned)planes);

    switch (t->bytes) {
    case 1: reverse_rows<1><<<grid, 256, 0, stream>>>(*t); break;
    case 2: reverse_rows<2><<<grid, 256, 0, stream>>>(*t); break;
    case 4: reverse_rows<4><<<grid, 256, 0, stream>>>(*t); break;
    case 8: reverse_rows<8><<<grid, 256, 0, stream>>>(*t); break;
    case 16: reverse_rows<16><<<grid, 256, 0, stream>>>(*t); break;
    default: reverse_any<<<grid, 256, 0, stream>>>(*t); break;
    }
}

/* Launches the kernel for items whose rows all start at multiples of `align`. */
static void launch_tiles(const struct move_task *t, int align, dim3 grid, cudaStream_t stream)
{
    static const struct { int bytes, align; void (*kernel)(const struct move_task); } of[] = {
        { 2, 2, turn<2, 2> }, { 3, 1, turn<3, 1> }, { 4, 4, turn<4, 4> }, { 4, 2, turn<4, 2> }, { 4, 1, turn<4, 1> },
        { 6, 2, turn<6, 2> }, { 8, 8, turn<8, 8> }, { 8, 4, turn<8, 4> }, { 8, 2, turn<8, 2> }, { 12, 4, turn<12, 4> },
        { 16, 16, turn<16, 16> }, { 16, 8, turn<16, 8> }, { 16, 4, turn<16, 4> },
    };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].bytes == t->bytes && align % of[i].align == 0) {
            of[i].kernel<<<grid, dim3(TILE, 8), 0, stream>>>(*t);
            return;
        }
    turn_any<<<dim3((unsigned)gf_ceil_div(t->width, 256), gf_cuda_grid_rows(t->rows), grid.z), 256, 0,
               stream>>>(*t);
}

static void launch_turn(const struct move_task *t, int planes, cudaStream_t stream)
{
    const uintptr_t all = (uintptr_t)t->src | (uintptr_t)t->dst | (uintptr_t)t->src_pitch | (uintptr_t)t->dst_pitch
                        | (uintptr_t)t->src_plane | (uintptr_t)t->dst_plane | 16;

    if (t->bytes == 1)
        turn_words<<<dim3((unsigned)gf_ceil_div(t->width, 128), (unsigned)gf_ceil_div(t->rows, 128), (unsigned)planes),
                     256, 0, stream>>>(*t);
    else
        launch_tiles(t, (int)(all & -all),
                     dim3((unsigned)gf_ceil_div(t->width, TILE), gf_cuda_grid_rows(gf_ceil_div(t->rows, TILE)),
                          (unsigned)planes),
                     stream);
}

extern "C" int gf_move_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_move *m = (const struct gf_move *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int planes = io->src.planar ? io->src.channels : 1;
    struct move_task t = task_of(io, m);

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || io->src.planar != io->dst.planar)
        return gf_fail(err, GF_FAILED, "internal error: move cannot change samples");
    if (t.width <= 0 || t.rows <= 0)
        return 0;
    if (m->xx == 1 && m->yx == 0)
        launch_copy(&t, planes, stream);
    else if (m->xx == -1 && m->yx == 0)
        launch_reverse(&t, planes, stream);
    else
        launch_turn(&t, planes, stream);
    return gf_cuda_launched("move", err);
}
