/* Sums of many floats with compensation for rounding errors. */
#ifndef GF_KERNELS_EXACT_SUM_H
#define GF_KERNELS_EXACT_SUM_H

#include "base/signal.h"

/* Adds p to the sum s + e (TwoSum): e collects the rounding errors of s and is added to s at the end. */
GF_BOTH void gf_exact_sum_add(float *s, float *e, float p)
{
    const float t = *s + p, back = t - *s;

    *e += (*s - (t - back)) + (p - back);
    *s = t;
}

#endif
