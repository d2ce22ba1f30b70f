/* Cases of loudness. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/statistics/loudness.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE 48000

static const int64_t loud_rates[] = { 4000, 8000, 11025 };

static void make_rings(void)
{
    for (int i = 0; i < 3; i++) {
        struct gf_loudness l;

        gf_loudness_make(&l, loud_rates[i], 1);
        gf_loudness_ring(&l, gf_tables + GF_TABLES - GF_RINGS + i * 8 * 128);
    }
}

/* Energies of blocks as the filters give them when they run through from the first sample to the last. */
static void compare_energies(const struct gf_io *io, const struct gf_loudness *l, const struct gf_loudness_energies *got)
{
    for (int c = 0; c < l->channels; c++) {
        double s[4] = { 0 }, loudest = 0;

        for (int64_t b = 0; b < got->blocks; b++) {
            double sum = 0, e;

            for (int64_t i = 0; i < l->block_units; i++) {
                double v[GF_MAX_CHANNELS + 4], z;

                gf_loaded(io, 0, io->dst.span.start + b * l->block_units + i, v);
                z = gf_loudness_step(l->shelf, l->pass, v[c], &s[0], &s[1], &s[2], &s[3]);
                sum += z * z;
            }
            sum /= (double)l->block_units;
            loudest = sum > loudest ? sum : loudest;
            e = got->energy[b * l->channels + c] - sum;
            if (fabs(e) > 1e-5 * loudest + 1e-12)            /* what is loaded is rounded to floats, here it is not */
                gf_complain("energy", &gf_op_loudness, io, c, 0, b, got->energy[b * l->channels + c], sum);
        }
    }
}

static void try_loudness(const struct gf_form *f, bool on_gpu)
{
    const int rate = (int)gf_any(3);
    const struct gf_loudness_record *got = (const struct gf_loudness_record *)(void *)gf_cpu_bytes;
    struct gf_loudness_energies energies = { 0 };
    struct gf_loudness l;
    struct gf_trial t;
    struct gf_span out;
    size_t src_size;
    int64_t blocks;

    gf_start_trial(&t, f, f->channels <= 4);
    t.io.store = NULL;
    gf_loudness_make(&l, loud_rates[rate], t.load.out);
    l.ring = GF_TABLES - GF_RINGS + rate * 8 * 128;
    l.levels = gf_any(2) == 0;
    l.full = 0.5f;
    t.width = 1;
    t.units = 1 + gf_any(5 * (uint32_t)l.block_units);
    blocks = gf_ceil_div(t.units, l.block_units);
    out.start = gf_any((uint32_t)blocks) * l.block_units;
    out.end = t.units;
    t.io.src = gf_block_of(f, f->channels, gf_src_bytes, 1, out);
    t.io.src.pitch_samples = f->planar ? 1 : f->channels;
    t.io.src_units = t.units;
    t.io.dst = t.io.src;
    t.io.dst.data = gf_cpu_bytes;
    blocks = gf_ceil_div(gf_span_units(out), l.block_units);
    src_size = gf_block_bytes(&t.io.src);
    gf_fill_block(&t.io.src, src_size, t.fill);
    gf_try_call(on_gpu, &gf_op_loudness, &t.io, &l, src_size, (size_t)(blocks * l.channels) * sizeof *got, -1);
    if (gf_loudness_energies_take(&energies, &l, got, blocks) != 0
        || (gf_trouble[0] == '\0' && energies.blocks != (out.end - out.start) / l.block_units))
        gf_complain("blocks", &gf_op_loudness, &t.io, 0, 0, 0, (double)energies.blocks, (double)blocks);
    if (t.smooth && gf_trouble[0] == '\0')
        compare_energies(&t.io, &l, &energies);
    free(energies.energy);
}

static void set_loudness(struct gf_bench_call *m)
{
    struct gf_loudness *l = m->params;
    float *ring;

    gf_loudness_make(l, RATE, m->src.channels);
    l->ring = m->table_count;
    ring = gf_bench_call_tables(m, GF_LOUDNESS_RING(l));
    if (ring != NULL)
        gf_loudness_ring(l, ring);
    m->dst_bytes = (size_t)(gf_ceil_div(m->src_units, l->block_units) * m->src.channels)
                 * sizeof(struct gf_loudness_record);
}

static const struct gf_bench_case cases[] = {
    { .name = "loudness", .what = "what is heard of floats", .forms = "f32, f32 stereo", .set = set_loudness },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_loudness = { .name = "loudness", .op = &gf_op_loudness, .cases = cases, .sound = true,
                                                        .try = try_loudness, .make_pools = make_rings };
