/*
 * Deconvolution on a CPU: an iteration runs down the rows of the estimate once. The rows that its convolutions still
 * need are in rings, so that the estimate can change in place.
 */
#include "kernels/neighbourhood/lucy.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <stdio.h>
#include <string.h>

GF_KEEP_LOOPS_APART

#define BLOCK 64                         /* columns whose sums stay in registers */

/* Weights that are not 0, in order, and where their samples are: a column of the line, and one of the rows. */
struct taps {
    int count;
    float *weight;
    int *column, *row;
};

/* Rows of a ring have the samples of a row with columns beyond, or, if the mask is separable, their sums. */
struct lucy {
    const struct gf_io *io;
    const struct gf_lucy *p;
    const struct gf_block *src;
    int channel;
    int64_t width, pitch, units;         /* columns, floats of a row, units of the signal */
    struct gf_span all;                  /* units of the estimate */
    float *estimate, *ring[2];           /* rings of the estimate and of the ratios, 2·ry + 1 rows each */
    float *line, *sum, *ratio, *zeros;   /* rows */
    float *across, *down[2];             /* slopes of length 1: of a row, and to the next row from two of them */
    const float **at;                    /* a sample for each tap */
    struct taps along[2], taps[2];       /* of both convolutions: along the columns, and of rows of a ring */
    /* with tiles, instead of rings: all ratios, the sums of a row of tiles, a tile, and turns and spectra */
    float *ratios, *sums, *tile;
    const float *turns[2];
};

/* Adds up samples; rows have room for whole blocks. */
GF_CLONES
static void add_up_taps(const float *const *at, const float *weight, int taps, float *restrict to, int64_t n)
{
    for (int64_t x = 0; x < n; x += BLOCK) {
        float sum[BLOCK] = { 0 };

        for (int k = 0; k < taps; k++) {
            const float *from = at[k] + x, w = weight[k];

            for (int i = 0; i < BLOCK; i++)
                sum[i] = fmaf(w, from[i], sum[i]);
        }
        memcpy(to + x, sum, sizeof sum);
    }
}

GF_CLONES
static void ratio_row(const struct gf_lucy *p, const float *restrict v, const float *restrict sum,
                      float *restrict ratio, int64_t n)
{
    if (p->damping > 0)
        for (int64_t i = 0; i < n; i++)
            ratio[i] = gf_lucy_damped(v[i], sum[i] + 1e-12f, p->damping);
    else
        for (int64_t i = 0; i < n; i++)
            ratio[i] = v[i] / (sum[i] + 1e-12f);
}

GF_CLONES
static void multiply_row(float *restrict u, const float *restrict sum, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        u[i] = u[i] * sum[i];
}

GF_CLONES
static void bound_sums(float *restrict sum, const float *restrict v, float least, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] = gf_lucy_bounded(sum[i], v[i], least);
}

/* Computes slopes of length 1 of a row; below: the next row, or the row itself if it is the last one. */
GF_CLONES
static void slope_row(const float *restrict u, const float *below, float *restrict across, float *restrict down,
                      int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float g = i + 1 < n ? u[i + 1] - u[i] : 0.0f, h = below[i] - u[i], length = gf_lucy_length(g, h);

        across[i] = g / length;
        down[i] = h / length;
    }
}

/* across[-1] is 0. */
GF_CLONES
static void even_row(float *restrict u, const float *restrict sum, const float *restrict across,
                     const float *restrict down, const float *restrict above, float even, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        u[i] = gf_lucy_even(u[i], sum[i], (across[i] - across[i - 1]) + (down[i] - above[i]), even);
}

/* ---- an iteration ---- */

static float *estimate_at(const struct lucy *l, int64_t unit)
{
    return l->estimate + (unit - l->all.start) * l->pitch;
}

static float *ring_at(const struct lucy *l, int which, int64_t unit)
{
    return l->ring[which] + gf_modulo(unit, 2 * l->p->ry + 1) * l->pitch;
}

