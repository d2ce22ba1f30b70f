/*
 * Times every operation on a GPU beside its peers: bench [NAME]. The median of REPEATS
 * calls by events, warm, over input sets that together are larger than the second cache.
 */
#include <algorithm>
#include <functional>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

extern "C" {
#include "box.h"
#include "conv.h"
#include "device.h"
#include "histogram.h"
#include "lattice.h"
#include "move.h"
#include "pad.h"
#include "prefix.h"
#include "rank.h"
#include "reduce.h"
#include "resize.h"
#include "sample.h"
#include "scan.h"
}
#include "peer.h"

#define SETS 4
#define REPEATS 25
#define SIDE 8192
#define SET_BYTES ((size_t)SIDE * SIDE * 4)

#define MEAN_AT 2000                     /* masks: a mean of five; sobel along x, and along y */
#define SOBEL_AT 2100

static const int sobel[18] = { -1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1 };
static struct gf_device gpu;
static struct gf_work work;
static cudaStream_t stream;
static char *in[SETS], *out[SETS];
static void *counts, *state;
static double copy_rate;
static float *device_mask;

static void must(int result, const struct gf_error *err)
{
    if (result == 0)
        return;
    fprintf(stderr, "bench: %s\n", err->text);
    exit(1);
}

/* Median seconds of a call on each set in turn; less than 0 where there is no such call. */
static double timed(const std::function<int(int)> &call)
{
    std::vector<float> times;
    cudaEvent_t start, end;

    cudaEventCreate(&start), cudaEventCreate(&end);
    for (int i = 0; i < REPEATS + 5; i++) {
        float ms = 0;

        cudaEventRecord(start, stream);
        if (call(i % SETS) != 0)
            return -1;
        cudaEventRecord(end, stream);
        if (cudaEventSynchronize(end) != cudaSuccess) {
            fprintf(stderr, "bench: %s\n", cudaGetErrorString(cudaGetLastError()));
            exit(1);
        }
        cudaEventElapsedTime(&ms, start, end);
        if (i >= 5)
            times.push_back(ms);
    }
    cudaEventDestroy(start), cudaEventDestroy(end);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2] * 1e-3;
}

static const char *only;

static void row(const char *name, const char *size, double bytes, const std::function<int(int)> &ours, const char *peer_name,
                const std::function<int(int)> &peer)
{
    char best[40] = "-", ratio[40] = "-";
    double a, b;

    if (only != NULL && strstr(name, only) == NULL)
        return;
    a = timed(ours);
    b = peer_name ? timed(peer) : -1;
    if (b > 0) {
        snprintf(best, sizeof best, "%.1f", b * 1e6);
        snprintf(ratio, sizeof ratio, "%.2f", b / a);
    }
    printf("| %s | %s | %.1f | %.1f | %.0f | %.0f %% | %s | %s | %s |\n", name, size, a * 1e6, bytes * 1e-6, bytes / a * 1e-9,
           100 * bytes / a / copy_rate, peer_name ? peer_name : "-", best, ratio);
    fflush(stdout);
}

static struct gf_block image(void *data, enum gf_type type, int channels, int64_t width, int64_t rows, bool planar = false)
{
    struct gf_block b;

    memset(&b, 0, sizeof b);
    b.data = data;
    b.span.end = rows;
    b.width = width;
    b.pitch_samples = width * (planar ? 1 : channels);
    b.plane_samples = planar ? width * rows : 0;
    b.channels = channels;
    b.planar = planar;
    b.type = planar ? GF_F32 : type;
    b.bits = 8 * (int)gf_type_bytes(type);
    b.maxval = type == GF_U16 ? 65535 : type == GF_U8 ? 255 : 1;
    return b;
}

static int call(enum gf_op op, struct gf_block src, struct gf_block dst, const void *params, const struct gf_point *load = NULL)
{
    struct gf_io io;
    struct gf_error err;

    memset(&io, 0, sizeof io);
    io.src = src;
    io.dst = dst;
    io.load = load;
    io.src_units = src.span.end;
    must(gf_ops_cuda[op](&work, &io, params, &err), &err);
    return 0;
}

static struct gf_point program(int channels, struct gf_point_step s)
{
    struct gf_point p;

    gf_point_init(&p, channels);
    if (gf_point_add(&p, &s) != 0)
        exit(1);
    return p;
}

static struct gf_point gray_program(void)
{
    struct gf_point_step s = {};

    s.kind = GF_POINT_MATRIX, s.channels = 3, s.outs = 1;
    s.m[0][0] = .299f, s.m[0][1] = .587f, s.m[0][2] = .114f;
    return program(3, s);
}

