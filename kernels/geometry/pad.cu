/*
 * Padding on a GPU: sixteen bytes of a row a thread, copied if they are contiguous in the source,
 * otherwise set one by one.
 */
#include "kernels/geometry/pad.h"

#include "kernels/base/cuda_check.cuh"

#define PIECE 16                         /* bytes that a thread stores at once */
#define THREADS 256                      /* threads of a block */
#define ROWS 4                           /* rows of which a thread copies a piece */

struct pad_task {
    const unsigned char *src;
    unsigned char *dst;
    /* bytes; src_bytes: of a plane, as far as there are samples */
    int64_t src_pitch, dst_pitch, src_plane, dst_plane, src_bytes;
    int64_t start, width, units;                                     /* of the source */
    int64_t first, columns, rows, left, top;                         /* of the result */
    /* of a row: copied pieces begin at `inner` and end at `outer`; `pieces` in all */
    int64_t inner, outer, pieces;
    /* threads side by side at the border and its blocks; the same for the copies */
    unsigned rim_across, rim_blocks, across, blocks;
    enum gf_border border;
    int bytes;                                                       /* of an item */
    unsigned char item[4][GF_PAD_ITEM + PIECE];                      /* the background of each plane, repeated */
};

/* A call, because it divides and is rare. */
static __device__ __noinline__ int64_t far_index(enum gf_border border, int64_t i, int64_t n)
{
    return gf_border_index(border, i, n);
}

/* Equals gf_border_index(), without a division if i is less than a period outside. */
static __device__ __forceinline__ int64_t near_index(enum gf_border border, int64_t i, int64_t n)
{
    if (i >= 0 && i < n)
        return i;
    if (border == GF_ZERO)
        return -1;
    if (border == GF_CLAMP)
        return i < 0 ? 0 : n - 1;
    if (border == GF_REFLECT && i >= -n && i < 2 * n)
        return i < 0 ? -1 - i : 2 * n - 1 - i;
    if (border == GF_MIRROR && i > -n && i < 2 * n - 1)
        return i < 0 ? -i : 2 * n - 2 - i;
    if (border == GF_WRAP && i >= -n && i < 2 * n)
        return i < 0 ? i + n : i - n;
    return far_index(border, i, n);
}

/* Returns the start of row r of the result, and its piece k: pieces begin at multiples of sixteen bytes. */
static __device__ __forceinline__ unsigned char *row_of(const struct pad_task &t, int64_t r)
{
    return t.dst + blockIdx.y * t.dst_plane + r * t.dst_pitch;
}

static __device__ __forceinline__ int64_t start_of(const unsigned char *row, int64_t k)
{
    return k * PIECE - (int)((uintptr_t)row % PIECE);
}

/* Stores bytes x to x + 16 of a row of the result, as far as they belong to it. */
static __device__ __forceinline__ void put_piece(const struct pad_task &t, unsigned char *to, int64_t x,
                                                 const unsigned (&w)[PIECE / 4])
{
    const int64_t end = t.columns * t.bytes;

    if (x >= 0 && x + PIECE <= end) {
        *(uint4 *)(to + x) = make_uint4(w[0], w[1], w[2], w[3]);
        return;
    }
#pragma unroll
    for (int b = 0; b < PIECE; b++)
        if (x + b >= 0 && x + b < end)
            to[x + b] = (unsigned char)(w[b / 4] >> b % 4 * 8);
}

/*
 * Sets piece k of row r byte by byte. The sources are found first, so that all bytes are loaded
 * together.
 */
static __device__ __noinline__ void pad_piece(const struct pad_task &t, int64_t r, int64_t k)
{
    unsigned char *const to = row_of(t, r);
    const unsigned char *const made = t.item[blockIdx.y];
    const int64_t x = start_of(to, k), row = near_index(t.border, t.first + r - t.top, t.units);
    const unsigned char *const from = t.src + blockIdx.y * t.src_plane + (row - t.start) * t.src_pitch;
    int64_t item = x < 0 ? 0 : x / t.bytes, column = row < 0 ? -1 : near_index(t.border, item - t.left, t.width);
    int part = (int)(x - item * t.bytes);
    unsigned w[PIECE / 4] = { 0, 0, 0, 0 };
    const unsigned char *at[PIECE];

#pragma unroll
    for (int b = 0; b < PIECE; b++, part++) {
        if (part == t.bytes) {
            part = 0;
            column = row < 0 ? -1 : near_index(t.border, ++item - t.left, t.width);
        }
        at[b] = column < 0 || x + b < 0 || x + b >= t.columns * t.bytes ? made + (part < 0 ? 0 : part) : from
                + column * t.bytes + part;
    }
#pragma unroll
    for (int b = 0; b < PIECE; b++)
        w[b / 4] |= (unsigned)*at[b] << b % 4 * 8;
    put_piece(t, to, x, w);
}

