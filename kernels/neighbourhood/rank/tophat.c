/*
 * Top hat on a CPU: the rows of the first extreme go through a ring in a cache, from which those of the second one are
 * made and subtracted.
 */
#include "kernels/neighbourhood/rank/tophat.h"

#include "base/clones.h"
#include "kernels/base/cost.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"
#include "kernels/neighbourhood/rank/rank_squares.h"

#include <stdio.h>
#include <string.h>

/* Packed samples as stored, or one plane of floats. */
struct hat {
    struct gf_rank_squares first;
    struct gf_rank_window second;        /* of the first result */
    const struct gf_block *src, *dst;
    int channel;                         /* of planes */
    struct gf_span there;                /* rows of the first result that exist */
    int64_t next;                        /* the first of them that is not in the ring */
    char *ring, *line, *running;
    int64_t ring_rows;
};

/* to = a - b or b - a of bytes or words, not less than 0, and of a float and a key. */
#define SUBTRACT(name, ctype)                                                                                    \
    GF_CLONES                                                                                                    \
    static void subtract_##name(const ctype *restrict a, const ctype *restrict b, ctype *restrict to, int64_t n, \
                                bool dark)                                                                       \
    {                                                                                                            \
        if (dark)                                                                                                \
            for (int64_t i = 0; i < n; i++)                                                                      \
                to[i] = (ctype)((b[i] > a[i] ? b[i] : a[i]) - a[i]);                                             \
        else                                                                                                     \
            for (int64_t i = 0; i < n; i++)                                                                      \
                to[i] = (ctype)((a[i] > b[i] ? a[i] : b[i]) - b[i]);                                             \
    }
SUBTRACT(u8, uint8_t)
SUBTRACT(u16, uint16_t)
#undef SUBTRACT

GF_CLONES
static void subtract_floats(const float *restrict a, const int32_t *restrict key, float *restrict to, int64_t n,
                            bool dark)
{
    for (int64_t i = 0; i < n; i++) {
        const uint32_t bits = gf_rank_bits(key[i]);
        float b;

        memcpy(&b, &bits, sizeof b);
        to[i] = dark ? b - a[i] : a[i] - b;
    }
}

/* Sets a row beyond the signal: to 0, or, so that the row at the edge counts alone, to what is never picked. */
static void fill_beyond(const struct hat *h, void *row)
{
    const struct gf_rank_window *w = &h->second;
    int32_t *keys = row;

    if (h->first.border == GF_ZERO || w->bytes < (int)sizeof *keys)
        memset(row, h->first.border == GF_ZERO || w->greatest ? 0 : 0xff, (size_t)(w->length * w->bytes));
    else
        for (int64_t i = 0; i < w->length; i++)
            keys[i] = w->greatest ? INT32_MIN : INT32_MAX;
}

static void *ring_row(const struct hat *h, int64_t y)
{
    return h->ring + (size_t)gf_modulo(y, h->ring_rows) * h->first.row_bytes;
}

/* Sets the row to the extremes of windows along it. */
static void along_row(const struct hat *h, void *row)
{
    const struct gf_rank_window *w = &h->second;

    memcpy(h->line + w->radius * w->step * w->bytes, row, (size_t)(w->length * w->bytes));
    gf_rank_fill_ends(w, h->first.border, h->line);
    gf_rank_along(w, row, h->line, h->first.between);
}

/* Makes rows of the first result up to `end`, and the second extremes along them. */
static void fill_ring(struct hat *h, int64_t end)
{
    void *to[GF_RANK_BLOCK_ROWS];

    for (int64_t rows; h->next < end; h->next += rows) {
        const bool beyond = h->next < h->there.start || h->next >= h->there.end;
        const int64_t stop = h->next < h->there.start ? h->there.start : beyond ? end : h->there.end;

        rows = (stop < end ? stop : end) - h->next;
        rows = rows < h->first.block_rows ? rows : h->first.block_rows;
        for (int64_t i = 0; i < rows; i++)
            to[i] = ring_row(h, h->next + i);
        if (!beyond)
            gf_rank_squares_make(&h->first, h->next, rows, to);
        for (int64_t i = 0; i < rows; i++)
            if (beyond)
                fill_beyond(h, to[i]);
            else
                along_row(h, to[i]);
    }
}

static void subtract_row(const struct hat *h, int64_t y, const void *second, bool dark)
{
    const int64_t n = h->second.length;

    if (h->src->planar)
        subtract_floats(gf_plane_at(h->src, h->channel, y), second, gf_plane_at(h->dst, h->channel, y), n, dark);
    else if (h->src->type == GF_U8)
        subtract_u8(gf_packed_row(h->src, y), second, gf_packed_row(h->dst, y), n, dark);
    else
        subtract_u16(gf_packed_row(h->src, y), second, gf_packed_row(h->dst, y), n, dark);
}

