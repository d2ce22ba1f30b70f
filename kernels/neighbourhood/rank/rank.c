/* Rank on a CPU: pads rows as the border says, and chooses the method. */
#include "kernels/neighbourhood/rank/rank.h"

#include "base/clones.h"
#include "kernels/base/cost.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"
#include "kernels/base/program_run.h"
#include "kernels/neighbourhood/rank/rank_rows.h"
#include "kernels/neighbourhood/rank/rank_squares.h"

#include <string.h>

/* How a call works: on packed samples as stored, or on planes of keys. */
struct shape {
    bool packed;                         /* src is read as stored */
    bool direct;                         /* dst is written as stored */
    int channels;                        /* channels that are processed */
    struct gf_rank_rows r;
    int64_t padded;                      /* samples of a padded row, rounded up */
    size_t in, out, work, source, result;   /* bytes of scratch */
};

static size_t median_scratch(const struct gf_rank_rows *r)
{
    if (r->radius <= GF_RANK_NETWORK_RADIUS)
        return gf_rank_network_scratch(r);
    return r->bytes == 1 ? gf_rank_count_scratch(r) : gf_rank_ordinals_scratch(r);
}

static void median(const struct gf_rank_rows *r)
{
    if (r->radius <= GF_RANK_NETWORK_RADIUS)
        gf_rank_network(r);
    else if (r->bytes == 1)
        gf_rank_count(r);
    else
        gf_rank_ordinals(r);
}

/* Returns the most units of src that the result needs. */
static int64_t units_needed(const struct gf_io *io, const struct gf_rank *rank)
{
    const int64_t all = gf_span_units(io->src.span), some = gf_span_units(io->dst.span) + 2 * (int64_t)rank->radius;

    return rank->border == GF_WRAP || some > all ? all : some;
}

static struct shape shape_of(const struct gf_io *io, const struct gf_rank *rank)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;
    const int channels = gf_channels_at_work(io);
    const bool is_median = rank->pick == GF_RANK_MIDDLE;
    struct shape s = { .channels = channels };

    s.packed = !src->planar && (src->type == GF_U8 || src->type == GF_U16) && gf_point_is_identity(io->load);
    s.direct = s.packed && !dst->planar && dst->type == src->type && dst->maxval == src->maxval
               && gf_point_is_identity(io->store);
    s.r = (struct gf_rank_rows) { .bytes = s.packed ? (int)gf_type_bytes(src->type) : 4,
                                  .step = s.packed ? channels : 1,
                                  .radius = rank->radius, .rows = gf_span_units(dst->span) };
    s.r.length = dst->width * s.r.step;
    s.r.end = s.packed ? rank->channels : 1;
    s.padded = gf_round_up(s.r.length + 2 * (int64_t)rank->radius * s.r.step, 64);
    s.r.pitch = s.padded;
    if (is_median) {
        s.in = (size_t)((s.r.rows + 2 * rank->radius) * s.padded * s.r.bytes);
        s.work = gf_padded_bytes(median_scratch(&s.r));
    } else {
        s.work = gf_padded_bytes(gf_rank_squares_scratch(s.r.bytes, s.r.step, rank->radius, dst->width));
    }
    if (s.packed) {
        s.result = s.direct ? 0 : gf_padded_bytes((size_t)(s.r.rows * s.r.length * s.r.bytes));
    } else {
        s.out = is_median ? gf_padded_bytes((size_t)(s.r.rows * s.r.length) * sizeof(int32_t)) : 0;
        s.source = gf_padded_bytes(gf_planar_source_samples(io, units_needed(io, rank)) * sizeof(float));
        s.result = gf_padded_bytes(gf_planar_result_samples(io, channels) * sizeof(float));
    }
    return s;
}

static size_t rank_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_rank *rank = params;
    const struct shape s = shape_of(io, rank);

    return s.in + s.out + s.work + s.source + s.result;
}

/* ---- padded rows ---- */

/* Loads the rows around dst, of plane c if there are planes, padded on all sides. */
static void pad_rows(const struct shape *s, const struct gf_rank *rank, const struct gf_block *src, int c,
                     struct gf_span out, int64_t units, char *to)
{
    const size_t pitch = (size_t)(s->padded * s->r.bytes), edge = (size_t)(s->r.radius * s->r.step * s->r.bytes);
    const struct gf_rank_window w = { s->r.bytes, s->r.step, s->r.radius, false, s->r.length };

