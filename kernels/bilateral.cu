/* Bilateral means on a GPU: tiles of the source in shared memory, some rows of the square at a time. */
#include "bilateral.h"
#include "views.cuh"

#define TILE_X 32                        /* pixels of the result a block, one a thread */
#define TILE_Y 8
#define SHARED_FLOATS (40 << 8)          /* of shared memory: 40 KB, so that several blocks fit */

struct bilateral_task {
    struct gf_view src, dst;
    struct gf_bilateral b;
    const float *near;
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
    int64_t tile;                            /* the first row of tiles that a launch takes */
    int rows;                                /* of the square at a time */
};

/* Rows y to y + rows of what is around a tile, from column x on; beyond the signal as the border says. */
template <int C>
static __device__ void fill_tile(const struct bilateral_task &t, float *tile, int64_t x, int64_t y, int rows)
{
    const int pitch = TILE_X + 2 * t.b.radius, plane = pitch * (TILE_Y + t.rows - 1);
    /* what no result needs may not be there */
    const int64_t last = t.end - 1 + t.b.radius, beyond = t.width - 1 + t.b.radius;

    for (int r = threadIdx.y; r < rows; r += TILE_Y) {
        const int64_t unit = gf_border_index(t.b.border, y + r < last ? y + r : last, t.src_units);

        for (int i = threadIdx.x; i < pitch; i += TILE_X) {
            const int64_t at = gf_border_index(t.b.border, x + i < beyond ? x + i : beyond, t.width);

#pragma unroll
            for (int c = 0; c < C; c++)
                tile[c * plane + r * pitch + i] = unit < 0 || at < 0 ? 0.0f : gf_get(t.src, gf_row(t.src, unit), gf_at(t.src, at, c));
        }
    }
}

/* Pixels [from, to) of a row of the square, for one of the result; the weights' sum stands behind those of the channels. */
template <int C>
static __device__ __forceinline__ void add_run(const float *row, int plane, const float *near, int radius, float far, float steep,
                                               int from, int to, const float (&v)[C], float (&sum)[C + 1], float (&lost)[C + 1])
{
    float run[C + 1] = { 0.0f };

#pragma unroll 4
    for (int i = from; i < to; i++) {
        float d[C], squares = 0.0f;

#pragma unroll
        for (int c = 0; c < C; c++) {
            d[c] = __fsub_rn(row[c * plane + i], v[c]);
            squares = __fmaf_rn(d[c], d[c], squares);
        }
        const float w = gf_bilateral_weight(__fmaf_rn(squares, -steep, __fadd_rn(near[abs(i - radius)], far)));
#pragma unroll
        for (int c = 0; c < C; c++)
            run[c] = __fmaf_rn(w, d[c], run[c]);
        run[C] = __fadd_rn(run[C], w);
    }
#pragma unroll
    for (int c = 0; c <= C; c++)
        gf_bilateral_add(&sum[c], &lost[c], run[c]);
}

template <int C>
__global__ void __launch_bounds__(TILE_X * TILE_Y) bilateral(const __grid_constant__ struct bilateral_task t)
{
    extern __shared__ float shared[];
    const int radius = t.b.radius, pitch = TILE_X + 2 * radius, plane = pitch * (TILE_Y + t.rows - 1);
    const int64_t x = (int64_t)blockIdx.x * TILE_X + threadIdx.x;
    const int64_t top = t.first + (t.tile + blockIdx.y) * TILE_Y, y = top + threadIdx.y;
    const bool inside = x < t.width && y < t.end;
    float *near = shared, *tile = shared + radius + 1;
    float v[C], sum[C + 1] = { 0.0f }, lost[C + 1] = { 0.0f };

    for (int i = threadIdx.y * TILE_X + threadIdx.x; i <= radius; i += TILE_X * TILE_Y)
        near[i] = t.near[i];
#pragma unroll
    for (int c = 0; c < C; c++)
        v[c] = inside ? gf_get(t.src, gf_row(t.src, y), gf_at(t.src, x, c)) : 0.0f;
    for (int j = 0; j <= 2 * radius; j += t.rows) {
        const int rows = min(t.rows, 2 * radius + 1 - j);

        __syncthreads();                                     /* the tile before has been used */
        fill_tile<C>(t, tile, x - threadIdx.x - radius, top - radius + j, TILE_Y + rows - 1);
        __syncthreads();
        for (int k = 0; k < rows; k++)
            for (int i = 0; i <= 2 * radius; i += GF_BILATERAL_RUN)
                add_run<C>(tile + (threadIdx.y + k) * pitch + threadIdx.x, plane, near, radius, near[abs(j + k - radius)], t.b.steep, i,
                           min(i + GF_BILATERAL_RUN, 2 * radius + 1), v, sum, lost);
    }
    if (!inside)
        return;
    const float weight = __fadd_rn(sum[C], lost[C]);
#pragma unroll
    for (int c = 0; c < C; c++)
        gf_put(t.dst, gf_row(t.dst, y), gf_at(t.dst, x, c), __fadd_rn(v[c], __fdiv_rn(__fadd_rn(sum[c], lost[c]), weight)));
    for (int c = C; c < t.dst.channels; c++)
        gf_put(t.dst, gf_row(t.dst, y), gf_at(t.dst, x, c), gf_get(t.src, gf_row(t.src, y), gf_at(t.src, x, c)));
}

static int launch(struct bilateral_task t, cudaStream_t stream, struct gf_error *err)
{
    const int side = 2 * t.b.radius + 1, floats = (TILE_X + 2 * t.b.radius) * t.b.channels;
    const int64_t tiles = gf_ceil_div(t.end - t.first, TILE_Y);
    void (*const k)(const struct bilateral_task) = t.b.channels == 1 ? bilateral<1> : t.b.channels == 2 ? bilateral<2>
                                                 : t.b.channels == 3 ? bilateral<3> : bilateral<4>;

    t.rows = SHARED_FLOATS / floats - TILE_Y + 1;
    t.rows = t.rows < side ? t.rows : side;
    for (t.tile = 0; t.tile < tiles; t.tile += 65535)
        k<<<dim3((unsigned)gf_ceil_div(t.width, TILE_X), gf_at_most(tiles - t.tile, 65535)), dim3(TILE_X, TILE_Y),
            (size_t)(t.b.radius + 1 + floats * (TILE_Y + t.rows - 1)) * sizeof(float), stream>>>(t);
    return gf_cuda_launched("bilateral mean", err);
}

extern "C" int gf_bilateral_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_bilateral *b = (const struct gf_bilateral *)params;
    struct gf_views v;
    struct bilateral_task t;
    int result;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    result = gf_views_open(&v, work, io, io->src.span, err);
    if (result == 0) {
        t.src = gf_view_of(&v.src);
        t.dst = gf_view_of(&v.dst);
        t.b = *b;
        t.near = work->masks + b->near_at;
        t.width = io->dst.width;
        t.src_units = io->src_units;
        t.first = io->dst.span.start;
        t.end = io->dst.span.end;
        result = launch(t, (cudaStream_t)work->stream, err);
    }
    return gf_views_close(&v, work, io, result, err);
}
