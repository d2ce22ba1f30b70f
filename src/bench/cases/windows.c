/* Cases of spectra of overlapping windows, of the signal that they add up to, and of gains that reduce noise. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/hush.h"
#include "kernels/sound/powers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLACK 1e-5                       /* a part of the largest value: transforms round at each level */
#define HUSH_SLACK 2e-3                  /* rounding errors go on from block to block */
#define MOST 2048                        /* frames of the largest window */

static struct gf_hush hushes[2];

/* Fills tables for windows of 128 and 256 frames: windows, order, rank, and a noise. */
static void make_windows(struct gf_check *check)
{
    int64_t at = GF_CHECK_TABLES - GF_CHECK_RINGS - GF_CHECK_WINDOWS;
    double tree[MOST];
    int order[MOST / 2];

    for (int i = 0; i < 2; i++) {
        struct gf_hush *h = &hushes[i];
        const int values = 64 << i;

        h->windows = (struct gf_windows) { .size = 2 * values, .table = at };
        gf_windows_fill(&h->windows, tree, check->tables + at);
        gf_windows_order(&h->windows, order);
        h->order = at + gf_windows_entries(&h->windows);
        h->rank = h->order + values;
        h->profile = h->rank + values;
        for (int k = 0; k < values; k++) {
            check->tables[h->order + k] = (float)order[k];
            check->tables[h->rank + order[k]] = (float)k;
            check->tables[h->profile + k] = 0.5f + (float)k;
        }
        at = h->profile + values;
    }
}

/* Returns the frequency of the value that is stored at `place`, in turns a frame; those above 1/2 are negative ones. */
static double turn_of(int points, int place)
{
    double turn = .25;
    int p = 0;

    while (gf_fft_place(p) != place)
        p++;
    for (int bit = points / 2; bit > 0; bit /= 2)
        turn = turn / 2 + ((p & bit) != 0 ? .5 : 0);
    return turn;
}

/* Reports the largest error if it is too large. */
static void judge(struct gf_check *check, const struct gf_operation *op, const struct gf_io *io, double worst,
                  double largest, double slack)
{
    if (!(worst <= slack * largest))
        gf_check_report(check, "and the sums differ", op, io, 0, 0, io->dst.span.start, worst, largest);
}

static void compare_analyze(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_windows *w = params;
    const int step = gf_windows_step(w);
    const float *weight = check->tables + w->table;
    double worst = 0, largest = 1e-9;

    for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++)
        for (int c = 0; c < io->dst.channels; c++) {
            const int64_t first = n / step * step + step - w->size;
            const double turn = turn_of(w->size / 2, c % 2 * step + (int)(n % step));
            double re = 0, im = 0, wanted;

            for (int i = 0; i < w->size; i++) {
                const int64_t at = first + i;
                const double x = at >= 0 && at < io->src_units ? gf_slow_sample(&io->src, c / 4, 0, at) : 0;

                re += x * (double)weight[i] * cos(2 * M_PI * turn * i);
                im += x * (double)weight[i] * sin(2 * M_PI * turn * i);
            }
            wanted = n / step * step + step > io->src_units + w->size ? 0 : c % 4 < 2 ? re : im;
            check->compared++;
            largest = fmax(largest, fabs(wanted));
            worst = fmax(worst, fabs(gf_slow_sample(&io->dst, c, 0, n) - wanted));
        }
    judge(check, &gf_op_analyze, io, worst, largest, slack);
}

/* Returns frame i of the window of block `block`, from its values. */
static double frame_of(const struct gf_io *io, const struct gf_windows *w, int c, int64_t block, int i)
{
    const int points = w->size / 2, step = gf_windows_step(w);
    double sum = 0;

    for (int place = 0; place < points; place++) {
        const int64_t at = block * step + place % step;
        const double re = gf_slow_sample(&io->src, 4 * c + place / step, 0, at);
        const double im = gf_slow_sample(&io->src, 4 * c + 2 + place / step, 0, at);
        const double angle = -2 * M_PI * turn_of(points, place) * (i % points);

        sum += i < points ? re * cos(angle) - im * sin(angle) : re * sin(angle) + im * cos(angle);
    }
    return sum / points;
}

