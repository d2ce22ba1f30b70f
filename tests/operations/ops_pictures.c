/* Trials of operations on pictures. */
#include "ops_trials.h"

#include <math.h>
#include <string.h>

#include "ops_slow.h"
#include "kernels/base/program_run.h"
#include "kernels/geometry/move.h"
#include "kernels/pixel/vignette.h"

static void try_point(const struct gf_form *f, bool on_gpu)
{
    struct gf_trial t;
    struct gf_span out;

    gf_start_trial(&t, f, true);
    out = gf_part_of(t.units);
    gf_finish_trial(&t, on_gpu, &gf_op_point, NULL, gf_grown(out, gf_any(3), gf_any(3), t.units), out, t.width, gf_other_form(f),
                    2e-6);
}

const struct gf_op_test gf_op_test_point = { .name = "point", .op = &gf_op_point, .try = try_point };

static void try_conv(const struct gf_form *f, bool on_gpu)
{
    static const int lengths[] = { 1, 2, 3, 5, 9, 15, 31, 64, 65, 130 };
    struct gf_trial t;
    struct gf_span out;
    struct gf_conv m = { .border = (enum gf_border)gf_any(5), .mask_channels = 1 };
    const int kind = (int)gf_any(4);
    int reach;

    gf_start_trial(&t, f, true);
    out = gf_part_of(t.units);
    m.full = kind == 3 && t.width > 1;
    m.nx = kind == 1 || t.width == 1 ? 0 : lengths[gf_any(m.full ? 6 : kind == 0 ? 8 : 10)];
    m.ny = kind == 2 && m.nx > 0 ? 0 : lengths[gf_any(m.full ? 6 : kind == 0 ? 8 : 10)];
    m.cx = m.nx / 2, m.cy = gf_any(4) == 0 ? 0 : m.ny / 2;
    if (f->channels > 1 && t.load.out == f->channels && gf_any(4) == 0)
        m.mask_channels = f->channels;
    m.x_at = gf_any(2) ? gf_any(2000) : 20000 + gf_any(1000);
    m.y_at = gf_any(3000);
    m.full_at = gf_any(3) ? gf_any(2000) : 17000;
    if ((m.border == GF_REFLECT || m.border == GF_MIRROR) && m.ny > 0)
        m.ny |= 1, m.cy = m.ny / 2;
    if (m.full ? gf_any(3) == 0 : m.nx > 0 && m.ny > 0 && gf_any(3) == 0) {
        m.combine = m.full ? GF_CONV_HYPOT : GF_CONV_SHARPEN;
        m.combined = 1 + (int)gf_any((uint32_t)t.load.out);
        m.mask_channels = 1;
        m.also_at = gf_any(3) ? gf_any(2000) : 18000;
        m.amount = 0.5f + (float)gf_unit_random();
        m.threshold = gf_any(2) ? 0 : 0.05f;
        t.smooth = t.smooth && (m.full || m.threshold == 0);           /* where it jumps, either side is right */
    }
    reach = m.ny - 1 - m.cy > m.cy ? m.ny - 1 - m.cy : m.cy;          /* both ways alike: what is reflected lies within */
    gf_finish_trial(&t, on_gpu, &gf_op_conv, &m,
                    m.border == GF_WRAP ? (struct gf_span) { 0, t.units } : gf_grown(out, reach, reach, t.units),
                    out, t.width, gf_other_form(f), 3e-6);
}

const struct gf_op_test gf_op_test_conv = { .name = "conv", .op = &gf_op_conv,
    .try = try_conv, .slow = gf_slow_conv };

static void try_box(const struct gf_form *f, bool on_gpu)
{
    static const int radii[] = { 0, 1, 2, 3, 7, 8, 20, 63, 64, 100, 511 };
    struct gf_box b = { .radius = radii[gf_any(sizeof radii / sizeof *radii)], .along_units = gf_any(2),
                        .border = (enum gf_border)gf_any(5) };
    const int64_t reach = b.along_units ? b.radius : 0;
    struct gf_trial t;
    struct gf_span out;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_start_trial(&t, f, true);
    out = gf_part_of(t.units);
    gf_finish_trial(&t, on_gpu, &gf_op_box, &b,
                    b.along_units && b.border == GF_WRAP ? (struct gf_span) { 0, t.units } : gf_grown(out, reach, reach, t.units),
                    out, t.width, gf_other_form(f), 3e-6);
}

const struct gf_op_test gf_op_test_box = { .name = "box", .op = &gf_op_box, .try = try_box, .slow = gf_slow_box };

