/*
 * Means of small squares from packed bytes to packed bytes on a CPU, in integers of 16 bits. Each column has the sum
 * of the rows under the square, which changes by the bytes of two rows from one row to the next. Sums of columns are
 * sums of squares.
 */
#include "kernels/neighbourhood/box_bytes_small.h"

#include "base/clones.h"
#include "kernels/base/block.h"

#include <string.h>

/* Otherwise gcc combines two columns and stores the sums each time. */
GF_KEEP_LOOPS_APART

#define TILE 4096                        /* samples of a row of the result that are computed together */
#define CHANNELS 4
#define BLOCK 64                         /* samples whose sums stay in registers */
#define WHITE 255
#define PAD (GF_BOX_BYTES_SMALL_RADIUS * CHANNELS)
#define SIDE (2 * GF_BOX_BYTES_SMALL_RADIUS + 1)

/* 256 times the number of pixels: the largest sum, and half of their number, which is added to round. */
_Static_assert((WHITE + 1) * SIDE * SIDE <= 1 << 16, "sums of squares have 16 bits");

/*
 * How sums are divided by the number of pixels, n: they are multiplied by 2^(16 + shift) / n, rounded up, and
 * 16 + `shift` bits are dropped. 2^shift is the largest power of two below n. Compilers drop 16 bits of a product in
 * one instruction, so the shift is a product, too. The factor times n exceeds 2^(16 + shift) by less than n.
 * Quotients of sums up to 256 n are exact if n times that excess is less than 2^(8 + shift). It is for n up to 121,
 * and 169 times 45 and 225 times 67 are less than 2^15.
 */
struct division {
    uint16_t half, factor, last_factor;
};

struct box_bytes_small_job {
    const struct gf_io *io;
    int radius;
    enum gf_border border;
    struct division division;
    uint16_t *columns;                   /* sums of the columns of a tile, and of the pixels before and after it */
};

size_t gf_box_bytes_small_scratch(void)
{
    return (TILE + 2 * PAD + BLOCK) * sizeof(uint16_t);
}

static struct division divide_by(int n)
{
    int shift = 0;

    while (2 << shift < n)
        shift++;
    return (struct division) { .half = (uint16_t)(n / 2),
                               .factor = (uint16_t)(((1 << (16 + shift)) + n - 1) / n),
                               .last_factor = (uint16_t)(1 << (16 - shift)) };
}

/* ---- hot loops ---- */

GF_CLONES
static void add_bytes(uint16_t *restrict columns, const uint8_t *restrict from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        columns[i] = (uint16_t)(columns[i] + from[i]);
}

GF_CLONES
static void subtract_bytes(uint16_t *restrict columns, const uint8_t *restrict from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        columns[i] = (uint16_t)(columns[i] - from[i]);
}

GF_CLONES
static void replace_bytes(uint16_t *restrict columns, const uint8_t *restrict in, const uint8_t *restrict out,
                          int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        columns[i] = (uint16_t)(columns[i] + in[i] - out[i]);
}

/* Computes `count` means from the sums of `side` columns each, `step` samples apart. */
GF_INLINE void mean_of_columns(const uint16_t *columns, int64_t step, int side, struct division by, uint8_t *to,
                               int count)
{
    uint16_t sum[BLOCK];
    int k = 0;

    for (int i = 0; i < count; i++)
        sum[i] = by.half;
    do {                                     /* a loop that always runs leaves the sums in registers */
        const uint16_t *s = columns + k * step;

        for (int i = 0; i < count; i++)
            sum[i] = (uint16_t)(sum[i] + s[i]);
    } while (++k < side);
    for (int i = 0; i < count; i++)
        sum[i] = (uint16_t)(((uint32_t)sum[i] * by.factor) >> 16);
    for (int i = 0; i < count; i++)
        to[i] = (uint8_t)(((uint32_t)sum[i] * by.last_factor) >> 16);
}

