/* Blending on a CPU: runs of pixels, one color at a time. */
#include "kernels/pixel/blend.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/planar.h"

#include <string.h>

#define ROWS 5                   /* rows of scratch: a pixel of the second source, and its weight */

static size_t blend_scratch(const struct gf_io *shape, const void *params)
{
    (void)params;
    return gf_planar_scratch_bytes(shape, shape->dst.span) + (size_t)ROWS * GF_RUN_PIXELS * sizeof(float);
}

/* ---- loops over n pixels ---- */

/* One for each mode; `ab` is NULL if the signal is opaque. */
#define LOOP(NAME, name)                                                                                              \
    GF_CLONES                                                                                                         \
    static void mix_##name(const float *restrict b, const float *restrict ab, const float *restrict s,                \
                           const float *restrict as, float *restrict y, int64_t n)                                    \
    {                                                                                                                 \
        if (ab == NULL)                                                                                               \
            for (int64_t i = 0; i < n; i++)                                                                           \
                y[i] = gf_blend_opaque(GF_BLEND_##NAME, b[i], s[i], as[i]);                                           \
        else                                                                                                          \
            for (int64_t i = 0; i < n; i++)                                                                           \
                y[i] = gf_blend_mixed(GF_BLEND_##NAME, b[i], ab[i], s[i], as[i]);                                     \
    }
GF_BLEND_MODES(LOOP)

typedef void mix(const float *restrict b, const float *restrict ab, const float *restrict s, const float *restrict as,
                 float *restrict y, int64_t n);

#define ENTRY(NAME, name) [GF_BLEND_##NAME] = mix_##name,
static mix *const mixes[] = { GF_BLEND_MODES(ENTRY) };

GF_CLONES
static void mix_alpha(const float *restrict ab, const float *restrict as, float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = gf_blend_alpha(ab[i], as[i]);
}

GF_CLONES
static void compare(const float *restrict b, const float *restrict s, float *restrict y, int64_t n, float amount)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = gf_blend_distance(b[i], s[i], amount);
}

GF_CLONES
static void divide(const float *restrict b, const float *restrict s, float *restrict y, int64_t n, float amount)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = gf_blend_quotient(b[i], s[i], amount);
}

GF_CLONES
static void multiply_alpha(const float *restrict b, const float *restrict s, float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = b[i] * s[i];
}

GF_CLONES
static void make_gray(const float *restrict r, const float *restrict g, const float *restrict b,
                      float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = gf_luma(r[i], g[i], b[i]);
}

GF_CLONES
static void weigh_alpha(const float *restrict alpha, float *restrict as, int64_t n, float amount)
{
    for (int64_t i = 0; i < n; i++)
        as[i] = (alpha != NULL ? alpha[i] : 1) * amount;
}

/* ---- pixels ---- */

/* Processes a run of pixels of both sources, row by row; as[] is filled only if a mode needs it. */
struct blend_run {
    const float *b[GF_POINT_MATRIX_MAX];
    float *y[GF_POINT_MATRIX_MAX];
    float *s[GF_POINT_MATRIX_MAX], *as;
    int64_t n;
};

static void copy_channel(const struct blend_run *r, int c)
{
    memcpy(r->y[c], r->b[c], (size_t)r->n * sizeof(float));
}

static void mask_run(const struct gf_blend *p, const struct blend_run *r)
{
    const float *m = p->beside_alpha ? r->s[p->beside_colours] : p->beside_colours == 3 ? r->as : r->s[0];

    if (!p->beside_alpha && p->beside_colours == 3)
        make_gray(r->s[0], r->s[1], r->s[2], r->as, r->n);
    for (int c = 0; c < p->colours; c++)
        copy_channel(r, c);
    multiply_alpha(r->b[p->colours], m, r->y[p->colours], r->n);
}

