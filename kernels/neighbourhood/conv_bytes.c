/*
 * Separable masks from packed bytes to packed bytes on a CPU. A few hundred columns at a time go from rows of bytes
 * to sums along the row, which stay in a ring of rows, and from there to bytes, so that no float leaves the caches.
 * Channels stay interleaved: the taps along a row are whole pixels apart.
 */
#include "kernels/neighbourhood/conv_bytes.h"

#include "kernels/base/block.h"
#include "kernels/base/pack.h"
#include "kernels/neighbourhood/box_bytes.h"
#include "kernels/neighbourhood/conv_sums.h"

#include <string.h>

#define TILE 2048                        /* samples of a row of the result that are computed together */
#define CHANNELS 4
#define LINE (TILE + GF_CONV_CHUNK * CHANNELS)

bool gf_conv_bytes_fits(const struct gf_io *io, const struct gf_conv *conv)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;
    const int channels = src->channels;
    const bool bytes = !src->planar && src->type == GF_U8 && !dst->planar && dst->type == GF_U8;

    return bytes && channels == dst->channels && channels <= CHANNELS && gf_point_is_identity(io->load)
        && gf_point_is_identity(io->store) && !conv->full && conv->mask_channels == 1
        && conv->nx > 0 && conv->nx <= GF_CONV_CHUNK && conv->ny > 0 && conv->ny <= GF_CONV_CHUNK
        && (conv->combine == GF_CONV_PLAIN || (conv->combine == GF_CONV_SHARPEN && conv->combined == channels));
}

/* A padded line, the sums and the samples of a row of the result, and a ring of sums along the rows. */
size_t gf_conv_bytes_scratch(const struct gf_conv *conv)
{
    const size_t floats = (size_t)(LINE + 2 * TILE + conv->ny * TILE) * sizeof(float);
    const size_t mean = conv->nx <= GF_BOX_BYTES_WEIGHTS ? gf_box_bytes_scratch(conv->nx / 2) : 0;

    return floats > mean ? floats : mean;
}

/* Returns true if the mask is the mean of a square around the pixel, which integers give, too. */
static bool is_mean(const struct gf_io *io, const struct gf_conv *conv, const float *x, const float *y)
{
    const float weight = 1.0f / (float)conv->nx;

    if (conv->nx != conv->ny || conv->nx % 2 == 0 || conv->nx > GF_BOX_BYTES_WEIGHTS || conv->cx != conv->nx / 2
        || conv->cy != conv->cx || conv->combine != GF_CONV_PLAIN || !gf_box_bytes_fits(io, conv->cx))
        return false;
    for (int k = 0; k < conv->nx; k++)
        if (x[k] != weight || y[k] != weight)
            return false;
    return true;
}

struct conv_bytes_job {
    const struct gf_conv *conv;
    const float *x_weights, *y_weights;
    struct gf_block src, dst;            /* all samples of a row as one channel */
    int channels;
    int64_t width, units;                /* pixels of a row, rows of the signal */
    float *line, *sums, *samples, *ring;
};

/* Loads n pixels of row y from x on, and those beyond the ends of the row. */
static void load_line(const struct conv_bytes_job *j, int64_t y, int64_t x, int64_t n, float *to)
{
    const int c = j->channels;
    const int64_t first = x < 0 ? (-x < n ? -x : n) : 0, end = x + n > j->width ? j->width - x : n;

    for (int64_t i = 0; i < n; i++) {
        float *pixel = to + i * c;
        int64_t at;

        if (i == first && first < end) {
            gf_load_pixels(&j->src, y, (x + first) * c, (end - first) * c, &pixel);
            i = end - 1;
            continue;
        }
        at = gf_border_index(j->conv->border, x + i, j->width);
        if (at < 0)
            memset(pixel, 0, (size_t)c * sizeof *pixel);
        else
            gf_load_pixels(&j->src, y, at * c, c, &pixel);
    }
}

static float *ring_row(const struct conv_bytes_job *j, int64_t row)
{
    return j->ring + gf_modulo(row, j->conv->ny) * TILE;
}

/* Sums n pixels from x on along row `row`, which may be beyond the first or the last one, into the ring. */
static void sum_row(const struct conv_bytes_job *j, int64_t row, int64_t x, int64_t n)
{
    const struct gf_conv *conv = j->conv;
    const int64_t at = gf_border_index(conv->border, row, j->units);
    const float *tap[GF_CONV_CHUNK];

    if (at < 0) {
        memset(ring_row(j, row), 0, (size_t)(n * j->channels) * sizeof(float));
        return;
    }
    load_line(j, at, x - conv->cx, n + conv->nx - 1, j->line);
    for (int k = 0; k < conv->nx; k++)
        tap[k] = j->line + k * j->channels;
    gf_conv_sums(tap, j->x_weights, conv->nx, GF_CONV_CHUNK, ring_row(j, row), n * j->channels);
}

/* Computes n pixels of row y from x on, from the ring. */
static void finish_row(const struct conv_bytes_job *j, int64_t y, int64_t x, int64_t n)
{
    const struct gf_conv *conv = j->conv;
    const int64_t samples = n * j->channels;
    const float *tap[GF_CONV_CHUNK], *result = j->sums;

    for (int k = 0; k < conv->ny; k++)
        tap[k] = ring_row(j, y - conv->cy + k);
    gf_conv_sums(tap, j->y_weights, conv->ny, GF_CONV_CHUNK, j->sums, samples);
    if (conv->combine == GF_CONV_SHARPEN) {
        gf_load_pixels(&j->src, y, x * j->channels, samples, &j->samples);
        gf_conv_sums_sharpen(j->sums, j->samples, conv->amount, conv->threshold, samples);
    }
    gf_store_pixels(&j->dst, y, x * j->channels, samples, &result);
}

static struct gf_block all_as_one(struct gf_block b)
{
    b.width *= b.channels;
    b.channels = 1;
    return b;
}

void gf_conv_bytes_run(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv)
{
    float *at = work->scratch;
    const struct conv_bytes_job j = {
        .conv = conv, .x_weights = work->masks + conv->x_at, .y_weights = work->masks + conv->y_at,
        .src = all_as_one(io->src), .dst = all_as_one(io->dst), .channels = io->src.channels,
        .width = io->src.width, .units = io->src_units,
        .line = at, .sums = at + LINE, .samples = at + LINE + TILE, .ring = at + LINE + 2 * TILE,
    };
    const int64_t most = TILE / j.channels;

    if (is_mean(io, conv, j.x_weights, j.y_weights)) {
        gf_box_bytes_run(io, conv->cx, conv->border, work->scratch);
        return;
    }
    for (int64_t x = 0; x < j.width; x += most) {
        const int64_t n = j.width - x < most ? j.width - x : most, before = conv->cy, after = conv->ny - 1 - conv->cy;

        for (int64_t row = io->dst.span.start - before; row < io->dst.span.end + after; row++) {
            sum_row(&j, row, x, n);
            if (row - after >= io->dst.span.start)
                finish_row(&j, row - after, x, n);
        }
    }
}