    for (int64_t y = out.start - s->r.radius; y < out.end + s->r.radius; y++, to += pitch) {
        const int64_t at = gf_border_index(rank->border, y, units);

        if (at < 0) {
            memset(to, 0, pitch);
            continue;
        }
        if (s->packed)
            memcpy(to + edge,
                   (const char *)src->data + (size_t)((at - src->span.start) * src->pitch_samples * s->r.bytes),
                   (size_t)(s->r.length * s->r.bytes));
        else
            gf_rank_keys(gf_plane_at(src, c, at), (int32_t *)(void *)(to + edge), s->r.length);
        gf_rank_fill_ends(&w, rank->border, to);
    }
}

/* ---- packed samples and planes ---- */

/* Copies channels that are not ranked. */
static void copy_channels(const struct gf_block *src, const struct gf_block *made, const struct gf_rank_rows *r)
{
    for (int64_t y = made->span.start; y < made->span.end && r->end < r->step; y++) {
        const char *in = gf_packed_row(src, y);
        char *out = gf_packed_row(made, y);

        for (int64_t x = 0; x < r->length; x += r->step)
            memcpy(out + (x + r->end) * r->bytes, in + (x + r->end) * r->bytes,
                   (size_t)((r->step - r->end) * r->bytes));
    }
}

/* Sets rows of a plane, or of packed samples, to the extremes of their squares. */
static void pick_extremes(const struct gf_io *io, const struct gf_rank *rank, const struct gf_rank_rows *r,
                          const struct gf_block *src, int channel, const struct gf_block *made)
{
    struct gf_rank_squares s = {
        .w = { r->bytes, r->step, r->radius, rank->pick == GF_RANK_GREATEST, r->length },
        .border = rank->border, .src = src, .channel = channel, .units = io->src_units, .to_floats = src->planar,
    };
    void *to[GF_RANK_BLOCK_ROWS];

    gf_rank_squares_open(&s, r->scratch);
    for (int64_t y = made->span.start, rows; y < made->span.end; y += rows) {
        rows = made->span.end - y < s.block_rows ? made->span.end - y : s.block_rows;
        for (int64_t i = 0; i < rows; i++)
            to[i] = src->planar ? (void *)gf_plane_at(made, channel, y + i) : gf_packed_row(made, y + i);
        gf_rank_squares_make(&s, y, rows, to);
    }
}

static void on_packed(const struct gf_work *work, const struct gf_io *io, const struct gf_rank *rank,
                      struct shape *s, char *result)
{
    struct gf_block made = io->src;

    if (s->direct) {
        made = io->dst;
    } else {
        made.data = result;
        made.span = io->dst.span;
        made.pitch_samples = s->r.length;
    }
    s->r.out = made.data;
    s->r.out_pitch = made.pitch_samples;
    if (rank->pick == GF_RANK_MIDDLE) {
        pad_rows(s, rank, &io->src, 0, io->dst.span, io->src_units, (char *)s->r.in);
        median(&s->r);
    } else {
        pick_extremes(io, rank, &s->r, &io->src, 0, &made);
    }
    copy_channels(&io->src, &made, &s->r);
    if (!s->direct) {
        const struct gf_io convert = { .src = made, .dst = io->dst, .load = io->store, .src_units = io->src_units };

        gf_point_apply(work, &convert);
    }
}

static void on_plane(const struct gf_io *io, const struct gf_rank *rank, const struct shape *s, int c,
                     const struct gf_block *src, const struct gf_block *dst)
{
    struct gf_rank_rows r = s->r;

    if (rank->pick != GF_RANK_MIDDLE) {
        pick_extremes(io, rank, &r, src, c, dst);
        return;
    }
    pad_rows(s, rank, src, c, io->dst.span, io->src_units, (char *)r.in);
    r.out_pitch = r.length;
    median(&r);
    for (int64_t y = 0; y < r.rows; y++)
        gf_rank_floats((const int32_t *)r.out + y * r.out_pitch, gf_plane_at(dst, c, io->dst.span.start + y), r.length);
}

static void on_planes(const struct gf_work *work, const struct gf_io *io, const struct gf_rank *rank, struct shape *s,
                      float *source, float *result)
{
    const struct gf_block src = gf_planar_source(work, io,
                                                 gf_span_around(io, rank->radius, rank->radius, rank->border), source);
    const struct gf_block dst = gf_planar_result(io, s->channels, result);

    for (int c = 0; c < s->channels; c++)
        if (c < rank->channels)
            on_plane(io, rank, s, c, &src, &dst);
        else
            for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++)
                memcpy(gf_plane_at(&dst, c, y), gf_plane_at(&src, c, y), (size_t)s->r.length * sizeof(float));
    gf_planar_finish(work, io, &dst);
}

