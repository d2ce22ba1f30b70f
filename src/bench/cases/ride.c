/* Cases of smoothed gains. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/ride.h"

static void slow_ride(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t n,
                      double *out)
{
    const struct gf_ride *r = params;
    double v[GF_SLOW_CHANNELS], mean = 0;

    (void)x;
    for (int64_t k = n + r->ahead - r->window + 1; k <= n + r->ahead; k++) {
        gf_slow_load(check, io, 0, k < 0 ? 0 : k < io->src_units ? k : io->src_units - 1, v);
        mean += v[gf_ride_gain_channel(r)] / r->window;
    }
    gf_slow_load(check, io, 0, n, v);
    for (int c = 0; c < r->channels; c++)
        out[c] = r->band ? v[c] - (1 - mean) * v[r->channels + c] : v[c] * mean;
}

static void try_ride(struct gf_check *check, const struct gf_form *form)
{
    struct gf_ride r = { .window = 1 + (int)gf_draw(check, gf_draw(check, 3) ? 40 : 700) };
    struct gf_trial t;
    struct gf_span out;

    (void)form;
    do
        gf_audio_draw_planes(check, &t, -1);
    while (t.form->channels == 1 || t.fill == GF_FILL_WILD);     /* wild samples are no gains */
    r.band = t.form->channels == 3 && gf_draw(check, 2);
    r.channels = t.store.out = r.band ? 1 : t.form->channels - 1;
    r.ahead = (int)gf_draw(check, (uint32_t)r.window);
    out = gf_draw_span(check, t.units);
    gf_check_trial(check, &t, &gf_op_ride, &r, gf_check_grow(out, gf_ride_before(&r), r.ahead, t.units), out, 1, t.form,
                   3e-6);
}

static void set_ride(struct gf_bench_call *m)
{
    struct gf_ride *r = m->params;

    *r = (struct gf_ride) { .channels = m->number == 1 ? 1 : m->src.channels - 1, .window = 240, .ahead = 120,
                            .band = m->number == 1 };
    m->dst.channels = r->channels;
    m->dst_bytes = gf_bench_block_shape(&m->dst, 1, m->src_units);
}

static const struct gf_bench_case cases[] = {
    { .name = "ride a gain", .what = "gain smoothed over 5 ms, floats", .forms = "planes", .one_form = true, .set = set_ride },
    { .name = "ride a band", .forms = "planes", .one_form = true, .set = set_ride, .number = 1 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_ride = { .name = "ride", .op = &gf_op_ride, .cases = cases, .sound = true,
    .slow = slow_ride, .try = try_ride };
