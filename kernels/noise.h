/* Noise that is told by the place of a sample alone, so that it never depends on how a signal is cut. */
#ifndef GF_NOISE_H
#define GF_NOISE_H

#include "op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The first `channels` channels become v + amplitude·noise, one fused step, and with a `step`,
 * a power of two, the nearest multiple of that, ties to even. Other channels are copied. The
 * noise of channel c at (x, y) is made of 64 random bits, those of number
 * (y·width + x)·(channels of the signal) + c of the seed: triangular, between -1 and 1, the
 * sum of two numbers of 24 bits.
 */
struct gf_noise {
    uint64_t seed;                       /* as gf_noise_mix() made it of the user's */
    int channels;
    float amplitude, step;
};

/* Mixes 64 bits so that neighbours have nothing in common: the finalizer of splitmix64. */
GF_BOTH uint64_t gf_noise_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

GF_BOTH float gf_noise_triangular(uint64_t seed, uint64_t number)
{
    const uint64_t bits = gf_noise_mix(seed + number * UINT64_C(0x9E3779B97F4A7C15));
    const int32_t sum = (int32_t)(bits >> 40) + (int32_t)(bits >> 8 & 0xFFFFFF) - 0xFFFFFF;

    return (float)sum * (1.0f / 16777216.0f);
}

gf_op_scratch gf_noise_scratch_bytes;

gf_op_body gf_noise_cpu, gf_noise_cuda;

#ifdef __cplusplus
}
#endif
#endif
