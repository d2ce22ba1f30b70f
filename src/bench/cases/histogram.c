/* Cases of counting. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/cuda_peers.h"
#include "bench/peers/npp.h"
#include "kernels/lessons/lesson.h"
#include "kernels/statistics/histogram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static void set_histogram(struct gf_bench_call *m)
{
    m->dst_bytes = (size_t)m->src.channels * GF_LESSON_BINS * sizeof(uint64_t);
    *(struct gf_histogram *)m->params = (struct gf_histogram) { .bins = GF_LESSON_BINS, .binning = GF_BIN_ROUND, .channels = m->src.channels };
}

static void set_many_bins(struct gf_bench_call *m)
{
    *(struct gf_histogram *)m->params = (struct gf_histogram) { .bins = GF_HISTOGRAM_MAX_BINS, .binning = GF_BIN_FLOOR, .channels = m->src.channels };
    m->dst_bytes = (size_t)m->src.channels * GF_HISTOGRAM_MAX_BINS * sizeof(uint64_t);
}

/* All in one bin. */
static void set_flat(struct gf_bench_call *m)
{
    set_histogram(m);
    m->fill = GF_BENCH_FLAT;
}

static void set_many_flat(struct gf_bench_call *m)
{
    set_many_bins(m);
    m->fill = GF_BENCH_FLAT;
}

static const struct gf_bench_case cases[] = {
    { .name = "histogram", .what = "256 bins of bytes", .forms = "u8, u8 rgb, f32", .set = set_histogram,
      .peers = { { "CUB HistogramEven", "u8", gf_cub_histogram }, { "NPP HistogramEven", "u8", gf_npp_histogram } } },
    { .name = "histogram, flat", .forms = "u8, u8 rgb", .set = set_flat,
      .peers = { { "CUB HistogramEven", "u8", gf_cub_histogram }, { "NPP HistogramEven", "u8", gf_npp_histogram } } },
    { .name = "histogram, 65536 bins", .forms = "u16", .set = set_many_bins, .peers = { { "CUB HistogramEven", NULL, gf_cub_histogram } } },
    { .name = "histogram, 65536 bins, flat", .forms = "u16", .set = set_many_flat,
      .peers = { { "CUB HistogramEven", NULL, gf_cub_histogram } } },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_histogram = { .name = "histogram", .op = &gf_op_histogram, .cases = cases, .try = try_histogram };
const struct gf_bench_group gf_bench_group_tiles = { .name = "tiles", .op = &gf_op_histogram, .try = try_tiles };
