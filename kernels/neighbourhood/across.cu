/* Means and medians of frames on a GPU: a thread has four samples of a row, or one pixel of floats. */
#include "kernels/neighbourhood/across.h"

#include "kernels/base/program_buffers.cuh"
#include "kernels/neighbourhood/rank/rank.h"
#include "kernels/neighbourhood/rank/rank_network.h"

#define THREADS_X 64
#define TILE_Y 4

struct across_task {
    struct gf_block_view from, dst;      /* the first frame, whose layout all have */
    const unsigned char *data[GF_MOST_FRAMES];
    struct gf_across p;
    int n;
    float by;                            /* divisor of integers, factor of floats, or share of the next frame */
    int now;
    int64_t width, first, end;           /* pixels of a row; rows of the result */
};

/* Returns sample i of the row `offset` bytes after the beginning of a frame, as an integer in the order of samples. */
template <int T>
static __device__ __forceinline__ int sample_key(const struct across_task &t, int frame, int64_t offset, int64_t i)
{
    const unsigned char *const row = t.data[frame] + offset;

    if (T == GF_U8)
        return row[i];
    if (T == GF_U16)
        return ((const unsigned short *)row)[i];
    return gf_rank_key(__float_as_uint(gf_sample_get(t.from, row, i)));
}

/* Returns the sample of rank `rank`: so many are less, or equal and in earlier frames. */
template <int T>
static __device__ int find_rank(const struct across_task &t, int64_t offset, int64_t i, int rank)
{
    for (int k = 0; k < t.n; k++) {
        const int v = sample_key<T>(t, k, offset, i);
        int before = 0;

        for (int j = 0; j < t.n; j++) {
            const int other = sample_key<T>(t, j, offset, i);

            before += other < v || (other == v && j < k);
        }
        if (before == rank)
            return v;
    }
    return 0;
}

#define AT(k) sample_key<T>(t, k, offset, i)
#define ORDER(a, b)                      \
    {                                    \
        const int least = min(a, b);     \
                                         \
        b = max(a, b);                   \
        a = least;                       \
    }

/* Finds both samples in the middle, which are the same one of an odd number. */
template <int T>
static __device__ __forceinline__ void find_middle(const struct across_task &t, int64_t offset, int64_t i, int &low,
                                                   int &high)
{
    if (t.n == 3) {
        GF_RANK_COLUMN_3(int, AT, ORDER)
        low = high = v1;
    } else if (t.n == 5) {
        GF_RANK_COLUMN_5(int, AT, ORDER)
        low = high = v2;
    } else if (t.n == 7) {
        GF_RANK_COLUMN_7(int, AT, ORDER)
        low = high = v3;
    } else if (t.n == 9) {
        GF_RANK_COLUMN_9(int, AT, ORDER)
        low = high = v4;
    } else {
        low = high = find_rank<T>(t, offset, i, (t.n - 1) / 2);
        if (t.n % 2 == 0)
            high = find_rank<T>(t, offset, i, t.n / 2);
    }
}

/* Integers: the index of a sample in packed rows is x·channels + c. */
template <int T>
__global__ void __launch_bounds__(THREADS_X * TILE_Y) across_whole(const __grid_constant__ struct across_task t)
{
    const int64_t row = t.width * t.from.channels;
    const int64_t first = 4 * ((int64_t)blockIdx.x * THREADS_X + threadIdx.x);
    const int64_t y = t.first + (int64_t)blockIdx.y * TILE_Y + threadIdx.y;
    const int64_t offset = (y - t.from.start) * t.from.pitch * gf_sample_layout_bytes(T);

    if (y >= t.end)
        return;
    for (int64_t i = first; i < first + 4 && i < row; i++) {
        const int64_t x = i / t.from.channels;
        const int c = (int)(i - x * t.from.channels);
        int sum = 0, high = 0;

        if (t.p.kind == GF_ACROSS_MEAN)
            for (int k = 0; k < t.n; k++)
                sum += sample_key<T>(t, k, offset, i);
        else
            find_middle<T>(t, offset, i, sum, high);
        gf_sample_put(t.dst, gf_block_view_row(t.dst, y), gf_sample_index(t.dst, x, c),
                      __fdiv_rn((float)(sum + high), t.by));
    }
}

static __device__ __forceinline__ float sample_of(const struct across_task &t, int frame, int64_t offset, int64_t x,
                                                  int c)
{
    return gf_sample_get(t.from, t.data[frame] + offset, gf_sample_index(t.from, x, c));
}

/* Adds a channel of all frames, colors times alpha if they are weighted. */
static __device__ __forceinline__ float sum_of(const struct across_task &t, int64_t offset, int64_t x, int c)
{
    const bool colour = t.p.weighted && c < t.from.channels - 1;
    float sum = 0;

    for (int k = 0; k < t.n; k++) {
        float v = sample_of(t, k, offset, x, c);

        if (colour)
            v = __fmul_rn(v, sample_of(t, k, offset, x, t.from.channels - 1));
        sum = k == 0 ? v : __fadd_rn(sum, v);
    }
    return sum;
}

