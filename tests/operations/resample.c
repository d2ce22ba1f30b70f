/* Changes of rate, checked with sines: how flat the passband is, and how much else remains. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/sound/resample.h"
#include "tests/tap.h"

#define FRAMES 40000

static float in[FRAMES], out[FRAMES * 5];
static float *rows;

static void ok(bool good, const char *rates, const char *what, double found, double wanted)
{
    gf_ok(good, "%s: %s", rates, what);
    if (!good)
        printf("# %g, but %g is wanted\n", found, wanted);
}

/* Fills a sine of `frequency` (per frame of the source) at the other rate; returns its frames. */
static int64_t change(const struct gf_resample *r, double frequency, void *scratch)
{
    const int64_t n = gf_ceil_div(FRAMES * r->per, r->times);
    const struct gf_work work = { .tables = rows, .scratch = scratch };
    const struct gf_format f = { .kind = GF_AUDIO, .type = GF_F32, .channels = 1, .width = 1 };
    const struct gf_io io = { .src = gf_block_planar(in, &f, (struct gf_span) { 0, FRAMES }, 1, FRAMES),
                              .dst = gf_block_planar(out, &f, (struct gf_span) { 0, n }, 1, n), .src_units = FRAMES };
    struct gf_error err;

    for (int i = 0; i < FRAMES; i++)
        in[i] = (float)sin(2 * M_PI * frequency * i);
    return gf_resample_cpu(&work, &io, r, &err) == 0 ? n : 0;
}

/*
 * Fits a sine to the middle of the result by least squares: its amplitude, its phase against the
 * true one, and the RMS of the rest relative to a full sine, in dB.
 */
static void fit(const struct gf_resample *r, double frequency, int64_t n, double *size, double *shift, double *rest)
{
    const double step = 2 * M_PI * frequency * (double)r->times / (double)r->per;
    const int64_t edge = (int64_t)r->taps * r->per / r->times + 16, count = n - 2 * edge;
    double ss = 0, cc = 0, sc = 0, sy = 0, cy = 0, left = 0, a, b;

    for (int64_t i = edge; i < n - edge; i++) {
        const double s = sin(step * (double)i), c = cos(step * (double)i);

        ss += s * s, cc += c * c, sc += s * c, sy += s * out[i], cy += c * out[i];
    }
    a = (sy * cc - cy * sc) / (ss * cc - sc * sc), b = (cy * ss - sy * sc) / (ss * cc - sc * sc);
    for (int64_t i = edge; i < n - edge; i++) {
        const double e = out[i] - a * sin(step * (double)i) - b * cos(step * (double)i);

        left += e * e;
    }
    *size = 20 * log10(hypot(a, b));
    *shift = atan2(b, a);
    *rest = 10 * log10(left / (double)count / .5);
}

/* Each quality promises this, in shares of the lower rate and in decibels. */
static const struct promise {
    const char *name;
    double passes, ripple, rest, stops, alias;
} promises[] = {
    [GF_RESAMPLE_BEST] = { "best", .45, .01, -120, .5, -120 },
    [GF_RESAMPLE_GOOD] = { "good", .425, .001, -98, .532, -98 },
    [GF_RESAMPLE_FAST] = { "fast", .375, .01, -75, .56, -75 },
};

/*
 * Sines up to a share of the lower rate pass; those between a share of the lower and half of the higher
 * rate vanish.
 */
