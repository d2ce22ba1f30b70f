/* Cases of selecting and reordering channels. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/geometry/select.h"

static void slow_select(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                        double *out)
{
    const struct gf_select *s = params;
    double v[GF_SLOW_CHANNELS];

    gf_slow_load(check, io, x, y, v);
    for (int c = 0; c < io->dst.channels; c++)
        out[c] = s->from[c] < 0 ? 0 : v[s->from[c]];
}

static void try_select(struct gf_check *check, const struct gf_form *f)
{
    const int outs = 1 + (int)gf_draw(check, 8);
    struct gf_select s;
    struct gf_trial t;
    struct gf_span out;

    gf_draw_trial(check, &t, f, false);
    for (int o = 0; o < outs; o++)
        s.from[o] = (signed char)((int)gf_draw(check, (uint32_t)f->channels + 1) - 1);
    out = gf_draw_span(check, t.units);
    t.store.out = outs;
    gf_check_trial(check, &t, &gf_op_select, &s, gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units), out,
                   t.width, f, 0);
}

/* Swaps two channels. */
static void set_select(struct gf_bench_call *m)
{
    m->src.channels = m->dst.channels = 2;
    m->src_units = m->src_units / 2 > 0 ? m->src_units / 2 : 1;
    m->src_bytes = gf_bench_block_shape(&m->src, 1, m->src_units);
    m->dst_bytes = gf_bench_block_shape(&m->dst, 1, m->src_units);
    *(struct gf_select *)m->params = (struct gf_select) { .from = { 1 } };
}

static const struct gf_bench_case cases[] = {
    { .name = "select", .what = "swap of two channels, floats", .forms = "f32", .set = set_select },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_select = { .name = "select", .op = &gf_op_select, .cases = cases,
                                                      .sound = true, .slow = slow_select, .try = try_select };
