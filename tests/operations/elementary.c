/* Sines, exponentials and logarithms of base/elementary.h: known values, exact results, identities, order. */
#include <float.h>
#include <math.h>

#include "base/elementary.h"
#include "tests/tap.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* The nearest doubles of exact results, computed with 60 digits. */
static const struct known {
    const char *name;
    double (*of)(double);
    double x, result;
} known[] = {
    { "gf_sin_pi", gf_sin_pi, 0x1.f767c482c9b00p-3, 0x1.653bf57034c83p-1 },
    { "gf_sin_pi", gf_sin_pi, 0x1.8c24d0496d960p-5, 0x1.35ef69cd3f765p-3 },
    { "gf_sin_pi", gf_sin_pi, 0x1.cd3d6d1d2a578p+15, 0x1.9178905e9e55dp-1 },
    { "gf_sin_pi", gf_sin_pi, 0x1.5555555555555p-2, 0x1.bb67ae8584caap-1 },
    { "gf_sin_pi", gf_sin_pi, 0x1.56e1fc2f8f359p-997, 0x1.0d4cab14b6bc0p-995 },
    { "gf_sin_pi", gf_sin_pi, 0x1.12e0be826d695p-30, 0x1.afc6f70213be6p-29 },
    { "gf_cos_pi", gf_cos_pi, 0x1.c511afebb6a18p-1, -0x1.dee40a9b3d735p-1 },
    { "gf_cos_pi", gf_cos_pi, 0x1.890cc152560a0p-5, 0x1.fa31d0e7e71acp-1 },
    { "gf_cos_pi", gf_cos_pi, 0x1.49f0ffd44aff0p+16, -0x1.ffffb65a0b118p-1 },
    { "gf_cos_pi", gf_cos_pi, 0x1.5555555555555p-2, 0x1.0000000000000p-1 },
    { "gf_cos_pi", gf_cos_pi, 0x1.0000000000000p-2, 0x1.6a09e667f3bcdp-1 },
    { "gf_cos_pi", gf_cos_pi, 0x1.fffffffe48320p-2, 0x1.596bfaadf5c18p-32 },
    { "gf_tan_pi", gf_tan_pi, -0x1.e24c74146f792p-2, -0x1.5e33e232b8723p+3 },
    { "gf_tan_pi", gf_tan_pi, -0x1.adb7818890940p+12, -0x1.48ddc4cfbb06ap+3 },
    { "gf_tan_pi", gf_tan_pi, 0x1.5555555555555p-2, 0x1.bb67ae8584ca9p+0 },
    { "gf_tan_pi", gf_tan_pi, 0x1.ad7f29abcaf48p-24, 0x1.515370f99f78ep-22 },
    { "gf_tan_pi", gf_tan_pi, 0x1.fffffffe48320p-2, 0x1.7b7475ccef2e0p+31 },
    { "gf_exp", gf_exp, -0x1.0000000000000p+0, 0x1.78b56362cef38p-2 },
    { "gf_exp", gf_exp, 0x1.0000000000000p+0, 0x1.5bf0a8b145769p+1 },
    { "gf_exp", gf_exp, 0x1.365986104ac78p+9, 0x1.650add09638dap+895 },
    { "gf_exp", gf_exp, 0x1.a120f5ae260ccp+7, 0x1.dbfd8a4ccf8d9p+300 },
    { "gf_exp", gf_exp, 0x1.b7cdfd9d7bdbbp-34, 0x1.000000006df38p+0 },
    { "gf_exp", gf_exp, -0x1.7480000000000p+9, 0x0.0000000000001p-1022 },
    { "gf_exp", gf_exp, 0x1.62c0000000000p+9, 0x1.81e9b4b52d0c9p+1023 },
    { "gf_exp", gf_exp, -0x1.0000000000000p-1, 0x1.368b2fc6f960ap-1 },
    { "gf_exp2", gf_exp2, 0x1.0000000000000p-1, 0x1.6a09e667f3bcdp+0 },
    { "gf_exp2", gf_exp2, 0x1.90e686a09b3e0p+9, 0x1.be069dd0a8f6cp+801 },
    { "gf_exp2", gf_exp2, -0x1.8c13bc5069136p-1, 0x1.2b7ffc6a507cep-1 },
    { "gf_exp2", gf_exp2, -0x1.0c90000000000p+10, 0x0.0000000000001p-1022 },
    { "gf_exp2", gf_exp2, 0x1.ffe0000000000p+9, 0x1.ae89f995ad3adp+1023 },
    { "gf_log", gf_log, 0x1.0000000000000p+1, 0x1.62e42fefa39efp-1 },
    { "gf_log", gf_log, 0x1.4000000000000p+3, 0x1.26bb1bbb55516p+1 },
    { "gf_log", gf_log, 0x1.e053a2ef29388p-1, -0x1.059016dcce25ep-4 },
    { "gf_log", gf_log, 0x1.d64ce413d5a66p+27, 0x1.352bb22eafa7ep+4 },
    { "gf_log", gf_log, 0x0.0000000000001p-1022, -0x1.74385446d71c3p+9 },
    { "gf_log", gf_log, 0x1.e42d130773b76p+1023, 0x1.62dd08fdc6f88p+9 },
    { "gf_log", gf_log, 0x1.0000000000001p+0, 0x1.fffffffffffffp-53 },
    { "gf_log", gf_log, 0x1.fffffffffffffp-1, -0x1.0000000000000p-53 },
    { "gf_log2", gf_log2, 0x1.8000000000000p+1, 0x1.95c01a39fbd68p+0 },
    { "gf_log2", gf_log2, 0x1.4000000000000p+3, 0x1.a934f0979a371p+1 },
    { "gf_log2", gf_log2, 0x1.1667d2c686bfap+0, 0x1.efcc0e7203d1fp-4 },
    { "gf_log2", gf_log2, 0x0.012688b70e62bp-1022, -0x1.01730dabca5f6p+10 },
    { "gf_log2", gf_log2, 0x1.ffffffff24190p-1, -0x1.3d40846fcc564p-33 },
    { "gf_log10", gf_log10, 0x1.0000000000000p+1, 0x1.34413509f79ffp-2 },
    { "gf_log10", gf_log10, 0x1.0000000000000p-1, -0x1.34413509f79ffp-2 },
    { "gf_log10", gf_log10, 0x1.25db9e8ff508dp+0, 0x1.eaaded4aecdd8p-5 },
    { "gf_log10", gf_log10, 0x1.4484bfeebc2a0p-100, -0x1.e000000000000p+4 },
    { "gf_log10", gf_log10, 0x1.c9c3800000000p+24, 0x1.de8927964fd60p+2 },
    { "gf_log10", gf_log10, 0x1.000001ad7f29bp+0, 0x1.750e5ca0b1098p-25 },
};

