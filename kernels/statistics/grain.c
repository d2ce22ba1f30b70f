/* Grain on a CPU: bins of a row, then counts. */
#include "kernels/statistics/grain.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <math.h>
#include <string.h>

#define PIECE 512                        /* pixels whose bins are found before they are counted */
#define WIDE (PIECE + 2 * GF_GRAIN_APART)
#define FEWEST 512                       /* pixels of a level that the noise is estimated from, if it has them */
#define DEVIATIONS ((GF_GRAIN_DEGREES - 2) * (GF_GRAIN_OCTAVE / 2) + GF_GRAIN_RATIOS)

/* A piece of a row, with as many pixels more on each side as roughness needs. */
struct piece {
    float sum[WIDE + 2], slope[WIDE + 2], bend[WIDE + 2], rough[WIDE];
};

GF_INLINE struct gf_grain_column column(const struct piece *p, int x)
{
    return (struct gf_grain_column) { p->sum[x], p->slope[x], p->bend[x] };
}

/* Finds the bins of n pixels. The samples begin `before` pixels to their left, and end `after` to their right. */
GF_CLONES
static void grain_bins(const float *restrict above, const float *restrict at, const float *restrict below, int before,
                       int n, int after, struct piece *restrict p, int32_t *restrict bin)
{
    const int all = before + n + after, first = GF_GRAIN_APART - before;

    for (int x = 0; x < all + 2; x++) {
        const struct gf_grain_column one = gf_grain_column(above[x], at[x], below[x]);

        p->sum[x] = one.sum;
        p->slope[x] = one.slope;
        p->bend[x] = one.bend;
    }
    for (int x = 0; x < all; x++)
        p->rough[first + x] = gf_grain_roughness(column(p, x), column(p, x + 1), column(p, x + 2));
    for (int x = 0; x < first; x++)
        p->rough[x] = p->rough[first];
    for (int x = first + all; x < n + 2 * GF_GRAIN_APART; x++)
        p->rough[x] = p->rough[first + all - 1];
    for (int x = 0; x < n; x++) {
        const float *rough = p->rough + x, sides = rough[0] + rough[2 * GF_GRAIN_APART];

        bin[x] = gf_grain_bin(column(p, before + x), column(p, before + x + 1), column(p, before + x + 2),
                              sides + rough[GF_GRAIN_APART]);
    }
}

/* Counts the pixels of a row of `width` samples. */
static void count_row(const float *above, const float *at, const float *below, int64_t width, uint64_t *counts)
{
    struct piece piece;
    int32_t bin[PIECE];

    for (int64_t x = 0; x < width - 2; x += PIECE) {
        const int n = width - 2 - x < PIECE ? (int)(width - 2 - x) : PIECE;
        const int before = x > 0 ? GF_GRAIN_APART : 0;
        const int after = width - 2 - x - n < GF_GRAIN_APART ? (int)(width - 2 - x - n) : GF_GRAIN_APART;

        grain_bins(above + x - before, at + x - before, below + x - before, before, n, after, &piece, bin);
        for (int i = 0; i < n; i++)
            counts[bin[i]]++;
    }
}

/* Counts channel c of the band [start, end). */
static void count_band(const struct gf_block *src, int c, int64_t start, int64_t end, uint64_t *record)
{
    uint64_t counts[GF_GRAIN_BINS + 1] = { 0 };

    for (int64_t y = start + 1; y < end - 1; y++)
        count_row(gf_plane_at(src, c, y - 1), gf_plane_at(src, c, y), gf_plane_at(src, c, y + 1), src->width, counts);
    memcpy(record, counts, GF_GRAIN_BINS * sizeof *record);
}

static size_t grain_scratch(const struct gf_io *io, const void *params)
{
    (void)params;
    return gf_planar_source_samples(io, gf_span_units(io->dst.span)) * sizeof(float);
}

int gf_grain_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_grain *g = params;
    uint64_t *counts = io->dst.data;
    struct gf_block src;

    if (work->scratch_bytes < grain_scratch(io, params))
        return gf_fail(err, GF_FAILED, "internal error: grain has too little scratch memory");
    src = gf_planar_source(work, io, io->dst.span, work->scratch);
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u += GF_GRAIN_ROWS) {
        const int64_t end = u + GF_GRAIN_ROWS < io->dst.span.end ? u + GF_GRAIN_ROWS : io->dst.span.end;

        for (int c = 0; c < g->channels; c++, counts += GF_GRAIN_BINS)
            count_band(&src, c, u, end, counts);
    }
    return 0;
}

