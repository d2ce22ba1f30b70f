/* Spectra of overlapping windows on a CPU, window by window. */
#include "kernels/sound/windows.h"

#include "base/clones.h"
#include "base/elementary.h"
#include "kernels/base/block.h"
#include "kernels/base/gpu_scratch.h"

#include <string.h>

void gf_windows_fill(const struct gf_windows *w, double *tree, float *table)
{
    for (int i = 0; i < w->size; i++)
        table[i] = (float)gf_sin_pi((i + .5) / w->size);
    gf_fft_fill_tree(w->size / 2, GF_FFT_FILTER, tree);
    gf_fft_fill_turns(w->size / 2, tree, table + w->size);
}

/* A leaf of the tree of factors is x - e^iθ: its bits, from the highest, halve the turn or add half a turn. */
void gf_windows_order(const struct gf_windows *w, int *order)
{
    const int points = w->size / 2;

    for (int p = 0; p < points; p++) {
        double turn = .25;
        int64_t at;

        for (int bit = points / 2; bit > 0; bit /= 2)
            turn = turn / 2 + ((p & bit) != 0 ? .5 : 0);
        at = (int64_t)(turn * w->size);                  /* of frequency at + 1/2; negative ones are mirrored */
        order[at < points ? at : w->size - 1 - at] = (int)gf_fft_place(p);
    }
}

GF_CLONES
static void weigh_window(const float *restrict x, const float *restrict weight, int n, float *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] = x[i] * weight[i];
}

GF_CLONES
static void add_weighed(const float *restrict x, const float *restrict weight, float scale, int n, float *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] += x[i] * (weight[i] * scale);
}

GF_CLONES
static void square_values(const float *restrict re, const float *restrict im, int n, float *restrict power)
{
    for (int i = 0; i < n; i++)
        power[i] = re[i] * re[i] + im[i] * im[i];
}

void gf_windows_powers(const struct gf_windows *w, const float *table, const float *x, float *room, float *power)
{
    const struct gf_fft fft = { w->size / 2, table + w->size };

    weigh_window(x, table, w->size, room);
    gf_fft_forward(&fft, room, room + w->size / 2);
    square_values(room, room + w->size / 2, w->size / 2, power);
}

/* Loads the window that begins at frame `first` of a plane: its first half are real parts. */
static void load_window(const struct gf_windows *w, const float *table, const struct gf_block *src, int c,
                        int64_t first, float *to)
{
    const int64_t start = first > src->span.start ? first : src->span.start;
    const int64_t end = first + w->size < src->span.end ? first + w->size : src->span.end;

    if (end - start < w->size)
        memset(to, 0, (size_t)w->size * sizeof *to);
    if (end > start)
        weigh_window(gf_plane_at(src, c, start), table + (start - first), (int)(end - start), to + (start - first));
}

static bool is_plain(const struct gf_io *io)
{
    return gf_point_is_identity(io->load) && gf_point_is_identity(io->store) && io->src.planar && io->dst.planar
        && io->src.pitch_samples == 1 && io->dst.pitch_samples == 1;
}

static size_t analyze_scratch(const struct gf_io *shape, const void *params)
{
    (void)shape;
    return (size_t)((const struct gf_windows *)params)->size * sizeof(float);
}

int gf_analyze_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_windows *w = params;
    const int64_t step = gf_windows_step(w), units = io->src_units + w->size;
    const struct gf_span out = io->dst.span;
    const float *table = work->tables + w->table;
    const struct gf_fft fft = { w->size / 2, table + w->size };
    float *room = work->scratch;

    if (!is_plain(io))
        return gf_fail(err, GF_FAILED, "internal error: analyze needs planes and no programs");
    for (int c = 0; c < io->src.channels; c++)
        for (int64_t block = out.start / step; block * step < out.end; block++) {
            const int64_t at = block * step, start = at > out.start ? at : out.start;
            const int64_t end = at + step < out.end ? at + step : out.end;

            if (at + step <= units) {
                load_window(w, table, &io->src, c, at + step - w->size, room);
                gf_fft_forward(&fft, room, room + w->size / 2);
            } else {
                memset(room, 0, (size_t)w->size * sizeof *room);
            }
            for (int q = 0; q < GF_WINDOWS_OVERLAP; q++)
                memcpy(gf_plane_at(&io->dst, GF_WINDOWS_OVERLAP * c + q, start), room + q * step + (start - at),
                       (size_t)(end - start) * sizeof *room);
        }
    return 0;
}