/* Returns the distance of two doubles of the same sign in units of the last place of `wanted`. */
static double off(double got, double wanted)
{
    int exponent;

    if (got == wanted || (isnan(got) && isnan(wanted)))
        return 0;
    (void)frexp(wanted, &exponent);
    return fabs(got - wanted) / ldexp(1, (exponent < -1021 ? -1021 : exponent) - DBL_MANT_DIG);
}

static void test_known(void)
{
    int wrong = 0, inexact = 0;

    for (const struct known *k = known; k < known + COUNT(known); k++) {
        const double distance = off(k->of(k->x), k->result);

        if (!(distance <= 1))
            printf("# %s(%a) is %a, not %a\n", k->name, k->x, k->of(k->x), k->result);
        wrong += !(distance <= 1);
        inexact += distance > 0;
    }
    gf_is(wrong, 0, "%d known values of eight functions, to one unit in the last place", COUNT(known));
    gf_ok(inexact < COUNT(known) / 10, "nine of ten known values to the last bit");
}

static void test_exact(void)
{
    double decade = 1;
    int wrong = 0;

    for (int i = -1074; i < 1024; i++)
        wrong += gf_exp2(i) != ldexp(1, i) || gf_log2(ldexp(1, i)) != i;
    gf_is(wrong, 0, "powers of two and their logarithms are exact");
    for (int i = 0; i <= 22; i++, decade *= 10)              /* 10^22 is the last that a double stores */
        wrong += gf_pow(10, i) != decade || gf_log10(decade) != i;
    gf_is(wrong, 0, "powers of ten and their logarithms are exact");
    for (int i = -100; i < 100; i++)
        wrong += gf_sin_pi(i) != 0 || gf_cos_pi(i + 0.5) != 0 || fabs(gf_cos_pi(i)) != 1
                 || fabs(gf_sin_pi(i + 0.5)) != 1 || gf_tan_pi(i + 0.25) != 1 || gf_tan_pi(i - 0.25) != -1;
    gf_is(wrong, 0, "sines, cosines and tangents of quarter turns are exact");
    gf_ok(gf_sin_pi(1e300) == 0 && gf_cos_pi(-1e300) == 1 && gf_cos_pi(9007199254740991) == -1
              && gf_sin_pi(4503599627370495.5) == -1, "sines and cosines of huge arguments");
}

