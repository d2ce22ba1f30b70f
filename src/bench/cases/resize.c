/* Cases of resizing, and of its weights. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/geometry/resize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Finds an entry of a table. Returns the first place that it reads, the number of its weights, and
 * the weights. Without a table, a place reads itself.
 */
static int64_t find_entry(const struct gf_check *check, const struct gf_resize_axis *axis, int64_t i, int *count,
                          const float **weights)
{
    static const float one = 1;
    const float *entry = check->tables + axis->at + i * (2 + axis->taps);

    *count = axis->taps > 0 ? (int)entry[1] : 1;
    *weights = axis->taps > 0 ? entry + 2 : &one;
    return axis->taps > 0 ? (int64_t)entry[0] : i;
}

static void slow_resize(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                        double *out)
{
    const struct gf_resize *r = params;
    double v[GF_SLOW_CHANNELS];
    int nx, ny;
    const float *wx, *wy;
    const int64_t left = find_entry(check, &r->x, x, &nx, &wx), top = find_entry(check, &r->y, y, &ny, &wy);

    memset(out, 0, sizeof v);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            gf_slow_load(check, io, left + i, top + j, v);
            for (int c = 0; c < GF_MAX_CHANNELS; c++)
                out[c] += (double)wy[j] * (double)wx[i] * v[c];
        }
}

static struct gf_resize_axis axes[400];
static int axis_count;

/* Adds an axis and its weights. Returns false if no room is left. */
static bool add_axis(struct gf_check *check, enum gf_resize_filter filter, int64_t in, int64_t out)
{
    static int64_t at = GF_CHECK_NOISE;
    struct gf_resize_axis axis = { .at = at, .in = in, .out = out, .taps = gf_resize_taps(filter, in, out) };

    if (axis_count == sizeof axes / sizeof *axes
        || at + axis.out * gf_resize_stride(&axis) > GF_CHECK_TABLES - GF_CHECK_RINGS - GF_CHECK_WINDOWS)
        return false;
    gf_resize_fill(&axis, filter, check->tables + at);
    at += axis.out * gf_resize_stride(&axis);
    axes[axis_count++] = axis;
    return true;
}

/* Adds axes from each length to some others: 1, a near one, and random ones. */
static void make_axes(struct gf_check *check)
{
    for (size_t i = 0; i < 2 * GF_DRAW_SIZES; i++) {
        const int64_t in = gf_draw_sizes[i / 2][i % 2];
        const int64_t outs[] = { 1, in + 1, 1 + gf_draw(check, 8), 1 + gf_draw(check, 150), 1 + gf_draw(check, 150),
                                 1 + gf_draw(check, 300) };

        for (int k = 0; k < 6; k++)
            add_axis(check, (enum gf_resize_filter)gf_draw(check, GF_RESIZE_AREA + 1), in, outs[k]);
    }
}

static int paired;                       /* the first of the pairs of axes */

/*
 * Adds pairs of axes with the same ratio and filter, to lengths near those of tiles and of groups
 * of four.
 */
static void make_pairs(struct gf_check *check)
{
    static const int ratios[][2] = { { 2, 1 }, { 2, 1 }, { 2, 1 }, { 2, 1 }, { 2, 1 }, { 1, 2 }, { 3, 2 }, { 2, 3 },
                                     { 3, 1 },
                                     { 4, 1 }, { 7, 5 } };
    /* the last one is wide enough for several pieces of a row on a CPU */
    static const int lengths[] = { 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 59, 60, 61, 63, 64, 65, 100, 121, 700 };
    const uint32_t n = sizeof lengths / sizeof *lengths;

    paired = axis_count;
    for (size_t i = 0; i < 5 * sizeof ratios / sizeof *ratios; i++) {
        const int *ratio = ratios[i / 5], w = lengths[gf_draw(check, n)], h = lengths[gf_draw(check, n - 1)];
        const enum gf_resize_filter filter = (enum gf_resize_filter)(i % 5);

        if (!add_axis(check, filter, (w * ratio[0] + ratio[1] - 1) / ratio[1], w)
            || !add_axis(check, filter, (h * ratio[0] + ratio[1] - 1) / ratio[1], h))
            axis_count = axis_count > paired ? paired + (axis_count - paired) / 2 * 2 : axis_count;
    }
}

static void make_resize_pools(struct gf_check *check)
{
    make_axes(check);
    make_pairs(check);
}

