/* Histograms on a CPU: four counters a bin, so that equal neighbors do not wait for each other. */
#include "kernels/statistics/histogram.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/luma.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"

#include <math.h>
#include <string.h>

#define WAYS 4
#define LEVELS 256                       /* of a byte */
#define FEW_BINS 1024                    /* up to this many bins, all counters fit in the first-level cache */

GF_INLINE int32_t floor_bin(float v, float bins, int32_t last)
{
    const float t = v > 0.0f ? v * bins : 0.0f;

    return t < bins ? (int32_t)t : last;
}

GF_INLINE int32_t round_bin(float v, float last)
{
    const float t = v > 0.0f ? v * last : 0.0f;

    return (int32_t)rintf(t < last ? t : last);
}

GF_CLONES
static void bins_of(const float *restrict v, int64_t n, const struct gf_histogram *h, int32_t *restrict bin)
{
    const float bins = (float)h->bins, last = (float)(h->bins - 1);

    if (h->binning == GF_BIN_ROUND)
        for (int64_t i = 0; i < n; i++)
            bin[i] = round_bin(v[i], last);
    else
        for (int64_t i = 0; i < n; i++)
            bin[i] = floor_bin(v[i], bins, h->bins - 1);
}

static void count_bins(const int32_t *bin, int64_t n, uint32_t *ways, int ways_stride, uint64_t *counts)
{
    int64_t i = 0;

    if (ways == NULL) {
        for (; i < n; i++)
            counts[bin[i]]++;
        return;
    }
    for (; i + WAYS <= n; i += WAYS)
        for (int k = 0; k < WAYS; k++)
            ways[k * ways_stride + bin[i + k]]++;
    for (; i < n; i++)
        ways[bin[i]]++;
}

/* Finds the bins of all levels of a byte. */
static void find_level_bins(const struct gf_block *b, const struct gf_histogram *h, int32_t *bin)
{
    uint8_t level[LEVELS];
    float v[LEVELS], *row = v;
    struct gf_block all = *b;

    all.data = level;
    all.span = (struct gf_span) { 0, 1 };
    all.channels = 1;
    for (int i = 0; i < LEVELS; i++)
        level[i] = (uint8_t)i;
    gf_load_pixels(&all, 0, 0, LEVELS, &row);
    bins_of(v, LEVELS, h, bin);
}

/* Bytes without a program: counts the 256 levels first, and adds them to their bins. */
static void count_bytes(const struct gf_io *io, const struct gf_histogram *h, uint64_t *counts)
{
    const struct gf_block *b = &io->src;
    int32_t bin[LEVELS];

    find_level_bins(b, h, bin);
    for (int c = 0; c < h->channels; c++) {
        uint32_t ways[WAYS][LEVELS];

        memset(ways, 0, sizeof ways);
        for (int64_t u = io->dst.span.start; u < io->dst.span.end; u++) {
            const uint8_t *s = (const uint8_t *)b->data + (u - b->span.start) * b->pitch_samples + c;
            int64_t x = 0;

            for (; x + WAYS <= b->width; x += WAYS)
                for (int k = 0; k < WAYS; k++)
                    ways[k][s[(x + k) * b->channels]]++;
            for (; x < b->width; x++)
                ways[0][s[x * b->channels]]++;
        }
        for (int v = 0; v < LEVELS; v++)
            counts[(int64_t)c * h->bins + bin[v]] += (uint64_t)ways[0][v] + ways[1][v] + ways[2][v] + ways[3][v];
    }
}

/* Counts the brightness of RGB bytes directly from memory, without converting them to floats. */
static void count_luma(const struct gf_io *io, const struct gf_histogram *h, uint64_t *counts)
{
    uint32_t ways[WAYS][LEVELS] = { { 0 } };
    uint8_t bin[GF_RUN_PIXELS];
    const int64_t width = io->src.width;

    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u++) {
        const uint8_t *row = (const uint8_t *)io->src.data + (u - io->src.span.start) * io->src.pitch_samples;

        for (int64_t x = 0, n; x < width; x += n) {
            int64_t i = 0;

            n = width - x < GF_RUN_PIXELS ? width - x : GF_RUN_PIXELS;
            gf_luma_levels(row + 3 * x, n, (float)io->src.maxval, &io->load->step[0], h->bins, bin);
            for (; i + WAYS <= n; i += WAYS)
                for (int k = 0; k < WAYS; k++)
                    ways[k][bin[i + k]]++;
            for (; i < n; i++)
                ways[0][bin[i]]++;
        }
    }
    for (int b = 0; b < h->bins; b++)
        counts[b] += (uint64_t)ways[0][b] + ways[1][b] + ways[2][b] + ways[3][b];
}

