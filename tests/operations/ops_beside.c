/* Trials of operations with a second source, and what is right of them. */
#include "ops_trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pixel/blend.h"
#include "ops_slow.h"

/* ---- what is right ---- */

/* B(b, s) as the words of the W3C's compositing have it. */
static double slow_colour(enum gf_blend_mode mode, double b, double s)
{
    const double root = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : sqrt(b);

    switch (mode) {
    case GF_BLEND_MULTIPLY: return b * s;
    case GF_BLEND_SCREEN: return 1 - (1 - b) * (1 - s);
    case GF_BLEND_OVERLAY: return slow_colour(GF_BLEND_HARDLIGHT, s, b);
    case GF_BLEND_DARKEN: return fmin(b, s);
    case GF_BLEND_LIGHTEN: return fmax(b, s);
    case GF_BLEND_DIFFERENCE: return fabs(b - s);
    case GF_BLEND_EXCLUSION: return b + s - 2 * b * s;
    case GF_BLEND_ADD: return fmin(b + s, 1);
    case GF_BLEND_SUBTRACT: return fmax(b - s, 0);
    case GF_BLEND_SOFTLIGHT: return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (root - b);
    case GF_BLEND_HARDLIGHT: return s <= 0.5 ? 2 * b * s : 1 - (1 - b) * (2 - 2 * s);
    case GF_BLEND_DODGE: return b <= 0 ? 0 : s >= 1 ? 1 : fmin(1, b / (1 - s));
    case GF_BLEND_BURN: return b >= 1 ? 1 : s <= 0 ? 0 : 1 - fmin(1, (1 - b) / s);
    default: return s;
    }
}

static void slow_blend(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *v)
{
    const struct gf_blend *p = params;
    const int64_t column = x - p->x, row = y - io->beside_shift;
    double s[4] = { 0 }, as, ab, alpha;

    gf_loaded(io, x, y, v);
    if (column < 0 || column >= io->beside.width || row < 0 || row >= io->beside_units)
        return;
    for (int c = 0; c < io->beside.channels; c++)
        s[c] = gf_get(&io->beside, c, column, row);
    as = p->beside_alpha ? s[p->beside_colours] : 1;
    if (p->mode == GF_BLEND_MASK) {
        v[p->colours] *= p->beside_alpha ? as : p->beside_colours == 3 ? .299 * s[0] + .587 * s[1] + .114 * s[2] : s[0];
        return;
    }
    as *= (double)p->amount;
    ab = p->alpha ? v[p->colours] : 1;
    alpha = as + (1 - as) * ab;
    for (int c = 0; c < p->colours; c++) {
        const double b = v[c], t = s[p->beside_colours == 1 ? 0 : c];

        if (p->mode == GF_BLEND_COMPARE)
            v[c] = fabs(b - t) * (double)p->amount;
        else if (as > 0)
            v[c] = (as * ((1 - ab) * t + ab * slow_colour(p->mode, b, t)) + (1 - as) * ab * b) / alpha;
    }
    if (p->alpha && p->mode != GF_BLEND_COMPARE)
        v[p->colours] = alpha;
}

static double compared(const struct gf_block *b, int c, int64_t x, int64_t y)
{
    return c < 0 ? 1 : gf_get(b, c, x, y);
}

/* By the words of Wang and others: weights of the whole window first, then means, then variances around them. */
static void slow_ssim(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_ssim *s = params;
    const int n = s->channels, reach = GF_SSIM_REACH;
    const bool whole = x >= reach && y >= reach && x < io->src.width - reach && y < io->src_units - reach;

    for (int c = 0; c < n; c++) {
        double a[11][11], b[11][11], mx = 0, my = 0, vx = 0, vy = 0, both = 0, all = 0;

        out[c] = (compared(&io->src, s->of[0][c], x, y) - compared(&io->beside, s->of[1][c], x, y)) * (double)s->scale;
        out[n + c] = 0;
        for (int j = 0; whole && j < 11; j++)
            for (int i = 0; i < 11; i++) {
                const double w = exp(-((i - 5) * (i - 5) + (j - 5) * (j - 5)) / (2 * 1.5 * 1.5));

                a[j][i] = compared(&io->src, s->of[0][c], x + i - 5, y + j - 5);
                b[j][i] = compared(&io->beside, s->of[1][c], x + i - 5, y + j - 5);
                all += w, mx += w * a[j][i], my += w * b[j][i];
            }
        mx /= all, my /= all;
        for (int j = 0; whole && j < 11; j++)
            for (int i = 0; i < 11; i++) {
                const double w = exp(-((i - 5) * (i - 5) + (j - 5) * (j - 5)) / (2 * 1.5 * 1.5)) / all;

                vx += w * (a[j][i] - mx) * (a[j][i] - mx), vy += w * (b[j][i] - my) * (b[j][i] - my);
                both += w * (a[j][i] - mx) * (b[j][i] - my);
            }
        if (whole)
            out[n + c] = (2 * mx * my + 0.0001) * (2 * both + 0.0009) / ((mx * mx + my * my + 0.0001) * (vx + vy + 0.0009));
    }
}

/* ---- the trials ---- */

/* Units `rows` of a picture, packed without gaps as a second source always is. */
static void lay_rows(struct gf_trial *t, const struct gf_form *f, int64_t width, struct gf_span rows)
{
    const bool aligned = gf_aligned;

    gf_aligned = true;
    t->io.beside = gf_block_of(f, f->channels, gf_src_bytes, width, rows);
    gf_aligned = aligned;
    gf_beside_size = gf_block_bytes(&t->io.beside);
    gf_fill_block(&t->io.beside, gf_beside_size, t->fill);
    memcpy(gf_beside_bytes, gf_src_bytes, gf_beside_size);
    t->io.beside.data = gf_beside_bytes + ((unsigned char *)t->io.beside.data - gf_src_bytes);
}

