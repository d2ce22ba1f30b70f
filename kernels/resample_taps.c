/* The low-pass filter behind a change of rate. */
#include <math.h>

#include "resample.h"

#define TAPS 208                         /* where the rate does not fall; that many more as it does */
#define EDGE 0.4783                      /* of the lower rate: half way between 0.4566, which passes, and 0.5, which is gone */
#define BETA 14.2                        /* of the window: 137 dB */
#define MOST_ENTRIES (1 << 20)           /* of a table with a row for each place */
#define PHASES 4096                      /* in steps so fine a straight line between rows is 140 dB near */

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

    r->taps = (int)ceil(TAPS * falls / GF_RESAMPLE_SUMS) * GF_RESAMPLE_SUMS;
    r->phases = 0;
    if (r->per * r->taps <= MOST_ENTRIES)
        return;
    for (r->phases = PHASES; r->phases > 64 && r->phases / 2 * falls >= PHASES; r->phases /= 2)     /* a slower curve */
        continue;
}

static double weight(double distance, double half, double edge)
{
    const double x = distance / half, turn = 2 * M_PI * edge * distance;

    if (fabs(x) >= 1)
        return 0;
    return (distance == 0 ? 1 : sin(turn) / turn) * bessel(BETA * sqrt(1 - x * x));
}

void gf_resample_fill(const struct gf_resample *r, float *rows)
{
    const double edge = EDGE * (r->times > r->per ? (double)r->per / (double)r->times : 1);
    const int64_t count = gf_resample_rows(r);
    const double all = (double)(r->phases == 0 ? r->per : r->phases);

    for (int64_t i = 0; i < count; i++) {
        const double part = (double)i / all;
        double sum = 0;

        for (int k = 0; k < r->taps; k++)
            sum += weight(k - r->taps / 2 + 1 - part, r->taps / 2, edge);
        for (int k = 0; k < r->taps; k++)
            rows[i * r->taps + k] = (float)(weight(k - r->taps / 2 + 1 - part, r->taps / 2, edge) / sum);
    }
}
