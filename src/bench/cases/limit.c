/* Cases of the limiter. */
#include "bench/bench_call.h"
#include "bench/cases/audio.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/sound/limit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SLACK 3e-6                       /* a part of the largest result */

/* Returns the gain that frame y needs; 1 outside the signal. */
static double find_needed_gain(const struct gf_check *check, const struct gf_io *io, const struct gf_limit *l,
                               int64_t y)
{
    double v[GF_SLOW_CHANNELS], peak = 0;

    if (y < 0 || y >= io->src_units)
        return 1;
    gf_slow_load(check, io, 0, y, v);
    for (int c = 0; c < gf_slow_channels(io); c++)
        peak = fmax(peak, fabs(v[c]));
    return peak > (double)l->threshold ? (double)l->threshold / peak : 1;
}

/*
 * Writes the least value, or the mean, of the values within `reach` of each place. `to` has 2·reach
 * fewer values than `from`.
 */
static void slide(const double *from, double *to, int64_t count, int reach, bool least)
{
    for (int64_t i = 0; i < count; i++) {
        double sum = 0, lowest = 1;

        for (int64_t k = i; k <= i + 2 * reach; k++) {
            sum += from[k];
            lowest = fmin(lowest, from[k]);
        }
        to[i] = least ? lowest : sum / (2.0 * reach + 1);
    }
}

/* Computes all gains first: needed, the least around, and two means. */
static void compare_limit(struct gf_check *check, const struct gf_io *io, const void *params, double slack)
{
    const struct gf_limit *l = params;
    const int64_t halo = gf_limit_halo(l), count = gf_span_units(io->dst.span), all = count + 2 * halo;
    double *needed = malloc((size_t)all * sizeof *needed), *other = malloc((size_t)all * sizeof *other);
    double v[GF_SLOW_CHANNELS], largest = 1e-3;

    if (needed == NULL || other == NULL) {
        snprintf(check->problem, sizeof check->problem, "limit: no memory to compare");
        goto out;
    }
    for (int64_t i = 0; i < all; i++)
        needed[i] = find_needed_gain(check, io, l, io->dst.span.start - halo + i);
    slide(needed, other, all - 2 * l->reach, l->reach, true);
    slide(other, needed, count + 2 * l->second, l->first, false);
    slide(needed, other, count, l->second, false);
    for (int pass = 0; pass < 2; pass++)
        for (int64_t y = io->dst.span.start; y < io->dst.span.end; y++) {
            const int channels = gf_audio_frame(check, io, 0, y, v);

            for (int c = 0; c < channels; c++)
                v[c] *= other[y - io->dst.span.start];
            gf_slow_program(check, io->store, v);
            for (int c = 0; c < io->dst.channels; c++)
                if (pass == 0)
                    largest = fmax(largest, fabs(gf_slow_stored(&io->dst, v[c])));
                else
                    gf_check_sample(check, &gf_op_limit, io, c, 0, y, v[c], slack * largest);
        }
out:
    free(needed);
    free(other);
}

static void try_limit(struct gf_check *check, const struct gf_form *f)
{
    struct gf_limit l = { .reach = (int)gf_draw(check, gf_draw(check, 8) ? 6 : 12),
                          .threshold = 0.02f + 0.8f * (float)gf_draw_unit(check) };
    struct gf_span out;
    struct gf_trial t;

    gf_audio_draw(check, &t, f, true);
    l.first = (int)gf_draw(check, (uint32_t)l.reach + 1),
        l.second = (int)gf_draw(check, (uint32_t)(l.reach - l.first) + 1);
    out = gf_draw_span(check, t.units < 400 ? t.units : 400);
    if (gf_draw(check, 4) == 0)                             /* 5 ms at 48 kHz, the default of the stage */
        l.reach = 240, l.first = l.second = 120;
    gf_audio_check(check, &t, &gf_op_limit, &l, gf_check_grow(out, gf_limit_halo(&l), gf_limit_halo(&l), t.units), out,
                   t.store.out, gf_draw_form(check, f), SLACK);
}

static void set_limit(struct gf_bench_call *m)
{
    *(struct gf_limit *)m->params = (struct gf_limit) { .threshold = 0.5f, .reach = 240, .first = 120, .second = 120 };
}

static const struct gf_bench_case cases[] = {
    { .name = "limit", .what = "limiter with 5 ms look-ahead, floats", .forms = "f32, f32 stereo", .set = set_limit },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_limit = { .name = "limit", .op = &gf_op_limit, .cases = cases, .sound = true,
    .compare = compare_limit, .slack = SLACK, .try = try_limit };
