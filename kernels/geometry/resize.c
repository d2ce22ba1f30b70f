/*
 * Resizes on a CPU. Several rows of output are computed together: summed down the rows, transposed
 * so that a vector has the same column of each row, summed along, and transposed back. Columns whose
 * weights repeat after a few pixels need no transposing.
 */
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"
#include "kernels/geometry/resize_columns.h"
#include "kernels/geometry/resize_rows.h"

#include <string.h>

#define RESULT_FLOATS (96 << 10)         /* of the result that are converted together, in the second-level cache */
#define LEAST_ROWS (2 * GF_RESIZE_LANES)         /* of the result, if they are transposed: fewer cost as much */

/* Changes only the rows; nothing is transposed. */
static void make_row(const struct gf_resize_rows *j, int64_t y)
{
    const int64_t n = j->src.width, run = GF_RESIZE_PART / j->channels * j->channels;

    for (int64_t s = 0; s < n; s += run) {
        const int64_t some = n - s < run ? n - s : run;

        gf_resize_rows_load(j, y, s, some, j->rows);
        gf_resize_rows_store(j, y, s, some, j->rows);
    }
}

/* Computes rows [y, y + count) in as many lanes. */
static void make_rows(const struct gf_resize_rows *j, int64_t y, int count, int lanes)
{
    const int64_t run = GF_RESIZE_PART / lanes, places = run / j->channels, out_width = j->dst.width / j->channels;

    if (count < lanes)
        memset(j->rows, 0, GF_RESIZE_PART * sizeof *j->rows);
    for (int64_t s = 0; s < j->src.width; s += run) {
        const int64_t some = j->src.width - s < run ? j->src.width - s : run;

        for (int l = 0; l < count; l++)
            gf_resize_rows_load(j, y + l, s, some, j->rows + l * run);
        gf_resize_columns_turn(j->rows, some, j->turned + s * lanes, lanes);
    }
    for (int64_t x = 0; x < out_width; x += places) {
        const int64_t end = x + places < out_width ? x + places : out_width;

        gf_resize_columns_sum(j->turned, j->x_entries, gf_resize_stride(&j->r->x), x, end, j->sums,
                              lanes * j->channels);
        gf_resize_columns_turn_back(j->sums, (end - x) * j->channels, j->rows, lanes);
        for (int l = 0; l < count; l++)
            gf_resize_rows_store(j, y + l, x * j->channels, (end - x) * j->channels, j->rows + l * run);
    }
}

/* Returns how many rows to process together, if `left` are left: more of them share the weights. */
static int choose_lanes(const struct gf_resize_rows *j, int64_t left)
{
    const int most = GF_RESIZE_MOST / j->channels;

    return most >= 4 * GF_RESIZE_LANES && left > 3 * GF_RESIZE_LANES ? 4 * GF_RESIZE_LANES
         : most >= 2 * GF_RESIZE_LANES && (j->channels == 1 || left > GF_RESIZE_LANES) ? 2 * GF_RESIZE_LANES
         : GF_RESIZE_LANES;
}

/* Computes rows whose columns have a period. */
static void make_period(const struct gf_resize_rows *j, const struct gf_resize_period *period, struct gf_span out)
{
    if (!gf_resize_double_fits(j, period)) {
        gf_resize_period_rows(j, period, out);
        return;
    }
    for (int64_t y = out.start; y < out.end; y++)
        if (!gf_resize_double_row(j, period, y))
            gf_resize_period_rows(j, period, (struct gf_span) { y, y + 1 });
}

static void make_all(const struct gf_resize_rows *j, struct gf_span out)
{
    struct gf_resize_period period;
    int lanes;

    if (gf_resize_half_fits(j, out)) {
        for (int64_t y = out.start; y < out.end; y++)
            gf_resize_half_row(j, y);
        return;
    }
    if (j->r->y.taps <= GF_RESIZE_CHUNK && gf_resize_period_find(&j->r->x, j->x_entries, &period)) {
        make_period(j, &period, out);
        return;
    }
    for (int64_t y = out.start; j->r->x.taps == 0 && y < out.end; y++)
        make_row(j, y);
    for (int64_t y = out.start; j->r->x.taps > 0 && y < out.end; y += lanes) {
        lanes = choose_lanes(j, out.end - y);
        make_rows(j, y, out.end - y < lanes ? (int)(out.end - y) : lanes, lanes);
    }
}

/* ---- a call ---- */

/* Returns the most units of the source that are read, or an upper bound. */
static int64_t source_units(const struct gf_io *io, const struct gf_resize *r)
{
    const int64_t units = gf_span_units(io->dst.span), all = gf_span_units(io->src.span);
    const int64_t most = r->y.taps == 0 ? units : gf_ceil_div(units * r->y.in, r->y.out) + 2 * r->y.taps;

    return most < all ? most : all;
}

