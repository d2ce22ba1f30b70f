/* Cases of gains of frames. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/pixel/flicker.h"

static void slow_flicker(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x,
                         int64_t y, double *v)
{
    const struct gf_flicker *p = params;
    double sum = 0;

    gf_slow_load(check, io, x, y, v);
    for (int i = 0; i < io->frames; i++)
        sum += io->luma[i];
    for (int c = 0; c < p->channels && io->frames > 0 && io->luma[io->frame_now] > 0; c++)
        v[c] = (double)p->zero + (v[c] - (double)p->zero) * sum / (io->frames * io->luma[io->frame_now]);
}

static void try_flicker(struct gf_check *check, const struct gf_form *f)
{
    struct gf_flicker p = { .zero = gf_draw(check, 2) ? 0 : (float)gf_draw_unit(check) };
    double luma[GF_MOST_FRAMES];
    struct gf_trial t;
    struct gf_span out, in;

    gf_draw_trial(check, &t, f, true);
    p.channels = 1 + (int)gf_draw(check, (uint32_t)t.load.out);
    out = gf_draw_span(check, t.units);
    in = gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units);
    t.io.luma = luma;
    t.io.frames = (int)gf_draw(check, GF_MOST_FRAMES + 1);
    t.io.frame_now = t.io.frames / 2;
    for (int i = 0; i < t.io.frames; i++)
        luma[i] = gf_draw(check, 5) == 0 ? 0 : 0.2 + gf_draw_unit(check);
    gf_check_trial(check, &t, &gf_op_flicker, &p, in, out, t.width, gf_draw_form(check, f), 3e-6);
}

static void set_flicker(struct gf_bench_call *m)
{
    static const double luma[] = { 0.5, 0.4, 0.6 };

    ((struct gf_flicker *)m->params)->channels = m->src.channels;
    m->luma = luma;
}

static const struct gf_bench_case cases[] = {
    { .name = "brightness of 3 frames", .what = "gain of a frame, bytes", .forms = "u8, u8 rgb, f32",
      .set = set_flicker },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_flicker = { .name = "flicker", .op = &gf_op_flicker, .cases = cases,
                                                       .slow = slow_flicker, .try = try_flicker };
