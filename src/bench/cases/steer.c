/* Cases of slow gains towards a loudness. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/steer.h"

#include <math.h>

#define SLACK 3e-4                       /* of gains of up to 2^2, which are rounded to 1/65536 octave */

/* Returns the energy of a block, the frames before `first` left out. */
static double find_energy(const struct gf_check *check, const struct gf_io *io, const struct gf_steer *s, int64_t block,
                          int64_t first)
{
    double v[GF_SLOW_CHANNELS], energy = 0;

    for (int64_t n = block * s->block_units; n < (block + 1) * s->block_units; n++) {
        if (n < first)
            continue;
        gf_slow_load(check, io, 0, n, v);
        for (int c = s->kept; c < io->src.channels; c++) {
            const double x = fmin(fabs(v[c] * (double)s->root[c - s->kept]), GF_FOLLOW_MOST);

            energy += isfinite(v[c]) ? floor(x * x * 0x1p32 + 0.5) * 0x1p-32 : 0;
        }
    }
    return energy / (double)s->block_units;
}

static void compare_steer(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_steer *s = params;
    const int64_t start = io->dst.span.start, end = io->dst.span.end;
    double v[GF_SLOW_CHANNELS], sum = 0, count = 0, octaves = 0;

    for (int64_t n = start; n < end; n++) {
        if (n > start && n % s->block_units == 0) {
            const double energy = find_energy(check, io, s, n / s->block_units - 1, start);

            if (energy >= s->gate) {
                sum = sum * s->decay + energy;
                count = count * s->decay + 1;
                octaves = ((double)s->target / GF_OCTAVE - log2(sum / count) - 126) / 2;
                octaves = fmax(-(double)s->most / GF_OCTAVE, fmin((double)s->most / GF_OCTAVE, octaves));
            }
        }
        gf_slow_load(check, io, 0, n, v);
        for (int c = 0; c < s->kept; c++)
            gf_check_sample(check, &gf_op_steer, io, c, 0, n, v[c], 0);
        gf_check_sample(check, &gf_op_steer, io, s->kept, 0, n, exp2(octaves), slack);
    }
}

static void try_steer(struct gf_check *check, const struct gf_form *form)
{
    struct gf_steer s = { .block_units = 1 + gf_draw(check, 200), .decay = gf_draw_unit(check),
                          .gate = gf_draw(check, 2) ? 0.1 * gf_draw_unit(check) : 0,
                          .target = GF_OCTAVES_OF_ONE - (int32_t)gf_draw(check, 8 * GF_OCTAVE),
                          .most = (int32_t)gf_draw(check, 2 * GF_OCTAVE) };
    struct gf_trial t;
    struct gf_span out;

    (void)form;
    do
        gf_audio_draw_planes(check, &t, 1);
    while (t.form->channels == 1);
    s.kept = 1 + (int)gf_draw(check, (uint32_t)t.form->channels - 1);
    t.store.out = s.kept + 1;
    for (int c = 0; c < t.form->channels - s.kept; c++)
        s.root[c] = gf_draw(check, 2) ? 1.0f : (float)gf_draw_unit(check);
    out = gf_draw_span(check, t.units);
    check->carried_bytes = sizeof(struct gf_steer_state);
    gf_check_trial(check, &t, &gf_op_steer, &s, out, out, 1, t.form, SLACK);
    if (check->problem[0] == '\0')
        gf_audio_check_cut(check, &t, &gf_op_steer, &s);
    check->carried_bytes = 0;
}

static void set_steer(struct gf_bench_call *m)
{
    struct gf_steer *s = m->params;

    *s = (struct gf_steer) { .kept = m->src.channels - 1, .block_units = 4800, .decay = 0.98, .gate = 1e-5,
                             .target = GF_OCTAVES_OF_ONE - 6 * GF_OCTAVE, .most = 3 * GF_OCTAVE, .root = { 1 } };
    m->carry_bytes = sizeof(struct gf_steer_state);
}

static const struct gf_bench_case cases[] = {
    { .name = "steer", .what = "slow gain towards a loudness, floats", .forms = "planes", .one_form = true, .set = set_steer },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_steer = { .name = "steer", .op = &gf_op_steer, .cases = cases,
    .sound = true, .compare = compare_steer, .slack = SLACK, .try = try_steer };
