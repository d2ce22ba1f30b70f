/* Cases of deconvolution after Richardson and Lucy. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/lucy.h"

#include <math.h>
#include <stdlib.h>

/* Planes of one channel for units [start, start + rows) of the signal, in double precision. */
struct window {
    const struct gf_check *check;
    const struct gf_lucy *p;
    int64_t start, rows, width, units;
    double *v, *u, *r, *next;
};

static double value_at(const struct window *w, const double *plane, int64_t x, int64_t y)
{
    const int64_t column = gf_border_index(w->p->border, x, w->width);
    int64_t row = gf_border_index(w->p->border, y, w->units);

    if (column < 0 || row < 0)
        return 0;
    row = row < w->start ? w->start : row >= w->start + w->rows ? w->start + w->rows - 1 : row;
    return plane[(row - w->start) * w->width + column];
}

static double weight_at(const struct window *w, int i, int j)
{
    const float *mask = w->check->masks + (gf_lucy_has_tiles(w->p) ? w->p->tiles.f.taps_at : w->p->at);
    const int nx = 2 * w->p->rx + 1;

    return w->p->separable ? (double)mask[i + w->p->rx] * (double)mask[nx + j + w->p->ry]
                           : (double)mask[(j + w->p->ry) * nx + i + w->p->rx];
}

static double sum_at(const struct window *w, const double *plane, int64_t x, int64_t y, int sign)
{
    double sum = 0;

    for (int j = -w->p->ry; j <= w->p->ry; j++)
        for (int i = -w->p->rx; i <= w->p->rx; i++)
            sum += weight_at(w, sign * i, sign * j) * value_at(w, plane, x + i, y + j);
    return sum;
}

static void slopes_at(const struct window *w, int64_t x, int64_t y, double *across, double *down)
{
    const double u = value_at(w, w->u, x, y), g = x + 1 < w->width ? value_at(w, w->u, x + 1, y) - u : 0;
    const double h = y + 1 < w->units ? value_at(w, w->u, x, y + 1) - u : 0, length = sqrt(g * g + h * h + 1e-8);

    *across = x < 0 || y < 0 ? 0 : g / length;
    *down = x < 0 || y < 0 ? 0 : h / length;
}

static double ratio_at(const struct window *w, int64_t x, int64_t y)
{
    const double v = value_at(w, w->v, x, y), c = sum_at(w, w->u, x, y, -1) + 1e-12;
    const double d = (v - c) * (double)w->p->damping, s = fmin(d * d, 1);

    return w->p->damping > 0 ? 1 + pow(s, 9) * (10 - 9 * s) * (v - c) / c : v / c;
}

static double estimate_at(const struct window *w, int64_t x, int64_t y)
{
    const double u = value_at(w, w->u, x, y), sum = sum_at(w, w->r, x, y, 1);
    double across, down, left, above, other;

    if (w->p->even <= 0)
        return u * sum;
    slopes_at(w, x, y, &across, &down);
    slopes_at(w, x - 1, y, &left, &other);
    slopes_at(w, x, y - 1, &other, &above);
    return u / (1 - (double)w->p->even * (across - left + down - above)) * sum;
}

static void iterate(struct window *w)
{
    double *u = w->u;

    for (int64_t k = 0; k < w->rows * w->width; k++)
        w->r[k] = ratio_at(w, k % w->width, w->start + k / w->width);
    for (int64_t k = 0; k < w->rows * w->width; k++)
        w->next[k] = estimate_at(w, k % w->width, w->start + k / w->width);
    w->u = w->next;
    w->next = u;
}

/*
 * Compares the whole result, because an iteration needs all of the one before it. Units at the ends of what is in
 * memory become wrong, and the error does not reach the result.
 */
static void compare_lucy(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_lucy *p = params;
    struct window w = { check, p, io->src.span.start, gf_span_units(io->src.span), io->src.width, io->src_units,
                        NULL, NULL, NULL, NULL };
    const int64_t n = w.rows * w.width;
    double *planes = malloc((size_t)n * 4 * sizeof *planes), v[GF_SLOW_CHANNELS];

    for (int c = 0; c < gf_slow_channels(io) && planes != NULL; c++) {
        w.v = planes, w.u = planes + n, w.r = planes + 2 * n, w.next = planes + 3 * n;
        for (int64_t k = 0; k < n; k++) {
            gf_slow_load(check, io, k % w.width, w.start + k / w.width, v);
            w.v[k] = v[c];
            w.u[k] = c < p->colours ? 0.5 : v[c];
        }
        for (int k = 0; k < p->iterations && c < p->colours; k++)
            iterate(&w);
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
            for (int64_t x = 0; x < w.width; x++)
                gf_check_sample(check, &gf_op_lucy, io, c, x, y, value_at(&w, w.u, x, y), slack);
    }
    free(planes);
}

/* ---- masks ---- */

#define AT (GF_CHECK_MASKS - 200)        /* in the pool of random calls */
#define ROOM 50                          /* of a shape: a full mask, or its lines after place LINES */
#define LINES 36

