/*
 * Bilateral means of one channel of bytes on a CPU. Weights are integers of 24 bits, from a table for each distance,
 * and the bytes of four pixels at the same distance are multiplied and added by one instruction. The few means that
 * are so close to the middle between two levels that rounding errors matter are computed again in floats.
 */
#include "kernels/neighbourhood/bilateral_bytes.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/pack.h"
#include "kernels/neighbourhood/bilateral_bytes_sums.h"

#include <math.h>
#include <string.h>

#define RADIUS 32                        /* the largest one; tables of larger ones are slow to make and to read */
#define WHITE 255
#define LEVELS GF_BILATERAL_LEVELS
#define NARROW GF_BILATERAL_NARROW
#define PIXELS GF_BILATERAL_PIXELS
#define FOUR GF_BILATERAL_FOUR
#define BYTES GF_BILATERAL_BYTES
#define SIGN GF_BILATERAL_SIGN
#define ONE 16777215.0                   /* the weight 1 */
#define TAIL 0.01                        /* levels that differences above NARROW may change without a table */

struct bilateral_bytes_job {
    const struct gf_io *io;
    const struct gf_bilateral *b;
    const float *near;
    struct gf_bilateral_sums sums;
    uint8_t *tables;
    uint8_t *padded;                     /* rows of the source less SIGN, padded on all sides */
    int64_t pitch;
    float *windows;
    uint8_t *doubtful[GF_BILATERAL_WINDOWS]; /* results that are computed again */
    const uint8_t *center[GF_BILATERAL_WINDOWS];
    float unit[LEVELS];
    int doubts;
};

static int fours_of(int radius)
{
    return radius * (radius + 1);
}

static size_t tables_of(int radius)
{
    return (size_t)radius * (size_t)(radius + 3) / 2;
}

static int64_t pitch_of(const struct gf_io *io, int radius)
{
    return (io->dst.width + 2 * radius + 2 * PIXELS + PIXELS - 1) / PIXELS * PIXELS;
}

static size_t padded_of(const struct gf_io *io, int radius)
{
    return (size_t)(pitch_of(io, radius) * (gf_span_units(io->dst.span) + 2 * radius));
}

static size_t windows_of(int radius)
{
    return (size_t)((2 * radius + 1) * (2 * radius + 1) * GF_BILATERAL_WINDOWS) * sizeof(float);
}

size_t gf_bilateral_bytes_scratch(const struct gf_io *io, const struct gf_bilateral *b)
{
    if (b->radius > RADIUS)
        return 0;
    return PIXELS + tables_of(b->radius) * BYTES * LEVELS + gf_padded_bytes(padded_of(io, b->radius))
         + gf_padded_bytes((size_t)fours_of(b->radius) * sizeof(struct gf_bilateral_four)) + windows_of(b->radius);
}

static bool is_bytes(const struct gf_block *b, const struct gf_point *p)
{
    return !b->planar && b->type == GF_U8 && b->maxval == WHITE && b->channels == 1 && gf_point_is_identity(p);
}

bool gf_bilateral_bytes_fits(const struct gf_io *io, const struct gf_bilateral *b)
{
    return is_bytes(&io->src, io->load) && is_bytes(&io->dst, io->store) && b->radius >= 1 && b->radius <= RADIUS
        && b->steep >= 0;
}

bool gf_bilateral_bytes_runs(const struct gf_work *work, const struct gf_bilateral *b)
{
    for (int i = 0; i <= b->radius; i++)
        if (!(work->masks[b->near_at + i] <= 0))             /* weights are 1 at most */
            return false;
    return gf_bilateral_sums_runs();
}

/* ---- tables ---- */

/* Finds the weights of pixels whose levels differ by 0 to 255. */
GF_CLONES
static void find_weights(float far, float steep, float *weight)
{
    for (int k = 0; k < LEVELS; k++) {
        const float d = (float)k / WHITE;

        weight[k] = gf_bilateral_weight(fmaf(d * d, -steep, far));
    }
}

/* Returns true if weights of differences above NARROW change a mean by more than TAIL. */
static bool needs_wide(const struct bilateral_bytes_job *j, double center_weight)
{
    const int radius = j->b->radius;
    float weight[LEVELS];
    double most = 0, all = 0;

    find_weights(0, j->b->steep, weight);
    for (int k = NARROW - 1; k < LEVELS; k++)
        most = fmax(most, k * (double)weight[k]);
    for (int y = 0; y <= radius; y++)
        all += (y == 0 ? 1 : 2) * exp2((double)j->near[y]);
    return all * all * most > TAIL * center_weight;
}

/* Fills the table of a distance, and adds the largest errors of its weights for `count` pixels. */
static void fill_table(struct bilateral_bytes_job *j, float far, int count, uint8_t *table)
{
    const int entries = j->sums.wide ? LEVELS : NARROW;
    double error = 0, error_by_level = 0;
    float weight[LEVELS];

    find_weights(far, j->b->steep, weight);
    for (int k = 0; k < LEVELS; k++) {
        const double exact = ONE * (double)weight[k], whole = j->sums.wide || k < NARROW - 1 ? rint(exact) : 0;
        const double off = fabs(exact - whole);
        const uint32_t bits = (uint32_t)whole;

        error = fmax(error, off);
        error_by_level = fmax(error_by_level, off * k);
        for (int i = 0; i < BYTES && k < entries; i++)
            table[i * entries + k] = (uint8_t)(bits >> 8 * i);
    }
    j->sums.error += (float)(count * error);
    j->sums.error_by_level += (float)(count * error_by_level);
}