static size_t synthesize_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_windows *w = params;

    return (size_t)(w->size + gf_span_units(shape->dst.span) + 2 * gf_windows_step(w)) * sizeof(float);
}

int gf_synthesize_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_windows *w = params;
    const int64_t step = gf_windows_step(w);
    const struct gf_span out = io->dst.span;
    const int64_t first = out.start / step, end = gf_ceil_div(out.end, step), from = first * step;
    const float *table = work->tables + w->table;
    const struct gf_fft fft = { w->size / 2, table + w->size };
    float *room = work->scratch, *sum = room + w->size;

    if (!is_plain(io))
        return gf_fail(err, GF_FAILED, "internal error: synthesize needs planes and no programs");
    for (int c = 0; c < io->dst.channels && out.start < out.end; c++) {
        memset(sum, 0, (size_t)((end - first) * step) * sizeof *sum);
        for (int64_t block = first; block < end + GF_WINDOWS_OVERLAP - 1; block++) {
            for (int q = 0; q < GF_WINDOWS_OVERLAP; q++)
                memcpy(room + q * step, gf_plane_at(&io->src, GF_WINDOWS_OVERLAP * c + q, block * step),
                       (size_t)step * sizeof *room);
            gf_fft_backward(&fft, room, room + w->size / 2);
            for (int q = 0; q < GF_WINDOWS_OVERLAP; q++) {
                const int64_t to = block - (GF_WINDOWS_OVERLAP - 1) + q;

                if (to >= first && to < end)
                    add_weighed(room + q * step, table + q * step, 1.0f / (float)w->size, (int)step,
                                sum + (to - first) * step);
            }
        }
        memcpy(gf_plane_at(&io->dst, c, out.start), sum + (out.start - from),
               (size_t)gf_span_units(out) * sizeof *sum);
    }
    return 0;
}

static size_t synthesize_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_windows *w = params;
    const int64_t blocks = gf_span_units(io->dst.span) / gf_windows_step(w) + GF_WINDOWS_OVERLAP + 1;

    return (size_t)(blocks * w->size * io->dst.channels) * sizeof(float) + GF_GPU_SCRATCH_SMALL;
}

int64_t gf_windows_tables_end(const struct gf_windows *w)
{
    const int size = w->size;

    return size < GF_WINDOWS_LEAST || size > GF_WINDOWS_MOST || (size & (size - 1)) != 0 || w->table % 2 != 0
               ? -1 : gf_op_rows_end(w->table, 1, gf_windows_entries(w));
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    (void)out;
    return gf_windows_tables_end(params);
}

const struct gf_operation gf_op_analyze = {
    .word = "analyze", .text = "Spectra of windows that overlap, stored as channels of the signal.",
    .params_bytes = sizeof(struct gf_windows), .starts_anew = 4, .tables_end = tables_end,
    .cpu = { .body = gf_analyze_cpu, .scratch_bytes = analyze_scratch, .light = 3 },
    .cuda = { .body = GF_CUDA_BODY(gf_analyze_cuda), .light = 3 },
};

const struct gf_operation gf_op_synthesize = {
    .word = "synthesize", .text = "The signal of such spectra.",
    .params_bytes = sizeof(struct gf_windows), .starts_anew = 4, .tables_end = tables_end,
    .cpu = { .body = gf_synthesize_cpu, .scratch_bytes = synthesize_scratch, .light = 15 },
    .cuda = { .body = GF_CUDA_BODY(gf_synthesize_cuda), .scratch_bytes = synthesize_gpu_scratch, .light = 15 },
};