static struct gf_point one_program(enum gf_point_kind kind, int channels)
{
    struct gf_point_step s = {};

    s.kind = kind, s.channels = channels, s.outs = channels, s.a = 0.7f;
    return program(channels, s);
}

static void points(void)
{
    const struct gf_point gray = gray_program(), gain = one_program(GF_POINT_AFFINE, 1), gamma = one_program(GF_POINT_POWER, 1);
    const struct gf_point gain3 = one_program(GF_POINT_AFFINE, 3);
    const int64_t n = (int64_t)SIDE * SIDE;

    row("gray u8 rgb to u8", "8192x8192", 4.0 * n,
        [&](int s) { return call(GF_OP_POINT, image(in[s], GF_U8, 3, SIDE, SIDE), image(out[s], GF_U8, 1, SIDE, SIDE), NULL, &gray); },
        "NPP RGBToGray_8u_C3C1R", [&](int s) { return peer_gray(in[s], 3 * SIDE, out[s], SIDE, SIDE, SIDE); });
    row("gain u8", "8192x8192", 2.0 * n,
        [&](int s) { return call(GF_OP_POINT, image(in[s], GF_U8, 1, SIDE, SIDE), image(out[s], GF_U8, 1, SIDE, SIDE), NULL, &gain); }, NULL, {});
    row("gain u16 rgb", "8192x4096", 6.0 * n,
        [&](int s) { return call(GF_OP_POINT, image(in[s], GF_U16, 3, SIDE, SIDE / 2), image(out[s], GF_U16, 3, SIDE, SIDE / 2), NULL, &gain3); }, NULL, {});
    row("gain f32", "8192x8192", 8.0 * n,
        [&](int s) { return call(GF_OP_POINT, image(in[s], GF_F32, 1, SIDE, SIDE), image(out[s], GF_F32, 1, SIDE, SIDE), NULL, &gain); },
        "NPP MulC_32f_C1R", [&](int s) { return peer_scale(in[s], out[s], 4 * SIDE, SIDE, SIDE); });
    row("gamma f32", "8192x8192", 8.0 * n,
        [&](int s) { return call(GF_OP_POINT, image(in[s], GF_F32, 1, SIDE, SIDE), image(out[s], GF_F32, 1, SIDE, SIDE), NULL, &gamma); }, NULL, {});
    row("u8 rgb to planes", "8192x2048", 3.75 * n,
        [&](int s) { return call(GF_OP_POINT, image(in[s], GF_U8, 3, SIDE, SIDE / 4), image(out[s], GF_F32, 3, SIDE, SIDE / 4, true), NULL); }, NULL, {});
    row("planes to u8 rgb", "8192x2048", 3.75 * n,
        [&](int s) { return call(GF_OP_POINT, image(in[s], GF_F32, 3, SIDE, SIDE / 4, true), image(out[s], GF_U8, 3, SIDE, SIDE / 4), NULL); }, NULL, {});
}

static struct gf_conv blur_of(int side)
{
    struct gf_conv m = {};

    m.nx = m.ny = side, m.cx = m.cy = side / 2, m.x_at = 0, m.y_at = 200, m.full_at = 400, m.mask_channels = 1;
    return m;
}

