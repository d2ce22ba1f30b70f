/* Cases of bilateral means. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/neighbourhood/bilateral.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void slow_bilateral(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x,
                           int64_t y, double *out)
{
    const struct gf_bilateral *b = params;
    double v[GF_SLOW_CHANNELS], middle[GF_SLOW_CHANNELS], weights = 0;

    gf_slow_load(check, io, x, y, middle);
    memcpy(out, middle, sizeof v);
    for (int c = 0; c < b->channels; c++)
        out[c] = 0;
    for (int j = -b->radius; j <= b->radius; j++)
        for (int i = -b->radius; i <= b->radius; i++) {
            double squares = 0, w;

            gf_slow_load(check, io, gf_border_index(b->border, x + i, io->src.width),
                         gf_border_index(b->border, y + j, io->src_units), v);
            for (int c = 0; c < b->channels; c++)
                squares += (v[c] - middle[c]) * (v[c] - middle[c]);
            w = (double)check->masks[b->near_at + abs(i)] + (double)check->masks[b->near_at + abs(j)];
            w = pow(2, w - (double)b->steep * squares);
            for (int c = 0; c < b->channels; c++)
                out[c] += w * v[c];
            weights += w;
        }
    for (int c = 0; c < b->channels; c++)
        out[c] /= weights;
}

static void try_bilateral(struct gf_check *check, const struct gf_form *f)
{
    static const int radii[] = { 0, 1, 1, 2, 3, 5, 9, 20, 64 };
    static const float steeps[] = { 0, 0.7f, 30, 1000, 1e6f };
    struct gf_bilateral b = { .radius = radii[gf_draw(check, 9)], .border = (enum gf_border)gf_draw(check, 5),
                              .near_at = gf_draw(check, 1000), .steep = steeps[gf_draw(check, 5)] };
    struct gf_trial t;
    struct gf_span out, in;

    if (f->channels > 4)
        f = &gf_forms[1];
    gf_draw_trial(check, &t, f, true);
    while (t.load.out > 4)
        gf_draw_trial(check, &t, f, false);
    b.channels = t.load.out - (t.load.out > 1 && gf_draw(check, 2));
    out = gf_draw_span(check, t.units);
    if (t.width * gf_span_units(out) * (2 * b.radius + 1) * (2 * b.radius + 1) > 1000000)
        out.end = out.start + 1;
    while (t.width * (2 * b.radius + 1) * (2 * b.radius + 1) > 1000000)
        b.radius--;
    in = b.border == GF_WRAP ? (struct gf_span) { 0, t.units } : gf_check_grow(out, b.radius, b.radius, t.units);
    gf_check_trial(check, &t, &gf_op_bilateral, &b, in, out, t.width,
                    gf_draw_form(check, f), 4e-6);
}

static void set_bilateral(struct gf_bench_call *m)
{
    const int radius = m->number / 2;
    float *near_by = gf_bench_call_masks(m, radius + 1);

    for (int i = 0; near_by != NULL && i <= radius; i++)
        near_by[i] = -0.25f * (float)(i * i);
    *(struct gf_bilateral *)m->params = (struct gf_bilateral) { .radius = radius, .channels = m->src.channels,
                                                                .border = GF_CLAMP, .steep = 72 };
}

static const struct gf_bench_case cases[] = {
    { .name = "bilateral 7x7", .what = "bilateral filter 7x7, bytes", .forms = "u8, u8 rgb, u8 rgba, f32",
      .set = set_bilateral, .number = 7, .peers = { { "NPP FilterBilateralGaussBorder", NULL, gf_npp_bilateral } },
      .stages = "bilateral:1.4,0.1,radius=3", .opencv = "cv2.bilateralFilter(a, 7, 25.5, 1.4, b)" },
    { .name = "bilateral 9x9", .forms = "u8, u8 rgb", .set = set_bilateral, .number = 9,
      .stages = "bilateral:1.4,0.1,radius=4", .opencv = "cv2.bilateralFilter(a, 9, 25.5, 1.4, b)" },
    { .name = "bilateral 15x15", .forms = "u8", .set = set_bilateral, .number = 15,
      .peers = { { "NPP FilterBilateralGaussBorder", NULL, gf_npp_bilateral } }, .stages = "bilateral:1.4,0.1,radius=7",
      .opencv = "cv2.bilateralFilter(a, 15, 25.5, 1.4, b)" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_bilateral = { .name = "bilateral", .cancels = true, .op = &gf_op_bilateral,
                                                         .cases = cases,
                                                         .slow = slow_bilateral, .try = try_bilateral };
