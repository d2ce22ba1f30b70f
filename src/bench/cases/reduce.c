/* Cases of extremes and sums. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/cuda_peers.h"
#include "kernels/statistics/reduce.h"

#include <math.h>
#include <stdlib.h>

/* Reduces channel 0 of the whole signal; if a sample is next to full scale, it may count as clipped or not. */
static struct gf_reduced reduced_slowly(const struct gf_trial *t, float full, double *surely, double *maybe)
{
    struct gf_reduced r = { INFINITY, -INFINITY, 0, 0, 0, 0, 0 };

    *surely = *maybe = 0;
    for (int64_t y = t->io.src.span.start; y < t->io.src.span.end; y++)
        for (int64_t x = 0; x < t->width; x++) {
            double v[GF_MAX_CHANNELS + 4];

            gf_loaded(&t->io, x, y, v);
            r.min = v[0] < r.min ? v[0] : r.min;
            r.max = v[0] > r.max ? v[0] : r.max;
            r.sum += v[0];
            r.squares += v[0] * v[0];
            r.finite++;
            *surely += full > 0 && (v[0] > full * (1 + 1e-5) || v[0] < -1 - 1e-5);
            *maybe += full > 0 && (v[0] > full * (1 - 1e-5) || v[0] < -1 + 1e-5);
        }
    return r;
}

static void try_reduce(const struct gf_form *f, bool on_gpu)
{
    struct gf_reduce r = { .block_units = 1 };
    const struct gf_reduced *got = (const struct gf_reduced *)(void *)gf_cpu_bytes;
    struct gf_reduced all = { INFINITY, -INFINITY, 0, 0, 0, 0, 0 }, wanted;
    struct gf_trial t;
    struct gf_span out;
    size_t src_size;
    int64_t blocks;
    double surely, maybe;

    gf_start_trial(&t, f, f->channels <= 4);
    t.io.store = NULL;
    if (gf_any(2))
        r.block_units = 1 + gf_any(20);
    r.channels = t.load.out;
    r.full = gf_any(3) ? 0.25f * (float)(1 + gf_any(4)) : 0;
    blocks = gf_ceil_div(t.units, r.block_units);
    out.start = gf_any((uint32_t)blocks) * r.block_units;
    out.end = t.units;
    blocks = gf_ceil_div(gf_span_units(out), r.block_units);
    t.io.src = gf_block_of(f, f->channels, gf_src_bytes, t.width, out);
    t.io.src.pitch_samples = t.width * (f->planar ? 1 : f->channels);
    t.io.dst = t.io.src;
    t.io.dst.data = gf_cpu_bytes;
    src_size = gf_block_bytes(&t.io.src);
    gf_fill_block(&t.io.src, src_size, t.fill);
    gf_try_call(on_gpu, &gf_op_reduce, &t.io, &r, src_size, (size_t)(blocks * r.channels) * sizeof *got, -1);
    for (int64_t b = 0; b < blocks; b++)
        gf_reduced_join(&all, &got[b * r.channels]);
    wanted = reduced_slowly(&t, r.full, &surely, &maybe);
    if (t.smooth && gf_trouble[0] == '\0'
        && (fabs(all.sum - wanted.sum) > 1e-6 * (wanted.finite + fabs(wanted.sum))
            || fabs(all.squares - wanted.squares) > 2e-6 * (wanted.finite + wanted.squares)
            || fabs(all.min - wanted.min) > 1e-5 * (1 + fabs(wanted.min))
            || fabs(all.max - wanted.max) > 1e-5 * (1 + fabs(wanted.max)) || all.finite != wanted.finite || all.nonfinite != 0
            || all.clipped < surely || all.clipped > maybe))
        gf_complain("records", &gf_op_reduce, &t.io, 0, 0, 0, all.sum, wanted.sum);
}

static void set_reduce(struct gf_bench_call *m)
{
    m->dst_bytes = (size_t)(m->src_units * m->src.channels) * sizeof(struct gf_reduced);
    *(struct gf_reduce *)m->params = (struct gf_reduce) { .block_units = 1, .channels = m->src.channels };
}

static const struct gf_bench_case cases[] = {
    { .name = "reduce", .what = "extremes and sums of floats", .forms = "f32, u8, u8 rgb", .set = set_reduce,
      .peers = { { "CUB Reduce, same record", "f32", gf_cub_records }, { "CUB Sum of floats alone", "f32", gf_cub_sum } } },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_reduce = { .name = "reduce", .op = &gf_op_reduce, .cases = cases, .try = try_reduce };
