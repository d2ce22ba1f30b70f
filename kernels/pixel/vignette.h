/* Darker corners: a gain for each pixel that depends only on its position. */
#ifndef GF_KERNELS_VIGNETTE_H
#define GF_KERNELS_VIGNETTE_H

#include "kernels/base/op.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The first `channels` channels at (x, y) become v·g, the others are copied. With u = x·x_scale +
 * x_from, w = y·y_scale + y_from and d = √(u² + w²), t is d·slope + start, clamped to 0 … 1, and g
 * = 1 - strength·t²·(3 - 2t). All in floats, fused as below, so that a pixel's gain is the same
 * float on every device.
 */
struct gf_vignette {
    int channels;
    float x_scale, x_from, y_scale, y_from;
    float slope, start, strength;
};

GF_BOTH float gf_vignette_row(const struct gf_vignette *v, int64_t y)
{
    const float w = fmaf((float)y, v->y_scale, v->y_from);

    return w * w;
}

/* Returns the gain at column x of a row with that square. */
GF_BOTH float gf_vignette_gain(const struct gf_vignette *v, float x, float row)
{
    const float u = fmaf(x, v->x_scale, v->x_from), d = fmaf(sqrtf(fmaf(u, u, row)), v->slope, v->start);
    const float low = d > 0.0f ? d : 0.0f, t = low < 1.0f ? low : 1.0f;

    return fmaf(t * t * fmaf(-2.0f, t, 3.0f), -v->strength, 1.0f);
}

extern const struct gf_operation gf_op_vignette;
gf_op_body gf_vignette_cpu, gf_vignette_cuda;

#ifdef __cplusplus
}
#endif
#endif
