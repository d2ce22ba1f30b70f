/* Cases of spectra. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/spectrum.h"

#include <math.h>
#include <string.h>

#define SLACK 1e-5                       /* a part of the largest power: each transform rounds differently */

static struct gf_spectrum spectra[2];

/* Fills the windows before the pool is uploaded, once for all calls. */
static void make_spectra(struct gf_check *check)
{
    for (int i = 0; i < 2; i++) {
        spectra[i] = (struct gf_spectrum) { .size = 64 << i, .table = GF_CHECK_TABLES - GF_CHECK_SPECTRA + i * 256 };
        gf_spectrum_fill(&spectra[i], check->tables + spectra[i].table);
    }
}

/* Compares power spectra with the sums that define them. `slack` is a part of the largest power. */
static void compare_spectra(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_spectrum *s = params;
    const float *weights = check->tables + s->table;
    double worst = 0, largest = 1e-9;

    for (int c = 0; c < io->dst.channels; c++)
        for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++)
            for (int k = 0; k <= s->size / 2; k++) {
                double power = 0;

                for (int i = 0; i < s->windows; i++) {
                    double re = 0, im = 0;

                    for (int j = 0; j < s->size; j++) {
                        const int64_t middle = n * s->stretch + (2 * i + 1) * s->stretch / (2 * s->windows);
                        const int64_t at = middle - s->size / 2 + j;
                        const double v = at >= io->src.span.start && at < io->src.span.end
                                       ? gf_slow_sample(&io->src, c, 0, at) * weights[j] : 0;

                        re += v * cos(2 * M_PI * k * j / s->size);
                        im += v * sin(2 * M_PI * k * j / s->size);
                    }
                    power += (re * re + im * im) * s->scale / s->windows;
                }
                check->compared++;
                largest = fmax(largest, power);
                worst = fmax(worst, fabs(gf_slow_sample(&io->dst, c, k, n) - power));
            }
    if (!(worst <= slack * largest))
        gf_check_report(check, "and the sums differ", &gf_op_spectrum, io, 0, 0, io->dst.span.start, worst / largest,
                        0);
}

static void try_spectrum(struct gf_check *check, const struct gf_form *f)
{
    struct gf_spectrum s = { .stretch = 1 + gf_draw(check, 90), .size = 64 << gf_draw(check, 2) };
    struct gf_trial t;
    struct gf_span out;

    s.windows = (int)gf_ceil_div(2 * s.stretch, s.size) + (int)gf_draw(check, 2);
    s.table = spectra[s.size / 128].table;
    s.scale = spectra[s.size / 128].scale;
    f = &gf_forms[12 + gf_draw(check, 3)];                     /* the operation reads planes only */
    gf_draw_trial(check, &t, f, false);
    t.fill = t.fill == GF_FILL_WILD ? (enum gf_fill)0 : t.fill;
    t.units *= t.width;
    t.units = t.units < 600 ? t.units : 600;
    t.width = 1;
    t.io.src_units = t.units;
    t.src_adjacent = true;
    out = gf_draw_span(check, gf_ceil_div(t.units, s.stretch));
    gf_check_trial(check, &t, &gf_op_spectrum, &s,
                    gf_check_grow((struct gf_span) { out.start * s.stretch,
                                                out.end * s.stretch < t.units ? out.end * s.stretch : t.units },
                                  s.size / 2,
                                                s.size / 2, t.units),
                    out, s.size / 2 + 1, f, SLACK);
}

static void set_spectrum(struct gf_bench_call *m)
{
    struct gf_spectrum *s = m->params;
    float *table;

    *s = (struct gf_spectrum) { .stretch = 1024, .size = 2048, .windows = 1 };
    s->table = m->table_count;
    table = gf_bench_call_tables(m, gf_spectrum_entries(s));
    if (table != NULL)
        gf_spectrum_fill(s, table);
    m->dst_bytes = gf_bench_block_shape(&m->dst, s->size / 2 + 1, gf_ceil_div(m->src_units, s->stretch));
}

static const struct gf_bench_case cases[] = {
    { .name = "spectrum", .what = "spectra of 2048 frames, 50% overlap, floats", .forms = "plane",
      .set = set_spectrum },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_spectrum = { .name = "spectrum", .op = &gf_op_spectrum, .cases = cases,
                                                        .sound = true,
    .compare = compare_spectra, .slack = SLACK, .rounding = 2 * SLACK, .try = try_spectrum, .once = true,
                                                        .make_pools = make_spectra };
