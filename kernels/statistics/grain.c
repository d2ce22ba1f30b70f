/* Grain on a CPU: bins of a row, then counts. */
#include "kernels/statistics/grain.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <math.h>
#include <string.h>

#define PIECE 512                        /* pixels whose bins are found before they are counted */

GF_CLONES
static void grain_bins(const float *restrict above, const float *restrict at, const float *restrict below, int n,
                       int32_t *restrict bin)
{
    for (int x = 0; x < n; x++)
        bin[x] = gf_grain_bin(gf_grain_column(above[x], at[x], below[x]),
                              gf_grain_column(above[x + 1], at[x + 1], below[x + 1]),
                              gf_grain_column(above[x + 2], at[x + 2], below[x + 2]));
}

/* Counts channel c of the band [start, end). */
static void count_band(const struct gf_block *src, int c, int64_t start, int64_t end, uint64_t *counts)
{
    int32_t bin[PIECE];

    memset(counts, 0, GF_GRAIN_BINS * sizeof *counts);
    for (int64_t y = start + 1; y < end - 1; y++)
        for (int64_t x = 0; x < src->width - 2; x += PIECE) {
            const int n = src->width - 2 - x < PIECE ? (int)(src->width - 2 - x) : PIECE;

            grain_bins(gf_plane_at(src, c, y - 1) + x, gf_plane_at(src, c, y) + x, gf_plane_at(src, c, y + 1) + x, n,
                       bin);
            for (int i = 0; i < n; i++)
                counts[bin[i]]++;
        }
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
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u += GF_GRAIN_ROWS)
        for (int c = 0; c < g->channels; c++, counts += GF_GRAIN_BINS)
            count_band(&src, c, u, u + GF_GRAIN_ROWS < io->dst.span.end ? u + GF_GRAIN_ROWS : io->dst.span.end, counts);
    return 0;
}

double gf_grain_sigma(const uint64_t *counts)
{
    uint64_t all = 0, below = 0;
    int bin = 0, octave, part;
    double within;

    for (int i = 0; i < GF_GRAIN_BINS; i++)
        all += counts[i];
    while (bin < GF_GRAIN_BINS - 1 && below + counts[bin] < (all + 1) / 2)
        below += counts[bin++];
    if (all == 0 || bin == 0)
        return 0;
    /* a bin is a sixteenth of an octave in the mantissa, so values within it are evenly spread */
    within = ((double)all / 2 - (double)below) / (double)counts[bin];
    octave = (bin - 1) / GF_GRAIN_OCTAVE;
    part = (bin - 1) % GF_GRAIN_OCTAVE;
    /* half of a normal distribution is within 0.6745 standard deviations */
    return ldexp(1 + (part + within) / GF_GRAIN_OCTAVE, octave + GF_GRAIN_LEAST) / 0.67448975;
}

static struct gf_records grain_records(const void *params)
{
    const struct gf_grain *g = params;

    return (struct gf_records) { GF_GRAIN_ROWS, g->channels, GF_GRAIN_BINS * sizeof(uint64_t), true, 0, 0, false };
}

const struct gf_operation gf_op_grain = {
    .word = "grain", .text = "Counts how much pixels differ from what their neighbors predict.",
    .params_bytes = sizeof(struct gf_grain),
    .cpu = { .body = gf_grain_cpu, .scratch_bytes = grain_scratch, .light = 6 },
    .cuda = { .body = GF_CUDA_BODY(gf_grain_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = gf_gpu_scratch_programs,
              .light = 3 },
    .records = grain_records,
};