static void compare_synthesize(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_windows *w = params;
    const int step = gf_windows_step(w);
    double worst = 0, largest = 1e-9;

    for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++)
        for (int c = 0; c < io->dst.channels; c++) {
            double wanted = 0;

            for (int k = 0; k < GF_WINDOWS_OVERLAP; k++) {
                const int i = (GF_WINDOWS_OVERLAP - 1 - k) * step + (int)(n % step);

                wanted += frame_of(io, w, c, n / step + k, i) * (double)check->tables[w->table + i] / 2;
            }
            check->compared++;
            largest = fmax(largest, fabs(wanted));
            worst = fmax(worst, fabs(gf_slow_sample(&io->dst, c, 0, n) - wanted));
        }
    judge(check, &gf_op_synthesize, io, worst, largest, slack);
}

/* ---- gains ---- */

struct slow_value {
    double noise, before, presence, gain;
};

static double slow_noise(const struct gf_hush *h, struct slow_value *s, double power, int64_t block)
{
    const double noise_kept = (double)h->noise_kept, presence_kept = (double)h->presence_kept;
    const double p = 1 / (1 + 32.622777 * exp(-0.969346 * fmin(power / s->noise, 80)));
    double q;

    if (block <= GF_HUSH_FIRST)
        return power;
    if (block < GF_HUSH_START)
        return s->noise + (power - s->noise) / (double)(block - GF_HUSH_FIRST + 1);
    s->presence = presence_kept * s->presence + (1 - presence_kept) * p;
    q = s->presence > 0.99 ? fmin(p, 0.99) : p;
    return noise_kept * s->noise + (1 - noise_kept) * (q * s->noise + (1 - q) * power);
}

/* Moves the values of a channel on by a block; those of `value` are in the order of frequencies. */
static void slow_block(const struct gf_check *check, const struct gf_io *io, const struct gf_hush *h, int c,
                       int64_t block, struct slow_value *value)
{
    const int values = h->windows.size / 2, step = gf_windows_step(&h->windows);
    double raw[MOST / 2];

    for (int k = 0; k < values; k++) {
        const int place = (int)check->tables[h->order + k];
        const int64_t at = block * step + place % step;
        const double re = gf_slow_sample(&io->src, 4 * c + place / step, 0, at);
        const double im = gf_slow_sample(&io->src, 4 * c + 2 + place / step, 0, at), power = re * re + im * im;
        struct slow_value *s = &value[k];
        double prior;

        s->noise = fmax(s->noise, 1e-20);
        s->noise = fmax(1e-20, h->profile >= 0 ? (double)check->tables[h->profile + place]
                                               : slow_noise(h, s, power, block));
        prior = (double)h->blend * s->before / s->noise + (1 - (double)h->blend) * fmax(0, power / s->noise - 1);
        prior = fmin(1e9, fmax(0.003, prior));
        s->before = prior / (1 + prior) * prior / (1 + prior) * power;
        raw[k] = fmax((double)h->least, s->before / (s->before + s->noise));
    }
    for (int k = 0; k < values; k++)
        value[k].gain = fmax(raw[k], (raw[k > 0 ? k - 1 : 0] + 2 * raw[k] + raw[k + 1 < values ? k + 1 : k]) / 4);
}

