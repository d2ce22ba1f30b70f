/* Spectra on a CPU, window by window. */
#include "kernels/sound/spectrum.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/fft.h"

#include <math.h>
#include <string.h>

void gf_spectrum_fill(struct gf_spectrum *s, float *table)
{
    double sum = 0;

    for (int i = 0; i < s->size; i++) {
        const double w = .5 - .5 * cos(2 * M_PI * i / s->size);

        table[i] = (float)w;
        sum += w;
    }
    for (int k = 0; k < s->size / 2; k++) {
        table[s->size + 2 * k] = (float)cos(2 * M_PI * k / s->size);
        table[s->size + 2 * k + 1] = (float)sin(2 * M_PI * k / s->size);
    }
    s->scale = (float)(4 / (sum * sum));
}

static size_t spectrum_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_spectrum *s = params;

    (void)shape;
    return (gf_padded_floats((size_t)s->size) + gf_padded_floats((size_t)s->size + 2)
            + gf_padded_floats((size_t)gf_fft_room(s->size)) + 16)
         * sizeof(float);
}

/* Copies frames [first, first + n) of a plane, weighted. */
static void weigh(const struct gf_block *src, int c, int64_t first, int n, const float *restrict weights,
                  float *restrict to)
{
    const float *restrict plane = (const float *)src->data + c * src->plane_samples;
    int64_t start = src->span.start > first ? src->span.start - first : 0, end = src->span.end - first;

    start = start < n ? start : n;
    end = end < n ? end : n;
    end = end > start ? end : start;
    memset(to, 0, (size_t)start * sizeof *to);
    for (int64_t i = start; i < end; i++)
        to[i] = plane[first + i - src->span.start] * weights[i];
    memset(to + end, 0, (size_t)(n - end) * sizeof *to);
}

GF_CLONES
static void add_powers(float *restrict to, const float *restrict spectrum, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        to[k] += fmaf(spectrum[2 * k], spectrum[2 * k], spectrum[2 * k + 1] * spectrum[2 * k + 1]);
}

int gf_spectrum_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_spectrum *s = params;
    const struct gf_fft *f = gf_fft_of(s->size, err);
    float *x = (float *)gf_padded_bytes((uintptr_t)work->scratch), *spectrum = x + gf_padded_floats((size_t)s->size);
    float *room = spectrum + gf_padded_floats((size_t)s->size + 2);

    if (f == NULL)
        return -1;
    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: spectrum needs planes and no programs");
    for (int c = 0; c < io->dst.channels; c++)
        for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++) {
            float *row = gf_plane_at(&io->dst, c, n);

            memset(row, 0, (size_t)io->dst.width * sizeof *row);
            for (int i = 0; i < s->windows; i++) {
                weigh(&io->src, c, gf_spectrum_first(s, n, i), s->size, work->tables + s->table, x);
                gf_fft_run_forward(f, x, spectrum, room);
                add_powers(row, spectrum, io->dst.width);
            }
            for (int64_t k = 0; k < io->dst.width; k++)
                row[k] *= s->scale / (float)s->windows;
        }
    return 0;
}

/* A transform for each window of a row. Measured: 55 with 6 windows of 2048 frames, 22 with 2 of 8192. */
static struct gf_cost spectrum_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_spectrum *s = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = s->windows * log2(s->size) };
}

const struct gf_operation gf_op_spectrum = {
    .word = "spectrum", .text = "The powers of frequencies, block by block.",
    .params_bytes = sizeof(struct gf_spectrum),
    .cpu = { .body = gf_spectrum_cpu, .scratch_bytes = spectrum_scratch, .cost = spectrum_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_spectrum_cuda), .cost = spectrum_cost },
};