static void slow_vignette(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_vignette *v = params;
    const double d = hypot((double)x * (double)v->x_scale + (double)v->x_from, (double)y * (double)v->y_scale + (double)v->y_from);
    const double t = fmin(fmax(d * (double)v->slope + (double)v->start, 0), 1);

    gf_loaded(io, x, y, out);
    for (int c = 0; c < v->channels; c++)
        out[c] *= 1 - (double)v->strength * t * t * (3 - 2 * t);
}

static void try_vignette(const struct gf_form *f, bool on_gpu)
{
    const float radius = (float)gf_unit_random() * 0.9f;
    struct gf_vignette v = { .slope = 1 / (1 - radius), .start = -radius / (1 - radius), .strength = (float)(2 * gf_unit_random() - 1) };
    struct gf_span out;
    struct gf_trial t;

    gf_start_trial(&t, f, true);
    v.channels = 1 + (int)gf_any((uint32_t)t.load.out);
    v.x_scale = 3 * (float)gf_unit_random() / (float)t.width, v.x_from = -2 * (float)gf_unit_random();
    v.y_scale = 3 * (float)gf_unit_random() / (float)t.units, v.y_from = -2 * (float)gf_unit_random();
    out = gf_part_of(t.units);
    gf_finish_trial(&t, on_gpu, &gf_op_vignette, &v, gf_grown(out, gf_any(3), gf_any(3), t.units), out, t.width, gf_other_form(f), 3e-6);
}

const struct gf_op_test gf_op_test_vignette = { .name = "vignette", .op = &gf_op_vignette,
    .try = try_vignette, .slow = slow_vignette };

static void try_sample(const struct gf_form *f, bool on_gpu)
{
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS), a = gf_unit_random() * 6.3;
    struct gf_sample s = { .xx = (int64_t)(cos(a) * one), .xy = (int64_t)(sin(a) * one), .yx = (int64_t)(-sin(a) * one),
                           .yy = (int64_t)(cos(a) * one), .interpolation = (enum gf_interpolation)gf_any(3),
                           .use_background = gf_any(2), .border = (enum gf_border)gf_any(5),
                           .background = { .2f, .4f, .6f, 1.0f } };
    const int64_t *size = gf_sizes[gf_any(GF_SIZES)];
    struct gf_trial t;
    struct gf_span out;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_start_trial(&t, f, true);
    s.coarse = s.textures = s.interpolation == GF_LINEAR && gf_any(3);
    if (s.coarse) {                                                  /* what it is for: finite samples, straight to 8 bits */
        gf_point_init(&t.store, t.load.out);
        t.fill = t.fill == GF_FILL_WILD ? GF_FILL_NOISE : t.fill;
        if (gf_any(2))
            memset(s.background, 0, sizeof s.background);
    }
    s.cx = (int64_t)((gf_unit_random() * 1.4 - 0.2) * (double)t.width * one);
    s.cy = (int64_t)((gf_unit_random() * 1.4 - 0.2) * (double)t.units * one);
    out = gf_part_of(size[1]);
    t.smooth = t.smooth && s.interpolation != GF_NEAREST;
    gf_finish_trial(&t, on_gpu, &gf_op_sample, &s, (struct gf_span) { 0, t.units }, out, size[0],
                    s.coarse ? &gf_forms[0] : gf_other_form(f), 1e-5);
}

const struct gf_op_test gf_op_test_sample = { .name = "sample", .op = &gf_op_sample,
    .try = try_sample, .slow = gf_slow_sample };

/* Picked samples are the stored ones, whatever they are: NaN and infinities too. */
static void check_picked(const struct gf_trial *t, const struct gf_rank *r)
{
    double wanted[GF_MAX_CHANNELS + 4];

    for (int64_t y = t->io.dst.span.start; y < t->io.dst.span.end && gf_trouble[0] == '\0'; y++)
        for (int64_t x = 0; x < t->io.dst.width; x++) {
            gf_slow_rank(&t->io, r, x, y, wanted);
            for (int c = 0; c < t->io.dst.channels; c++)
                if (!gf_same_value(gf_get(&t->io.dst, c, x, y), wanted[c]))
                    gf_complain("picks", &gf_op_rank, &t->io, c, x, y, gf_get(&t->io.dst, c, x, y), wanted[c]);
        }
}