/* Puts a row into a ring. */
static void enter_row(const struct lucy *l, int which, int64_t unit, const float *row)
{
    const struct taps *t = &l->along[which];
    float *to = l->p->separable ? l->line : ring_at(l, which, unit);

    gf_border_copy(row, l->width, sizeof *row, l->p->border, -l->p->rx, l->width + 2 * l->p->rx, to);
    if (!l->p->separable)
        return;
    for (int k = 0; k < t->count; k++)
        l->at[k] = l->line + t->column[k];
    add_up_taps(l->at, t->weight, t->count, ring_at(l, which, unit), l->width);
}

/* Adds up the samples around a row from a ring. */
static void sum_rows(const struct lucy *l, int which, int64_t unit)
{
    const struct taps *t = &l->taps[which];

    for (int k = 0; k < t->count; k++) {
        const int64_t at = gf_border_index(l->p->border, unit + t->row[k] - l->p->ry, l->units);

        l->at[k] = (at < 0 ? l->zeros : ring_at(l, which, at)) + t->column[k];
    }
    add_up_taps(l->at, t->weight, t->count, l->sum, l->width);
}

static void find_slopes(struct lucy *l, int64_t unit, float *down)
{
    slope_row(estimate_at(l, unit), estimate_at(l, unit + 1 < l->units ? unit + 1 : unit), l->across, down, l->width);
}

/* Changes a row of the estimate. The rows after it are still as they were. */
static void update_row(struct lucy *l, int64_t unit, bool first)
{
    float *u = estimate_at(l, unit), *down = l->down[unit % 2], *above = l->down[1 - unit % 2];

    sum_rows(l, 1, unit);
    if (l->p->even <= 0) {
        multiply_row(u, l->sum, l->width);
        return;
    }
    if (first && unit > 0)
        find_slopes(l, unit - 1, above);
    find_slopes(l, unit, down);
    even_row(u, l->sum, l->across, down, unit > 0 ? above : l->zeros, l->p->even, l->width);
}

static struct gf_span widen(const struct lucy *l, struct gf_span s, int64_t by)
{
    return (struct gf_span) { s.start - by < 0 ? 0 : s.start - by, s.end + by > l->units ? l->units : s.end + by };
}

static bool has_unit(struct gf_span s, int64_t unit)
{
    return unit >= s.start && unit < s.end;
}

/* Runs an iteration for units `result`. */
static void iterate(struct lucy *l, struct gf_span result)
{
    const int ry = l->p->ry;
    const struct gf_span ratios = widen(l, result, ry), estimates = widen(l, ratios, ry);

    for (int64_t y = estimates.start; y < result.end + 2 * ry; y++) {
        if (has_unit(estimates, y))
            enter_row(l, 0, y, estimate_at(l, y));
        if (has_unit(ratios, y - ry)) {
            sum_rows(l, 0, y - ry);
            ratio_row(l->p, gf_plane_at(l->src, l->channel, y - ry), l->sum, l->ratio, l->width);
            enter_row(l, 1, y - ry, l->ratio);
        }
        if (has_unit(result, y - 2 * ry))
            update_row(l, y - 2 * ry, y - 2 * ry == result.start);
    }
}

/* ---- an iteration by tiles ---- */

static struct gf_block rows_at(const struct lucy *l, float *data, struct gf_span units)
{
    return (struct gf_block) { .data = data, .span = units, .width = l->width, .pitch_samples = l->pitch, .channels = 1,
                               .planar = true, .type = GF_F32 };
}

/*
 * Adds up the samples around the units of `all` from `unit` on that are in the same row of tiles; returns their end.
 * The second sums are bounded by 0.
 */
static int64_t sum_tiles(const struct lucy *l, int which, float *plane, struct gf_span all, int64_t unit, float least)
{
    const struct gf_fftmask *m = &l->p->tiles;
    const int64_t next = (unit / m->step_y + 1) * m->step_y, end = next < all.end ? next : all.end;
    const struct gf_block from = rows_at(l, plane, l->all), to = rows_at(l, l->sums, (struct gf_span) { unit, end });

    gf_fftmask_planes(m, l->turns[which], &from, &to, 0, l->units, l->tile);
    for (int64_t y = unit; y < end; y++)
        bound_sums(gf_plane_at(&to, 0, y), which == 0 ? gf_plane_at(l->src, l->channel, y) : l->zeros, least, l->width);
    return end;
}