static void convolutions(void)
{
    const int64_t n = (int64_t)SIDE * SIDE;
    const struct gf_conv b5 = blur_of(5), b15 = blur_of(15), b61 = blur_of(61);
    struct gf_conv full = blur_of(5), full15 = blur_of(15), fir = blur_of(255);

    full.full = full15.full = true;
    fir.nx = 0, fir.y_at = 1000, fir.border = GF_ZERO;
    auto u8 = [&](const struct gf_conv *m) { return [=](int s) { return call(GF_OP_CONV, image(in[s], GF_U8, 1, SIDE, SIDE), image(out[s], GF_U8, 1, SIDE, SIDE), m); }; };
    auto f32 = [&](const struct gf_conv *m) { return [=](int s) { return call(GF_OP_CONV, image(in[s], GF_F32, 1, SIDE, SIDE, true), image(out[s], GF_F32, 1, SIDE, SIDE, true), m); }; };
    row("blur 5x5 u8", "8192x8192", 2.0 * n, u8(&b5), "NPP FilterGauss_8u_C1R", [&](int s) { return peer_gauss(in[s], out[s], SIDE, SIDE, SIDE, 5); });
    row("blur 15x15 u8", "8192x8192", 2.0 * n, u8(&b15), "NPP FilterGauss_8u_C1R", [&](int s) { return peer_gauss(in[s], out[s], SIDE, SIDE, SIDE, 15); });
    row("blur 61x61 u8", "8192x8192", 2.0 * n, u8(&b61), NULL, {});
    row("blur 15x15 u8 rgb", "8192x4096", 3.0 * n,
        [&](int s) { return call(GF_OP_CONV, image(in[s], GF_U8, 3, SIDE, SIDE / 2), image(out[s], GF_U8, 3, SIDE, SIDE / 2), &b15); }, NULL, {});
    row("blur 15x15 f32", "8192x8192", 8.0 * n, f32(&b15), NULL, {});
    row("mask 5x5 f32", "8192x8192", 8.0 * n, f32(&full), "NPP Filter_32f_C1R", [&](int s) { return peer_filter(in[s], out[s], 4 * SIDE, SIDE, SIDE, device_mask, 5); });
    row("mask 15x15 f32", "8192x8192", 8.0 * n, f32(&full15), "NPP Filter_32f_C1R", [&](int s) { return peer_filter(in[s], out[s], 4 * SIDE, SIDE, SIDE, device_mask, 15); });
    row("fir 255 f32 stereo", "16M frames", 16.0 * (1 << 24),
        [&](int s) { return call(GF_OP_CONV, image(in[s], GF_F32, 2, 1, 1 << 24), image(out[s], GF_F32, 2, 1, 1 << 24), &fir); }, NULL, {});
}

/* A mean along the rows, to planes, and then along the columns. */
static int box(int s, int radius)
{
    const struct gf_box along = { radius, false, GF_CLAMP }, down = { radius, true, GF_CLAMP };
    const struct gf_block between = image(out[(s + 1) % SETS], GF_F32, 1, SIDE, SIDE, true);

    call(GF_OP_BOX, image(in[s], GF_U8, 1, SIDE, SIDE), between, &along);
    return call(GF_OP_BOX, between, image(out[s], GF_U8, 1, SIDE, SIDE), &down);
}

static void neighbours(void)
{
    const int64_t n = (int64_t)SIDE * SIDE;
    struct gf_conv mean = blur_of(5), slope = blur_of(3), steep, sharp = blur_of(7);

    mean.x_at = mean.y_at = MEAN_AT;
    slope.full = true, slope.full_at = SOBEL_AT;
    steep = slope;
    steep.combine = GF_CONV_HYPOT, steep.combined = 1, steep.also_at = SOBEL_AT + 9;
    sharp.combine = GF_CONV_SHARPEN, sharp.combined = 1, sharp.amount = 1;
    auto u8 = [&](const struct gf_conv *m) { return [=](int s) { return call(GF_OP_CONV, image(in[s], GF_U8, 1, SIDE, SIDE), image(out[s], GF_U8, 1, SIDE, SIDE), m); }; };
    row("sobel x u8", "8192x8192", 2.0 * n, u8(&slope), "NPP FilterSobelVert_8u_C1R", [&](int s) { return peer_sobel(in[s], out[s], SIDE, SIDE, SIDE); });
    row("sobel u8", "8192x8192", 2.0 * n, u8(&steep), "NPP GradientVectorSobel_8u16s", [&](int s) { return peer_sobel_mag(in[s], out[s], SIDE, SIDE, SIDE); });
    row("sharpen 7x7 u8", "8192x8192", 2.0 * n, u8(&sharp), "NPP FilterUnsharp_8u_C1R", [&](int s) { return peer_unsharp(in[s], out[s], SIDE, SIDE, SIDE, 3, 1); });
    row("box 5x5 u8", "8192x8192", 2.0 * n, u8(&mean), "NPP FilterBox_8u_C1R", [&](int s) { return peer_box(in[s], out[s], SIDE, SIDE, SIDE, 5); });
    row("box 5x5 u8, sums", "8192x8192", 2.0 * n, [](int s) { return box(s, 2); }, NULL, {});
    row("box 41x41 u8", "8192x8192", 2.0 * n, [](int s) { return box(s, 20); }, "NPP FilterBox_8u_C1R", [&](int s) { return peer_box(in[s], out[s], SIDE, SIDE, SIDE, 41); });
    row("box 401x401 u8", "8192x8192", 2.0 * n, [](int s) { return box(s, 200); }, NULL, {});        /* the peer would take seconds */
}

