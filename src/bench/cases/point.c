/* Cases of point programs, which change each pixel separately. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/base/color_cube.h"
#include "kernels/base/program_run.h"

#include <math.h>

/* The programs are all that a point operation does. */
static void slow_point(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                       double *out)
{
    (void)params;
    gf_slow_load(check, io, x, y, out);
}

/* Returns the stored integer that means 1, or 1 for floats. */
static double one_of(const struct gf_block *b)
{
    return b->type == GF_U8 || b->type == GF_U16 ? b->maxval : gf_slow_step(b) > 0 ? 1 / gf_slow_step(b) : 1;
}

/* Draws an integer of a result as it would be stored in a source of 32 bits or in floats, and half a step more. */
static void put_middle(struct gf_check *check, const struct gf_block *src, double one, size_t i)
{
    const bool is_signed = one != 1 && gf_draw(check, 2);
    const double middle = (is_signed ? -1 : 1) * (gf_draw(check, (uint32_t)one) + 0.5) / one;
    const double toward = (double)gf_draw(check, 3) - 1;

    if (src->type == GF_F32)
        ((float *)check->src)[i] = toward == 0 ? (float)middle : nextafterf((float)middle, (float)(2 * toward));
    else if (src->type == GF_F64)
        ((double *)check->src)[i] = toward == 0 ? middle : nextafter(middle, 2 * toward);
    else if (src->type == GF_S32 && src->bits == 32)
        ((int32_t *)check->src)[i] = (int32_t)(middle * 2147483647.0 + toward);
}

/* Compares integers with the number that is stored in the source, rounded once. Doubles and a maxval are not exact. */
static void check_rounded(struct gf_check *check, const struct gf_io *io)
{
    const struct gf_block *src = &io->src, *dst = &io->dst;
    const bool levels = src->type == GF_U8 || src->type == GF_U16, sound = dst->type == GF_S16 || dst->type == GF_S32;
    const double one = one_of(dst);

    if (gf_type_is_float(dst->type) || (src->type == GF_F64 && !sound))
        return;
    for (int64_t y = dst->span.start; y < dst->span.end; y++)
        for (int64_t x = 0; x < dst->width; x++)
            for (int c = 0; c < dst->channels; c++) {
                const double v = gf_slow_sample(src, c, x, y), got = rint(gf_slow_sample(dst, c, x, y) * one);
                const double exact = levels ? rint(v * src->maxval) * one / src->maxval : v * one;
                const double wanted = v == v ? gf_slow_clamp(rint(exact), sound ? -one : 0, sound ? one - 1 : one) : 0;

                check->compared++;
                if (got != wanted)
                    gf_check_report(check, "is rounded twice", &gf_op_point, io, c, x, y, got, wanted);
            }
}

/* Changes nothing but the type of packed samples, of which most are in the middle between two results. */
static void try_conversion(struct gf_check *check, const struct gf_form *f)
{
    const struct gf_form *to = gf_draw_form(check, f);
    struct gf_trial t;
    size_t src_size, dst_size, sample;

    f = f->planar ? &gf_forms[gf_draw(check, 3)] : f;
    to = to->planar ? f : to;
    gf_draw_trial(check, &t, f, false);
    t.io.src = gf_draw_block(check, f, f->channels, check->src, t.width, (struct gf_span) { 0, t.units });
    t.io.dst = gf_draw_block(check, to, f->channels, check->cpu, t.width, gf_draw_span(check, t.units));
    if (gf_draw(check, 3) == 0)
        t.io.src.maxval = 1 + gf_draw(check, f->type == GF_U8 ? 255 : 65535);
    if (gf_draw(check, 3) == 0)
        t.io.dst.maxval = 1 + gf_draw(check, to->type == GF_U8 ? 255 : 65535);
    src_size = gf_check_block_bytes(&t.io.src);
    dst_size = gf_check_block_bytes(&t.io.dst);
    sample = gf_type_bytes(f->type);
    gf_draw_samples(check, &t.io.src, src_size, t.fill);
    for (size_t i = 512 / sample; i < src_size / sample; i++)
        if (gf_draw(check, 4) > 0)
            put_middle(check, &t.io.src, one_of(&t.io.dst), i);
    gf_check_call(check, &gf_op_point, &t.io, NULL, src_size, dst_size, t.smooth ? 2e-6 : -1);
    if (!check->on_gpu && check->problem[0] == '\0')
        check_rounded(check, &t.io);
}

static void try_point(struct gf_check *check, const struct gf_form *f)
{
    struct gf_trial t;
    struct gf_span out;

    if (gf_draw(check, 3) == 0) {
        try_conversion(check, f);
        return;
    }
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

/* From sRGB to the values of L*a*b* before their sums, and back. */
static void set_lab(struct gf_bench_call *m)
{
    static const enum gf_point_kind kinds[] = { GF_POINT_LINEAR, GF_POINT_MATRIX, GF_POINT_LAB, GF_POINT_MATRIX,
                                                GF_POINT_LAB_INVERSE, GF_POINT_MATRIX, GF_POINT_SRGB };

    gf_point_init(&m->load, 3);
    m->loads = true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && m->loads; i++) {
        struct gf_point_step s = { .kind = kinds[i], .channels = 3, .outs = 3 };

        for (int o = 0; o < 3; o++)
            for (int k = 0; k < 3; k++)
                s.m[o][k] = o == k ? 0.8f : 0.1f;
        m->loads = gf_point_add(&m->load, &s) == 0;
    }
}

/* A cube of m->number entries along an edge, with other colors at each. */
static void set_cube(struct gf_bench_call *m)
{
    const int n = m->number, entries = n * n * n;
    const struct gf_point_step step = { .kind = GF_POINT_LUT, .channels = 3, .bins = n };
    float *table = gf_bench_call_tables(m, (int64_t)entries * GF_CUBE_ENTRY);

    for (int i = 0; table != NULL && i < entries * GF_CUBE_ENTRY; i++)
        table[i] = (float)(i * 7 % 11) / 11;
    gf_point_init(&m->load, 3);
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
    { .name = "Lab and back", .forms = "u8 rgb, f32 rgb", .set = set_lab, .stages = "saturate:1.1,in=lab",
      .peers = { { "NPP RGBToLab, LabToRGB", "u8 rgb", gf_npp_lab } },
      .opencv = "cv2.cvtColor(cv2.cvtColor(a, cv2.COLOR_RGB2LAB), cv2.COLOR_LAB2RGB, b)" },
    { .name = "cube of 33", .forms = "u8 rgb, u16 rgb", .set = set_cube, .number = 33 },
    { .name = "to planes", .forms = "u8 rgb", .one_form = true, .set = set_layout },
    { .name = "from planes", .forms = "planes", .one_form = true, .set = set_layout },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_point = { .name = "point", .op = &gf_op_point, .cases = cases,
                                                     .slow = slow_point, .try = try_point };
