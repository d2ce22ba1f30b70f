/* Cases of the guided filter. */
#include "bench/bench_call.h"
#include "bench/cases/second_image.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/neighbourhood/guided.h"

#include <string.h>

/* Returns the guide of a color at a place within the signal. */
static double guide_at(const struct gf_io *io, const struct gf_guided *g, const double *v, int c, int64_t x, int64_t y)
{
    static const double weight[3] = { GF_BT601(double) };
    double sum = 0;

    if (!g->beside)
        return v[c];
    if (io->beside.channels < 3)
        return gf_slow_sample(&io->beside, 0, x, y - io->beside_shift);
    for (int k = 0; k < 3; k++)
        sum += weight[k] * gf_slow_sample(&io->beside, k, x, y - io->beside_shift);
    return sum;
}

static void slow_line(const struct gf_check *check, const struct gf_io *io, const struct gf_guided *g, int64_t x,
                      int64_t y, int c, double *out)
{
    double v[GF_SLOW_CHANNELS], sum[GF_GUIDED_SUMS] = { 0 }, n = 2 * g->radius + 1;

    for (int j = -g->radius; j <= g->radius; j++)
        for (int i = -g->radius; i <= g->radius; i++) {
            const int64_t column = gf_border_index(g->border, x + i, io->src.width);
            const int64_t row = gf_border_index(g->border, y + j, io->src_units);
            double guide;

            if (column < 0 || row < 0)
                continue;
            gf_slow_load(check, io, column, row, v);
            guide = guide_at(io, g, v, c, column, row);
            sum[0] += guide / (n * n);
            sum[1] += guide * guide / (n * n);
            sum[2] += v[c] / (n * n);
            sum[3] += guide * v[c] / (n * n);
        }
    out[0] = (sum[3] - sum[0] * sum[2]) / (sum[1] - sum[0] * sum[0] + g->eps);
    out[1] = sum[2] - out[0] * sum[0];
}

static void slow_guided(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                        double *out)
{
    const struct gf_guided *g = params;
    const int lines = gf_guided_lines(g), channels = gf_slow_channels(io);
    double v[GF_SLOW_CHANNELS];

    gf_slow_load(check, io, x, y, v);
    if (g->values) {
        for (int c = 0; c < g->colours; c++)
            out[c] = v[2 * c] * v[2 * g->colours + (g->beside ? 0 : c)] + v[2 * c + 1];
        memcpy(out + g->colours, v + lines, (size_t)(channels - lines) * sizeof *out);
        return;
    }
    for (int c = 0; c < g->colours; c++)
        slow_line(check, io, g, x, y, c, out + 2 * c);
    for (int c = 2 * g->colours; c < lines; c++)
        out[c] = guide_at(io, g, v, c - 2 * g->colours, x, y);
    memcpy(out + lines, v + g->colours, (size_t)(channels - g->colours) * sizeof *out);
}

static void try_guided(struct gf_check *check, const struct gf_form *f)
{
    static const int radii[] = { 1, 1, 2, 3, 7, 20, 60 };
    struct gf_guided g = { .radius = radii[gf_draw(check, sizeof radii / sizeof *radii)], .eps = 0.05,
                           .border = (enum gf_border)gf_draw(check, 5), .beside = gf_draw(check, 2) };
    struct gf_span out, in;
    struct gf_trial t;
    int most;

    gf_draw_trial(check, &t, f, true);
    most = g.beside ? (t.load.out - 1) / 2 : t.load.out / 3;
    g.values = most > 0 && gf_draw(check, 2);
    g.colours = 1 + (int)gf_draw(check, (uint32_t)(g.values ? most : t.load.out < 4 ? t.load.out : 4));
    t.io.store = NULL;
    t.store.out = gf_guided_channels(&g, t.load.out);
    out = gf_draw_span(check, t.units);
    while (t.width * gf_span_units(out) * g.radius * g.radius > 100000 && g.radius > 1)
        g.radius /= 2;
    in = g.values ? out : g.border == GF_WRAP ? (struct gf_span) { 0, t.units }
                                              : gf_check_grow(out, g.radius, g.radius, t.units);
    if (g.beside) {
        t.io.beside_units = t.units;
        gf_second_image_rows(check, &t, gf_second_image_form(check), t.width, in);
    }
    gf_check_trial(check, &t, &gf_op_guided, &g, in, out, t.width, gf_draw_form(check, f), 1e-5);
}

static void set_guided(struct gf_bench_call *m)
{
    struct gf_guided *g = m->params;

    *g = (struct gf_guided) { .radius = m->number, .colours = m->src.channels, .eps = 0.01 };
    gf_bench_block_type(&m->dst, GF_F32, gf_guided_channels(g, m->src.channels), true);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

static const struct gf_bench_case cases[] = {
    { .name = "guided 8", .what = "lines of a guided filter 17x17, bytes", .forms = "u8, u8 rgb, f32",
      .set = set_guided, .number = 8, .stages = "guided:8,0.01" },
    { .name = "guided 60", .forms = "u8", .set = set_guided, .number = 60, .stages = "guided:60,0.01" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_guided = { .name = "guided", .op = &gf_op_guided, .cases = cases,
                                                      .slow = slow_guided, .try = try_guided };