static struct gf_sample turn_of(double degrees, bool coarse)
{
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS), a = degrees * M_PI / 180, c = (SIDE - 1) / 2.0;
    struct gf_sample s = {};

    s.xx = (int64_t)(cos(a) * one), s.xy = (int64_t)(sin(a) * one), s.yx = -s.xy, s.yy = s.xx;
    s.cx = (int64_t)((c - c * cos(a) - c * sin(a)) * one), s.cy = (int64_t)((c + c * sin(a) - c * cos(a)) * one);
    s.interpolation = GF_LINEAR, s.coarse = s.textures = coarse, s.use_background = true;
    return s;
}

static void geometry(void)
{
    const int64_t n = (int64_t)SIDE * SIDE;
    const struct gf_sample fine = turn_of(30, false), coarse = turn_of(30, true);
    const struct gf_point linear = one_program(GF_POINT_LINEAR, 3);
    struct gf_sample cubic = fine;
    const struct gf_move flip = { 1, 0, 0, -1, 0, SIDE - 1 }, flop = { -1, 0, 0, 1, SIDE - 1, 0 }, transpose = { 0, 1, 1, 0, 0, 0 };

    cubic.interpolation = GF_CUBIC;
    auto u8 = [&](enum gf_op op, const void *m) { return [=](int s) { return call(op, image(in[s], GF_U8, 1, SIDE, SIDE), image(out[s], GF_U8, 1, SIDE, SIDE), m); }; };
    auto f32 = [&](enum gf_op op, const void *m) { return [=](int s) { return call(op, image(in[s], GF_F32, 1, SIDE, SIDE, true), image(out[s], GF_F32, 1, SIDE, SIDE, true), m); }; };
    auto turn = [&](const char *name, int channels, bool planar, const struct gf_sample *m, const char *peer, const char *call_name) {
        const bool exact = m == &fine;
        const int64_t rows = channels > 2 ? SIDE / 2 : SIDE;
        row(name, rows == SIDE ? "8192x8192" : "8192x4096", (planar ? exact ? 8.0 : 5.0 : 2.0) * channels * SIDE * rows,
            [=](int s) { return call(GF_OP_SAMPLE, image(in[s], GF_U8, channels, SIDE, rows, planar), image(out[s], GF_U8, channels, SIDE, rows, exact), m); },
            peer, [=](int s) { return peer_rotate(in[s], out[s], SIDE * channels * (exact ? 4 : 1), SIDE, (int)rows, 30, call_name); });
    };
    turn("rotate 30 u8", 1, false, &coarse, "NPP Rotate_8u_C1R", "nppiRotate_8u_C1R_Ctx");
    turn("rotate 30 u8 grey and alpha", 2, false, &coarse, NULL, "");
    turn("rotate 30 u8 rgb", 3, false, &coarse, "NPP Rotate_8u_C3R", "nppiRotate_8u_C3R_Ctx");
    turn("rotate 30 u8 rgba", 4, false, &coarse, "NPP Rotate_8u_C4R", "nppiRotate_8u_C4R_Ctx");
    row("rotate 30 u8 rgb in linear light", "8192x4096", 3.0 * n,
        [&](int s) { return call(GF_OP_SAMPLE, image(in[s], GF_U8, 3, SIDE, SIDE / 2), image(out[s], GF_U8, 3, SIDE, SIDE / 2), &coarse, &linear); }, NULL, {});
    turn("rotate 30 f32", 1, true, &fine, "NPP Rotate_32f_C1R", "nppiRotate_32f_C1R_Ctx");
    row("rotate 30 cubic f32", "8192x8192", 8.0 * n, f32(GF_OP_SAMPLE, &cubic), NULL, {});
    row("flip u8", "8192x8192", 2.0 * n, u8(GF_OP_MOVE, &flip), "NPP Mirror_8u_C1R", [&](int s) { return peer_mirror(in[s], out[s], SIDE, SIDE, SIDE, 0); });
    row("flop u8", "8192x8192", 2.0 * n, u8(GF_OP_MOVE, &flop), "NPP Mirror_8u_C1R", [&](int s) { return peer_mirror(in[s], out[s], SIDE, SIDE, SIDE, 1); });
    row("transpose u8", "8192x8192", 2.0 * n, u8(GF_OP_MOVE, &transpose), "NPP Transpose_8u_C1R", [&](int s) { return peer_transpose(in[s], out[s], SIDE, SIDE, SIDE); });
    row("transpose f32", "8192x8192", 8.0 * n, f32(GF_OP_MOVE, &transpose), NULL, {});
    row("transpose u8 rgb", "8192x4096", 3.0 * n,
        [&](int s) { return call(GF_OP_MOVE, image(in[s], GF_U8, 3, SIDE, SIDE / 2), image(out[s], GF_U8, 3, SIDE / 2, SIDE), &transpose); }, NULL, {});
}