static void try_rank(const struct gf_form *f, bool on_gpu)
{
    static const int radii[] = { 1, 1, 2, 2, 3, 4, 5, 6, 9, 17 };
    struct gf_rank r = { .pick = (enum gf_rank_pick)gf_any(3), .radius = radii[gf_any(10)], .border = (enum gf_border)gf_any(5) };
    const bool programs = gf_any(2);
    struct gf_trial t;
    struct gf_span out;

    if (f->channels > 4)
        f = &gf_forms[1];
    gf_start_trial(&t, f, programs);
    while (t.width * t.units * r.radius * r.radius > 60000)
        r.radius--;
    if (gf_any(60) == 0)
        t.width = 3, t.units = t.io.src_units = 40, r.radius = 50;
    if (gf_any(8) == 0)                                                 /* several tiles across */
        t.width = 700 + gf_any(700), t.units = t.io.src_units = 20,
            r.radius = 1 + (int)gf_any(r.radius > 4 ? 4 : (uint32_t)r.radius);
    out = gf_part_of(t.units);
    if (gf_span_units(out) * t.width * r.radius * r.radius > 300000)
        out.end = out.start + 1;
    r.channels = t.load.out - (t.load.out > 1 && gf_any(2));
    gf_finish_trial(&t, on_gpu, &gf_op_rank, &r,
                    r.border == GF_WRAP ? (struct gf_span) { 0, t.units } : gf_grown(out, r.radius, r.radius, t.units), out,
                    t.width, gf_any(3) ? f : gf_other_form(f), 2e-6);
    if (!on_gpu && gf_trouble[0] == '\0' && t.load.count == 0 && t.store.count == 0 && t.io.dst.type == f->type
        && t.io.dst.maxval == f->maxval && f->type != GF_S32 && f->type != GF_F64)
        check_picked(&t, &r);
}

const struct gf_op_test gf_op_test_rank = { .name = "rank", .op = &gf_op_rank,
    .try = try_rank, .slow = gf_slow_rank };

