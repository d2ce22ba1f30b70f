/* Rows of the benchmark: what looks at the pixels around, convolutions, means, edges and ranks. */
#include "bench.h"
extern "C" {
#include "kernels/neighbourhood/bilateral.h"
#include "kernels/neighbourhood/box.h"
#include "kernels/neighbourhood/hysteresis.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/rank.h"
#include "kernels/neighbourhood/nonmax.h"
}

static const struct bench_shape u8 = { GF_U8, 1, SIDE, SIDE, false }, rgb = { GF_U8, 3, SIDE, SIDE / 2, false },
                                f32 = { GF_F32, 1, SIDE, SIDE, true };

static struct gf_conv blur_of(int side)
{
    struct gf_conv m = {};

    m.nx = m.ny = side, m.cx = m.cy = side / 2, m.x_at = 0, m.y_at = 200, m.full_at = 400, m.mask_channels = 1;
    return m;
}

void bench_convolutions(void)
{
    const struct gf_conv b5 = blur_of(5), b15 = blur_of(15), b61 = blur_of(61);
    const struct bench_shape sound = { GF_F32, 2, 1, 1 << 24, false };
    struct gf_conv full = blur_of(5), full15 = blur_of(15), fir = blur_of(255);
    auto gauss = [](int side) { return [=](int s) { return peer_gauss(bench_in[s], bench_out[s], SIDE, SIDE, SIDE, side); }; };
    auto filter = [](int side) {
        return [=](int s) { return peer_filter(bench_in[s], bench_out[s], 4 * SIDE, SIDE, SIDE, bench_masks, side); };
    };

    full.full = full15.full = true;
    fir.nx = 0, fir.y_at = 1000, fir.border = GF_ZERO;
    bench_row("blur 5x5 u8", bench_ours(&gf_op_conv, u8, u8, &b5), "NPP FilterGauss_8u_C1R", gauss(5));
    bench_row("blur 15x15 u8", bench_ours(&gf_op_conv, u8, u8, &b15), "NPP FilterGauss_8u_C1R", gauss(15));
    bench_row("blur 61x61 u8", bench_ours(&gf_op_conv, u8, u8, &b61));
    bench_row("blur 15x15 u8 rgb", bench_ours(&gf_op_conv, rgb, rgb, &b15));
    bench_row("blur 15x15 f32", bench_ours(&gf_op_conv, f32, f32, &b15));
    bench_row("mask 5x5 f32", bench_ours(&gf_op_conv, f32, f32, &full), "NPP Filter_32f_C1R", filter(5));
    bench_row("mask 15x15 f32", bench_ours(&gf_op_conv, f32, f32, &full15), "NPP Filter_32f_C1R", filter(15));
    bench_row("fir 255 f32 stereo", bench_ours(&gf_op_conv, sound, sound, &fir));
}

/* A mean along the rows, to planes, and then along the columns. */
static struct bench_run box(int radius)
{
    struct bench_run both = bench_ours(&gf_op_box, u8, u8, NULL);

    both.call = [=](int s) {
        const struct gf_box along = { radius, false, GF_CLAMP }, down = { radius, true, GF_CLAMP };
        const struct gf_block between = bench_image(bench_out[(s + 1) % SETS], f32);

        bench_op(&gf_op_box, bench_image(bench_in[s], u8), between, &along);
        return bench_op(&gf_op_box, between, bench_image(bench_out[s], u8), &down);
    };
    return both;
}

