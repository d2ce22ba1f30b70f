/* Sines, exponentials and logarithms that have the same bits everywhere. */
#ifndef GF_BASE_ELEMENTARY_H
#define GF_BASE_ELEMENTARY_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The C library's functions differ between versions and processors. These use only operations that IEEE 754 rounds
 * in one way: + - * /, fma(), rint(), frexp() and ldexp(). Arguments are any double; NaN gives NaN.
 * The largest errors of 10 million random arguments, in units in the last place: logarithms 0.501, exponentials 0.54,
 * sines and tangents 0.63, gf_pow(10, y) 0.54, other powers 0.86. Results that a double stores are exact, such as
 * gf_pow(10, 3).
 */

/* sin(π·x), cos(π·x) and tan(π·x): the argument is in half turns. NaN for infinities. */
double gf_sin_pi(double x);
double gf_cos_pi(double x);
double gf_tan_pi(double x);

double gf_exp(double x);
double gf_exp2(double x);

/* -∞ for 0, NaN below 0. */
double gf_log(double x);
double gf_log2(double x);
double gf_log10(double x);

/* x^y for x ≥ 0; NaN below 0. */
double gf_pow(double x, double y);

#ifdef __cplusplus
}
#endif
#endif