/* Returns the start of a bin of deviations; bin 0 is the first one of degree 1. */
static double bin_start(int bin)
{
    return ldexp(1 + bin % GF_GRAIN_OCTAVE / (double)GF_GRAIN_OCTAVE,
                 GF_GRAIN_LEAST + GF_GRAIN_LOWEST + bin / GF_GRAIN_OCTAVE);
}

/* Returns the deviation that half of them are below. They are evenly spread within a bin. */
static double median(const double *bins)
{
    double all = 0, below = 0;
    int bin = 0;

    for (int i = 0; i < DEVIATIONS; i++)
        all += bins[i];
    while (bin < DEVIATIONS - 1 && below + bins[bin] < all / 2)
        below += bins[bin++];
    return bin_start(bin) + (bin_start(bin + 1) - bin_start(bin)) * (all / 2 - below) / bins[bin];
}

/* Returns how many of the pixels in each degree are less rough than the root of `variance`. */
static double less_rough(const double *degree, double variance)
{
    double n = 0;

    for (int d = 1; d < GF_GRAIN_DEGREES; d++) {
        /* squares are evenly spread within a degree */
        const double part = ldexp(variance, 1 - d - 2 * GF_GRAIN_LEAST) - 1;

        n += degree[d] * (part < 0 ? 0 : part < 1 ? part : 1);
    }
    return n;
}

/*
 * Returns the standard deviation of the noise in a level, from the eighth of its pixels that is least rough; 0 if it
 * has none. Its weight is the number of its pixels, and less if more of them are rough than noise alone would make.
 */
static double level_sigma(const uint64_t *counts, double *weight)
{
    double bins[DEVIATIONS] = { 0 }, degree[GF_GRAIN_DEGREES] = { 0 }, all = 0, left, sigma, part;

    for (int d = 1; d < GF_GRAIN_DEGREES; d++) {
        for (int i = 0; i < GF_GRAIN_RATIOS; i++)
            degree[d] += (double)counts[d * GF_GRAIN_RATIOS + i];
        all += degree[d];
    }
    *weight = 0;
    if (all == 0)
        return 0;
    left = all / 8 > FEWEST ? all / 8 : all < FEWEST ? all : FEWEST;
    for (int d = 1; d < GF_GRAIN_DEGREES && left > 0; left -= degree[d++]) {
        part = degree[d] <= left ? 1 : left / degree[d];
        for (int i = 0; i < GF_GRAIN_RATIOS; i++)
            bins[(d - 1) * (GF_GRAIN_OCTAVE / 2) + i] += part * (double)counts[d * GF_GRAIN_RATIOS + i];
    }
    /* half of a normal distribution is within 0.6745 standard deviations */
    sigma = median(bins) / 0.67448975;
    /* nine tenths of a chi-squared distribution of 21 degrees of freedom are below 1.44 times 21 */
    part = less_rough(degree, 1.44 * sigma * sigma) / (0.9 * all);
    *weight = all * (part < 1 ? part * part : 1);
    return sigma;
}

double gf_grain_sigma(const uint64_t *counts)
{
    double variance = 0, weights = 0;
    uint64_t all = 0, still = 0;

    for (int i = 0; i < GF_GRAIN_BINS; i++) {
        all += counts[i];
        still += i / GF_GRAIN_RATIOS % GF_GRAIN_DEGREES == 0 ? counts[i] : 0;
    }
    if (still >= (all + 1) / 2)
        return 0;
    for (int i = 0; i < GF_GRAIN_LEVELS; i++) {
        double weight;
        const double sigma = level_sigma(counts + i * GF_GRAIN_DEGREES * GF_GRAIN_RATIOS, &weight);

        variance += weight * sigma * sigma;
        weights += weight;
    }
    return weights > 0 ? sqrt(variance / weights) : 0;
}

static struct gf_records grain_records(const void *params)
{
    const struct gf_grain *g = params;

    return (struct gf_records) { .block_units = GF_GRAIN_ROWS, .channels = g->channels,
                                 .bytes = GF_GRAIN_BINS * sizeof(uint64_t), .keep = true, .joined = INT32_MAX };
}

static void grain_join(const void *params, void *all, const void *more)
{
    uint64_t *to = all;
    const uint64_t *from = more;

    (void)params;
    for (int i = 0; i < GF_GRAIN_BINS; i++)
        to[i] += from[i];
}

const struct gf_operation gf_op_grain = {
    .word = "grain", .text = "Counts how much pixels differ from what their neighbors predict.",
    .params_bytes = sizeof(struct gf_grain),
    .cpu = { .body = gf_grain_cpu, .scratch_bytes = grain_scratch, .light = 8 },
    .cuda = { .body = GF_CUDA_BODY(gf_grain_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = gf_gpu_scratch_programs,
              .light = 3 },
    .records = grain_records, .join = grain_join,
};
