/* Rank on a GPU: kernels for small squares, and the choice of the kernel and the type of samples. */
#include "kernels/base/program_buffers.cuh"
#include "kernels/base/warp_byte_strips.cuh"
#include "kernels/neighbourhood/rank/rank_large.cuh"
#include "kernels/neighbourhood/rank/rank_network.h"
#include "kernels/neighbourhood/rank/rank_thread_words.cuh"

/* ---- minimum and maximum of 3 by 3 and 5 by 5 bytes, by strips ---- */

/* The bytes of even and of odd columns, two in a word; sixteen columns, four before and four after them. */
template <int SIDE, bool GREATEST>
struct rank_strip {
    unsigned even[SIDE][6], odd[SIDE][6];

    static __device__ __forceinline__ unsigned pick(unsigned a, unsigned b)
    {
        return GREATEST ? __vmaxu2(a, b) : __vminu2(a, b);
    }

    __device__ __forceinline__ void row(const unsigned (&w)[6], int k)
    {
#pragma unroll
        for (int i = 0; i < 6; i++) {
            even[k][i] = __byte_perm(w[i], 0, 0x4240);
            odd[k][i] = __byte_perm(w[i], 0, 0x4341);
        }
    }

    /* Returns a word's columns shifted by two, in either direction. */
    static __device__ __forceinline__ unsigned back(const unsigned (&v)[6],
                                                    int i) { return __byte_perm(v[i - 1], v[i], 0x5432); }
    static __device__ __forceinline__ unsigned on(const unsigned (&v)[6],
                                                  int i) { return __byte_perm(v[i], v[i + 1], 0x5432); }

    __device__ __forceinline__ uint4 result(int) const
    {
        unsigned e[6], o[6], r[4];

#pragma unroll
        for (int i = 0; i < 6; i++) {
            e[i] = even[0][i], o[i] = odd[0][i];
#pragma unroll
            for (int k = 1; k < SIDE; k++)
                e[i] = pick(e[i], even[k][i]), o[i] = pick(o[i], odd[k][i]);
        }
#pragma unroll
        for (int i = 1; i < 5; i++) {
            unsigned both = pick(e[i], o[i]), left = back(o, i), right = on(e, i);

            if (SIDE == 5) {
                both = pick(both, pick(left, right));
                left = back(e, i), right = on(o, i);
            }
            r[i - 1] = __byte_perm(pick(both, left), pick(both, right), 0x6240);
        }
        return make_uint4(r[0], r[1], r[2], r[3]);
    }
};

template <int SIDE, bool GREATEST>
static __global__ void __launch_bounds__(32 * GF_BYTE_STRIP_WARPS)
rank_bytes(const __grid_constant__ struct gf_byte_strip_task t)
{
    struct rank_strip<SIDE, GREATEST> s;

    gf_byte_strip_walk<SIDE>(t, s);
}

static inline int launch_bytes(const struct gf_io *io, const struct gf_rank *rank, cudaStream_t stream,
                               struct gf_error *err)
{
    const struct gf_byte_strip_task t = gf_byte_strips_of(io, rank->radius, rank->border);
    const unsigned blocks = gf_byte_strip_blocks(&t), threads = 32 * GF_BYTE_STRIP_WARPS;

    if (rank->pick == GF_RANK_GREATEST)
        (rank->radius == 1 ? rank_bytes<3, true> : rank_bytes<5, true>)<<<blocks, threads, 0, stream>>>(t);
    else
        (rank->radius == 1 ? rank_bytes<3, false> : rank_bytes<5, false>)<<<blocks, threads, 0, stream>>>(t);
    return gf_cuda_launched("rank", err);
}

/* ---- small squares: warps walk down the rows; medians by sorting networks ---- */

template <class T>
static __device__ __forceinline__ void order(word_of<T> &x, word_of<T> &y)
{
    const word_of<T> first = less(x, y);

    y = more(x, y);
    x = first;
}

#define RANK_ORDER(a, b) order<T>(a, b);