static float tables[1 << 20];           /* what resizing needs, all rows together */

/* One direction of a change of size, behind the last one in the pool. */
static struct gf_resize_axis axis_of(enum gf_resize_filter filter, int64_t in, int64_t out)
{
    static int64_t used;
    struct gf_resize_axis a = { used, in, out, gf_resize_taps(filter, in, out) };

    gf_resize_fill(&a, filter, tables + used);
    used += out * gf_resize_stride(&a);
    return a;
}

/* The pool is set again, so no other row may come behind these that wants another. */
static void sizes(void)
{
    static const struct { const char *word; enum gf_resize_filter filter; int npp; const char *peer; } rows[] = {
        { "lanczos", GF_RESIZE_LANCZOS, 16, "NPP LANCZOS, not widened" }, { "cubic", GF_RESIZE_CUBIC, 4, "NPP CUBIC, not widened" },
        { "linear", GF_RESIZE_LINEAR, 2, "NPP LINEAR, not widened" }, { "area", GF_RESIZE_AREA, 8, "NPP SUPER" },
    };
    const struct gf_pools pools = { NULL, tables, 0, sizeof tables / sizeof *tables };
    struct gf_resize half[4], larger[4];
    struct gf_error err;
    const int w = SIDE, h = SIDE / 2;
    char name[80];

    for (int i = 0; i < 4; i++) {
        half[i].x = axis_of(rows[i].filter, w, w / 2), half[i].y = axis_of(rows[i].filter, h, h / 2);
        larger[i].x = axis_of(rows[i].filter, w / 2, w), larger[i].y = axis_of(rows[i].filter, h / 2, h);
    }
    must(gpu.kind->set_pools(&gpu, &pools, &err), &err);
    work = gpu.kind->work(&gpu);
    auto size = [&](const char *what, int channels, enum gf_type type, int from, int to, const struct gf_resize *r, int i, const char *npp_name) {
        const int bytes = channels * (int)gf_type_bytes(type);
        snprintf(name, sizeof name, "resize %s %s", rows[i].word, what);
        row(name, from == w ? "8192x4096 to 4096x2048" : "4096x2048 to 8192x4096", (double)bytes * w * h * 1.25,
            [=](int s) { return call(GF_OP_RESIZE, image(in[s], type, channels, from, from / 2), image(out[s], type, channels, to, to / 2), r); },
            from < to && i == 3 ? NULL : rows[i].peer,
            [=](int s) { return peer_resize(in[s], out[s], from, from / 2, to, to / 2, rows[i].npp, npp_name, bytes); });
    };
    for (int i = 0; i < 4; i++) {
        size("u8 rgb", 3, GF_U8, w, w / 2, &half[i], i, "nppiResize_8u_C3R_Ctx");
        size("u8", 1, GF_U8, w, w / 2, &half[i], i, "nppiResize_8u_C1R_Ctx");
        size("u8 rgb", 3, GF_U8, w / 2, w, &larger[i], i, "nppiResize_8u_C3R_Ctx");
    }
    size("f32", 1, GF_F32, w, w / 2, &half[0], 0, "nppiResize_32f_C1R_Ctx");
    size("u16 rgb", 3, GF_U16, w, w / 2, &half[0], 0, "nppiResize_16u_C3R_Ctx");
}

