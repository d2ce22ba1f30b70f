/* Cases of thinned edges. */
#include "bench/bench_call.h"
#include "bench/cases/hysteresis.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/neighbourhood/nonmax.h"

#include <math.h>
#include <string.h>

/* Computes the gradient at a place in integers. Returns its squared length, 0 outside the image. */
static double slope_at(const struct gf_check *check, const struct gf_io *io, int64_t x, int64_t y, double *gx,
                       double *gy)
{
    static const int mask[3][3] = { { -1, 0, 1 }, { -2, 0, 2 }, { -1, 0, 1 } };
    double v[GF_SLOW_CHANNELS];

    *gx = *gy = 0;
    if (x < 0 || x >= io->src.width || y < 0 || y >= io->src_units)
        return 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            double q;

            gf_slow_load(check, io, gf_border_index(GF_CLAMP, x + i, io->src.width),
                         gf_border_index(GF_CLAMP, y + j, io->src_units), v);
            q = rint((double)((float)gf_slow_clamp(v[0], 0, 1) * 65535.0f));      /* the contract rounds in floats */
            *gx += mask[j + 1][i + 1] * q;
            *gy += mask[i + 1][j + 1] * q;
        }
    return *gx * *gx + *gy * *gy;
}

static void slow_nonmax(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                        double *out)
{
    const struct gf_nonmax *t = params;
    double gx, gy, ax, ay, a, b, other[2];
    const double m = slope_at(check, io, x, y, &gx, &gy);
    bool on;

    ax = fabs(gx), ay = fabs(gy);
    if (ay * 32768 < ax * 13573) {
        a = slope_at(check, io, x - 1, y, &other[0], &other[1]);
        b = slope_at(check, io, x + 1, y, &other[0], &other[1]);
        on = m > a && m >= b;
    } else if (ay * 32768 > ax * (13573 + 65536)) {
        a = slope_at(check, io, x, y - 1, &other[0], &other[1]);
        b = slope_at(check, io, x, y + 1, &other[0], &other[1]);
        on = m > a && m >= b;
    } else {
        const int s = gx * gy < 0 ? -1 : 1;

        a = slope_at(check, io, x - s, y - 1, &other[0], &other[1]);
        b = slope_at(check, io, x + s, y + 1, &other[0], &other[1]);
        on = m > a && m > b;
    }
    memset(out, 0, sizeof(double) * (GF_SLOW_CHANNELS));
    out[0] = on && m > t->low ? m > t->high ? 1 : 0.5 : 0;
}

static void try_nonmax(struct gf_check *check, const struct gf_form *f)
{
    const double low = gf_draw_unit(check) * 1.5;
    const struct gf_nonmax thin = { .low = low * low * 65535 * 65535,
                                    .high = (low + 0.3) * (low + 0.3) * 65535 * 65535 };
    const bool programs = gf_draw(check, 3) == 0;
    struct gf_trial t;
    struct gf_span out;

    if (f->channels > 1)
        f = &gf_forms[gf_draw(check, 2) ? 0 : 12];
    do
        gf_draw_trial(check, &t, f, programs);
    while (t.load.out != 1);
    t.smooth = t.smooth && t.load.count == 0;            /* after a program, rounding may decide */
    out = gf_draw_span(check, t.units);
    gf_check_trial(check, &t, &gf_op_nonmax, &thin, gf_check_grow(out, GF_NONMAX_HALO, GF_NONMAX_HALO, t.units), out,
                   t.width, gf_draw_form(check, f),
                    1e-6);
}

/* Sets the thresholds. The operation reads one channel. */
static void set_nonmax(struct gf_bench_call *m)
{
    const double one = 65535;

    gf_bench_call_gray(m);
    *(struct gf_nonmax *)m->params = (struct gf_nonmax) { .low = one * one / 4, .high = one * one };
}

/* Writes floats for the calls that connect edges. */
static void set_first_nonmax(struct gf_bench_call *m)
{
    set_nonmax(m);
    gf_bench_block_type(&m->dst, GF_F32, 1, true);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

/*
 * The case of canny leaves out the step between the last two calls, in which a CPU joins the pieces
 * of different bands: the table is empty. The peer does all of it.
 */
static const struct gf_bench_case cases[] = {
    { .name = "thin edges", .what = "thinned edges, bytes", .forms = "u8", .set = set_nonmax },
    { .name = "canny", .forms = "u8", .one_form = true, .set = set_first_nonmax,
      .next = { { &gf_bench_group_seams, &gf_hysteresis_seams, false },
                { &gf_bench_group_hysteresis, &gf_hysteresis_joined, true } },
      .peers = { { "NPP FilterCannyBorder", NULL, gf_npp_canny } },
      .stages = "canny", .opencv = "cv2.Canny(a, 128, 255, b, 3, True)" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_nonmax = { .name = "thin", .op = &gf_op_nonmax, .cases = cases,
                                                      .slow = slow_nonmax,
                                                      .try = try_nonmax };
