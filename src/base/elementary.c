/* Sines, exponentials and logarithms: series of sums of two doubles. */
#include "base/elementary.h"

#include <math.h>

/* The unrounded sum of two doubles; `low` is at most about half a unit in the last place of `high`. */
struct two {
    double high, low;
};

/* Constants as sums of two doubles */
static const struct two pi = { 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53 };
static const struct two ln_2 = { 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56 };
static const struct two per_ln_2 = { 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56 };
static const struct two per_ln_10 = { 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57 };
static const struct two minus_sixth = { -0x1.5555555555555p-3, -0x1.5555555555555p-57 };
static const struct two two_thirds = { 0x1.5555555555555p-1, 0x1.5555555555555p-55 };

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static double polynomial(const double *factors, int count, double x)
{
    double sum = factors[count - 1];

    for (int i = count - 2; i >= 0; i--)
        sum = sum * x + factors[i];
    return sum;
}

static struct two add(double a, double b)
{
    const double sum = a + b, part = sum - a;

    return (struct two) { sum, (a - (sum - part)) + (b - part) };
}

static struct two multiply(struct two a, struct two b)
{
    const double product = a.high * b.high;

    return (struct two) { product, fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high) };
}

static struct two divide(struct two a, struct two b)
{
    const double ratio = a.high / b.high;

    return (struct two) { ratio, (fma(-ratio, b.high, a.high) + a.low - ratio * b.low) / b.high };
}

/* ---- sines ---- */

static struct two negative(struct two a)
{
    return (struct two) { -a.high, -a.low };
}

/*
 * Sets *sine and *cosine of π·x for a finite x, by their series around the nearest quarter turn. The first two terms
 * are sums of two doubles.
 */
static void turn(double x, struct two *sine, struct two *cosine)
{
    static const double sines[] = { 1 / 120.0, -1 / 5040.0, 1 / 362880.0, -1 / 39916800.0, 1 / 6227020800.0,
                                    -1 / 1307674368000.0, 1 / 355687428096000.0 };
    static const double cosines[] = { 1 / 24.0, -1 / 720.0, 1 / 40320.0, -1 / 3628800.0, 1 / 479001600.0,
                                      -1 / 87178291200.0, 1 / 20922789888000.0, -1 / 6402373705728000.0 };
    const double half = x - 2 * rint(x / 2), quarters = rint(2 * half);
    const struct two a = multiply((struct two) { half - quarters / 2, 0 }, pi), z = multiply(a, a);
    const struct two third = multiply(multiply(z, a), minus_sixth);
    struct two s = add(a.high, third.high), c = add(1, -z.high / 2);

    s = add(s.high, s.low + (a.low + (third.low + a.high * z.high * z.high * polynomial(sines, COUNT(sines), z.high))));
    c = add(c.high, c.low + (z.high * z.high * polynomial(cosines, COUNT(cosines), z.high) - z.low / 2));
    switch ((int)quarters & 3) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = negative(s); break;
    case 2: *sine = negative(s), *cosine = negative(c); break;
    default: *sine = negative(c), *cosine = s; break;
    }
}

double gf_sin_pi(double x)
{
    struct two sine, cosine;

    if (!isfinite(x))
        return NAN;
    turn(x, &sine, &cosine);
    return sine.high + sine.low;
}

double gf_cos_pi(double x)
{
    struct two sine, cosine;

    if (!isfinite(x))
        return NAN;
    turn(x, &sine, &cosine);
    return cosine.high + cosine.low;
}

double gf_tan_pi(double x)
{
    struct two sine, cosine, ratio;

    if (!isfinite(x))
        return NAN;
    turn(x, &sine, &cosine);
    if (cosine.high == 0)
        return sine.high > 0 ? INFINITY : -INFINITY;
    ratio = divide(sine, cosine);
    return ratio.high + ratio.low;
}

/* ---- exponentials ---- */