static void ranks(void)
{
    auto rank = [&](const char *name, enum gf_rank_pick pick, int radius, enum gf_type type, int channels, int64_t rows,
                    const char *peer_name, const std::function<int(int)> &peer) {
        const bool planar = type == GF_F32;
        const struct gf_rank r = { pick, radius, channels, GF_CLAMP };

        row(name, rows == SIDE ? "8192x8192" : rows == SIDE / 2 ? "8192x4096" : "8192x1024",
            2.0 * (double)gf_type_bytes(type) * channels * SIDE * (double)rows,
            [=](int s) {
                return call(GF_OP_RANK, image(in[s], type, channels, SIDE, rows, planar), image(out[s], type, channels, SIDE, rows, planar), &r);
            },
            peer_name, peer);
    };
    auto median = [&](int side) { return [=](int s) { return peer_median(in[s], out[s], SIDE, SIDE, SIDE, side); }; };
    auto filter = [&](int side, const char *name) { return [=](int s) { return peer_rank(in[s], out[s], SIDE, SIDE, SIDE, side, name); }; };

    rank("median 3x3 u8", GF_RANK_MIDDLE, 1, GF_U8, 1, SIDE, "NPP FilterMedian_8u_C1R", median(3));
    rank("median 5x5 u8", GF_RANK_MIDDLE, 2, GF_U8, 1, SIDE, "NPP FilterMedian_8u_C1R", median(5));
    rank("median 7x7 u8", GF_RANK_MIDDLE, 3, GF_U8, 1, SIDE, "NPP FilterMedian_8u_C1R", median(7));
    rank("median 5x5 u8 rgb", GF_RANK_MIDDLE, 2, GF_U8, 3, SIDE / 2, NULL, {});
    rank("median 5x5 u16", GF_RANK_MIDDLE, 2, GF_U16, 1, SIDE, NULL, {});
    rank("median 5x5 f32", GF_RANK_MIDDLE, 2, GF_F32, 1, SIDE, NULL, {});
    rank("median 9x9 u8", GF_RANK_MIDDLE, 4, GF_U8, 1, SIDE, "NPP FilterMedian_8u_C1R", median(9));
    rank("median 21x21 u8", GF_RANK_MIDDLE, 10, GF_U8, 1, SIDE, NULL, {});        /* the peer would take most of a second */
    rank("median 101x101 u8", GF_RANK_MIDDLE, 50, GF_U8, 1, SIDE / 8, NULL, {});
    rank("median 21x21 u16", GF_RANK_MIDDLE, 10, GF_U16, 1, SIDE / 8, NULL, {});
    rank("median 21x21 f32", GF_RANK_MIDDLE, 10, GF_F32, 1, SIDE / 8, NULL, {});
    rank("dilate 3x3 u8", GF_RANK_GREATEST, 1, GF_U8, 1, SIDE, "NPP Dilate3x3_8u_C1R",
         [&](int s) { return peer_dilate3(in[s], out[s], SIDE, SIDE, SIDE); });
    rank("dilate 5x5 u8", GF_RANK_GREATEST, 2, GF_U8, 1, SIDE, "NPP FilterMax_8u_C1R", filter(5, "nppiFilterMax_8u_C1R_Ctx"));
    rank("erode 15x15 u8", GF_RANK_LEAST, 7, GF_U8, 1, SIDE, "NPP FilterMin_8u_C1R", filter(15, "nppiFilterMin_8u_C1R_Ctx"));
    rank("dilate 101x101 u8", GF_RANK_GREATEST, 50, GF_U8, 1, SIDE, NULL, {});
    rank("dilate 5x5 u8 rgb", GF_RANK_GREATEST, 2, GF_U8, 3, SIDE / 2, NULL, {});
    rank("dilate 5x5 f32", GF_RANK_GREATEST, 2, GF_F32, 1, SIDE, NULL, {});
}