static struct gf_resize_axis draw_axis(struct gf_check *check, int64_t in)
{
    struct gf_resize_axis axis = { .in = in, .out = in };

    for (int tries = 0; tries < 2000 && gf_draw(check, 30) != 0; tries++) {
        const struct gf_resize_axis *one = &axes[gf_draw(check, (uint32_t)axis_count)];

        if (one->in == in)
            return *one;
    }
    return axis;
}

/* Makes a call for a part of the result, from the rows that it needs and a few more. */
static void check_resize(struct gf_check *check, struct gf_trial *t, const struct gf_resize *r,
                         const struct gf_form *to)
{
    const struct gf_span out = gf_draw_span(check, r->y.out);
    struct gf_span in;
    const float *weights;
    int count;

    in.start = find_entry(check, &r->y, out.start, &count, &weights);
    in.end = find_entry(check, &r->y, out.end - 1, &count, &weights);
    in.end += count;
    gf_check_trial(check, t, &gf_op_resize, r, gf_check_grow(in, gf_draw(check, 3), gf_draw(check, 3), t->units), out,
                   r->x.out, to, 3e-6);
}

static void try_resize(struct gf_check *check, const struct gf_form *f)
{
    struct gf_resize r;
    struct gf_trial t;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_draw_trial(check, &t, f, true);
    r.x = draw_axis(check, t.width);
    r.y = draw_axis(check, t.units);
    check_resize(check, &t, &r, gf_draw_form(check, f));
}

/*
 * Uses the same ratio in both directions, often one half, and mostly aligned rows without a
 * program.
 */
static void try_ratios(struct gf_check *check, const struct gf_form *f)
{
    struct gf_resize r;
    struct gf_trial t;
    int pair;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_draw_trial(check, &t, f, gf_draw(check, 4) == 0);
    check->aligned = gf_draw(check, 4) != 0;
    pair = paired + 2 * (int)gf_draw(check, (uint32_t)(axis_count - paired) / 2);
    r.x = axes[pair], r.y = axes[pair + 1];
    t.width = r.x.in, t.units = t.io.src_units = r.y.in;
    check_resize(check, &t, &r, gf_draw(check, 3) ? f : gf_draw_form(check, f));
    check->aligned = false;
}

/* Checks that weights sum to 1, stay inside, move forward, and are symmetric. */
static void try_weights(struct gf_check *check, const struct gf_form *none)
{
    (void)none;
    for (int i = 0; i < axis_count; i++) {
        const struct gf_resize_axis *axis = &axes[i];
        int64_t before = 0, after = 0;

        for (int64_t o = 0; o < axis->out; o++) {
            const float *w, *mirrored;
            int n, m;
            const int64_t first = find_entry(check, axis, o, &n, &w);
            const int64_t other = find_entry(check, axis, axis->out - 1 - o, &m, &mirrored);
            double sum = 0;

            check->compared++;
            for (int k = 0; k < n; k++) {
                sum += (double)w[k];
                if (n == m && first + n + other == axis->in && w[k] != mirrored[m - 1 - k] && check->problem[0] == '\0')
                    snprintf(check->problem, sizeof check->problem,
                             "weight %d of place %d of %d is not that of the other side", k,
                             (int)o, (int)axis->out);
            }
            if ((n > axis->taps || fabs(sum - 1) > 1e-6 || first < before || first + n < after || first < 0 || n < 1
                 || first + n > axis->in)
                && check->problem[0] == '\0')
                snprintf(check->problem, sizeof check->problem, "place %d of %d, from %d: %d weights at %d sum to %g",
                         (int)o, (int)axis->out,
                         (int)axis->in, n, (int)first, sum);
            before = first, after = first + n;
        }
    }
}

/* Sets the axis of one direction, and adds its table to the pool. */
static void set_axis(struct gf_bench_call *m, struct gf_resize_axis *axis, int64_t in, int64_t out)
{
    const enum gf_resize_filter filter = (enum gf_resize_filter)m->number;
    float *entries;

    *axis = (struct gf_resize_axis) { .at = m->table_count, .in = in, .out = out,
                                      .taps = gf_resize_taps(filter, in, out) };
    entries = gf_bench_call_tables(m, out * gf_resize_stride(axis));
    if (entries != NULL)
        gf_resize_fill(axis, filter, entries);
}

