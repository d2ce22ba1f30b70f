/*
 * Running means on a CPU: rows by doubling in place; columns from block to block, a few hundred at
 * a time.
 */
#include "kernels/neighbourhood/box.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"
#include "kernels/neighbourhood/box_bytes.h"
#include "kernels/neighbourhood/box_doubling.h"

#include <string.h>

#define COLUMNS 256                      /* columns summed at a time, so that their sums stay in a cache */

/* ---- along a row ---- */

GF_BOX_SUM_WINDOWS(float)

GF_CLONES
static void scale_row(float *to, float by, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = to[i] * by;
}

/* Sums one row; `line` has room for the row and the samples beyond its ends. */
static void along_row(const float *from, int64_t width, const struct gf_box *box, float *line, float *to)
{
    const int n = 2 * box->radius + 1;

    gf_border_copy(from, width, sizeof *line, box->border, -box->radius, width + n - 1, line);
    sum_windows(line, width, 1, n, to);
    scale_row(to, 1.0f / (float)n, width);
}

/* ---- along the units ---- */

GF_CLONES
static void add_doubles(const double *sums, const float *from, double *to, int64_t n)
{
    GF_NO_OVERLAP
    for (int64_t i = 0; i < n; i++)
        to[i] = sums[i] + (double)from[i];
}

GF_CLONES
static void finish_row(const double *restrict a, const double *restrict b, double by, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)((a[i] + b[i]) * by);
}

/* Sets sums to others, which may be the same ones, plus unit `unit`, or its replacement, for some columns. */
static void add_unit(const struct gf_io *io, const struct gf_block *src, const struct gf_box *box, int c, int64_t unit,
                     int64_t x, int64_t n, const double *sums, double *to)
{
    const int64_t at = gf_border_index(box->border, unit, io->src_units);

    if (at >= 0)
        add_doubles(sums, gf_plane_at(src, c, at) + x, to, n);
    else if (to != sums)
        memcpy(to, sums, (size_t)n * sizeof *to);
}

/*
 * Sums the windows that begin at units [first, end) of one block. Computes sums to the end of the
 * block first, a row for each window.
 */
static void block_of_units(const struct gf_io *io, const struct gf_block *src, const struct gf_block *dst,
                           const struct gf_box *box,
                           int c, int64_t first, int64_t end, int64_t x, int64_t columns, double *sums)
{
    const int64_t n = 2 * box->radius + 1, next = (first - gf_modulo(first, n)) + n;
    double *acc = sums, *rows = sums + COLUMNS;
    const double *last = acc;

    memset(acc, 0, COLUMNS * sizeof *acc);
    for (int64_t w = next - 1; w >= first; w--) {
        double *to = w < end ? rows + (w - first) * COLUMNS : acc;

        add_unit(io, src, box, c, w, x, columns, last, to);
        last = to;
    }
    memset(acc, 0, COLUMNS * sizeof *acc);
    for (int64_t unit = next; unit < first + n - 1; unit++)
        add_unit(io, src, box, c, unit, x, columns, acc, acc);
    for (int64_t w = first; w < end; w++) {
        if (w + n - 1 >= next)
            add_unit(io, src, box, c, w + n - 1, x, columns, acc, acc);
        finish_row(rows + (w - first) * COLUMNS, acc, 1.0 / (double)n,
                   gf_plane_at(dst, c, w + box->radius) + x, columns);
    }
}

static void along_units(const struct gf_io *io, const struct gf_block *src, const struct gf_block *dst,
                        const struct gf_box *box,
                        int c, double *sums)
{
    const int64_t n = 2 * box->radius + 1;
    int64_t end;

    for (int64_t x = 0; x < dst->width; x += COLUMNS)
        for (int64_t w = dst->span.start - box->radius; w < dst->span.end - box->radius; w = end) {
            end = w - gf_modulo(w, n) + n;
            end = end > dst->span.end - box->radius ? dst->span.end - box->radius : end;
            block_of_units(io, src, dst, box, c, w, end, x, dst->width - x < COLUMNS ? dst->width - x : COLUMNS, sums);
        }
}

/* ---- a call ---- */

/* Scratch, in floats. */
struct scratch_sizes {
    size_t sums, source, result;
};

