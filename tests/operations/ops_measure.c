/* Trials of operations that measure: counts, sums, records and energies. */
#include "ops_trials.h"
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/statistics/histogram.h"
#include "kernels/statistics/loudness.h"
#include "ops_slow.h"
#include "kernels/statistics/reduce.h"
#include "kernels/statistics/scan.h"

/* Each pixel counts in its tile, and in no other. */
static void try_tiles(const struct gf_form *f, bool on_gpu)
{
    struct gf_histogram h = { .bins = 16, .binning = GF_BIN_ROUND, .channels = 1, .across = 1 + (int)gf_any(5),
                              .down = 1 + (int)gf_any(5) };
    const uint64_t *counts = (const uint64_t *)(void *)gf_cpu_bytes;
    uint64_t wanted[25] = { 0 };
    struct gf_trial t;
    struct gf_span out;
    size_t src_size;

    gf_start_trial(&t, f, f->channels <= 4);
    t.io.store = NULL;
    out = gf_part_of(t.units);
    h.rows = t.units;
    t.io.src = gf_block_of(f, f->channels, gf_src_bytes, t.width, gf_grown(out, gf_any(2), gf_any(2), t.units));
    t.io.dst = t.io.src;
    t.io.dst.span = out;
    t.io.dst.data = gf_cpu_bytes;
    src_size = gf_block_bytes(&t.io.src);
    gf_fill_block(&t.io.src, src_size, t.fill);
    gf_try_call(on_gpu, &gf_op_histogram, &t.io, &h, src_size, sizeof(uint64_t) * (size_t)(h.bins * h.across * h.down), -1);
    for (int64_t y = out.start; y < out.end; y++)
        for (int64_t x = 0; x < t.width; x++) {
            int i = h.across - 1, j = h.down - 1;

            while (x < t.width * i / h.across)
                i--;
            while (y < t.units * j / h.down)
                j--;
            wanted[j * h.across + i]++;
        }
    for (int tile = 0; tile < h.across * h.down && gf_trouble[0] == '\0'; tile++) {
        uint64_t n = 0;

        for (int b = 0; b < h.bins; b++)
            n += counts[tile * h.bins + b];
        if (n != wanted[tile])
            gf_complain("tile", &gf_op_histogram, &t.io, tile, 0, 0, (double)n, (double)wanted[tile]);
    }
}

const struct gf_op_test gf_op_test_tiles = { .name = "tiles", .op = &gf_op_histogram, .try = try_tiles };

static void try_histogram(const struct gf_form *f, bool on_gpu)
{
    static const int bins[] = { 1, 7, 256, 1000, 4096, 65536 };
    struct gf_histogram h = { .bins = bins[gf_any(6)], .binning = (enum gf_histogram_binning)gf_any(2) };
    struct gf_trial t;
    size_t src_size, dst_size, n = 0;
    struct gf_span out;
    const uint64_t *counts = (const uint64_t *)(void *)gf_cpu_bytes;

    gf_start_trial(&t, f, f->channels <= 4);
    t.io.store = NULL;
    out = gf_part_of(t.units);
    h.channels = t.load.out;
    t.io.src = gf_block_of(f, f->channels, gf_src_bytes, t.width, gf_grown(out, gf_any(2), gf_any(2), t.units));
    t.io.dst = t.io.src;
    t.io.dst.span = out;
    t.io.dst.data = gf_cpu_bytes;
    src_size = gf_block_bytes(&t.io.src);
    dst_size = sizeof(uint64_t) * (size_t)(h.bins * h.channels);
    gf_fill_block(&t.io.src, src_size, t.fill);
    gf_try_call(on_gpu, &gf_op_histogram, &t.io, &h, src_size, dst_size, -1);
    for (int c = 0; c < h.channels && gf_trouble[0] == '\0'; c++) {
        uint64_t *wanted = calloc((size_t)h.bins, sizeof *wanted), unsure = 0, off = 0;
        double v[GF_MAX_CHANNELS + 4];

        for (int64_t y = out.start; y < out.end; y++)
            for (int64_t x = 0; x < t.width; x++) {
                double at, bin;

                gf_loaded(&t.io, x, y, v);
                at = h.binning == GF_BIN_ROUND ? v[c] * (h.bins - 1) : v[c] * h.bins;
                bin = h.binning == GF_BIN_ROUND ? rint(at) : floor(at);
                unsure += fabs(at - (h.binning == GF_BIN_ROUND ? floor(at) + 0.5 : rint(at))) < 1e-6 * (fabs(at) + 1) * 4;
                wanted[(int)gf_clamp(bin, 0, h.bins - 1)]++;
            }
        for (int b = 0; b < h.bins; b++) {
            off += wanted[b] > counts[(int64_t)c * h.bins + b] ? wanted[b] - counts[(int64_t)c * h.bins + b] : 0;
            n += counts[(int64_t)c * h.bins + b];
        }
        if (t.smooth && off > unsure)
            gf_complain("counts", &gf_op_histogram, &t.io, c, 0, 0, (double)off, (double)unsure);
        free(wanted);
    }
    if (gf_trouble[0] == '\0' && n != (size_t)(gf_span_units(out) * t.width * h.channels))
        gf_complain("total", &gf_op_histogram, &t.io, 0, 0, 0, (double)n, (double)(gf_span_units(out) * t.width * h.channels));
}

const struct gf_op_test gf_op_test_histogram = { .name = "histogram", .op = &gf_op_histogram, .try = try_histogram };

/* What channel 0 of all of it reduces to; where a sample is next to full scale, it may count as clipped or not. */
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

const struct gf_op_test gf_op_test_reduce = { .name = "reduce", .op = &gf_op_reduce, .try = try_reduce };

static const int64_t loud_rates[] = { 4000, 8000, 11025 };

void gf_make_rings(void)
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

const struct gf_op_test gf_op_test_loudness = { .name = "loudness", .op = &gf_op_loudness, .try = try_loudness };

static void try_scan(const struct gf_form *f, bool on_gpu)
{
    static const int64_t counts[] = { 1, 2, 255, 256, 2047, 2048, 2049, 65536, 100003 };
    struct gf_scan s = { .count = counts[gf_any(9)] };
    struct gf_io io = { 0 };
    uint64_t *v = (uint64_t *)(void *)gf_src_bytes, sum = 0;
    const size_t bytes = (size_t)s.count * sizeof *v;

    (void)f;
    for (int64_t i = 0; i < s.count; i++)
        v[i] = (uint64_t)gf_any(1u << 30) << gf_any(13);
    io.src.data = gf_src_bytes;
    io.dst.data = gf_cpu_bytes;
    if (gf_run_cpu(&gf_op_scan, &io, &s) != 0 || (on_gpu && gf_run_gpu(&gf_op_scan, &io, &s, bytes, bytes) != 0)) {
        snprintf(gf_trouble, sizeof gf_trouble, "scan: %.300s", gf_failure.text);
        return;
    }
    for (int64_t i = 0; i < s.count; i++) {
        sum += v[i];
        if (((uint64_t *)io.dst.data)[i] != sum && gf_trouble[0] == '\0')
            snprintf(gf_trouble, sizeof gf_trouble, "scan: value %" PRId64 " of %" PRId64 " is wrong", i, s.count);
    }
}

const struct gf_op_test gf_op_test_scan = { .name = "scan", .op = &gf_op_scan, .try = try_scan, .once = true };
