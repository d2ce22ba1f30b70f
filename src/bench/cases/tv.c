/* Cases of denoising by total variation. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/tv.h"

#include <math.h>
#include <stdlib.h>

/* Planes of one channel, as large as a window around one place of the result, in double precision. */
struct window {
    int64_t left, top, columns, rows;    /* within the signal */
    double *v, *p, *q, *u;
};

static double at(const struct window *w, const double *plane, int64_t x, int64_t y)
{
    return x < w->left || y < w->top || x >= w->left + w->columns || y >= w->top + w->rows
           ? 0 : plane[(y - w->top) * w->columns + x - w->left];
}

static void make_values(const struct window *w)
{
    for (int64_t y = w->top; y < w->top + w->rows; y++)
        for (int64_t x = w->left; x < w->left + w->columns; x++)
            w->u[(y - w->top) * w->columns + x - w->left] = at(w, w->v, x, y) - at(w, w->p, x, y) - at(w, w->q, x, y)
                + at(w, w->p, x - 1, y) + at(w, w->q, x, y - 1);
}

static void do_step(const struct window *w, double rate, int64_t width, int64_t units)
{
    make_values(w);
    for (int64_t y = w->top; y < w->top + w->rows; y++)
        for (int64_t x = w->left; x < w->left + w->columns; x++) {
            const int64_t i = (y - w->top) * w->columns + x - w->left;
            const double g = x + 1 < width ? at(w, w->u, x + 1, y) - w->u[i] : 0;
            const double h = y + 1 < units ? at(w, w->u, x, y + 1) - w->u[i] : 0;
            const double by = 1 + rate * sqrt(g * g + h * h);

            w->p[i] = (w->p[i] - g / 4) / by;
            w->q[i] = (w->q[i] - h / 4) / by;
        }
}

/* Places near the sides of the window become wrong, and after all steps they have not reached the middle. */
static double slow_channel(const struct gf_check *check, const struct gf_io *io, const struct gf_tv *tv, int64_t x,
                           int64_t y, int c)
{
    const int64_t reach = tv->iterations + 1;
    const struct gf_span columns = gf_check_grow((struct gf_span) { x, x + 1 }, reach, reach, io->src.width);
    const struct gf_span rows = { y - reach < io->src.span.start ? io->src.span.start : y - reach,
                                  y + 1 + reach > io->src.span.end ? io->src.span.end : y + 1 + reach };
    const int64_t n = gf_span_units(columns) * gf_span_units(rows);
    double *planes = calloc((size_t)n * 4, sizeof *planes), v[GF_SLOW_CHANNELS], result = NAN;
    const struct window w = { columns.start, rows.start, gf_span_units(columns), gf_span_units(rows),
                              planes, planes + n, planes + 2 * n, planes + 3 * n };

    if (planes == NULL)
        return NAN;
    for (int64_t i = 0; i < n; i++) {
        gf_slow_load(check, io, columns.start + i % w.columns, rows.start + i / w.columns, v);
        w.v[i] = v[c];
    }
    for (int k = 1; k < tv->iterations; k++)
        do_step(&w, (double)tv->rate, io->src.width, io->src_units);
    make_values(&w);
    result = at(&w, w.u, x, y);
    free(planes);
    return result;
}

static void slow_tv(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                    double *out)
{
    const struct gf_tv *tv = params;

    gf_slow_load(check, io, x, y, out);
    for (int c = 0; c < tv->colours; c++)
        out[c] = slow_channel(check, io, tv, x, y, c);
}

static void try_tv(struct gf_check *check, const struct gf_form *f)
{
    static const int iterations[] = { 1, 2, 3, 8, 9, 10, 17, 25 };
    struct gf_tv tv = { .rate = (float)exp2(gf_draw_unit(check) * 6 - 2),
                        .iterations = iterations[gf_draw(check, sizeof iterations / sizeof *iterations)] };
    struct gf_span out, in;
    struct gf_trial t;

    gf_draw_trial(check, &t, f, true);
    tv.colours = 1 + (int)gf_draw(check, (uint32_t)t.load.out);
    out = gf_draw_span(check, t.units);
    while (t.width * gf_span_units(out) * tv.iterations * tv.iterations * tv.iterations > 300000 && tv.iterations > 1)
        tv.iterations--;
    in = gf_check_grow(out, tv.iterations - 1, tv.iterations - 1, t.units);
    gf_check_trial(check, &t, &gf_op_tv, &tv, in, out, t.width, gf_draw_form(check, f), 1e-5);
}

static void set_tv(struct gf_bench_call *m)
{
    *(struct gf_tv *)m->params = (struct gf_tv) { .rate = 2.5f, .iterations = m->number, .colours = m->src.channels };
}

static const struct gf_bench_case cases[] = {
    { .name = "tv 10", .what = "10 steps of total variation, bytes", .forms = "u8, u8 rgb, f32", .set = set_tv,
      .number = 10, .stages = "tv:0.1,iterations=10" },
    { .name = "tv 50", .forms = "u8", .part = 4, .set = set_tv, .number = 50, .stages = "tv:0.1,iterations=50" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_tv = { .name = "tv", .op = &gf_op_tv, .cases = cases, .slow = slow_tv,
                                                  .try = try_tv };
