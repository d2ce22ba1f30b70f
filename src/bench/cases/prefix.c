/* Cases of prefix sums, which carry state from unit to unit. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/statistics/prefix.h"

#include <math.h>
#include <string.h>

#define SLACK 3e-6                       /* a part of the largest sum */

/*
 * Returns the number that stands for 1 in the state, if stored integers are added as they are; 0:
 * floats are added.
 */
static double find_one(const struct gf_io *io)
{
    const bool integers = !io->src.planar && (io->src.type == GF_U8 || io->src.type == GF_U16)
                       && (io->load == NULL || io->load->count == 0);

    return integers ? (double)io->src.maxval : 0;
}

/* Adds a pixel to the sums. v gets its sums, before the store program. */
static void add_pixel(const struct gf_io *io, const struct gf_prefix *p, int64_t x, double *along, double *down,
                      double *v)
{
    const double integers = find_one(io), one = integers > 0 ? integers : 1;

    for (int c = 0; c < p->colours; c++) {
        const double sample = integers > 0 ? rint(v[c] * one) : v[c];

        along[c] += sample;
        v[c] = p->along_columns ? along[c] : sample;
        if (p->along_units)
            v[c] = down[c * io->dst.width + x] += v[c];
        v[c] /= one;
    }
}

/*
 * Adds samples one by one, from the state before the call. Exact sums may differ by the rounding of
 * a float only.
 */
static void compare_prefix(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    static double down[GF_CHECK_CARRY];
    const struct gf_prefix *p = params;
    const bool exact = find_one(io) > 0 && gf_slow_step(&io->dst) <= 0 && (io->store == NULL || io->store->count == 0);
    double v[GF_SLOW_CHANNELS], largest = 1e-3;

    for (int pass = 0; pass < 2; pass++) {
        memcpy(down, check->carried[GF_CHECK_BEFORE], check->carried_bytes);
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++) {
            double along[GF_MAX_CHANNELS] = { 0 };

            for (int64_t x = 0; x < io->dst.width; x++) {
                gf_slow_load(check, io, x, y, v);
                add_pixel(io, p, x, along, down, v);
                for (int c = 0; c < gf_slow_channels(io) && pass == 0; c++)
                    largest = fmax(largest, fabs(v[c]));
                gf_slow_program(check, io->store, v);
                for (int c = 0; c < io->dst.channels; c++) {
                    const double w = gf_slow_stored(&io->dst, v[c]);

                    if (pass == 0)
                        largest = fmax(largest, fabs(w));
                    else
                        gf_check_sample(check, &gf_op_prefix, io, c, x, y, v[c], exact ? fabs(w) * 0x1.0001p-24
                                        : slack * largest);
                }
            }
        }
    }
}

/* Two calls, the second with the state of the first, give the same bytes as one. */
static void try_prefix_cut(struct gf_check *check, const struct gf_trial *t, const struct gf_prefix *p)
{
    const struct gf_block whole = t->io.dst;
    const int64_t middle = whole.span.start + 1 + gf_draw(check, (uint32_t)gf_span_units(whole.span) - 1);
    const size_t bytes = gf_check_block_bytes(&whole);
    struct gf_io io = t->io;

    memset(check->gpu, GF_CHECK_POISON, bytes);
    io.dst.data = check->gpu + ((unsigned char *)whole.data - check->cpu);
    const struct gf_block all = io.dst;

    io.dst = gf_block_part(&all, (struct gf_span) { whole.span.start, middle });
    memcpy(check->carried[GF_CHECK_ON_GPU], check->carried[GF_CHECK_ON_CPU], check->carried_bytes);
    if (gf_check_run_cpu(check, &gf_op_prefix, &io, p) != 0)
        gf_check_report(check, "fails", &gf_op_prefix, &io, 0, 0, 0, 0, 0);
    memcpy(check->carried[GF_CHECK_BEFORE], check->carried[GF_CHECK_ON_CPU], check->carried_bytes);
    io.dst = gf_block_part(&all, (struct gf_span) { middle, whole.span.end });
    if (gf_check_run_cpu(check, &gf_op_prefix, &io, p) != 0 || memcmp(check->cpu, check->gpu, bytes) != 0
        || memcmp(check->carried[GF_CHECK_ON_CPU], check->carried[GF_CHECK_ON_GPU], check->carried_bytes) != 0)
        gf_check_report(check, "depends on the cut", &gf_op_prefix, &io, 0, 0, middle, 0, 0);
}