/* e^x · 2^n for |x| ≤ 0.35. The first three terms of the series are sums of two doubles. */
static double small_exp(struct two x, int n)
{
    static const double factors[] = { 1 / 6.0, 1 / 24.0, 1 / 120.0, 1 / 720.0, 1 / 5040.0, 1 / 40320.0,
                                      1 / 362880.0, 1 / 3628800.0, 1 / 39916800.0, 1 / 479001600.0, 1 / 6227020800.0,
                                      1 / 87178291200.0 };
    const struct two z = multiply(x, x), first = add(1, x.high), second = add(first.high, z.high / 2);
    const double rest = x.high * z.high * polynomial(factors, COUNT(factors), x.high);

    return ldexp(second.high + (second.low + (first.low + (x.low + z.low / 2 + rest))), n);
}

/* The nearest multiple of ln 2 is subtracted; the difference of the high parts is exact. */
static double exp_of(struct two x)
{
    const double n = rint(x.high * per_ln_2.high);

    if (!(x.high < 710))
        return isnan(x.high) ? NAN : INFINITY;
    if (x.high < -746)
        return 0;
    return small_exp(add(fma(-n, ln_2.high, x.high), x.low - n * ln_2.low), (int)n);
}

double gf_exp(double x)
{
    return exp_of((struct two) { x, 0 });
}

double gf_exp2(double x)
{
    const double n = rint(x);

    if (!(x < 1025))
        return isnan(x) ? NAN : INFINITY;
    if (x < -1076)
        return 0;
    return small_exp(multiply((struct two) { x - n, 0 }, ln_2), (int)n);
}

/* ---- logarithms ---- */

/*
 * ln x for a finite x > 0. x = m·2^e with m from √½ to √2, and ln m = 2·(s + s³/3 + s⁵/5 + …) with
 * s = (m - 1)/(m + 1). The first two terms are sums of two doubles.
 */
static struct two log_of(double x)
{
    static const double factors[] = { 2 / 5.0, 2 / 7.0, 2 / 9.0, 2 / 11.0, 2 / 13.0, 2 / 15.0, 2 / 17.0, 2 / 19.0,
                                      2 / 21.0, 2 / 23.0, 2 / 25.0, 2 / 27.0 };
    int e;
    double m = frexp(x, &e);
    struct two s, z, third, log, powers;

    if (m < 0.70710678118654752) {
        m *= 2;
        e--;
    }
    s = divide((struct two) { m - 1, 0 }, add(m, 1));
    z = multiply(s, s);
    third = add(two_thirds.high, z.high * polynomial(factors, COUNT(factors), z.high));
    third.low += two_thirds.low;
    third = multiply(multiply(s, z), third);
    powers = multiply((struct two) { e, 0 }, ln_2);
    log = add(powers.high, 2 * s.high);
    z = add(log.high, third.high);
    return add(z.high, z.low + (log.low + (powers.low + (2 * s.low + third.low))));
}

/* ln x times a factor, for any x. */
static double scaled_log(double x, struct two factor)
{
    struct two product;

    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (x > 0x1.fffffffffffffp+1023)
        return x;
    product = multiply(log_of(x), factor);
    return product.high + product.low;
}

double gf_log(double x)
{
    return scaled_log(x, (struct two) { 1, 0 });
}

double gf_log2(double x)
{
    return scaled_log(x, per_ln_2);
}

double gf_log10(double x)
{
    return scaled_log(x, per_ln_10);
}

double gf_pow(double x, double y)
{
    if (x == 1 || y == 0)
        return 1;
    if (!(x > 0) || isinf(x) || !isfinite(y))
        return isnan(x) || isnan(y) || x < 0 ? NAN : isinf(y) ? ((x > 1) == (y > 0) ? INFINITY : 0)
             : (x > 1) == (y > 0) ? INFINITY : 0;
    return exp_of(multiply(log_of(x), (struct two) { y, 0 }));
}
