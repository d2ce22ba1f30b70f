/* Stacks: adds images, or sorts them sample by sample. */
#include "run/gathered_stack.h"

#include "base/clones.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 64                         /* samples that are sorted together */

__extension__ typedef unsigned __int128 wide;

/* ---- images that are added ---- */

/* A loop over integer samples, whose sums and sums of squares are exact. */
#define ADD_INTEGERS(type)                                                                                           \
    GF_CLONES static void add_##type(int64_t *restrict sum, uint64_t *restrict square, const type *restrict x,       \
                                     int64_t n)                                                                      \
    {                                                                                                                \
        for (int64_t i = 0; i < n; i++)                                                                              \
            sum[i] += x[i];                                                                                          \
        for (int64_t i = 0; square != NULL && i < n; i++)                                                            \
            square[i] += (uint64_t)x[i] * x[i];                                                                      \
    }

/* A loop for the least and greatest samples. One that is not a number stays. */
#define KEEP_EXTREMES(type)                                                                                          \
    GF_CLONES static void extreme_##type(type *restrict kept, const type *restrict x, int64_t n, bool least)         \
    {                                                                                                                \
        for (int64_t i = 0; least && i < n; i++)                                                                     \
            kept[i] = x[i] < kept[i] || x[i] != x[i] ? x[i] : kept[i];                                               \
        for (int64_t i = 0; !least && i < n; i++)                                                                    \
            kept[i] = x[i] > kept[i] || x[i] != x[i] ? x[i] : kept[i];                                               \
    }

ADD_INTEGERS(uint8_t)
ADD_INTEGERS(uint16_t)
KEEP_EXTREMES(uint8_t)
KEEP_EXTREMES(uint16_t)
KEEP_EXTREMES(float)

GF_CLONES static void add_floats(double *restrict sum, const float *restrict x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] += (double)x[i];
}

/* Welford's means and sums of square distances after `images` images. */
GF_CLONES static void spread_floats(double *restrict mean, double *restrict square, const float *restrict x, int64_t n,
                                    double images)
{
    for (int64_t i = 0; i < n; i++) {
        const double from = (double)x[i] - mean[i];

        mean[i] += from / images;
        square[i] += from * ((double)x[i] - mean[i]);
    }
}

static bool is_extreme(enum gf_stack_of of)
{
    return of == GF_STACK_MIN || of == GF_STACK_MAX;
}

static void keep_extremes(struct gf_stack *s, bool least, bool first, int64_t start, const void *samples, int64_t count)
{
    char *const kept = (char *)s->sums.memory + (size_t)start * gf_type_bytes(s->in.type);

    if (first)
        memcpy(kept, samples, (size_t)count * gf_type_bytes(s->in.type));
    else if (s->in.type == GF_U8)
        extreme_uint8_t((uint8_t *)kept, samples, count, least);
    else if (s->in.type == GF_U16)
        extreme_uint16_t((uint16_t *)(void *)kept, samples, count, least);
    else
        extreme_float((float *)(void *)kept, samples, count, least);
}

void gf_stack_add(struct gf_stack *s, const struct gf_joining *how, int64_t number, int64_t start, const void *samples,
                  int64_t count)
{
    const enum gf_stack_of of = how->of;
    void *const sum = (int64_t *)s->sums.memory + start;
    void *const square = of == GF_STACK_SIGMA ? (uint64_t *)s->squares.memory + start : NULL;

    if (gf_joining_keeps(how))
        return;
    if (is_extreme(of))
        keep_extremes(s, of == GF_STACK_MIN, number == 0, start, samples, count);
    else if (s->in.type == GF_U8)
        add_uint8_t(sum, square, samples, count);
    else if (s->in.type == GF_U16)
        add_uint16_t(sum, square, samples, count);
    else if (square != NULL)
        spread_floats(sum, square, samples, count, (double)number + 1);
    else
        add_floats(sum, samples, count);
}

struct gf_format gf_stack_result(enum gf_stack_of of, const struct gf_format *in)
{
    struct gf_format out = *in;

    if (!is_extreme(of)) {
        out.type = GF_F32;
        out.bits = 32;
    }
    return out;
}

static int reserve_zeros(struct gf_spool *s, size_t bytes, const struct gf_gathered_images *g, struct gf_error *err)
{
    if (gf_spool_reserve(s, bytes, g->spool.most, err) != 0)
        return -1;
    if (!s->on_disk)                             /* a new file has zeros */
        memset(s->memory, 0, bytes);
    return 0;
}

static int set_format(struct gf_stack *s, const struct gf_gathered_images *g, const struct gf_format *in,
                      struct gf_error *err)
{
    const enum gf_stack_of of = g->how.of;
    size_t sums;