/* Makes all rows of dst. */
static void run_hat(struct hat *h, bool dark)
{
    const struct gf_span made = h->dst->span;
    const int radius = h->second.radius;
    const void *in[2 * GF_RANK_BLOCK_ROWS];
    void *to[GF_RANK_BLOCK_ROWS];

    for (int64_t i = 0; i < h->first.block_rows; i++)
        to[i] = h->first.picked + (size_t)i * h->first.row_bytes;
    h->next = made.start - radius;
    for (int64_t y = made.start, rows; y < made.end; y += rows) {
        rows = made.end - y < h->first.block_rows ? made.end - y : h->first.block_rows;
        fill_ring(h, y + rows + radius);
        for (int64_t k = 0; k < rows + 2 * radius; k++)
            in[k] = ring_row(h, y - radius + k);
        gf_rank_down(&h->second, to, in, rows, h->second.length, h->running);
        for (int64_t i = 0; i < rows; i++)
            subtract_row(h, y + i, to[i], dark);
    }
}

/* ---- a call ---- */

/* Scratch, in bytes. */
struct scratch_sizes {
    int bytes, step;                     /* of a sample, and samples of a pixel that are worked on together */
    size_t squares, row, source, result;
    int64_t ring_rows;
};

static struct scratch_sizes sizes_of(const struct gf_io *io, const struct gf_tophat *t)
{
    const bool direct = gf_tophat_is_direct(io);
    const int64_t all = gf_span_units(io->src.span), some = gf_span_units(io->dst.span) + 4 * (int64_t)t->radius;
    struct scratch_sizes s = { .bytes = direct ? (int)gf_type_bytes(io->src.type) : (int)sizeof(float),
                               .step = direct ? io->src.channels : 1 };

    s.squares = gf_rank_squares_scratch(s.bytes, s.step, t->radius, io->dst.width);
    s.row = gf_rank_row_bytes(s.bytes, s.step, t->radius, io->dst.width);
    s.ring_rows = gf_rank_block_rows(t->radius) + 2 * (int64_t)t->radius;
    if (!direct) {
        s.source = gf_planar_source_samples(io, t->border == GF_WRAP || some > all ? all : some) * sizeof(float);
        s.result = gf_planar_result_samples(io, gf_channels_at_work(io)) * sizeof(float);
    }
    s.source = gf_padded_bytes(s.source);
    return s;
}

/* The ring has one row more, for a padded line. */
static size_t bytes_of(const struct scratch_sizes *s)
{
    return s->squares + (size_t)(s->ring_rows + 1) * s->row + s->source + s->result;
}

static size_t tophat_scratch(const struct gf_io *io, const void *params)
{
    const struct scratch_sizes s = sizes_of(io, params);

    return bytes_of(&s);
}

/* Copies the channels after `first` as they are. */
static void copy_others(const struct gf_block *src, const struct gf_block *dst, int first)
{
    const size_t sample = gf_type_bytes(dst->type), others = (size_t)(dst->channels - first) * sample;

    for (int64_t y = dst->span.start; y < dst->span.end && first < dst->channels; y++) {
        const char *from = dst->planar ? NULL : (const char *)gf_packed_row(src, y) + (size_t)first * sample;
        char *to = dst->planar ? NULL : (char *)gf_packed_row(dst, y) + (size_t)first * sample;

        for (int64_t x = 0; x < dst->width && !dst->planar; x++)
            memcpy(to + (size_t)(x * dst->channels) * sample, from + (size_t)(x * dst->channels) * sample, others);
        for (int c = first; c < dst->channels && dst->planar; c++)
            memcpy(gf_plane_at(dst, c, y), gf_plane_at(src, c, y), (size_t)dst->width * sizeof(float));
    }
}

/* Works on packed samples, or on all planes, one after another. */
static void run_blocks(const struct gf_io *io, const struct gf_tophat *t, const struct scratch_sizes *s, char *scratch,
                       const struct gf_block *src, const struct gf_block *dst)
{
    const int64_t length = dst->width * s->step;
    const bool meets_edge = t->border == GF_CLAMP || t->border == GF_ZERO;
    struct hat h = {
        .first = { .w = { s->bytes, s->step, t->radius, t->dark, length }, .border = t->border, .src = src,
                   .units = io->src_units },
        .second = { s->bytes, s->step, t->radius, !t->dark, length }, .src = src, .dst = dst,
        .there = { meets_edge ? 0 : INT64_MIN, meets_edge ? io->src_units : INT64_MAX },
        .line = scratch + s->squares, .ring = scratch + s->squares + s->row, .ring_rows = s->ring_rows,
    };

    for (h.channel = 0; h.channel < (src->planar ? t->channels : 1); h.channel++) {
        h.first.channel = h.channel;
        gf_rank_squares_open(&h.first, scratch);
        h.running = h.first.running;
        run_hat(&h, t->dark);
    }
    copy_others(src, dst, t->channels);
}