/* Returns true if rows are transposed to sum along them. */
static bool turns_rows(const struct gf_resize_axis *x)
{
    return x->taps > 0 && !gf_resize_period_is_short(x);
}

/* Sizes of the scratch buffers of a call, in floats. */
struct scratch_sizes {
    size_t rows, turned, sums, ring, source, result;
};

/* Packed samples are read as stored, and written as stored if nothing happens to them in between. */
static bool goes_packed(const struct gf_io *io)
{
    return !io->dst.planar && io->dst.channels == io->src.channels && gf_point_is_identity(io->store)
        && (io->dst.type == GF_U8 || io->dst.type == GF_U16 || io->dst.type == GF_F32);
}

/* Returns how many rows of the result stay in a cache until they are converted; all if nothing converts them. */
static int64_t rows_at_once(const struct gf_io *io, const struct gf_resize *r)
{
    const int64_t cached = RESULT_FLOATS / (io->dst.width * gf_channels_at_work(io) + 1) + 1;
    const int64_t rows = !turns_rows(&r->x) ? cached
                         : cached < LEAST_ROWS ? LEAST_ROWS : cached / LEAST_ROWS * LEAST_ROWS;
    const int64_t all = gf_span_units(io->dst.span);

    return rows < all && gf_planar_result_samples(io, 1) > 0 ? rows : all;
}

/* Returns the call for these rows of the result, from `from` on. */
static struct gf_io next_rows(const struct gf_io *io, const struct gf_resize *r, int64_t from)
{
    const int64_t rows = rows_at_once(io, r), end = io->dst.span.end;
    struct gf_io some = *io;

    some.dst = gf_block_part(&io->dst, (struct gf_span) { from, end - from < rows ? end : from + rows });
    return some;
}

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_resize *r, int64_t units)
{
    const bool stored = gf_resize_is_stored(io, r) && io->src.channels <= 4;
    struct gf_io some = *io;
    struct scratch_sizes s = { .rows = GF_RESIZE_PART, .sums = GF_RESIZE_PART };

    if (!stored)
        some.dst.span.end = some.dst.span.start + rows_at_once(io, r);
    /* a channel alone has GF_RESIZE_MOST lanes, and several channels have at most as many samples in a column */
    s.turned = r->x.taps > 0 ? (size_t)(GF_RESIZE_MOST * io->src.width) : 0;
    s.ring = stored && r->y.taps <= GF_RESIZE_CHUNK ? gf_resize_period_scratch(r, io->src.channels) : 0;
    s.source = stored ? 0 : gf_padded_floats(gf_planar_source_samples(io, units));
    s.result = stored && goes_packed(io)
                   ? 0 : gf_padded_floats(gf_planar_result_samples(&some, gf_channels_at_work(io)));
    return s;
}

static size_t bytes_of(struct scratch_sizes s)
{
    return (s.rows + s.turned + s.sums + s.ring + s.source + s.result) * sizeof(float);
}

static size_t resize_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_resize *r = params;

    return bytes_of(sizes_of(io, r, source_units(io, r)));
}

/* Returns the units of the source for dst. */
static struct gf_span needed(const struct gf_io *io, const struct gf_resize *r, const float *entries)
{
    const float *first = entries + io->dst.span.start * gf_resize_stride(&r->y);
    const float *last = entries + (io->dst.span.end - 1) * gf_resize_stride(&r->y);

    if (r->y.taps == 0)
        return io->dst.span;
    return (struct gf_span) { (int64_t)first[0], (int64_t)last[0] + (int64_t)last[1] };
}

/* Views a block of one channel a plane, or of interleaved samples, as a line of samples for each unit. */
static struct gf_block line_of(const struct gf_block *b, int c, int together)
{
    struct gf_block line = *b;

    if (b->planar)
        line.data = gf_plane_at(b, c, b->span.start);
    line.width = b->width * together;
    line.channels = 1;
    return line;
}

static void resize_stored(struct gf_resize_rows *j, const struct gf_work *work, const struct gf_io *io, float *scratch)
{
    const int channels = io->src.channels;
    struct gf_block result = io->dst;

    j->src = line_of(&io->src, 0, channels);
    j->channels = channels;
    j->scale = 1.0f / (float)io->src.maxval;
    j->dst = line_of(&io->dst, 0, channels);
    if (!goes_packed(io)) {
        result = gf_planar_result(io, channels, scratch);
        j->planes = &result;
    }
    make_all(j, io->dst.span);
    if (!goes_packed(io))
        gf_planar_finish(work, io, &result);
}

static void resize_planes(struct gf_resize_rows *j, const struct gf_work *work, const struct gf_io *io,
                          struct gf_span part, float *source, float *scratch)
{
    const struct gf_block src = gf_planar_source(work, io, part, source);