void bench_neighbours(void)
{
    const struct gf_box along = { 20, false, GF_CLAMP };
    struct gf_conv mean = blur_of(5), slope = blur_of(3), steep, sharp = blur_of(7);
    auto mean_of = [](int side) { return [=](int s) { return peer_box(bench_in[s], bench_out[s], SIDE, SIDE, SIDE, side); }; };

    mean.x_at = mean.y_at = MEAN_AT;
    slope.full = true, slope.full_at = SOBEL_AT;
    steep = slope;
    steep.combine = GF_CONV_HYPOT, steep.combined = 1, steep.also_at = SOBEL_AT + 9;
    sharp.combine = GF_CONV_SHARPEN, sharp.combined = 1, sharp.amount = 1;
    bench_row("sobel x u8", bench_ours(&gf_op_conv, u8, u8, &slope), "NPP FilterSobelVert_8u_C1R",
              [](int s) { return peer_sobel(bench_in[s], bench_out[s], SIDE, SIDE, SIDE); });
    bench_row("sobel u8", bench_ours(&gf_op_conv, u8, u8, &steep), "NPP GradientVectorSobel_8u16s",
              [](int s) { return peer_sobel_mag(bench_in[s], bench_out[s], SIDE, SIDE, SIDE); });
    bench_row("sharpen 7x7 u8", bench_ours(&gf_op_conv, u8, u8, &sharp), "NPP FilterUnsharp_8u_C1R",
              [](int s) { return peer_unsharp(bench_in[s], bench_out[s], SIDE, SIDE, SIDE, 3, 1); });
    bench_row("box 5x5 u8", bench_ours(&gf_op_conv, u8, u8, &mean), "NPP FilterBox_8u_C1R", mean_of(5));
    bench_row("box 5x5 u8, sums", box(2));
    bench_row("box 41x41 u8", box(20), "NPP FilterBox_8u_C1R", mean_of(41));
    bench_row("box 41x1 u8", bench_ours(&gf_op_box, u8, u8, &along));
    bench_row("box 401x401 u8", box(200));               /* the peer would take seconds */
}

/*
 * All of canny but what a CPU does between the last two, where pieces of different bands are joined; so the table that it would
 * make is empty. The peer does all of it.
 */
static struct bench_run thin_and_connected(const struct gf_nonmax *thin)
{
    struct bench_run all = bench_ours(&gf_op_nonmax, u8, u8, NULL);

    all.call = [=](int s) {
        const int64_t entries = gf_hysteresis_bands(SIDE) * gf_hysteresis_entries(SIDE);
        const struct gf_hysteresis c = { SIDE, (int64_t)(sizeof bench_tables / sizeof *bench_tables) - entries };
        const struct gf_block edges = bench_image(bench_out[(s + 1) % SETS], f32);
        struct gf_block records = edges;

        records.data = bench_out[(s + 2) % SETS];
        bench_op(&gf_op_nonmax, bench_image(bench_in[s], u8), edges, thin);
        bench_op(&gf_op_seams, edges, records, &c);
        return bench_op(&gf_op_hysteresis, edges, bench_image(bench_out[s], u8), &c);
    };
    return all;
}

/* What keeps edges, and what finds them. */
void bench_edges(void)
{
    struct gf_bilateral b3 = {}, b7, colours, four;
    const struct bench_shape rgba = { GF_U8, 4, SIDE, SIDE / 2, false };
    const struct gf_nonmax thin = { 65535.0 * 65535 / 4, 65535.0 * 65535 };
    auto bilateral = [](int radius, int channels, int rows, const char *name) {
        return [=](int s) { return peer_bilateral(bench_in[s], bench_out[s], channels * SIDE, SIDE, rows, radius, name); };
    };

    b3.radius = 3, b3.channels = 1, b3.border = GF_CLAMP, b3.near_at = NEAR_AT, b3.steep = 72;
    b7 = colours = b3;
    four = b3;
    b7.radius = 7, colours.channels = 3, four.channels = 4;
    bench_row("bilateral 7x7 u8", bench_ours(&gf_op_bilateral, u8, u8, &b3), "NPP FilterBilateralGaussBorder_8u_C1R",
              bilateral(3, 1, SIDE, "nppiFilterBilateralGaussBorder_8u_C1R_Ctx"));
    bench_row("bilateral 15x15 u8", bench_ours(&gf_op_bilateral, u8, u8, &b7), "NPP FilterBilateralGaussBorder_8u_C1R",
              bilateral(7, 1, SIDE, "nppiFilterBilateralGaussBorder_8u_C1R_Ctx"));
    bench_row("bilateral 7x7 u8 rgb", bench_ours(&gf_op_bilateral, rgb, rgb, &colours), "NPP FilterBilateralGaussBorder_8u_C3R",
              bilateral(3, 3, SIDE / 2, "nppiFilterBilateralGaussBorder_8u_C3R_Ctx"));
    bench_row("bilateral 7x7 u8 rgba", bench_ours(&gf_op_bilateral, rgba, rgba, &four));
    bench_row("bilateral 7x7 f32", bench_ours(&gf_op_bilateral, f32, f32, &b3));
    bench_row("edges made thin u8", bench_ours(&gf_op_nonmax, u8, u8, &thin));
    bench_set_tables();
    bench_row("canny u8", thin_and_connected(&thin), "NPP FilterCannyBorder_8u_C1R",
              [](int s) { return peer_canny(bench_in[s], bench_out[s], SIDE, SIDE, SIDE, 128, 255); });
}

