/* Cases of the top hat. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/rank/tophat.h"

/* Sets `out` to the extreme of the samples of a square, as floats, or to zeros outside the signal. */
static void slow_extreme(const struct gf_check *check, const struct gf_io *io, const struct gf_tophat *t, bool second,
                         int64_t x, int64_t y, double *out)
{
    double v[GF_SLOW_CHANNELS];

    for (int c = 0; c < t->channels; c++)
        out[c] = 0;
    if (x < 0 || y < 0)
        return;
    for (int j = -t->radius; j <= t->radius; j++)
        for (int i = -t->radius; i <= t->radius; i++) {
            const int64_t column = gf_border_index(t->border, x + i, io->src.width);
            const int64_t row = gf_border_index(t->border, y + j, io->src_units);
            const bool begins = i == -t->radius && j == -t->radius;

            if (second)
                slow_extreme(check, io, t, false, column, row, v);
            else
                gf_slow_load(check, io, column, row, v);
            for (int c = 0; c < t->channels; c++)
                if (begins || (t->dark == second ? v[c] < out[c] : v[c] > out[c]))
                    out[c] = v[c];
        }
}

static void slow_tophat(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                        double *out)
{
    const struct gf_tophat *t = params;
    double made[GF_SLOW_CHANNELS];

    slow_extreme(check, io, t, true, x, y, made);
    gf_slow_load(check, io, x, y, out);
    for (int c = 0; c < t->channels; c++)
        out[c] = t->dark ? made[c] - out[c] : out[c] - made[c];
}

static void try_tophat(struct gf_check *check, const struct gf_form *f)
{
    static const int radii[] = { 1, 1, 2, 3, 4, 5, 9, 17, 60, 127 };
    struct gf_tophat h = { .radius = radii[gf_draw(check, sizeof radii / sizeof *radii)],
                           .border = (enum gf_border)gf_draw(check, 5), .dark = gf_draw(check, 2) };
    struct gf_span out, in;
    struct gf_trial t;

    gf_draw_trial(check, &t, f, gf_draw(check, 2));
    out = gf_draw_span(check, t.units);
    if (gf_draw(check, 4) == 0)
        t.smooth = false;                                /* wide squares are only compared between devices */
    else
        while (t.width * gf_span_units(out) * h.radius * h.radius * h.radius * h.radius > 20000 && h.radius > 1)
            h.radius--;
    h.channels = 1 + (int)gf_draw(check, (uint32_t)t.load.out);
    in = h.border == GF_WRAP ? (struct gf_span) { 0, t.units }
                             : gf_check_grow(out, 2 * h.radius, 2 * h.radius, t.units);
    gf_check_trial(check, &t, &gf_op_tophat, &h, in, out, t.width, gf_draw(check, 2) ? f : gf_draw_form(check, f),
                   1e-3);                        /* terms cancel */
}

static void set_tophat(struct gf_bench_call *m)
{
    *(struct gf_tophat *)m->params = (struct gf_tophat) { .radius = m->number, .channels = m->src.channels,
                                                          .border = GF_CLAMP };
}

static const struct gf_bench_case cases[] = {
    { .name = "tophat 5x5", .what = "top hat 5x5, bytes", .forms = "u8, u8 rgb, f32", .set = set_tophat, .number = 2,
      .stages = "tophat:2", .opencv = "cv2.morphologyEx(a, cv2.MORPH_TOPHAT, numpy.ones((5, 5), 'B'), b)" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_tophat = { .name = "tophat", .op = &gf_op_tophat, .cases = cases,
                                                      .slow = slow_tophat, .try = try_tophat };