/* Runs an iteration for units `result`. */
static void iterate_tiles(struct lucy *l, struct gf_span result, float least)
{
    const struct gf_span ratios = widen(l, result, l->p->ry);

    for (int64_t y = ratios.start, end; y < ratios.end; y = end) {
        end = sum_tiles(l, 0, l->estimate, ratios, y, least);
        for (int64_t unit = y; unit < end; unit++)
            ratio_row(l->p, gf_plane_at(l->src, l->channel, unit), l->sums + (unit - y) * l->pitch,
                      l->ratios + (unit - l->all.start) * l->pitch, l->width);
    }
    for (int64_t y = result.start, end; y < result.end; y = end) {
        end = sum_tiles(l, 1, l->ratios, result, y, 0);
        for (int64_t unit = y; unit < end; unit++)
            multiply_row(estimate_at(l, unit), l->sums + (unit - y) * l->pitch, l->width);
    }
}

static void do_channel(struct lucy *l, const struct gf_block *dst)
{
    const struct gf_span units = gf_lucy_units(l->p, dst->span, l->units);
    const int step = gf_lucy_step(l->p);

    for (int64_t i = 0; i < gf_span_units(l->all) * l->pitch; i++)
        l->estimate[i] = 0.5f;
    for (int left = l->p->iterations - 1; left >= 0; left--)
        if (gf_lucy_has_tiles(l->p))
            iterate_tiles(l, widen(l, units, (int64_t)left * step), left < l->p->iterations - 1 ? l->p->least : 0);
        else
            iterate(l, widen(l, units, (int64_t)left * step));
    for (int64_t unit = dst->span.start; unit < dst->span.end; unit++)
        memcpy(gf_plane_at(dst, l->channel, unit), estimate_at(l, unit), (size_t)l->width * sizeof(float));
}

/* ---- a call ---- */

/* Scratch, in floats. */
struct scratch_sizes {
    int64_t pitch, most;                         /* of a row, and taps of a convolution */
    int64_t rows;                                /* of the estimate */
    size_t estimate, lines, taps, tiles, source, result;
};

/* Rows besides the rings: a line, a sum, a ratio, zeros, slopes across, and two of slopes down. */
#define ROWS 7

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_lucy *p)
{
    const bool tiles = gf_lucy_has_tiles(p);
    const int64_t units = gf_span_units(io->dst.span) + (tiles ? 2 * p->tiles.step_y : 0);
    const int64_t all = gf_span_units(io->src.span), step = gf_lucy_step(p);
    const int64_t needed = units + 2 * gf_lucy_reach(p), own = units + 2 * p->iterations * step;
    struct scratch_sizes s = { .pitch = gf_round_up(io->dst.width + 2 * p->rx + 2 * BLOCK, BLOCK),
                               .most = tiles ? 0 : p->separable ? 2 * (p->rx > p->ry ? p->rx : p->ry) + 1
                                                                : (2 * p->rx + 1) * (2 * p->ry + 1) };

    s.rows = own < all + 2 * step ? own : all + 2 * step;
    s.estimate = (size_t)(s.rows * s.pitch);
    s.lines = (size_t)(((tiles ? 0 : 2 * (2 * p->ry + 1)) + ROWS) * s.pitch);
    s.taps = gf_padded_floats((size_t)s.most * (2 + 4 * 3));
    s.tiles = tiles ? s.estimate + (size_t)(p->tiles.step_y * s.pitch + p->tiles.f.size) : 0;
    s.source = gf_padded_floats(gf_planar_source_samples(io, needed < all ? needed : all));
    s.result = gf_padded_floats(gf_planar_result_samples(io, gf_channels_at_work(io)));
    return s;
}

static size_t floats_of(struct scratch_sizes s)
{
    return s.estimate + s.lines + s.taps + s.tiles + s.source + s.result;
}