    j->channels = 1;
    j->scale = 1.0f;
    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y = j->dst.span.end) {
        const struct gf_io some = next_rows(io, j->r, y);
        const struct gf_block dst = gf_planar_result(&some, src.channels, scratch);

        for (int c = 0; c < src.channels; c++) {
            j->src = line_of(&src, c, 1);
            j->dst = line_of(&dst, c, 1);
            make_all(j, some.dst.span);
        }
        gf_planar_finish(work, &some, &dst);
    }
}

int gf_resize_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_resize *r = params;
    const struct gf_span part = needed(io, r, work->tables + r->y.at);
    const struct scratch_sizes s = sizes_of(io, r, gf_span_units(part));
    float *scratch = work->scratch;
    struct gf_resize_rows j = { .r = r, .x_entries = work->tables + r->x.at, .y_entries = work->tables + r->y.at };

    if (work->scratch_bytes < bytes_of(s))
        return gf_fail(err, GF_FAILED, "internal error: resize has too little scratch memory");
    j.rows = scratch;
    j.sums = j.rows + s.rows;
    j.turned = j.sums + s.sums;
    j.ring = j.turned + s.turned;
    scratch = j.ring + s.ring;
    if (gf_resize_is_stored(io, r) && io->src.channels <= 4)
        resize_stored(&j, work, io, scratch + s.source);
    else
        resize_planes(&j, work, io, part, scratch, scratch + s.source);
    return 0;
}

/* Rows keep their width while they are summed. */
static double weights_down(const struct gf_resize *r, const struct gf_format *in, const struct gf_format *out)
{
    return r->y.taps * (double)in->width / (double)out->width;
}

/* A weight down the rows costs more than one along a row, because many rows leave the cache between two sums. */
static struct gf_cost resize_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_resize *r = params;

    return (struct gf_cost) { 2.5, 1.9 * r->x.taps + 2.6 * weights_down(r, in, out) };
}

static int least_rows(const void *params, const struct gf_format *out)
{
    const struct gf_resize *r = params;

    (void)out;
    return turns_rows(&r->x) ? LEAST_ROWS : 1;
}

static struct gf_cost resize_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_resize *r = params;

    return (struct gf_cost) { 1, r->x.taps + weights_down(r, in, out) };
}

/* The slow path, if no tile has room for the weights: full rows first, then the result. */
static size_t resize_gpu_scratch(const struct gf_io *io, const void *params)
{
    const int channels = gf_channels_at_work(io);
    const int64_t units = gf_span_units(io->dst.span);

    (void)params;
    return (size_t)(gf_gpu_loaded_bytes(io, false, gf_span_units(io->src.span))
                    + gf_gpu_plane_bytes(&io->src, channels, units)
                    + gf_gpu_plane_bytes(&io->dst, channels, units) + GF_GPU_SCRATCH_SMALL);
}

/* A reduced source has `shrunk` pixels of the full side in each of its own. */
static void axis_map(const struct gf_resize_axis *axis, double *scale, double *start)
{
    const bool reduced = axis->shrunk > 1;
    const double full = (double)(reduced ? axis->full : axis->in), each = reduced ? axis->shrunk : 1;

    *scale = axis->taps > 0 ? full / (double)axis->out / each : 1;
    *start = axis->taps > 0 && reduced ? (double)-axis->start / each : 0;
}

static void resize_map(const void *params, struct gf_affine *to_source)
{
    const struct gf_resize *r = params;

    *to_source = (struct gf_affine) { 0 };
    axis_map(&r->x, &to_source->xx, &to_source->cx);
    axis_map(&r->y, &to_source->yy, &to_source->cy);
}

/* Returns the end of the entries of an axis, which has at least so many positions; 0: it has none. */
static int64_t axis_end(const struct gf_resize_axis *a, int64_t positions)
{
    return a->taps == 0 ? 0
         : a->taps < 0 || a->out < positions ? -1 : gf_op_rows_end(a->at, a->out, gf_resize_stride(a));
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    const struct gf_resize *r = params;
    const int64_t x = axis_end(&r->x, out->width), y = axis_end(&r->y, out->units);

    return x < 0 || y < 0 ? -1 : x > y ? x : y;
}

const struct gf_operation gf_op_resize = {
    .word = "resize", .text = "Weighted sums along columns and rows, to change the size.",
    .params_bytes = sizeof(struct gf_resize),
    .cpu = { .body = gf_resize_cpu, .reads = GF_READS_PACKED, .stores_packed = true,
             .scratch_bytes = resize_scratch, .cost = resize_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_resize_cuda), GF_OP_LOADS_AND_STORES, .scratch_bytes = resize_gpu_scratch,
              .cost = resize_gpu_cost },
    .least_units = least_rows, .map = resize_map,
    .tables_end = tables_end,
};