static void blend_run(const struct gf_blend *p, const struct blend_run *r)
{
    if (p->mode == GF_BLEND_MASK) {
        mask_run(p, r);
        return;
    }
    if (p->mode < GF_BLEND_COMPARE)
        weigh_alpha(p->beside_alpha ? r->s[p->beside_colours] : NULL, r->as, r->n, p->amount);
    for (int c = 0; c < p->colours; c++) {
        const float *s = r->s[p->beside_colours == 1 ? 0 : c];

        if (p->mode == GF_BLEND_COMPARE)
            compare(r->b[c], s, r->y[c], r->n, p->amount);
        else if (p->mode == GF_BLEND_QUOTIENT)
            divide(r->b[c], s, r->y[c], r->n, p->amount);
        else
            mixes[p->mode](r->b[c], p->alpha ? r->b[p->colours] : NULL, s, r->as, r->y[c], r->n);
    }
    if (p->alpha && p->mode >= GF_BLEND_COMPARE)
        copy_channel(r, p->colours);
    else if (p->alpha)
        mix_alpha(r->b[p->colours], r->as, r->y[p->colours], r->n);
}

/* Processes columns [from, to) of unit u, with or without pixels of the second source. */
static void do_columns(const struct gf_blend *p, const struct gf_io *io, const struct gf_block *src,
                       const struct gf_block *dst,
                       int64_t u, struct gf_span columns, bool covered, float *scratch)
{
    const int channels = p->colours + p->alpha;
    struct blend_run r = { .as = scratch + 4 * GF_RUN_PIXELS };

    for (int64_t x = columns.start; x < columns.end; x += r.n) {
        const int64_t left = columns.end - x;

        r.n = !covered || left < GF_RUN_PIXELS ? left : GF_RUN_PIXELS;
        for (int c = 0; c < channels; c++) {
            r.b[c] = gf_plane_at(src, c, u) + x;
            r.y[c] = gf_plane_at(dst, c, u) + x;
            if (!covered)
                copy_channel(&r, c);
        }
        if (!covered)
            continue;
        for (int c = 0; c < io->beside.channels; c++)
            r.s[c] = scratch + c * GF_RUN_PIXELS;
        gf_load_pixels(&io->beside, u - io->beside_shift, x - p->x, r.n, r.s);
        blend_run(p, &r);
    }
}

int gf_blend_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_blend *p = params;
    const struct gf_span d = io->dst.span;
    float *scratch = work->scratch, *rows = scratch + gf_planar_scratch_bytes(io, d) / sizeof(float);
    const struct gf_block src = gf_planar_source(work, io, d, scratch);
    const struct gf_block dst = gf_planar_result(io, src.channels,
                                                 scratch + gf_planar_source_samples(io, gf_span_units(d)));
    const int64_t start = p->x < 0 ? 0 : p->x < dst.width ? p->x : dst.width, end = p->x + io->beside.width;
    const struct gf_span covered = { start, end < start ? start : end < dst.width ? end : dst.width };

    (void)err;
    for (int64_t u = d.start; u < d.end; u++) {
        const bool beside = u - io->beside_shift >= io->beside.span.start && u - io->beside_shift < io->beside.span.end;

        if (!beside || covered.end == covered.start) {
            do_columns(p, io, &src, &dst, u, (struct gf_span) { 0, dst.width }, false, rows);
            continue;
        }
        do_columns(p, io, &src, &dst, u, (struct gf_span) { 0, covered.start }, false, rows);
        do_columns(p, io, &src, &dst, u, covered, true, rows);
        do_columns(p, io, &src, &dst, u, (struct gf_span) { covered.end, dst.width }, false, rows);
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

/*
 * Costs for opaque 8-bit colors, relative to the mean of unpacking and packing: normal 1.9,
 * difference 2.0, softlight 2.8.
 */
/* Both images are read; modes other than the plain one compute more. */
static struct gf_cost blend_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_blend *p = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = p->mode == GF_BLEND_NORMAL || p->mode >= GF_BLEND_MASK ? 8 : 8.5 };
}

static struct gf_cost blend_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_blend *p = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = p->mode == GF_BLEND_NORMAL || p->mode >= GF_BLEND_MASK ? 2 : 2.5 };
}

const struct gf_operation gf_op_blend = {
    .word = "blend", .text = "Combines the signal with a second image, or compares the two.",
    .params_bytes = sizeof(struct gf_blend),
    .cpu = { .body = gf_blend_cpu, GF_OP_READS_AND_STORES, .scratch_bytes = blend_scratch, .cost = blend_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_blend_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = gf_gpu_scratch_programs,
              .cost = blend_gpu_cost },
};
