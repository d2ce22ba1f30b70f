/*
 * Records of blocks on a GPU: a warp for each block and channel; each of its lanes does two lanes
 * of the contract.
 */
#include "kernels/statistics/reduce.h"

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_point_wide.cuh"

#define WARPS 8

struct reduce_task {
    struct gf_block_view src;
    int64_t width, first, end, block_units, blocks;
    int channels;
    float top, bottom;                   /* samples outside count as clipped */
    const float *tables;
    char *to;
    size_t record_bytes;
};

/* The record of a lane so far. Extremes of floats equal those of the doubles that they become. */
struct seen {
    float min, max;
    double sum, squares;
    unsigned clipped, nonfinite;
};

static __device__ __forceinline__ void take(struct seen &s, float v, const struct reduce_task &t)
{
    const bool finite = fabsf(v) <= 3.40282347e38f;
    const double d = finite ? (double)v : 0.0;

    s.min = finite && v < s.min ? v : s.min;
    s.max = finite && v > s.max ? v : s.max;
    s.sum = __dadd_rn(s.sum, d);
    s.squares = __fma_rn(d, d, s.squares);                  /* the square of a float is exact in double */
    s.clipped += finite && (v >= t.top || v <= t.bottom);
    s.nonfinite += !finite;
}

static __device__ __forceinline__ void join(struct seen &s, const struct seen &more)
{
    s.min = more.min < s.min ? more.min : s.min;
    s.max = more.max > s.max ? more.max : s.max;
    s.sum = __dadd_rn(s.sum, more.sum);
    s.squares = __dadd_rn(s.squares, more.squares);
    s.clipped += more.clipped;
    s.nonfinite += more.nonfinite;
}

static __device__ __forceinline__ struct seen from_lane(const struct seen &s, int distance)
{
    struct seen m;

    m.min = __shfl_down_sync(0xffffffffu, s.min, distance);
    m.max = __shfl_down_sync(0xffffffffu, s.max, distance);
    m.sum = __shfl_down_sync(0xffffffffu, s.sum, distance);
    m.squares = __shfl_down_sync(0xffffffffu, s.squares, distance);
    m.clipped = __shfl_down_sync(0xffffffffu, s.clipped, distance);
    m.nonfinite = __shfl_down_sync(0xffffffffu, s.nonfinite, distance);
    return m;
}

/* Reads sample i of the block that starts at `row`, channel c. */
template <int T>
static __device__ __forceinline__ float value(const struct reduce_task &t, const struct gf_point &load,
                                              const unsigned char *row,
                                              int64_t i, int c)
{
    if (T == GF_PLANES)
        return ((const float *)row)[i + c * t.src.plane];
    if (T == GF_F32)
        return ((const float *)row)[i * t.src.channels + c];
    if (T == GF_U8)
        return gf_sample_quotient(0x4B000000u | row[i * t.src.channels + c], t.src);
    if (load.count > 0 && t.src.channels <= 4 && load.in <= 4) {
        float p[1][4] = {};
        float v;

#pragma unroll
        for (int k = 0; k < 4; k++)
            if (k < t.src.channels)
                p[0][k] = gf_sample_get(t.src, row, gf_sample_index(t.src, i, k));
        gf_program_run<1, 4>(load, t.tables, p);
        v = p[0][0];
#pragma unroll
        for (int k = 1; k < 4; k++)
            gf_choose(v, p[0][k], k == c);
        return v;
    }
    if (load.count > 0) {
        float p[GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX];

        for (int k = 0; k < t.src.channels; k++)
            p[k] = gf_sample_get(t.src, row, gf_sample_index(t.src, i, k));
        gf_program_run_wide(load, t.tables, p);
        return p[c];
    }
    return gf_sample_get(t.src, row, gf_sample_index(t.src, i, c));
}

#define AHEAD 8                          /* samples that a thread loads in advance */

template <int T>
__global__ void __launch_bounds__(WARPS * 32) reduce(const __grid_constant__ struct reduce_task t,
                                                     const __grid_constant__ struct gf_point load)
{
    const int lane = threadIdx.x % 32;
    const int64_t job = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32;
    const int64_t block = job / t.channels;
    const int c = (int)(job % t.channels);
    const int64_t start = t.first + block * t.block_units;
    struct seen s[2];

    if (block >= t.blocks)
        return;
    const unsigned char *row = gf_block_view_row(t.src, start);
    const int64_t n = (min(start + t.block_units, t.end) - start) * t.width;
#pragma unroll
    for (int k = 0; k < 2; k++)
        s[k] = (struct seen) { __int_as_float(0x7f800000), __int_as_float(0xff800000), 0.0, 0.0, 0, 0 };
    int64_t i = lane;
    for (; i - lane + 32 * AHEAD <= n; i += 32 * AHEAD) {
        float v[AHEAD];

#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            v[k] = value<T>(t, load, row, i + 32 * k, c);
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            take(s[k % 2], v[k], t);
    }
    for (int k = 0; i < n; i += 32, k ^= 1) {
        const float v = value<T>(t, load, row, i, c);

        if (k == 0)
            take(s[0], v, t);
        else
            take(s[1], v, t);
    }
    __syncwarp();
    join(s[0], s[1]);
#pragma unroll
    for (int half = 16; half > 0; half /= 2)
        join(s[0], from_lane(s[0], half));
    if (lane == 0)
        *(struct gf_reduced *)(t.to + job * t.record_bytes) = (struct gf_reduced) {
            (double)s[0].min, (double)s[0].max, s[0].sum, s[0].squares,
            (double)(n - s[0].nonfinite), (double)s[0].clipped, (double)s[0].nonfinite
        };
}

extern "C" int gf_reduce_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    const struct gf_reduce *r = (const struct gf_reduce *)params;
    const bool plain = gf_point_is_identity(io->load);
    const struct gf_point load = gf_program(io->load, io->src.channels);
    struct reduce_task t;
    unsigned blocks;

    t.src = gf_block_view_of(&io->src);
    t.width = io->src.width;
    t.first = io->dst.span.start;
    t.end = io->dst.span.end;
    t.block_units = r->block_units;
    t.blocks = gf_ceil_div(t.end - t.first, r->block_units);
    t.channels = r->channels;
    t.top = r->full > 0 ? r->full : INFINITY;
    t.bottom = r->full > 0 ? -1.0f : -INFINITY;
    t.tables = work->tables;
    t.to = (char *)io->dst.data;
    t.record_bytes = r->record_bytes > 0 ? r->record_bytes : sizeof(struct gf_reduced);
    if (t.width <= 0 || t.first >= t.end)
        return 0;
    if (r->block_units > 1 && t.src.pitch != t.width * (t.src.layout == GF_PLANES ? 1 : t.src.channels))
        return gf_fail(err, GF_FAILED, "internal error: reduce needs rows without gaps if a block has several");
    blocks = (unsigned)gf_ceil_div(t.blocks * t.channels, WARPS);
    if (plain && t.src.layout == GF_PLANES)
        reduce<GF_PLANES><<<blocks, WARPS * 32, 0, (cudaStream_t)work->stream>>>(t, load);
    else if (plain && t.src.layout == GF_F32)
        reduce<GF_F32><<<blocks, WARPS * 32, 0, (cudaStream_t)work->stream>>>(t, load);
    else if (plain && t.src.layout == GF_U8)
        reduce<GF_U8><<<blocks, WARPS * 32, 0, (cudaStream_t)work->stream>>>(t, load);
    else
        reduce<-1><<<blocks, WARPS * 32, 0, (cudaStream_t)work->stream>>>(t, load);
    return gf_cuda_launched("reduction", err);
}
