/* Trials of operations on sound: units of one pixel, side by side. */
#include "ops_trials.h"
#include "table/table.h"

#include <math.h>

#include "kernels/sound/echo.h"
#include "kernels/sound/fade.h"
#include "kernels/sound/limit.h"
#include "kernels/pixel/noise.h"
#include "ops_slow.h"
#include "kernels/geometry/shift.h"
#include "kernels/geometry/select.h"

static void start_sound(struct gf_trial *t, const struct gf_form *f, bool programs)
{
    gf_start_trial(t, f, programs);
    t->width = 1;
    t->units = 1 + gf_any(gf_any(4) ? 300 : 3000);
    t->io.src_units = t->units;
}

static void finish_sound(struct gf_trial *t, bool on_gpu, const struct gf_operation *op, const void *params, struct gf_span in,
                         struct gf_span out,
                         int channels, const struct gf_form *to, double slack)
{
    size_t src_size, dst_size;

    t->io.src = gf_block_of(t->form, t->form->channels, gf_src_bytes, 1, in);
    t->io.dst = gf_block_of(to, channels, gf_cpu_bytes, 1, out);
    t->io.src.pitch_samples = t->form->planar ? 1 : t->form->channels;
    t->io.dst.pitch_samples = to->planar ? 1 : channels;
    src_size = gf_block_bytes(&t->io.src);
    dst_size = gf_block_bytes(&t->io.dst);
    gf_fill_block(&t->io.src, src_size, t->fill);
    gf_try_call(on_gpu, op, &t->io, params, src_size, dst_size, t->smooth ? slack : -1);
}

void gf_try_select(const struct gf_form *f, bool on_gpu)
{
    const int outs = 1 + (int)gf_any(8);
    struct gf_select s;
    struct gf_trial t;
    struct gf_span out;

    gf_start_trial(&t, f, false);
    for (int o = 0; o < outs; o++)
        s.from[o] = (signed char)((int)gf_any((uint32_t)f->channels + 1) - 1);
    out = gf_part_of(t.units);
    t.store.out = outs;
    gf_finish_trial(&t, on_gpu, &gf_op_select, &s, gf_grown(out, gf_any(3), gf_any(3), t.units), out, t.width, f, 0);
}

void gf_try_shift(const struct gf_form *f, bool on_gpu)
{
    struct gf_shift p = { .backwards = gf_any(2) };
    struct gf_span out, filled, in;
    struct gf_trial t;

    start_sound(&t, f, false);
    p.first = (int64_t)gf_any((uint32_t)(4 * t.units)) - 2 * t.units;
    out = gf_part_of(t.units + gf_any(200));
    t.io.dst.span = out;
    filled = gf_shift_filled(&p, &t.io);
    in = p.backwards ? (struct gf_span) { p.first - filled.end + 1,
                                          p.first - filled.start + 1 } : (struct gf_span) { filled.start - p.first,
                                                                                            filled.end - p.first };
    in = filled.end > filled.start ? gf_grown(in, gf_any(3), gf_any(3), t.units) : (struct gf_span) { t.units - 1, t.units };
    finish_sound(&t, on_gpu, &gf_op_shift, &p, in, out, f->channels, f, 0);
}

void gf_try_echo(const struct gf_form *f, bool on_gpu)
{
    struct gf_echo e = { .count = 1 + (int)gf_any(GF_ECHOES) };
    int64_t longest = 0;
    struct gf_span out, in;
    struct gf_trial t;

    start_sound(&t, f, true);
    for (int k = 0; k < e.count; k++) {
        e.delay[k] = gf_any((uint32_t)(2 * t.units));
        e.decay[k] = (float)(gf_unit_random() * 2 - 1);
        longest = e.delay[k] > longest ? e.delay[k] : longest;
    }
    out = gf_part_of(t.units + longest);
    in = gf_grown(out, longest, 0, t.units);
    in.start = in.start < in.end ? in.start : in.end - 1;
    finish_sound(&t, on_gpu, &gf_op_echo, &e, in, out, t.store.out, gf_other_form(f), 3e-6);
}

void gf_try_fade(const struct gf_form *f, bool on_gpu)
{
    struct gf_fade fade = { .shape = (enum gf_fade_shape)gf_any(5) };
    struct gf_span out;
    struct gf_trial t;

    start_sound(&t, f, true);
    fade.in = gf_any(3) ? gf_any((uint32_t)(2 * t.units)) : 0, fade.out = gf_any(3) ? gf_any((uint32_t)(2 * t.units)) : 0;
    out = gf_part_of(t.units);
    finish_sound(&t, on_gpu, &gf_op_fade, &fade, gf_grown(out, gf_any(3), gf_any(3), t.units), out, t.store.out, gf_other_form(f),
                 2e-6);
}