/* Sides, divisors and weights: all of them, or the line along x and then that along y, each divided. */
static const struct { int side, divisor; bool full; signed char weights[25]; } wholes[] = {
    { 3, 1, true, { -1, 0, 1, -2, 0, 2, -1, 0, 1 } }, { 3, 1, true, { 0, 1, 0, 1, -4, 1, 0, 1, 0 } },
    { 3, 1, true, { -2, -1, 0, -1, 1, 1, 0, 1, 2 } }, { 3, 1, false, { -1, 0, 1, 1, 2, 1 } },
    { 3, 3, false, { 1, 1, 1, 1, 1, 1 } },
    { 3, 1, true, { 127, -127, 127, -127, 3, 127, 0, -127, 0 } }, { 3, 9, true, { 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
    { 3, 16, true, { 1, 2, 1, 2, 4, 2, 1, 2, 1 } }, { 3, 221, true, { 3, 100, 7, 22, 11, 30, 1, 40, 7 } },
    { 5, 5, false, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } }, { 5, 15, false, { 1, 2, 3, 4, 5, 1, 6, 2, -3, 9 } },
    { 5, 25, true, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
    { 5, 225, true, { 9, 8, 7, 6, 5, 9, 8, 7, 6, 5, 9, 9, 9, 9, 11, 13, 17, 2, 6, 9, 8, 7, 6, 5, 25 } },
    { 5, 1, true, { -1, 2, -3, 4, -5, 6, -7, 8, -9, 10, 0, 0, 1, 0, 0, 10, -9, 8, -7, 6, -5, 4, -3, 2, -1 } },
    { 5, 7, true, { 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0 } },
};

enum { WHOLES = sizeof wholes / sizeof *wholes };

void gf_make_whole_masks(void)
{
    for (int i = 0; i < WHOLES * 25; i++)
        gf_masks[GF_WHOLE_MASKS + i] = (float)wholes[i / 25].weights[i % 25] / (float)wholes[i / 25].divisor;
}

/* Bytes in rows of sixteens, for which a GPU has kernels of its own: one strip or several, and what is left of one. */
static void try_strips(const struct gf_form *f, bool on_gpu)
{
    const int64_t pieces[] = { 1 + gf_any(4), 31 + gf_any(3), 63 + gf_any(3), 1 + gf_any(70) };
    struct gf_rank r = { .pick = gf_any(2) ? GF_RANK_LEAST : GF_RANK_GREATEST, .channels = 1,
                         .border = (enum gf_border)gf_any(5) };
    const int i = (int)gf_any(WHOLES), at = GF_WHOLE_MASKS + 25 * i, side = wholes[i].side;
    const struct gf_conv m = { .nx = side, .ny = side, .cx = side / 2, .cy = side / 2, .full = wholes[i].full, .full_at = at,
                               .x_at = at,
                               .y_at = at + side, .mask_channels = 1, .border = r.border };
    const bool rank = gf_any(3) == 0;
    const struct gf_form narrow = { "u8 of 100", GF_U8, 8, 100, 1, false };
    struct gf_trial t;
    struct gf_span out;

    r.radius = rank ? 1 + (int)gf_any(2) : side / 2;
    f = gf_any(4) ? f : &narrow;
    gf_start_trial(&t, f, false);
    t.width = 16 * pieces[gf_any(4)];
    t.units = t.io.src_units = gf_any(3) ? 1 + gf_any(12) : 30 + gf_any(70);
    out = gf_part_of(t.units);
    gf_aligned = gf_any(6) > 0;
    gf_finish_trial(&t, on_gpu, rank ? &gf_op_rank : &gf_op_conv, rank ? (const void *)&r : &m,
                    r.border == GF_WRAP ? (struct gf_span) { 0, t.units } : gf_grown(out, r.radius, r.radius, t.units), out,
                    t.width, f, 3e-6);
    gf_aligned = false;
}

const struct gf_op_test gf_op_test_strips = { .name = "strips", .try = try_strips, .once = true };

static void slow_move(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_move *m = params;

    gf_loaded(io, m->cx + x * m->xx + y * m->xy, m->cy + x * m->yx + y * m->yy, out);
}

static void try_move(const struct gf_form *f, bool on_gpu)
{
    const bool turned = gf_any(2), back_x = gf_any(2), back_y = gf_any(2);
    const int sx = back_x ? -1 : 1, sy = back_y ? -1 : 1;
    struct gf_move m = { 0 };
    int64_t w, h, left, top;
    struct gf_trial t;
    struct gf_span out;

    gf_start_trial(&t, f, false);
    t.smooth = t.fill != GF_FILL_WILD;
    left = gf_any((uint32_t)t.width), top = gf_any((uint32_t)t.units);                /* the part that is moved */
    w = 1 + gf_any((uint32_t)(t.width - left)), h = 1 + gf_any((uint32_t)(t.units - top));
    if (gf_any(2))
        left = top = 0, w = t.width, h = t.units;
    if (turned)
        m.xy = sx, m.yx = sy;
    else
        m.xx = sx, m.yy = sy;
    m.cx = back_x ? left + w - 1 : left;
    m.cy = back_y ? top + h - 1 : top;
    out = gf_part_of(turned ? w : h);
    gf_finish_trial(&t, on_gpu, &gf_op_move, &m, (struct gf_span) { 0, t.units }, out, turned ? h : w, f, 0);
}

const struct gf_op_test gf_op_test_move = { .name = "move", .op = &gf_op_move, .try = try_move, .slow = slow_move };

static void try_pad(const struct gf_form *f, bool on_gpu)
{
    struct gf_pad p = { .border = (enum gf_border)gf_any(5), .use_background = gf_any(2), .background = { .2f, .4f, .6f, 1.0f } };
    struct gf_trial t;
    int64_t w, h;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_start_trial(&t, f, false);
    t.smooth = t.fill != GF_FILL_WILD;
    p.left = gf_any(3) ? gf_any(gf_any(2) ? 9 : 40) : 0, p.top = gf_any(3) ? gf_any(20) : 0;
    w = t.width + p.left + gf_any(gf_any(2) ? 9 : 40), h = t.units + p.top + gf_any(20);
    if (gf_any(4) == 0)                                     /* rows that keep their place within sixteen bytes */
        p.left = 16 * gf_any(3), t.width = t.width < 16 ? 16 : t.width / 16 * 16, w = t.width + p.left + 16 * gf_any(3);
    gf_finish_trial(&t, on_gpu, &gf_op_pad, &p, (struct gf_span) { 0, t.units }, gf_part_of(h), w, f, 0);
}

const struct gf_op_test gf_op_test_pad = { .name = "pad", .op = &gf_op_pad, .try = try_pad, .slow = gf_slow_pad };

static void try_table_grid(const struct gf_form *f, bool on_gpu)
{
    struct gf_table_grid l = { .table = gf_any(100), .bins = 1 + (int)gf_any(16), .across = 1 + (int)gf_any(5),
                            .down = 1 + (int)gf_any(5) };
    struct gf_trial t;

    if (f->channels > 4 || f->type == GF_S16)
        f = &gf_forms[0];
    gf_start_trial(&t, f, gf_any(2));
    t.smooth = t.smooth && t.fill != GF_FILL_WILD && (l.bins == 1 || (f->type == GF_U8 && f->channels == 1 && t.load.count == 0));
    l.per_column = (float)l.across / (float)t.width, l.per_row = (float)l.down / (float)t.units;
    l.colours = t.load.out >= 3 ? 3 : 1;
    gf_finish_trial(&t, on_gpu, &gf_op_table_grid, &l, (struct gf_span) { 0, t.units }, gf_part_of(t.units), t.width, f, 3e-6);
}

const struct gf_op_test gf_op_test_table_grid = { .name = "lattice", .op = &gf_op_table_grid,
    .try = try_table_grid, .slow = gf_slow_table_grid };
