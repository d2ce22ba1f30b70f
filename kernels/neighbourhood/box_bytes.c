/*
 * Means of squares from packed bytes to packed bytes on a CPU, in integers. Sums along a row are made by doubling. A
 * ring keeps those of the rows under the square, so that a new row is added and the oldest one subtracted.
 */
#include "kernels/neighbourhood/box_bytes.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/neighbourhood/box_bytes_small.h"
#include "kernels/neighbourhood/box_doubling.h"

#include <string.h>

#define TILE 2048                        /* samples of a row of the result that are computed together */
#define CHANNELS 4
#define WHITE 255
#define LINE (TILE + 2 * GF_BOX_BYTES_RADIUS * CHANNELS)

_Static_assert((2 * GF_BOX_BYTES_RADIUS + 1) * WHITE < 1 << 16, "sums along a row have 16 bits");

bool gf_box_bytes_fits(const struct gf_io *io, int radius)
{
    return gf_is_bytes_to_bytes(io) && io->src.channels == io->dst.channels
        && io->src.channels <= CHANNELS && radius <= GF_BOX_BYTES_RADIUS;
}

struct box_bytes_job {
    const struct gf_io *io;
    int radius;
    enum gf_border border;
    uint32_t *sums;                      /* of the squares */
    uint16_t *ring, *line, *row;         /* sums along the rows, and how those of one row are made */
    uint8_t *bytes;                      /* a padded line */
};

size_t gf_box_bytes_scratch(int radius)
{
    if (radius > 0 && radius <= GF_BOX_BYTES_SMALL_RADIUS)
        return gf_box_bytes_small_scratch();
    return TILE * sizeof(uint32_t) + (size_t)((2 * radius + 1) * TILE + LINE + TILE) * sizeof(uint16_t) + LINE;
}

/* Copies n pixels of row y from x on, and those beyond the ends of the row. */
static void copy_line(const struct box_bytes_job *j, int64_t y, int64_t x, int64_t n, uint8_t *to)
{
    const struct gf_block *b = &j->io->src;
    const uint8_t *row = (const uint8_t *)b->data + (y - b->span.start) * b->pitch_samples;

    gf_border_copy(row, b->width, (size_t)b->channels, j->border, x, n, to);
}

GF_CLONES
static void widen_bytes(const uint8_t *restrict from, uint16_t *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = from[i];
}

GF_BOX_SUM_WINDOWS(uint16_t)

/* Adds a row to the sums in the place of the oldest one. */
GF_CLONES
static void replace_row(uint32_t *restrict sums, uint16_t *restrict oldest, const uint16_t *restrict row, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        sums[i] += (uint32_t)row[i] - oldest[i];
        oldest[i] = row[i];
    }
}

/* No mean is in the middle between two bytes, so it does not matter how that would be rounded. */
GF_CLONES
static void store_means(const uint32_t *restrict sums, float by, uint8_t *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (uint8_t)(int32_t)((float)(int32_t)sums[i] * by + 0.5f);
}

/* Sums n samples along a row, `step` samples apart. */
static void sum_along_row(const struct box_bytes_job *j, int64_t n, int64_t step)
{
    const int side = 2 * j->radius + 1;

    widen_bytes(j->bytes, j->line, n + (side - 1) * step);
    sum_windows(j->line, n, step, side, j->row);
}

/* Computes n pixels from x on of all rows. */
static void run_tile(const struct box_bytes_job *j, int64_t x, int64_t n)
{
    const struct gf_block *dst = &j->io->dst;
    const int side = 2 * j->radius + 1;
    const int64_t c = dst->channels, samples = n * c;

    memset(j->sums, 0, (size_t)samples * sizeof *j->sums);
    memset(j->ring, 0, (size_t)(side * TILE) * sizeof *j->ring);
    for (int64_t y = dst->span.start - j->radius; y < dst->span.end + j->radius; y++) {
        const int64_t at = gf_border_index(j->border, y, j->io->src_units), made = y - j->radius;

        if (at < 0) {
            memset(j->row, 0, (size_t)samples * sizeof *j->row);
        } else {
            copy_line(j, at, x - j->radius, n + side - 1, j->bytes);
            sum_along_row(j, samples, c);
        }
        replace_row(j->sums, j->ring + gf_modulo(y, side) * TILE, j->row, samples);
        if (made >= dst->span.start)
            store_means(j->sums, 1.0f / (float)(side * side),
                        (uint8_t *)dst->data + (made - dst->span.start) * dst->pitch_samples + x * c, samples);
    }
}

void gf_box_bytes_run(const struct gf_io *io, int radius, enum gf_border border, void *scratch)
{
    struct box_bytes_job j = { .io = io, .radius = radius, .border = border, .sums = scratch };
    const int64_t most = TILE / io->dst.channels;

    if (radius > 0 && radius <= GF_BOX_BYTES_SMALL_RADIUS) {
        gf_box_bytes_small_run(io, radius, border, scratch);
        return;
    }
    j.ring = (uint16_t *)(void *)(j.sums + TILE);
    j.row = j.ring + (2 * radius + 1) * TILE;
    j.line = j.row + TILE;
    j.bytes = (uint8_t *)(j.line + LINE);
    for (int64_t x = 0; x < io->dst.width; x += most)
        run_tile(&j, x, io->dst.width - x < most ? io->dst.width - x : most);
}
