/* Random calls for which a GPU has kernels of its own: bytes in rows of sixteens. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/rank.h"

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

static void make_whole_masks(void)
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

const struct gf_bench_group gf_bench_group_strips = { .name = "strips", .try = try_strips, .once = true, .make_pools = make_whole_masks };
