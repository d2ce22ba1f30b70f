/* Records of blocks on a CPU, added in the order that all devices use. */
#include "kernels/statistics/reduce.h"

#include "base/clones.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"

#include <math.h>

/* The record of each lane so far. */
struct lanes {
    double min[GF_REDUCE_LANES], max[GF_REDUCE_LANES], sum[GF_REDUCE_LANES], squares[GF_REDUCE_LANES];
    double clipped[GF_REDUCE_LANES], nonfinite[GF_REDUCE_LANES];
};

static void clear(struct lanes *l)
{
    for (int k = 0; k < GF_REDUCE_LANES; k++) {
        l->min[k] = INFINITY;
        l->max[k] = -INFINITY;
        l->sum[k] = l->squares[k] = l->clipped[k] = l->nonfinite[k] = 0.0;
    }
}

/* Adds n samples, where the first one belongs to lane 0. */
GF_CLONES
static void take(struct lanes *restrict l, const float *restrict v, int64_t n, float full)
{
    const float top = full > 0 ? full : INFINITY, bottom = full > 0 ? -1.0f : -INFINITY;

    for (int64_t i = 0; i < n; i += GF_REDUCE_LANES) {
        const int lanes = n - i < GF_REDUCE_LANES ? (int)(n - i) : GF_REDUCE_LANES;

        for (int k = 0; k < lanes; k++) {
            const float f = v[i + k];
            const bool finite = fabsf(f) <= 3.40282347e38f;
            const double d = finite ? (double)f : 0.0, least = finite ? (double)f : INFINITY,
                             most = finite ? (double)f : -INFINITY;

            l->min[k] = least < l->min[k] ? least : l->min[k];
            l->max[k] = most > l->max[k] ? most : l->max[k];
            l->sum[k] += d;
            l->squares[k] += d * d;
            l->clipped[k] += finite && (f >= top || f <= bottom) ? 1.0 : 0.0;
            l->nonfinite[k] += finite ? 0.0 : 1.0;
        }
    }
}

/* Joins the lanes of `count` samples. */
static struct gf_reduced fold(struct lanes *l, int64_t count)
{
    for (int half = GF_REDUCE_LANES / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++) {
            l->min[k] = l->min[k + half] < l->min[k] ? l->min[k + half] : l->min[k];
            l->max[k] = l->max[k + half] > l->max[k] ? l->max[k + half] : l->max[k];
            l->sum[k] += l->sum[k + half];
            l->squares[k] += l->squares[k + half];
            l->clipped[k] += l->clipped[k + half];
            l->nonfinite[k] += l->nonfinite[k + half];
        }
    return (struct gf_reduced) { l->min[0], l->max[0], l->sum[0], l->squares[0], (double)count - l->nonfinite[0],
                                 l->clipped[0], l->nonfinite[0] };
}

/*
 * Records one block with all its channels. Rows of an image with gaps are processed one by one only
 * if a block is a single row, so sample numbers continue without a break.
 */
static void reduce_block(const struct gf_work *work, const struct gf_io *io, const struct gf_reduce *r,
                         struct gf_span block,
                         struct lanes *lanes, char *to, size_t record_bytes)
{
    _Alignas(64) float room[GF_RUN_SAMPLES];
    float *row[GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX];
    const int widest = gf_point_widest_of(io);
    const int64_t most = GF_RUN_SAMPLES / widest / GF_REDUCE_LANES * GF_REDUCE_LANES;
    const int64_t piece = most < GF_RUN_PIXELS ? most : GF_RUN_PIXELS;
    const int64_t length = gf_span_units(block) * io->src.width;

    for (int c = 0; c < r->channels; c++)
        clear(&lanes[c]);
    for (int64_t x = 0, n; x < length; x += n) {
        n = length - x < piece ? length - x : piece;
        for (int c = 0; c < widest; c++)
            row[c] = room + c * piece;
        gf_load_pixels(&io->src, block.start, x, n, row);
        gf_point_run(io->load, work->tables, row, n);
        for (int c = 0; c < r->channels; c++)
            take(&lanes[c], row[c], n, r->full);
    }
    for (int c = 0; c < r->channels; c++)
        *(struct gf_reduced *)(void *)(to + (size_t)c * record_bytes) = fold(&lanes[c], length);
}

int gf_reduce_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_reduce *r = params;
    const size_t record_bytes = r->record_bytes > 0 ? r->record_bytes : sizeof(struct gf_reduced);
    char *to = io->dst.data;
    struct lanes lanes[GF_MAX_CHANNELS];

    if (r->block_units > 1 && !gf_block_is_run(&io->src))
        return gf_fail(err, GF_FAILED, "internal error: reduce needs rows without gaps if a block has several");
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u += r->block_units) {
        const int64_t end = u + r->block_units < io->dst.span.end ? u + r->block_units : io->dst.span.end;

        reduce_block(work, io, r, (struct gf_span) { u, end }, lanes, to, record_bytes);
        to += (size_t)r->channels * record_bytes;
    }
    return 0;
}

static struct gf_records reduce_records(const void *params)
{
    const struct gf_reduce *r = params;

    return (struct gf_records) { r->block_units, r->channels, sizeof(struct gf_reduced), r->keep, r->joined, 0, false };
}

static void join(const void *params, void *all, const void *more)
{
    (void)params;
    gf_reduced_join(all, more);
}

const struct gf_operation gf_op_reduce = {
    .word = "reduce",
    .text = "The minimum, maximum, sum and sum of squares of the samples, and the number of "
            "those that are not finite.",
    .params_bytes = sizeof(struct gf_reduce),
    .cpu = { .body = gf_reduce_cpu, .light = 3.5 },
    .cuda = { .body = GF_CUDA_BODY(gf_reduce_cuda), GF_OP_STORES },
    .records = reduce_records,
    .join = join,
};