static size_t lucy_scratch(const struct gf_io *io, const void *params)
{
    return floats_of(sizes_of(io, params)) * sizeof(float);
}

/* Lists the weights of columns by rows that are not 0; `turned`: from the last one on. */
static void list_taps(struct taps *t, const float *weights, int columns, int rows, bool turned, float **memory,
                      int64_t most)
{
    t->weight = *memory;
    t->column = (int *)(void *)(*memory + most);
    t->row = (int *)(void *)(*memory + 2 * most);
    *memory += 3 * most;
    t->count = 0;
    for (int k = 0; k < columns * rows; k++) {
        const float w = weights[turned ? columns * rows - 1 - k : k];

        if (w == 0)
            continue;
        t->weight[t->count] = w;
        t->column[t->count] = k % columns;
        t->row[t->count++] = k / columns;
    }
}

/* Divides the memory of taps and of what they are added up from. */
static void set_up_taps(struct lucy *l, const struct scratch_sizes *s, float *rings, float *memory, const float *masks)
{
    const struct gf_lucy *p = l->p;
    const int nx = 2 * p->rx + 1, ny = 2 * p->ry + 1;

    l->ring[0] = rings;
    l->ring[1] = rings + ny * s->pitch;
    l->at = (const float **)(void *)memory;
    memory += 2 * s->most;
    for (int k = 0; k < 2; k++) {
        if (p->separable)
            list_taps(&l->along[k], masks + p->at, nx, 1, k == 0, &memory, s->most);
        if (p->separable)
            list_taps(&l->taps[k], masks + p->at + nx, 1, ny, k == 0, &memory, s->most);
        else
            list_taps(&l->taps[k], masks + p->at, nx, ny, k == 0, &memory, s->most);
    }
}

/* Divides the scratch memory. */
static void set_up(struct lucy *l, const struct scratch_sizes *s, float *scratch, const float *masks)
{
    float *row = scratch + s->estimate, *memory = row + s->lines;
    float **const rows[ROWS] = { &l->line, &l->sum, &l->ratio, &l->zeros, &l->across, &l->down[0], &l->down[1] };

    memset(row, 0, s->lines * sizeof *row);
    l->estimate = scratch;
    for (int k = 0; k < ROWS; k++)
        *rows[k] = row + k * s->pitch;
    l->across++;                                 /* the sample before it is 0 */
    if (!gf_lucy_has_tiles(l->p)) {
        set_up_taps(l, s, row + ROWS * s->pitch, memory, masks);
        return;
    }
    l->ratios = memory;
    l->sums = l->ratios + s->estimate;
    l->tile = l->sums + l->p->tiles.step_y * s->pitch;
    l->turns[0] = masks + l->p->turned_at;
    l->turns[1] = masks + l->p->tiles.f.spectra_at;
}

int gf_lucy_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_lucy *p = params;
    const struct scratch_sizes s = sizes_of(io, p);
    const int reach = gf_lucy_reach(p);
    float *scratch = work->scratch, *source = scratch + s.estimate + s.lines + s.taps + s.tiles;
    struct gf_io whole = *io;
    struct lucy l = { .io = io, .p = p, .width = io->dst.width, .pitch = s.pitch, .units = io->src_units };
    struct gf_block src, dst;

    if (work->scratch_bytes < floats_of(s) * sizeof(float))
        return gf_fail(err, GF_FAILED, "internal error: lucy has too little scratch memory");
    whole.dst.span = gf_lucy_units(p, io->dst.span, io->src_units);
    src = gf_planar_source(work, io, gf_span_around(&whole, reach, reach, p->border), source);
    dst = gf_planar_result(io, src.channels, source + s.source);
    l.src = &src;
    l.all = widen(&l, whole.dst.span, (int64_t)p->iterations * gf_lucy_step(p));
    set_up(&l, &s, scratch, work->masks);
    for (l.channel = 0; l.channel < src.channels; l.channel++)
        if (l.channel < p->colours)
            do_channel(&l, &dst);
        else
            for (int64_t u = dst.span.start; u < dst.span.end; u++)
                memcpy(gf_plane_at(&dst, l.channel, u), gf_plane_at(&src, l.channel, u),
                       (size_t)l.width * sizeof(float));
    gf_planar_finish(work, io, &dst);
    return 0;
}

