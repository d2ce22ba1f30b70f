/* Cases of point programs, which change each pixel separately. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/base/program_run.h"

/* The programs are all that a point operation does. */
static void slow_point(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                       double *out)
{
    (void)params;
    gf_slow_load(check, io, x, y, out);
}

static void try_point(struct gf_check *check, const struct gf_form *f)
{
    struct gf_trial t;
    struct gf_span out;

    gf_draw_trial(check, &t, f, true);
    out = gf_draw_span(check, t.units);
    gf_check_trial(check, &t, &gf_op_point, NULL, gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units),
                   out, t.width, gf_draw_form(check, f),
                    2e-6);
}

static void set_point(struct gf_bench_call *m)
{
    const struct gf_point_step half = { .kind = GF_POINT_AFFINE, .channels = m->src.channels, .a = 0.5f, .b = 0.25f };

    gf_point_init(&m->load, m->src.channels);
    m->loads = gf_point_add(&m->load, &half) == 0;
}

static void set_gray(struct gf_bench_call *m)
{
    struct gf_point_step s = { .kind = GF_POINT_MATRIX, .channels = m->src.channels, .outs = 1 };

    for (int i = 0; i < s.channels; i++)
        s.m[0][i] = 1.0f / (float)s.channels;
    gf_point_init(&m->load, s.channels);
    m->loads = gf_point_add(&m->load, &s) == 0;
    m->dst.channels = 1;
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

/* Sets a program of one step on all channels. */
static void set_step(struct gf_bench_call *m)
{
    const struct gf_point_step step = { .kind = (enum gf_point_kind)m->number, .channels = m->src.channels, .a = 0.7f };

    gf_point_init(&m->load, m->src.channels);
    m->loads = gf_point_add(&m->load, &step) == 0;
}

/* Converts packed samples to planes, or back. */
static void set_layout(struct gf_bench_call *m)
{
    gf_bench_block_type(&m->dst, GF_U8, m->src.channels, !m->src.planar);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

/* A scale and an offset for each sample. */
static double count_flop(const struct gf_bench_call *m)
{
    return 2.0 * (double)(m->src_units * m->src.width * m->src.channels);
}

static const struct gf_bench_case cases[] = {
    { .name = "half", .what = "scale and offset, bytes", .forms = "u8", .set = set_point, .flop = count_flop,
      .stages = "brightness:-0.25 contrast:0.5", .opencv = "cv2.convertScaleAbs(a, b, 0.5, 64)" },
    { .name = "gray", .forms = "u8 rgb", .set = set_gray, .peers = { { "NPP RGBToGray", NULL, gf_npp_gray } },
      .stages = "gray", .opencv = "cv2.cvtColor(a, cv2.COLOR_RGB2GRAY, b)" },
    { .name = "gain", .forms = "u8, u16 rgb, f32", .set = set_step, .number = GF_POINT_AFFINE,
      .peers = { { "NPP MulC", "f32", gf_npp_scale } } },
    { .name = "invert", .forms = "u8, u8 rgb", .set = set_step, .number = GF_POINT_AFFINE,
      .stages = "invert", .opencv = "cv2.bitwise_not(a, b)" },
    { .name = "gamma", .forms = "u8, u8 rgb, f32", .set = set_step, .number = GF_POINT_POWER,
      .stages = "gamma:1.4",
      .opencv = "cv2.LUT(a, (numpy.linspace(0, 1, 256) ** (1 / 1.4) * 255 + .5).astype('B'), b)" },
    { .name = "to planes", .forms = "u8 rgb", .one_form = true, .set = set_layout },
    { .name = "from planes", .forms = "planes", .one_form = true, .set = set_layout },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_point = { .name = "point", .op = &gf_op_point, .cases = cases,
                                                     .slow = slow_point, .try = try_point };
