/* Cases of loudness. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/statistics/loudness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE 48000
#define SLACK 1e-5               /* a part of the loudest energy: bodies load floats, the reference loads doubles */

static const int64_t loud_rates[] = { 4000, 8000, 11025 };

static void make_rings(struct gf_check *check)
{
    for (int i = 0; i < 3; i++) {
        struct gf_loudness l;

        gf_loudness_make(&l, loud_rates[i], 1);
        gf_loudness_ring(&l, check->tables + GF_CHECK_TABLES - GF_CHECK_RINGS + i * 8 * 128);
    }
}

/*
 * Reads the energies from the records of a result, and checks that every whole block has one.
 * Returns 0, or -1 without memory.
 */
static int take_energies(struct gf_check *check, const struct gf_io *io, const struct gf_loudness *l,
                         struct gf_loudness_energies *got)
{
    const int64_t units = gf_span_units(io->dst.span), blocks = gf_ceil_div(units, l->block_units);

    if (gf_loudness_energies_take(got, l, io->dst.data, blocks) != 0) {
        snprintf(check->problem, sizeof check->problem, "loudness: no memory to compare");
        return -1;
    }
    check->compared++;
    if (got->blocks != units / l->block_units)
        gf_check_report(check, "blocks", &gf_op_loudness, io, 0, 0, 0, (double)got->blocks,
                        (double)(units / l->block_units));
    return 0;
}

/* Compares energies of blocks with those of filters that run from the first sample to the last. */
static void compare_energies(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_loudness *l = params;
    struct gf_loudness_energies got = { 0 };

    if (take_energies(check, io, l, &got) != 0)
        return;
    for (int c = 0; c < l->channels; c++) {
        double s[4] = { 0 }, loudest = 0;

        for (int64_t b = 0; b < got.blocks; b++) {
            const double energy = got.energy[b * l->channels + c];
            double sum = 0;

            for (int64_t i = 0; i < l->block_units; i++) {
                double v[GF_SLOW_CHANNELS], z;

                gf_slow_load(check, io, 0, io->dst.span.start + b * l->block_units + i, v);
                z = gf_loudness_step(l->shelf, l->pass, v[c], &s[0], &s[1], &s[2], &s[3]);
                sum += z * z;
            }
            sum /= (double)l->block_units;
            loudest = fmax(loudest, sum);
            check->compared++;
            if (!(fabs(energy - sum) <= slack * loudest + 1e-12))
                gf_check_report(check, "energy", &gf_op_loudness, io, c, 0, b, energy, sum);
        }
    }
    free(got.energy);
}

static void try_loudness(struct gf_check *check, const struct gf_form *f)
{
    const int rate = (int)gf_draw(check, 3);
    struct gf_loudness_energies energies = { 0 };
    struct gf_loudness l;
    struct gf_trial t;
    struct gf_span out;
    size_t src_size;
    int64_t blocks;

    gf_draw_trial(check, &t, f, f->channels <= 4);
    t.io.store = NULL;
    gf_loudness_make(&l, loud_rates[rate], t.load.out);
    l.ring = GF_CHECK_TABLES - GF_CHECK_RINGS + rate * 8 * 128;
    l.levels = gf_draw(check, 2) == 0;
    l.full = 0.5f;
    t.width = 1;
    t.units = 1 + gf_draw(check, 5 * (uint32_t)l.block_units);
    blocks = gf_ceil_div(t.units, l.block_units);
    out.start = gf_draw(check, (uint32_t)blocks) * l.block_units;
    out.end = t.units;
    t.io.src = gf_draw_block(check, f, f->channels, check->src, 1, out);
    t.io.src.pitch_samples = f->planar ? 1 : f->channels;
    t.io.src_units = t.units;
    t.io.dst = t.io.src;
    t.io.dst.data = check->cpu;
    blocks = gf_ceil_div(gf_span_units(out), l.block_units);
    src_size = gf_check_block_bytes(&t.io.src);
    gf_draw_samples(check, &t.io.src, src_size, t.fill);
    gf_check_call(check, &gf_op_loudness, &t.io, &l, src_size,
                  (size_t)(blocks * l.channels) * sizeof(struct gf_loudness_record),
                  t.smooth ? SLACK : -1);
    if (check->problem[0] == '\0')
        (void)take_energies(check, &t.io, &l, &energies);
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
    { .name = "loudness", .what = "loudness (BS.1770), floats", .forms = "f32, f32 stereo", .set = set_loudness,
      .check_frames = 2 * RATE / 10 + 100 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_loudness = { .name = "loudness", .op = &gf_op_loudness, .cases = cases,
                                                        .sound = true,
                                                        .compare = compare_energies, .slack = SLACK,
                                                        .try = try_loudness, .make_pools = make_rings };