/* All other cases: rows of floats, bins, counts. */
static void count_floats(const struct gf_work *work, const struct gf_io *io, const struct gf_histogram *h,
                         uint64_t *counts)
{
    _Alignas(64) float room[GF_RUN_SAMPLES];
    float *row[GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX];
    int32_t bin[GF_RUN_PIXELS];
    uint32_t ways[WAYS * FEW_BINS];
    const int widest = gf_point_widest_of(io);
    const int64_t piece = GF_RUN_SAMPLES / widest < GF_RUN_PIXELS ? GF_RUN_SAMPLES / widest : GF_RUN_PIXELS;
    const bool run = gf_block_is_run(&io->src), few = h->bins <= FEW_BINS;
    const int64_t units = gf_span_units(io->dst.span);
    const int64_t rows = run ? 1 : units, length = run ? units * io->src.width : io->src.width;

    for (int64_t u = 0; u < rows; u++)
        for (int64_t x = 0, n; x < length; x += n) {
            n = length - x < piece ? length - x : piece;
            for (int c = 0; c < widest; c++)
                row[c] = room + c * piece;
            gf_load_pixels(&io->src, io->dst.span.start + u, x, n, row);
            gf_point_run(io->load, work->tables, row, n);
            for (int c = 0; c < h->channels; c++) {
                uint64_t *to = counts + (int64_t)c * h->bins;

                bins_of(row[c], n, h, bin);
                if (few)
                    memset(ways, 0, sizeof *ways * (size_t)(WAYS * h->bins));
                count_bins(bin, n, few ? ways : NULL, h->bins, to);
                for (int b = 0; few && b < h->bins; b++)
                    to[b] += (uint64_t)ways[b] + ways[h->bins + b] + ways[2 * h->bins + b] + ways[3 * h->bins + b];
            }
        }
}

bool gf_histogram_tile(const struct gf_io *io, const struct gf_histogram *h, int i, int j, struct gf_io *part)
{
    const struct gf_span columns = gf_histogram_tile_span(io->src.width, h->across, i);
    const struct gf_span rows = gf_histogram_tile_span(h->rows, h->down, j);
    struct gf_span *units = &part->dst.span;

    *part = *io;
    units->start = rows.start > units->start ? rows.start : units->start;
    units->end = rows.end < units->end ? rows.end : units->end;
    if (units->start >= units->end || columns.start >= columns.end)
        return false;
    part->src.data = (char *)io->src.data + (size_t)(columns.start * (io->src.planar ? 1 : io->src.channels))
                     * gf_type_bytes(io->src.type);
    part->src.width = part->dst.width = gf_span_units(columns);
    part->dst.data = (uint64_t *)io->dst.data + (int64_t)(j * h->across + i) * h->channels * h->bins;
    return true;
}

static void count(const struct gf_work *work, const struct gf_io *io, const struct gf_histogram *h)
{
    if (!io->src.planar && io->src.type == GF_U8 && gf_point_is_identity(io->load))
        count_bytes(io, h, io->dst.data);
    else if (gf_luma_is_view(&io->src, io->load) && h->channels == 1 && h->binning == GF_BIN_ROUND
             && h->bins <= LEVELS)
        count_luma(io, h, io->dst.data);
    else
        count_floats(work, io, h, io->dst.data);
}

int gf_histogram_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_histogram *h = params;
    struct gf_io part;

    (void)err;
    if (h->across == 0)
        count(work, io, h);
    for (int tile = 0; tile < h->across * h->down; tile++)
        if (gf_histogram_tile(io, h, tile % h->across, tile / h->across, &part))
            count(work, &part, h);
    return 0;
}

static struct gf_counts counts(const void *params)
{
    const struct gf_histogram *h = params;

    return (struct gf_counts) { h->bins, h->channels, gf_histogram_lines(h) };
}

/* A GPU runs programs that mix more than four channels before it counts. */
static size_t cuda_scratch(const struct gf_io *io, const void *params)
{
    const int channels = io->src.channels;

    (void)params;
    if (gf_point_is_uniform(io->load, channels) || (channels <= 4 && gf_point_widest(io->load) <= 4))
        return 0;
    return (size_t)(gf_gpu_loaded_bytes(io, false, gf_span_units(io->dst.span)) + GF_GPU_SCRATCH_SMALL);
}

const struct gf_operation gf_op_histogram = {
    .word = "histogram", .text = "Counts how often each value occurs.",
    .params_bytes = sizeof(struct gf_histogram),
    .cpu = { .body = gf_histogram_cpu, .light = 1.5 },
    .cuda = { .body = GF_CUDA_BODY(gf_histogram_cuda), GF_OP_STORES, .scratch_bytes = cuda_scratch },
    .counts = counts,
};
