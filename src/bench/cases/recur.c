/* Cases of recursive filters, which go on from the frames before. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/recur.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frame by frame, from x and y as they were, in double; the whole signal from its start. */
static void compare_recur(const struct gf_io *io, const struct gf_recur *r, double slack)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    /* before each section and after the last, up to two frames ago */
    static double x[GF_RECUR_SECTIONS + 1][GF_MAX_CHANNELS][3];
    const double step = gf_step_of(&io->dst);
    double v[GF_MAX_CHANNELS + 4], largest = 1e-3;

    for (int pass = 0; pass < 2; pass++) {
        memset(x, 0, sizeof x);
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++) {
            gf_loaded(io, 0, y, v);
            for (int c = 0; c < channels; c++) {
                for (int k = 0; k <= r->sections; k++)
                    x[k][c][2] = x[k][c][1], x[k][c][1] = x[k][c][0];
                x[0][c][0] = isfinite(v[c]) ? v[c] : 0;
                for (int k = 0; k < r->sections; k++) {
                    const struct gf_recur_section *s = &r->section[k];

                    x[k + 1][c][0] = s->b0 * x[k][c][0] + s->b1 * x[k][c][1] + s->b2 * x[k][c][2]
                                   - s->a1 * x[k + 1][c][1] - s->a2 * x[k + 1][c][2];
                    largest = pass == 0 && fabs(x[k + 1][c][0]) > largest ? fabs(x[k + 1][c][0]) : largest;
                }
                v[c] = x[r->sections][c][0];
            }
            gf_run_program(io->store, v);
            for (int c = 0; c < io->dst.channels; c++) {
                const double got = gf_get(&io->dst, c, 0, y);
                const double w = step > 0 ? gf_clamp(v[c], io->dst.type == GF_U8 || io->dst.type == GF_U16 ? 0 : -1, 1) : v[c];

                if (pass == 0)
                    largest = fabs(w) > largest ? fabs(w) : largest;
                else if (!(fabs(got - w) <= slack * largest + 1.001 * step) && fabs(w) < 3e38)
                    gf_complain("on a CPU", &gf_op_recur, io, c, 0, y, got, w);
            }
        }
    }
}

/* A GPU rounds in another order: near is enough, but not to what a CPU has made nothing of. */
static void compare_near(const struct gf_operation *op, const struct gf_io *cpu, const struct gf_io *cuda)
{
    double largest = 1e-3;

    for (int pass = 0; pass < 2; pass++)
        for (int64_t y = cpu->dst.span.start; y < cpu->dst.span.end; y++)
            for (int c = 0; c < cpu->dst.channels; c++) {
                const double v = gf_get(&cpu->dst, c, 0, y), w = gf_get(&cuda->dst, c, 0, y);

                if (pass == 0)
                    largest = fabs(v) > largest && isfinite(v) ? fabs(v) : largest;
                else if (!gf_same_value(v, w) && !(fabs(v - w) <= 1e-5 * largest + 1.001 * gf_step_of(&cpu->dst)))
                    gf_complain("on a GPU", op, cpu, c, 0, y, w, v);
            }
}

/* In three calls, each of which goes on from the one before: the same bytes as in one. */
static void try_recur_cut(const struct gf_trial *t, const struct gf_recur *r, bool on_gpu)
{
    const struct gf_block whole = t->io.dst;
    const size_t bytes = gf_block_bytes(&whole), src_size = gf_block_bytes(&t->io.src);
    unsigned char *once = malloc(bytes);
    int64_t at[4] = { whole.span.start, 0, 0, whole.span.end };
    struct gf_io io = t->io;

    at[1] = at[0] + gf_any((uint32_t)(at[3] - at[0]) + 1);
    at[2] = at[1] + gf_any((uint32_t)(at[3] - at[1]) + 1);
    memcpy(once, on_gpu ? gf_gpu_bytes : gf_cpu_bytes, bytes);
    memset(on_gpu ? gf_gpu_bytes : gf_cpu_bytes, GF_POISON, bytes);
    memset(gf_carried[0], 0, gf_carried_bytes);
    for (int i = 0; i < 3; i++) {
        io.dst = gf_block_part(&whole, (struct gf_span) { at[i], at[i + 1] });
        if ((on_gpu ? gf_run_gpu(&gf_op_recur, &io, r, src_size, bytes) : gf_run_cpu(&gf_op_recur, &io, r)) != 0)
            gf_complain("fails", &gf_op_recur, &io, 0, 0, 0, 0, 0);
        memcpy(gf_carried[0], gf_carried[on_gpu ? 2 : 1], gf_carried_bytes);
    }
    if (memcmp(once, on_gpu ? gf_gpu_bytes : gf_cpu_bytes, bytes) != 0)
        gf_complain(on_gpu ? "on a GPU depends on the cut" : "depends on the cut", &gf_op_recur, &t->io, 0, 0, at[1],
                    (double)at[2], 0);
    memset(gf_carried[0], 0, gf_carried_bytes);
    free(once);
}

