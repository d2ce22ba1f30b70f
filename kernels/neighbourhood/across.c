/* Means and medians of frames on a CPU: runs of samples, whose loops the compiler vectorizes. */
#include "kernels/neighbourhood/across.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/planar.h"
#include "kernels/neighbourhood/rank/rank.h"
#include "kernels/neighbourhood/rank/rank_network.h"

#include <stdio.h>
#include <string.h>

#define RUN 1024                         /* samples of each frame at a time: those of a window stay in the cache */

/* ---- integer samples ---- */

/* The sum of a window is below 2^13 for bytes, and below 2^21 otherwise. */
#define SUMS(type, wide)                                                                                    \
    GF_CLONES                                                                                               \
    static void sums_of_##type(const type *const *in, int n, wide *restrict sum, int64_t count)             \
    {                                                                                                       \
        for (int64_t x = 0; x < count; x++)                                                                 \
            sum[x] = in[0][x];                                                                              \
        for (int k = 1; k < n; k++) {                                                                       \
            const type *restrict const row = in[k];                                                         \
                                                                                                            \
            for (int64_t x = 0; x < count; x++)                                                             \
                sum[x] = (wide)(sum[x] + row[x]);                                                           \
        }                                                                                                   \
    }
SUMS(uint8_t, uint16_t)
SUMS(uint16_t, uint32_t)

/*
 * Divides and rounds, ties to even. The quotient of a sum below 2^21 is a tie only if it is a float; otherwise it is
 * further from one than its error.
 */
#define MEANS(type, wide)                                                                                   \
    GF_CLONES                                                                                               \
    static void means_to_##type(const wide *restrict sum, int n, type *restrict to, int64_t count)          \
    {                                                                                                       \
        const float by = (float)n;                                                                          \
                                                                                                            \
        for (int64_t x = 0; x < count; x++)                                                                 \
            to[x] = (type)(int32_t)rintf((float)(int32_t)sum[x] / by);                                      \
    }
MEANS(uint8_t, uint16_t)
MEANS(uint16_t, uint32_t)

#define ORDER(type, a, b)                          \
    {                                              \
        const type less = (a) < (b) ? (a) : (b);   \
                                                   \
        b = (a) < (b) ? (b) : (a);                 \
        a = less;                                  \
    }
#define ORDER_uint8_t(a, b) ORDER(uint8_t, a, b)
#define ORDER_uint16_t(a, b) ORDER(uint16_t, a, b)
#define ORDER_int32_t(a, b) ORDER(int32_t, a, b)
#define IN(i) in##i[x]

/* Medians of a few frames: all samples of a place are in registers, and what is not the median is not computed. */
#define FEW(type, n, ROWS, middle)                                                                          \
    GF_CLONES                                                                                               \
    static void medians_of_##type##_##n(const type *const *in, type *restrict to, int64_t count)            \
    {                                                                                                       \
        ROWS(type)                                                                                          \
                                                                                                            \
        for (int64_t x = 0; x < count; x++) {                                                               \
            GF_RANK_COLUMN_##n(type, IN, ORDER_##type)                                                      \
            to[x] = middle;                                                                                 \
        }                                                                                                   \
    }
#define ROW(type, i) const type *restrict const in##i = in[i];
#define ROWS_3(type) ROW(type, 0) ROW(type, 1) ROW(type, 2)
#define ROWS_5(type) ROWS_3(type) ROW(type, 3) ROW(type, 4)
#define ROWS_7(type) ROWS_5(type) ROW(type, 5) ROW(type, 6)
#define ROWS_9(type) ROWS_7(type) ROW(type, 7) ROW(type, 8)

