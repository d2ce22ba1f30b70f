/* Levels and gains as whole numbers of 1/65536 octave, which are the same on every device. */
#ifndef GF_KERNELS_OCTAVES_H
#define GF_KERNELS_OCTAVES_H

#include "base/signal.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_OCTAVE 65536
#define GF_OCTAVES_OF_ONE (126 * GF_OCTAVE)      /* the level of full scale */

/*
 * Returns how far v is above 2^-126, the smallest normal float; 0 for all that is lower. v is finite and not
 * negative. The polynomial is log2(1 + t), fitted on [0, 1) with an error of 2e-6.
 */
GF_BOTH int32_t gf_octaves_of(float v)
{
    const float a = 1.4425532f, b = -0.7182819f, c = 0.4582707f, d = -0.27953792f, e = 0.123451285f, f = -0.026457377f;
    uint32_t bits, fraction;
    float t;

    memcpy(&bits, &v, sizeof bits);
    fraction = (bits & 0x7fffff) | 0x3f800000;
    memcpy(&t, &fraction, sizeof t);
    t -= 1.0f;
    t = t * (a + t * (b + t * (c + t * (d + t * (e + t * f)))));
    return bits < 0x800000 ? 0 : ((int32_t)(bits >> 23) - 1) * GF_OCTAVE + (int32_t)(t * (float)GF_OCTAVE + 0.5f);
}

/* Returns 2^(n/65536), for n up to 120 octaves; 0 below -120. The polynomial has an error of 3e-9; 2^0 is exact. */
GF_BOTH float gf_octaves_gain(int32_t n)
{
    const float a = 0.693147f, b = 0.2402299f, c = 0.055482488f, d = 0.00968117f, e = 0.0012414922f, f = 0.00021794665f;
    const int32_t whole = n >> 16;
    const float t = (float)(n & (GF_OCTAVE - 1)) * (1.0f / (float)GF_OCTAVE);
    const float v = 1.0f + t * (a + t * (b + t * (c + t * (d + t * (e + t * f)))));
    uint32_t bits;
    float gain;

    memcpy(&bits, &v, sizeof bits);
    bits += (uint32_t)whole << 23;
    memcpy(&gain, &bits, sizeof gain);
    return whole < -120 ? 0.0f : gain;
}

#ifdef __cplusplus
}
#endif
#endif
