/* Finds clicks and replaces them by what the audio around them suggests. */
#ifndef GF_KERNELS_MEND_H
#define GF_KERNELS_MEND_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_MEND_SLOPE 8                  /* frames over which the slope beside a click is measured */
#define GF_MEND_CHUNK 128                /* frames for one thread of a GPU */

/*
 * d[n] = |x[n] - (x[n-1] + x[n+1])/2|, rounded to 2^-30, at most 256, and 0 for the first and the last frame. A frame
 * is sharp if d·(2·around + 1) > times·(sum of d within `around` frames of it). A frame is bad if one within `grow`
 * frames is sharp. A run of at most `longest` bad frames, with GF_MEND_SLOPE + 1 frames of the signal on both sides,
 * becomes a cubic curve from the frame before it to the one after it, whose slopes at the ends are the mean slopes over
 * GF_MEND_SLOPE frames. All other frames stay. Channels are independent; samples are finite.
 * Planes in, planes out, with adjacent frames and no programs.
 */
struct gf_mend {
    int around, grow, longest;
    float times;
};

/* Frames on each side that a frame depends on. */
static inline int64_t gf_mend_halo(const struct gf_mend *m)
{
    return (int64_t)m->longest + m->grow + m->around + GF_MEND_SLOPE + 4;
}

/* Returns d in units of 2^-30, from a frame and both neighbors. */
GF_BOTH int64_t gf_mend_bend(float before, float x, float after)
{
    const float d = x - 0.5f * (before + after), v = d < 0.0f ? -d : d;

    return (int64_t)((v < 256.0f ? v : 256.0f) * 1073741824.0f);
}

GF_BOTH bool gf_mend_is_sharp(const struct gf_mend *m, int64_t bend, int64_t sum)
{
    return (double)bend * (double)(2 * m->around + 1) > (double)m->times * (double)sum;
}

/* Returns frame `at` of a run of n that follows x[-1] and precedes x[n]. */
GF_BOTH float gf_mend_curve(const float *x, int n, int at)
{
    const float a = x[-1], b = x[n], length = (float)(n + 1), t = (float)(at + 1) / length;
    const float p = (a - x[-1 - GF_MEND_SLOPE]) * (1.0f / GF_MEND_SLOPE) * length;
    const float q = (x[n + GF_MEND_SLOPE] - b) * (1.0f / GF_MEND_SLOPE) * length;
    const float u = 1.0f - t;

    return a * (u * u * (1.0f + 2.0f * t)) + b * (t * t * (1.0f + 2.0f * u)) + p * (t * u * u) - q * (u * t * t);
}

extern const struct gf_operation gf_op_mend;
gf_op_body gf_mend_cpu, gf_mend_cuda;

#ifdef __cplusplus
}
#endif
#endif