static void test_special(void)
{
    const double inf = INFINITY;

    gf_ok(gf_exp(inf) == inf && gf_exp(-inf) == 0 && gf_exp(710) == inf && gf_exp(-750) == 0 && gf_exp(0) == 1
              && gf_exp2(1024) == inf && gf_exp2(-1080) == 0 && gf_exp2(inf) == inf && gf_exp2(-inf) == 0,
          "exponentials out of range");
    gf_ok(gf_log(0) == -inf && gf_log2(0) == -inf && gf_log10(0) == -inf && gf_log(inf) == inf && gf_log10(inf) == inf
              && isnan(gf_log(-1)) && isnan(gf_log10(-inf)) && gf_log(1) == 0, "logarithms of 0, infinity and less");
    gf_ok(gf_pow(0, 2) == 0 && gf_pow(0, -2) == inf && gf_pow(0, 0) == 1 && gf_pow(inf, 2) == inf
              && gf_pow(inf, -1) == 0 && gf_pow(2, inf) == inf && gf_pow(0.5, inf) == 0 && gf_pow(2, -inf) == 0
              && gf_pow(1, inf) == 1 && gf_pow(10, 400) == inf && gf_pow(10, -400) == 0 && isnan(gf_pow(-2, 2)),
          "powers of 0 and infinity");
    gf_ok(isnan(gf_sin_pi(NAN)) && isnan(gf_cos_pi(inf)) && isnan(gf_tan_pi(-inf)) && isnan(gf_exp(NAN))
              && isnan(gf_exp2(NAN)) && isnan(gf_log(NAN)) && isnan(gf_log2(NAN)) && isnan(gf_log10(NAN))
              && isnan(gf_pow(NAN, 2)) && isnan(gf_pow(2, NAN)), "NaN gives NaN");
}

#define STEPS 100000

static void test_identities(void)
{
    double circle = 0, inverse = 0, ratio = 0, halves = 0, powers = 0;

    for (int i = 1; i < STEPS; i++) {
        const double x = (double)i / STEPS, s = gf_sin_pi(x), c = gf_cos_pi(x), e = gf_exp(20 * x - 10);

        circle = fmax(circle, fabs(s * s + c * c - 1));
        inverse = fmax(inverse, fabs(gf_log(e) - (20 * x - 10)));
        ratio = fmax(ratio, off(gf_tan_pi(x), s / c) * (c != 0));
        halves = fmax(halves, off(gf_pow(x, 0.5), sqrt(x)));
        powers = fmax(powers, off(gf_pow(x, 3), x * x * x));
    }
    gf_ok(circle < 4 * DBL_EPSILON, "the squares of sine and cosine add up to 1 (off by %g)", circle);
    gf_ok(inverse < 10 * DBL_EPSILON, "the logarithm is the inverse of the exponential (off by %g)", inverse);
    gf_ok(ratio <= 3, "the tangent is the ratio of sine and cosine (off by %g units)", ratio);
    gf_ok(halves <= 1, "the power 0.5 is the square root (off by %g units)", halves);
    gf_ok(powers <= 2, "the power 3 is a product (off by %g units)", powers);
}

/* Neighbors where the arguments change from one quarter turn, or one power of two, to the next. */
static void test_order(void)
{
    static const double from[] = { 0.25, 0.34657359027997264, 0.5, 0.70710678118654752, 1, 1.0397207708399179, 2, 8 };
    int wrong = 0;

    for (int i = 0; i < COUNT(from); i++) {
        double x = from[i];

        for (int k = 0; k < 1000; k++)
            x = nextafter(x, 0);
        for (int k = 0; k < 2000; k++) {
            const double next = nextafter(x, INFINITY);

            wrong += gf_exp(next) < gf_exp(x) || gf_exp2(next) < gf_exp2(x) || gf_log(next) < gf_log(x)
                     || gf_log2(next) < gf_log2(x) || gf_log10(next) < gf_log10(x) || gf_pow(10, next) < gf_pow(10, x)
                     || gf_pow(next, 2.4) < gf_pow(x, 2.4) || (x < 0.25 && gf_sin_pi(next) < gf_sin_pi(x))
                     || (x < 0.25 && gf_cos_pi(next) > gf_cos_pi(x));
            x = next;
        }
    }
    gf_is(wrong, 0, "results never fall where arguments rise");
}

int main(void)
{
    test_known();
    test_exact();
    test_special();
    test_identities();
    test_order();
    return gf_tap_end();
}
