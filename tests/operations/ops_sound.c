/* Trials of operations on sound: units of one pixel, side by side. */
#include "ops_trials.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

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

static void slow_select(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_select *s = params;
    double v[GF_MAX_CHANNELS + 4];

    gf_loaded(io, x, y, v);
    for (int c = 0; c < io->dst.channels; c++)
        out[c] = s->from[c] < 0 ? 0 : v[s->from[c]];
}

static void try_select(const struct gf_form *f, bool on_gpu)
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

const struct gf_op_test gf_op_test_select = { .name = "select", .op = &gf_op_select,
    .try = try_select, .slow = slow_select };

static void slow_shift(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_shift *p = params;

    y = p->backwards ? p->first - y : y - p->first;
    gf_loaded(io, x, y >= io->src_units ? -1 : y, out);
}

static void try_shift(const struct gf_form *f, bool on_gpu)
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

const struct gf_op_test gf_op_test_shift = { .name = "place", .op = &gf_op_shift,
    .try = try_shift, .slow = slow_shift };

/* The frame's channels, nothing beyond the signal; returns how many. */
static int load_frame(const struct gf_io *io, int64_t x, int64_t y, double *out)
{
    gf_loaded(io, x, y < io->src_units ? y : -1, out);
    return io->load ? io->load->out : io->src.channels;
}

static void slow_echo(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_echo *e = params;
    const int channels = load_frame(io, x, y, out);
    double v[GF_MAX_CHANNELS + 4];

    for (int k = 0; k < e->count; k++) {
        load_frame(io, x, y - e->delay[k], v);
        for (int c = 0; c < channels; c++)
            out[c] += (double)e->decay[k] * v[c];
    }
}

static void try_echo(const struct gf_form *f, bool on_gpu)
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

const struct gf_op_test gf_op_test_echo = { .name = "echo", .op = &gf_op_echo, .try = try_echo, .slow = slow_echo };

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

static void slow_fade(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_fade *f = params;
    const int channels = load_frame(io, x, y, out);
    double gain = 1;

    if (y < f->in)
        gain = faded_gain(f, (double)y / (double)f->in);
    if (io->src_units - y < f->out)
        gain *= faded_gain(f, (double)(io->src_units - y) / (double)f->out);
    for (int c = 0; c < channels; c++)
        out[c] *= gain;
}

static void try_fade(const struct gf_form *f, bool on_gpu)
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

const struct gf_op_test gf_op_test_fade = { .name = "fade", .op = &gf_op_fade, .try = try_fade, .slow = slow_fade };

/* Returns the gain that frame y needs; 1 outside the signal. */
static double needed_gain(const struct gf_io *io, const struct gf_limit *l, int64_t y)
{
    const int channels = io->load ? io->load->out : io->src.channels;
    double v[GF_MAX_CHANNELS + 4], peak = 0;

    if (y < 0 || y >= io->src_units)
        return 1;
    gf_loaded(io, 0, y, v);
    for (int c = 0; c < channels; c++)
        peak = fabs(v[c]) > peak ? fabs(v[c]) : peak;
    return peak > (double)l->threshold ? (double)l->threshold / peak : 1;
}

static double limited_gain(const struct gf_io *io, const struct gf_limit *l, int64_t y)
{
    double sum = 0;

    for (int64_t a = y - l->second; a <= y + l->second; a++)
        for (int64_t b = a - l->first; b <= a + l->first; b++) {
            double least = 1;

            for (int64_t k = b - l->reach; k <= b + l->reach; k++) {
                const double g = needed_gain(io, l, k);

                least = g < least ? g : least;
            }
            sum += least;
        }
    return sum / ((2.0 * l->first + 1) * (2.0 * l->second + 1));
}

static void slow_limit(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const int channels = load_frame(io, x, y, out);
    const double gain = limited_gain(io, params, y);

    for (int c = 0; c < channels; c++)
        out[c] *= gain;
}

static void try_limit(const struct gf_form *f, bool on_gpu)
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

const struct gf_op_test gf_op_test_limit = { .name = "limit", .op = &gf_op_limit,
    .try = try_limit, .slow = slow_limit };

/* The numbers that the random bits are, and what they stand for. */
static double noise_of(const struct gf_noise *p, const struct gf_io *io, uint64_t number)
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

static void slow_noise(const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out)
{
    const struct gf_noise *p = params;
    const int channels = load_frame(io, x, y, out);

    for (int c = 0; c < channels && c < p->channels; c++)
        out[c] += (double)p->amplitude * noise_of(p, io, (uint64_t)((y * io->dst.width + x) * channels + (p->mono ? 0 : c)));
}

static void try_noise(const struct gf_form *f, bool on_gpu)
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

const struct gf_op_test gf_op_test_noise = { .name = "noise", .op = &gf_op_noise,
    .try = try_noise, .slow = slow_noise };

static void slow_resample(const struct gf_io *io, const void *params, int64_t x, int64_t n, double *out)
{
    const struct gf_resample *r = params;
    const double place = (double)n * (double)r->times / (double)r->per, part = place - floor(place);
    const double row = r->phases == 0 ? nearbyint(part * (double)r->per) : floor(part * r->phases + 1e-9);
    const double share = r->phases == 0 ? 0 : fmax(part * r->phases - row, 0);
    const float *weights = gf_tables + r->table + (int64_t)row * r->taps;
    double v[GF_MAX_CHANNELS + 4];

    (void)x;
    memset(out, 0, sizeof(double) * (size_t)io->dst.channels);
    for (int k = 0; k < r->taps; k++) {
        const int64_t at = (int64_t)floor(place) - r->taps / 2 + 1 + k;

        if (at < io->src.span.start || at >= io->src.span.end)
            continue;
        gf_loaded(io, 0, at, v);
        for (int c = 0; c < io->dst.channels; c++)
            out[c] += v[c] * (weights[k] + (share > 0 ? share * ((double)weights[k + r->taps] - weights[k]) : 0));
    }
}

static void try_resample(const struct gf_form *f, bool on_gpu)
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

const struct gf_op_test gf_op_test_resample = { .name = "resample", .op = &gf_op_resample,
    .try = try_resample, .slow = slow_resample };

static struct gf_spectrum spectra[2];

/* The GPU gets all tables at once. */
void gf_make_spectra(void)
{
    for (int i = 0; i < 2; i++) {
        spectra[i] = (struct gf_spectrum) { .size = 64 << i, .table = GF_TABLES - GF_SPECTRA + i * 128 };
        gf_spectrum_fill(&spectra[i], gf_tables + spectra[i].table);
    }
}

static void try_spectrum(const struct gf_form *f, bool on_gpu)
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

const struct gf_op_test gf_op_test_spectrum = { .name = "spectrum", .op = &gf_op_spectrum,
    .try = try_spectrum, .once = true };
