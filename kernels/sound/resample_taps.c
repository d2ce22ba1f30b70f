/* The low-pass filters for changes of rate. */
#include "kernels/sound/resample.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

#define MOST_ENTRIES (1 << 20)           /* entries of a table with a row for each position */
/* steps so fine that linear interpolation between rows is accurate to 140 dB */
#define PHASES 4096
#define BETWEEN_TAPS 64
#define BETWEEN_BETA 7.9                 /* 80 dB */

static const struct filter {
    int taps;                            /* if the rate rises; proportionally more if it falls */
    double edge;                         /* the middle between what passes and what is stopped, of the lower rate */
    double beta;                         /* of the Kaiser window: 0.1102 (A - 8.7) for A dB */
} filters[] = {
    [GF_RESAMPLE_BEST] = { 208, 0.4783, 14.2 },
    [GF_RESAMPLE_GOOD] = { 64, 0.478, 10.4 },
    [GF_RESAMPLE_FAST] = { 29, 0.465, 7.86 },
};

/* The modified Bessel function of order 0. */
static double bessel(double x)
{
    double term = 1, sum = 1;

    for (int k = 1; term > sum * 1e-17; k++) {
        term *= x / (2.0 * k) * (x / (2.0 * k));
        sum += term;
    }
    return sum;
}

void gf_resample_choose(struct gf_resample *r)
{
    const double falls = r->times > r->per ? (double)r->times / (double)r->per : 1;

    r->taps = (int)ceil(filters[r->quality].taps * falls / GF_RESAMPLE_SUMS) * GF_RESAMPLE_SUMS;
    r->phases = 0;
    if (r->per * r->taps <= MOST_ENTRIES)
        return;
    /* longer filters have a smoother curve */
    for (r->phases = PHASES; r->phases > 64 && r->phases / 2 * falls >= PHASES; r->phases /= 2)
        continue;
}

static double weight(double distance, double half, double edge, double beta)
{
    const double x = distance / half, turn = 2 * edge * distance;

    if (fabs(x) >= 1)
        return 0;
    return (distance == 0 ? 1 : gf_sin_pi(turn) / (M_PI * turn)) * bessel(beta * sqrt(1 - x * x));
}

/* Fills the row for frames at the fraction `part` after a frame of the source. */
static void fill_row(int taps, double part, double edge, double beta, float *row)
{
    double sum = 0;

    for (int k = 0; k < taps; k++)
        sum += weight(k - taps / 2 + 1 - part, taps / 2, edge, beta);
    for (int k = 0; k < taps; k++)
        row[k] = (float)(weight(k - taps / 2 + 1 - part, taps / 2, edge, beta) / sum);
}

/*
 * Fills rows [from, count) of frames at the fractions i / all. The filter is symmetric, so each row of the second
 * half is one of the first half in reverse.
 */
static void fill_rows(int taps, int64_t from, int64_t count, int64_t all, double edge, double beta, float *rows)
{
    for (int64_t i = from; i < count; i++)
        if (2 * i <= all)
            fill_row(taps, (double)i / (double)all, edge, beta, rows + i * taps);
        else
            for (int k = 0; k < taps; k++)
                rows[i * taps + k] = rows[(all - i + 1) * taps - 1 - k];
}

/* Fills the row for frames that coincide with one of the source. */
static void fill_one(int taps, float *row)
{
    memset(row, 0, (size_t)taps * sizeof *row);
    row[taps / 2 - 1] = 1;
}

void gf_resample_fill(const struct gf_resample *r, float *rows)
{
    const struct filter *f = &filters[r->quality];
    const double edge = f->edge * (r->times > r->per ? (double)r->per / (double)r->times : 1);

    fill_rows(r->taps, 0, gf_resample_rows(r), r->phases == 0 ? r->per : r->phases, edge, f->beta, rows);
}

void gf_resample_choose_between(struct gf_resample *r, int per)
{
    *r = (struct gf_resample) { .times = 1, .per = per, .taps = BETWEEN_TAPS };
}

void gf_resample_fill_between(const struct gf_resample *r, float *rows)
{
    fill_one(r->taps, rows);
    fill_rows(r->taps, 1, r->per, r->per, 0.5, BETWEEN_BETA, rows);
}

void gf_resample_choose_every(struct gf_resample *r, int times)
{
    *r = (struct gf_resample) { .times = times, .per = 1, .taps = GF_RESAMPLE_SUMS };
}

void gf_resample_fill_every(const struct gf_resample *r, float *rows)
{
    fill_one(r->taps, rows);
}
