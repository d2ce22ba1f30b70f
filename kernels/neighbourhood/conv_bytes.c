/*
 * Separable masks from packed bytes to packed bytes on a CPU. A few hundred columns at a time go from rows of bytes
 * to sums along the row, which stay in a ring of rows, and from there to bytes, so that no float leaves the
 * second-level cache. Several rows of the result share the loads from there. Channels stay interleaved: the taps
 * along a row are whole pixels apart.
 */
#include "kernels/neighbourhood/conv_bytes.h"

#include "kernels/base/block.h"
#include "kernels/base/pack.h"
#include "kernels/neighbourhood/box_bytes.h"
#include "kernels/neighbourhood/conv_bytes_along.h"
#include "kernels/neighbourhood/conv_bytes_sums.h"

#include <string.h>

/*
 * Samples of a row of the result that are computed together: whole blocks, and whole pixels of any number of channels.
 * Not 1024 or 2048: stores to rows of the ring that are 4 KB apart make loads wait.
 */
#define TILE 1536
#define CHANNELS 4
#define ROWS GF_CONV_BYTES_ROWS
#define SPARE (GF_CONV_BYTES_ALONG + GF_CONV_BYTES_BEYOND)
#define LINE (TILE + GF_CONV_CHUNK * CHANNELS + GF_CONV_BYTES_BLOCK)

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

/* A padded line, and a ring of sums along the rows. */
size_t gf_conv_bytes_scratch(const struct gf_conv *conv)
{
    const size_t floats = (size_t)(LINE + (conv->ny + ROWS - 1) * TILE) * sizeof(float);
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
    float *line, *ring;
    int rows;                            /* of the ring */
    bool short_taps;                     /* bytes are summed along the rows without a line of floats */
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

static uint8_t *bytes_at(const struct gf_block *b, int64_t y, int64_t sample)
{
    return (uint8_t *)b->data + (y - b->span.start) * b->pitch_samples + sample;
}

/*
 * Returns n pixels of row y from x on as bytes, and at least SPARE bytes after them: in the row itself, or copied if
 * any are beyond its ends.
 */
static const uint8_t *find_bytes(const struct conv_bytes_job *j, int64_t y, int64_t x, int64_t n, uint8_t *copy)
{
    const int c = j->channels;
    const uint8_t *row = bytes_at(&j->src, y, 0);

    if (x >= 0 && (x + n) * c + SPARE <= j->width * c)
        return row + x * c;
    gf_border_copy(row, j->width, (size_t)c, j->conv->border, x, n, copy);
    memset(copy + n * c, 0, SPARE);
    return copy;
}

static float *ring_row(const struct conv_bytes_job *j, int64_t row)
{
    return j->ring + gf_modulo(row, j->rows) * TILE;
}

/* Sums n pixels from x on along row `row`, which may be beyond the first or the last one, into the ring. */
static void sum_row(const struct conv_bytes_job *j, int64_t row, int64_t x, int64_t n)
{
    const struct gf_conv *conv = j->conv;
    const int64_t at = gf_border_index(conv->border, row, j->units), length = n + conv->nx - 1;

    if (at < 0) {
        memset(ring_row(j, row), 0, TILE * sizeof(float));
        return;
    }
    if (j->short_taps) {
        const uint8_t *bytes = find_bytes(j, at, x - conv->cx, length, (uint8_t *)j->line);

        gf_conv_bytes_load_along(bytes, j->channels, j->x_weights, conv->nx, (float)j->src.maxval, ring_row(j, row),
                                 n * j->channels);
        return;
    }
    load_line(j, at, x - conv->cx, length, j->line);
    memset(j->line + length * j->channels, 0, GF_CONV_BYTES_BLOCK * sizeof(float));
    gf_conv_bytes_along(j->line, j->channels, j->x_weights, conv->nx, ring_row(j, row), n * j->channels);
}

/* Computes n pixels from x on of `rows` rows from y on, from the ring. */
static void finish_rows(const struct conv_bytes_job *j, int64_t y, int rows, int64_t x, int64_t n)
{
    const struct gf_conv *conv = j->conv;
    struct gf_conv_bytes_sharpen sharpen = { .one = (float)j->src.maxval, .amount = conv->amount,
                                             .threshold = conv->threshold };
    const float *tap[GF_CONV_CHUNK + ROWS - 1];
    uint8_t *to[ROWS];

    for (int k = 0; k < conv->ny + rows - 1; k++)
        tap[k] = ring_row(j, y - conv->cy + k);
    for (int r = 0; r < rows; r++) {
        to[r] = bytes_at(&j->dst, y + r, x * j->channels);
        if (conv->combine == GF_CONV_SHARPEN)
            sharpen.from[r] = bytes_at(&j->src, y + r, x * j->channels);
    }
    gf_conv_bytes_down(tap, j->y_weights, conv->ny, (float)j->dst.maxval,
                       conv->combine == GF_CONV_SHARPEN ? &sharpen : NULL, to, rows, n * j->channels);
}

/* Computes n pixels from x on of all rows. */
static void run_tile(const struct conv_bytes_job *j, int64_t x, int64_t n)
{
    const int64_t end = j->dst.span.end;
    int64_t summed = j->dst.span.start - j->conv->cy;

    for (int64_t y = j->dst.span.start; y < end; y += ROWS) {
        const int rows = end - y < ROWS ? (int)(end - y) : ROWS;

        for (; summed < y + rows - 1 + j->conv->ny - j->conv->cy; summed++)
            sum_row(j, summed, x, n);
        finish_rows(j, y, rows, x, n);
    }
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
        .line = at, .ring = at + LINE, .rows = conv->ny + ROWS - 1,
        .short_taps = gf_conv_bytes_along_runs(io->src.channels, conv->nx),
    };
    const int64_t most = TILE / j.channels;

    if (is_mean(io, conv, j.x_weights, j.y_weights)) {
        gf_box_bytes_run(io, conv->cx, conv->border, work->scratch);
        return;
    }
    for (int64_t x = 0; x < j.width; x += most)
        run_tile(&j, x, j.width - x < most ? j.width - x : most);
}
