/* Cases of rotation and other mappings of pixels. */
#include "bench/cases/sample.h"

#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/peers/npp.h"

#include <math.h>
#include <string.h>

static void load_place(const struct gf_check *check, const struct gf_io *io, const struct gf_sample *s, int64_t x,
                       int64_t y, double *v)
{
    const bool inside = x >= 0 && x < io->src.width && y >= 0 && y < io->src_units;

    if (!inside && s->use_background) {
        for (int c = 0; c < 4; c++)
            v[c] = (double)s->background[c];
        return;
    }
    gf_slow_load(check, io, gf_border_index(s->border, x, io->src.width), gf_border_index(s->border, y, io->src_units),
                 v);
}

static double cubic_weight(double d)
{
    d = fabs(d);
    return d < 1 ? (1.5 * d - 2.5) * d * d + 1 : d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0;
}

void gf_slow_place(const struct gf_check *check, const struct gf_io *io, const struct gf_sample *s, double sx,
                   double sy, double *out)
{
    const int reach = s->interpolation == GF_CUBIC ? 2 : 1;
    double v[GF_SLOW_CHANNELS];

    if (s->coarse) {
        sx = floor(sx * 256 + 0.5) / 256;
        sy = floor(sy * 256 + 0.5) / 256;
    }
    memset(out, 0, sizeof v);
    if (s->interpolation == GF_NEAREST) {
        load_place(check, io, s, (int64_t)floor(sx + 0.5), (int64_t)floor(sy + 0.5), out);
        return;
    }
    for (int j = 1 - reach; j <= reach; j++)
        for (int i = 1 - reach; i <= reach; i++) {
            const double dx = sx - floor(sx) - i, dy = sy - floor(sy) - j;
            const double w = reach == 2 ? cubic_weight(dx) * cubic_weight(dy) : (1 - fabs(dx)) * (1 - fabs(dy));

            load_place(check, io, s, (int64_t)floor(sx) + i, (int64_t)floor(sy) + j, v);
            for (int c = 0; c < 4; c++)
                out[c] += w * v[c];
        }
}

static void slow_sample(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                        double *out)
{
    const struct gf_sample *s = params;
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS);

    gf_slow_place(check, io, s, (double)(s->cx + x * s->xx + y * s->xy) / one,
                  (double)(s->cy + x * s->yx + y * s->yy) / one, out);
}

static void try_sample(struct gf_check *check, const struct gf_form *f)
{
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS), a = gf_draw_unit(check) * 6.3;
    struct gf_sample s = { .xx = (int64_t)(cos(a) * one), .xy = (int64_t)(sin(a) * one), .yx = (int64_t)(-sin(a) * one),
                           .yy = (int64_t)(cos(a) * one), .interpolation = (enum gf_interpolation)gf_draw(check, 3),
                           .use_background = gf_draw(check, 2), .border = (enum gf_border)gf_draw(check, 5),
                           .background = { .2f, .4f, .6f, 1.0f } };
    const int64_t *size = gf_draw_sizes[gf_draw(check, GF_DRAW_SIZES)];
    struct gf_trial t;
    struct gf_span out;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_draw_trial(check, &t, f, true);
    s.coarse = s.interpolation == GF_LINEAR && gf_draw(check, 3);
    if (s.coarse) {                      /* for 8-bit results without a program; textures serve some of them */
        gf_point_init(&t.store, t.load.out);
        s.textures = gf_draw(check, 4) > 0;
        if (gf_draw(check, 2))
            memset(s.background, 0, sizeof s.background);
    }
    s.cx = (int64_t)((gf_draw_unit(check) * 1.4 - 0.2) * (double)t.width * one);
    s.cy = (int64_t)((gf_draw_unit(check) * 1.4 - 0.2) * (double)t.units * one);
    out = gf_draw_span(check, size[1]);
    t.smooth = t.smooth && s.interpolation != GF_NEAREST;
    gf_check_trial(check, &t, &gf_op_sample, &s, (struct gf_span) { 0, t.units }, out, size[0],
                    s.coarse ? &gf_forms[0] : gf_draw_form(check, f), 1e-5);
}

/* Rotates by 30 degrees about the center, to bytes through a texture if one serves. */
static void set_turn(struct gf_bench_call *m)
{
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS), cosine = sqrt(0.75),
        x = (double)(m->src.width - 1) / 2,
                 y = (double)(m->src_units - 1) / 2;
    const bool coarse = m->dst.type == GF_U8;

    *(struct gf_sample *)m->params = (struct gf_sample) {
        .xx = llrint(cosine * one), .xy = llrint(0.5 * one), .yx = -llrint(0.5 * one), .yy = llrint(cosine * one),
        .cx = llrint((x - x * cosine - y * 0.5) * one), .cy = llrint((y + x * 0.5 - y * cosine) * one),
        .interpolation = GF_LINEAR, .coarse = coarse, .textures = coarse, .use_background = true,
    };
}

/* Rotates planes to bytes, through a texture, or with plain loads if the number is 1. */
static void set_planes_to_bytes(struct gf_bench_call *m)
{
    gf_bench_block_type(&m->dst, GF_U8, m->src.channels, false);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->dst.width, m->src_units);
    set_turn(m);
    if (m->number == 1)
        ((struct gf_sample *)m->params)->textures = false;
}

/* Interpolates in floats. */
static void set_exact(struct gf_bench_call *m)
{
    struct gf_sample *s = m->params;

    set_turn(m);
    s->coarse = s->textures = false;
    s->interpolation = (enum gf_interpolation)m->number;
}

/* Rotates in linear light. */
static void set_linear_light(struct gf_bench_call *m)
{
    const struct gf_point_step step = { .kind = GF_POINT_LINEAR, .channels = m->src.channels };

    set_turn(m);
    gf_point_init(&m->load, m->src.channels);
    m->loads = gf_point_add(&m->load, &step) == 0;
}

static const struct gf_bench_case cases[] = {
    { .name = "rotate 30", .what = "rotation by 30 degrees, bytes",
      .forms = "u8, u8 gray and alpha, u8 rgb, u8 rgba, plane", .set = set_turn,
      .peers = { { "NPP Rotate", NULL, gf_npp_rotate } }, .stages = "rotate:30",
      .opencv = "cv2.warpAffine(a, cv2.getRotationMatrix2D((a.shape[1] / 2 - .5, "
      "a.shape[0] / 2 - .5), 30, 1), (a.shape[1], a.shape[0]), b)" },
    { .name = "rotate 30, planes to bytes", .forms = "plane, planes", .one_form = true, .set = set_planes_to_bytes },
    { .name = "rotate 30, planes to bytes, plain loads", .forms = "plane", .one_form = true,
      .set = set_planes_to_bytes, .number = 1 },
    { .name = "rotate 30, linear light", .forms = "u8, u8 rgb", .set = set_linear_light },
    { .name = "rotate 30, plain loads", .forms = "u8, u8 rgb", .set = set_exact, .number = GF_LINEAR },
    { .name = "rotate 30, cubic", .forms = "plane, u8 rgb", .set = set_exact, .number = GF_CUBIC },
    { .name = "rotate 30, nearest", .forms = "u8, u8 rgb", .set = set_exact, .number = GF_NEAREST },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_sample = { .name = "sample", .op = &gf_op_sample, .cases = cases,
                                                      .slow = slow_sample,
                                                      .try = try_sample, .slack = 1e-5 };