/* Sorts a column of the current samples, smallest first. */
template <class T, int SIDE>
static __device__ __forceinline__ void sort_column(const word_of<T> (&in)[SIDE], word_of<T> (&out)[SIDE])
{
#define RANK_IN(i) in[i]
    if constexpr (SIDE == 3) {
        GF_RANK_COLUMN_3(word_of<T>, RANK_IN, RANK_ORDER)
        out[0] = v0, out[1] = v1, out[2] = v2;
    } else if constexpr (SIDE == 5) {
        GF_RANK_COLUMN_5(word_of<T>, RANK_IN, RANK_ORDER)
        out[0] = v0, out[1] = v1, out[2] = v2, out[3] = v3, out[4] = v4;
    } else {
        GF_RANK_COLUMN_7(word_of<T>, RANK_IN, RANK_ORDER)
        out[0] = v0, out[1] = v1, out[2] = v2, out[3] = v3, out[4] = v4, out[5] = v5, out[6] = v6;
    }
#undef RANK_IN
}

/*
 * Computes the median of the square that begins with word x of the sorted columns; its columns are
 * `step` bytes apart.
 */
template <class T, int SIDE>
static __device__ __forceinline__ unsigned middle_of(const unsigned (*sorted)[33], int x, int step)
{
    auto at = [=](int i, int j) {
        word_of<T> w;

        w.set(shifted(sorted[i], x, j * step));
        return w;
    };
    if constexpr (SIDE == 3) {
        GF_RANK_SQUARE_3(word_of<T>, at, RANK_ORDER)
        return GF_RANK_MEDIAN_3.get();
    } else if constexpr (SIDE == 5) {
        GF_RANK_SQUARE_5(word_of<T>, at, RANK_ORDER)
        return GF_RANK_MEDIAN_5.get();
    } else {
        GF_RANK_SQUARE_7(word_of<T>, at, RANK_ORDER)
        return GF_RANK_MEDIAN_7.get();
    }
}

/* Returns the word `off` bytes after each lane's own; invalid in the last lanes. */
static __device__ __forceinline__ unsigned after(unsigned w, int off)
{
    const unsigned low = __shfl_down_sync(0xffffffffu, w, off / 4);

    return off % 4 == 0 ? low : __funnelshift_r(low, __shfl_down_sync(0xffffffffu, w, off / 4 + 1), off % 4 * 8);
}

/*
 * Computes the minimum or maximum of the square that begins with each lane's word: down the rows,
 * then along them.
 */
template <class T, int SIDE, bool GREATEST>
static __device__ __forceinline__ unsigned extreme_of(const word_of<T> (&rows)[SIDE], int step)
{
    word_of<T> v = rows[0], w;

#pragma unroll
    for (int k = 1; k < SIDE; k++)
        v = pick<T, GREATEST>(v, rows[k]);
#pragma unroll
    for (int have = 1; have < SIDE; have *= 2) {
        w.set(after(v.get(), (2 * have <= SIDE ? have : SIDE - have) * step));
        v = pick<T, GREATEST>(v, w);
    }
    return v.get();
}

/* The position of a warp in the source, which moves down row by row. */
template <class T>
struct walker {
    const unsigned char *row;
    int64_t unit;
    bool inside;                         /* all lanes' words are within a row */

    __device__ __forceinline__ unsigned next(const struct rank_task &t, int64_t s)
    {
        unit++;
        if (unit > 0 && unit < t.src_units && unit < t.end + t.radius)
            row += t.in_pitch * (int64_t)sizeof(T);
        else
            row = row_at(t, unit, (int)sizeof(T));
        if (!inside || row == NULL)
            return word_at<T>(t, row, s);

        const unsigned char *p = row + s * (int64_t)sizeof(T);

        if (sizeof(T) == 4)
            return stored_key<T>(p);

        const unsigned off = (unsigned)((uintptr_t)p & 3);
        const unsigned *q = (const unsigned *)(p - off);

        return __funnelshift_r(q[0], q[1], 8 * off);
    }
};

/*
 * A warp walks down `tile` rows of 32 words. The last words read outside its own columns and give
 * no result. The row after next is loaded while a row is processed. STEP is that of the task, or 0
 * for any.
 */
