/*
 * Strips of bytes: a warp walks down 512 columns of one channel, sixteen columns a lane, with
 * aligned loads to registers.
 */
#ifndef GF_KERNELS_WARP_BYTE_STRIPS_CUH
#define GF_KERNELS_WARP_BYTE_STRIPS_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/op.h"

#define GF_BYTE_STRIP_COLUMNS 512
#define GF_BYTE_STRIP_WARPS 4            /* warps in a block; they work independently */

/*
 * Rows of bytes whose first address, length and distance are multiples of sixteen; `reach` is 1 or
 * 2, in both directions.
 */
struct gf_byte_strip_task {
    const unsigned char *in;
    unsigned char *out;
    int64_t in_pitch, out_pitch, in_start, first, end, src_units, width;
    int64_t strips;
    int reach, rows;                     /* results for which a warp walks down */
    enum gf_border border;
};

/* Sixteen columns of a row; for the first and the last lane also four before or after the strip. */
struct gf_byte_strip_piece {
    uint4 w;
    unsigned beside;
};

/*
 * Returns true if a call has the layout for strips; the caller decides what to do with the bytes.
 */
static inline bool gf_byte_strips_fit(const struct gf_io *io)
{
    const struct gf_block *s = &io->src, *d = &io->dst;

    return gf_point_is_identity(io->load) && gf_point_is_identity(io->store) && s->type == GF_U8 && d->type == GF_U8
        && !s->planar && !d->planar && s->channels == 1 && d->channels == 1 && s->maxval == d->maxval
        && s->width == d->width
        && s->width % 16 == 0 && s->pitch_samples % 16 == 0 && d->pitch_samples % 16 == 0
        && (uintptr_t)s->data % 16 == 0 && (uintptr_t)d->data % 16 == 0;
}

static inline struct gf_byte_strip_task gf_byte_strips_of(const struct gf_io *io, int reach, enum gf_border border)
{
    struct gf_byte_strip_task t;

    t.in = (const unsigned char *)io->src.data;
    t.out = (unsigned char *)io->dst.data;
    t.in_pitch = io->src.pitch_samples;
    t.out_pitch = io->dst.pitch_samples;
    t.in_start = io->src.span.start;
    t.first = io->dst.span.start;
    t.end = io->dst.span.end;
    t.src_units = io->src_units;
    t.width = io->dst.width;
    t.strips = gf_ceil_div(t.width, GF_BYTE_STRIP_COLUMNS);
    t.reach = reach;
    t.rows = 32;
    t.border = border;
    return t;
}

static inline unsigned gf_byte_strip_blocks(const struct gf_byte_strip_task *t)
{
    return (unsigned)gf_ceil_div(t->strips * gf_ceil_div(t->end - t->first, t->rows), GF_BYTE_STRIP_WARPS);
}

/*
 * Returns the address of a unit, or of its replacement beyond the border; NULL: zeros. A call,
 * because it is rare and long.
 */
static __device__ __noinline__ const unsigned char *gf_byte_strip_row(const struct gf_byte_strip_task &t, int64_t unit)
{
    /* units that no result needs may be missing; the last existing row replaces them */
    const int64_t last = t.end + t.reach - 1;
    const int64_t at = gf_border_index(t.border, unit < last ? unit : last, t.src_units);

    return at < 0 ? NULL : t.in + (at - t.in_start) * t.in_pitch;
}

/* The position of a warp, and what each lane reads of a row: its own columns and a few neighbors. */
struct gf_byte_strip_walker {
    const unsigned char *row;            /* NULL: zeros */
    int64_t first, x;                    /* unit of the first row, and the lane's first column */
    int step, plain, results;            /* rows after the first; how many more are contiguous; the warp's results */
    /*
     * the lane has results; it reads the word next to its columns; some lane reads beyond the ends
     * of a row
     */
    bool live, word, edge;
    int offset;                          /* offset of the word from the lane's first column */
    int64_t beyond[2];                   /* columns; -1 for zero, less than that for none */

