/* Cases of mixing. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/cases/second_image.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "chain/side.h"
#include "kernels/sound/mix.h"

static void slow_mix(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                     double *out)
{
    const struct gf_mix *mix = params;
    const int64_t units = io->beside_units, at = y - io->beside_shift;
    const bool there = at >= 0 && (mix->loops || at < units);
    const int channels = gf_audio_frame(check, io, x, y, out);
    int64_t row = at;

    while (mix->loops && units > 0 && row >= io->beside.span.end)
        row -= units;
    for (int c = 0; there && c < channels; c++)
        out[c] += (double)mix->gain * gf_slow_sample(&io->beside, c, 0, row);
}

static void try_mix(struct gf_check *check, const struct gf_form *f)
{
    const struct gf_mix mix = { .gain = (float)(gf_draw_unit(check) * 2 - 1), .loops = gf_draw(check, 2) };
    struct gf_span out, wider, rows;
    struct gf_form other;
    struct gf_trial t;
    int64_t units;

    gf_audio_draw(check, &t, f, true);
    out = gf_draw_span(check, t.units);
    other = *gf_second_image_form(check);
    other.channels = t.load.out;
    units = 1 + gf_draw(check, (uint32_t)(2 * t.units));
    t.io.beside_units = units;
    t.io.beside_shift = gf_draw(check, 2) ? 0 : (int64_t)gf_draw(check, (uint32_t)(3 * units)) - 2 * units;
    wider = (struct gf_span) { out.start - gf_draw(check, 3), out.end + gf_draw(check, 3) };
    rows = !mix.loops ? gf_side_rows((struct gf_span) { 0, units }, t.io.beside_shift, wider)
        : gf_draw(check, 2) ? gf_side_looped_rows(units, t.io.beside_shift, wider) : (struct gf_span) { 0, units };
    gf_second_image_rows(check, &t, &other, 1, rows);
    gf_audio_check(check, &t, &gf_op_mix, &mix, gf_check_grow(out, gf_draw(check, 3), gf_draw(check, 3), t.units), out,
                   t.store.out, gf_draw_form(check, f), 2e-6);
    t.io.beside.data = NULL;
    check->second_bytes = 0;
}

static void set_mix(struct gf_bench_call *m)
{
    m->beside = true;
    *(struct gf_mix *)m->params = (struct gf_mix) { .gain = .25f };
}

static const struct gf_bench_case cases[] = {
    { .name = "mix", .what = "a recording mixed with itself, floats", .forms = "f32, f32 stereo", .set = set_mix },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_mix = { .name = "mix", .op = &gf_op_mix, .cases = cases, .sound = true,
                                                   .slow = slow_mix, .try = try_mix };
