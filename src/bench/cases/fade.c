/* Cases of fades. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/fade.h"

#include <math.h>
#include <string.h>

#define RATE 48000

static double faded_gain(const struct gf_fade *f, double t)
{
    const double pi = 3.14159265358979323846;

    switch (f->shape) {
    case GF_FADE_QUARTER: return sin(t * pi / 2);
    case GF_FADE_HALF: return (1 - cos(t * pi)) / 2;
    case GF_FADE_LOG: return pow(10, -5 * (1 - t));
    case GF_FADE_PARABOLA: return 1 - (1 - t) * (1 - t);
    default: return t;
    }
}

static void slow_fade(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                      double *out)
{
    const struct gf_fade *f = params;
    const int channels = gf_audio_frame(check, io, x, y, out);
    double gain = 1;

    if (y < f->in)
        gain = faded_gain(f, (double)y / (double)f->in);
    if (io->src_units - y < f->out)
        gain *= faded_gain(f, (double)(io->src_units - y) / (double)f->out);
    for (int c = 0; c < channels; c++)
        out[c] *= gain;
}

static void try_fade(struct gf_check *check, const struct gf_form *f)
{
    struct gf_fade fade = { .shape = (enum gf_fade_shape)gf_draw(check, 5) };
    struct gf_span out;
    struct gf_trial t;

    gf_audio_draw(check, &t, f, true);
    fade.in = gf_draw(check, 3) ? gf_draw(check, (uint32_t)(2 * t.units)) : 0, fade.out = gf_draw(check, 3)
        ? gf_draw(check, (uint32_t)(2 * t.units)) : 0;
    out = gf_draw_span(check, t.units);
    gf_audio_check(check, &t, &gf_op_fade, &fade, gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units),
                   out, t.store.out, gf_draw_form(check, f),
                 2e-6);
}

static void set_fade(struct gf_bench_call *m)
{
    *(struct gf_fade *)m->params = (struct gf_fade) { .in = RATE, .out = RATE, .shape = GF_FADE_HALF };
}

static const struct gf_bench_case cases[] = {
    { .name = "fade", .what = "fade in and out, floats", .forms = "f32, f32 stereo", .set = set_fade },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_fade = { .name = "fade", .op = &gf_op_fade, .cases = cases, .sound = true,
                                                    .slow = slow_fade, .try = try_fade };