    __device__ __forceinline__ bool start(const struct gf_byte_strip_task &t)
    {
        const int lane = threadIdx.x % 32;
        const int64_t item = (int64_t)blockIdx.x * GF_BYTE_STRIP_WARPS + threadIdx.x / 32;
        const int64_t y = t.first + item / t.strips * t.rows, at = item % t.strips * GF_BYTE_STRIP_COLUMNS;
        bool bytes;

        if (y >= t.end)
            return false;
        results = (int)(t.end - y < t.rows ? t.end - y : t.rows);
        x = at + lane * 16;
        live = x < t.width;
        word = lane == 0 ? x > 0 : lane == 31 && x + 16 < t.width;
        bytes = lane == 0 ? x == 0 : (lane == 31 && x + 16 == t.width) || x == t.width;
        offset = lane == 0 ? -4 : 16;
        beyond[0] = beyond[1] = -2;
        if (bytes) {
            beyond[0] = gf_border_index(t.border, lane == 0 ? -2 : t.width, t.width);
            beyond[1] = gf_border_index(t.border, lane == 0 ? -1 : t.width + 1, t.width);
        }
        edge = __any_sync(0xffffffffu, bytes);
        first = y - t.reach;
        step = -1;
        plain = 0;
        down(t);
        return true;
    }

    /* Within the signal, rows follow each other. */
    __device__ __forceinline__ void down(const struct gf_byte_strip_task &t)
    {
        step++;
        if (plain > 0) {
            plain--;
            row += t.in_pitch;
            return;
        }
        const int64_t unit = first + step, limit = t.src_units < t.end + t.reach ? t.src_units : t.end + t.reach;

        row = gf_byte_strip_row(t, unit);
        plain = unit < 0 || unit >= limit ? 0 : (int)(limit - 1 - unit < 1 << 30 ? limit - 1 - unit : 1 << 30);
    }

    __device__ __forceinline__ struct gf_byte_strip_piece read() const
    {
        struct gf_byte_strip_piece p = { make_uint4(0, 0, 0, 0), 0 };
        const unsigned char *at = row + x;

        if (row == NULL)
            return p;
        if (live)
            p.w = __ldg((const uint4 *)at);
        if (word)
            p.beside = __ldg((const unsigned *)(at + offset));
        if (edge) {
            if (beyond[0] >= 0)
                p.beside = row[beyond[0]];
            if (beyond[1] >= 0)
                p.beside |= (unsigned)row[beyond[1]] << 8;
            if (x == 0)
                p.beside <<= 16;
            if (!live)
                p.w.x = p.beside;        /* what the previous lane sees after its columns */
        }
        return p;
    }
};

/* Sets w to the 24 bytes that begin four before the lane's first column. */
static __device__ __forceinline__ void gf_byte_strip_words(const struct gf_byte_strip_piece &p, unsigned (&w)[6])
{
    const int lane = threadIdx.x % 32;
    const unsigned left = __shfl_up_sync(0xffffffffu, p.w.w, 1), right = __shfl_down_sync(0xffffffffu, p.w.x, 1);

    w[0] = lane == 0 ? p.beside : left;
    w[1] = p.w.x, w[2] = p.w.y, w[3] = p.w.z, w[4] = p.w.w;
    w[5] = lane == 31 ? p.beside : right;
}

/*
 * Walks down. `work.row<K>(words)` gets each row, where K counts modulo SIDE; from row SIDE - 1 on,
 * `work.result<K>()` gives a row of results. The next SIDE rows are loaded meanwhile.
 */
template <int SIDE, class W>
static __device__ __forceinline__ void gf_byte_strip_walk(const struct gf_byte_strip_task &t, W &work)
{
    struct gf_byte_strip_walker at;
    struct gf_byte_strip_piece next[SIDE];
    unsigned char *to;
    int left;                            /* rows that remain */

    if (!at.start(t))
        return;
    to = t.out + (at.first + t.reach - t.first) * t.out_pitch + at.x;
    left = at.results + SIDE - 1;
    next[0] = at.read();
#pragma unroll
    for (int k = 1; k < SIDE; k++) {
        at.down(t);
        next[k] = at.read();
    }
    for (bool full = false; left > 0; full = true) {
#pragma unroll
        for (int k = 0; k < SIDE; k++, left--) {
            unsigned w[6];
            uint4 r;

            if (left <= 0)
                break;
            gf_byte_strip_words(next[k], w);
            if (left > SIDE) {
                at.down(t);
                next[k] = at.read();
            }
            work.row(w, k);
            if (k < SIDE - 1 && !full)
                continue;
            r = work.result(k);
            if (at.live)
                *(uint4 *)to = r;
            to += t.out_pitch;
        }
    }
}

#endif