/* Adaptive equalization's tables, borders, prefix sums. */
static void others(void)
{
    const int64_t n = (int64_t)SIDE * SIDE;
    const struct gf_lattice lattice = { 0, 256, 8, 8, 8.0f / SIDE, 8.0f / SIDE, 1 };
    struct gf_pad pad = { 16, 16, GF_CLAMP, true, { 0 } }, clamp = pad;
    const struct gf_pad mirror = { 17, 16, GF_MIRROR, false, { 0 } };
    const struct gf_prefix sums = { true, true, 1 }, along = { true, false, 1 }, colours = { true, true, 3 };
    const struct gf_pools pools = { NULL, tables, 0, sizeof tables / sizeof *tables };
    const int side = SIDE - 32, rows = SIDE / 2;
    struct gf_error err;

    clamp.use_background = false;
    must(gpu.kind->set_pools(&gpu, &pools, &err), &err);
    work = gpu.kind->work(&gpu);
    work.carry = counts;
    row("clahe's tables u8", "8192x8192", 2.0 * n,
        [&](int s) { return call(GF_OP_LATTICE, image(in[s], GF_U8, 1, SIDE, SIDE), image(out[s], GF_U8, 1, SIDE, SIDE), &lattice); }, NULL, {});
    auto border = [&](const char *name, const struct gf_pad *p, const char *peer, const char *call_name, bool value) {
        row(name, "8160x8160 to 8192x8192", 2.0 * n,
            [=](int s) { return call(GF_OP_PAD, image(in[s], GF_U8, 1, side, side), image(out[s], GF_U8, 1, SIDE, SIDE), p); },
            peer, [=](int s) { return peer_border(in[s], side, out[s], SIDE, 16, call_name, value); });
    };
    border("pad u8", &pad, "NPP CopyConstBorder_8u_C1R", "nppiCopyConstBorder_8u_C1R_Ctx", true);
    border("pad u8, clamp", &clamp, "NPP CopyReplicateBorder_8u_C1R", "nppiCopyReplicateBorder_8u_C1R_Ctx", false);
    row("pad u8 rgb, mirror", "8160x4080 to 8192x4096", 3.0 * n,
        [&](int s) { return call(GF_OP_PAD, image(in[s], GF_U8, 3, side, rows - 16), image(out[s], GF_U8, 3, SIDE, rows), &mirror); }, NULL, {});
    row("integral u8 to f32", "8192x4096", 2.5 * n,
        [&](int s) { return call(GF_OP_PREFIX, image(in[s], GF_U8, 1, SIDE, rows), image(out[s], GF_F32, 1, SIDE, rows), &sums); },
        "NPP Integral_8u32s_C1R", [&](int s) { return peer_integral(in[s], out[s], SIDE, rows); });
    row("cumsum along x u8 to f32", "8192x4096", 2.5 * n,
        [&](int s) { return call(GF_OP_PREFIX, image(in[s], GF_U8, 1, SIDE, rows), image(out[s], GF_F32, 1, SIDE, rows), &along); }, NULL, {});
    row("integral u8 rgb to f32", "8192x2048", 3.75 * n,
        [&](int s) { return call(GF_OP_PREFIX, image(in[s], GF_U8, 3, SIDE, rows / 2), image(out[s], GF_F32, 3, SIDE, rows / 2), &colours); }, NULL, {});
    row("integral u16 to f32", "8192x4096", 3.0 * n,
        [&](int s) { return call(GF_OP_PREFIX, image(in[s], GF_U16, 1, SIDE, rows), image(out[s], GF_F32, 1, SIDE, rows), &sums); }, NULL, {});
    row("integral f32", "8192x4096", 4.0 * n,
        [&](int s) { return call(GF_OP_PREFIX, image(in[s], GF_F32, 1, SIDE, rows), image(out[s], GF_F32, 1, SIDE, rows), &sums); }, NULL, {});
}

static void measures(const char *kind)
{
    const int64_t n = (int64_t)SIDE * SIDE;
    const struct gf_histogram h8 = { 256, GF_BIN_ROUND, 1, 0, 0, 0 }, h16 = { 65536, GF_BIN_ROUND, 1, 0, 0, 0 },
                              rgb = { 256, GF_BIN_ROUND, 3, 0, 0, 0 };
    char name[80];

    auto histogram = [&](enum gf_type type, int channels, int64_t rows, const struct gf_histogram *h) {
        return [=](int s) {
            struct gf_block src = image(in[s], type, channels, SIDE, rows), dst = src;
            dst.data = counts;
            return call(GF_OP_HISTOGRAM, src, dst, h);
        };
    };
    snprintf(name, sizeof name, "histogram u8, %s", kind);
    row(name, "8192x8192", 1.0 * n, histogram(GF_U8, 1, SIDE, &h8), "CUB HistogramEven", [&](int s) { return peer_cub_histogram_u8(in[s], n, counts); });
    row(name, "8192x8192", 1.0 * n, histogram(GF_U8, 1, SIDE, &h8), "NPP HistogramEven_8u_C1R", [&](int s) { return peer_npp_histogram(in[s], SIDE, SIDE, counts); });
    snprintf(name, sizeof name, "histogram u8 rgb, %s", kind);
    row(name, "8192x8192", 3.0 * n, histogram(GF_U8, 3, SIDE, &rgb), NULL, {});
    snprintf(name, sizeof name, "histogram u16, 65536 bins, %s", kind);
    row(name, "8192x8192", 2.0 * n, histogram(GF_U16, 1, SIDE, &h16), "CUB HistogramEven", [&](int s) { return peer_cub_histogram_u16(in[s], n, counts); });
}

