/* Samples at transformed positions: rotation. */
#ifndef GF_KERNELS_SAMPLE_H
#define GF_KERNELS_SAMPLE_H

#include "kernels/base/op.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gf_interpolation { GF_NEAREST, GF_LINEAR, GF_CUBIC };

#define GF_SAMPLE_ONE_BITS 40           /* bits of fraction of a fixed-point coordinate */
#define GF_SAMPLE_MAX_SIDE 1048576      /* most columns or rows: products stay within 61 bits */
#define GF_SAMPLE_TEXTURE_PITCH 2097120 /* most bytes from one row of a texture to the next */

/*
 * Output pixel (x, y) takes its value at source column cx + x·xx + y·xy and source row cy + x·yx +
 * y·yy. All are fixed-point and exact, so no tiling changes a coordinate. Pixel centers are at
 * integers.
 * The fraction of a coordinate is truncated to 24 bits, which a float represents exactly. With
 * `coarse` it is first rounded to 1/256 (half up); this is set if a linear result is stored in 8
 * bits.
 *  nearest: the pixel at floor(coordinate + 1/2)
 *  linear:  rows y0 and y1: h = fma(fx, right - left, left); then fma(fy, h1 - h0, h0)
 *  cubic:   four by four with gf_cubic_weights(): each row w0·p0 + … + w3·p3 along the columns,
 * then the rows; both as fma chains from 0
 * Pixels outside are `background` with `use_background`, otherwise as `border` says.
 */
struct gf_sample {
    int64_t xx, xy, cx;
    int64_t yx, yy, cy;
    enum gf_interpolation interpolation;
    bool coarse;
    bool textures;              /* with coarse: a GPU reads the source through a texture, for any cut of it */
    bool use_background;
    enum gf_border border;
    float background[4];
};

/*
 * True if a texture can read the source as the parameters say: it has a value beyond its border, or repeats the pixels
 * there, and needs whole rows of 32 bytes. Several channels, and integers, are read faster with plain loads.
 */
static inline bool gf_sample_suits_texture(const struct gf_sample *s, const struct gf_op_source *source)
{
    return (s->use_background || s->border == GF_CLAMP || s->border == GF_ZERO) && source->channels == 1
        && source->planar && source->pitch_bytes % 32 == 0
        && source->pitch_bytes <= GF_SAMPLE_TEXTURE_PITCH;
}

/* Weights of the pixels at -1, 0, 1, 2 for a fraction f: cubic convolution with a = -0.5. */
GF_BOTH void gf_cubic_weights(float f, float w[4])
{
    w[0] = f * fmaf(f, fmaf(f, -0.5f, 1.0f), -0.5f);
    w[1] = fmaf(f * f, fmaf(f, 1.5f, -2.5f), 1.0f);
    w[2] = f * fmaf(f, fmaf(f, -1.5f, 2.0f), 0.5f);
    w[3] = (f * f) * fmaf(f, 0.5f, -0.5f);
}

/* Returns the scratch of the C body for such a call. */
gf_op_scratch gf_sample_scratch_bytes;

extern const struct gf_operation gf_op_sample;
gf_op_body gf_sample_cpu, gf_sample_cuda;

#ifdef __cplusplus
}
#endif
#endif
