/* Cases of added noise. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/pixel/noise.h"

#include <math.h>
#include <string.h>

/* Returns the noise of a sample from its random bits. */
static double draw_noise(const struct gf_noise *p, const struct gf_io *io, uint64_t number)
{
    const uint64_t seed = io->signal == 0 ? p->seed : gf_noise_mix(p->seed ^ (uint64_t)io->signal);
    const uint64_t bits = gf_noise_mix(seed + number * UINT64_C(0x9E3779B97F4A7C15));
    const double high = (double)(bits >> 40), low = (double)(bits >> 8 & 0xFFFFFF), one = 16777216;
    const float u = (float)(2 * (double)(float)(bits >> 33) + 1);

    if (p->shape == GF_NOISE_TRIANGULAR)
        return (high + low - (one - 1)) / one;
    if (p->shape == GF_NOISE_UNIFORM)
        return (2 * high - (one - 1)) / one;
    return sqrt(-2 * log((double)u / 4294967296.0)) * sin((double)(int32_t)(uint32_t)bits / 2147483648.0 * asin(1));
}

static void slow_noise(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                       double *out)
{
    const struct gf_noise *p = params;
    const int channels = gf_audio_frame(check, io, x, y, out);

    for (int c = 0; c < channels && c < p->channels; c++) {
        const int64_t number = (y * io->dst.width + x) * channels + (p->mono ? 0 : c);

        out[c] += (double)p->amplitude * draw_noise(p, io, (uint64_t)number);
    }
}

static void try_noise(struct gf_check *check, const struct gf_form *f)
{
    struct gf_noise p = { .seed = gf_noise_mix(gf_draw(check, 1000)), .amplitude = (float)gf_draw_unit(check) * 0.1f,
                          .shape = (enum gf_noise_shape)gf_draw(check, 3), .mono = gf_draw(check, 2) };
    struct gf_span out;
    struct gf_trial t;

    gf_draw_trial(check, &t, f, true);
    p.channels = 1 + (int)gf_draw(check, (uint32_t)t.load.out);
    t.io.signal = gf_draw(check, 3);
    p.step = gf_draw(check, 2) ? 0 : ldexpf(1, -(int)gf_draw(check, 20));
    t.smooth = t.smooth && p.step == 0;
    out = gf_draw_span(check, t.units);
    gf_check_trial(check, &t, &gf_op_noise, &p, gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units), out,
                   t.width, gf_draw_form(check, f),
                    2e-6);
}

static void set_noise(struct gf_bench_call *m)
{
    *(struct gf_noise *)m->params = (struct gf_noise) { .seed = gf_noise_mix(1), .channels = m->src.channels,
                                                        .shape = (enum gf_noise_shape)m->number,
                                                        .amplitude = 1.0f / 256 };
}

static const struct gf_bench_case cases[] = {
    { .name = "noise", .what = "added noise, bytes", .forms = "u8, u8 rgb", .set = set_noise },
    { .name = "noise, triangular", .forms = "u8, u8 rgb", .set = set_noise, .number = GF_NOISE_TRIANGULAR },
    { .name = "noise, normal", .forms = "u8", .set = set_noise, .number = GF_NOISE_GAUSSIAN },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_noise = { .name = "noise", .op = &gf_op_noise, .cases = cases,
                                                     .slow = slow_noise,
                                                     .try = try_noise };
