/* Thin edges on a GPU: a tile of samples in shared memory, then of squares, a pixel a thread. */
#include "thin.h"
#include "views.cuh"

#define TILE_X 32
#define TILE_Y 8
#define Q_X (TILE_X + 4)                 /* samples of a tile */
#define Q_Y (TILE_Y + 4)
#define M_X (TILE_X + 2)                 /* squares of a tile */
#define M_Y (TILE_Y + 2)

struct thin_task {
    struct gf_view src, dst;
    struct gf_thin t;
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
    int64_t tile;                            /* the first row of tiles that a launch takes */
};

static __device__ __forceinline__ int whole_number(float v)
{
    const float low = v > 0.0f ? v : 0.0f;

    return __float2int_rn(__fmul_rn(low < 1.0f ? low : 1.0f, 65535.0f));
}

/* Slopes in the middle of three rows of samples. */
static __device__ __forceinline__ void slopes(const int (*q)[Q_X], int x, int y, int &gx, int &gy)
{
    gx = (q[y][x + 2] - q[y][x]) + 2 * (q[y + 1][x + 2] - q[y + 1][x]) + (q[y + 2][x + 2] - q[y + 2][x]);
    gy = (q[y + 2][x] - q[y][x]) + 2 * (q[y + 2][x + 1] - q[y][x + 1]) + (q[y + 2][x + 2] - q[y][x + 2]);
}

static __device__ __forceinline__ long long square_of(int gx, int gy)
{
    return (long long)gx * gx + (long long)gy * gy;
}

/* Whether the squares are greatest at (x, y), of those across the edge. */
static __device__ __forceinline__ bool on_edge(const long long (*m)[M_X], int x, int y, int gx, int gy)
{
    const long long here = m[y][x], flat = (long long)abs(gx) * 13573, rise = (long long)abs(gy) * 32768;
    const int s = (gx ^ gy) < 0 ? -1 : 1;

    if (rise < flat)
        return here > m[y][x - 1] && here >= m[y][x + 1];
    if (rise > flat + (long long)abs(gx) * 65536)
        return here > m[y - 1][x] && here >= m[y + 1][x];
    return here > m[y - 1][x - s] && here > m[y + 1][x + s];
}

__global__ void __launch_bounds__(TILE_X * TILE_Y) thin(const __grid_constant__ struct thin_task t)
{
    __shared__ int q[Q_Y][Q_X];
    __shared__ long long m[M_Y][M_X];
    const int at = threadIdx.y * TILE_X + threadIdx.x;
    const int64_t left = (int64_t)blockIdx.x * TILE_X, top = t.first + (t.tile + blockIdx.y) * TILE_Y;
    const int64_t x = left + threadIdx.x, y = top + threadIdx.y;
    int gx, gy;

    for (int i = at; i < Q_X * Q_Y; i += TILE_X * TILE_Y) {
        /* what no result needs may not be there */
        const int64_t unit = gf_border_index(GF_CLAMP, min(top + i / Q_X - 2, t.end + 1), t.src_units);
        const int64_t column = gf_border_index(GF_CLAMP, left + i % Q_X - 2, t.width);

        q[i / Q_X][i % Q_X] = whole_number(gf_get(t.src, gf_row(t.src, unit), gf_at(t.src, column, 0)));
    }
    __syncthreads();
    for (int i = at; i < M_X * M_Y; i += TILE_X * TILE_Y) {
        const int64_t column = left + i % M_X - 1, unit = top + i / M_X - 1;

        slopes(q, i % M_X, i / M_X, gx, gy);
        m[i / M_X][i % M_X] = column >= 0 && column < t.width && unit >= 0 && unit < t.src_units ? square_of(gx, gy) : 0;
    }
    __syncthreads();
    if (x >= t.width || y >= t.end)
        return;
    slopes(q, threadIdx.x + 1, threadIdx.y + 1, gx, gy);
    const double here = (double)m[threadIdx.y + 1][threadIdx.x + 1];
    const bool on = on_edge(m, threadIdx.x + 1, threadIdx.y + 1, gx, gy) && here > t.t.low;

    gf_put(t.dst, gf_row(t.dst, y), gf_at(t.dst, x, 0), on ? here > t.t.high ? 1.0f : 0.5f : 0.0f);
}

extern "C" int gf_thin_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    struct gf_views v;
    struct thin_task t;
    int result;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (channels != 1)
        return gf_fail(err, GF_FAILED, "thin edges are made of one channel");
    result = gf_views_open(&v, work, io, io->src.span, err);
    if (result == 0) {
        const int64_t tiles = gf_ceil_div(gf_span_units(io->dst.span), TILE_Y);

        t.src = gf_view_of(&v.src);
        t.dst = gf_view_of(&v.dst);
        t.t = *(const struct gf_thin *)params;
        t.width = io->dst.width;
        t.src_units = io->src_units;
        t.first = io->dst.span.start;
        t.end = io->dst.span.end;
        for (t.tile = 0; t.tile < tiles; t.tile += 65535)
            thin<<<dim3((unsigned)gf_ceil_div(t.width, TILE_X), gf_at_most(tiles - t.tile, 65535)), dim3(TILE_X, TILE_Y), 0,
                   (cudaStream_t)work->stream>>>(t);
        result = gf_cuda_launched("thin edges", err);
    }
    return gf_views_close(&v, work, io, result, err);
}
