/* Cases of prefix sums, which go on from the units before. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/statistics/prefix.h"

#include <math.h>
#include <string.h>

/* Returns the value that counts as one in the state of prefix sums, where stored whole numbers are added as they are. */
static double prefix_one(const struct gf_io *io)
{
    const bool whole = !io->src.planar && (io->src.type == GF_U8 || io->src.type == GF_U16) && (io->load == NULL || io->load->count == 0);

    return whole ? (double)io->src.maxval : 0;
}

/* Added up one by one, from the state before the call; where sums are exact, results are off by the rounding of a float at most. */
static void compare_prefix(const struct gf_io *io, const struct gf_prefix *p, double slack)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    const double step = gf_step_of(&io->dst), whole = prefix_one(io), one = whole > 0 ? whole : 1;
    const bool exact = whole > 0 && step == 0 && (io->store == NULL || io->store->count == 0);
    double v[GF_MAX_CHANNELS + 4], largest = 1e-3;
    static double down[GF_MAX_CHANNELS * 300];

    for (int pass = 0; pass < 2; pass++) {
        memcpy(down, gf_carried[0], gf_carried_bytes);
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++) {
            double along[GF_MAX_CHANNELS] = { 0 };

            for (int64_t x = 0; x < io->dst.width; x++) {
                gf_loaded(io, x, y, v);
                for (int c = 0; c < p->colours; c++) {
                    const double sample = whole > 0 ? rint(v[c] * one) : v[c];

                    along[c] += sample;
                    v[c] = p->along_columns ? along[c] : sample;
                    if (p->along_units)
                        v[c] = down[c * io->dst.width + x] += v[c];
                    v[c] /= one;
                }
                for (int c = 0; c < channels && pass == 0; c++)
                    largest = fabs(v[c]) > largest ? fabs(v[c]) : largest;
                gf_run_program(io->store, v);
                for (int c = 0; c < io->dst.channels; c++) {
                    const double got = gf_get(&io->dst, c, x, y);
                    const double w = step > 0 ? gf_clamp(v[c], io->dst.type == GF_U8 || io->dst.type == GF_U16 ? 0 : -1, 1) : v[c];

                    if (pass == 0)
                        largest = fabs(w) > largest ? fabs(w) : largest;
                    else if (!(fabs(got - w) <= (exact ? fabs(w) * 0x1.0001p-24 : slack * largest + 1.001 * step)))
                        gf_complain("on a CPU", &gf_op_prefix, io, c, x, y, got, w);
                }
            }
        }
    }
}

/* In two calls, the second of which goes on from the first: the same bytes as in one. */
static void try_prefix_cut(const struct gf_trial *t, const struct gf_prefix *p)
{
    const struct gf_block whole = t->io.dst;
    const int64_t middle = whole.span.start + 1 + gf_any((uint32_t)gf_span_units(whole.span) - 1);
    const size_t bytes = gf_block_bytes(&whole);
    struct gf_io io = t->io;

    memset(gf_gpu_bytes, GF_POISON, bytes);
    io.dst.data = gf_gpu_bytes + ((unsigned char *)whole.data - gf_cpu_bytes);
    const struct gf_block all = io.dst;

    io.dst = gf_block_part(&all, (struct gf_span) { whole.span.start, middle });
    memcpy(gf_carried[2], gf_carried[1], gf_carried_bytes);
    if (gf_run_cpu(&gf_op_prefix, &io, p) != 0)
        gf_complain("fails", &gf_op_prefix, &io, 0, 0, 0, 0, 0);
    memcpy(gf_carried[0], gf_carried[1], gf_carried_bytes);
    io.dst = gf_block_part(&all, (struct gf_span) { middle, whole.span.end });
    if (gf_run_cpu(&gf_op_prefix, &io, p) != 0 || memcmp(gf_cpu_bytes, gf_gpu_bytes, bytes) != 0
        || memcmp(gf_carried[1], gf_carried[2], gf_carried_bytes) != 0)
        gf_complain("depends on the cut", &gf_op_prefix, &io, 0, 0, middle, 0, 0);
}

static void try_prefix(const struct gf_form *f, bool on_gpu)
{
    const bool columns = gf_any(3) > 0;
    struct gf_prefix p = { .along_columns = columns, .along_units = !columns || gf_any(2) };
    struct gf_span out;
    struct gf_trial t;

    gf_start_trial(&t, f, gf_any(2));
    if (f->channels <= 4 && gf_any(4) == 0)                 /* around a tile */
        t.width = 255 + gf_any(45);
    if (f->channels <= 4 && gf_any(4) == 0)                 /* several bands */
        t.units = 64 + gf_any(140);
    if (f->channels == 1 && gf_any(6) == 0)                 /* longer rows than a block has threads for */
        t.width = 4000 + 4 * gf_any(50) + (gf_any(2) ? gf_any(4) : 0),
            t.units = 1 + gf_any(f->type == GF_U8 && t.store.out == 1 ? 140 : 20);
    t.io.src_units = t.units;
    out = gf_part_of(t.units);
    p.colours = t.load.out - (t.load.out > 1 && gf_any(2));
    t.io.src.planar = f->planar, t.io.src.type = f->type, t.io.src.maxval = f->maxval;
    gf_carried_bytes = (size_t)gf_prefix_carry_bytes(&p, t.width);
    for (size_t i = 0; i < gf_carried_bytes / sizeof(double); i++)
        gf_carried[0][i] = !gf_any(3) ? 0 : prefix_one(&t.io) > 0 ? gf_any(gf_any(2) ? 30000 : 1u << 30) * 4096.0 : gf_unit_random() * 100;
    gf_finish_trial(&t, on_gpu, &gf_op_prefix, &p, gf_grown(out, gf_any(3), gf_any(3), t.units), out, t.width, gf_other_form(f),
                    -1);
    if (on_gpu && gf_trouble[0] == '\0' && t.fill != GF_FILL_WILD && memcmp(gf_carried[1], gf_carried[2], gf_carried_bytes) != 0)
        gf_complain("on a GPU: other state", &gf_op_prefix, &t.io, 0, 0, 0, 0, 0);
    if (!on_gpu && gf_trouble[0] == '\0' && t.smooth)
        compare_prefix(&t.io, &p, 3e-6);
    if (!on_gpu && gf_trouble[0] == '\0' && gf_span_units(out) > 1)
        try_prefix_cut(&t, &p);
    gf_carried_bytes = 0;
}

static void set_prefix(struct gf_bench_call *m)
{
    *(struct gf_prefix *)m->params = (struct gf_prefix) { .along_columns = true, .along_units = m->number == 0, .colours = m->src.channels };
    m->carry_bytes = (size_t)gf_prefix_carry_bytes(m->params, m->src.width);
    gf_bench_block_type(&m->dst, GF_F32, m->src.channels, m->dst.planar);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

static const struct gf_bench_case cases[] = {
    { .name = "integral", .what = "sums of all above and on the left, bytes to floats", .forms = "u8, u8 rgb, u16, f32", .set = set_prefix,
      .peers = { { "NPP Integral", "u8", gf_npp_integral } }, .stages = "integral", .opencv = "cv2.integral(a, b)" },
    { .name = "cumsum", .forms = "u8", .set = set_prefix, .number = 1 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_prefix = { .name = "prefix", .op = &gf_op_prefix, .cases = cases, .slack = -1, .try = try_prefix };