static void try(int from, int to, enum gf_resample_quality quality)
{
    const struct promise *p = &promises[quality];
    int64_t a = from, b = to;
    struct gf_resample r = { .quality = quality };
    double ripple = 0, dirt = -1000, late = 0, alias = -1000, size, shift, rest;
    const double low = from < to ? 1 : (double)to / from;
    void *scratch;
    char rates[100], what[100];

    while (b != 0) {
        const int64_t c = a % b;

        a = b, b = c;
    }
    r.times = from / a, r.per = to / a;
    gf_resample_choose(&r);
    rows = aligned_alloc(64, (size_t)(gf_resample_rows(&r) * r.taps) * sizeof *rows / 64 * 64 + 64);
    scratch = malloc(gf_op_resample.cpu.scratch_bytes(NULL, &r));
    if (rows == NULL || scratch == NULL)
        exit(1);
    gf_resample_fill(&r, rows);
    for (int k = 1; k <= 18; k++) {
        const double frequency = p->passes * low * k / 18 + .000123 * low * (k < 18);

        fit(&r, frequency, change(&r, frequency, scratch), &size, &shift, &rest);
        ripple = fmax(ripple, fabs(size)), dirt = fmax(dirt, rest), late = fmax(late, fabs(shift));
    }
    for (int k = 0; p->stops * low < .5 && k < 8; k++) {
        const double frequency = p->stops * low + (.5 - p->stops * low) * k / 8.0;
        const int64_t n = change(&r, frequency, scratch);
        double all = 0;

        for (int64_t i = n / 4; i < n * 3 / 4; i++)
            all += (double)out[i] * out[i];
        alias = fmax(alias, 10 * log10(all / ((double)n / 2) / .5));
    }
    printf("# %d to %d, %s: ripple %.5f dB, all else %.1f dB, from %g of the lower rate on %.1f dB, %d taps, "
           "%lld rows\n",
           from, to, p->name, ripple, dirt, p->stops, alias, r.taps, (long long)gf_resample_rows(&r));
    snprintf(rates, sizeof rates, "%d to %d, %s", from, to, p->name);
    snprintf(what, sizeof what, "ripple below %g dB", p->ripple);
    ok(ripple < p->ripple, rates, what, ripple, p->ripple);
    ok(dirt < p->rest, rates, "images and noise are low", dirt, p->rest);
    ok(late < 1e-5, rates, "no delay", late, 1e-5);
    ok(alias < p->alias, rates, "nothing above half the lower rate comes back", alias, p->alias);
    free(rows), free(scratch);
}

/*
 * Interpolates and returns: the original frames do not change, and sines up to 0.46 of the rate are
 * on their curve.
 */
static void try_between(int per)
{
    struct gf_resample r, back;
    double ripple = 0, dirt = -1000, late = 0, apart = 0, size, shift, rest;
    void *scratch;
    char rates[100];

    gf_resample_choose_between(&r, per);
    gf_resample_choose_every(&back, per);
    rows = aligned_alloc(64, (size_t)((gf_resample_rows(&r) + 1) * r.taps) * sizeof *rows);
    scratch = malloc(gf_op_resample.cpu.scratch_bytes(NULL, &r) + gf_op_resample.cpu.scratch_bytes(NULL, &back));
    if (rows == NULL || scratch == NULL)
        exit(1);
    gf_resample_fill_between(&r, rows);
    gf_resample_fill_every(&back, rows + gf_resample_rows(&r) * r.taps);
    back.table = gf_resample_rows(&r) * r.taps;
    for (int k = 1; k <= 18; k++) {
        const double frequency = .46 * k / 18 + .000123 * (k < 18);
        const int64_t n = change(&r, frequency, scratch);

        fit(&r, frequency, n, &size, &shift, &rest);
        ripple = fmax(ripple, fabs(size)), dirt = fmax(dirt, rest), late = fmax(late, fabs(shift));
        for (int64_t i = 0; i < n; i += per)
            apart = fmax(apart, fabs((double)out[i] - (double)in[i / per]));
    }
    snprintf(rates, sizeof rates, "%d frames for one", per);
    printf("# %d for one: ripple %.5f dB, all else %.1f dB\n", per, ripple, dirt);
    ok(apart <= 0, rates, "frames of the source are unchanged", apart, 0);
    ok(ripple < .01, rates, "the others follow the curve within 0.01 dB", ripple, .01);
    ok(dirt < -78, rates, "images below -78 dB", dirt, -78);
    ok(late < 1e-5, rates, "no delay", late, 1e-5);
    change(&back, .123, scratch);
    for (int i = 0; i < FRAMES / per; i++)
        apart = fmax(apart, fabs((double)out[i] - (double)in[i * per]));
    ok(apart <= 0, rates, "frames of the source come back", apart, 0);
    free(rows), free(scratch);
}

int main(void)
{
    try_between(4);
    for (int i = GF_RESAMPLE_BEST; i <= GF_RESAMPLE_FAST; i++) {
        const enum gf_resample_quality quality = (enum gf_resample_quality)i;

        try(48000, 44100, quality);
        try(44100, 48000, quality);
        try(48000, 96000, quality);
        try(96000, 48000, quality);
        try(44100, 16000, quality);
        try(44100, 48001, quality);
        try(48000, 44099, quality);
        try(192000, 7999, quality);
    }
    return gf_tap_end();
}