/* Medians of any number, by the exchanges of Batcher's merges on copies of the rows. */
#define MANY(type)                                                                                          \
    GF_CLONES                                                                                               \
    static void order_##type(type *restrict a, type *restrict b, int64_t count)                             \
    {                                                                                                       \
        for (int64_t x = 0; x < count; x++) {                                                               \
            type low = a[x], high = b[x];                                                                   \
                                                                                                            \
            ORDER(type, low, high)                                                                          \
            a[x] = low;                                                                                     \
            b[x] = high;                                                                                    \
        }                                                                                                   \
    }                                                                                                       \
    static void sort_##type(type (*row)[RUN], int n, int64_t count)                                         \
    {                                                                                                       \
        int top = 1;                                                                                        \
                                                                                                            \
        while (top * 2 < n)                                                                                 \
            top *= 2;                                                                                       \
        for (int p = top; p > 0; p /= 2)                                                                    \
            for (int q = top, r = 0, d = p; ; d = q - p, q /= 2, r = p) {                                   \
                for (int i = 0; i + d < n; i++)                                                             \
                    if ((i & p) == r)                                                                       \
                        order_##type(row[i], row[i + d], count);                                            \
                if (q == p)                                                                                 \
                    break;                                                                                  \
            }                                                                                               \
    }

/* Finds the samples in the middle: *low and *high are the same row if there is one. */
#define MEDIANS(type)                                                                                       \
    FEW(type, 3, ROWS_3, v1)                                                                                \
    FEW(type, 5, ROWS_5, v2)                                                                                \
    FEW(type, 7, ROWS_7, v3)                                                                                \
    FEW(type, 9, ROWS_9, v4)                                                                                \
    MANY(type)                                                                                              \
    static void medians_of_##type(const type *const *in, int n, type (*rows)[RUN], const type **low,        \
                                  const type **high, int64_t count)                                         \
    {                                                                                                       \
        static void (*const few[10])(const type *const *, type *restrict, int64_t) = {                      \
            [3] = medians_of_##type##_3, [5] = medians_of_##type##_5, [7] = medians_of_##type##_7,          \
            [9] = medians_of_##type##_9,                                                                    \
        };                                                                                                  \
                                                                                                            \
        if (n < 10 && few[n] != NULL) {                                                                     \
            few[n](in, rows[0], count);                                                                     \
            *low = *high = rows[0];                                                                         \
            return;                                                                                         \
        }                                                                                                   \
        for (int k = 0; k < n; k++)                                                                         \
            memcpy(rows[k], in[k], (size_t)count * sizeof(type));                                           \
        sort_##type(rows, n, count);                                                                        \
        *low = rows[(n - 1) / 2];                                                                           \
        *high = rows[n / 2];                                                                                \
    }
MEDIANS(uint8_t)
MEDIANS(uint16_t)
MEDIANS(int32_t)

/* Half of the sum of two samples, ties to even. */
#define HALVES(type)                                                                                        \
    GF_CLONES                                                                                               \
    static void halves_of_##type(const type *low, const type *high, type *to, int64_t count)                \
    {                                                                                                       \
        for (int64_t x = 0; x < count; x++) {                                                               \
            const uint32_t sum = (uint32_t)low[x] + high[x];                                                \
                                                                                                            \
            to[x] = (type)((sum >> 1) + (sum & sum >> 1 & 1));                                              \
        }                                                                                                   \
    }
HALVES(uint8_t)
HALVES(uint16_t)

/* Samples above the largest one may be in files. */
#define LIMITS(type)                                                                                        \
    GF_CLONES                                                                                               \
    static void limit_##type(type *to, type most, int64_t count)                                            \
    {                                                                                                       \
        for (int64_t x = 0; x < count; x++)                                                                 \
            to[x] = to[x] < most ? to[x] : most;                                                            \
    }
LIMITS(uint8_t)
LIMITS(uint16_t)

/* Floats of a channel: sums of integers divided by `by`, correctly rounded. */
#define SUM_FLOATS(type)                                                                                    \
    GF_CLONES                                                                                               \
    static void floats_of_##type(const type *restrict whole, int step, float by, float *restrict to, int64_t count) \
    {                                                                                                       \
        for (int64_t x = 0; x < count; x++)                                                                 \
            to[x] = (float)(int32_t)whole[x * step] / by;                                                   \
    }
#define PAIR_FLOATS(type)                                                                                   \
    GF_CLONES                                                                                               \
    static void pair_floats_of_##type(const type *low, const type *high, int step, float by,                \
                                      float *restrict to, int64_t count)                                    \
    {                                                                                                       \
        for (int64_t x = 0; x < count; x++)                                                                 \
            to[x] = (float)((int32_t)low[x * step] + (int32_t)high[x * step]) / by;                         \
    }
