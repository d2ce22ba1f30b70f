/* Convolution of images by Fourier transforms of tiles, on a CPU. */
#include "kernels/neighbourhood/fftmask.h"

#include "kernels/base/fft.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"
#include "kernels/neighbourhood/conv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tiles ---- */

/* A smaller tile takes more time for each result, and a larger one fills the shared memory of a GPU. */
#define LEAST_SIZE (1 << 14)
#define MOST_SIZE (1 << 19)

/* Finds the columns and units of results of a tile: as near to a square as the mask allows. */
static void find_largest(struct gf_fftmask *m, int64_t size)
{
    m->step_x = m->step_y = 0;
    for (int64_t pitch = m->nx; pitch * m->ny <= size; pitch++) {
        const int64_t x = pitch - m->nx + 1, y = size / pitch - m->ny + 1;

        if (x * y > (int64_t)m->step_x * m->step_y)
            m->step_x = (int)x, m->step_y = (int)y;
    }
}

int64_t gf_fftmask_lay_out(struct gf_fftmask *m, int64_t size, int rows)
{
    if (rows > 0) {
        const int64_t x = size / (rows + m->ny - 1) - m->nx + 1;

        m->step_y = rows;
        m->step_x = x > 0 ? (int)x : 0;
    } else {
        find_largest(m, size);
    }
    m->pitch = m->step_x + m->nx - 1;
    m->f = (struct gf_fftconv) { .taps = (int64_t)(m->ny - 1) * m->pitch + m->nx, .size = size, .step = size,
                                 .parts = 1, .mask_channels = 1 };
    m->f.part = m->f.taps;
    return (int64_t)m->step_x * m->step_y;
}

/* Returns true if enough samples of a tile are results: 2 of 5, or 3 of 4 in each row if the units are given. */
static bool is_large_enough(const struct gf_fftmask *m, int rows)
{
    return rows > 0 ? 4 * (int64_t)m->step_x >= 3 * (int64_t)m->pitch
                    : 5 * (int64_t)m->step_x * m->step_y >= 2 * m->f.size;
}

void gf_fftmask_choose(struct gf_fftmask *m, int rows)
{
    int64_t size = LEAST_SIZE;

    while ((gf_fftmask_lay_out(m, size, rows) == 0 || !is_large_enough(m, rows)) && size < MOST_SIZE)
        size *= 2;
}

int gf_fftmask_fill(const struct gf_fftmask *m, const float *weights, bool turned, float *spectra)
{
    float *flat = calloc((size_t)m->f.taps, sizeof *flat);
    const int count = m->nx * m->ny;
    int result;

    if (flat == NULL)
        return -1;
    for (int k = 0; k < count; k++)
        flat[k / m->nx * m->pitch + k % m->nx] = weights[turned ? count - 1 - k : k];
    result = gf_fftconv_fill(&m->f, flat, spectra);
    free(flat);
    return result;
}

int64_t gf_fftmask_end(const struct gf_fftmask *m, int64_t spectra)
{
    const int64_t size = m->f.size;

    if (size < 2 * GF_FFT_LEAST_POINTS || size > MOST_SIZE || (size & (size - 1)) != 0 || m->nx < 1 || m->ny < 1
        || m->nx > size || m->ny > size || m->cx < 0 || m->cx >= m->nx || m->cy < 0 || m->cy >= m->ny || m->step_x < 1
        || m->step_y < 1 || m->step_x > size || m->step_y > size || m->pitch != m->step_x + m->nx - 1
        || (int64_t)m->pitch * (m->step_y + m->ny - 1) > size || m->f.step != size || m->f.parts != 1
        || m->f.mask_channels != 1 || m->f.late != 0 || spectra < 0 || spectra % 2 != 0 || spectra > INT64_MAX / 2)
        return -1;
    return spectra + gf_fftconv_spectra_samples(&m->f);
}

/* ---- a tile ---- */

/* Collects the samples of tile (k, l). */
static void gather(const struct gf_fftmask *m, const struct gf_block *src, int c, int64_t units, int64_t k, int64_t l,
                   float *room)
{
    const int64_t x = k * m->step_x - m->cx, y = l * m->step_y - m->cy;
    const int64_t columns = gf_fftmask_needed(x, m->pitch, src->width, m->nx - 1 - m->cx);
    const int64_t rows = gf_fftmask_needed(y, m->step_y + m->ny - 1, units, m->ny - 1 - m->cy);

    for (int64_t j = 0; j < rows; j++, room += m->pitch) {
        const int64_t unit = gf_border_index(m->border, y + j, units), there = unit < 0 ? 0 : columns;

        if (unit >= 0)
            gf_border_copy(gf_plane_at(src, c, unit), src->width, sizeof *room, m->border, x, columns, room);
        memset(room + there, 0, (size_t)(m->pitch - there) * sizeof *room);
    }
    memset(room, 0, (size_t)(m->f.size - rows * m->pitch) * sizeof *room);
}

