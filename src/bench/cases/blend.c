/* Cases of blending two images. */
#include "bench/bench_call.h"
#include "bench/cases/second_image.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/pixel/blend.h"

#include <math.h>
#include <string.h>

/* B(b, s) as defined in W3C Compositing and Blending Level 1. */
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
    case GF_BLEND_SUBTRACT: return b - s;
    case GF_BLEND_DIVIDE: return s > 0 ? b / s : 0;
    case GF_BLEND_SOFTLIGHT: return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (root - b);
    case GF_BLEND_HARDLIGHT: return s <= 0.5 ? 2 * b * s : 1 - (1 - b) * (2 - 2 * s);
    case GF_BLEND_DODGE: return b <= 0 ? 0 : s >= 1 ? 1 : fmin(1, b / (1 - s));
    case GF_BLEND_BURN: return b >= 1 ? 1 : s <= 0 ? 0 : 1 - fmin(1, (1 - b) / s);
    default: return s;
    }
}

static void slow_blend(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                       double *v)
{
    const struct gf_blend *p = params;
    const int64_t column = x - p->x, row = y - io->beside_shift;
    double s[4] = { 0 }, as, ab, alpha;

    gf_slow_load(check, io, x, y, v);
    if (column < 0 || column >= io->beside.width || row < 0 || row >= io->beside_units)
        return;
    for (int c = 0; c < io->beside.channels; c++)
        s[c] = gf_slow_sample(&io->beside, c, column, row);
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
        else if (p->mode == GF_BLEND_QUOTIENT)
            v[c] = t > 0 ? b * (double)p->amount / t : 0;
        else if (as > 0)
            v[c] = (as * ((1 - ab) * t + ab * slow_colour(p->mode, b, t)) + (1 - as) * ab * b) / alpha;
    }
    if (p->alpha && p->mode < GF_BLEND_COMPARE)
        v[p->colours] = alpha;
}

static void try_blend(struct gf_check *check, const struct gf_form *f)
{
    static const enum gf_blend_mode often[] = { GF_BLEND_NORMAL, GF_BLEND_DIFFERENCE, GF_BLEND_COMPARE };
    const bool common = gf_draw(check, 2);
    struct gf_blend p = { .mode = (enum gf_blend_mode)(common ? often[gf_draw(check, 3)]
                                                              : gf_draw(check, GF_BLEND_COMPARE + 1)),
                          .amount = gf_draw(check, 2) ? 1 : (float)gf_draw_unit(check) };
    const struct gf_form *beside;
    struct gf_trial t;
    struct gf_span out;
    int channels;
    bool exact;

    if (f->channels > 4 || f->type == GF_S16)
        f = &gf_forms[2];
    do
        gf_draw_trial(check, &t, f, gf_draw(check, 2));
    while ((p.mode == GF_BLEND_MASK && t.load.out == 1) || t.load.out > 4);
    channels = t.load.out;
    out = gf_draw_span(check, t.units);
    beside = gf_second_image_draw(check, &t, out);
    p.alpha = p.mode == GF_BLEND_MASK || channels == 2 || channels == 4 || (channels == 3 && gf_draw(check, 4) == 0);
    p.colours = channels - p.alpha;
    p.beside_alpha = beside->channels == 2 || beside->channels == 4;
    p.beside_colours = beside->channels - p.beside_alpha;
    if (p.beside_colours > p.colours && p.mode != GF_BLEND_MASK)
        p.beside_colours = 1;                    /* a second image with more colors is used as gray */
    if (p.beside_colours == 1 && beside->channels > 2)
        p.beside_alpha = false;
    p.x = gf_draw(check, 2) ? 0 : (int64_t)gf_draw(check, (uint32_t)(4 * t.width)) - 2 * t.width;
    p.x = gf_draw(check, 2) ? p.x : p.x / 16 * 16;
    exact = t.load.count == 0 && beside->type == GF_F32 && (f->type == GF_F32 || f->type == GF_F64);
    if ((p.mode == GF_BLEND_DODGE || p.mode == GF_BLEND_BURN || p.mode == GF_BLEND_DIVIDE) && !exact)
        t.smooth = false;                        /* small divisors amplify the rounding of levels to floats */
    gf_check_trial(check, &t, &gf_op_blend, &p, gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units), out,
                   t.width, gf_draw_form(check, f), 1e-5);
    t.io.beside.data = NULL;
    check->second_bytes = 0;
}

/* Blends an image with itself, half as strong unless it has alpha. */
static void set_blend(struct gf_bench_call *m)
{
    const bool alpha = m->src.channels == 2 || m->src.channels == 4;
    const int colours = m->src.channels - alpha;

    m->beside = true;
    *(struct gf_blend *)m->params = (struct gf_blend) { .mode = (enum gf_blend_mode)m->number, .colours = colours,
                                                        .alpha = alpha,
                                           .beside_colours = colours, .beside_alpha = alpha, .amount = alpha ? 1
                                                        : 128.0f / 255 };
}

static void set_compare(struct gf_bench_call *m)
{
    set_blend(m);
    ((struct gf_blend *)m->params)->amount = 1;
}

static const struct gf_bench_case cases[] = {
    { .name = "screen", .what = "screen blend with itself, bytes", .forms = "u8", .set = set_blend,
      .number = GF_BLEND_SCREEN },
    { .name = "over", .forms = "u8, u8 rgba", .set = set_blend, .number = GF_BLEND_NORMAL,
      .peers = { { "NPP AlphaCompC", "u8", gf_npp_mixed }, { "NPP AlphaComp", "u8 rgba", gf_npp_over } } },
    { .name = "softlight", .forms = "u8 rgb", .set = set_blend, .number = GF_BLEND_SOFTLIGHT },
    { .name = "difference", .forms = "u8, u8 rgb", .set = set_compare, .number = GF_BLEND_COMPARE,
      .peers = { { "NPP AbsDiff", "u8", gf_npp_difference } } },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_blend = { .name = "blend", .op = &gf_op_blend, .cases = cases,
                                                     .slow = slow_blend, .try = try_blend };