static void compare_hush(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_hush *h = params;
    const int step = gf_windows_step(&h->windows), values = 2 * step;
    static struct slow_value value[MOST / 2];
    double worst = 0, largest = 1e-9;

    for (int c = 0; c < h->channels; c++) {
        memset(value, 0, (size_t)values * sizeof *value);
        for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++) {
            if (n % step == 0 && n + step <= io->src_units)
                slow_block(check, io, h, c, n / step, value);
            for (int q = 0; q < GF_WINDOWS_OVERLAP; q++) {
                const int k = (int)check->tables[h->rank + q % 2 * step + n % step];
                const double x = gf_slow_sample(&io->src, 4 * c + q, 0, n), wanted = x * value[k].gain;

                check->compared++;
                largest = fmax(largest, fabs(x));
                worst = fmax(worst, fabs(gf_slow_sample(&io->dst, 4 * c + q, 0, n) - wanted));
            }
        }
    }
    judge(check, &gf_op_hush, io, worst, largest, slack);
}

static void compare_powers(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_powers *p = params;
    const int step = gf_windows_step(&p->windows), size = p->windows.size, values = size / 2;
    const int64_t block = (int64_t)GF_POWERS_STEPS * step;
    const float *weight = check->tables + p->windows.table;
    const double *got = io->dst.data;
    double worst = 0, largest = 1e-9;

    for (int64_t y = io->dst.span.start; y < io->dst.span.end; y += block)
        for (int i = 0; i < values; i++, got++) {
            double wanted = 0;

            for (int64_t at = y; at + size <= y + block && at + size <= io->dst.span.end; at += step)
                for (int c = 0; c < p->channels && at >= p->start && at + size <= p->end; c++) {
                    const double turn = turn_of(values, i);
                    double re = 0, im = 0, v[GF_SLOW_CHANNELS];

                    for (int k = 0; k < size; k++) {
                        gf_slow_load(check, io, 0, at + k, v);
                        re += v[c] * (double)weight[k] * cos(2 * M_PI * turn * k);
                        im += v[c] * (double)weight[k] * sin(2 * M_PI * turn * k);
                    }
                    wanted += re * re + im * im;
                }
            check->compared++;
            largest = fmax(largest, wanted);
            worst = fmax(worst, fabs(*got - wanted));
        }
    judge(check, &gf_op_powers, io, worst, largest, slack);
}

/* ---- calls ---- */

/* Returns the blocks that a span touches, within the signal. */
static struct gf_span blocks_of(struct gf_span s, int step, int64_t units)
{
    const struct gf_span all = { s.start / step * step, gf_round_up(s.end, step) };

    return (struct gf_span) { all.start, all.end < units ? all.end : units };
}

static const struct gf_form *draw_call(struct gf_check *check, struct gf_trial *t, int channels)
{
    gf_audio_draw_planes(check, t, 0);
    t->form = &gf_forms[channels == 4 ? 14 : 12];
    t->fill = t->fill == GF_FILL_WILD ? GF_FILL_NOISE : t->fill;
    t->units = t->io.src_units = 1 + gf_draw(check, 600);
    return t->form;
}

static void try_analyze(struct gf_check *check, const struct gf_form *form)
{
    const struct gf_windows w = hushes[gf_draw(check, 2)].windows;
    const int step = gf_windows_step(&w);
    struct gf_trial t;
    struct gf_span out, in;

    (void)form;
    draw_call(check, &t, 1);
    t.store.out = 4;
    out = gf_draw_span(check, t.units + w.size);
    in = blocks_of(out, step, t.units);
    in.end = in.end < t.units ? in.end : t.units;
    in.start = in.start - w.size + step > 0 ? in.start - w.size + step : 0;
    if (in.start >= in.end)                              /* the plan brings the nearest frame */
        in = (struct gf_span) { t.units - 1, t.units };
    gf_check_trial(check, &t, &gf_op_analyze, &w, in, out, 1, &gf_forms[14], SLACK);
}