/* Mixes a channel of the current frame and the next one, colors times alpha if they are weighted. */
static __device__ __forceinline__ float mix_of(const struct across_task &t, int64_t offset, int64_t x, int c)
{
    const bool colour = t.p.weighted && c < t.from.channels - 1;
    float v[2];

#pragma unroll
    for (int k = 0; k < 2; k++) {
        v[k] = sample_of(t, t.now + k, offset, x, c);
        if (colour)
            v[k] = __fmul_rn(v[k], sample_of(t, t.now + k, offset, x, t.from.channels - 1));
    }
    return __fadd_rn(__fmul_rn(v[0], __fadd_rn(1.0f, -t.by)), __fmul_rn(v[1], t.by));
}

static __device__ __forceinline__ float between_of(const struct across_task &t, int64_t offset, int64_t x, int c)
{
    if (t.by == 0 || t.now + 1 == t.n)
        return sample_of(t, t.now, offset, x, c);
    const float v = mix_of(t, offset, x, c);

    if (!t.p.weighted || c == t.from.channels - 1)
        return v;
    const float opaque = mix_of(t, offset, x, t.from.channels - 1);

    return opaque == 0 ? 0 : __fdiv_rn(v, opaque);
}

__global__ void __launch_bounds__(THREADS_X * TILE_Y) across_floats(const __grid_constant__ struct across_task t)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS_X + threadIdx.x;
    const int64_t y = t.first + (int64_t)blockIdx.y * TILE_Y + threadIdx.y;
    const int64_t offset = (y - t.from.start) * t.from.pitch * gf_sample_layout_bytes(t.from.layout);
    float opaque = 0;

    if (x >= t.width || y >= t.end)
        return;
    if (t.p.kind == GF_ACROSS_MEAN && t.p.weighted)
        opaque = sum_of(t, offset, x, t.from.channels - 1);
    for (int c = 0; c < t.from.channels; c++) {
        float v;

        if (t.p.kind == GF_ACROSS_BETWEEN) {
            v = between_of(t, offset, x, c);
        } else if (t.p.kind == GF_ACROSS_MEDIAN) {
            int low, high;

            find_middle<GF_F32>(t, offset, gf_sample_index(t.from, x, c), low, high);
            v = __uint_as_float(gf_rank_bits(low));
            if (t.n % 2 == 0)
                v = __fmul_rn(__fadd_rn(v, __uint_as_float(gf_rank_bits(high))), 0.5f);
        } else if (t.p.weighted && c < t.from.channels - 1) {
            v = opaque == 0 ? 0 : __fdiv_rn(sum_of(t, offset, x, c), opaque);
        } else {
            v = __fmul_rn(sum_of(t, offset, x, c), t.by);
        }
        gf_sample_put(t.dst, gf_block_view_row(t.dst, y), gf_sample_index(t.dst, x, c), v);
    }
}

static int launch(const struct across_task &t, enum gf_type type, cudaStream_t stream, struct gf_error *err)
{
    const bool whole = t.from.layout != GF_PLANES && gf_across_whole(&t.p, type);
    const int64_t threads = whole ? gf_ceil_div(t.width * t.from.channels, 4) : t.width;

    gf_cuda_launch_rows(t, TILE_Y, [&](const struct across_task &part, unsigned height) {
        const dim3 grid((unsigned)gf_ceil_div(threads, THREADS_X), height), block(THREADS_X, TILE_Y);

        if (whole && type == GF_U8)
            across_whole<GF_U8><<<grid, block, 0, stream>>>(part);
        else if (whole)
            across_whole<GF_U16><<<grid, block, 0, stream>>>(part);
        else
            across_floats<<<grid, block, 0, stream>>>(part);
    });
    return gf_cuda_launched("mean or median of frames", err);
}

extern "C" int gf_across_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    if (gf_span_units(io->dst.span) * io->dst.width <= 0)
        return 0;
    return gf_program_buffers_run(work, io, io->dst.span, err, [&](const struct gf_io &plain) {
        const struct gf_block *const frame = io->frames > 0 ? io->frame : &plain.src;
        struct across_task t;

        t.n = io->frames > 0 ? io->frames : 1;
        t.p = gf_across_of(params, t.n);
        t.from = gf_block_view_of(&frame[0]);
        t.dst = gf_block_view_of(&plain.dst);
        for (int k = 0; k < t.n; k++)
            t.data[k] = (const unsigned char *)frame[k].data;
        t.by = frame->planar || !gf_across_whole(&t.p, frame->type) ? 1.0f / (float)t.n
            : (float)frame->maxval * (float)(t.p.kind == GF_ACROSS_MEAN ? t.n : 2);
        if (t.p.kind == GF_ACROSS_BETWEEN)
            t.by = (float)io->between;
        t.now = io->frames > 0 ? io->frame_now : 0;
        t.width = io->dst.width;
        t.first = io->dst.span.start;
        t.end = io->dst.span.end;
        return launch(t, frame->type, (cudaStream_t)work->stream, err);
    });
}
