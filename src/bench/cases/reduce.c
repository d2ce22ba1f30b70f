/* Cases of minimum, maximum and sums. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/cuda_peers.h"
#include "kernels/statistics/reduce.h"

#include <math.h>

#define SLACK 1e-6                       /* bodies load floats, the reference loads doubles */

/* The limits of a count: samples next to full scale may be clipped or not. */
struct clipped {
    double least, most;
};

/* Reduces a channel of the units of a block. */
static struct gf_reduced reduce_slowly(const struct gf_check *check, const struct gf_io *io, struct gf_span block,
                                       int c, double full, struct clipped *clipped)
{
    struct gf_reduced r = { INFINITY, -INFINITY, 0, 0, 0, 0, 0 };

    *clipped = (struct clipped) { 0, 0 };
    for (int64_t y = block.start; y < block.end; y++)
        for (int64_t x = 0; x < io->src.width; x++) {
            double v[GF_SLOW_CHANNELS];

            gf_slow_load(check, io, x, y, v);
            r.min = fmin(r.min, v[c]);
            r.max = fmax(r.max, v[c]);
            r.sum += v[c];
            r.squares += v[c] * v[c];
            r.finite++;
            clipped->least += full > 0 && (v[c] > full * (1 + 1e-5) || v[c] < -1 - 1e-5);
            clipped->most += full > 0 && (v[c] > full * (1 - 1e-5) || v[c] < -1 + 1e-5);
        }
    return r;
}

/* Compares the record of each channel and block. `slack` is a part of what is added up. */
static void compare_reduced(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_reduce *r = params;
    const struct gf_reduced *got = io->dst.data;

    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y += r->block_units)
        for (int c = 0; c < r->channels; c++, got++) {
            const struct gf_span block = { y, y + r->block_units < io->dst.span.end ? y + r->block_units
                                           : io->dst.span.end };
            struct clipped clipped;
            const struct gf_reduced wanted = reduce_slowly(check, io, block, c, (double)r->full, &clipped);

            check->compared++;
            if (fabs(got->sum - wanted.sum) > slack * (wanted.finite + fabs(wanted.sum))
                || fabs(got->squares - wanted.squares) > 2 * slack * (wanted.finite + wanted.squares)
                || fabs(got->min - wanted.min) > 10 * slack * (1 + fabs(wanted.min))
                || fabs(got->max - wanted.max) > 10 * slack * (1 + fabs(wanted.max)) || got->finite != wanted.finite
                || got->nonfinite != 0 || got->clipped < clipped.least || got->clipped > clipped.most)
                gf_check_report(check, "records", &gf_op_reduce, io, c, 0, y, got->sum, wanted.sum);
        }
}

static void try_reduce(struct gf_check *check, const struct gf_form *f)
{
    struct gf_reduce r = { .block_units = 1 };
    struct gf_trial t;
    struct gf_span out;
    size_t src_size;
    int64_t blocks;

    gf_draw_trial(check, &t, f, f->channels <= 4);
    t.io.store = NULL;
    if (gf_draw(check, 2))
        r.block_units = 1 + gf_draw(check, 20);
    r.channels = t.load.out;
    r.full = gf_draw(check, 3) ? 0.25f * (float)(1 + gf_draw(check, 4)) : 0;
    blocks = gf_ceil_div(t.units, r.block_units);
    out.start = gf_draw(check, (uint32_t)blocks) * r.block_units;
    out.end = t.units;
    blocks = gf_ceil_div(gf_span_units(out), r.block_units);
    t.io.src = gf_draw_block(check, f, f->channels, check->src, t.width, out);
    t.io.src.pitch_samples = t.width * (f->planar ? 1 : f->channels);
    t.io.dst = t.io.src;
    t.io.dst.data = check->cpu;
    src_size = gf_check_block_bytes(&t.io.src);
    gf_draw_samples(check, &t.io.src, src_size, t.fill);
    gf_check_call(check, &gf_op_reduce, &t.io, &r, src_size, (size_t)(blocks * r.channels) * sizeof(struct gf_reduced),
                  t.smooth ? SLACK : -1);
}

static void set_reduce(struct gf_bench_call *m)
{
    m->dst_bytes = (size_t)(m->src_units * m->src.channels) * sizeof(struct gf_reduced);
    *(struct gf_reduce *)m->params = (struct gf_reduce) { .block_units = 1, .channels = m->src.channels };
}

static const struct gf_bench_case cases[] = {
    { .name = "reduce", .what = "minimum, maximum and sums, floats", .forms = "f32, u8, u8 rgb", .set = set_reduce,
      .peers = { { "CUB Reduce, same record", "f32", gf_cub_records },
                 { "CUB Sum of floats alone", "f32", gf_cub_sum } } },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_reduce = { .name = "reduce", .op = &gf_op_reduce, .cases = cases,
    .compare = compare_reduced, .slack = SLACK, .try = try_reduce };
