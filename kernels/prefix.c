/* Prefix sums of pictures, on a CPU. */
#include "prefix.h"

#include "clones.h"
#include "pack.h"

#define ROWS (GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX)

/* What comes before the samples of a run, and their sums; returns that of all of them. */
GF_INLINE double sum_run(const float *restrict v, double *restrict to, double before, int n)
{
    double s = 0;

    for (int i = 0; i < n; i++) {
        s += (double)v[i];
        to[i] = before + s;
    }
    return s;
}

/* Sums along n samples that begin at a tile; returns what comes before those behind them. */
GF_CLONES
static double sum_along(const float *restrict v, double *restrict to, int64_t n, double tiles)
{
    for (int64_t x = 0; x < n; x += GF_PREFIX_TILE) {
        const int64_t end = n - x < GF_PREFIX_TILE ? n : x + GF_PREFIX_TILE;
        double runs = 0;
        int64_t i = x;

        for (; i + GF_PREFIX_RUN <= end; i += GF_PREFIX_RUN)
            runs += sum_run(v + i, to + i, tiles + runs, GF_PREFIX_RUN);
        if (i < end)
            runs += sum_run(v + i, to + i, tiles + runs, (int)(end - i));
        tiles += runs;
    }
    return tiles;
}

GF_CLONES
static void copy_sums(const double *restrict sums, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)sums[i];
}

GF_CLONES
static void add_sums(const double *restrict sums, double *restrict state, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        state[i] += sums[i];
        to[i] = (float)state[i];
    }
}

GF_CLONES
static void add_samples(float *restrict v, double *restrict state, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        state[i] += (double)v[i];
        v[i] = (float)state[i];
    }
}

/* A piece of a row of one colour, in place; `tiles` is what comes before it along the row. */
static void sum_piece(const struct gf_prefix *p, float *v, int64_t n, double *tiles, double *state)
{
    double sums[GF_RUN_PIXELS];

    if (!p->along_columns) {
        add_samples(v, state, n);
        return;
    }
    *tiles = sum_along(v, sums, n, *tiles);
    if (p->along_units)
        add_sums(sums, state, v, n);
    else
        copy_sums(sums, v, n);
}

int gf_prefix_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    _Alignas(64) float room[ROWS * GF_PREFIX_TILE];
    const struct gf_prefix *p = params;
    float *row[ROWS];
    int widest = io->src.channels, w;
    int64_t piece;

    (void)err;
    w = io->load ? gf_point_widest(io->load) : 0;
    widest = w > widest ? w : widest;
    w = io->store ? gf_point_widest(io->store) : 0;
    widest = w > widest ? w : widest;
    piece = ROWS / widest * GF_PREFIX_TILE;
    piece = piece < GF_RUN_PIXELS ? piece : GF_RUN_PIXELS;
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u++) {
        double tiles[ROWS] = { 0 };

        for (int64_t x = 0, n; x < io->dst.width; x += n) {
            n = io->dst.width - x < piece ? io->dst.width - x : piece;
            for (int c = 0; c < widest; c++)
                row[c] = room + c * piece;
            gf_load_pixels(&io->src, u, x, n, row);
            gf_point_run(io->load, work->tables, row, n);
            for (int c = 0; c < p->colours; c++)
                sum_piece(p, row[c], n, &tiles[c],
                          p->along_units ? (double *)work->carry + c * io->dst.width + x : NULL);
            gf_point_run(io->store, work->tables, row, n);
            gf_store_pixels(&io->dst, u, x, n, (const float *const *)row);
        }
    }
    return 0;
}