int gf_tophat_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_tophat *t = params;
    const struct scratch_sizes s = sizes_of(io, t);
    char *scratch = work->scratch, *source = scratch + bytes_of(&s) - s.source - s.result;
    struct gf_block src, dst;

    if (work->scratch_bytes < bytes_of(&s))
        return gf_fail(err, GF_FAILED, "internal error: tophat has too little scratch memory");
    if (io->dst.width <= 0 || gf_span_units(io->dst.span) <= 0)
        return 0;
    if (gf_tophat_is_direct(io)) {
        run_blocks(io, t, &s, scratch, &io->src, &io->dst);
        return 0;
    }
    src = gf_planar_source(work, io, gf_span_around(io, 2 * (int64_t)t->radius, 2 * (int64_t)t->radius, t->border),
                           (float *)(void *)source);
    dst = gf_planar_result(io, src.channels, (float *)(void *)(source + s.source));
    run_blocks(io, t, &s, scratch, &src, &dst);
    gf_planar_finish(work, io, &dst);
    return 0;
}

/* ---- the descriptor ---- */

/* The costs of rank, times what a top hat takes for a second of a minimum; on a GPU, two of them and a difference. */
static const struct gf_cost_row cost_bytes[] = { { 1, 3.8 }, { 5, 5.2 }, { 20, 8.2 }, { 50, 8.4 } };
static const struct gf_cost_row cost_others[] = { { 1, 5.3 }, { 3, 7.5 }, { 20, 12 }, { 50, 19 } };
static const struct gf_cost_row gpu_cost[] = { { 1, 2 }, { 2, 3 }, { 7, 7.6 }, { 50, 21 } };

static struct gf_cost tophat_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_tophat *t = params;

    (void)in;
    return (struct gf_cost) { .light = out->type == GF_U8 ? GF_COST_LIGHT(cost_bytes, t->radius)
                                                          : GF_COST_LIGHT(cost_others, t->radius) };
}

static struct gf_cost tophat_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_tophat *t = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = GF_COST_LIGHT(gpu_cost, t->radius) };
}

/* Both results, as planes or packed, beside planes of the source and the result. */
static size_t tophat_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_tophat *t = params;
    const int64_t units = gf_span_units(io->dst.span), all = gf_span_units(io->src.span);
    const int64_t first = t->border == GF_WRAP || units + 2 * t->radius > all ? all : units + 2 * t->radius;

    if (gf_tophat_is_direct(io))
        return (size_t)((first + units) * gf_round_up(io->src.width * io->src.channels, 128)
                        * (int64_t)gf_type_bytes(io->src.type) + GF_GPU_SCRATCH_SMALL);
    return (size_t)(gf_gpu_plane_bytes(&io->dst, gf_channels_at_work(io), first)
                    + gf_gpu_plane_bytes(&io->dst, gf_channels_at_work(io), units) + GF_GPU_SCRATCH_SMALL
                    + gf_gpu_loaded_bytes(io, true, all) + gf_gpu_stored_bytes(io, true));
}

static void describe(const void *params, bool cuda, char *text, size_t room)
{
    const struct gf_tophat *t = params;

    (void)cuda;
    snprintf(text, room, ", %s of %d by %d pixels", t->dark ? "closing" : "opening", 2 * t->radius + 1,
             2 * t->radius + 1);
}

static bool reach(const void *params, struct gf_reach *reach)
{
    const struct gf_tophat *t = params;

    return gf_reach_square(2 * (int64_t)t->radius, t->border, reach);
}

/* Bytes that become bytes take a whole segment, so that few rows at its ends are computed twice. */
static bool at_once(const void *params, const struct gf_format *f)
{
    (void)params;
    return f->type == GF_U8;
}

const struct gf_operation gf_op_tophat = {
    .word = "tophat",
    .text = "The difference between samples and the opening or closing of the squares around them.",
    .params_bytes = sizeof(struct gf_tophat),
    .starts_anew = 2,
    .cpu = { .body = gf_tophat_cpu, .reads = GF_READS_INTEGERS, .stores_packed = true,
             .scratch_bytes = tophat_scratch, .cost = tophat_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_tophat_cuda), GF_OP_LOADS_AND_STORES, .scratch_bytes = tophat_gpu_scratch,
              .cost = tophat_gpu_cost },
    .describe = describe,
    .at_once = at_once,
    .reach = reach,
};
