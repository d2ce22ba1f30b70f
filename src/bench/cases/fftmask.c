/* Cases of large masks by Fourier transforms of tiles. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/fftmask.h"

#include <string.h>

static void slow_fftmask(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                         double *out)
{
    const struct gf_fftmask *m = params;
    double v[GF_SLOW_CHANNELS];

    gf_slow_load(check, io, x, y, out);
    for (int c = 0; c < m->colours; c++)
        out[c] = 0;
    for (int k = 0; k < m->nx * m->ny; k++) {
        const int64_t sx = gf_border_index(m->border, x + k % m->nx - m->cx, io->src.width);
        const int64_t sy = gf_border_index(m->border, y + k / m->nx - m->cy, io->src_units);

        gf_slow_load(check, io, sx, sy, v);
        for (int c = 0; c < m->colours && sx >= 0 && sy >= 0; c++)
            out[c] += v[c] * (double)check->masks[m->f.taps_at + k];
    }
}

/* ---- random calls ---- */

#define AT 30000                         /* in the pool of random calls */
#define ROOM 1000                        /* of a shape: its weights, and its spectra after place SPECTRA */
#define SPECTRA 40

/* Tiles are small, so that images have many of them. */
static const struct { int nx, ny, size, rows; } shapes[] = {
    { 3, 3, 256, 0 }, { 5, 4, 512, 0 }, { 1, 7, 256, 2 }, { 6, 2, 128, 3 }, { 4, 1, 128, 0 }
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct gf_fftmask shape_of(int i)
{
    struct gf_fftmask m = { .nx = shapes[i].nx, .ny = shapes[i].ny, .cx = shapes[i].nx / 2, .cy = shapes[i].ny / 2 };

    gf_fftmask_lay_out(&m, shapes[i].size, shapes[i].rows);
    m.f.taps_at = AT + i * ROOM;
    m.f.spectra_at = m.f.taps_at + SPECTRA;
    return m;
}

static void make_spectra(struct gf_check *check)
{
    for (int i = 0; i < SHAPES; i++) {
        const struct gf_fftmask m = shape_of(i);
        float *weights = check->masks + m.f.taps_at;

        for (int k = 0; k < m.nx * m.ny; k++)
            weights[k] = (float)((k * 5 + 3) % 7 - 1) / 32;
        if (gf_fftmask_fill(&m, weights, false, check->masks + m.f.spectra_at) != 0)
            weights[0] = 1000;                   /* out of memory: the checks report a difference */
    }
}

static void try_fftmask(struct gf_check *check, const struct gf_form *f)
{
    struct gf_fftmask m = shape_of((int)gf_draw(check, SHAPES));
    struct gf_span out, tiles;
    struct gf_trial t;
    int64_t before, after;

    gf_draw_trial(check, &t, f, true);
    t.smooth = t.smooth && t.store.count == 0;           /* a steep step makes an error of a dark pixel larger */
    m.border = (enum gf_border)gf_draw(check, 5);
    m.colours = 1 + (int)gf_draw(check, (uint32_t)t.load.out);
    out = gf_draw_span(check, t.units);
    tiles = gf_fftmask_tiles_of(&m, out, t.units);
    gf_conv_reach(m.ny, m.cy, m.border, &before, &after);
    gf_check_trial(check, &t, &gf_op_fftmask, &m,
                   m.border == GF_WRAP ? (struct gf_span) { 0, t.units }
                                       : gf_check_grow(tiles, before, after, t.units),
                   out, t.width, gf_draw_form(check, f), 1e-5);
}

/* ---- cases ---- */

/* A square of so many weights. */
static void set_fftmask(struct gf_bench_call *m)
{
    const int n = m->number;
    struct gf_fftmask *p = m->params;
    float *spectra, *weights = gf_bench_call_masks(m, 2 * n * n);

    *p = (struct gf_fftmask) { .nx = n, .ny = n, .cx = n / 2, .cy = n / 2, .colours = m->src.channels };
    gf_fftmask_choose(p, 0);
    for (int k = 0; k < n * n && weights != NULL; k++)
        weights[k] = (float)(k % 8 + 1) / (float)(8 * n * n);
    p->f.spectra_at = m->mask_count;
    spectra = gf_bench_call_masks(m, gf_fftconv_spectra_samples(&p->f));
    m->failed = m->failed || spectra == NULL || gf_fftmask_fill(p, m->masks, false, spectra) != 0;
}

static const struct gf_bench_case cases[] = {
    { .name = "fftmask 31x31", .what = "31 by 31 weights by transforms of tiles", .forms = "u8, u8 rgb, f32", .part = 4,
      .set = set_fftmask, .number = 31 },
    { .name = "fftmask 127x127", .forms = "f32", .part = 16, .set = set_fftmask, .number = 127 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_fftmask = { .name = "fftmask", .op = &gf_op_fftmask, .cases = cases,
                                                       .slow = slow_fftmask, .try = try_fftmask,
                                                       .make_pools = make_spectra };