/* Lists the four pixels (±x, ±y), or on the axes. */
static void add_four(struct bilateral_bytes_job *j, int64_t x, int64_t y, const uint8_t *table)
{
    const int64_t p = j->pitch;
    const struct gf_bilateral_four beside = { { -x, x, -x * p, x * p }, table },
                      corners = { { -x - y * p, x - y * p, -x + y * p, x + y * p }, table };

    j->sums.four[j->sums.fours++] = y == 0 ? beside : corners;
}

static void fill_tables(struct bilateral_bytes_job *j)
{
    const size_t bytes = BYTES * (j->sums.wide ? LEVELS : NARROW);
    uint8_t *table = j->tables;

    for (int x = 1; x <= j->b->radius; x++)
        for (int y = 0; y <= x; y++, table += bytes) {
            const int count = y == 0 || y == x ? FOUR : 2 * FOUR;

            fill_table(j, j->near[x] + j->near[y], count, table);
            add_four(j, x, y, table);
            if (count > FOUR)
                add_four(j, y, x, table);
        }
}

/* ---- a call ---- */

/* Computes the pixels of the list again, in floats. */
static void compute_again(struct bilateral_bytes_job *j)
{
    const int radius = j->b->radius, side = 2 * radius + 1;
    float result[GF_BILATERAL_WINDOWS];

    for (int k = 0; k < j->doubts; k++)
        for (int y = 0; y < side; y++) {
            const uint8_t *row = j->center[k] + (y - radius) * j->pitch - radius;
            float *to = j->windows + y * side * GF_BILATERAL_WINDOWS + k;

            for (int x = 0; x < side; x++)
                to[x * GF_BILATERAL_WINDOWS] = j->unit[row[x] ^ SIGN];
        }
    gf_bilateral_windows(j->windows, j->b, j->near, result);
    for (int k = 0; k < j->doubts; k++)
        *j->doubtful[k] = (uint8_t)rintf(result[k] * WHITE);
    j->doubts = 0;
}

static void one_row(struct bilateral_bytes_job *j, const uint8_t *center, uint8_t *to, int64_t width)
{
    for (int64_t x = 0; x < width; x += PIXELS) {
        const int64_t n = width - x < PIXELS ? width - x : PIXELS;
        uint8_t level[PIXELS], doubts[PIXELS];
        uint64_t any[PIXELS / 8], all = 0;

        gf_bilateral_sums_find(&j->sums, center + x, level, doubts);
        memcpy(to + x, level, (size_t)n);
        memcpy(any, doubts, sizeof any);
        for (int i = 0; i < PIXELS / 8; i++)
            all |= any[i];
        for (int64_t i = 0; all != 0 && i < n; i++)
            if (doubts[i]) {
                j->doubtful[j->doubts] = to + x + i;
                j->center[j->doubts] = center + x + i;
                if (++j->doubts == GF_BILATERAL_WINDOWS)
                    compute_again(j);
            }
    }
}

/* Fills a padded row with unit y, or its replacement, and the samples beyond its ends. */
static void pad_row(const struct bilateral_bytes_job *j, int64_t y, uint8_t *to)
{
    const struct gf_block *src = &j->io->src;
    const int radius = j->b->radius;
    const int64_t width = src->width, at = gf_border_index(j->b->border, y, j->io->src_units);
    const uint8_t *from = (const uint8_t *)src->data + (at - src->span.start) * src->pitch_samples;

    memset(to, SIGN, (size_t)j->pitch);
    if (at < 0)
        return;
    gf_border_copy(from, width, 1, j->b->border, -radius, width + 2 * radius, to);
    for (int64_t x = 0; x < width + 2 * radius; x++)
        to[x] ^= SIGN;
}

void gf_bilateral_bytes_run(const struct gf_work *work, const struct gf_io *io, const struct gf_bilateral *b,
                            void *scratch)
{
    struct bilateral_bytes_job j = { .io = io, .b = b, .near = work->masks + b->near_at };
    const int64_t rows = gf_span_units(io->dst.span), shift = -(int64_t)(uintptr_t)scratch & (PIXELS - 1);
    char *at = (char *)scratch + shift;
    float center_weight;

    j.tables = (uint8_t *)at;
    j.padded = j.tables + tables_of(b->radius) * BYTES * LEVELS;
    at = (char *)j.padded + gf_padded_bytes(padded_of(io, b->radius));
    j.sums.four = (struct gf_bilateral_four *)(void *)at;
    j.windows = (float *)(void *)(at + gf_padded_bytes((size_t)fours_of(b->radius) * sizeof(struct gf_bilateral_four)));
    memset(j.windows, 0, windows_of(b->radius));
    j.pitch = pitch_of(io, b->radius);
    for (int i = 0; i < LEVELS; i++)
        j.unit[i] = gf_unit_value((float)i, WHITE, 1.0f / WHITE);
    center_weight = gf_bilateral_weight(j.near[0] + j.near[0]);
    j.sums.center_weight = (float)ONE * center_weight;
    j.sums.wide = needs_wide(&j, (double)center_weight);
    fill_tables(&j);
    for (int64_t y = 0; y < rows + 2 * b->radius; y++)
        pad_row(&j, io->dst.span.start - b->radius + y, j.padded + y * j.pitch);
    for (int64_t y = 0; y < rows; y++)
        one_row(&j, j.padded + (y + b->radius) * j.pitch + b->radius,
                (uint8_t *)io->dst.data + y * io->dst.pitch_samples, io->dst.width);
    if (j.doubts > 0)
        compute_again(&j);
}
