/* Calls of operations on pictures. */
#include "bench/bench_cases.h"
#include "bench/bench_params.h"
#include "kernels/base/program_run.h"
#include "kernels/lessons/lesson.h"

#include <math.h>

#define TAPS (2 * GF_LESSON_RADIUS + 1)

static void set_point(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    const struct gf_point_step half = { .kind = GF_POINT_AFFINE, .channels = m->src.channels, .a = 0.5f, .b = 0.25f };

    (void)c;
    gf_point_init(&m->load, m->src.channels);
    m->loads = gf_point_add(&m->load, &half) == 0;
}

static void set_triangle(struct gf_bench_call *m)
{
    float *weights = gf_bench_call_masks(m, TAPS);

    for (int i = 0; weights != NULL && i < TAPS; i++)
        weights[i] = gf_lesson_weight(i);
}

static void set_conv(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    set_triangle(m);
    m->params->conv = (struct gf_conv) { .nx = TAPS, .ny = TAPS, .cx = TAPS / 2, .cy = TAPS / 2, .mask_channels = 1, .border = GF_CLAMP };
}

static void set_stencil(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    set_triangle(m);
    m->params->conv = (struct gf_conv) { .ny = TAPS, .cy = TAPS / 2, .mask_channels = 1, .border = GF_CLAMP };
}

/* By 30 degrees about the middle; where bytes come out, as texture units do it. */
static void set_sample(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS), cosine = sqrt(0.75), x = (double)(m->src.width - 1) / 2,
                 y = (double)(m->src_units - 1) / 2;
    const bool coarse = m->dst.type == GF_U8;

    (void)c;
    m->params->sample = (struct gf_sample) {
        .xx = llrint(cosine * one), .xy = llrint(0.5 * one), .yx = -llrint(0.5 * one), .yy = llrint(cosine * one),
        .cx = llrint((x - x * cosine - y * 0.5) * one), .cy = llrint((y + x * 0.5 - y * cosine) * one),
        .interpolation = GF_LINEAR, .coarse = coarse, .textures = coarse, .use_background = true,
    };
}

static void set_move(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src_units, m->src.width);
    m->params->move = (struct gf_move) { .xy = 1, .yx = 1 };
}

static void set_histogram(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->dst_bytes = (size_t)m->src.channels * GF_LESSON_BINS * sizeof(uint64_t);
    m->params->histogram = (struct gf_histogram) { .bins = GF_LESSON_BINS, .binning = GF_BIN_ROUND, .channels = m->src.channels };
}

static void set_reduce(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->dst_bytes = (size_t)(m->src_units * m->src.channels) * sizeof(struct gf_reduced);
    m->params->reduce = (struct gf_reduce) { .block_units = 1, .channels = m->src.channels };
}

/* Numbers of 64 bits, twice as long as floats are: blocks only say where they lie. */
static void set_scan(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    const int64_t count = m->src.width * m->src_units;

    (void)c;
    m->src_bytes = m->dst_bytes = (size_t)count * sizeof(uint64_t);
    m->moved = 2.0 * (double)m->src_bytes;
    m->state_bytes = gf_scan_state_bytes(count);
    m->params->scan = (struct gf_scan) { .count = count };
}

/* A frame of half as many columns and rows of chroma, to planes. */
static void set_yuv(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    const int64_t width = m->src.width, rows = m->src_units;
    const struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3, .width = width, .units = rows,
                                 .yuv = { .used = 1, .sub_x = 1, .sub_y = 1, .bits = 8, .matrix = 709 } };

    (void)c;
    gf_yuv_make(&m->params->yuv, &f, false);
    m->src_units = width * rows + 2 * gf_chroma_side(width, 1) * gf_chroma_side(rows, 1);
    gf_bench_block_type(&m->src, GF_U8, 1, false);
    m->src_bytes = gf_bench_block_shape(&m->src, 1, m->src_units);
    gf_bench_block_type(&m->dst, GF_F32, 3, true);
    m->dst_bytes = gf_bench_block_shape(&m->dst, width, rows);
}