/* What reads floats between 0 and 1. */
static void measures_of_floats(void)
{
    const int64_t n = (int64_t)SIDE * SIDE;
    const struct gf_histogram h8 = { 256, GF_BIN_ROUND, 1, 0, 0, 0 };
    struct gf_reduce r = {};
    const struct gf_scan scan = { n / 2, state };

    r.block_units = 1;
    r.channels = 1;
    row("histogram f32, 256 bins", "8192x8192", 4.0 * n,
        [&](int s) {
            struct gf_block src = image(in[s], GF_F32, 1, SIDE, SIDE), dst = src;
            dst.data = counts;
            return call(GF_OP_HISTOGRAM, src, dst, &h8);
        }, NULL, {});
    auto reduce = [&](int s) {
        struct gf_block src = image(in[s], GF_F32, 1, SIDE, SIDE), dst = src;
        dst.data = out[s];
        return call(GF_OP_REDUCE, src, dst, &r);
    };
    row("reduce f32", "8192x8192", 4.0 * n, reduce, "CUB Reduce, same record", [&](int s) { return peer_cub_records(in[s], out[s], n); });
    row("reduce f32", "8192x8192", 4.0 * n, reduce, "CUB Sum of floats alone", [&](int s) { return peer_cub_sum(in[s], out[s], n); });
    row("scan u64", "32M values", 8.0 * n,
        [&](int s) { return call(GF_OP_SCAN, image(in[s], GF_F64, 1, SIDE, SIDE / 2), image(out[s], GF_F64, 1, SIDE, SIDE / 2), &scan); },
        "CUB InclusiveSum", [&](int s) { return peer_cub_scan(in[s], out[s], n / 2); });
}

__global__ void noise(float *to, size_t count, unsigned seed, bool bytes)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        unsigned h = (unsigned)i * 2654435761u + seed;
        h ^= h >> 16, h *= 0x85ebca6bu, h ^= h >> 13, h *= 0xc2b2ae35u, h ^= h >> 16;
        if (bytes)
            ((unsigned *)to)[i] = h;
        else
            to[i] = (float)(h >> 8) * (1.0f / 16777216);
    }
}

/* Bytes for operations on integers, floats in [0, 1) for those on floats, or one value everywhere. */
static void fill(int how)
{
    for (int s = 0; s < SETS; s++) {
        if (how < 2)
            noise<<<1024, 256, 0, stream>>>((float *)in[s], SET_BYTES / 4, 77u + (unsigned)s, how == 0);
        else
            cudaMemsetAsync(in[s], 0x3E, SET_BYTES, stream);
    }
    cudaStreamSynchronize(stream);
}

static void start(void)
{
    static float masks[20000];
    struct gf_pools pools = { masks, NULL, 20000, 0 };
    struct cudaDeviceProp p;
    struct gf_error err;

    for (int i = 0; i < 20000; i++)
        masks[i] = 1.0f / 225;
    for (int i = 0; i < 5; i++)
        masks[MEAN_AT + i] = 1.0f / 5;
    for (int i = 0; i < 18; i++)
        masks[SOBEL_AT + i] = (float)sobel[i];
    gpu.kind = &gf_device_cuda;
    must(gpu.kind->open(&gpu, 0, &err), &err);
    must(gpu.kind->set_pools(&gpu, &pools, &err), &err);
    work = gpu.kind->work(&gpu);
    stream = (cudaStream_t)work.stream;
    for (int s = 0; s < SETS; s++) {
        must(gpu.kind->alloc(&gpu, SET_BYTES, (void **)&in[s], &err), &err);
        must(gpu.kind->alloc(&gpu, SET_BYTES, (void **)&out[s], &err), &err);
    }
    must(gpu.kind->alloc(&gpu, 4 << 20, &counts, &err), &err);
    must(gpu.kind->alloc(&gpu, gf_scan_state_bytes((int64_t)SIDE * SIDE), &state, &err), &err);
    device_mask = (float *)work.masks;
    cudaMemsetAsync(counts, 0, 4 << 20, stream);
    peer_open(stream);
    fill(0);
    copy_rate = 2.0 * SET_BYTES / timed([](int s) { return cudaMemcpyAsync(out[s], in[s], SET_BYTES, cudaMemcpyDeviceToDevice, stream) == cudaSuccess ? 0 : -1; });
    cudaGetDeviceProperties(&p, 0);
    printf("%s, CUDA %d.%d, %s. Copy from device to device: %.0f GB/s, read and written.\n\n", p.name, CUDART_VERSION / 1000,
           CUDART_VERSION % 1000 / 10, peer_versions(), copy_rate * 1e-9);
    printf("| operation | size | µs | MB at least | GB/s | of copy | peer | its µs | peer / ours |\n|---|---|---|---|---|---|---|---|---|\n");
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    start();
    points();
    convolutions();
    neighbours();
    geometry();
    ranks();
    measures("noise");
    others();
    sizes();
    fill(2);
    measures("flat");
    fill(1);
    measures_of_floats();
    gpu.kind->close(&gpu);
    return 0;
}
