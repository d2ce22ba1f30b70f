/* Cases of peaks between samples. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/peaks.h"
#include "kernels/sound/resample.h"

#include <math.h>

static void slow_peaks(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t n,
                       double *out)
{
    const struct gf_peaks *p = params;
    double v[GF_SLOW_CHANNELS], sum[GF_SLOW_CHANNELS];

    (void)x;
    gf_slow_load(check, io, 0, n, v);
    for (int c = 0; c < p->channels; c++) {
        out[c] = v[c];
        out[p->channels + c] = fabs(v[c]);
    }
    for (int i = 1; i < p->per; i++) {
        const float *weights = check->tables + p->table + i * p->taps;

        for (int c = 0; c < p->channels; c++)
            sum[c] = 0;
        for (int k = 0; k < p->taps; k++) {
            const int64_t at = n - p->taps / 2 + 1 + k;

            if (at < io->src.span.start || at >= io->src.span.end)
                continue;
            gf_slow_load(check, io, 0, at, v);
            for (int c = 0; c < p->channels; c++)
                sum[c] += v[c] * weights[k];
        }
        for (int c = 0; c < p->channels; c++)
            out[p->channels + c] = fmax(out[p->channels + c], fabs(sum[c]));
    }
}

static void try_peaks(struct gf_check *check, const struct gf_form *f)
{
    struct gf_peaks p = { .taps = GF_PEAKS_SUMS * (1 + (int)gf_draw(check, 5)), .per = 1 + (int)gf_draw(check, 5),
                          .table = 4 * gf_draw(check, 20) };
    struct gf_trial t;
    struct gf_span out;

    f = &gf_forms[12 + gf_draw(check, 3)];                     /* the operation reads planes only */
    gf_draw_trial(check, &t, f, false);
    p.channels = f->channels;
    t.units *= t.width;
    t.units = gf_draw(check, 4) ? t.units : 1 + gf_draw(check, 20000);
    t.width = 1;
    t.io.src_units = t.units;
    t.src_adjacent = t.dst_adjacent = true;
    t.store.out = 2 * f->channels;
    out = gf_draw_span(check, t.units);
    gf_check_trial(check, &t, &gf_op_peaks, &p, gf_check_grow(out, p.taps / 2 - 1, p.taps / 2, t.units), out, 1, f,
                   2e-6);
}

static void set_peaks(struct gf_bench_call *m)
{
    struct gf_peaks *p = m->params;
    struct gf_resample r;
    float *rows;

    gf_resample_choose_between(&r, 4);
    *p = (struct gf_peaks) { .channels = m->src.channels, .taps = r.taps, .per = 4, .table = m->table_count };
    rows = gf_bench_call_tables(m, r.taps * p->per);
    if (rows != NULL)
        gf_resample_fill_between(&r, rows);
    m->dst.channels = 2 * m->src.channels;
    m->dst_bytes = gf_bench_block_shape(&m->dst, 1, m->src_units);
}

static const struct gf_bench_case cases[] = {
    { .name = "peaks", .what = "peaks between samples, floats", .forms = "plane", .set = set_peaks },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_peaks = { .name = "peaks", .op = &gf_op_peaks, .cases = cases,
                                                     .sound = true, .slow = slow_peaks, .try = try_peaks };