static void set_size(struct gf_bench_call *m, int64_t width, int64_t rows)
{
    struct gf_resize *r = m->params;

    m->dst_bytes = gf_bench_block_shape(&m->dst, width, rows);
    set_axis(m, &r->x, m->src.width, width);
    set_axis(m, &r->y, m->src_units, rows);
}

static void set_half(struct gf_bench_call *m)
{
    set_size(m, (m->src.width + 1) / 2, (m->src_units + 1) / 2);
}

static void set_double(struct gf_bench_call *m)
{
    set_size(m, 2 * m->src.width, 2 * m->src_units);
}

/* A multiplication and an addition for each tap: first rows of the source's width, then columns of the result. */
static double count_flop(const struct gf_bench_call *m)
{
    const struct gf_resize *r = m->params;

    return 2.0 * (double)m->src.channels * ((double)(r->y.taps * r->y.out * r->x.in)
                                            + (double)(r->x.taps * r->x.out * r->y.out));
}

#define OPENCV(filter, factor) "cv2.resize(a, None, b, " factor ", " factor ", cv2.INTER_" filter ")"

/* When an image shrinks, NPP does not widen its filters, except SUPER. */
static const struct gf_bench_case cases[] = {
    { .name = "half, lanczos", .what = "half size with Lanczos, bytes",
      .forms = "u8, u8 rgb, u8 rgba, u16 rgb, f32", .set = set_half, .number = GF_RESIZE_LANCZOS, .flop = count_flop,
      .peers = { { "NPP Resize, LANCZOS, not widened", NULL, gf_npp_resize } }, .stages = "resize:50%,filter=lanczos",
      .opencv = OPENCV("LANCZOS4", ".5") },
    { .name = "half, cubic", .forms = "u8, u8 rgb", .set = set_half, .number = GF_RESIZE_CUBIC,
      .peers = { { "NPP Resize, CUBIC, not widened", NULL, gf_npp_resize } }, .stages = "resize:50%,filter=cubic",
      .opencv = OPENCV("CUBIC", ".5") },
    { .name = "half, linear", .forms = "u8, u8 rgb", .set = set_half, .number = GF_RESIZE_LINEAR,
      .peers = { { "NPP Resize, LINEAR, not widened", NULL, gf_npp_resize } }, .stages = "resize:50%,filter=linear",
      .opencv = OPENCV("LINEAR", ".5") },
    { .name = "half, area", .forms = "u8, u8 rgb", .set = set_half, .number = GF_RESIZE_AREA,
      .peers = { { "NPP Resize, SUPER", NULL, gf_npp_resize } }, .stages = "resize:50%,filter=area",
      .opencv = OPENCV("AREA", ".5") },
    { .name = "double, lanczos", .forms = "u8, u8 rgb", .part = 4, .set = set_double, .number = GF_RESIZE_LANCZOS,
      .peers = { { "NPP Resize, LANCZOS", NULL, gf_npp_resize } }, .stages = "resize:200%,filter=lanczos",
      .opencv = OPENCV("LANCZOS4", "2") },
    { .name = "double, cubic", .forms = "u8, u8 rgb", .part = 4, .set = set_double, .number = GF_RESIZE_CUBIC,
      .peers = { { "NPP Resize, CUBIC", NULL, gf_npp_resize } }, .stages = "resize:200%,filter=cubic",
      .opencv = OPENCV("CUBIC", "2") },
    { .name = "double, linear", .forms = "u8, u8 rgb", .part = 4, .set = set_double, .number = GF_RESIZE_LINEAR,
      .peers = { { "NPP Resize, LINEAR", NULL, gf_npp_resize } }, .stages = "resize:200%,filter=linear",
      .opencv = OPENCV("LINEAR", "2") },
    { .name = "double, area", .forms = "u8, u8 rgb", .part = 4, .set = set_double, .number = GF_RESIZE_AREA },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_resize = { .name = "resize", .op = &gf_op_resize, .cases = cases,
                                                      .slow = slow_resize,
                                                      .try = try_resize, .make_pools = make_resize_pools };
const struct gf_bench_group gf_bench_group_ratios = { .name = "ratios", .op = &gf_op_resize, .try = try_ratios };
const struct gf_bench_group gf_bench_group_weights = { .name = "weights", .op = &gf_op_resize, .try = try_weights,
                                                       .once = true };