/* Poles within the circle, a pair of them or two on the axis. */
static struct gf_recur_section any_section(void)
{
    static const double radii[] = { 0, 0.3, 0.9, 0.999, 0.99999 };
    const double one = radii[gf_any(5)], other = radii[gf_any(5)], angle = gf_unit_random() * 3.14159265358979;
    const bool pair = gf_any(3) > 0;

    return (struct gf_recur_section) { .b0 = gf_unit_random(), .b1 = gf_unit_random() - 0.5, .b2 = gf_any(2) ? gf_unit_random() - 0.5 : 0,
                                       .a1 = pair ? -2 * one * cos(angle) : -one - other, .a2 = pair ? one * one : one * other };
}

static void try_recur(const struct gf_form *f, bool on_gpu)
{
    static const int64_t frames[] = { 1, 2, 100, 127, 128, 129, 1000, 1024, 4095, 4097, 9000 };
    struct gf_recur r = { .sections = 1 + (int)gf_any(3) };
    struct gf_io there;
    struct gf_trial t;

    gf_start_trial(&t, f, gf_any(2));
    if (!t.smooth)
        t.smooth = gf_make_program(&t.store, t.load.out, 0, &t.io.store) && t.fill != GF_FILL_WILD && t.load.count == 0;
    t.width = 1;
    t.units = t.io.src_units = frames[gf_any(sizeof frames / sizeof *frames)];
    if (f->channels <= 2 && gf_any(4) == 0)     /* groups of chunks, too */
        t.units = t.io.src_units = GF_RECUR_CHUNK * GF_RECUR_GROUP * (1 + gf_any(3)) + gf_any(3) * gf_any(300);
    for (int k = 0; k < r.sections; k++)
        r.section[k] = any_section();
    gf_carried_bytes = (size_t)gf_recur_carry_bytes(&r, t.load.out);
    memset(gf_carried[0], 0, gf_carried_bytes);
    {
        const struct gf_span out = gf_part_of(t.units);

        t.io.src = gf_block_of(f, f->channels, gf_src_bytes, 1, gf_grown(out, gf_any(3), gf_any(3), t.units));
        t.io.dst = gf_block_of(gf_other_form(f), t.store.out, gf_cpu_bytes, 1, out);
    }
    gf_fill_block(&t.io.src, gf_block_bytes(&t.io.src), t.fill);
    there = t.io;
    memset(gf_cpu_bytes, GF_POISON, gf_block_bytes(&t.io.dst));
    memset(gf_gpu_bytes, GF_POISON, gf_block_bytes(&t.io.dst));
    if (gf_run_cpu(&gf_op_recur, &t.io, &r) != 0
        || (on_gpu && gf_run_gpu(&gf_op_recur, &there, &r, gf_block_bytes(&t.io.src), gf_block_bytes(&t.io.dst)) != 0))
        snprintf(gf_trouble, sizeof gf_trouble, "recur: %.300s", gf_failure.text);
    gf_check_poison(&gf_op_recur, &t.io.dst, gf_cpu_bytes, gf_block_bytes(&t.io.dst));
    if (on_gpu) {
        compare_near(&gf_op_recur, &t.io, &there);
        gf_check_poison(&gf_op_recur, &there.dst, gf_gpu_bytes, gf_block_bytes(&t.io.dst));
    } else if (gf_trouble[0] == '\0' && (t.smooth || (t.fill == GF_FILL_WILD && t.load.count == 0 && t.store.count == 0))) {
        compare_recur(&t.io, &r, 3e-6);
    }
    if (gf_trouble[0] == '\0')
        try_recur_cut(&t, &r, on_gpu);
    gf_carried_bytes = 0;
}

static void set_recur(struct gf_bench_call *m)
{
    *(struct gf_recur *)m->params = (struct gf_recur) { .sections = 1, .section = { { 0.25, 0.5, 0.25, -0.5, 0.25 } } };
    m->carry_bytes = (size_t)gf_recur_carry_bytes(m->params, m->src.channels);
}

static const struct gf_bench_case cases[] = {
    { .name = "recur", .what = "a recursive section, floats", .forms = "f32, f32 stereo", .set = set_recur },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_recur = { .name = "recur", .op = &gf_op_recur, .cases = cases, .sound = true, .slack = -1,
                                                     .try = try_recur };