void bench_ranks(void)
{
    const struct bench_shape few = { GF_U8, 1, SIDE, SIDE / 8, false }, few16 = { GF_U16, 1, SIDE, SIDE / 8, false },
                             few32 = { GF_F32, 1, SIDE, SIDE / 8, true }, u16 = { GF_U16, 1, SIDE, SIDE, false };
    auto rank = [&](const char *name, enum gf_rank_pick pick, int radius, const struct bench_shape &shape, const char *peer_name = NULL,
                    const bench_call &peer = {}) {
        const struct gf_rank r = { pick, radius, shape.channels, GF_CLAMP };

        bench_row(name, bench_ours(&gf_op_rank, shape, shape, &r), peer_name, peer);
    };
    auto median = [](int side) { return [=](int s) { return peer_median(bench_in[s], bench_out[s], SIDE, SIDE, SIDE, side); }; };
    auto filter = [](int side, const char *name) {
        return [=](int s) { return peer_rank(bench_in[s], bench_out[s], SIDE, SIDE, SIDE, side, name); };
    };

    rank("median 3x3 u8", GF_RANK_MIDDLE, 1, u8, "NPP FilterMedian_8u_C1R", median(3));
    rank("median 5x5 u8", GF_RANK_MIDDLE, 2, u8, "NPP FilterMedian_8u_C1R", median(5));
    rank("median 7x7 u8", GF_RANK_MIDDLE, 3, u8, "NPP FilterMedian_8u_C1R", median(7));
    rank("median 5x5 u8 rgb", GF_RANK_MIDDLE, 2, rgb);
    rank("median 5x5 u16", GF_RANK_MIDDLE, 2, u16);
    rank("median 5x5 f32", GF_RANK_MIDDLE, 2, f32);
    rank("median 9x9 u8", GF_RANK_MIDDLE, 4, u8, "NPP FilterMedian_8u_C1R", median(9));
    rank("median 21x21 u8", GF_RANK_MIDDLE, 10, u8);     /* the peer would take most of a second */
    rank("median 101x101 u8", GF_RANK_MIDDLE, 50, few);
    rank("median 21x21 u16", GF_RANK_MIDDLE, 10, few16);
    rank("median 21x21 f32", GF_RANK_MIDDLE, 10, few32);
    rank("dilate 3x3 u8", GF_RANK_GREATEST, 1, u8, "NPP Dilate3x3_8u_C1R",
         [](int s) { return peer_dilate3(bench_in[s], bench_out[s], SIDE, SIDE, SIDE); });
    rank("dilate 5x5 u8", GF_RANK_GREATEST, 2, u8, "NPP FilterMax_8u_C1R", filter(5, "nppiFilterMax_8u_C1R_Ctx"));
    rank("erode 15x15 u8", GF_RANK_LEAST, 7, u8, "NPP FilterMin_8u_C1R", filter(15, "nppiFilterMin_8u_C1R_Ctx"));
    rank("dilate 101x101 u8", GF_RANK_GREATEST, 50, u8);
    rank("dilate 5x5 u8 rgb", GF_RANK_GREATEST, 2, rgb);
    rank("dilate 5x5 f32", GF_RANK_GREATEST, 2, f32);
}
