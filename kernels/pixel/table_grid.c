/* Look-ups in a grid of tables, on a CPU. */
#include "kernels/pixel/table_grid.h"

#include "base/clones.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_run.h"

#include <math.h>

/* The two tables around a position, and the fraction between them. */
struct grid_position {
    int32_t low, high;
    float share;
};

GF_INLINE struct grid_position between(float place, float per_place, int32_t tables)
{
    const float last = (float)(tables - 1);
    float t = fmaf(place + 0.5f, per_place, -0.5f);
    struct grid_position b;

    t = t > 0.0f ? t : 0.0f;
    t = t < last ? t : last;
    b.low = (int32_t)t;
    b.high = b.low + 1 < tables ? b.low + 1 : b.low;
    b.share = t - (float)b.low;
    return b;
}

GF_CLONES
static void brightness(float *restrict y, float *const *row, int64_t n, int colours)
{
    const float *restrict r = row[0], *restrict g = row[colours > 1 ? 1 : 0], *restrict b = row[colours > 1 ? 2 : 0];

    for (int64_t i = 0; i < n; i++)
        y[i] = colours == 3 ? fmaf(.114f, b[i], fmaf(.587f, g[i], .299f * r[i])) : r[i];
}

/* Replaces y by the value to be added. */
GF_CLONES
static void look_up(float *restrict y, int64_t x, int64_t n, const struct gf_table_grid *l,
                    const float *restrict tables, struct grid_position down)
{
    const float last = (float)(l->bins - 1);
    const float *restrict low = tables + (int64_t)down.low * l->across * l->bins,
                                *restrict high = tables + (int64_t)down.high * l->across * l->bins;

    for (int64_t i = 0; i < n; i++) {
        const struct grid_position a = between((float)(x + i), l->per_column, l->across);
        const float v = y[i] > 0.0f ? y[i] * last : 0.0f;
        const int32_t bin = (int32_t)rintf(v < last ? v : last), from = a.low * l->bins + bin,
                            to = a.high * l->bins + bin;
        const float top = fmaf(a.share, low[to] - low[from], low[from]),
                          bottom = fmaf(a.share, high[to] - high[from], high[from]);

        y[i] = fmaf(down.share, bottom - top, top);
    }
}

GF_CLONES
static void add(float *restrict v, const float *restrict change, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        v[i] += change[i];
}

int gf_table_grid_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    _Alignas(64) float room[GF_RUN_SAMPLES], change[GF_RUN_PIXELS];
    const struct gf_table_grid *l = params;
    float *row[GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX];
    const int widest = gf_point_widest_of(io);
    int64_t piece;

    (void)err;
    piece = GF_RUN_SAMPLES / widest / 16 * 16 < GF_RUN_PIXELS ? GF_RUN_SAMPLES / widest / 16 * 16 : GF_RUN_PIXELS;
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u++) {
        const struct grid_position down = between((float)u, l->per_row, l->down);

        for (int64_t x = 0, n; x < io->dst.width; x += n) {
            n = io->dst.width - x < piece ? io->dst.width - x : piece;
            for (int c = 0; c < widest; c++)
                row[c] = room + c * piece;
            gf_load_pixels(&io->src, u, x, n, row);
            gf_point_run(io->load, work->tables, row, n);
            brightness(change, row, n, l->colours);
            look_up(change, x, n, l, work->tables + l->table, down);
            for (int c = 0; c < l->colours; c++)
                add(row[c], change, n);
            gf_point_run(io->store, work->tables, row, n);
            gf_store_pixels(&io->dst, u, x, n, (const float *const *)row);
        }
    }
    return 0;
}

const struct gf_operation gf_op_table_grid = {
    .word = "lattice", .params_bytes = sizeof(struct gf_table_grid),
    .cpu = { .body = gf_table_grid_cpu, .light = 6 },
    .cuda = { .body = GF_CUDA_BODY(gf_table_grid_cuda), GF_OP_STORES },
};