    s->in = *in;
    s->out = gf_stack_result(of, in);
    s->samples = in->units * in->width * in->channels;
    sums = (size_t)s->samples * (is_extreme(of) ? gf_type_bytes(in->type) : sizeof(double));
    return gf_joining_keeps(&g->how) ? 0 : reserve_zeros(&s->sums, sums, g, err) != 0
        || (of == GF_STACK_SIGMA && reserve_zeros(&s->squares, sums, g, err) != 0) ? -1 : 0;
}

static void depth_text(const struct gf_format *f, char text[24])
{
    if (f->type == GF_F32)
        snprintf(text, 24, "floats");
    else
        snprintf(text, 24, "samples up to %u", f->maxval);
}

int gf_stack_begin(struct gf_stack *s, const struct gf_gathered_images *g, const struct gf_format *in,
                   const char *name, struct gf_error *err)
{
    char depth[24], other[24];

    gf_spool_relax(&s->sums);
    gf_spool_relax(&s->squares);
    if (s->samples == 0) {
        s->first = name;
        return set_format(s, g, in, err);
    }
    if (in->width != s->in.width || in->units != s->in.units)
        return gf_fail(err, GF_FAILED, "%s: is %lldx%lld here, but %s is %lldx%lld; stack needs images of one size",
                       name, (long long)in->width, (long long)in->units, s->first, (long long)s->in.width,
                       (long long)s->in.units);
    if (in->channels != s->in.channels || in->alpha != s->in.alpha)
        return gf_fail(err, GF_FAILED, "%s: has %d channels here, but %s has %d; stack needs the same channels, for "
                       "example by the stages gray or alpha:off", name, in->channels, s->first, s->in.channels);
    if (in->type == s->in.type && (in->type == GF_F32 || in->maxval == s->in.maxval))
        return 0;
    depth_text(in, depth);
    depth_text(&s->in, other);
    return gf_fail(err, GF_FAILED, "%s: has %s, but %s has %s; put clamp before stack, which makes floats of both",
                   name, depth, s->first, other);
}

/* ---- results of sums ---- */

static double largest(const struct gf_stack *s)
{
    return s->in.type == GF_F32 ? 1 : (double)s->in.maxval;
}

static void divide_sums(const struct gf_stack *s, double by, int64_t start, float *to, int64_t n)
{
    const int64_t *const whole = (const int64_t *)s->sums.memory + start;
    const double *const sum = (const double *)s->sums.memory + start;

    for (int64_t i = 0; i < n; i++)
        to[i] = (float)((s->in.type == GF_F32 ? sum[i] : (double)whole[i]) / by);
}

static void find_sigmas(const struct gf_stack *s, int64_t images, int64_t start, float *to, int64_t n)
{
    const int64_t *const sum = (const int64_t *)s->sums.memory + start;
    const uint64_t *const square = (const uint64_t *)s->squares.memory + start;
    const double *const far = (const double *)s->squares.memory + start;

    for (int64_t i = 0; i < n; i++) {
        const wide all = (wide)square[i] * (wide)images, less = (wide)sum[i] * (wide)sum[i];

        to[i] = (float)(s->in.type == GF_F32 ? sqrt(far[i] / (double)images)
                                             : sqrt((double)(all - less)) / (double)images / largest(s));
    }
}

/* ---- results that need all samples together ---- */

/* Reads `count` samples of an image, from `start` on, as floats of the levels that are stored. */
static void widen(const struct gf_stack *s, const char *raw, int64_t count, float *to)
{
    for (int64_t i = 0; s->in.type == GF_U8 && i < count; i++)
        to[i] = ((const uint8_t *)raw)[i];
    for (int64_t i = 0; s->in.type == GF_U16 && i < count; i++)
        to[i] = ((const uint16_t *)(const void *)raw)[i];
    if (s->in.type == GF_F32)
        memcpy(to, raw, (size_t)count * sizeof *to);
}

static inline __attribute__((always_inline)) void order_pair(float *restrict a, float *restrict b)
{
    for (int i = 0; i < LANES; i++) {
        const float low = b[i] < a[i] ? b[i] : a[i], high = b[i] < a[i] ? a[i] : b[i];

        a[i] = low;
        b[i] = high;
    }
}

/* Sorts `n` rows, each lane for itself, by the exchanges of Batcher's merges, which suit any number. */
GF_CLONES static void sort_rows(float (*row)[LANES], int64_t n)
{
    int64_t top = 1;

    while (top * 2 < n)
        top *= 2;
    for (int64_t p = top; p > 0; p /= 2)
        for (int64_t q = top, r = 0, d = p; ; d = q - p, q /= 2, r = p) {
            for (int64_t i = 0; i + d < n; i++)
                if ((i & p) == r)
                    order_pair(row[i], row[i + d]);
            if (q == p)
                break;
        }
}

