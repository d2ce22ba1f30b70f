/* Cases of echoes. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/echo.h"

#include <math.h>
#include <string.h>

#define RATE 48000

static void slow_echo(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                      double *out)
{
    const struct gf_echo *e = params;
    const int channels = gf_audio_frame(check, io, x, y, out);
    double v[GF_SLOW_CHANNELS];

    for (int k = 0; k < e->count; k++) {
        gf_audio_frame(check, io, x, y - e->delay[k], v);
        for (int c = 0; c < channels; c++)
            out[c] += (double)e->decay[k] * v[c];
    }
}

static void try_echo(struct gf_check *check, const struct gf_form *f)
{
    struct gf_echo e = { .count = 1 + (int)gf_draw(check, GF_ECHOES) };
    int64_t longest = 0;
    struct gf_span out, in;
    struct gf_trial t;

    gf_audio_draw(check, &t, f, true);
    for (int k = 0; k < e.count; k++) {
        e.delay[k] = gf_draw(check, (uint32_t)(2 * t.units));
        e.decay[k] = (float)(gf_draw_unit(check) * 2 - 1);
        longest = e.delay[k] > longest ? e.delay[k] : longest;
    }
    out = gf_draw_span(check, t.units + longest);
    in = gf_check_grow(out, longest, 0, t.units);
    in.start = in.start < in.end ? in.start : in.end - 1;
    gf_audio_check(check, &t, &gf_op_echo, &e, in, out, t.store.out, gf_draw_form(check, f), 3e-6);
}

static void set_echo(struct gf_bench_call *m)
{
    *(struct gf_echo *)m->params = (struct gf_echo) { .count = 1, .delay = { RATE / 10 }, .decay = { 0.5f } };
}

/* A multiplication and an addition for each echo. */
static double count_flop(const struct gf_bench_call *m)
{
    const struct gf_echo *e = m->params;

    return 2.0 * e->count * (double)(m->src_units * m->src.channels);
}

static const struct gf_bench_case cases[] = {
    { .name = "echo", .what = "one echo, floats", .forms = "f32, f32 stereo", .set = set_echo, .flop = count_flop },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_echo = { .name = "echo", .op = &gf_op_echo, .cases = cases, .sound = true,
                                                    .slow = slow_echo, .try = try_echo };