static void set_pad(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width + 32, m->src_units + 32);
    m->params->pad = (struct gf_pad) { .left = 16, .top = 16, .border = GF_CLAMP };
}

static void set_box(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->box = (struct gf_box) { .radius = 20, .border = GF_CLAMP };
}

static void set_resize(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    const int64_t width = m->src.width, rows = m->src_units;

    (void)c;
    m->dst_bytes = gf_bench_block_shape(&m->dst, (width + 1) / 2, (rows + 1) / 2);
    gf_bench_resize_axis(m, &m->params->resize.x, width, m->dst.width);
    gf_bench_resize_axis(m, &m->params->resize.y, rows, m->dst.span.end);
}

static void set_bilateral(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    const int radius = 3;
    float *near_by = gf_bench_call_masks(m, radius + 1);

    (void)c;
    for (int i = 0; near_by != NULL && i <= radius; i++)
        near_by[i] = -0.25f * (float)(i * i);
    m->params->bilateral = (struct gf_bilateral) { .radius = radius, .channels = m->src.channels, .border = GF_CLAMP, .steep = 72 };
}

/* With itself: each sample that is read twice counts once. */
static void set_blend(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->beside = true;
    m->params->blend = (struct gf_blend) { .mode = GF_BLEND_SCREEN, .colours = m->src.channels,
                                           .beside_colours = m->src.channels, .amount = 0.5f };
}

