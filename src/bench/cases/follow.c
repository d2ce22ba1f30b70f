/* Cases of gains that follow a level, which falls slowly from frame to frame. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/cases/second_image.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/follow.h"

#include <math.h>

#define SLACK 4e-4                       /* of gains: levels are rounded to 1/65536 octave, and slopes are up to 4 */

/* Loads a frame of what a detector hears. */
static void load_heard(const struct gf_check *check, const struct gf_io *io, bool beside, int64_t n, double *v)
{
    const int64_t row = n - io->beside_shift;

    if (!beside) {
        gf_slow_load(check, io, 0, n, v);
        return;
    }
    for (int c = 0; c < io->beside.channels; c++)
        v[c] = row >= io->beside.span.start && row < io->beside.span.end ? gf_slow_sample(&io->beside, c, 0, row) : 0;
}

/* Returns the square of a sample, rounded as the contract says. */
static double square_of(double x)
{
    const double v = fmin(fabs(x), GF_FOLLOW_MOST);

    return isfinite(x) ? floor(v * v * 0x1p32 + 0.5) * 0x1p-32 : 0;
}

/* Returns the octaves of frame n above the smallest normal float. */
static double find_level(const struct gf_check *check, const struct gf_io *io, const struct gf_follow *f, bool beside,
                         struct gf_follow_channels which, int64_t n)
{
    double v[GF_SLOW_CHANNELS], sum = 0, loud = 0;

    for (int64_t i = f->window > 0 ? n - f->window + 1 : n; i <= n; i++) {
        if (!beside && (i < io->src.span.start || i >= io->src_units))
            continue;
        load_heard(check, io, beside, i, v);
        for (int c = which.first; c < which.first + which.count; c++) {
            sum += square_of(v[c]);
            loud = isfinite(v[c]) ? fmax(loud, fabs(v[c])) : loud;
        }
    }
    if (f->window > 0)
        return (fmax(0, log2(sum / f->window / which.count) + 126) + 126) / 2;
    return fmax(0, log2(loud) + 126);
}

static double find_gain(const struct gf_follow_curve *c, double level)
{
    const double threshold = (double)c->threshold / GF_OCTAVE, knee = (double)c->knee / GF_OCTAVE;
    const double d = c->below ? threshold - level : level - threshold;
    const double octaves = d <= -knee / 2 ? 0 : d >= knee / 2 ? d : (d + knee / 2) * (d + knee / 2) / (2 * knee);

    return exp2(fmax((double)c->least / GF_OCTAVE, octaves * (double)c->slope));
}

static void compare_follow(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_follow *f = params;
    double v[GF_SLOW_CHANNELS], level = 0, other = 0, relative;

    for (int64_t n = io->dst.span.start; n < io->dst.span.end; n++) {
        level = fmax(find_level(check, io, f, f->beside, f->heard, n), level - (double)f->fall * 0x1p-32);
        relative = level;
        if (f->against.count > 0) {
            other = fmax(find_level(check, io, f, false, f->against, n), other - (double)f->fall * 0x1p-32);
            relative -= other;
        }
        gf_slow_load(check, io, 0, n, v);
        for (int c = 0; c < f->kept; c++)
            gf_check_sample(check, &gf_op_follow, io, c, 0, n, v[c], 0);
        gf_check_sample(check, &gf_op_follow, io, f->kept, 0, n, find_gain(&f->curve, relative), slack);
    }
}

static struct gf_follow_channels draw_channels(struct gf_check *check, int all)
{
    const int first = (int)gf_draw(check, (uint32_t)all);

    return (struct gf_follow_channels) { first, 1 + (int)gf_draw(check, (uint32_t)(all - first)) };
}

/* Draws a curve near the levels of the samples, or near 0 if two levels are compared. */
static struct gf_follow_curve draw_curve(struct gf_check *check, bool relative)
{
    return (struct gf_follow_curve) {
        .threshold = (int32_t)(GF_OCTAVE * (2 - 8 * gf_draw_unit(check))) + (relative ? 0 : GF_OCTAVES_OF_ONE),
        .knee = gf_draw(check, 3) ? (int32_t)gf_draw(check, 4 * GF_OCTAVE) : 0,
        .least = -(int32_t)gf_draw(check, 20 * GF_OCTAVE), .slope = (float)(-4 * gf_draw_unit(check)),
        .below = gf_draw(check, 2)
    };
}

static void try_follow(struct gf_check *check, const struct gf_form *form)
{
    struct gf_follow f = { .window = gf_draw(check, 2) ? 1 + (int)gf_draw(check, 300) : 0,
                           .fall = gf_draw(check, 5) ? (int64_t)(exp2(32 * gf_draw_unit(check))) : INT64_C(1) << 46 };
    struct gf_trial t;
    struct gf_span out, in;

    (void)form;
    gf_audio_draw_planes(check, &t, 1);
    f.kept = 1 + (int)gf_draw(check, (uint32_t)t.form->channels);
    t.store.out = f.kept + 1;
    f.heard = draw_channels(check, t.form->channels);
    if (gf_draw(check, 3) == 0)
        f.against = draw_channels(check, t.form->channels);
    f.curve = draw_curve(check, f.against.count > 0);
    out = gf_draw_span(check, t.units);
    in = gf_check_grow(out, f.window > 0 ? f.window - 1 : 0, gf_draw(check, 3), t.units);
    f.beside = gf_draw(check, 3) == 0;
    if (f.beside) {
        const struct gf_form *other = gf_second_image_form(check);
        const int64_t units = 1 + gf_draw(check, (uint32_t)(2 * t.units));

        f.heard = draw_channels(check, other->channels);
        f.heard.first = 0;
        t.io.beside_units = units;
        gf_second_image_rows(check, &t, other, 1, (struct gf_span) { in.start < units ? in.start : units,
                                                                     in.end < units ? in.end : units });
    }
    check->carried_bytes = GF_FOLLOW_CARRY_BYTES;
    gf_check_trial(check, &t, &gf_op_follow, &f, in, out, 1, t.form, SLACK);
    if (check->problem[0] == '\0')
        gf_audio_check_cut(check, &t, &gf_op_follow, &f);
    check->carried_bytes = check->second_bytes = 0;
}

static void set_follow(struct gf_bench_call *m)
{
    struct gf_follow *f = m->params;

    *f = (struct gf_follow) {
        .kept = m->src.channels, .heard = { 0, m->src.channels }, .window = m->number, .fall = 14861,
        .curve = { .threshold = GF_OCTAVES_OF_ONE - 3 * GF_OCTAVE, .knee = GF_OCTAVE, .slope = -0.75f,
                   .least = -40 * GF_OCTAVE }
    };
    m->carry_bytes = GF_FOLLOW_CARRY_BYTES;
    m->dst.channels = m->src.channels + 1;
    m->dst_bytes = gf_bench_block_shape(&m->dst, 1, m->src_units);
}

static const struct gf_bench_case cases[] = {
    { .name = "follow peaks", .what = "gain that follows peaks, floats", .forms = "plane, planes", .one_form = true, .set = set_follow },
    { .name = "follow rms", .forms = "plane", .one_form = true, .set = set_follow, .number = 480 },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_follow = { .name = "follow", .op = &gf_op_follow, .cases = cases,
    .sound = true, .compare = compare_follow, .slack = SLACK, .try = try_follow };