static void try_synthesize(struct gf_check *check, const struct gf_form *form)
{
    const struct gf_windows w = hushes[gf_draw(check, 2)].windows;
    const int step = gf_windows_step(&w);
    struct gf_trial t;
    struct gf_span out, in;

    (void)form;
    draw_call(check, &t, 4);
    out = gf_draw_span(check, t.units);
    t.units = t.io.src_units = t.units + w.size;
    t.store.out = 1;
    in = blocks_of((struct gf_span) { out.start, gf_round_up(out.end, step) + w.size - step }, step, t.units);
    gf_check_trial(check, &t, &gf_op_synthesize, &w, in, out, 1, &gf_forms[12], SLACK);
}

static void try_hush(struct gf_check *check, const struct gf_form *form)
{
    struct gf_hush h = hushes[gf_draw(check, 2)];
    const int step = gf_windows_step(&h.windows);
    struct gf_trial t;
    struct gf_span out;

    (void)form;
    draw_call(check, &t, 4);
    h.channels = 1;
    h.blend = (float)gf_draw_unit(check);
    h.least = (float)gf_draw_unit(check) * 0.5f;
    h.noise_kept = 0.7f + (float)gf_draw_unit(check) * 0.3f;
    h.presence_kept = 0.7f + (float)gf_draw_unit(check) * 0.3f;
    h.profile = gf_draw(check, 2) ? h.profile : -1;
    t.units = t.io.src_units = t.units + gf_draw(check, 3000);
    t.store.out = 4;
    out = gf_draw_span(check, t.units);
    out.start = out.start / step * step;                 /* a call continues the block of the one before */
    check->carried_bytes = (size_t)gf_hush_carry_bytes(&h);
    gf_check_trial(check, &t, &gf_op_hush, &h, blocks_of(out, step, t.units), out, 1, t.form, HUSH_SLACK);
    if (check->problem[0] == '\0')
        gf_audio_check_cut(check, &t, &gf_op_hush, &h);
    check->carried_bytes = 0;
}

static void try_powers(struct gf_check *check, const struct gf_form *form)
{
    struct gf_powers p = { .windows = hushes[gf_draw(check, 2)].windows };
    const int64_t block = gf_powers_block(&p);
    struct gf_trial t;
    struct gf_span out;
    size_t src_size;
    int64_t blocks;

    gf_draw_trial(check, &t, form, form->channels <= 4);
    t.fill = t.fill == GF_FILL_WILD ? GF_FILL_NOISE : t.fill;
    t.io.store = NULL;
    t.width = 1;
    t.units = t.io.src_units = 1 + gf_draw(check, 2 * (uint32_t)block);
    p.channels = t.load.out;
    p.start = gf_draw(check, (uint32_t)t.units);
    p.end = p.start + gf_draw(check, 6 * (uint32_t)p.windows.size);
    blocks = gf_ceil_div(t.units, block);
    out = (struct gf_span) { gf_draw(check, (uint32_t)blocks) * block, t.units };
    blocks = gf_ceil_div(gf_span_units(out), block);
    t.io.src = gf_draw_block(check, form, form->channels, check->src, 1, out);
    t.io.src.pitch_samples = form->planar ? 1 : form->channels;
    t.io.dst = t.io.src;
    t.io.dst.data = check->cpu;
    src_size = gf_check_block_bytes(&t.io.src);
    gf_draw_samples(check, &t.io.src, src_size, t.fill);
    gf_check_call(check, &gf_op_powers, &t.io, &p, src_size,
                  (size_t)(blocks * p.windows.size / 2) * sizeof(double), t.smooth ? SLACK : -1);
}

/* Makes tables for windows of 2048 frames. */
static struct gf_hush make_tables(struct gf_bench_call *m)
{
    struct gf_hush h = { .channels = 1, .windows = { .size = 2048, .table = m->table_count }, .profile = -1,
                         .blend = .92f, .least = .1f, .noise_kept = .95f, .presence_kept = .9f };
    const int64_t entries = gf_windows_entries(&h.windows);
    float *table = gf_bench_call_tables(m, entries + h.windows.size);
    double *tree = malloc((size_t)h.windows.size * sizeof *tree);
    int *order = malloc((size_t)h.windows.size / 2 * sizeof *order);