static const struct gf_form *any_form(void)
{
    static const int forms[] = { 0, 1, 2, 3, 4, 8, 9, 10, 16 };

    return &gf_forms[forms[gf_any(sizeof forms / sizeof *forms)]];
}

/*
 * A picture of any size around the signal's, the rows of it beside `span` of the signal, and a few more. Often it is stored as the
 * signal is, which bodies may have a way of their own for.
 */
static const struct gf_form *lay_beside(struct gf_trial *t, struct gf_span span)
{
    const struct gf_form *f = t->form->channels <= 4 && gf_any(2) ? t->form : any_form();
    const int64_t width = gf_any(3) ? t->width : 1 + gf_any((uint32_t)(2 * t->width));
    const int64_t units = gf_any(3) ? t->units : 1 + gf_any((uint32_t)(2 * t->units));
    struct gf_span rows;

    t->io.beside_units = units;
    t->io.beside_shift = gf_any(2) ? 0 : (int64_t)gf_any((uint32_t)(3 * units)) - 2 * units;
    rows = (struct gf_span) { span.start - t->io.beside_shift - gf_any(3), span.end - t->io.beside_shift + gf_any(3) };
    rows.start = rows.start < 0 ? 0 : rows.start > units ? units : rows.start;
    rows.end = rows.end < rows.start ? rows.start : rows.end > units ? units : rows.end;
    lay_rows(t, f, width, rows);
    return f;
}

static void try_blend(const struct gf_form *f, bool on_gpu)
{
    static const enum gf_blend_mode often[] = { GF_BLEND_NORMAL, GF_BLEND_DIFFERENCE, GF_BLEND_COMPARE };
    struct gf_blend p = { .mode = gf_any(2) ? often[gf_any(3)] : (enum gf_blend_mode)gf_any(GF_BLEND_COMPARE + 1),
                          .amount = gf_any(2) ? 1 : (float)gf_unit_random() };
    const struct gf_form *beside;
    struct gf_trial t;
    struct gf_span out;
    int channels;
    bool exact;

    if (f->channels > 4 || f->type == GF_S16)
        f = &gf_forms[2];
    do
        gf_start_trial(&t, f, gf_any(2));
    while ((p.mode == GF_BLEND_MASK && t.load.out == 1) || t.load.out > 4);
    channels = t.load.out;
    out = gf_part_of(t.units);
    beside = lay_beside(&t, out);
    p.alpha = p.mode == GF_BLEND_MASK || channels == 2 || channels == 4 || (channels == 3 && gf_any(4) == 0);
    p.colours = channels - p.alpha;
    p.beside_alpha = beside->channels == 2 || beside->channels == 4;
    p.beside_colours = beside->channels - p.beside_alpha;
    if (p.beside_colours > p.colours && p.mode != GF_BLEND_MASK)
        p.beside_colours = 1;                    /* others are not looked at */
    if (p.beside_colours == 1 && beside->channels > 2)
        p.beside_alpha = false;
    p.x = gf_any(2) ? 0 : (int64_t)gf_any((uint32_t)(4 * t.width)) - 2 * t.width;
    p.x = gf_any(2) ? p.x : p.x / 16 * 16;
    exact = t.load.count == 0 && beside->type == GF_F32 && (f->type == GF_F32 || f->type == GF_F64);
    if ((p.mode == GF_BLEND_DODGE || p.mode == GF_BLEND_BURN) && !exact)
        t.smooth = false;                        /* small divisors make much of how a level is rounded to a float */
    gf_finish_trial(&t, on_gpu, &gf_op_blend, &p, gf_grown(out, gf_any(3), gf_any(3), t.units), out, t.width, gf_other_form(f), 1e-5);
    t.io.beside.data = NULL;
    gf_beside_size = 0;
}

const struct gf_op_test gf_op_test_blend = { .name = "blend", .op = &gf_op_blend,
    .try = try_blend, .slow = slow_blend };

static void try_ssim(const struct gf_form *f, bool on_gpu)
{
    const struct gf_form *beside = any_form();
    struct gf_ssim s = { .channels = 1 + (int)gf_any(4), .scale = gf_any(2) ? 1.0f : 2.5f };
    struct gf_trial t;
    struct gf_span out, in;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_start_trial(&t, f, false);
    for (int c = 0; c < 4; c++) {
        s.of[0][c] = (signed char)((int)gf_any((uint32_t)f->channels + 1) - 1);
        s.of[1][c] = (signed char)((int)gf_any((uint32_t)beside->channels + 1) - 1);
    }
    s.levels = (f->type == GF_U8 || f->type == GF_U16) && gf_any(2) ? (float)f->maxval : 0;
    gf_point_init(&t.store, 2 * s.channels);
    t.io.store = NULL;
    out = gf_part_of(t.units);
    in = gf_grown(out, GF_SSIM_REACH, GF_SSIM_REACH, t.units);
    t.io.beside_units = t.units;
    lay_rows(&t, beside, t.width, gf_any(2) ? in : (struct gf_span) { 0, t.units });      /* a CPU finds all of it */
    gf_finish_trial(&t, on_gpu, &gf_op_ssim, &s, in, out, t.width, gf_any(2) ? &gf_forms[13] : gf_other_form(f), 3e-6);
    t.io.beside.data = NULL;
    gf_beside_size = 0;
}

const struct gf_op_test gf_op_test_ssim = { .name = "similar", .op = &gf_op_ssim,
    .try = try_ssim, .slow = slow_ssim };
