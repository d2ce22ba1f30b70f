/*
 * Prefix sums of images on a GPU: a warp for each tile of a row, a thread for each column.
 * prefix_whole.cu sums integers.
 */
#include "kernels/base/program_buffers.cuh"
#include "kernels/statistics/prefix_whole.cuh"

#define WARPS 8                          /* rows of which a block of threads processes one tile each */
#define COLUMNS 64                       /* columns of a block of threads */
#define AHEAD 16                         /* units that a thread reads before it adds them */
#define PADDED(i) ((i) + (i) / GF_PREFIX_RUN)    /* a run for each thread, without bank conflicts */

static_assert(GF_PREFIX_TILE == 32 * GF_PREFIX_RUN, "a run for each thread of a warp");

struct prefix_task {
    struct gf_block_view src, dst;
    struct gf_prefix p;
    int64_t width, first, end;           /* columns, units */
    /* sums along the columns, by channel: width by end - first; NULL: they are stored */
    double *sums;
    double *state;
    /* totals of tiles of a row, then the sums before them: by color and tile, one for each unit */
    double *tiles;
};

/* Sums the next tile of a row; totals of its runs pass from thread to thread in order. */
static __device__ __forceinline__ void sum_tile(double *tile, double &tiles, int lane)
{
    double s[GF_PREFIX_RUN], sum = 0, runs = 0, before;

#pragma unroll
    for (int i = 0; i < GF_PREFIX_RUN; i++)
        s[i] = sum = __dadd_rn(sum, tile[PADDED(lane * GF_PREFIX_RUN + i)]);
#pragma unroll
    for (int k = 0; k < 31; k++) {
        const double run = __shfl_sync(0xffffffffu, sum, k);

        if (k < lane)
            runs = __dadd_rn(runs, run);
    }
    before = __dadd_rn(tiles, runs);
    tiles = __dadd_rn(tiles, __shfl_sync(0xffffffffu, __dadd_rn(runs, sum), 31));
#pragma unroll
    for (int i = 0; i < GF_PREFIX_RUN; i++)
        tile[PADDED(lane * GF_PREFIX_RUN + i)] = __dadd_rn(before, s[i]);
}

static __device__ __forceinline__ double *tile_at(const struct prefix_task &t, int64_t n, int64_t k,
                                                  int c, int64_t unit)
{
    return t.tiles + (c * n + k) * (t.end - t.first) + unit - t.first;
}

/* TOTALS: computes the totals of tiles. Otherwise their sums, from known sums before them. */
template <bool TOTALS>
__global__ void __launch_bounds__(WARPS * 32) rows(const __grid_constant__ struct prefix_task t)
{
    __shared__ double tiles_of[WARPS][PADDED(GF_PREFIX_TILE)];
    const int lane = threadIdx.x % 32, c = blockIdx.y;
    const unsigned tiles = (unsigned)gf_ceil_div(t.width, GF_PREFIX_TILE), k = blockIdx.x % tiles;
    const int64_t unit = t.first + (int64_t)(blockIdx.x / tiles) * WARPS + threadIdx.x / 32,
                         x0 = (int64_t)k * GF_PREFIX_TILE;
    const int n = (int)min((int64_t)GF_PREFIX_TILE, t.width - x0);
    double *tile = tiles_of[threadIdx.x / 32], before = 0;

    if (unit >= t.end)
        return;
    if (!TOTALS && k > 0 && c < t.p.colours)
        before = *tile_at(t, tiles, k, c, unit);
    for (int i = lane; i < GF_PREFIX_TILE; i += 32)
        tile[PADDED(i)] = i < n ? (double)gf_sample_get(t.src, gf_block_view_row(t.src, unit),
                                                        gf_sample_index(t.src, x0 + i, c)) : 0.0;
    __syncwarp();
    if (c < t.p.colours)
        sum_tile(tile, before, lane);
    if (TOTALS) {
        if (lane == 0)
            *tile_at(t, tiles, k, c, unit) = before;
        return;
    }
    __syncwarp();
    for (int i = lane; i < n; i += 32)
        if (t.sums != NULL)
            t.sums[(c * (t.end - t.first) + unit - t.first) * t.width + x0 + i] = tile[PADDED(i)];
        else
            gf_sample_put(t.dst, gf_block_view_row(t.dst, unit), gf_sample_index(t.dst, x0 + i, c),
                          (float)tile[PADDED(i)]);
}

/* Sums the tiles of a row one after another. */
__global__ void __launch_bounds__(COLUMNS) tiles_before(const __grid_constant__ struct prefix_task t)
{
    const int64_t n = gf_ceil_div(t.width, GF_PREFIX_TILE),
                      unit = t.first + (int64_t)blockIdx.x * COLUMNS + threadIdx.x;
    double before = 0;

    if (unit >= t.end)
        return;
    for (int64_t k = 0; k < n; k += AHEAD) {
        double v[AHEAD];

#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            v[i] = *tile_at(t, n, k + i < n ? k + i : n - 1, blockIdx.y, unit);
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            if (k + i < n) {
                *tile_at(t, n, k + i, blockIdx.y, unit) = before;
                before = __dadd_rn(before, v[i]);
            }
    }
}

/*
 * Sums a column of channel c, where `get` reads a unit. Each batch is read whole while the previous
 * one is added.
 */
