/* Noise that depends only on the position of a sample, so it never depends on how a signal is cut. */
#ifndef GF_KERNELS_NOISE_H
#define GF_KERNELS_NOISE_H

#include "kernels/base/op.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gf_noise_shape { GF_NOISE_TRIANGULAR, GF_NOISE_UNIFORM, GF_NOISE_GAUSSIAN };

/*
 * The first `channels` channels become v + amplitude·noise in one fused step; with a `step`, a
 * power of two, the result is rounded to a multiple of it, ties to even. Other channels are copied.
 * The noise of channel c at (x, y) comes from 64 random bits: number (y·width + x)·(channels of the
 * signal) + c of the seed; with `mono`, that of channel 0. The first signal of an input uses the
 * seed itself, later ones another (gf_io, signal).
 */
struct gf_noise {
    uint64_t seed;                       /* the user's seed after gf_noise_mix() */
    int channels;
    enum gf_noise_shape shape;
    bool mono;
    float amplitude, step;
};

/* Mixes 64 bits so that consecutive numbers become unrelated: the finalizer of splitmix64. */
GF_BOTH uint64_t gf_noise_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Returns what a number adds to the seed; for a sum of numbers, the sum of their values. */
GF_BOTH uint64_t gf_noise_place(uint64_t number)
{
    return number * UINT64_C(0x9E3779B97F4A7C15);
}

GF_BOTH uint64_t gf_noise_bits(uint64_t seed, uint64_t number)
{
    return gf_noise_mix(seed + gf_noise_place(number));
}

GF_BOTH uint64_t gf_noise_seed(const struct gf_noise *p, int64_t signal)
{
    return signal == 0 ? p->seed : gf_noise_mix(p->seed ^ (uint64_t)signal);
}

/* Between -1 and 1, triangular: the sum of two numbers of 24 bits. */
GF_BOTH float gf_noise_triangular(uint64_t bits)
{
    const int32_t sum = (int32_t)(bits >> 40) + (int32_t)(bits >> 8 & 0xFFFFFF) - 0xFFFFFF;

    return (float)sum * (1.0f / 16777216.0f);
}

/* Between -1 and 1, uniform: an odd number of 24 bits and a sign. */
GF_BOTH float gf_noise_uniform(uint64_t bits)
{
    return (float)(2 * (int32_t)(bits >> 40) - 0xFFFFFF) * (1.0f / 16777216.0f);
}

/*
 * Normal, of variance 1, by Box and Muller: the root of -2 ln u, with u of 31 bits, times the sine
 * of an angle of 32 bits; a quarter turn to either side covers all sines. Every step is IEEE
 * arithmetic, so all devices find the same float. With f = u·2^32 = m·2^e and m around 1, ln m is
 * 2·atanh((m - 1)/(m + 1)); both series are as long as floats need.
 */
GF_BOTH float gf_noise_gaussian(uint64_t bits)
{
    const float f = fmaf((float)(int32_t)(bits >> 33), 2.0f, 1.0f),
                    t = (float)(int32_t)(uint32_t)bits * (1.0f / 2147483648.0f);
    const float tt = t * t;
    int32_t word, e;
    float m, s, z, logarithm, sine;

    memcpy(&word, &f, sizeof word);
    e = (word - 0x3F3504F3) >> 23;                           /* m is at least the root of a half */
    word -= e * 0x800000;
    memcpy(&m, &word, sizeof m);
    s = (m - 1.0f) / (m + 1.0f);
    z = s * s;
    logarithm = fmaf(z, fmaf(z, fmaf(z, fmaf(z, 2.0f / 9.0f, 2.0f / 7.0f), 2.0f / 5.0f), 2.0f / 3.0f), 2.0f) * s;
    logarithm = fmaf((float)(e - 32), 0.693147181f, logarithm);
    sine = fmaf(tt, fmaf(tt, fmaf(tt, -3.59884324e-06f, 0.000160441185f), -0.00468175414f), 0.0796926262f);
    sine = fmaf(tt, fmaf(tt, sine, -0.645964098f), 1.57079633f) * t;
    return sqrtf(-2.0f * logarithm) * sine;
}

GF_BOTH float gf_noise_of(enum gf_noise_shape shape, uint64_t bits)
{
    return shape == GF_NOISE_GAUSSIAN ? gf_noise_gaussian(bits)
         : shape == GF_NOISE_UNIFORM ? gf_noise_uniform(bits) : gf_noise_triangular(bits);
}

extern const struct gf_operation gf_op_noise;
gf_op_body gf_noise_cpu, gf_noise_cuda;

#ifdef __cplusplus
}
#endif
#endif