SUM_FLOATS(uint16_t)
SUM_FLOATS(uint32_t)
PAIR_FLOATS(uint8_t)
PAIR_FLOATS(uint16_t)

/* A call, as its runs need it. */
struct call {
    const struct gf_across *p;
    const struct gf_io *io;
    int n, channels;
    bool direct;                         /* integers are stored as integers of the same kind */
    void *scratch;                       /* of a run */
    struct gf_block dst;                 /* planar, unless `direct` */
};

/* Combines a run of integer samples, `count` from sample `start` of row y. */
#define RUN_OF(type, wide)                                                                                  \
    static void run_of_##type(const struct call *c, int64_t y, int64_t start, int64_t count)                \
    {                                                                                                       \
        const struct gf_block *const d = &c->io->dst;                                                       \
        type *const to = c->direct ? (type *)d->data + (y - d->span.start) * d->pitch_samples + start : NULL; \
        const float most = (float)c->io->frame[0].maxval;                                                   \
        const type *in[GF_MOST_FRAMES], *low = NULL, *high = NULL;                                          \
        wide *const sum = c->scratch;                                                                       \
                                                                                                            \
        for (int k = 0; k < c->n; k++) {                                                                    \
            const struct gf_block *const f = &c->io->frame[k];                                              \
                                                                                                            \
            in[k] = (const type *)f->data + (y - f->span.start) * f->pitch_samples + start;                 \
        }                                                                                                   \
        if (c->p->kind == GF_ACROSS_MEAN)                                                                   \
            sums_of_##type(in, c->n, sum, count);                                                           \
        else                                                                                                \
            medians_of_##type(in, c->n, c->scratch, &low, &high, count);                                    \
        if (to != NULL && c->p->kind == GF_ACROSS_MEAN)                                                     \
            means_to_##type(sum, c->n, to, count);                                                          \
        else if (to != NULL && low == high)                                                                 \
            memcpy(to, low, (size_t)count * sizeof *to);                                                    \
        else if (to != NULL)                                                                                \
            halves_of_##type(low, high, to, count);                                                         \
        if (to != NULL && d->maxval < (type)-1)                                                             \
            limit_##type(to, (type)d->maxval, count);                                                       \
        for (int k = 0; to == NULL && k < c->channels; k++) {                                               \
            float *const floats = gf_plane_at(&c->dst, k, y) + start / c->channels;                         \
                                                                                                            \
            if (c->p->kind == GF_ACROSS_MEAN)                                                               \
                floats_of_##wide(sum + k, c->channels, most * (float)c->n, floats, count / c->channels);    \
            else                                                                                            \
                pair_floats_of_##type(low + k, high + k, c->channels, most * 2, floats, count / c->channels); \
        }                                                                                                   \
    }
RUN_OF(uint8_t, uint16_t)
RUN_OF(uint16_t, uint32_t)

/* ---- floats ---- */

/* Begins a sum with the first frame, so that one frame alone keeps its values. */
GF_CLONES
static void begin_frame_sum(const float *restrict in, const float *restrict by, float *restrict sum, int64_t count)
{
    for (int64_t x = 0; x < count; x++)
        sum[x] = by != NULL ? in[x] * by[x] : in[x];
}

GF_CLONES
static void add_frame(const float *restrict in, const float *restrict by, float *restrict sum, int64_t count)
{
    if (by == NULL)
        for (int64_t x = 0; x < count; x++)
            sum[x] += in[x];
    else
        for (int64_t x = 0; x < count; x++)
            sum[x] += in[x] * by[x];
}

GF_CLONES
static void scale_frame_sum(float *restrict sum, float by, int64_t count)
{
    for (int64_t x = 0; x < count; x++)
        sum[x] *= by;
}

GF_CLONES
static void divide_frame_sum(float *restrict sum, const float *restrict by, int64_t count)
{
    for (int64_t x = 0; x < count; x++)
        sum[x] = by[x] == 0 ? 0 : sum[x] / by[x];
}

