/* Cases of means and medians of frames. */
#include "bench/bench_call.h"
#include "bench/cases/window.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/across.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

static double slow_mean(const struct gf_io *io, bool weighted, int c, int64_t x, int64_t y)
{
    const int alpha = io->frame[0].channels - 1;
    double sum = 0, weights = 0;

    for (int k = 0; k < io->frames; k++) {
        const double weight = weighted && c < alpha ? gf_slow_sample(&io->frame[k], alpha, x, y) : 1;

        sum += weight * gf_slow_sample(&io->frame[k], c, x, y);
        weights += weight;
    }
    return weights == 0 ? 0 : sum / weights;
}

static void slow_between(const struct gf_io *io, bool weighted, int64_t x, int64_t y, double *v)
{
    const struct gf_block *const a = &io->frame[io->frame_now], *const b = a + 1;
    const bool mixes = io->between > 0 && io->frame_now + 1 < io->frames;
    const double share = mixes ? io->between : 0;
    const int alpha = a->channels - 1;

    for (int c = 0; c < a->channels; c++) {
        double one = 1 - share, other = share;

        if (weighted && mixes && c < alpha)
            one *= gf_slow_sample(a, alpha, x, y), other *= gf_slow_sample(b, alpha, x, y);
        v[c] = one * gf_slow_sample(a, c, x, y) + (mixes ? other * gf_slow_sample(b, c, x, y) : 0);
        v[c] = !(weighted && mixes && c < alpha) ? v[c] : one + other > 0 ? v[c] / (one + other) : 0;
    }
}

static void slow_across(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                        double *v)
{
    const struct gf_across *p = params;
    double all[GF_MOST_FRAMES];
    const int n = io->frames;

    if (n == 0)
        gf_slow_load(check, io, x, y, v);
    if (n > 0 && p->kind == GF_ACROSS_BETWEEN) {
        slow_between(io, p->weighted, x, y, v);
        return;
    }
    for (int c = 0; n > 0 && c < io->frame[0].channels; c++) {
        for (int k = 0; k < n; k++)
            all[k] = gf_slow_sample(&io->frame[k], c, x, y);
        qsort(all, (size_t)n, sizeof *all, by_value);
        v[c] = p->kind == GF_ACROSS_MEDIAN ? (all[(n - 1) / 2] + all[n / 2]) / 2
            : slow_mean(io, p->weighted && n > 1, c, x, y);
    }
}

static void try_across(struct gf_check *check, const struct gf_form *f)
{
    struct gf_across p = { .kind = (enum gf_across_kind)gf_draw(check, GF_ACROSS_BETWEEN + 1) };
    const int frames = gf_draw(check, 8) == 0 ? 0 : gf_draw(check, 3) ? 1 + (int)gf_draw(check, 9)
        : 1 + (int)gf_draw(check, GF_MOST_FRAMES);
    struct gf_block blocks[GF_MOST_FRAMES];
    struct gf_trial t;
    struct gf_span out, in;

    if (f->type == GF_S16 || f->type == GF_S32)
        f = &gf_forms[2];
    gf_draw_trial(check, &t, f, frames == 0);
    p.weighted = p.kind != GF_ACROSS_MEDIAN && (f->channels == 2 || f->channels == 4);
    out = gf_draw_span(check, t.units);
    in = gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units);
    if (frames > 0)
        gf_window_draw(check, &t, frames, in, blocks);
    t.io.between = gf_draw(check, 4) ? gf_draw_unit(check) : 0;
    if (t.fill == GF_FILL_WILD || (p.weighted && t.fill != GF_FILL_NOISE))
        t.smooth = false;                        /* NaN has no order; sums of small weights */
    gf_check_trial(check, &t, &gf_op_across, &p, in, out, t.width, gf_draw_form(check, f), 3e-6);
    gf_window_forget(check, &t);
}

static void set_across(struct gf_bench_call *m)
{
    struct gf_across *p = m->params;

    p->kind = m->number < 0 ? GF_ACROSS_MEAN : GF_ACROSS_MEDIAN;
    gf_bench_call_frames(m, abs(m->number));
}

static const struct gf_bench_case cases[] = {
    { .name = "median of 5 frames", .what = "median of 5 frames, bytes", .forms = "u8, u8 rgb, u16, f32",
      .set = set_across, .number = 5 },
    { .name = "mean of 5 frames", .forms = "u8, u8 rgb, u16, f32", .set = set_across, .number = -5 },
    { .name = "median of 11 frames", .forms = "u8", .set = set_across, .number = 11 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_across = { .name = "across", .op = &gf_op_across, .cases = cases,
                                                      .slow = slow_across, .try = try_across };
