/* Rows of the benchmark: what moves pixels to other places, turns, sizes and borders. */
#include <math.h>
#include <stdio.h>

#include "bench.h"
extern "C" {
#include "kernels/geometry/move.h"
#include "kernels/geometry/pad.h"
#include "kernels/geometry/resize.h"
#include "kernels/geometry/sample.h"
}

static const struct bench_shape u8 = { GF_U8, 1, SIDE, SIDE, false }, rgb = { GF_U8, 3, SIDE, SIDE / 2, false },
                                f32 = { GF_F32, 1, SIDE, SIDE, true };

static struct gf_sample turn_of(double degrees, bool coarse)
{
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS), a = degrees * M_PI / 180, c = (SIDE - 1) / 2.0;
    struct gf_sample s = {};

    s.xx = (int64_t)(cos(a) * one), s.xy = (int64_t)(sin(a) * one), s.yx = -s.xy, s.yy = s.xx;
    s.cx = (int64_t)((c - c * cos(a) - c * sin(a)) * one), s.cy = (int64_t)((c + c * sin(a) - c * cos(a)) * one);
    s.interpolation = GF_LINEAR, s.coarse = s.textures = coarse, s.use_background = true;
    return s;
}

static void turns(void)
{
    const struct gf_sample fine = turn_of(30, false), coarse = turn_of(30, true);
    const struct gf_point linear = bench_program(GF_POINT_LINEAR, 3);
    struct gf_sample cubic = fine;
    auto turn = [&](const char *name, int channels, bool planar, const struct gf_sample *m, const char *peer_name, const char *call) {
        const bool exact = m == &fine;
        const int64_t rows = channels > 2 ? SIDE / 2 : SIDE;
        const int step = SIDE * channels * (exact ? 4 : 1);

        bench_row(name, bench_ours(&gf_op_sample, { GF_U8, channels, SIDE, rows, planar }, { GF_U8, channels, SIDE, rows, exact }, m),
                  peer_name, [=](int s) { return peer_rotate(bench_in[s], bench_out[s], step, SIDE, (int)rows, 30, call); });
    };

    cubic.interpolation = GF_CUBIC;
    turn("rotate 30 u8", 1, false, &coarse, "NPP Rotate_8u_C1R", "nppiRotate_8u_C1R_Ctx");
    turn("rotate 30 u8 grey and alpha", 2, false, &coarse, NULL, "");
    turn("rotate 30 u8 rgb", 3, false, &coarse, "NPP Rotate_8u_C3R", "nppiRotate_8u_C3R_Ctx");
    turn("rotate 30 u8 rgba", 4, false, &coarse, "NPP Rotate_8u_C4R", "nppiRotate_8u_C4R_Ctx");
    bench_row("rotate 30 u8 rgb in linear light", bench_ours(&gf_op_sample, rgb, rgb, &coarse, &linear));
    turn("rotate 30 f32", 1, true, &fine, "NPP Rotate_32f_C1R", "nppiRotate_32f_C1R_Ctx");
    bench_row("rotate 30 cubic f32", bench_ours(&gf_op_sample, f32, f32, &cubic));
}

void bench_geometry(void)
{
    const struct gf_move flip = { 1, 0, 0, -1, 0, SIDE - 1 }, flop = { -1, 0, 0, 1, SIDE - 1, 0 };
    const struct gf_move transpose = { 0, 1, 1, 0, 0, 0 };
    const struct bench_shape turned = { GF_U8, 3, SIDE / 2, SIDE, false };
    auto mirror = [](int axis) { return [=](int s) { return peer_mirror(bench_in[s], bench_out[s], SIDE, SIDE, SIDE, axis); }; };

    turns();
    bench_row("flip u8", bench_ours(&gf_op_move, u8, u8, &flip), "NPP Mirror_8u_C1R", mirror(0));
    bench_row("flop u8", bench_ours(&gf_op_move, u8, u8, &flop), "NPP Mirror_8u_C1R", mirror(1));
    bench_row("transpose u8", bench_ours(&gf_op_move, u8, u8, &transpose), "NPP Transpose_8u_C1R",
              [](int s) { return peer_transpose(bench_in[s], bench_out[s], SIDE, SIDE, SIDE); });
    bench_row("transpose f32", bench_ours(&gf_op_move, f32, f32, &transpose));
    bench_row("transpose u8 rgb", bench_ours(&gf_op_move, rgb, turned, &transpose));
}