/* Reads sixteen bytes from `at` + `shift` by aligned loads that do not pass `end`. */
static __device__ __forceinline__ uint4 read_piece(const uint4 *at, int shift, const unsigned char *end)
{
    const uint4 a = at[0];
    unsigned w[8] = { a.x, a.y, a.z, a.w, 0, 0, 0, 0 };

    if (shift == 0)
        return a;
    if ((const unsigned char *)(at + 2) <= end) {
        const uint4 b = at[1];

        w[4] = b.x, w[5] = b.y, w[6] = b.z, w[7] = b.w;
    } else {
#pragma unroll
        for (int b = 0; b < PIECE; b++)
            w[4 + b / 4] |= b < shift ? (unsigned)((const unsigned char *)(at + 1))[b] << b % 4 * 8 : 0;
    }
#pragma unroll
    for (int i = 0; i < 6; i++)
        w[i] = shift & 8 ? w[i + 2] : w[i];
#pragma unroll
    for (int i = 0; i < 5; i++)
        w[i] = shift & 4 ? w[i + 1] : w[i];
    return make_uint4(__funnelshift_r(w[0], w[1], shift % 4 * 8), __funnelshift_r(w[1], w[2], shift % 4 * 8),
                      __funnelshift_r(w[2], w[3], shift % 4 * 8), __funnelshift_r(w[3], w[4], shift % 4 * 8));
}

/* Returns sixteen bytes of background from byte x of a row on. */
static __device__ __forceinline__ uint4 made_piece(const struct pad_task &t, int64_t x)
{
    const unsigned char *const made = t.item[blockIdx.y] + x % t.bytes;
    unsigned w[PIECE / 4] = { 0, 0, 0, 0 };

#pragma unroll
    for (int b = 0; b < PIECE; b++)
        w[b / 4] |= (unsigned)made[b] << b % 4 * 8;
    return make_uint4(w[0], w[1], w[2], w[3]);
}

/*
 * Copies piece k of rows r to r + ROWS, which is within the columns of the source. INSIDE: source
 * rows are consecutive, too; otherwise the border decides. ALIGNED: all rows begin at multiples of
 * sixteen bytes.
 */
template <bool ALIGNED, bool INSIDE>
static __device__ __forceinline__ void copy_pieces(const struct pad_task &t, int64_t r, int64_t k)
{
    const unsigned char *const src = t.src + blockIdx.y * t.src_plane, *const end = src + t.src_bytes;
    unsigned char *to = row_of(t, r);
    uint4 v[ROWS];

#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int64_t x = ALIGNED ? k * PIECE : start_of(to + i * t.dst_pitch, k), wanted = t.first + r + i - t.top;
        const int64_t unit = INSIDE ? wanted : near_index(t.border, wanted, t.units);
        const unsigned char *const at = src + (unit - t.start) * t.src_pitch + x - t.left * t.bytes;
        const int shift = ALIGNED ? 0 : (int)((uintptr_t)at % PIECE);

        if (!INSIDE && r + i >= t.rows)
            continue;
        v[i] = !INSIDE && unit < 0 ? made_piece(t, x) : read_piece((const uint4 *)(at - shift), shift, end);
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++, to += t.dst_pitch)
        if (INSIDE || r + i < t.rows)
            *(uint4 *)(to + (ALIGNED ? k * PIECE : start_of(to, k))) = v[i];
}

/* A call, because few rows need it. */
template <bool ALIGNED>
static __device__ __noinline__ void copy_others(const struct pad_task &t, int64_t r, int64_t k)
{
    copy_pieces<ALIGNED, false>(t, r, k);
}

/* The first blocks set the border, the others copy. */
template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS, GF_BLOCKS(4)) pad(const __grid_constant__ struct pad_task t)
{
    const bool rim = blockIdx.x < t.rim_blocks;
    const unsigned block = rim ? blockIdx.x : blockIdx.x - t.rim_blocks, across = rim ? t.rim_across : t.across;
    const int64_t rims = t.inner + t.pieces - t.outer, blocks = rim ? gf_ceil_div(rims, across) : t.blocks;
    const int64_t x = block % (unsigned)blocks * (int64_t)across + threadIdx.x % across;
    int64_t r = block / (unsigned)blocks * (int64_t)(THREADS / across) + threadIdx.x / across, unit;

    if (rim) {
        if (x < rims && r < t.rows)
            pad_piece(t, r, x < t.inner ? x : t.outer + x - t.inner);
        return;
    }
    if (x < t.inner || x >= t.outer)
        return;
    r *= ROWS;
    unit = t.first + r - t.top;
    if (r + ROWS <= t.rows && unit >= 0 && unit + ROWS <= t.units)
        copy_pieces<ALIGNED, true>(t, r, x);
    else
        copy_others<ALIGNED>(t, r, x);
}