static const struct { int rx, ry; } shapes[] = { { 1, 1 }, { 2, 1 }, { 0, 2 }, { 3, 2 } };

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* The spectra of a shape, and those of its mask turned; the masks are those above. */
#define SPECTRA 35000
#define SPECTRA_ROOM 900

static void set_tiles(struct gf_lucy *p, int shape)
{
    p->tiles = (struct gf_fftmask) { .nx = 2 * p->rx + 1, .ny = 2 * p->ry + 1, .cx = p->rx, .cy = p->ry,
                                     .border = p->border };
    gf_fftmask_lay_out(&p->tiles, 256, p->ry);
    p->tiles.f.taps_at = AT + shape * ROOM;
    p->tiles.f.spectra_at = SPECTRA + shape * SPECTRA_ROOM;
    p->turned_at = p->tiles.f.spectra_at + SPECTRA_ROOM / 2;
}

/* Writes n weights whose sum is 1; some of a full mask are 0. */
static void write_weights(float *to, int n, bool full)
{
    double sum = 0;

    for (int k = 0; k < n; k++)
        sum += to[k] = (float)(full ? (k * 5 + 3) % 7 : 1 + k % 3);
    for (int k = 0; k < n; k++)
        to[k] = (float)((double)to[k] / sum);
}

static void make_masks(struct gf_check *check)
{
    for (int i = 0; i < SHAPES; i++) {
        const int nx = 2 * shapes[i].rx + 1, ny = 2 * shapes[i].ry + 1;
        float *to = check->masks + AT + i * ROOM;

        struct gf_lucy p = { .rx = shapes[i].rx, .ry = shapes[i].ry };

        write_weights(to, nx * ny, true);
        set_tiles(&p, i);
        if (gf_fftmask_fill(&p.tiles, to, false, check->masks + p.tiles.f.spectra_at) != 0
            || gf_fftmask_fill(&p.tiles, to, true, check->masks + p.turned_at) != 0)
            to[0] = 1000;                        /* out of memory: the checks report a difference */
        write_weights(to + LINES, nx, false);
        write_weights(to + LINES + nx, ny, false);
    }
}

static void try_lucy(struct gf_check *check, const struct gf_form *f)
{
    static const enum gf_border borders[] = { GF_CLAMP, GF_REFLECT, GF_MIRROR, GF_ZERO };
    const int shape = (int)gf_draw(check, SHAPES);
    struct gf_lucy p = { .iterations = 1 + (int)gf_draw(check, 4), .rx = shapes[shape].rx, .ry = shapes[shape].ry,
                         .separable = gf_draw(check, 2), .border = borders[gf_draw(check, 4)],
                         .damping = gf_draw(check, 3) == 0 ? 20.0f : 0, .even = gf_draw(check, 2) ? 0.01f : 0 };
    struct gf_span out, in;
    struct gf_trial t;

    p.at = AT + shape * ROOM + (p.separable ? LINES : 0);
    if (!p.separable && p.even <= 0 && gf_draw(check, 2)) {
        set_tiles(&p, shape);
        p.least = 0.01f;                         /* the squares of each full mask sum up to more than 4 times that */
    }
    gf_draw_trial(check, &t, f, true);
    t.io.store = NULL;
    t.store.out = t.load.out;
    /* an estimate of negative samples divides by sums near 0 */
    t.smooth = t.smooth && t.load.count == 0 && f->type != GF_S16 && f->type != GF_S32;
    p.colours = 1 + (int)gf_draw(check, (uint32_t)t.load.out);
    out = gf_draw_span(check, t.units);
    while (t.width * t.units * p.iterations > 8000 && p.iterations > 2)
        p.iterations--;
    in = gf_check_grow(gf_lucy_units(&p, out, t.units), gf_lucy_reach(&p), gf_lucy_reach(&p), t.units);
    gf_check_trial(check, &t, &gf_op_lucy, &p, in, out, t.width, gf_draw_form(check, f), 1e-3);
}

/* A Gaussian of so many weights, or a square of them. */
static void set_lucy(struct gf_bench_call *m)
{
    const int n = abs(m->number);
    struct gf_lucy *p = m->params;
    float *weights = gf_bench_call_masks(m, n * n);

    *p = (struct gf_lucy) { .iterations = 10, .rx = n / 2, .ry = n / 2, .colours = m->src.channels,
                            .separable = m->number > 0, .taps = m->number > 0 ? 2 * n : n * n };
    for (int k = 0; k < n * n && weights != NULL; k++)
        weights[k] = 1.0f / (float)(m->number > 0 ? n : n * n);
}

static const struct gf_bench_case cases[] = {
    { .name = "lucy 13x13", .what = "10 iterations of Richardson and Lucy, two lines of 13 weights", .forms = "u8, f32",
      .part = 4, .set = set_lucy, .number = 13, .stages = "deconvolve:2,iterations=10" },
    { .name = "lucy 9x9 full", .forms = "u8", .part = 4, .set = set_lucy, .number = -9 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_lucy = { .name = "lucy", .op = &gf_op_lucy, .cases = cases,
                                                    .compare = compare_lucy, .try = try_lucy,
                                                    .make_pools = make_masks };