/* The means of one pixel after another; row[k·channels + c] has channel c of frame k. */
static void mean_of_floats(const struct call *c, float *const *row, int64_t y, int64_t x, int64_t count)
{
    const int alpha = c->channels - 1;
    const float *const opaque = c->p->weighted ? gf_plane_at(&c->dst, alpha, y) + x : NULL;

    for (int k = c->channels - 1; k >= 0; k--) {
        float *const to = gf_plane_at(&c->dst, k, y) + x;
        const bool colour = opaque != NULL && k < alpha;

        begin_frame_sum(row[k], colour ? row[alpha] : NULL, to, count);
        for (int f = 1; f < c->n; f++)
            add_frame(row[f * c->channels + k], colour ? row[f * c->channels + alpha] : NULL, to, count);
        if (colour)
            divide_frame_sum(to, opaque, count);
        else if (opaque == NULL)
            scale_frame_sum(to, 1 / (float)c->n, count);
    }
    if (opaque != NULL)
        scale_frame_sum(gf_plane_at(&c->dst, alpha, y) + x, 1 / (float)c->n, count);
}

GF_CLONES
static void mix_frames(const float *restrict a, const float *restrict b, const float *restrict a_by,
                       const float *restrict b_by, float share, float *restrict to, int64_t count)
{
    for (int64_t x = 0; x < count; x++) {
        const float one = a_by != NULL ? a[x] * a_by[x] : a[x], other = b_by != NULL ? b[x] * b_by[x] : b[x];

        to[x] = one * (1 - share) + other * share;
    }
}

/* Values between the current frame and the next one. */
static void between_floats(const struct call *c, float *const *row, int64_t y, int64_t x, int64_t count)
{
    float *const *const now = row + (int64_t)c->io->frame_now * c->channels, *const *const next = now + c->channels;
    const int alpha = c->channels - 1;
    const float share = (float)c->io->between;

    for (int k = c->channels - 1; k >= 0; k--) {
        float *const to = gf_plane_at(&c->dst, k, y) + x;
        const bool colour = c->p->weighted && k < alpha;

        if (share == 0 || c->io->frame_now + 1 == c->n) {
            memcpy(to, now[k], (size_t)count * sizeof *to);
            continue;
        }
        mix_frames(now[k], next[k], colour ? now[alpha] : NULL, colour ? next[alpha] : NULL, share, to, count);
        if (colour)
            divide_frame_sum(to, gf_plane_at(&c->dst, alpha, y) + x, count);
    }
}

GF_CLONES
static void make_keys(const float *restrict in, int32_t *restrict key, int64_t count)
{
    for (int64_t x = 0; x < count; x++) {
        uint32_t bits;

        memcpy(&bits, in + x, sizeof bits);
        key[x] = gf_rank_key(bits);
    }
}

GF_CLONES
static void middle_of_keys(const int32_t *low, const int32_t *high, float *restrict to, int64_t count)
{
    for (int64_t x = 0; x < count; x++) {
        const uint32_t a = gf_rank_bits(low[x]), b = gf_rank_bits(high[x]);
        float one, other;

        memcpy(&one, &a, sizeof one);
        memcpy(&other, &b, sizeof other);
        to[x] = low == high ? one : (one + other) * 0.5f;
    }
}

static void median_of_floats(const struct call *c, float *const *row, int64_t y, int64_t x, int64_t count)
{
    int32_t (*const keys)[RUN] = c->scratch;
    const int32_t *in[GF_MOST_FRAMES], *low, *high;

    for (int k = 0; k < c->channels; k++) {
        for (int f = 0; f < c->n; f++) {
            make_keys(row[f * c->channels + k], keys[c->n + f], count);
            in[f] = keys[c->n + f];
        }
        medians_of_int32_t(in, c->n, keys, &low, &high, count);
        middle_of_keys(low, high, gf_plane_at(&c->dst, k, y) + x, count);
    }
}

/* Combines a run of pixels as floats, which are loaded after the keys in the scratch. */
static void run_of_floats(const struct call *c, int64_t y, int64_t x, int64_t count)
{
    float *const loaded = (float *)c->scratch + 2 * (size_t)c->n * RUN;
    float *row[GF_MOST_FRAMES * GF_MAX_CHANNELS];

    for (int f = 0; f < c->n; f++) {
        for (int k = 0; k < c->channels; k++)
            row[f * c->channels + k] = loaded + (size_t)(f * c->channels + k) * RUN;
        gf_load_pixels(&c->io->frame[f], y, x, count, &row[f * c->channels]);
    }
    if (c->p->kind == GF_ACROSS_MEAN)
        mean_of_floats(c, row, y, x, count);
    else if (c->p->kind == GF_ACROSS_BETWEEN)
        between_floats(c, row, y, x, count);
    else
        median_of_floats(c, row, y, x, count);
}