void gf_try_limit(const struct gf_form *f, bool on_gpu)
{
    struct gf_limit l = { .reach = (int)gf_any(gf_any(8) ? 6 : 12), .threshold = 0.02f + 0.8f * (float)gf_unit_random() };
    struct gf_span out;
    struct gf_trial t;

    start_sound(&t, f, true);
    l.first = (int)gf_any((uint32_t)l.reach + 1), l.second = (int)gf_any((uint32_t)(l.reach - l.first) + 1);
    out = gf_part_of(t.units < 400 ? t.units : 400);
    if (on_gpu && gf_any(4) == 0)                           /* longer ones by their bits alone: slow is very slow here */
        l.reach = 240, l.first = l.second = 120;
    finish_sound(&t, on_gpu, &gf_op_limit, &l, gf_grown(out, gf_limit_halo(&l), gf_limit_halo(&l), t.units), out, t.store.out,
                 gf_other_form(f), 3e-6);
}

void gf_try_noise(const struct gf_form *f, bool on_gpu)
{
    struct gf_noise p = { .seed = gf_noise_mix(gf_any(1000)), .amplitude = (float)gf_unit_random() * 0.1f,
                          .shape = (enum gf_noise_shape)gf_any(3), .mono = gf_any(2) };
    struct gf_span out;
    struct gf_trial t;

    gf_start_trial(&t, f, true);
    p.channels = 1 + (int)gf_any((uint32_t)t.load.out);
    t.io.signal = gf_any(3);
    p.step = gf_any(2) ? 0 : ldexpf(1, -(int)gf_any(20));
    t.smooth = t.smooth && p.step == 0;
    out = gf_part_of(t.units);
    gf_finish_trial(&t, on_gpu, &gf_op_noise, &p, gf_grown(out, gf_any(3), gf_any(3), t.units), out, t.width, gf_other_form(f),
                    2e-6);
}

void gf_try_resample(const struct gf_form *f, bool on_gpu)
{
    struct gf_resample r = { .times = 1 + gf_any(12), .per = 1 + gf_any(12), .taps = GF_RESAMPLE_SUMS * (1 + (int)gf_any(4)),
                             .table = 4 * gf_any(20) };
    struct gf_trial t;
    struct gf_span out;

    if (gf_any(3) == 0) {                              /* many rows; or so many taps that a GPU takes another way */
        r.times = 1 + gf_any(900), r.per = 1 + gf_any(gf_any(2) ? 600 : 20);
        r.taps = GF_RESAMPLE_SUMS * (1 + (int)gf_any(gf_any(4) ? 20 : 700));
    }
    r.phases = gf_any(2) ? 1 + (int)gf_any(9) : 0;
    if (r.per * r.taps > GF_TABLES / 2)
        r.per = 1 + gf_any(20);
    f = &gf_forms[12 + gf_any(3)];                     /* planes */
    gf_start_trial(&t, f, false);
    t.units *= t.width;
    t.units = gf_any(4) ? t.units : 1 + gf_any(20000);
    t.units = t.units * r.per / r.times < 60000 ? t.units : 60000 * r.times / r.per + 1;
    t.width = 1;
    t.io.src_units = t.units;
    out = gf_part_of(gf_ceil_div(t.units * r.per, r.times));
    gf_finish_trial(&t, on_gpu, &gf_op_resample, &r,
                    gf_grown((struct gf_span) { out.start * r.times / r.per, gf_ceil_div(out.end * r.times, r.per) },
                             r.taps / 2 - 1, r.taps / 2, t.units),
                    out, 1, f, 2e-6);
}

static struct gf_spectrum spectra[2];

/* The GPU gets all tables at once. */
void gf_make_spectra(void)
{
    for (int i = 0; i < 2; i++) {
        spectra[i] = (struct gf_spectrum) { .size = 64 << i, .table = GF_TABLES - GF_SPECTRA + i * 128 };
        gf_spectrum_fill(&spectra[i], gf_tables + spectra[i].table);
    }
}

void gf_try_spectrum(const struct gf_form *f, bool on_gpu)
{
    struct gf_spectrum s = { .stretch = 1 + gf_any(90), .size = 64 << gf_any(2) };
    struct gf_trial t;
    struct gf_span out;

    s.windows = (int)gf_ceil_div(2 * s.stretch, s.size) + (int)gf_any(2);
    s.table = spectra[s.size / 128].table;
    s.scale = spectra[s.size / 128].scale;
    f = &gf_forms[12 + gf_any(3)];                     /* planes */
    gf_start_trial(&t, f, false);
    t.fill = t.fill == GF_FILL_WILD ? (enum gf_fill)0 : t.fill;
    t.units *= t.width;
    t.units = t.units < 600 ? t.units : 600;
    t.width = 1;
    t.io.src_units = t.units;
    out = gf_part_of(gf_ceil_div(t.units, s.stretch));
    gf_finish_trial(&t, on_gpu, &gf_op_spectrum, &s,
                    gf_grown((struct gf_span) { out.start * s.stretch,
                                                out.end * s.stretch < t.units ? out.end * s.stretch : t.units }, s.size / 2,
                                                s.size / 2, t.units),
                    out, s.size / 2 + 1, f, -1);
}