static size_t lucy_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_lucy *p = params;
    const int64_t units = gf_span_units(io->src.span), rows = units + 2 * gf_lucy_step(p);
    const size_t tiles = gf_lucy_has_tiles(p) ? gf_fftmask_gpu_bytes(&p->tiles) : 0;

    return tiles + (size_t)(gf_gpu_loaded_bytes(io, true, units) + gf_gpu_stored_bytes(io, true) + GF_GPU_SCRATCH_SMALL
                            + 4 * gf_gpu_plane_bytes(&io->src, 1, rows));
}

static struct gf_cost lucy_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_lucy *p = params;
    const double light = 2 + (p->even > 0 ? 6 : 4) * p->iterations;

    (void)in, (void)out;
    if (gf_lucy_has_tiles(p))
        return (struct gf_cost) { .light = light + 2 * gf_fftmask_light(&p->tiles) * p->iterations };
    return (struct gf_cost) { .light = light, .weights = 0.25 * p->taps * p->iterations };
}

/* Each kernel reads and writes whole planes, and reads a sample for each weight. */
static struct gf_cost lucy_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_lucy *p = params;

    (void)in, (void)out;
    if (gf_lucy_has_tiles(p))
        return (struct gf_cost) { .light = 2 + (4 + 2 * gf_fftmask_light(&p->tiles)) * p->iterations };
    return (struct gf_cost) { .light = 2 + 4.0 * p->iterations, .weights = 4.0 * p->taps * p->iterations };
}

/* A strip computes its halo again, which is a triangle: half of the units on both sides, so half of this. */
static int least_units(const void *params, const struct gf_format *out)
{
    (void)out;
    return 2 * gf_lucy_reach(params) + 1;
}

static void describe(const void *params, bool cuda, char *text, size_t room)
{
    const struct gf_lucy *p = params;

    (void)cuda;
    snprintf(text, room, ", %d iterations, %d by %d weights%s", p->iterations, 2 * p->rx + 1, 2 * p->ry + 1,
             p->separable ? " in two lines" : gf_lucy_has_tiles(p) ? " in tiles" : "");
}

static bool reach(const void *params, struct gf_reach *reach)
{
    const struct gf_lucy *p = params;
    const int step = 2 * p->rx > 0 ? 2 * p->rx : p->even > 0 ? 1 : 0;

    return !gf_lucy_has_tiles(p)
        && gf_reach_square((int64_t)(p->iterations - 1) * step + p->rx + step, p->border, reach);
}

static int64_t masks_end(const void *params, int channels)
{
    const struct gf_lucy *p = params;
    const int nx = 2 * p->rx + 1, ny = 2 * p->ry + 1;

    (void)channels;
    if (gf_lucy_has_tiles(p)) {
        const int64_t a = gf_fftmask_end(&p->tiles, p->tiles.f.spectra_at), b = gf_fftmask_end(&p->tiles, p->turned_at);

        return p->tiles.nx != nx || p->tiles.ny != ny || p->tiles.step_y < p->ry || a < 0 || b < 0 ? -1 : a > b ? a : b;
    }
    return p->at + (p->separable ? nx + ny : nx * ny);
}

const struct gf_operation gf_op_lucy = {
    .word = "lucy",
    .text = "Deconvolution after Richardson and Lucy: an estimate is blurred, and corrected by the ratio.",
    .params_bytes = sizeof(struct gf_lucy),
    .least_units = least_units,
    .cpu = { .body = gf_lucy_cpu, .scratch_bytes = lucy_scratch, .cost = lucy_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_lucy_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = lucy_gpu_scratch,
              .cost = lucy_gpu_cost },
    .describe = describe,
    .reach = reach,
    .masks_end = masks_end,
};
