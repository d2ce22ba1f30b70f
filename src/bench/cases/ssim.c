/* Cases of structural similarity of two images. */
#include "bench/bench_call.h"
#include "bench/cases/second_image.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/ssim.h"

#include <math.h>

static double compared(const struct gf_block *b, int c, int64_t x, int64_t y)
{
    return c < 0 ? 1 : gf_slow_sample(b, c, x, y);
}

/* SSIM as Wang et al. 2004 define it: the weights of the window, then means, then variances. */
static void slow_ssim(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                      double *out)
{
    const struct gf_ssim *s = params;
    const int n = s->channels, reach = GF_SSIM_REACH;
    const bool whole = x >= reach && y >= reach && x < io->src.width - reach && y < io->src_units - reach;

    (void)check;
    for (int c = 0; c < n; c++) {
        double a[11][11], b[11][11], mx = 0, my = 0, vx = 0, vy = 0, both = 0, all = 0;

        out[c] = (compared(&io->src, s->of[0][c], x, y) - compared(&io->beside, s->of[1][c], x, y)) * (double)s->scale;
        out[n + c] = 0;
        for (int j = 0; whole && j < 11; j++)
            for (int i = 0; i < 11; i++) {
                const double w = exp(-((i - 5) * (i - 5) + (j - 5) * (j - 5)) / (2 * 1.5 * 1.5));

                a[j][i] = compared(&io->src, s->of[0][c], x + i - 5, y + j - 5);
                b[j][i] = compared(&io->beside, s->of[1][c], x + i - 5, y + j - 5);
                all += w, mx += w * a[j][i], my += w * b[j][i];
            }
        mx /= all, my /= all;
        for (int j = 0; whole && j < 11; j++)
            for (int i = 0; i < 11; i++) {
                const double w = exp(-((i - 5) * (i - 5) + (j - 5) * (j - 5)) / (2 * 1.5 * 1.5)) / all;

                vx += w * (a[j][i] - mx) * (a[j][i] - mx), vy += w * (b[j][i] - my) * (b[j][i] - my);
                both += w * (a[j][i] - mx) * (b[j][i] - my);
            }
        if (whole)
            out[n + c] = (2 * mx * my + 0.0001) * (2 * both + 0.0009)
                       / ((mx * mx + my * my + 0.0001) * (vx + vy + 0.0009));
    }
}

static void try_ssim(struct gf_check *check, const struct gf_form *f)
{
    const struct gf_form *beside = gf_second_image_form(check);
    struct gf_ssim s = { .channels = 1 + (int)gf_draw(check, 4), .scale = gf_draw(check, 2) ? 1.0f : 2.5f };
    struct gf_trial t;
    struct gf_span out, in;

    if (f->channels > 4)
        f = &gf_forms[0];
    gf_draw_trial(check, &t, f, false);
    for (int c = 0; c < 4; c++) {
        s.of[0][c] = (signed char)((int)gf_draw(check, (uint32_t)f->channels + 1) - 1);
        s.of[1][c] = (signed char)((int)gf_draw(check, (uint32_t)beside->channels + 1) - 1);
    }
    s.levels = (f->type == GF_U8 || f->type == GF_U16) && gf_draw(check, 2) ? (float)f->maxval : 0;
    gf_point_init(&t.store, 2 * s.channels);
    t.io.store = NULL;
    out = gf_draw_span(check, t.units);
    in = gf_check_grow(out, GF_SSIM_REACH, GF_SSIM_REACH, t.units);
    t.io.beside_units = t.units;
    /* the whole image, as a CPU has it */
    gf_second_image_rows(check, &t, beside, t.width, gf_draw(check, 2) ? in : (struct gf_span) { 0, t.units });
    gf_check_trial(check, &t, &gf_op_ssim, &s, in, out, t.width, gf_draw(check, 2) ? &gf_forms[13]
                   : gf_draw_form(check, f), 3e-6);
    t.io.beside.data = NULL;
    check->second_bytes = 0;
}

/*
 * Compares an image with itself. Each channel gives a plane of differences and one of similarities.
 */
static void set_ssim(struct gf_bench_call *m)
{
    m->beside = true;
    *(struct gf_ssim *)m->params = (struct gf_ssim) { .channels = m->src.channels,
                                                      .of = { { 0, 1, 2, 3 }, { 0, 1, 2, 3 } }, .scale = 1 };
    gf_bench_block_type(&m->dst, GF_F32, 2 * m->src.channels, true);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

static const struct gf_bench_case cases[] = {
    { .name = "similarity", .what = "SSIM with itself, bytes", .forms = "u8, u8 rgb",
      .set = set_ssim },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_ssim = { .name = "similar", .op = &gf_op_ssim, .cases = cases,
                                                    .slow = slow_ssim, .try = try_ssim, .slack = 1e-4 };