GF_CLONES
static void mean_row(const uint16_t *columns, int64_t step, int side, struct division by, uint8_t *to, int64_t n)
{
    uint8_t last[BLOCK];
    int64_t x = 0;

    for (; x + BLOCK <= n; x += BLOCK)
        mean_of_columns(columns + x, step, side, by, to + x, BLOCK);
    if (x < n) {                             /* the sums end with a whole block */
        mean_of_columns(columns + x, step, side, by, last, BLOCK);
        memcpy(to + x, last, (size_t)(n - x));
    }
}

/* ---- a tile ---- */

/* Returns row y, or its replacement beyond the border: NULL for zeros. */
static const uint8_t *source_row(const struct box_bytes_small_job *j, int64_t y)
{
    const struct gf_block *b = &j->io->src;
    const int64_t at = gf_border_index(j->border, y, j->io->src_units);

    return at < 0 ? NULL : (const uint8_t *)b->data + (at - b->span.start) * b->pitch_samples;
}

/* Adds row `in` to the sums and subtracts row `out`; either may be NULL. Both begin at the first of the n samples. */
static void change_columns(uint16_t *columns, const uint8_t *in, const uint8_t *out, int64_t n)
{
    if (in != NULL && out != NULL)
        replace_bytes(columns, in, out, n);
    else if (in != NULL)
        add_bytes(columns, in, n);
    else if (out != NULL)
        subtract_bytes(columns, out, n);
}

/* Changes the sums of pixels [x, end) by two rows. Pixels beyond the ends of the row have those that replace them. */
static void change_pixels(const struct box_bytes_small_job *j, const uint8_t *in, const uint8_t *out, int64_t x,
                          int64_t end)
{
    const int64_t c = j->io->src.channels, width = j->io->src.width;
    const int64_t first = x < 0 ? 0 : x, after = end < width ? end : width;

    for (int64_t p = x; p < end; p++) {
        int64_t at;

        if (p == first) {                                    /* the pixels of the row itself */
            change_columns(j->columns + (p - x) * c, in ? in + p * c : NULL, out ? out + p * c : NULL, (after - p) * c);
            p = after;
        }
        at = p < end ? gf_border_index(j->border, p, width) : -1;
        if (at >= 0)
            change_columns(j->columns + (p - x) * c, in ? in + at * c : NULL, out ? out + at * c : NULL, c);
    }
}

/* Computes n pixels from x on of all rows. */
static void run_tile(const struct box_bytes_small_job *j, int64_t x, int64_t n)
{
    const struct gf_block *dst = &j->io->dst;
    const int64_t c = dst->channels, from = x - j->radius, end = x + n + j->radius;

    memset(j->columns, 0, gf_box_bytes_small_scratch());
    for (int64_t y = dst->span.start - j->radius; y < dst->span.start + j->radius; y++)
        change_pixels(j, source_row(j, y), NULL, from, end);
    for (int64_t y = dst->span.start; y < dst->span.end; y++) {
        const bool first = y == dst->span.start;

        change_pixels(j, source_row(j, y + j->radius), first ? NULL : source_row(j, y - j->radius - 1), from, end);
        mean_row(j->columns, c, 2 * j->radius + 1, j->division,
                 (uint8_t *)dst->data + (y - dst->span.start) * dst->pitch_samples + x * c, n * c);
    }
}

void gf_box_bytes_small_run(const struct gf_io *io, int radius, enum gf_border border, void *scratch)
{
    const struct box_bytes_small_job j = {
        .io = io, .radius = radius, .border = border, .columns = scratch,
        .division = divide_by((2 * radius + 1) * (2 * radius + 1)),
    };
    const int64_t most = TILE / io->dst.channels;

    for (int64_t x = 0; x < io->dst.width; x += most)
        run_tile(&j, x, io->dst.width - x < most ? io->dst.width - x : most);
}