static void scatter(const struct gf_fftmask *m, const float *room, int64_t k, int64_t l, const struct gf_block *dst,
                    int c)
{
    const int64_t x = k * m->step_x, y = l * m->step_y;
    const int64_t columns = dst->width - x < m->step_x ? dst->width - x : m->step_x;
    const int64_t from = y > dst->span.start ? y : dst->span.start,
                         to = y + m->step_y < dst->span.end ? y + m->step_y : dst->span.end;

    for (int64_t unit = from; unit < to; unit++)
        memcpy(gf_plane_at(dst, c, unit) + x, room + (unit - y + m->ny - 1) * m->pitch + m->nx - 1,
               (size_t)columns * sizeof *room);
}

void gf_fftmask_planes(const struct gf_fftmask *m, const float *turns, const struct gf_block *src,
                       const struct gf_block *dst, int c, int64_t units, float *room)
{
    const struct gf_fft fft = { m->f.size / 2, turns };
    const float *spectrum = turns + gf_fft_turns_floats(fft.points);

    for (int64_t l = dst->span.start / m->step_y; l * m->step_y < dst->span.end; l++)
        for (int64_t k = 0; k * m->step_x < dst->width; k++) {
            gather(m, src, c, units, k, l, room);
            gf_fft_through(&fft, spectrum, room, room + fft.points);
            scatter(m, room, k, l, dst, c);
        }
}

/* ---- the operation ---- */

/* Returns the units of src under the tiles of dst. */
static struct gf_span needed(const struct gf_io *io, const struct gf_fftmask *m)
{
    struct gf_io tiles = *io;
    int64_t before, after;

    gf_conv_reach(m->ny, m->cy, m->border, &before, &after);
    tiles.dst.span = gf_fftmask_tiles_of(m, io->dst.span, io->src_units);
    return gf_span_around(&tiles, before, after, m->border);
}

static size_t fftmask_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_fftmask *m = params;

    return ((size_t)m->f.size + gf_padded_floats(gf_planar_source_samples(io, gf_span_units(io->src.span)))
            + gf_planar_result_samples(io, gf_channels_at_work(io))) * sizeof(float);
}

int gf_fftmask_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_fftmask *m = params;
    const struct gf_span part = needed(io, m);
    float *room = work->scratch, *source = room + m->f.size;
    struct gf_block src, dst;

    if (work->scratch_bytes < fftmask_scratch(io, m))
        return gf_fail(err, GF_FAILED, "internal error: fftmask has too little scratch memory");
    src = gf_planar_source(work, io, part, source);
    source += gf_padded_floats(gf_planar_source_samples(io, gf_span_units(part)));
    dst = gf_planar_result(io, src.channels, source);
    for (int c = 0; c < dst.channels; c++)
        if (c < m->colours)
            gf_fftmask_planes(m, work->masks + m->f.spectra_at, &src, &dst, c, io->src_units, room);
        else
            for (int64_t u = dst.span.start; u < dst.span.end; u++)
                memcpy(gf_plane_at(&dst, c, u), gf_plane_at(&src, c, u), (size_t)dst.width * sizeof(float));
    gf_planar_finish(work, io, &dst);
    return 0;
}

/* A transform and its inverse for each sample of a tile, and copies of it; not all of them are results. */
double gf_fftmask_light(const struct gf_fftmask *m)
{
    const int levels = __builtin_ctzll((unsigned long long)m->f.size);

    return (0.55 * levels + 6) * (double)m->f.size / ((double)m->step_x * m->step_y);
}

static struct gf_cost fftmask_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return (struct gf_cost) { .light = 1 + gf_fftmask_light(params) };
}

size_t gf_fftmask_gpu_bytes(const struct gf_fftmask *m)
{
    const int64_t batch = GF_FFTCONV_BATCH_SAMPLES > m->f.size ? GF_FFTCONV_BATCH_SAMPLES : m->f.size;

    return (size_t)(2 * batch) * sizeof(float) + GF_GPU_SCRATCH_SMALL;
}

static size_t fftmask_gpu_scratch(const struct gf_io *io, const void *params)
{
    return gf_gpu_scratch_planes(io, params) + gf_fftmask_gpu_bytes(params);
}

static void describe(const void *params, bool cuda, char *text, size_t room)
{
    const struct gf_fftmask *m = params;

    (void)cuda;
    snprintf(text, room, ", %d by %d weights, tiles of %d by %d", m->nx, m->ny, m->step_x, m->step_y);
}

/* Numbers of a plan that another process has sent may be any. */
static int64_t masks_end(const void *params, int channels)
{
    const struct gf_fftmask *m = params;

    (void)channels;
    return gf_fftmask_end(m, m->f.spectra_at);
}

const struct gf_operation gf_op_fftmask = {
    .word = "fftmask", .text = "Large masks on images, tile by tile, by Fourier transforms.",
    .params_bytes = sizeof(struct gf_fftmask),
    .cpu = { .body = gf_fftmask_cpu, .scratch_bytes = fftmask_scratch, .cost = fftmask_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_fftmask_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = fftmask_gpu_scratch,
              .cost = fftmask_cost },
    .describe = describe,
    .masks_end = masks_end,
};
