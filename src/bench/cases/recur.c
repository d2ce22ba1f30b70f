/* Cases of recursive filters, which carry state from frame to frame. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/recur.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLACK 3e-6                       /* a part of the largest sum of a section */

/*
 * Runs the sections over a frame. x has what is before each section and after the last, of this
 * frame and the two before.
 */
static void run_sections(const struct gf_recur *r, double x[GF_RECUR_SECTIONS + 1][3], double sample)
{
    for (int k = 0; k <= r->sections; k++)
        x[k][2] = x[k][1], x[k][1] = x[k][0];
    x[0][0] = isfinite(sample) ? sample : 0;
    for (int k = 0; k < r->sections; k++) {
        const struct gf_recur_section *s = &r->section[k];

        x[k + 1][0] = s->b0 * x[k][0] + s->b1 * x[k][1] + s->b2 * x[k][2] - s->a1 * x[k + 1][1] - s->a2 * x[k + 1][2];
    }
}

/*
 * Filters the whole signal from its start, frame by frame. Sums in the sections may be larger than
 * results.
 */
static void compare_recur(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    static double x[GF_MAX_CHANNELS][GF_RECUR_SECTIONS + 1][3];
    const struct gf_recur *r = params;
    double v[GF_SLOW_CHANNELS], largest = 1e-3;

    for (int pass = 0; pass < 2; pass++) {
        memset(x, 0, sizeof x);
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++) {
            gf_slow_load(check, io, 0, y, v);
            for (int c = r->first; c < gf_slow_channels(io); c++) {
                run_sections(r, x[c], v[c]);
                for (int k = 1; k <= r->sections && pass == 0; k++)
                    largest = fmax(largest, fabs(x[c][k][0]));
                v[c] = x[c][r->sections][0];
            }
            gf_slow_program(check, io->store, v);
            for (int c = 0; c < io->dst.channels; c++) {
                const double w = gf_slow_stored(&io->dst, v[c]);

                if (pass == 0)
                    largest = fmax(largest, fabs(w));
                else if (fabs(w) < 3e38)
                    gf_check_sample(check, &gf_op_recur, io, c, 0, y, v[c], slack * largest);
            }
        }
    }
}

/*
 * Draws a stable section: its poles are within the unit circle, a conjugate pair or two on the
 * axis.
 */
static struct gf_recur_section draw_section(struct gf_check *check)
{
    static const double radii[] = { 0, 0.3, 0.9, 0.999, 0.99999 };
    const double one = radii[gf_draw(check, 5)], other = radii[gf_draw(check, 5)],
        angle = gf_draw_unit(check) * 3.14159265358979;
    const bool pair = gf_draw(check, 3) > 0;

    return (struct gf_recur_section) { .b0 = gf_draw_unit(check), .b1 = gf_draw_unit(check) - 0.5,
                                       .b2 = gf_draw(check, 2) ? gf_draw_unit(check) - 0.5 : 0,
                                       .a1 = pair ? -2 * one * cos(angle) : -one - other, .a2 = pair ? one * one
                                       : one * other };
}

static void try_recur(struct gf_check *check, const struct gf_form *f)
{
    static const int64_t frames[] = { 1, 2, 100, 127, 128, 129, 1000, 1024, 4095, 4097, 9000 };
    struct gf_recur r = { .sections = 1 + (int)gf_draw(check, 3) };
    struct gf_trial t;
    struct gf_span out;
    bool compares;

    gf_draw_trial(check, &t, f, gf_draw(check, 2));
    if (!t.smooth)
        t.smooth = gf_draw_program(check, &t.store, t.load.out, 0, &t.io.store) && t.fill != GF_FILL_WILD
            && t.load.count == 0;
    t.width = 1;
    t.units = t.io.src_units = frames[gf_draw(check, sizeof frames / sizeof *frames)];
    if (f->channels <= 2 && gf_draw(check, 4) == 0)     /* several groups of chunks */
        t.units = t.io.src_units = GF_RECUR_CHUNK * GF_RECUR_GROUP * (1 + gf_draw(check, 3))
                                 + gf_draw(check, 3) * gf_draw(check, 300);
    for (int k = 0; k < r.sections; k++)
        r.section[k] = draw_section(check);
    r.first = gf_draw(check, 4) == 0 ? (int)gf_draw(check, (uint32_t)t.load.out) : 0;
    check->carried_bytes = (size_t)gf_recur_carry_bytes(&r, t.load.out);
    memset(check->carried[GF_CHECK_BEFORE], 0, check->carried_bytes);
    out = gf_draw_span(check, t.units);
    t.io.src = gf_draw_block(check, f, f->channels, check->src, 1,
                             gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units));
    t.io.dst = gf_draw_block(check, gf_draw_form(check, f), t.store.out, check->cpu, 1, out);
    gf_draw_samples(check, &t.io.src, gf_check_block_bytes(&t.io.src), t.fill);
    compares = t.smooth || (t.fill == GF_FILL_WILD && t.load.count == 0 && t.store.count == 0 && r.first == 0);
    gf_check_call(check, &gf_op_recur, &t.io, &r, gf_check_block_bytes(&t.io.src), gf_check_block_bytes(&t.io.dst),
                  compares ? SLACK : -1);
    if (check->problem[0] == '\0')
        gf_audio_check_cut(check, &t, &gf_op_recur, &r);
    check->carried_bytes = 0;
}

static void set_recur(struct gf_bench_call *m)
{
    *(struct gf_recur *)m->params = (struct gf_recur) { .sections = 1, .section = { { 0.25, 0.5, 0.25, -0.5, 0.25 } } };
    m->carry_bytes = (size_t)gf_recur_carry_bytes(m->params, m->src.channels);
}

static const struct gf_bench_case cases[] = {
    { .name = "recur", .what = "biquad filter, floats", .forms = "f32, f32 stereo", .set = set_recur },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_recur = { .name = "recur", .op = &gf_op_recur, .cases = cases, .sound = true,
    .compare = compare_recur, .try = try_recur };
