/* Cases of histograms. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/cuda_peers.h"
#include "bench/peers/npp.h"
#include "kernels/lessons/histogram.h"
#include "kernels/statistics/histogram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Compares how many pixels each tile has counted. */
static void compare_tiles(struct gf_check *check, const struct gf_io *io, const struct gf_histogram *h)
{
    const uint64_t *counts = io->dst.data;
    const int64_t w = io->src.width;
    uint64_t wanted[25] = { 0 };

    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
        for (int64_t x = 0; x < w; x++) {
            int i = h->across - 1, j = h->down - 1;

            while (x < w * i / h->across)
                i--;
            while (y < h->rows * j / h->down)
                j--;
            wanted[j * h->across + i]++;
        }
    for (int tile = 0; tile < h->across * h->down; tile++) {
        uint64_t n = 0;

        for (int b = 0; b < h->bins * h->channels; b++)
            n += counts[tile * h->bins * h->channels + b];
        check->compared++;
        if (n != wanted[tile] * (uint64_t)h->channels)
            gf_check_report(check, "tile", &gf_op_histogram, io, tile, 0, 0, (double)n, (double)wanted[tile]);
    }
}

/* Compares the counts of a channel. Values next to the limit of a bin may be in either. */
static void compare_bins(struct gf_check *check, const struct gf_io *io, const struct gf_histogram *h, int c)
{
    const uint64_t *counts = (const uint64_t *)io->dst.data + (int64_t)c * h->bins;
    uint64_t *wanted = calloc((size_t)h->bins, sizeof *wanted), unsure = 0, missing = 0, extra = 0;
    const bool round = h->binning == GF_BIN_ROUND;
    double v[GF_SLOW_CHANNELS];

    if (wanted == NULL) {
        snprintf(check->problem, sizeof check->problem, "histogram: no memory to compare");
        return;
    }
    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
        for (int64_t x = 0; x < io->src.width; x++) {
            double at, bin;

            gf_slow_load(check, io, x, y, v);
            at = round ? v[c] * (h->bins - 1) : v[c] * h->bins;
            bin = round ? rint(at) : floor(at);
            unsure += fabs(at - (round ? floor(at) + 0.5 : rint(at))) < 1e-6 * (fabs(at) + 1) * 4;
            wanted[(int)gf_slow_clamp(bin, 0, h->bins - 1)]++;
        }
    for (int b = 0; b < h->bins; b++) {
        missing += wanted[b] > counts[b] ? wanted[b] - counts[b] : 0;
        extra += counts[b] > wanted[b] ? counts[b] - wanted[b] : 0;
    }
    check->compared += h->bins;
    if (missing > unsure || extra > unsure)
        gf_check_report(check, "counts", &gf_op_histogram, io, c, 0, 0, (double)(missing > extra ? missing : extra),
                        (double)unsure);
    free(wanted);
}

static void compare_counts(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_histogram *h = params;

    (void)slack;
    if (h->across > 0)
        compare_tiles(check, io, h);
    for (int c = 0; h->across == 0 && c < h->channels; c++)
        compare_bins(check, io, h, c);
}

/* Makes the blocks of a random call and the call. */
static void check_histogram(struct gf_check *check, struct gf_trial *t, const struct gf_histogram *h,
                            struct gf_span out, bool compares)
{
    size_t src_size;

    t->io.src = gf_draw_block(check, t->form, t->form->channels, check->src, t->width,
                              gf_check_grow(out, gf_draw(check, 2), gf_draw(check, 2), t->units));
    t->io.dst = t->io.src;
    t->io.dst.span = out;
    t->io.dst.data = check->cpu;
    src_size = gf_check_block_bytes(&t->io.src);
    gf_draw_samples(check, &t->io.src, src_size, t->fill);
    gf_check_call(check, &gf_op_histogram, &t->io, h, src_size,
                  sizeof(uint64_t) * (size_t)(h->bins * gf_histogram_lines(h)),
                  compares ? 0 : -1);
}