static void try_prefix(struct gf_check *check, const struct gf_form *f)
{
    const bool columns = gf_draw(check, 3) > 0;
    struct gf_prefix p = { .along_columns = columns, .along_units = !columns || gf_draw(check, 2) };
    struct gf_span out;
    struct gf_trial t;

    gf_draw_trial(check, &t, f, gf_draw(check, 2));
    if (f->channels <= 4 && gf_draw(check, 4) == 0)                 /* about the width of a tile */
        t.width = 255 + gf_draw(check, 45);
    if (f->channels <= 4 && gf_draw(check, 4) == 0)                 /* several bands */
        t.units = 64 + gf_draw(check, 140);
    if (f->channels == 1 && gf_draw(check, 6) == 0)                 /* rows longer than the threads of a block */
        t.width = 4000 + 4 * gf_draw(check, 50) + (gf_draw(check, 2) ? gf_draw(check, 4) : 0),
            t.units = 1 + gf_draw(check, f->type == GF_U8 && t.store.out == 1 ? 140 : 20);
    t.io.src_units = t.units;
    out = gf_draw_span(check, t.units);
    p.colours = t.load.out - (t.load.out > 1 && gf_draw(check, 2));
    t.io.src.planar = f->planar, t.io.src.type = f->type, t.io.src.maxval = f->maxval;
    check->carried_bytes = (size_t)gf_prefix_carry_bytes(&p, t.width);
    for (size_t i = 0; i < check->carried_bytes / sizeof(double); i++)
        check->carried[GF_CHECK_BEFORE][i] = !gf_draw(check, 3) ? 0 : find_one(&t.io) > 0
            ? gf_draw(check, gf_draw(check, 2) ? 30000 : 1u << 30) * 4096.0 : gf_draw_unit(check) * 100;
    gf_check_trial(check, &t, &gf_op_prefix, &p, gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units), out,
                   t.width, gf_draw_form(check, f),
                    SLACK);
    if (check->on_gpu && check->problem[0] == '\0' && t.fill != GF_FILL_WILD
        && memcmp(check->carried[GF_CHECK_ON_CPU], check->carried[GF_CHECK_ON_GPU], check->carried_bytes) != 0)
        gf_check_report(check, "on a GPU: other state", &gf_op_prefix, &t.io, 0, 0, 0, 0, 0);
    if (!check->on_gpu && check->problem[0] == '\0' && gf_span_units(out) > 1)
        try_prefix_cut(check, &t, &p);
    check->carried_bytes = 0;
}

static void set_prefix(struct gf_bench_call *m)
{
    *(struct gf_prefix *)m->params = (struct gf_prefix) { .along_columns = true, .along_units = m->number == 0,
                                                          .colours = m->src.channels };
    m->carry_bytes = (size_t)gf_prefix_carry_bytes(m->params, m->src.width);
    gf_bench_block_type(&m->dst, GF_F32, m->src.channels, m->dst.planar);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

static const struct gf_bench_case cases[] = {
    { .name = "integral", .what = "integral image, bytes to floats", .forms = "u8, u8 rgb, u16, f32",
      .set = set_prefix, .peers = { { "NPP Integral", "u8", gf_npp_integral } }, .stages = "integral",
      .opencv = "cv2.integral(a, b)" },
    { .name = "cumsum", .forms = "u8", .set = set_prefix, .number = 1 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_prefix = { .name = "prefix", .op = &gf_op_prefix, .cases = cases,
    .compare = compare_prefix, .slack = SLACK, .try = try_prefix };
