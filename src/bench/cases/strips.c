/* Random calls for special kernels of a GPU: bytes in rows of a multiple of 16. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/rank/rank.h"

/* Sides, divisors and weights: a full mask, or a line along x and then one along y. */
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

static void make_whole_masks(struct gf_check *check)
{
    for (int i = 0; i < WHOLES * 25; i++)
        check->masks[GF_CHECK_WHOLE_MASKS + i] = (float)wholes[i / 25].weights[i % 25] / (float)wholes[i / 25].divisor;
}

/* Draws widths of one strip, of several, and of a part of a strip. */
static void try_strips(struct gf_check *check, const struct gf_form *f)
{
    const int64_t pieces[] = { 1 + gf_draw(check, 4), 31 + gf_draw(check, 3), 63 + gf_draw(check, 3),
                               1 + gf_draw(check, 70) };
    struct gf_rank r = { .pick = gf_draw(check, 2) ? GF_RANK_LEAST : GF_RANK_GREATEST, .channels = 1,
                         .border = (enum gf_border)gf_draw(check, 5) };
    const int i = (int)gf_draw(check, WHOLES), at = GF_CHECK_WHOLE_MASKS + 25 * i, side = wholes[i].side;
    const struct gf_conv m = { .nx = side, .ny = side, .cx = side / 2, .cy = side / 2, .full = wholes[i].full,
                               .full_at = at, .x_at = at,
                               .y_at = at + side, .mask_channels = 1, .border = r.border };
    const bool rank = gf_draw(check, 3) == 0;
    const struct gf_form narrow = { "u8 of 100", GF_U8, 8, 100, 1, false };
    struct gf_trial t;
    struct gf_span out, in;

    r.radius = rank ? 1 + (int)gf_draw(check, 2) : side / 2;
    f = gf_draw(check, 4) ? f : &narrow;
    gf_draw_trial(check, &t, f, false);
    t.width = 16 * pieces[gf_draw(check, 4)];
    t.units = t.io.src_units = gf_draw(check, 3) ? 1 + gf_draw(check, 12) : 30 + gf_draw(check, 70);
    out = gf_draw_span(check, t.units);
    check->aligned = gf_draw(check, 6) > 0;
    in = r.border == GF_WRAP ? (struct gf_span) { 0, t.units } : gf_check_grow(out, r.radius, r.radius, t.units);
    gf_check_trial(check, &t, rank ? &gf_op_rank : &gf_op_conv, rank ? (const void *)&r : &m, in, out,
                    t.width, f, 3e-6);
    check->aligned = false;
}

const struct gf_bench_group gf_bench_group_strips = { .name = "strips", .try = try_strips, .once = true,
                                                      .make_pools = make_whole_masks };