static void try_tiles(struct gf_check *check, const struct gf_form *f)
{
    struct gf_histogram h = { .bins = 16, .binning = GF_BIN_ROUND, .channels = 1, .across = 1 + (int)gf_draw(check, 5),
                              .down = 1 + (int)gf_draw(check, 5) };
    struct gf_trial t;

    gf_draw_trial(check, &t, f, f->channels <= 4);
    t.io.store = NULL;
    h.rows = t.units;
    check_histogram(check, &t, &h, gf_draw_span(check, t.units), true);
}

static void try_histogram(struct gf_check *check, const struct gf_form *f)
{
    static const int bins[] = { 1, 7, 256, 1000, 4096, 65536 };
    struct gf_histogram h = { .bins = bins[gf_draw(check, 6)],
                              .binning = (enum gf_histogram_binning)gf_draw(check, 2) };
    const uint64_t *counts = (const uint64_t *)(void *)check->cpu;
    uint64_t n = 0, wanted;
    struct gf_trial t;

    gf_draw_trial(check, &t, f, true);
    t.io.store = NULL;
    h.channels = t.load.out;
    check_histogram(check, &t, &h, gf_draw_span(check, t.units), t.smooth);
    wanted = (uint64_t)(gf_span_units(t.io.dst.span) * t.width * h.channels);
    for (int64_t i = 0; i < (int64_t)h.bins * h.channels; i++)
        n += counts[i];
    if (check->problem[0] == '\0' && n != wanted)
        gf_check_report(check, "total", &gf_op_histogram, &t.io, 0, 0, 0, (double)n, (double)wanted);
}

static void set_histogram(struct gf_bench_call *m)
{
    m->dst_bytes = (size_t)m->src.channels * GF_LESSON_BINS * sizeof(uint64_t);
    *(struct gf_histogram *)m->params = (struct gf_histogram) { .bins = GF_LESSON_BINS, .binning = GF_BIN_ROUND,
                                                                .channels = m->src.channels };
}

static void set_many_bins(struct gf_bench_call *m)
{
    *(struct gf_histogram *)m->params = (struct gf_histogram) { .bins = GF_HISTOGRAM_MAX_BINS, .binning = GF_BIN_FLOOR,
                                                                .channels = m->src.channels };
    m->dst_bytes = (size_t)m->src.channels * GF_HISTOGRAM_MAX_BINS * sizeof(uint64_t);
}

/* Counts all samples in one bin. */
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
    { .name = "histogram", .what = "256-bin histogram, bytes", .forms = "u8, u8 rgb, f32", .set = set_histogram,
      .peers = { { "CUB HistogramEven", "u8", gf_cub_histogram }, { "NPP HistogramEven", "u8", gf_npp_histogram } } },
    { .name = "histogram, flat", .forms = "u8, u8 rgb", .set = set_flat,
      .peers = { { "CUB HistogramEven", "u8", gf_cub_histogram }, { "NPP HistogramEven", "u8", gf_npp_histogram } } },
    { .name = "histogram, 65536 bins", .forms = "u16", .set = set_many_bins,
      .peers = { { "CUB HistogramEven", NULL, gf_cub_histogram } } },
    { .name = "histogram, 65536 bins, flat", .forms = "u16", .set = set_many_flat,
      .peers = { { "CUB HistogramEven", NULL, gf_cub_histogram } } },
    { .name = "equalize", .forms = "u8, u8 rgb", .set = set_histogram,
      .stages = "equalize", .opencv = "cv2.equalizeHist(a, b)" },
    { .name = "otsu", .forms = "u8", .set = set_histogram, .stages = "threshold:otsu",
      .opencv = "cv2.threshold(a, 0, 255, cv2.THRESH_OTSU, b)[1]" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_histogram = { .name = "histogram", .op = &gf_op_histogram, .cases = cases,
    .compare = compare_counts, .try = try_histogram };
const struct gf_bench_group gf_bench_group_tiles = { .name = "tiles", .op = &gf_op_histogram, .try = try_tiles };