static struct gf_span needed(const struct gf_io *io, const struct gf_box *box)
{
    return box->along_units ? gf_span_around(io, box->radius, box->radius, box->border)
           : gf_span_around(io, 0, 0, GF_CLAMP);
}

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_box *box)
{
    const int64_t units = gf_span_units(io->dst.span), n = 2 * box->radius + 1, all = gf_span_units(io->src.span);
    const int64_t reach = box->along_units ? n - 1 : 0;
    struct scratch_sizes s = { .sums = gf_padded_floats((size_t)(io->dst.width + n)) };

    if (box->along_units)
        s.sums = 2 * COLUMNS * (size_t)(1 + (units < n ? units : n));
    s.source = gf_padded_floats(gf_planar_source_samples(io, units + reach < all
                                                         && box->border != GF_WRAP ? units + reach : all));
    s.result = gf_padded_floats(gf_planar_result_samples(io, gf_channels_at_work(io)));
    return s;
}

static size_t bytes_of(struct scratch_sizes s)
{
    return (s.sums + s.source + s.result) * sizeof(float);
}

static size_t box_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_box *box = params;

    return box->both ? gf_box_bytes_scratch(box->radius) : bytes_of(sizes_of(io, box));
}

int gf_box_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_box *box = params;
    const struct scratch_sizes s = sizes_of(io, box);
    float *sums = work->scratch, *source = sums + s.sums;
    struct gf_block src, dst;

    if (work->scratch_bytes < box_scratch(io, box))
        return gf_fail(err, GF_FAILED, "internal error: box has too little scratch memory");
    if (box->both && !gf_box_bytes_fits(io, box->radius))
        return gf_fail(err, GF_FAILED, "internal error: a box of bytes gets other samples");
    if (box->both) {
        gf_box_bytes_run(io, box->radius, box->border, work->scratch);
        return 0;
    }
    src = gf_planar_source(work, io, needed(io, box), source);
    dst = gf_planar_result(io, src.channels, source + s.source);
    for (int c = 0; c < dst.channels; c++) {
        const bool copied = c >= dst.channels - box->copied;

        if (box->along_units && !copied)
            along_units(io, &src, &dst, box, c, (double *)(void *)sums);
        for (int64_t u = dst.span.start; u < dst.span.end && copied; u++)
            memcpy(gf_plane_at(&dst, c, u), gf_plane_at(&src, c, u), (size_t)dst.width * sizeof(float));
        for (int64_t u = dst.span.start; u < dst.span.end && !box->along_units && !copied; u++)
            along_row(gf_plane_at(&src, c, u), dst.width, box, sums, gf_plane_at(&dst, c, u));
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

static size_t box_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_box *box = params;
    const bool planes = gf_box_needs_planes(box, io);

    if (!box->along_units && !planes)
        return 0;
    return (size_t)(gf_gpu_loaded_bytes(io, true, gf_span_units(io->src.span)) + gf_gpu_stored_bytes(io, planes)
                    + GF_GPU_SCRATCH_SMALL + (box->along_units ? io->dst.width * gf_span_units(io->dst.span) : 0)
                    * (int64_t)sizeof(double));
}

/* One operation for both directions goes from bytes to bytes. */
static bool at_once(const void *params, const struct gf_format *f)
{
    const struct gf_box *box = params;
    struct gf_io io = { .src = gf_block_packed(NULL, f, (struct gf_span) { 0, 0 }) };

    io.dst = io.src;
    return box->both && box->copied == 0 && gf_box_bytes_fits(&io, box->radius);
}

_Static_assert(sizeof(struct gf_box) <= GF_OP_CHANGED_BYTES, "halves change them");

static int halves(const void *params, bool fuses, union gf_op_changed *first, union gf_op_changed *second)
{
    struct gf_box *x = (void *)first, *y = (void *)second;

    (void)fuses;
    *x = *y = *(const struct gf_box *)params;
    if (!x->both)
        return 0;
    x->both = y->both = false;
    y->along_units = true;
    return 1;
}

/* If both directions are one step, each strip first sums the rows of a window, so a wide one costs more. */
static struct gf_cost box_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_box *box = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = box->both ? 3.4 + 0.05 * box->radius : 7 };
}

/* Sums along the units begin at multiples of the window's length. */
static bool reach(const void *params, struct gf_reach *reach)
{
    const struct gf_box *b = params;
    const bool inside = gf_reach_square(b->along_units ? 0 : b->radius, b->border, reach);

    reach->step = b->along_units || b->both ? 2 * b->radius + 1 : 0;
    return inside;
}

const struct gf_operation gf_op_box = {
    .word = "box", .text = "Running means, at the same cost for any radius.",
    .params_bytes = sizeof(struct gf_box),
    .starts_anew = 1,
    .cpu = { .body = gf_box_cpu, .scratch_bytes = box_scratch, .cost = box_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_box_cuda), GF_OP_LOADS_AND_STORES, .scratch_bytes = box_gpu_scratch, .light = 4 },
    .halves = halves,
    .at_once = at_once,
    .reach = reach,
};
