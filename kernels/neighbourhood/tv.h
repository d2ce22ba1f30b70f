/* Denoising by total variation: Chambolle's projection with a fixed number of steps, so that an image streams. */
#ifndef GF_KERNELS_TV_H
#define GF_KERNELS_TV_H

#include "kernels/base/op.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_TV_MAX_ITERATIONS 1000

/*
 * Changes the first `colours` channels and copies the others. Two planes p and q begin as zeros. A step computes, with
 * zeros outside the signal,
 *  u(x, y) = v(x, y) + (((-(q(x, y) + p(x, y))) + q(x, y - 1)) + p(x - 1, y))
 *  g = u(x + 1, y) - u(x, y), 0 in the last column;  h = u(x, y + 1) - u(x, y), 0 in the last unit
 *  p = (p - g/4) / (1 + rate·|(g, h)|), q likewise
 * with rate = 1 / (4·weight). The result is u after `iterations` - 1 steps. A step reaches a unit and a column further
 * to all sides.
 */
struct gf_tv {
    float rate;
    int iterations;              /* at least 1 */
    int colours;
};

GF_BOTH float gf_tv_value(float v, float p, float q, float left, float above)
{
    return v + (((-(q + p)) + above) + left);
}

GF_BOTH void gf_tv_step(float g, float h, float rate, float *p, float *q)
{
    const float by = 1.0f / (1.0f + rate * sqrtf(fmaf(g, g, h * h)));

    *p = (*p - 0.25f * g) * by;
    *q = (*q - 0.25f * h) * by;
}

extern const struct gf_operation gf_op_tv;
gf_op_body gf_tv_cpu, gf_tv_cuda;

#ifdef __cplusplus
}
#endif
#endif
