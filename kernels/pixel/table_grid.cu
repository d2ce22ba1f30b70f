/* Look-ups in a grid of tables, on a GPU: four pixels a thread. */
#include "kernels/pixel/table_grid.h"

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_point.cuh"

#define THREADS 256

struct table_grid_task {
    struct gf_block_view src, dst;
    int64_t width, rows, first;
    const float *tables, *lattice;
    struct gf_table_grid l;
};

struct grid_position {
    int low, high;
    float share;
};

static __device__ __forceinline__ struct grid_position between_tables(float place, float per_place, int tables)
{
    const float last = (float)(tables - 1);
    float t = __fmaf_rn(__fadd_rn(place, 0.5f), per_place, -0.5f);
    struct grid_position b;

    t = t > 0.0f ? t : 0.0f;
    t = t < last ? t : last;
    b.low = (int)t;
    b.high = b.low + 1 < tables ? b.low + 1 : b.low;
    b.share = __fsub_rn(t, (float)b.low);
    return b;
}

static __device__ __forceinline__ float blend(float share, float from, float to)
{
    return __fmaf_rn(share, __fsub_rn(to, from), from);
}

static __device__ __forceinline__ float change_of(const struct table_grid_task &t, float y,
                                                  const struct grid_position &a, const struct grid_position &down)
{
    const int bin = gf_bin_of(y, (float)(t.l.bins - 1));
    const float *low = t.lattice + (int64_t)down.low * t.l.across * t.l.bins + bin;
    const float *high = t.lattice + (int64_t)down.high * t.l.across * t.l.bins + bin;
    const int from = a.low * t.l.bins, to = a.high * t.l.bins;

    return blend(down.share, blend(a.share, low[from], low[to]), blend(a.share, high[from], high[to]));
}

static __device__ __forceinline__ float brightness(const struct gf_table_grid &l, const float *v)
{
    return l.colours == 3 ? gf_luma(v[0], v[1], v[2]) : v[0];
}

__global__ void __launch_bounds__(THREADS) quads(const __grid_constant__ struct table_grid_task t,
                                                 const __grid_constant__ struct gf_point load,
                                                 const __grid_constant__ struct gf_point store)
{
    const int64_t x = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * 4;
    const int pixels = (int)min((int64_t)4, t.width - x);

    if (x >= t.width)
        return;
    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const struct grid_position down = between_tables((float)(t.first + r), t.l.per_row, t.l.down);
        float v[4][4];

        gf_read4(t.src, gf_block_view_row(t.src, t.first + r), x, pixels, v);
        if (load.count > 0)
            gf_program_run<4, 4>(load, t.tables, v);
#pragma unroll
        for (int p = 0; p < 4; p++) {
            const struct grid_position a = between_tables((float)(x + p), t.l.per_column, t.l.across);
            const float d = change_of(t, brightness(t.l, v[p]), a, down);

#pragma unroll
            for (int c = 0; c < 3; c++)
                if (c < t.l.colours)
                    v[p][c] = __fadd_rn(v[p][c], d);
        }
        if (store.count > 0)
            gf_program_run<4, 4>(store, t.tables, v);
        gf_write4(t.dst, gf_block_view_row(t.dst, t.first + r), x, pixels, v);
    }
}

extern "C" int gf_table_grid_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                                  struct gf_error *err)
{
    const struct gf_table_grid *l = (const struct gf_table_grid *)params;
    const struct gf_point load = gf_program(io->load, io->src.channels),
                                 store = gf_program(io->store, io->dst.channels);
    struct table_grid_task t;

    t.src = gf_block_view_of(&io->src);
    t.dst = gf_block_view_of(&io->dst);
    t.width = io->dst.width;
    t.rows = gf_span_units(io->dst.span);
    t.first = io->dst.span.start;
    t.tables = work->tables;
    t.lattice = work->tables + l->table;
    t.l = *l;
    if (t.width <= 0 || t.rows <= 0)
        return 0;
    if (gf_program_widest(&load, t.src.channels) > 4 || gf_program_widest(&store, t.dst.channels) > 4)
        return gf_fail(err, GF_FAILED, "the GPU looks up at most 4 channels in a lattice, not %d;; use --device cpu",
                       io->src.channels);
    quads<<<dim3((unsigned)gf_ceil_div(t.width, (int64_t)THREADS * 4), gf_cuda_grid_rows(t.rows)), THREADS, 0,
            (cudaStream_t)work->stream>>>(t, load, store);
    return gf_cuda_launched("lattice", err);
}