template <class T, int SIDE, int STEP, enum gf_rank_pick PICK>
static __global__ void __launch_bounds__(32 * RANK_WARPS) walk(const __grid_constant__ struct rank_task t)
{
    __shared__ unsigned sorted[PICK == GF_RANK_MIDDLE ? RANK_WARPS : 1][SIDE][33];
    constexpr int per = word_of<T>::per, bytes = (int)sizeof(T), R = SIDE / 2;
    const int step = STEP > 0 ? STEP : t.step, results = 32 - (2 * R * step + per - 1) / per;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t out = ((int64_t)blockIdx.x * RANK_WARPS + warp) * results * per;
    const int64_t s = out - R * step + lane * per, put = out + lane * per;
    const int64_t y0 = t.first + (int64_t)blockIdx.y * t.tile, end = y0 + t.tile < t.end ? y0 + t.tile : t.end;
    unsigned char *to = t.out + ((y0 - t.first) * t.out_pitch + put) * bytes;
    struct walker<T> from;
    word_of<T> rows[SIDE], column[SIDE];
    unsigned next, w;

    if (out >= t.length)
        return;
    from.unit = y0 - R;
    from.row = row_at(t, from.unit, bytes);
    from.inside = out - R * step >= per && out - R * step + 33 * per <= t.length;
    rows[1].set(word_at<T>(t, from.row, s));
#pragma unroll
    for (int k = 2; k < SIDE; k++)
        rows[k].set(from.next(t, s));
    next = from.next(t, s);
    for (int64_t y = y0; y < end; y++, to += t.out_pitch * bytes) {
#pragma unroll
        for (int k = 0; k + 1 < SIDE; k++)
            rows[k] = rows[k + 1];
        rows[SIDE - 1].set(next);
        next = from.next(t, s);
        if (PICK == GF_RANK_MIDDLE) {
            sort_column<T, SIDE>(rows, column);
#pragma unroll
            for (int k = 0; k < SIDE; k++)
                sorted[PICK == GF_RANK_MIDDLE ? warp : 0][k][lane] = column[k].get();
            __syncwarp();
            w = middle_of<T, SIDE>(sorted[PICK == GF_RANK_MIDDLE ? warp : 0], lane < results ? lane : 0, step * bytes);
            __syncwarp();
        } else {
            w = extreme_of<T, SIDE, PICK == GF_RANK_GREATEST>(rows, step * bytes);
        }
        if (lane >= results)
            continue;
        if (((uintptr_t)to & 3) == 0 && put + per <= t.length && t.channels == t.step)
            *(unsigned *)to = sizeof(T) == 4 ? gf_rank_bits((int)w) : w;
        else if (sizeof(T) < 4)
            put_slowly<T>(t, y, put, w);
    }
}

#define WALK_RADIUS 3
#define WALK_ROWS 32                     /* results for which a warp walks down */

/* ---- launches ---- */

template <class T, enum gf_rank_pick PICK, int STEP>
static rank_kernel *walk_of_step(int radius)
{
    return radius == 1 ? walk<T, 3, STEP, PICK> : radius == 2 ? walk<T, 5, STEP, PICK> : walk<T, 7, STEP, PICK>;
}

/*
 * Floats are planes; bytes have kernels for one and for three channels; other types have one for
 * any number.
 */
template <class T, enum gf_rank_pick PICK>
static rank_kernel *walk_of(int radius, int step)
{
    if constexpr (sizeof(T) == 4)
        return walk_of_step<T, PICK, 1>(radius);
    else if constexpr (sizeof(T) == 1)
        return step == 1 ? walk_of_step<T, PICK, 1>(radius)
             : step == 3 ? walk_of_step<T, PICK, 3>(radius) : walk_of_step<T, PICK, 0>(radius);
    else
        return walk_of_step<T, PICK, 0>(radius);
}

template <class T>
static int launch_walk(struct rank_task t, enum gf_rank_pick pick, cudaStream_t stream, struct gf_error *err)
{
    const int per = word_of<T>::per, results = 32 - (2 * t.radius * t.step + per - 1) / per;
    rank_kernel *k = pick == GF_RANK_LEAST ? walk_of<T, GF_RANK_LEAST>(t.radius, t.step)
              : pick == GF_RANK_MIDDLE ? walk_of<T, GF_RANK_MIDDLE>(t.radius, t.step) : walk_of<T,
                  GF_RANK_GREATEST>(t.radius, t.step);

    t.tile = WALK_ROWS;
    gf_rank_launch_rows<T>(t, t.tile, [&](const struct rank_task &part, unsigned height) {
        k<<<dim3((unsigned)gf_ceil_div(t.length, (int64_t)results * per * RANK_WARPS), height), 32 * RANK_WARPS, 0,
            stream>>>(part);
    });
    return gf_cuda_launched("rank", err);
}