    h.order = h.windows.table + entries;
    h.rank = h.order + h.windows.size / 2;
    m->failed = m->failed || tree == NULL || order == NULL;
    if (!m->failed) {
        gf_windows_fill(&h.windows, tree, table);
        gf_windows_order(&h.windows, order);
        for (int k = 0; k < h.windows.size / 2; k++) {
            table[entries + k] = (float)order[k];
            table[entries + h.windows.size / 2 + order[k]] = (float)k;
        }
    }
    free(tree);
    free(order);
    return h;
}

static void set_analyze(struct gf_bench_call *m)
{
    *(struct gf_windows *)m->params = make_tables(m).windows;
    m->dst.channels = 4;
    m->dst_bytes = gf_bench_block_shape(&m->dst, 1, m->src_units);
}

static void set_synthesize(struct gf_bench_call *m)
{
    *(struct gf_windows *)m->params = make_tables(m).windows;
    m->dst.channels = 1;
    m->dst_bytes = gf_bench_block_shape(&m->dst, 1, m->src_units);
    m->src_units += MOST;
    m->src_bytes = gf_bench_block_shape(&m->src, 1, m->src_units);
}

static void set_powers(struct gf_bench_call *m)
{
    const struct gf_windows w = make_tables(m).windows;
    struct gf_powers *p = m->params;

    *p = (struct gf_powers) { .channels = 1, .windows = w, .end = INT32_MAX };
    m->dst_bytes = (size_t)(gf_ceil_div(m->src_units, gf_powers_block(p)) * w.size / 2) * sizeof(double);
}

static void set_hush(struct gf_bench_call *m)
{
    const struct gf_hush h = make_tables(m);

    memcpy(m->params, &h, sizeof h);
    m->carry_bytes = (size_t)gf_hush_carry_bytes(&h);
}

static const struct gf_bench_case analyze_cases[] = {
    { .name = "analyze", .what = "spectra of windows of 2048 frames, floats", .forms = "plane", .one_form = true,
      .set = set_analyze, .check_frames = 4096 },
    { .name = NULL },
};

static const struct gf_bench_case synthesize_cases[] = {
    { .name = "synthesize", .what = "signal of such spectra, floats", .forms = "four planes", .one_form = true,
      .set = set_synthesize, .check_frames = 4096 },
    { .name = NULL },
};

static const struct gf_bench_case hush_cases[] = {
    { .name = "hush", .what = "gains of spectra that reduce noise, floats", .forms = "four planes", .one_form = true,
      .set = set_hush, .check_frames = 4096 },
    { .name = NULL },
};

static const struct gf_bench_case powers_cases[] = {
    { .name = "powers", .what = "sums of powers of spectra, floats", .forms = "plane", .set = set_powers,
      .check_frames = 4096 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_analyze = { .name = "analyze", .op = &gf_op_analyze, .sound = true,
    .cases = analyze_cases, .compare = compare_analyze, .slack = SLACK, .try = try_analyze, .once = true,
    .make_pools = make_windows };
const struct gf_bench_group gf_bench_group_synthesize = { .name = "synthesize", .op = &gf_op_synthesize, .sound = true,
    .cases = synthesize_cases, .compare = compare_synthesize, .slack = SLACK, .try = try_synthesize, .once = true,
    .make_pools = make_windows };
const struct gf_bench_group gf_bench_group_hush = { .name = "hush", .op = &gf_op_hush, .sound = true,
    .cases = hush_cases, .compare = compare_hush, .slack = HUSH_SLACK, .try = try_hush, .once = true,
    .make_pools = make_windows };
const struct gf_bench_group gf_bench_group_powers = { .name = "powers", .op = &gf_op_powers, .sound = true,
    .cases = powers_cases, .compare = compare_powers, .slack = SLACK, .try = try_powers,
    .make_pools = make_windows };