/* ---- calls ---- */

/* Returns the threads side by side for that many pieces: a power of two, up to `most`. */
static unsigned threads_for(int64_t pieces, unsigned most)
{
    unsigned n = 1;

    while (n < most && n < pieces)
        n *= 2;
    return n;
}

static int launch(struct pad_task t, int planes, cudaStream_t stream, struct gf_error *err)
{
    const uintptr_t to = (uintptr_t)t.dst | (uintptr_t)t.dst_pitch | (uintptr_t)t.dst_plane;
    const uintptr_t from = (uintptr_t)t.src | (uintptr_t)t.src_pitch | (uintptr_t)t.src_plane
                           | (uintptr_t)(t.left * t.bytes);
    const int64_t slack = to % PIECE ? PIECE - 1 : 0, lead = t.left * t.bytes, end = t.columns * t.bytes;
    const int64_t trail = lead + t.width * t.bytes < end ? lead + t.width * t.bytes : end;
    int64_t rim_blocks, blocks;

    t.pieces = gf_ceil_div(end + slack, PIECE);
    t.inner = gf_ceil_div(lead + slack, PIECE);
    t.outer = trail / PIECE;
    if (t.outer <= t.inner)
        t.inner = t.outer = t.pieces;
    t.rim_across = threads_for(t.inner + t.pieces - t.outer, 32);
    rim_blocks = gf_ceil_div(t.inner + t.pieces - t.outer, t.rim_across) * gf_ceil_div(t.rows, THREADS / t.rim_across);
    t.across = threads_for(t.outer, THREADS / 2);
    t.blocks = (unsigned)gf_ceil_div(t.outer, t.across);
    blocks = t.outer > t.inner ? t.blocks * gf_ceil_div(t.rows, THREADS / t.across * ROWS) : 0;
    t.rim_blocks = (unsigned)rim_blocks;
    if (rim_blocks + blocks > INT32_MAX)
        return gf_fail(err, GF_FAILED, "the GPU cannot pad this much in one call;; use a smaller --segment");
    ((to | from) % PIECE ? pad<false> : pad<true>)<<<dim3((unsigned)(rim_blocks + blocks), (unsigned)planes), THREADS,
        0, stream>>>(t);
    return gf_cuda_launched("pad", err);
}

extern "C" int gf_pad_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_pad *p = (const struct gf_pad *)params;
    const int sample = (int)gf_type_bytes(io->src.type), planes = io->src.planar ? io->src.channels : 1;
    struct pad_task t;
    unsigned char item[GF_PAD_ITEM];

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || io->src.planar != io->dst.planar
        || planes > 4)
        return gf_fail(err, GF_FAILED, "internal error: pad cannot change samples");
    t.src = (const unsigned char *)io->src.data, t.dst = (unsigned char *)io->dst.data;
    t.src_pitch = io->src.pitch_samples * sample, t.dst_pitch = io->dst.pitch_samples * sample;
    t.src_plane = io->src.plane_samples * sample, t.dst_plane = io->dst.plane_samples * sample;
    t.start = io->src.span.start, t.width = io->src.width, t.units = io->src_units;
    t.first = io->dst.span.start, t.columns = io->dst.width, t.rows = gf_span_units(io->dst.span);
    t.left = p->left, t.top = p->top;
    t.border = p->use_background ? GF_ZERO : p->border;
    t.bytes = gf_pad_item_bytes(&io->src);
    if (t.bytes > GF_PAD_ITEM)
        return gf_fail(err, GF_FAILED, "the GPU cannot pad pixels of %d bytes;; use --device cpu", t.bytes);
    if (t.columns <= 0 || t.rows <= 0)
        return 0;
    t.src_bytes = (gf_span_units(io->src.span) - 1) * t.src_pitch + t.width * t.bytes;
    for (int c = 0; c < planes; c++) {
        gf_pad_item(&io->dst, p, c, item);
        for (int i = 0; i < GF_PAD_ITEM + PIECE; i++)
            t.item[c][i] = item[i % t.bytes];
    }
    return launch(t, planes, (cudaStream_t)work->stream, err);
}
