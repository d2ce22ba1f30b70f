/* Cases of the highest level of blocks. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/statistics/tops.h"

#include <math.h>

#define SLACK 1e-6                       /* bodies load floats, the reference loads doubles */

static void compare_tops(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_tops *t = params;
    const float *got = io->dst.data;
    double v[GF_SLOW_CHANNELS];

    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y += t->block_units, got++) {
        double wanted = 0;

        for (int64_t n = y; n < y + t->block_units && n < io->dst.span.end; n++) {
            gf_slow_load(check, io, 0, n, v);
            for (int c = 0; c < t->channels; c++)
                wanted = fmax(wanted, fabs(v[c]));
        }
        check->compared++;
        if (!(fabs((double)*got - wanted) <= 10 * slack * (1 + wanted)))
            gf_check_report(check, "levels", &gf_op_tops, io, 0, 0, y, (double)*got, wanted);
    }
}

static void try_tops(struct gf_check *check, const struct gf_form *f)
{
    struct gf_tops p = { .block_units = 1 + gf_draw(check, 300) };
    struct gf_trial t;
    size_t src_size;
    int64_t blocks;
    struct gf_span out;

    gf_draw_trial(check, &t, f, f->channels <= 4);
    t.io.store = NULL;
    p.channels = t.load.out;
    t.width = 1;
    t.units = 1 + gf_draw(check, 20 * (uint32_t)p.block_units);
    blocks = gf_ceil_div(t.units, p.block_units);
    out = (struct gf_span) { gf_draw(check, (uint32_t)blocks) * p.block_units, t.units };
    blocks = gf_ceil_div(gf_span_units(out), p.block_units);
    t.io.src = gf_draw_block(check, f, f->channels, check->src, 1, out);
    t.io.src.pitch_samples = f->planar ? 1 : f->channels;
    t.io.src_units = t.units;
    t.io.dst = t.io.src;
    t.io.dst.data = check->cpu;
    src_size = gf_check_block_bytes(&t.io.src);
    gf_draw_samples(check, &t.io.src, src_size, t.fill);
    gf_check_call(check, &gf_op_tops, &t.io, &p, src_size, (size_t)blocks * sizeof(float), t.smooth ? SLACK : -1);
}

static void set_tops(struct gf_bench_call *m)
{
    m->dst_bytes = (size_t)gf_ceil_div(m->src_units, 240) * sizeof(float);
    *(struct gf_tops *)m->params = (struct gf_tops) { .block_units = 240, .channels = m->src.channels };
}

static const struct gf_bench_case cases[] = {
    { .name = "tops", .what = "highest levels of blocks, floats", .forms = "f32, f32 stereo", .set = set_tops },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_tops = { .name = "tops", .op = &gf_op_tops, .cases = cases, .sound = true,
                                                    .compare = compare_tops, .slack = SLACK, .try = try_tops };
