/* Cases of vignettes. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/pixel/vignette.h"

#include <math.h>

static void slow_vignette(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x,
                          int64_t y, double *out)
{
    const struct gf_vignette *v = params;
    const double d = hypot((double)x * (double)v->x_scale + (double)v->x_from,
                           (double)y * (double)v->y_scale + (double)v->y_from);
    const double t = fmin(fmax(d * (double)v->slope + (double)v->start, 0), 1);

    gf_slow_load(check, io, x, y, out);
    for (int c = 0; c < v->channels; c++)
        out[c] *= 1 - (double)v->strength * t * t * (3 - 2 * t);
}

static void try_vignette(struct gf_check *check, const struct gf_form *f)
{
    const float radius = (float)gf_draw_unit(check) * 0.9f;
    struct gf_vignette v = { .slope = 1 / (1 - radius), .start = -radius / (1 - radius),
                             .strength = (float)(2 * gf_draw_unit(check) - 1) };
    struct gf_span out;
    struct gf_trial t;

    gf_draw_trial(check, &t, f, true);
    v.channels = 1 + (int)gf_draw(check, (uint32_t)t.load.out);
    v.x_scale = 3 * (float)gf_draw_unit(check) / (float)t.width, v.x_from = -2 * (float)gf_draw_unit(check);
    v.y_scale = 3 * (float)gf_draw_unit(check) / (float)t.units, v.y_from = -2 * (float)gf_draw_unit(check);
    out = gf_draw_span(check, t.units);
    gf_check_trial(check, &t, &gf_op_vignette, &v, gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units),
                   out, t.width, gf_draw_form(check, f), 3e-6);
}

static void set_vignette(struct gf_bench_call *m)
{
    *(struct gf_vignette *)m->params = (struct gf_vignette) { .channels = m->src.channels,
                                                              .x_scale = 2.0f / (float)m->src.width, .x_from = -1,
                                                 .y_scale = 2.0f / (float)m->src_units, .y_from = -1, .slope = 1,
                                                              .strength = 0.5f };
}

static const struct gf_bench_case cases[] = {
    { .name = "vignette", .what = "vignette, bytes", .forms = "u8, u8 rgb, f32",
      .set = set_vignette },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_vignette = { .name = "vignette", .op = &gf_op_vignette, .cases = cases,
                                                        .slow = slow_vignette,
                                                        .try = try_vignette };