int gf_rank_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_rank *rank = params;
    struct shape s = shape_of(io, rank);
    char *at = work->scratch, *result = at + s.in + s.out + s.work;

    if (work->scratch_bytes < s.in + s.out + s.work + s.source + s.result)
        return gf_fail(err, GF_FAILED, "internal error: rank has too little scratch memory");
    if (s.r.rows <= 0 || s.r.length <= 0)
        return 0;
    s.r.in = at;
    s.r.out = at + s.in;
    s.r.scratch = at + s.in + s.out;
    if (s.packed)
        on_packed(work, io, rank, &s, result);
    else
        on_planes(work, io, rank, &s, (float *)(void *)result, (float *)(void *)(result + s.source));
    return 0;
}

/* ---- the cost ---- */

/* Networks of comparisons up to a radius of 2; then sorted columns, and histograms of bytes from a radius of 5. */
static const struct gf_cost_row median_bytes[] = { { 1, 1.8 }, { 2, 3.6 }, { 3, 53 }, { 4, 81 }, { 5, 169 },
                                                   { 10, 160 }, { 20, 140 }, { 50, 129 }, { 127, 129 } };
static const struct gf_cost_row median_others[] = { { 1, 4 }, { 2, 10 }, { 3, 55 }, { 4, 95 }, { 5, 340 }, { 10, 490 },
                                                    { 20, 790 } };
static const struct gf_cost_row extreme_bytes[] = { { 1, 2.4 }, { 5, 2.9 }, { 20, 4.3 }, { 50, 4.3 } };
static const struct gf_cost_row extreme_others[] = { { 1, 3.3 }, { 3, 4.5 }, { 20, 7 }, { 50, 12 } };

static struct gf_cost rank_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_rank *rank = params;
    const bool bytes = out->type == GF_U8;

    (void)in;
    if (rank->pick != GF_RANK_MIDDLE)
        return (struct gf_cost) { .light = bytes ? GF_COST_LIGHT(extreme_bytes, rank->radius)
                                                 : GF_COST_LIGHT(extreme_others, rank->radius) };
    return (struct gf_cost) { .light = bytes ? GF_COST_LIGHT(median_bytes, rank->radius)
                                             : GF_COST_LIGHT(median_others, rank->radius) };
}

static const struct gf_cost_row gpu_median_bytes[] = { { 1, 1.4 }, { 2, 2.9 }, { 3, 6.6 }, { 4, 32 }, { 10, 62 },
                                                       { 20, 120 }, { 50, 550 } };
static const struct gf_cost_row gpu_median_words[] = { { 1, 1.4 }, { 2, 2.7 }, { 3, 8 }, { 4, 390 }, { 5, 520 },
                                                       { 10, 2200 }, { 20, 8000 } };
static const struct gf_cost_row gpu_median_floats[] = { { 1, 2 }, { 2, 4.8 }, { 3, 40 }, { 4, 1200 }, { 5, 1800 },
                                                        { 10, 6700 }, { 20, 33000 } };
static const struct gf_cost_row gpu_extremes[] = { { 1, 0.5 }, { 2, 1 }, { 7, 3.3 }, { 50, 10 } };

static struct gf_cost rank_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_rank *rank = params;

    (void)in;
    if (rank->pick != GF_RANK_MIDDLE)
        return (struct gf_cost) { .light = GF_COST_LIGHT(gpu_extremes, rank->radius) };
    return (struct gf_cost) { .light = out->type == GF_U8 ? GF_COST_LIGHT(gpu_median_bytes, rank->radius)
                                       : out->type == GF_U16 ? GF_COST_LIGHT(gpu_median_words, rank->radius)
                                                             : GF_COST_LIGHT(gpu_median_floats, rank->radius) };
}

/* Integers are ranked as stored, and converted afterwards for a program or another type. */
static size_t rank_gpu_scratch(const struct gf_io *io, const void *params)
{
    const bool packed = gf_point_is_identity(io->load) && !io->src.planar
                        && (io->src.type == GF_U8 || io->src.type == GF_U16);

    if (!packed)
        return gf_gpu_scratch_planes(io, params);
    return (size_t)(gf_round_up(io->src.width * io->src.channels, 128) * gf_span_units(io->dst.span))
         * gf_type_bytes(io->src.type) + GF_GPU_SCRATCH_SMALL;
}

static bool reach(const void *params, struct gf_reach *reach)
{
    const struct gf_rank *r = params;

    return gf_reach_square(r->radius, r->border, reach);
}

const struct gf_operation gf_op_rank = {
    .word = "rank", .text = "The minimum, maximum or median of the samples around each sample.",
    .params_bytes = sizeof(struct gf_rank),
    .keeps_layout = true, .starts_anew = 1,
    .cpu = { .body = gf_rank_cpu, .reads = GF_READS_INTEGERS, .scratch_bytes = rank_scratch, .cost = rank_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_rank_cuda), .reads = GF_READS_INTEGERS, .scratch_bytes = rank_gpu_scratch,
              .cost = rank_gpu_cost },
    .reach = reach,
};