template <class G>
static __device__ __forceinline__ void sum_column(const struct prefix_task &t, int64_t x, int c,
                                                  bool colour, const G &get)
{
    double state = colour ? t.state[c * t.width + x] : 0, v[AHEAD], next[AHEAD];

#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        next[i] = get(t.first + i < t.end ? t.first + i : t.end - 1);
    for (int64_t unit = t.first; unit < t.end; unit += AHEAD) {
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            v[i] = next[i];
            next[i] = get(unit + AHEAD + i < t.end ? unit + AHEAD + i : t.end - 1);
        }
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            if (unit + i < t.end) {
                state = colour ? __dadd_rn(state, v[i]) : v[i];
                gf_sample_put(t.dst, gf_block_view_row(t.dst, unit + i), gf_sample_index(t.dst, x, c), (float)state);
            }
    }
    if (colour)
        t.state[c * t.width + x] = state;
}

__global__ void __launch_bounds__(COLUMNS) columns(const __grid_constant__ struct prefix_task t)
{
    const int64_t x = (int64_t)blockIdx.x * COLUMNS + threadIdx.x;
    const int c = blockIdx.y;
    const bool colour = c < t.p.colours;

    if (x >= t.width)
        return;
    if (colour && t.sums != NULL) {
        const double *const sums = t.sums + (c * (t.end - t.first) - t.first) * t.width + x;

        sum_column(t, x, c, colour, [=](int64_t unit) { return sums[unit * t.width]; });
    } else if (t.src.layout == GF_F32 || t.src.layout == GF_PLANES) {
        const float *const from = (const float *)t.src.data + gf_sample_index(t.src, x, c) - t.src.start * t.src.pitch;

        sum_column(t, x, c, colour, [=](int64_t unit) { return (double)from[unit * t.src.pitch]; });
    } else {
        sum_column(t, x, c, colour, [=](int64_t unit) {
            return (double)gf_sample_get(t.src, gf_block_view_row(t.src, unit), gf_sample_index(t.src, x, c));
        });
    }
}

/* Sums along the columns of units [first, end), for that many channels. */
static int sum_rows(struct prefix_task t, int lines, cudaStream_t stream, struct gf_error *err)
{
    const int64_t units = t.end - t.first, tiles = gf_ceil_div(t.width, GF_PREFIX_TILE);
    const unsigned blocks = (unsigned)(tiles * gf_ceil_div(units, WARPS)), colours = (unsigned)t.p.colours;
    const bool several = tiles > 1 && colours > 0;

    if (several) {
        if (gf_cuda_check(gf_cuda_borrow((void **)&t.tiles,
                                         (size_t)(tiles * units) * colours * sizeof(double), stream),
                          "memory for sums", err) != 0)
            return -1;
        rows<true><<<dim3(blocks, colours), WARPS * 32, 0, stream>>>(t);
        tiles_before<<<dim3((unsigned)gf_ceil_div(units, COLUMNS), colours), COLUMNS, 0, stream>>>(t);
    }
    rows<false><<<dim3(blocks, (unsigned)lines), WARPS * 32, 0, stream>>>(t);
    return several ? gf_cuda_check(cudaFreeAsync(t.tiles, stream), "memory for sums", err) : 0;
}

/* Processes units [first, end) of the task. */
static int sum_units(const struct prefix_task &t, int channels, cudaStream_t stream, struct gf_error *err)
{
    const int lines = t.sums != NULL ? t.p.colours : channels;

    if (t.p.along_columns && lines > 0 && sum_rows(t, lines, stream, err) != 0)
        return -1;
    if (t.p.along_units)
        columns<<<dim3((unsigned)gf_ceil_div(t.width, COLUMNS), (unsigned)channels), COLUMNS, 0, stream>>>(t);
    return gf_cuda_launched("prefix sums", err);
}

/*
 * For both directions, sums along the columns are computed for a limited number of units at a time,
 * so that they stay in the cache.
 */
static int sum_bands(struct prefix_task t, int channels, cudaStream_t stream, struct gf_error *err)
{
    const int64_t line = t.width * t.p.colours,
                         most = GF_PREFIX_BAND_SUMS / line > 0 ? GF_PREFIX_BAND_SUMS / line : 1, end = t.end;
    int result = 0;

    if (gf_cuda_check(gf_cuda_borrow((void **)&t.sums,
                                     (size_t)(line * (most < end - t.first ? most : end - t.first)) * sizeof(double),
                                     stream), "memory for sums", err) != 0)
        return -1;
    for (; result == 0 && t.first < end; t.first = t.end) {
        t.end = end - t.first < most ? end : t.first + most;
        result = sum_units(t, channels, stream, err);
    }
    return gf_cuda_check(cudaFreeAsync(t.sums, stream), "memory for sums", err) != 0 ? -1 : result;
}

/* A call whose blocks have no programs. */
static int sum_all(const struct gf_work *work, const struct gf_io *io, const struct gf_prefix *p, int channels,
                   struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const struct prefix_task t = { gf_block_view_of(&io->src), gf_block_view_of(&io->dst), *p, io->dst.width,
                                   io->dst.span.start, io->dst.span.end,
                                   NULL, (double *)work->carry, NULL };

    if (gf_prefix_is_whole(io) && p->colours > 0)
        return gf_prefix_whole(work, io, p, err);
    return p->along_columns && p->along_units
           && p->colours > 0 ? sum_bands(t, channels, stream, err) : sum_units(t, channels, stream, err);
}

extern "C" int gf_prefix_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_run(work, io, io->dst.span, err, [&](const struct gf_io &plain) {
        return sum_all(work, &plain, (const struct gf_prefix *)params, plain.src.channels, err);
    });
}
