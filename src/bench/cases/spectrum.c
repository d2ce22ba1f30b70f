/* Cases of spectra. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/spectrum.h"

#include <string.h>

static struct gf_spectrum spectra[2];

/* The GPU gets all tables at once. */
static void make_spectra(void)
{
    for (int i = 0; i < 2; i++) {
        spectra[i] = (struct gf_spectrum) { .size = 64 << i, .table = GF_TABLES - GF_SPECTRA + i * 128 };
        gf_spectrum_fill(&spectra[i], gf_tables + spectra[i].table);
    }
}

static void try_spectrum(const struct gf_form *f, bool on_gpu)
{
    struct gf_spectrum s = { .stretch = 1 + gf_any(90), .size = 64 << gf_any(2) };
    struct gf_trial t;
    struct gf_span out;

    s.windows = (int)gf_ceil_div(2 * s.stretch, s.size) + (int)gf_any(2);
    s.table = spectra[s.size / 128].table;
    s.scale = spectra[s.size / 128].scale;
    f = &gf_forms[12 + gf_any(3)];                     /* planes */
    gf_start_trial(&t, f, false);
    t.fill = t.fill == GF_FILL_WILD ? (enum gf_fill)0 : t.fill;
    t.units *= t.width;
    t.units = t.units < 600 ? t.units : 600;
    t.width = 1;
    t.io.src_units = t.units;
    out = gf_part_of(gf_ceil_div(t.units, s.stretch));
    gf_finish_trial(&t, on_gpu, &gf_op_spectrum, &s,
                    gf_grown((struct gf_span) { out.start * s.stretch,
                                                out.end * s.stretch < t.units ? out.end * s.stretch : t.units }, s.size / 2,
                                                s.size / 2, t.units),
                    out, s.size / 2 + 1, f, -1);
}

static void set_spectrum(struct gf_bench_call *m)
{
    struct gf_spectrum *s = m->params;
    float *table;

    *s = (struct gf_spectrum) { .stretch = 1024, .size = 2048, .windows = 1 };
    s->table = m->table_count;
    table = gf_bench_call_tables(m, gf_spectrum_entries(s->size));
    if (table != NULL)
        gf_spectrum_fill(s, table);
    m->dst_bytes = gf_bench_block_shape(&m->dst, s->size / 2 + 1, gf_ceil_div(m->src_units, s->stretch));
}

static const struct gf_bench_case cases[] = {
    { .name = "spectrum", .what = "transforms of 2048 frames, half over each other", .forms = "plane", .set = set_spectrum },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_spectrum = { .name = "spectrum", .op = &gf_op_spectrum, .cases = cases, .sound = true, .try = try_spectrum, .once = true, .make_pools = make_spectra };