/* With itself, too; a plane of differences and one of similarities for each channel. */
static void set_ssim(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->beside = true;
    m->params->ssim = (struct gf_ssim) { .channels = m->src.channels, .of = { { 0, 1, 2, 3 }, { 0, 1, 2, 3 } }, .scale = 1 };
    gf_bench_block_type(&m->dst, GF_F32, 2 * m->src.channels, true);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

static void set_table_grid(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    (void)gf_bench_call_tables(m, 8 * 8 * 256);
    m->params->table_grid = (struct gf_table_grid) { .bins = 256, .across = 8, .down = 8, .per_column = 8.0f / (float)m->src.width,
                                                     .per_row = 8.0f / (float)m->src_units, .colours = m->src.channels };
}

static void set_rank(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->rank = (struct gf_rank) { .pick = GF_RANK_MIDDLE, .radius = 1, .channels = m->src.channels, .border = GF_CLAMP };
}

static void set_prefix(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->prefix = (struct gf_prefix) { .along_columns = true, .along_units = true, .colours = m->src.channels };
    m->carry_bytes = (size_t)gf_prefix_carry_bytes(&m->params->prefix, m->src.width);
}

static void set_noise(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->noise = (struct gf_noise) { .seed = gf_noise_mix(1), .channels = m->src.channels, .amplitude = 1.0f / 256 };
}

static void set_vignette(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    m->params->vignette = (struct gf_vignette) { .channels = m->src.channels, .x_scale = 2.0f / (float)m->src.width, .x_from = -1,
                                                 .y_scale = 2.0f / (float)m->src_units, .y_from = -1, .slope = 1, .strength = 0.5f };
}

/* Rows of floats, kept as they are. */
static void set_collect(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    gf_bench_block_type(&m->src, GF_F32, m->src.channels, true);
    m->src_bytes = m->dst_bytes = gf_bench_block_shape(&m->src, m->src.width, m->src_units);
    m->params->collect = (struct gf_collect) { .channels = m->src.channels, .width = m->src.width };
    m->moved = 2.0 * (double)m->src_bytes;
}

/* Of one channel, however many were asked for. */
static void set_gray(struct gf_bench_call *m)
{
    m->src.channels = m->dst.channels = 1;
    m->src_bytes = gf_bench_block_shape(&m->src, m->src.width, m->src_units);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

static void set_nonmax(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    const double one = 65535;

    (void)c;
    set_gray(m);
    m->params->nonmax = (struct gf_nonmax) { .low = one * one / 4, .high = one * one };
}

static void set_seams(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    gf_bench_block_type(&m->src, GF_F32, 1, true);
    set_gray(m);
    m->params->hysteresis = (struct gf_hysteresis) { .width = m->src.width };
    m->dst_bytes = (size_t)(gf_hysteresis_bands(m->src_units) * 2 * m->src.width) * sizeof(uint32_t);
}

/* Nothing reaches another band. */
static void set_hysteresis(struct gf_bench_call *m, const struct gf_bench_case *c)
{
    (void)c;
    set_gray(m);
    m->params->hysteresis = (struct gf_hysteresis) { .width = m->src.width, .table = m->table_count };
    (void)gf_bench_call_tables(m, gf_hysteresis_bands(m->src_units) * gf_hysteresis_entries(m->src.width));
}

const struct gf_bench_case gf_bench_image_cases[] = {
    { .name = "point", .what = "half as light, bytes", .op = &gf_op_point, .set = set_point },
    { .name = "conv", .what = "17 by 17 weights in two directions, bytes", .op = &gf_op_conv, .set = set_conv },
    { .name = "sample", .what = "a turn by 30 degrees, bytes", .op = &gf_op_sample, .set = set_sample },
    { .name = "move", .what = "columns to rows, bytes", .op = &gf_op_move, .set = set_move },
    { .name = "histogram", .what = "256 bins of bytes", .op = &gf_op_histogram, .measures = true, .set = set_histogram },
    { .name = "reduce", .what = "extremes and sums of floats", .op = &gf_op_reduce, .fill = GF_BENCH_FLOATS, .measures = true,
      .set = set_reduce },
    { .name = "scan", .what = "prefix sums of 64 bits", .op = &gf_op_scan, .fill = GF_BENCH_COUNTS, .measures = true, .set = set_scan },
    { .name = "yuv", .what = "a frame of luma and chroma to planes", .op = &gf_op_yuv, .set = set_yuv },
    { .name = "pad", .what = "16 pixels around, bytes", .op = &gf_op_pad, .set = set_pad },
    { .name = "box", .what = "means of 41 along the rows, bytes", .op = &gf_op_box, .set = set_box },
    { .name = "bilateral", .what = "7 by 7 that are alike, bytes", .op = &gf_op_bilateral, .set = set_bilateral },
    { .name = "resize", .what = "half as large with Lanczos, bytes", .op = &gf_op_resize, .set = set_resize },
    { .name = "lattice", .what = "8 by 8 tables, bytes", .op = &gf_op_table_grid, .set = set_table_grid },
    { .name = "rank", .what = "medians of 3 by 3, bytes", .op = &gf_op_rank, .set = set_rank },
    { .name = "prefix", .what = "sums of all above and on the left, bytes to floats", .op = &gf_op_prefix, .floats_out = true,
      .set = set_prefix },
    { .name = "noise", .what = "noise on bytes", .op = &gf_op_noise, .set = set_noise },
    { .name = "vignette", .what = "darker towards the corners, bytes", .op = &gf_op_vignette, .set = set_vignette },
    { .name = "blend", .what = "half of a screen of itself, bytes", .op = &gf_op_blend, .set = set_blend },
    { .name = "similar", .what = "differences and similarities to itself, bytes", .op = &gf_op_ssim, .set = set_ssim },
    { .name = "thin", .what = "edges made thin, bytes", .op = &gf_op_nonmax, .set = set_nonmax },
    { .name = "seams", .what = "connected pieces in bands of 64 rows, floats", .op = &gf_op_seams, .fill = GF_BENCH_FLOATS,
      .measures = true, .set = set_seams },
    { .name = "connect", .what = "those of them that are strong, bytes", .op = &gf_op_hysteresis,
      .set = set_hysteresis },
    { .name = "collect", .what = "rows of floats kept", .op = &gf_op_collect, .fill = GF_BENCH_FLOATS, .measures = true,
      .set = set_collect },
    { .name = "stencil", .what = "17 weights along a line of floats", .op = &gf_op_conv, .fill = GF_BENCH_FLOATS, .sound = true,
      .set = set_stencil },
    { .name = NULL },
};
