/* Cases of resampling audio. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/resample.h"

#include <math.h>
#include <string.h>

static void slow_resample(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x,
                          int64_t n, double *out)
{
    const struct gf_resample *r = params;
    const double place = (double)n * (double)r->times / (double)r->per, part = place - floor(place);
    const double row = r->phases == 0 ? nearbyint(part * (double)r->per) : floor(part * r->phases + 1e-9);
    const double share = r->phases == 0 ? 0 : fmax(part * r->phases - row, 0);
    const float *weights = check->tables + r->table + (int64_t)row * r->taps;
    double v[GF_SLOW_CHANNELS];

    (void)x;
    memset(out, 0, sizeof(double) * (size_t)io->dst.channels);
    for (int k = 0; k < r->taps; k++) {
        const int64_t at = (int64_t)floor(place) - r->taps / 2 + 1 + k;

        if (at < io->src.span.start || at >= io->src.span.end)
            continue;
        gf_slow_load(check, io, 0, at, v);
        for (int c = 0; c < io->dst.channels; c++)
            out[c] += v[c] * (weights[k] + (share > 0 ? share * ((double)weights[k + r->taps] - weights[k]) : 0));
    }
}

static void try_resample(struct gf_check *check, const struct gf_form *f)
{
    struct gf_resample r = { .times = 1 + gf_draw(check, 12), .per = 1 + gf_draw(check, 12),
                             .taps = GF_RESAMPLE_SUMS * (1 + (int)gf_draw(check, 4)),
                             .table = 4 * gf_draw(check, 20) };
    struct gf_trial t;
    struct gf_span out;

    /* many rows of weights, or so many taps that a GPU uses another kernel */
    if (gf_draw(check, 3) == 0) {
        r.times = 1 + gf_draw(check, 900), r.per = 1 + gf_draw(check, gf_draw(check, 2) ? 600 : 20);
        r.taps = GF_RESAMPLE_SUMS * (1 + (int)gf_draw(check, gf_draw(check, 4) ? 20 : 700));
    }
    r.phases = gf_draw(check, 2) ? 1 + (int)gf_draw(check, 9) : 0;
    if (r.per * r.taps > GF_CHECK_TABLES / 2)
        r.per = 1 + gf_draw(check, 20);
    f = &gf_forms[12 + gf_draw(check, 3)];                     /* the operation reads planes only */
    gf_draw_trial(check, &t, f, false);
    t.units *= t.width;
    t.units = gf_draw(check, 4) ? t.units : 1 + gf_draw(check, 20000);
    t.units = t.units * r.per / r.times < 60000 ? t.units : 60000 * r.times / r.per + 1;
    t.width = 1;
    t.io.src_units = t.units;
    t.src_adjacent = t.dst_adjacent = true;
    out = gf_draw_span(check, gf_ceil_div(t.units * r.per, r.times));
    gf_check_trial(check, &t, &gf_op_resample, &r,
                    gf_check_grow((struct gf_span) { out.start * r.times / r.per,
                                                     gf_ceil_div(out.end * r.times, r.per) },
                             r.taps / 2 - 1, r.taps / 2, t.units),
                    out, 1, f, 2e-6);
}

static void set_resample(struct gf_bench_call *m)
{
    struct gf_resample *r = m->params;
    float *rows;

    *r = (struct gf_resample) { .times = 160, .per = 147, .table = m->table_count };      /* 48 to 44.1 kHz */
    gf_resample_choose(r);
    rows = gf_bench_call_tables(m, gf_resample_rows(r) * r->taps);
    if (rows != NULL)
        gf_resample_fill(r, rows);
    m->dst_bytes = gf_bench_block_shape(&m->dst, 1, gf_ceil_div(m->src_units * r->per, r->times));
}

/* A multiplication and an addition for each tap of each frame of the result. */
static double count_flop(const struct gf_bench_call *m)
{
    const struct gf_resample *r = m->params;

    return 2.0 * r->taps * (double)(m->src_units * r->per / r->times * m->src.channels);
}

static const struct gf_bench_case cases[] = {
    { .name = "resample", .what = "resampling 48 to 44.1 kHz, floats", .forms = "plane", .set = set_resample,
      .flop = count_flop },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_resample = { .name = "resample", .op = &gf_op_resample, .cases = cases,
                                                        .sound = true, .slow = slow_resample, .try = try_resample };
