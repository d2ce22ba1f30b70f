/* Changes the rate on a CPU: up to four windows at a time use the same row of weights. */
#include "kernels/sound/resample.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"

#include <math.h>
#include <string.h>

#define AT_ONCE 4

#define UNROLLED _Pragma("GCC unroll 16")        /* otherwise the sums do not stay in registers */

GF_INLINE void add(float *restrict s, const float *restrict w, const float *restrict x)
{
    UNROLLED
    for (int j = 0; j < GF_RESAMPLE_SUMS; j++)
        s[j] = fmaf(w[j], x[j], s[j]);
}

/*
 * Sums of n windows weighted by the row. They are added up elsewhere, because the compiler would
 * split them here.
 */
GF_INLINE void weigh_n(const float *const *x, const float *restrict w, int taps, float (*to)[GF_RESAMPLE_SUMS], int n)
{
    float a[GF_RESAMPLE_SUMS] = { 0 }, b[GF_RESAMPLE_SUMS] = { 0 }, c[GF_RESAMPLE_SUMS] = { 0 },
                                d[GF_RESAMPLE_SUMS] = { 0 };
    const float *restrict x0 = x[0], *restrict x1 = x[n > 1 ? 1 : 0], *restrict x2 = x[n > 2 ? 2 : 0],
                               *restrict x3 = x[n > 3 ? 3 : 0];

    for (int k = 0; k < taps; k += GF_RESAMPLE_SUMS) {
        add(a, w + k, x0 + k);
        if (n > 1)
            add(b, w + k, x1 + k);
        if (n > 2)
            add(c, w + k, x2 + k);
        if (n > 3)
            add(d, w + k, x3 + k);
    }
    memcpy(to[0], a, sizeof a);
    memcpy(to[1], b, sizeof b);
    memcpy(to[2], c, sizeof c);
    memcpy(to[3], d, sizeof d);
}

GF_CLONES
static void weigh(const float *const *x, const float *restrict w, int taps, float (*to)[GF_RESAMPLE_SUMS], int n)
{
    switch (n) {
    case 1: weigh_n(x, w, taps, to, 1); break;
    case 2: weigh_n(x, w, taps, to, 2); break;
    default: weigh_n(x, w, taps, to, 4); break;
    }
}

/* Adds the sums of each window by halves. */
GF_CLONES
static void fold(float (*s)[GF_RESAMPLE_SUMS], float *restrict y)
{
    for (int i = 0; i < AT_ONCE; i++) {
        float *restrict t = s[i];

        for (int j = 0; j < 8; j++)
            t[j] += t[j + 8];
        for (int j = 0; j < 4; j++)
            t[j] += t[j + 4];
        y[i] = (t[0] + t[2]) + (t[1] + t[3]);
    }
}

/* Windows that wait for others with the same row. */
struct gathered {
    const struct gf_resample *r;
    const float *rows;                           /* of the table */
    struct gf_resample_place place;              /* common to all windows, except the frame */
    const float *window[AT_ONCE];
    float *to[AT_ONCE];
    float *room;                                 /* for windows that reach outside the signal */
    int n;
};

static void finish(struct gathered *g)
{
    const float *row = g->rows + g->place.row * g->r->taps;
    float sums[AT_ONCE][GF_RESAMPLE_SUMS], y[AT_ONCE], next[AT_ONCE];

    if (g->n == 0)
        return;
    /* a valid address is needed, because three windows are processed as four */
    for (int i = g->n; i < AT_ONCE; i++)
        g->window[i] = g->window[0];
    weigh(g->window, row, g->r->taps, sums, g->n);
    fold(sums, y);
    if (g->r->phases > 0) {
        weigh(g->window, row + g->r->taps, g->r->taps, sums, g->n);
        fold(sums, next);
        for (int i = 0; i < g->n; i++)
            y[i] = fmaf(g->place.share, next[i] - y[i], y[i]);
    }
    for (int i = 0; i < g->n; i++)
        *g->to[i] = y[i];
    g->n = 0;
}

/* Copies `taps` frames of a plane from `first` on, with zeros outside it. */
static const float *window_at(const struct gf_block *src, int c, int64_t first, int taps, float *room)
{
    const float *plane = (const float *)src->data + c * src->plane_samples;
    const int64_t start = first > src->span.start ? first : src->span.start;
    const int64_t end = first + taps < src->span.end ? first + taps : src->span.end;

    if (start == first && end == first + taps)
        return plane + (first - src->span.start);
    memset(room, 0, (size_t)taps * sizeof *room);
    if (end > start)
        memcpy(room + (start - first), plane + (start - src->span.start), (size_t)(end - start) * sizeof *room);
    return room;
}

/* Computes all channels of frame n. */
static void gather(struct gathered *g, const struct gf_io *io, int64_t n)
{
    g->place = gf_resample_at(g->r, n);
    for (int c = 0; c < io->dst.channels; c++) {
        g->window[g->n] = window_at(&io->src, c, g->place.first, g->r->taps, g->room + g->n * g->r->taps);
        g->to[g->n] = (float *)io->dst.data + c * io->dst.plane_samples + (n - io->dst.span.start);
        if (++g->n == AT_ONCE)
            finish(g);
    }
}

static size_t resample_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_resample *r = params;

    (void)shape;
    return (size_t)r->taps * AT_ONCE * sizeof(float);
}

int gf_resample_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_resample *r = params;
    struct gathered g = { .r = r, .rows = work->tables + r->table, .room = work->scratch };
    const struct gf_span out = io->dst.span;
    const int64_t turn = gf_span_units(out) < r->per || r->phases > 0 ? gf_span_units(out) : r->per;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: resample needs planes and no programs");
    for (int64_t i = 0; i < turn; i++) {         /* those with the same row, one after another */
        for (int64_t n = out.start + i; n < out.end; n += turn)
            gather(&g, io, n);
        finish(&g);
    }
    return 0;
}

static struct gf_cost resample_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return (struct gf_cost) { 1, ((const struct gf_resample *)params)->taps };
}

/* The table of weights in another order, and zeros that are read in advance. */
static size_t resample_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_resample *r = params;

    (void)io;
    return r->phases > 0 ? 0 : (size_t)(r->per * (r->taps + GF_RESAMPLE_AHEAD)) * sizeof(float) + GF_GPU_SCRATCH_SMALL;
}

const struct gf_operation gf_op_resample = {
    .word = "resample", .params_bytes = sizeof(struct gf_resample),
    .cpu = { .body = gf_resample_cpu, .scratch_bytes = resample_scratch, .cost = resample_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_resample_cuda), .scratch_bytes = resample_gpu_scratch, .cost = resample_cost },
};
