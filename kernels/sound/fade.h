/* Fades in and out: a gain for each frame that depends on its distance from the start and the end. */
#ifndef GF_KERNELS_FADE_H
#define GF_KERNELS_FADE_H

#include "kernels/base/op.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gf_fade_shape { GF_FADE_LINEAR, GF_FADE_QUARTER, GF_FADE_HALF, GF_FADE_LOG, GF_FADE_PARABOLA };

/*
 * y[n] = x[n]·f(n / in)·f((N - n) / out) for a signal of N units. f is 1 from 1 on. The gain is
 * computed in double and rounded once. src_units is N, or at least n + out while N is unknown.
 * Units are one pixel wide.
 */
struct gf_fade {
    int64_t in, out;                     /* units; 0: none */
    enum gf_fade_shape shape;
};

/* sin(t·π/2) by its series. */
GF_BOTH double gf_fade_sine(double t)
{
    const double x = t * 1.5707963267948966, z = x * x;
    double s = 1;

    for (int k = 23; k > 1; k -= 2)
        s = 1 - s * z / (k * (k - 1));
    return x * s;
}

/* e^-x for x from 0 to 100: a power of 2, times the series of the remainder. */
GF_BOTH double gf_fade_exp(double x)
{
    const int k = (int)(x * 1.4426950408889634 + 0.5);
    const double r = x - k * 0.6931471805599453;
    const int64_t bits = (int64_t)(1023 - k) << 52;
    double s = 1, power;

    for (int i = 16; i > 0; i--)
        s = 1 - s * r / i;
    memcpy(&power, &bits, sizeof power);
    return s * power;
}

/* f(at / length), for 0 ≤ at < length. */
GF_BOTH double gf_fade_curve(enum gf_fade_shape shape, int64_t at, int64_t length)
{
    const double t = (double)at / (double)length;

    switch (shape) {
    case GF_FADE_QUARTER: return gf_fade_sine(t);
    case GF_FADE_HALF: return gf_fade_sine(t) * gf_fade_sine(t);
    case GF_FADE_LOG: return gf_fade_exp((1 - t) * 11.512925464970229);      /* begins at -100 dB */
    case GF_FADE_PARABOLA: return 1 - (1 - t) * (1 - t);
    default: return t;
    }
}

GF_BOTH float gf_fade_gain(const struct gf_fade *f, int64_t n, int64_t units)
{
    double gain = 1;

    if (n < f->in)
        gain = gf_fade_curve(f->shape, n, f->in);
    if (units - n < f->out)
        gain = gain * gf_fade_curve(f->shape, units - n, f->out);
    return (float)gain;
}

extern const struct gf_operation gf_op_fade;
gf_op_body gf_fade_cpu, gf_fade_cuda;

#ifdef __cplusplus
}
#endif
#endif
