/* Other calls of operations, which other kernels answer: other masks, directions, squares, sizes. */
#include "bench/bench_cases.h"
#include "bench/bench_params.h"
#include "kernels/base/program_run.h"

#include <string.h>

static struct gf_conv *mask_of(struct gf_bench_call *m, int nx, int ny, bool full)
{
    const int64_t count = full ? nx * ny : nx + ny;
    float *weights = gf_bench_call_masks(m, count);

    for (int64_t i = 0; weights != NULL && i < count; i++)
        weights[i] = full ? 1.0f / (float)count : 1.0f / (float)(i < nx ? nx : ny);
    m->params->conv = (struct gf_conv) { .nx = nx, .ny = ny, .cx = nx / 2, .cy = ny / 2, .y_at = full ? 0 : nx, .full = full,
                                         .mask_channels = 1, .border = GF_CLAMP };
    return &m->params->conv;
}

/* The slope along the columns: whole numbers. */
static void set_slope(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    static const float slope[] = { -1, 0, 1, -2, 0, 2, -1, 0, 1 };

    (void)c;
    mask_of(m, 3, 3, true);
    if (m->masks != NULL)
        memcpy(m->masks, slope, sizeof slope);
}

static void set_near(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    mask_of(m, 3, 3, true);
}

static void set_full(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    mask_of(m, 15, 15, true);
}

static void set_five(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    mask_of(m, 5, 5, false);
}

static void set_large(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    mask_of(m, 0, 301, false);
}

static void set_gray(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    struct gf_point_step s = { .kind = GF_POINT_MATRIX, .channels = m->src.channels, .outs = 1 };

    (void)c;
    for (int i = 0; i < s.channels; i++)
        s.m[0][i] = 1.0f / (float)s.channels;
    gf_point_init(&m->load, s.channels);
    m->loads = gf_point_add(&m->load, &s) == 0;
    m->dst.channels = 1;
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

static void set_turn(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    const int64_t one = INT64_C(1) << GF_SAMPLE_ONE_BITS;

    (void)c;
    m->params->sample = (struct gf_sample) { .xx = one - one / 8, .xy = one / 2, .yx = -one / 2, .yy = one - one / 8,
                                             .interpolation = GF_CUBIC, .use_background = true };
}

static void set_flip(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->move = (struct gf_move) { .xx = 1, .yy = -1, .cy = m->src_units - 1 };
}

static void set_flop(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->move = (struct gf_move) { .xx = -1, .yy = 1, .cx = m->src.width - 1 };
}

static void set_many_bins(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->histogram = (struct gf_histogram) { .bins = GF_HISTOGRAM_MAX_BINS, .binning = GF_BIN_FLOOR, .channels = m->src.channels };
    m->dst_bytes = (size_t)m->src.channels * GF_HISTOGRAM_MAX_BINS * sizeof(uint64_t);
}

static void set_box_down(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->box = (struct gf_box) { .radius = 20, .along_units = true, .border = GF_CLAMP };
}

static void set_doubled(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->dst_bytes = gf_bench_block_shape(&m->dst, 2 * m->src.width, 2 * m->src_units);
    gf_bench_resize_axis(m, &m->params->resize.x, m->src.width, m->dst.width);
    gf_bench_resize_axis(m, &m->params->resize.y, m->src_units, m->dst.span.end);
}

static void set_rank(struct gf_bench_call *m, enum gf_rank_pick pick, int radius)
{
    m->params->rank = (struct gf_rank) { .pick = pick, .radius = radius, .channels = m->src.channels, .border = GF_CLAMP };
}

static void set_five_ranked(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    set_rank(m, GF_RANK_MIDDLE, 2);
}

static void set_many_ranked(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    set_rank(m, GF_RANK_MIDDLE, 10);
}

static void set_greatest(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    set_rank(m, GF_RANK_GREATEST, 5);
}

const struct gf_bench_case gf_bench_variant_cases[] = {
    { .name = "point", .op = &gf_op_point, .set = set_gray },
    { .name = "conv", .op = &gf_op_conv, .set = set_slope },
    { .name = "conv", .op = &gf_op_conv, .set = set_near },
    { .name = "conv", .op = &gf_op_conv, .set = set_five },
    { .name = "conv", .op = &gf_op_conv, .set = set_full },
    { .name = "conv", .op = &gf_op_conv, .set = set_large },
    { .name = "sample", .op = &gf_op_sample, .set = set_turn },
    { .name = "move", .op = &gf_op_move, .set = set_flip },
    { .name = "move", .op = &gf_op_move, .set = set_flop },
    { .name = "histogram", .op = &gf_op_histogram, .measures = true, .set = set_many_bins },
    { .name = "box", .op = &gf_op_box, .set = set_box_down },
    { .name = "resize", .op = &gf_op_resize, .set = set_doubled },
    { .name = "rank", .op = &gf_op_rank, .set = set_five_ranked },
    { .name = "rank", .op = &gf_op_rank, .set = set_many_ranked },
    { .name = "rank", .op = &gf_op_rank, .set = set_greatest },
    { .name = NULL },
};
