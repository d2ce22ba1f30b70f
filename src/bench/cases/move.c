/* Cases of flips, turns by right angles, and crops. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/geometry/move.h"

#include <string.h>

static void slow_move(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                      double *out)
{
    const struct gf_move *m = params;

    gf_slow_load(check, io, m->cx + x * m->xx + y * m->xy, m->cy + x * m->yx + y * m->yy, out);
}

static void try_move(struct gf_check *check, const struct gf_form *f)
{
    const bool turned = gf_draw(check, 2), back_x = gf_draw(check, 2), back_y = gf_draw(check, 2);
    const int sx = back_x ? -1 : 1, sy = back_y ? -1 : 1;
    struct gf_move m = { 0 };
    int64_t w, h, left, top;
    struct gf_trial t;
    struct gf_span out;

    gf_draw_trial(check, &t, f, false);
    t.smooth = t.fill != GF_FILL_WILD;
    /* the part that is moved */
    left = gf_draw(check, (uint32_t)t.width), top = gf_draw(check, (uint32_t)t.units);
    w = 1 + gf_draw(check, (uint32_t)(t.width - left)), h = 1 + gf_draw(check, (uint32_t)(t.units - top));
    if (gf_draw(check, 2))
        left = top = 0, w = t.width, h = t.units;
    if (turned)
        m.xy = sx, m.yx = sy;
    else
        m.xx = sx, m.yy = sy;
    m.cx = back_x ? left + w - 1 : left;
    m.cy = back_y ? top + h - 1 : top;
    out = gf_draw_span(check, turned ? w : h);
    gf_check_trial(check, &t, &gf_op_move, &m, (struct gf_span) { 0, t.units }, out, turned ? h : w, f, 0);
}

static void set_transpose(struct gf_bench_call *m)
{
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src_units, m->src.width);
    *(struct gf_move *)m->params = (struct gf_move) { .xy = 1, .yx = 1 };
}

static void set_flip(struct gf_bench_call *m)
{
    *(struct gf_move *)m->params = (struct gf_move) { .xx = 1, .yy = -1, .cy = m->src_units - 1 };
}

static void set_flop(struct gf_bench_call *m)
{
    *(struct gf_move *)m->params = (struct gf_move) { .xx = -1, .yy = 1, .cx = m->src.width - 1 };
}

static const struct gf_bench_case cases[] = {
    { .name = "transpose", .what = "transpose, bytes", .forms = "u8, u8 rgb, plane", .set = set_transpose,
      .peers = { { "NPP Transpose", "u8", gf_npp_transpose } }, .stages = "transpose",
      .opencv = "cv2.transpose(a, b)" },
    { .name = "flip", .forms = "u8, u8 rgb", .set = set_flip, .peers = { { "NPP Mirror", "u8", gf_npp_mirror } },
      .stages = "flip", .opencv = "cv2.flip(a, 0, b)" },
    { .name = "flop", .forms = "u8, u8 rgb", .set = set_flop, .peers = { { "NPP Mirror", "u8", gf_npp_mirror } },
      .stages = "flop", .opencv = "cv2.flip(a, 1, b)" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_move = { .name = "move", .op = &gf_op_move, .cases = cases,
                                                    .slow = slow_move, .try = try_move };
