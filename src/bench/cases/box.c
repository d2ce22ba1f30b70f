/* Cases of running means. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/npp.h"
#include "kernels/neighbourhood/box.h"

#include <string.h>

extern const struct gf_bench_group gf_bench_group_box;

static void slow_box(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                     double *out)
{
    const struct gf_box *b = params;
    const int channels = gf_slow_channels(io) - b->copied;
    double v[GF_SLOW_CHANNELS];

    gf_slow_load(check, io, x, y, out);
    memset(out, 0, (size_t)channels * sizeof *out);
    for (int i = -b->radius; i <= b->radius; i++) {
        gf_slow_load(check, io, b->along_units ? x : gf_border_index(b->border, x + i, io->src.width),
                  b->along_units ? gf_border_index(b->border, y + i, io->src_units) : y, v);
        for (int c = 0; c < channels; c++)
            out[c] += v[c] / (2 * b->radius + 1);
    }
}

static void try_box(struct gf_check *check, const struct gf_form *f)
{
    static const int radii[] = { 0, 1, 2, 3, 7, 8, 20, 63, 64, 100, 511 };
    struct gf_box b = { .radius = radii[gf_draw(check, sizeof radii / sizeof *radii)], .along_units = gf_draw(check, 2),
                        .border = (enum gf_border)gf_draw(check, 5) };
    const int64_t reach = b.along_units ? b.radius : 0;
    struct gf_trial t;
    struct gf_span out, in;

    gf_draw_trial(check, &t, f, true);
    b.copied = gf_draw(check, 3) == 0 ? (int)gf_draw(check, (uint32_t)t.load.out) : 0;
    out = gf_draw_span(check, t.units);
    in = b.along_units && b.border == GF_WRAP ? (struct gf_span) { 0, t.units }
                                              : gf_check_grow(out, reach, reach, t.units);
    gf_check_trial(check, &t, &gf_op_box, &b, in, out, t.width, gf_draw_form(check, f), 3e-6);
}

static void set_box(struct gf_bench_call *m)
{
    *(struct gf_box *)m->params = (struct gf_box) { .radius = m->number / 2, .border = GF_CLAMP };
}

static void set_box_down(struct gf_bench_call *m)
{
    set_box(m);
    ((struct gf_box *)m->params)->along_units = true;
}

/* The first direction writes planes for the second one. */
static void set_first_box(struct gf_bench_call *m)
{
    set_box(m);
    gf_bench_block_type(&m->dst, GF_F32, m->src.channels, true);
    m->dst_bytes = gf_bench_block_shape(&m->dst, m->src.width, m->src_units);
}

static const struct gf_bench_case down[] = {
    { .name = "down 5", .forms = "u8", .set = set_box_down, .number = 5 },
    { .name = "down 41", .forms = "u8", .set = set_box_down, .number = 41 },
    { .name = "down 401", .forms = "u8", .set = set_box_down, .number = 401 },
};

static const struct gf_bench_case cases[] = {
    { .name = "means of 41", .what = "box mean of 41 along rows, bytes", .forms = "u8", .set = set_box, .number = 41 },
    { .name = "means of 41 down", .forms = "u8, plane", .set = set_box_down, .number = 41 },
    { .name = "box 5x5", .forms = "u8", .set = set_first_box, .number = 5,
      .next = { { &gf_bench_group_box, &down[0], false } },
      .peers = { { "NPP FilterBox", NULL, gf_npp_box } } },
    { .name = "box 41x41", .forms = "u8", .set = set_first_box, .number = 41,
      .next = { { &gf_bench_group_box, &down[1], false } },
      .peers = { { "NPP FilterBox", NULL, gf_npp_box } }, .stages = "box:20", .opencv = "cv2.blur(a, (41, 41), b)" },
    { .name = "box 401x401", .forms = "u8", .set = set_first_box, .number = 401,
      .next = { { &gf_bench_group_box, &down[2], false } } },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_box = { .name = "box", .op = &gf_op_box, .cases = cases, .slow = slow_box,
                                                   .try = try_box };