/* One direction of a change of size, behind the last one in the pool of tables. */
static struct gf_resize_axis axis_of(enum gf_resize_filter filter, int64_t in, int64_t out)
{
    static int64_t used;
    struct gf_resize_axis a = { used, in, out, gf_resize_taps(filter, in, out) };

    gf_resize_fill(&a, filter, bench_tables + used);
    used += out * gf_resize_stride(&a);
    return a;
}

/* The pool is set again, so no other row may come behind these that wants another. */
void bench_sizes(void)
{
    static const struct { const char *word; enum gf_resize_filter filter; int npp; const char *peer; } rows[] = {
        { "lanczos", GF_RESIZE_LANCZOS, 16, "NPP LANCZOS, not widened" }, { "cubic", GF_RESIZE_CUBIC, 4, "NPP CUBIC, not widened" },
        { "linear", GF_RESIZE_LINEAR, 2, "NPP LINEAR, not widened" }, { "area", GF_RESIZE_AREA, 8, "NPP SUPER" },
    };
    struct gf_resize half[4], larger[4];
    const int w = SIDE, h = SIDE / 2;
    char name[80];

    for (int i = 0; i < 4; i++) {
        half[i].x = axis_of(rows[i].filter, w, w / 2), half[i].y = axis_of(rows[i].filter, h, h / 2);
        larger[i].x = axis_of(rows[i].filter, w / 2, w), larger[i].y = axis_of(rows[i].filter, h / 2, h);
    }
    bench_set_tables();
    auto size = [&](const char *what, int channels, enum gf_type type, int from, int to, const struct gf_resize *r, int i,
                    const char *call) {
        const int bytes = channels * (int)gf_type_bytes(type), npp = rows[i].npp;

        snprintf(name, sizeof name, "resize %s %s", rows[i].word, what);
        bench_row(name, bench_ours(&gf_op_resize, { type, channels, from, from / 2, false }, { type, channels, to, to / 2, false }, r),
                  from < to && i == 3 ? NULL : rows[i].peer,
                  [=](int s) { return peer_resize(bench_in[s], bench_out[s], from, from / 2, to, to / 2, npp, call, bytes); });
    };
    for (int i = 0; i < 4; i++) {
        size("u8 rgb", 3, GF_U8, w, w / 2, &half[i], i, "nppiResize_8u_C3R_Ctx");
        size("u8", 1, GF_U8, w, w / 2, &half[i], i, "nppiResize_8u_C1R_Ctx");
        size("u8 rgb", 3, GF_U8, w / 2, w, &larger[i], i, "nppiResize_8u_C3R_Ctx");
    }
    size("f32", 1, GF_F32, w, w / 2, &half[0], 0, "nppiResize_32f_C1R_Ctx");
    size("u16 rgb", 3, GF_U16, w, w / 2, &half[0], 0, "nppiResize_16u_C3R_Ctx");
}

void bench_borders(void)
{
    const struct gf_pad pad = { 16, 16, GF_CLAMP, true, { 0 } }, clamp = { 16, 16, GF_CLAMP, false, { 0 } },
                        mirror = { 17, 16, GF_MIRROR, false, { 0 } };
    const int side = SIDE - 32;
    const struct bench_shape inside = { GF_U8, 1, side, side, false }, colours = { GF_U8, 3, side, SIDE / 2 - 16, false };
    auto border = [&](const char *name, const struct gf_pad *p, const char *peer_name, const char *call, bool value) {
        bench_row(name, bench_ours(&gf_op_pad, inside, u8, p), peer_name,
                  [=](int s) { return peer_border(bench_in[s], side, bench_out[s], SIDE, 16, call, value); });
    };

    border("pad u8", &pad, "NPP CopyConstBorder_8u_C1R", "nppiCopyConstBorder_8u_C1R_Ctx", true);
    border("pad u8, clamp", &clamp, "NPP CopyReplicateBorder_8u_C1R", "nppiCopyReplicateBorder_8u_C1R_Ctx", false);
    bench_row("pad u8 rgb, mirror", bench_ours(&gf_op_pad, colours, rgb, &mirror));
}
