/* Cases of medians, and of the minimum and maximum of squares. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/neighbourhood/rank/rank.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const double v = *(const double *)a, w = *(const double *)b;

    if (v != v || w != w)
        return (v != v) - (w != w);                                  /* NaN is larger than all numbers */
    return (v > w) - (v < w);
}

static void slow_rank(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                      double *out)
{
    const struct gf_rank *r = params;
    static double around[4][(2 * GF_RANK_MAX_RADIUS + 1) * (2 * GF_RANK_MAX_RADIUS + 1)];
    const int side = 2 * r->radius + 1, n = side * side;
    double v[GF_SLOW_CHANNELS];

    for (int k = 0; k < n; k++) {
        gf_slow_load(check, io, gf_border_index(r->border, x + k % side - r->radius, io->src.width),
                  gf_border_index(r->border, y + k / side - r->radius, io->src_units), v);
        for (int c = 0; c < r->channels; c++)
            around[c][k] = v[c];
    }
    gf_slow_load(check, io, x, y, out);
    for (int c = 0; c < r->channels; c++) {
        qsort(around[c], (size_t)n, sizeof(double), by_value);
        out[c] = around[c][r->pick == GF_RANK_LEAST ? 0 : r->pick == GF_RANK_MIDDLE ? n / 2 : n - 1];
    }
}

/* Results are exact copies of stored samples, also of NaN and infinities. */
static void check_picked(struct gf_check *check, const struct gf_trial *t, const struct gf_rank *r)
{
    double wanted[GF_SLOW_CHANNELS];

    for (int64_t y = t->io.dst.span.start; y < t->io.dst.span.end && check->problem[0] == '\0'; y++)
        for (int64_t x = 0; x < t->io.dst.width; x++) {
            slow_rank(check, &t->io, r, x, y, wanted);
            check->compared += t->io.dst.channels;
            for (int c = 0; c < t->io.dst.channels; c++)
                if (!gf_check_same(gf_slow_sample(&t->io.dst, c, x, y), wanted[c]))
                    gf_check_report(check, "picks", &gf_op_rank, &t->io, c, x, y, gf_slow_sample(&t->io.dst, c, x, y),
                                    wanted[c]);
        }
}

static void try_rank(struct gf_check *check, const struct gf_form *f)
{
    static const int radii[] = { 1, 1, 2, 2, 3, 4, 5, 6, 9, 17 };
    struct gf_rank r = { .pick = (enum gf_rank_pick)gf_draw(check, 3), .radius = radii[gf_draw(check, 10)],
                         .border = (enum gf_border)gf_draw(check, 5) };
    const bool programs = gf_draw(check, 2);
    struct gf_trial t;
    struct gf_span out, in;

    if (f->channels > 4)
        f = &gf_forms[1];
    gf_draw_trial(check, &t, f, programs);
    while (t.width * t.units * r.radius * r.radius > 60000)
        r.radius--;
    if (gf_draw(check, 60) == 0)
        t.width = 3, t.units = t.io.src_units = 40, r.radius = 50;
    if (gf_draw(check, 8) == 0)                                                 /* several tiles across */
        t.width = 700 + gf_draw(check, 700), t.units = t.io.src_units = 20,
            r.radius = 1 + (int)gf_draw(check, r.radius > 4 ? 4 : (uint32_t)r.radius);
    out = gf_draw_span(check, t.units);
    if (gf_span_units(out) * t.width * r.radius * r.radius > 300000)
        out.end = out.start + 1;
    r.channels = t.load.out - (t.load.out > 1 && gf_draw(check, 2));
    in = r.border == GF_WRAP ? (struct gf_span) { 0, t.units } : gf_check_grow(out, r.radius, r.radius, t.units);
    gf_check_trial(check, &t, &gf_op_rank, &r, in, out,
                    t.width, gf_draw(check, 3) ? f : gf_draw_form(check, f), 2e-6);
    if (!check->on_gpu && check->problem[0] == '\0' && t.load.count == 0 && t.store.count == 0
        && t.io.dst.type == f->type
        && t.io.dst.maxval == f->maxval && f->type != GF_S32 && f->type != GF_F64)
        check_picked(check, &t, &r);
}

static void set_pick(struct gf_bench_call *m, enum gf_rank_pick pick, int side)
{
    *(struct gf_rank *)m->params = (struct gf_rank) { .pick = pick, .radius = side / 2, .channels = m->src.channels,
                                                      .border = GF_CLAMP };
}