/* ---- the body ---- */

/* Returns the bytes of scratch for a run, besides the planar result. */
static size_t run_bytes(const struct gf_io *io)
{
    const size_t rows = io->frames == 0 ? 0
        : (size_t)io->frames * (2 + (size_t)io->frame[0].channels);     /* keys, sorted keys, and floats */

    return gf_padded_bytes(rows * RUN * sizeof(float));
}

static size_t across_scratch(const struct gf_io *shape, const void *params)
{
    (void)params;
    return run_bytes(shape) + gf_planar_scratch_bytes(shape, shape->dst.span);
}

/* Without a window, the result is the source. */
static void copy_source(const struct gf_work *work, const struct gf_io *io)
{
    const struct gf_span rows = io->dst.span;
    const struct gf_block src = gf_planar_source(work, io, rows, work->scratch);
    const struct gf_block dst = gf_planar_result(io, src.channels, (float *)work->scratch
                                                 + gf_planar_source_samples(io, gf_span_units(rows)));

    for (int64_t y = rows.start; y < rows.end; y++)
        for (int c = 0; c < src.channels; c++)
            memcpy(gf_plane_at(&dst, c, y), gf_plane_at(&src, c, y), (size_t)dst.width * sizeof(float));
    gf_planar_finish(work, io, &dst);
}

static void combine_rows(const struct call *c, bool whole)
{
    const struct gf_span rows = c->io->dst.span;
    const int64_t pixels = RUN / c->channels, width = c->io->dst.width;

    for (int64_t y = rows.start; y < rows.end; y++)
        for (int64_t x = 0; x < width; x += pixels) {
            const int64_t count = width - x < pixels ? width - x : pixels;

            if (!whole)
                run_of_floats(c, y, x, count);
            else if (c->io->frame[0].type == GF_U8)
                run_of_uint8_t(c, y, x * c->channels, count * c->channels);
            else
                run_of_uint16_t(c, y, x * c->channels, count * c->channels);
        }
}

int gf_across_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_across p = gf_across_of(params, io->frames);
    const struct gf_block *const f = io->frame, *const d = &io->dst;
    struct call c = { .p = &p, .io = io, .n = io->frames, .scratch = work->scratch };
    bool whole;

    (void)err;
    if (io->frames == 0) {
        copy_source(work, io);
        return 0;
    }
    whole = gf_across_whole(&p, f->type);
    c.channels = f->channels;
    c.direct = whole && !d->planar && d->type == f->type && d->maxval == f->maxval && d->channels == f->channels
        && gf_point_is_identity(io->store);
    if (!c.direct)
        c.dst = gf_planar_result(io, f->channels, (float *)(void *)((char *)work->scratch + run_bytes(io)));
    combine_rows(&c, whole);
    if (!c.direct)
        gf_planar_finish(work, io, &c.dst);
    return 0;
}

static void describe_across(const void *params, bool cuda, char *text, size_t room)
{
    const struct gf_across *p = params;
    static const char *const kinds[] = { ", mean", ", median", ", between" };

    (void)cuda;
    snprintf(text, room, "%s", kinds[p->kind]);
}

/* Each image of the window is read once, which takes most of the time. */
static struct gf_cost across_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_across *p = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = p->images > 1 ? 2 * p->images / 3.0 : 1 };
}

const struct gf_operation gf_op_across = {
    .word = "across", .text = "Takes the mean or the median of the samples at one place of consecutive frames, or a "
                              "value between two of them.",
    .params_bytes = sizeof(struct gf_across),
    .cpu = { .body = gf_across_cpu, GF_OP_READS_AND_STORES, .scratch_bytes = across_scratch,
             .cost = across_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_across_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = gf_gpu_scratch_programs,
              .cost = across_cost },
    .describe = describe_across,
};
