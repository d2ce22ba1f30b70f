/* Look-ups in a grid of tables, on a CPU. */
#include "kernels/pixel/table_grid.h"

#include "base/clones.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"

#include <limits.h>
#include <math.h>
#include <string.h>

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
        y[i] = colours == 3 ? gf_luma(r[i], g[i], b[i]) : r[i];
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

#define QUAD_BINS 256
#define QUAD_PIXELS 512                  /* pixels of a row that are computed together */
#define QUAD_LEAST 1024                  /* fewer pixels between the same tables cost less than their rearrangement */

/* A piece of a row between the same tables: for each bin, the entries of the tables around it are together. */
struct quads {
    float entry[QUAD_BINS][4];           /* left and right in the upper row of tables, then in the lower one */
    float share[QUAD_PIXELS];            /* of the right tables */
};

/* Returns how many pixels from x on, up to n, are between the same tables, and fills their shares. */
static int64_t find_shares(const struct gf_table_grid *l, int64_t x, int64_t n, struct quads *q)
{
    const struct grid_position first = between((float)x, l->per_column, l->across);
    int64_t i = 0;

    for (; i < n && i < QUAD_PIXELS; i++) {
        const struct grid_position a = between((float)(x + i), l->per_column, l->across);

        if (a.low != first.low)
            break;
        q->share[i] = a.share;
    }
    return i;
}

static void fill_entries(const struct gf_table_grid *l, const float *tables, int64_t x, struct grid_position down,
                         struct quads *q)
{
    const struct grid_position across = between((float)x, l->per_column, l->across);

    for (int k = 0; k < 4; k++) {
        const int32_t i = k % 2 ? across.high : across.low, j = k < 2 ? down.low : down.high;
        const float *table = tables + ((int64_t)j * l->across + i) * QUAD_BINS;

        for (int bin = 0; bin < QUAD_BINS; bin++)
            q->entry[bin][k] = table[bin];
    }
}

/* Equals look_up(). Copying the entries of each pixel first is faster than gathering them one by one. */
GF_CLONES
static void look_up_quads(float *restrict y, int64_t n, const struct quads *restrict q, float down)
{
    int32_t bin[QUAD_PIXELS];
    float near[QUAD_PIXELS][4];

    for (int64_t i = 0; i < n; i++) {
        const float v = y[i] > 0.0f ? y[i] * (QUAD_BINS - 1) : 0.0f;

        bin[i] = (int32_t)rintf(v < QUAD_BINS - 1 ? v : QUAD_BINS - 1);
    }
    for (int64_t i = 0; i < n; i++)
        memcpy(near[i], q->entry[bin[i]], sizeof near[i]);
    for (int64_t i = 0; i < n; i++) {
        const float top = fmaf(q->share[i], near[i][1] - near[i][0], near[i][0]);
        const float bottom = fmaf(q->share[i], near[i][3] - near[i][2], near[i][2]);

        y[i] = fmaf(down, bottom - top, top);
    }
}

GF_CLONES
static void add(float *restrict v, const float *restrict change, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        v[i] += change[i];
}

/* Returns how many pixels fit into the rooms of a piece. */
static int64_t piece_pixels(const struct gf_io *io)
{
    const int64_t most = GF_RUN_SAMPLES / gf_point_widest_of(io) / 16 * 16;

    return most < GF_RUN_PIXELS ? most : GF_RUN_PIXELS;
}

/* A call, and the pixels that a step of it computes. */
struct piece {
    const struct gf_work *work;
    const struct gf_io *io;
    const struct gf_table_grid *l;
    int64_t x, n;
};

/* Computes the pixels in row u; `quads` are those of its tables; NULL: they were not made. */
static void run_piece(const struct piece *p, int64_t u, const struct quads *quads)
{
    _Alignas(64) float room[GF_RUN_SAMPLES], change[GF_RUN_PIXELS];
    const struct grid_position down = between((float)u, p->l->per_row, p->l->down);
    float *row[GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX];
    const int64_t each = piece_pixels(p->io);

    for (int c = 0; c < gf_point_widest_of(p->io); c++)
        row[c] = room + c * each;
    gf_load_pixels(&p->io->src, u, p->x, p->n, row);
    gf_point_run(p->io->load, p->work->tables, row, p->n);
    brightness(change, row, p->n, p->l->colours);
    if (quads != NULL)
        look_up_quads(change, p->n, quads, down.share);
    else
        look_up(change, p->x, p->n, p->l, p->work->tables + p->l->table, down);
    for (int c = 0; c < p->l->colours; c++)
        add(row[c], change, p->n);
    gf_point_run(p->io->store, p->work->tables, row, p->n);
    gf_store_pixels(&p->io->dst, u, p->x, p->n, (const float *const *)row);
}

/* Computes rows between the same rows of tables. */
static void run_band(const struct gf_work *work, const struct gf_io *io, const struct gf_table_grid *l,
                     struct gf_span rows)
{
    const struct grid_position down = between((float)rows.start, l->per_row, l->down);
    const int64_t each = piece_pixels(io), width = io->dst.width;
    struct piece p = { work, io, l, 0, 0 };
    struct quads q;

    for (; p.x < width; p.x += p.n) {
        bool pays = false;

        p.n = width - p.x < each ? width - p.x : each;
        if (l->bins == QUAD_BINS) {
            p.n = find_shares(l, p.x, p.n, &q);
            pays = p.n * gf_span_units(rows) >= QUAD_LEAST;
        }
        if (pays)
            fill_entries(l, work->tables + l->table, p.x, down, &q);
        for (int64_t u = rows.start; u < rows.end; u++)
            run_piece(&p, u, pays ? &q : NULL);
    }
}

int gf_table_grid_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_table_grid *l = params;
    struct gf_span rows = { io->dst.span.start, io->dst.span.start };

    (void)err;
    for (; rows.start < io->dst.span.end; rows.start = rows.end) {
        const int32_t low = between((float)rows.start, l->per_row, l->down).low;

        while (rows.end < io->dst.span.end && between((float)rows.end, l->per_row, l->down).low == low)
            rows.end++;
        run_band(work, io, l, rows);
    }
    return 0;
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    const struct gf_table_grid *l = params;
    const int most = 1 << 15;

    (void)out;
    return l->across < 1 || l->across > most || l->down < 1 || l->down > most || l->bins > INT_MAX / l->across
               ? -1 : gf_op_rows_end(l->table, (int64_t)l->down * l->across, l->bins);
}

const struct gf_operation gf_op_table_grid = {
    .word = "lattice",
    .text = "Look-ups in tables at the points of a lattice, interpolated between the nearest "
            "four.",
    .params_bytes = sizeof(struct gf_table_grid),
    .cpu = { .body = gf_table_grid_cpu, .light = 6 },
    .cuda = { .body = GF_CUDA_BODY(gf_table_grid_cuda), GF_OP_STORES },
    .tables_end = tables_end,
};