static void set_median(struct gf_bench_call *m)
{
    set_pick(m, GF_RANK_MIDDLE, m->number);
}

static void set_greatest(struct gf_bench_call *m)
{
    set_pick(m, GF_RANK_GREATEST, m->number);
}

static void set_least(struct gf_bench_call *m)
{
    set_pick(m, GF_RANK_LEAST, m->number);
}

static const struct gf_bench_case cases[] = {
    { .name = "median 3x3", .what = "median 3x3, bytes", .forms = "u8, u8 rgb", .set = set_median, .number = 3,
      .peers = { { "NPP FilterMedian", "u8", gf_npp_median } }, .stages = "median:1",
      .opencv = "cv2.medianBlur(a, 3, b)" },
    { .name = "median 5x5", .forms = "u8, u8 rgb, u16, f32", .set = set_median, .number = 5,
      .peers = { { "NPP FilterMedian", "u8", gf_npp_median } }, .stages = "median:2",
      .opencv = "cv2.medianBlur(a, 5, b)" },
    { .name = "median 7x7", .forms = "u8", .set = set_median, .number = 7,
      .peers = { { "NPP FilterMedian", NULL, gf_npp_median } }, .stages = "median:3",
      .opencv = "cv2.medianBlur(a, 7, b)" },
    { .name = "median 9x9", .forms = "u8", .set = set_median, .number = 9, .part = 4,
      .peers = { { "NPP FilterMedian", NULL, gf_npp_median } }, .stages = "median:4",
      .opencv = "cv2.medianBlur(a, 9, b)" },
    { .name = "median 21x21", .forms = "u8, u16, f32", .set = set_median, .number = 21, .part = 8,
      .stages = "median:10", .opencv = "cv2.medianBlur(a, 21, b)" },
    { .name = "median 101x101", .forms = "u8", .set = set_median, .number = 101, .part = 8, .stages = "median:50",
      .opencv = "cv2.medianBlur(a, 101, b)" },
    { .name = "dilate 3x3", .forms = "u8", .set = set_greatest, .number = 3,
      .peers = { { "NPP Dilate3x3", NULL, gf_npp_rank } }, .stages = "dilate:1",
      .opencv = "cv2.dilate(a, numpy.ones((3, 3), 'B'), b)" },
    { .name = "dilate 5x5", .forms = "u8, u8 rgb, f32", .set = set_greatest, .number = 5,
      .peers = { { "NPP FilterMax", "u8", gf_npp_rank } }, .stages = "dilate:2",
      .opencv = "cv2.dilate(a, numpy.ones((5, 5), 'B'), b)" },
    { .name = "dilate 7x7", .forms = "u8, u8 rgb", .set = set_greatest, .number = 7, .stages = "dilate:3",
      .opencv = "cv2.dilate(a, numpy.ones((7, 7), 'B'), b)" },
    { .name = "erode 15x15", .forms = "u8", .set = set_least, .number = 15,
      .peers = { { "NPP FilterMin", NULL, gf_npp_rank } }, .stages = "erode:7",
      .opencv = "cv2.erode(a, numpy.ones((15, 15), 'B'), b)" },
    { .name = "dilate 101x101", .forms = "u8", .set = set_greatest, .number = 101, .part = 2,
      .stages = "dilate:50", .opencv = "cv2.dilate(a, numpy.ones((101, 101), 'B'), b)" },
    { .name = "erode 3x3", .forms = "u8", .set = set_least, .number = 3, .stages = "erode:1",
      .opencv = "cv2.erode(a, numpy.ones((3, 3), 'B'), b)" },
    { .name = "open 3x3", .forms = "u8, u8 rgb", .set = set_least, .number = 3, .stages = "open:1",
      .opencv = "cv2.morphologyEx(a, cv2.MORPH_OPEN, numpy.ones((3, 3), 'B'), b)" },
    { .name = "open 31x31", .forms = "u8, u8 rgb", .set = set_least, .number = 31, .stages = "open:15",
      .opencv = "cv2.morphologyEx(a, cv2.MORPH_OPEN, numpy.ones((31, 31), 'B'), b)" },
    { .name = "tophat 31x31", .forms = "u8, u8 rgb, u16, f32", .set = set_greatest, .number = 31,
      .stages = "tophat:15", .opencv = "cv2.morphologyEx(a, cv2.MORPH_TOPHAT, numpy.ones((31, 31), 'B'), b)" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_rank = { .name = "rank", .op = &gf_op_rank, .cases = cases,
                                                    .slow = slow_rank, .try = try_rank };