template <class T>
static int launch(const struct rank_task &t, enum gf_rank_pick pick, cudaStream_t stream, struct gf_error *err)
{
    if (t.radius <= WALK_RADIUS)
        return launch_walk<T>(t, pick, stream, err);
    return gf_rank_large<T>(t, pick, stream, err);
}

/* ---- blocks ---- */

static struct rank_task task_of(const struct gf_io *io, const struct gf_rank *rank)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;
    struct rank_task t;

    t.in = (const unsigned char *)src->data;
    t.out = (unsigned char *)dst->data;
    t.in_pitch = src->pitch_samples;
    t.out_pitch = dst->pitch_samples;
    t.in_start = src->span.start;
    t.first = dst->span.start;
    t.end = dst->span.end;
    t.width = src->width;
    t.step = src->planar ? 1 : src->channels;
    t.length = t.width * t.step;
    t.src_units = io->src_units;
    t.radius = rank->radius;
    t.channels = src->planar ? 1 : rank->channels;
    t.border = rank->border;
    t.tile = 0;
    return t;
}

/* Works plane by plane; planes that are not ranked are copied. */
static int on_planes(const struct gf_io *io, const struct gf_rank *rank, cudaStream_t stream, struct gf_error *err)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;

    for (int c = 0; c < src->channels; c++) {
        struct rank_task t = task_of(io, rank);
        const size_t row = (size_t)t.width * sizeof(float);
        const float *same = (const float *)src->data + c * src->plane_samples + (t.first - t.in_start) * t.in_pitch;

        t.in += c * src->plane_samples * (int64_t)sizeof(float);
        t.out += c * dst->plane_samples * (int64_t)sizeof(float);
        if (c < rank->channels ? launch<float>(t, rank->pick, stream, err) != 0
                               : gf_cuda_check(cudaMemcpy2DAsync(t.out, (size_t)t.out_pitch * sizeof(float), same,
                                                                 (size_t)t.in_pitch * sizeof(float), row,
                                                                     (size_t)(t.end - t.first),
                                                                 cudaMemcpyDeviceToDevice, stream), "copy of a plane",
                                                                     err) != 0)
            return -1;
    }
    return 0;
}

/* Packed results in the type of src, from the stream's memory pool. */
static int borrow_packed(struct gf_block *b, const struct gf_block *src, const struct gf_block *dst,
                         cudaStream_t stream,
                         struct gf_error *err)
{
    *b = *src;
    b->span = dst->span;
    b->pitch_samples = gf_round_up(src->width * src->channels, 128);
    return gf_cuda_check(gf_cuda_borrow(&b->data,
                                        (size_t)(b->pitch_samples * (b->span.end - b->span.start))
                                            * gf_type_bytes(b->type),
                                        stream), "memory for samples", err);
}

extern "C" int gf_rank_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_rank *rank = (const struct gf_rank *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const bool plain = gf_point_is_identity(io->load), as_is = gf_point_is_identity(io->store);
    const bool packed = plain && !io->src.planar && (io->src.type == GF_U8 || io->src.type == GF_U16);
    const bool load = !packed && !(plain && io->src.planar);
    const bool direct = as_is && (packed ? !io->dst.planar && io->dst.type == io->src.type
                                  && io->dst.maxval == io->src.maxval
                                         : io->dst.planar);
    struct gf_program_buffers b;
    int result;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (rank->pick != GF_RANK_MIDDLE && rank->radius <= 2 && rank->channels == 1 && gf_byte_strips_fit(io))
        return launch_bytes(io, rank, stream, err);
    result = gf_program_buffers_open(&b, work, io, io->src.span, load, !direct && !packed, err);
    if (result == 0 && !direct && packed) {
        result = borrow_packed(&b.plain.dst, &io->src, &io->dst, stream, err);
        b.stored = result == 0;
    }
    if (result == 0)
        result = !packed ? on_planes(&b.plain, rank, stream, err)
               : io->src.type == GF_U8 ? launch<uint8_t>(task_of(&b.plain, rank), rank->pick, stream, err)
               : launch<uint16_t>(task_of(&b.plain, rank), rank->pick, stream, err);
    return gf_program_buffers_close(&b, work, io, result, err);
}
