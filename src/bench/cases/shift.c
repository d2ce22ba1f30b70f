/* Cases of moving and reversing audio in time. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/geometry/shift.h"

#include <string.h>

static void slow_shift(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                       double *out)
{
    const struct gf_shift *p = params;

    y = p->backwards ? p->first - y : y - p->first;
    gf_slow_load(check, io, x, y >= io->src_units ? -1 : y, out);
}

static void try_shift(struct gf_check *check, const struct gf_form *f)
{
    struct gf_shift p = { .backwards = gf_draw(check, 2) };
    struct gf_span out, filled, in;
    struct gf_trial t;

    gf_audio_draw(check, &t, f, false);
    p.first = (int64_t)gf_draw(check, (uint32_t)(4 * t.units)) - 2 * t.units;
    out = gf_draw_span(check, t.units + gf_draw(check, 200));
    t.io.dst.span = out;
    filled = gf_shift_filled(&p, &t.io);
    in.start = p.backwards ? p.first - filled.end + 1 : filled.start - p.first;
    in.end = p.backwards ? p.first - filled.start + 1 : filled.end - p.first;
    in = filled.end > filled.start ? gf_check_grow(in, gf_draw(check, 3), gf_draw(check, 3), t.units)
        : (struct gf_span) { t.units - 1, t.units };
    gf_audio_check(check, &t, &gf_op_shift, &p, in, out, f->channels, f, 0);
}

static void set_shift(struct gf_bench_call *m)
{
    *(struct gf_shift *)m->params = (struct gf_shift) { .first = m->src_units - 1, .backwards = true };
}

static const struct gf_bench_case cases[] = {
    { .name = "place", .what = "reversed audio, floats", .forms = "f32, f32 stereo", .set = set_shift },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_shift = { .name = "place", .op = &gf_op_shift, .cases = cases, .sound = true,
                                                     .slow = slow_shift, .try = try_shift };
