/* Rows of the benchmark: what counts and sums. */
#include <stdio.h>

#include "bench.h"
extern "C" {
#include "kernels/statistics/histogram.h"
#include "kernels/pixel/table_grid.h"
#include "kernels/statistics/prefix.h"
#include "kernels/statistics/reduce.h"
#include "kernels/statistics/scan.h"
}

static const struct bench_shape u8 = { GF_U8, 1, SIDE, SIDE, false }, f32 = { GF_F32, 1, SIDE, SIDE, false };

/* A measure, which writes but a few numbers to where `to` says. */
static struct bench_run measure(const struct gf_operation *op, const struct bench_shape &shape, const void *params,
                                const std::function<void *(int)> &to)
{
    const struct bench_run both = bench_ours(op, shape, shape, params);

    return { [=](int s) {
                 struct gf_block src = bench_image(bench_in[s], shape), dst = src;

                 dst.data = to(s);
                 return bench_op(op, src, dst, params);
             },
             both.size, both.bytes / 2 };
}

static void *counts_of(int)
{
    return bench_counts;
}

void bench_histograms(const char *fill)
{
    const int64_t n = (int64_t)SIDE * SIDE;
    const struct gf_histogram h8 = { 256, GF_BIN_ROUND, 1, 0, 0, 0 }, h16 = { 65536, GF_BIN_ROUND, 1, 0, 0, 0 },
                              h24 = { 256, GF_BIN_ROUND, 3, 0, 0, 0 };
    const struct bench_shape rgb = { GF_U8, 3, SIDE, SIDE, false }, u16 = { GF_U16, 1, SIDE, SIDE, false };
    const struct bench_run bytes = measure(&gf_op_histogram, u8, &h8, counts_of);
    char name[80];

    snprintf(name, sizeof name, "histogram u8, %s", fill);
    bench_row(name, bytes, "CUB HistogramEven", [=](int s) { return peer_cub_histogram_u8(bench_in[s], n, bench_counts); });
    bench_row(name, bytes, "NPP HistogramEven_8u_C1R", [](int s) { return peer_npp_histogram(bench_in[s], SIDE, SIDE, bench_counts); });
    snprintf(name, sizeof name, "histogram u8 rgb, %s", fill);
    bench_row(name, measure(&gf_op_histogram, rgb, &h24, counts_of));
    snprintf(name, sizeof name, "histogram u16, 65536 bins, %s", fill);
    bench_row(name, measure(&gf_op_histogram, u16, &h16, counts_of), "CUB HistogramEven",
              [=](int s) { return peer_cub_histogram_u16(bench_in[s], n, bench_counts); });
}

/* Adaptive equalization's tables, prefix sums. */
void bench_sums(void)
{
    const struct gf_table_grid lattice = { 0, 256, 8, 8, 8.0f / SIDE, 8.0f / SIDE, 1 };
    const struct gf_prefix sums = { true, true, 1 }, along = { true, false, 1 }, colours = { true, true, 3 };
    const int rows = SIDE / 2;
    const struct bench_shape to = { GF_F32, 1, SIDE, rows, false }, to3 = { GF_F32, 3, SIDE, rows / 2, false };

    bench_set_tables();
    bench_row("clahe's tables u8", bench_ours(&gf_op_table_grid, u8, u8, &lattice));
    bench_row("integral u8 to f32", bench_ours(&gf_op_prefix, { GF_U8, 1, SIDE, rows, false }, to, &sums), "NPP Integral_8u32s_C1R",
              [=](int s) { return peer_integral(bench_in[s], bench_out[s], SIDE, rows); });
    bench_row("cumsum along x u8 to f32", bench_ours(&gf_op_prefix, { GF_U8, 1, SIDE, rows, false }, to, &along));
    bench_row("integral u8 rgb to f32", bench_ours(&gf_op_prefix, { GF_U8, 3, SIDE, rows / 2, false }, to3, &colours));
    bench_row("integral u16 to f32", bench_ours(&gf_op_prefix, { GF_U16, 1, SIDE, rows, false }, to, &sums));
    bench_row("integral f32", bench_ours(&gf_op_prefix, to, to, &sums));
}

/* What reads floats between 0 and 1. */
void bench_floats(void)
{
    const int64_t n = (int64_t)SIDE * SIDE;
    const struct gf_histogram h8 = { 256, GF_BIN_ROUND, 1, 0, 0, 0 };
    const struct gf_scan scan = { n / 2, bench_state };
    const struct bench_shape values = { GF_F64, 1, SIDE, SIDE / 2, false };
    struct bench_run scanned = bench_ours(&gf_op_scan, values, values, &scan), reduced;
    struct gf_reduce r = {};

    r.block_units = 1;
    r.channels = 1;
    reduced = measure(&gf_op_reduce, f32, &r, [](int s) { return (void *)bench_out[s]; });
    scanned.size = "32M values";
    bench_row("histogram f32, 256 bins", measure(&gf_op_histogram, f32, &h8, counts_of));
    bench_row("reduce f32", reduced, "CUB Reduce, same record", [=](int s) { return peer_cub_records(bench_in[s], bench_out[s], n); });
    bench_row("reduce f32", reduced, "CUB Sum of floats alone", [=](int s) { return peer_cub_sum(bench_in[s], bench_out[s], n); });
    bench_row("scan u64", scanned, "CUB InclusiveSum", [=](int s) { return peer_cub_scan(bench_in[s], bench_out[s], n / 2); });
}