static void find_medians(float (*row)[LANES], int64_t n, float *to)
{
    bool missing[LANES] = { false };

    for (int64_t k = 0; k < n; k++)
        for (int i = 0; i < LANES; i++)
            missing[i] |= row[k][i] != row[k][i];
    sort_rows(row, n);
    for (int i = 0; i < LANES; i++)
        to[i] = missing[i] ? NAN : (float)(((double)row[(n - 1) / 2][i] + (double)row[n / 2][i]) / 2);
}

/* The mean of the samples that are at most kappa sigma from the mean of all. */
GF_CLONES static void find_clipped_means(float (*row)[LANES], int64_t n, double kappa, float *to)
{
    double mean[LANES] = { 0 }, square[LANES] = { 0 }, sum[LANES] = { 0 }, count[LANES] = { 0 };

    for (int64_t k = 0; k < n; k++)
        for (int i = 0; i < LANES; i++)
            mean[i] += (double)row[k][i];
    for (int i = 0; i < LANES; i++)
        mean[i] /= (double)n;
    for (int64_t k = 0; k < n; k++)
        for (int i = 0; i < LANES; i++)
            square[i] += ((double)row[k][i] - mean[i]) * ((double)row[k][i] - mean[i]);
    for (int i = 0; i < LANES; i++)
        square[i] = kappa * sqrt(square[i] / (double)n);
    for (int64_t k = 0; k < n; k++)
        for (int i = 0; i < LANES; i++) {
            const bool near = fabs((double)row[k][i] - mean[i]) <= square[i];

            sum[i] += near ? (double)row[k][i] : 0;
            count[i] += near;
        }
    for (int i = 0; i < LANES; i++)          /* rounding may leave out equal samples at the limit */
        to[i] = (float)(count[i] > 0 ? sum[i] / count[i] : mean[i]);
}

/* Computes `count` samples from `raw`, which has that many of each image. */
static void find_values(const struct gf_stack *s, const struct gf_gathered_images *g, const char *raw, int64_t count,
                        float (*row)[LANES], float *to)
{
    const size_t bytes = gf_type_bytes(s->in.type);
    float found[LANES];

    for (int64_t at = 0; at < count; at += LANES) {
        const int64_t n = count - at < LANES ? count - at : LANES;

        if (n < LANES)
            memset(row, 0, (size_t)g->count * sizeof *row);
        for (int64_t k = 0; k < g->count; k++)
            widen(s, raw + (size_t)(k * count + at) * bytes, n, row[k]);
        if (g->how.of == GF_STACK_MEDIAN)
            find_medians(row, g->count, found);
        else
            find_clipped_means(row, g->count, g->how.kappa, found);
        for (int64_t i = 0; i < n; i++)
            to[at + i] = (float)((double)found[i] / largest(s));
    }
}

/* Reads a block of all images at a time, as large as memory allows. */
static int find_all_values(const struct gf_stack *s, const struct gf_gathered_images *g, int64_t start, float *to,
                           int64_t count, struct gf_error *err)
{
    const size_t bytes = gf_type_bytes(s->in.type);
    const int64_t fits = (int64_t)(g->work_bytes / ((size_t)g->count * bytes)) / LANES * LANES;
    const int64_t most = fits < LANES ? LANES : fits < count ? fits : count;
    char *const raw = malloc((size_t)(most * g->count) * bytes);
    float (*row)[LANES] = malloc((size_t)g->count * sizeof *row);
    int result = raw == NULL || row == NULL ? gf_fail_memory(err, NULL) : 0;

    for (int64_t at = 0; result == 0 && at < count; at += most) {
        const int64_t n = count - at < most ? count - at : most;

        for (int64_t k = 0; result == 0 && k < g->count; k++)
            result = gf_spool_read(&g->spool, g->image[k].offset + (size_t)(start + at) * bytes,
                                   raw + (size_t)(k * n) * bytes, (size_t)n * bytes, err);
        if (result == 0)
            find_values(s, g, raw, n, row, to + at);
    }
    free(raw);
    free(row);
    return result;
}

int gf_stack_read(const struct gf_stack *s, const struct gf_gathered_images *g, int64_t start, void *units,
                  int64_t count, struct gf_error *err)
{
    const int64_t row = s->in.width * s->in.channels, n = count * row;

    start *= row;
    if (gf_joining_keeps(&g->how))
        return find_all_values(s, g, start, units, n, err);
    if (is_extreme(g->how.of))
        memcpy(units, (const char *)s->sums.memory + (size_t)start * gf_type_bytes(s->in.type),
               (size_t)n * gf_type_bytes(s->in.type));
    else if (g->how.of == GF_STACK_SIGMA)
        find_sigmas(s, g->count, start, units, n);
    else
        divide_sums(s, largest(s) * (g->how.of == GF_STACK_MEAN ? (double)g->count : 1), start, units, n);
    return 0;
}

void gf_stack_release(struct gf_stack *s)
{
    gf_spool_close(&s->sums);
    gf_spool_close(&s->squares);
}
