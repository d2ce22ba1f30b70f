/* The weights of a Gaussian. */
#ifndef GF_GAUSS_H
#define GF_GAUSS_H

#include <math.h>

/* exp(-x²/2σ²) for x from -radius to radius, to sum 1. */
static inline void gf_gauss_weights(float *weights, int radius, double sigma)
{
    double sum = 0;

    for (int i = -radius; i <= radius; i++)
        sum += exp(-0.5 * (i / sigma) * (i / sigma));
    for (int i = -radius; i <= radius; i++)
        weights[i + radius] = (float)(exp(-0.5 * (i / sigma) * (i / sigma)) / sum);
}

#endif
