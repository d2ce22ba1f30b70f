/* Samples at positions that a perspective, a lens or a map gives. */
#ifndef GF_KERNELS_WARP_H
#define GF_KERNELS_WARP_H

#include "kernels/geometry/sample.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gf_warp_kind { GF_WARP_MATRIX, GF_WARP_LENS, GF_WARP_MAP };

#define GF_WARP_FAR 4194304.0            /* positions are limited to this many pixels from the first one */

/*
 * Output pixel (x, y) takes its value at the source column and row that its kind gives, computed in double precision;
 * pixel centers are at integers.
 *  matrix: u = fma(m0, x, fma(m1, y, m2)), v = fma(m3, x, fma(m4, y, m5)), w = fma(m6, x, fma(m7, y, m8));
 *          q = 1/w; (u·q, v·q), or if w is not above 0 a position far outside
 *  lens:   d = (x - m0, y - m1)·m2; e = d·m3; q = fma(ex, ex, ey·ey);
 *          f = fma(q, fma(q, fma(q, m6, m5), m4), 1); (fma(dx, f, m0), fma(dy, f, m1))
 *  map:    the first two channels of the pixel (x, y) of the second source, which has the size of the result; NaN is
 *          far outside
 * Positions are limited to ±GF_WARP_FAR, rounded to 2^-24 (ties to even), and then interpolated as struct gf_sample
 * says, with its fields of the same names.
 */
struct gf_warp {
    double m[9];
    enum gf_warp_kind kind;
    enum gf_interpolation interpolation;
    enum gf_border border;
    bool coarse;
    bool use_background;
    float background[4];
};

/* Returns a position within the limits; NaN becomes the least. */
GF_BOTH double gf_warp_limited(double v)
{
    v = v > -GF_WARP_FAR ? v : -GF_WARP_FAR;
    return v < GF_WARP_FAR ? v : GF_WARP_FAR;
}

/* Returns a position that is within the limits in units of 2^-24. */
GF_BOTH int64_t gf_warp_units(double v)
{
    const double sum = v * 0x1p24 + 0x1.8p52;    /* a double of this size has a last bit of 1 */
    int64_t bits;

    memcpy(&bits, &sum, sizeof bits);
    return bits - INT64_C(0x4338000000000000);
}

/* Returns a position as a fixed-point number with GF_SAMPLE_ONE_BITS bits of fraction. */
GF_BOTH int64_t gf_warp_fixed(double v)
{
    return (int64_t)((uint64_t)gf_warp_units(gf_warp_limited(v)) << (GF_SAMPLE_ONE_BITS - 24));
}

/* True if the divisor of a matrix is 1 everywhere, so that the division changes nothing. */
GF_BOTH bool gf_warp_is_affine(const double *m)
{
    return m[6] == 0.0 && m[7] == 0.0 && m[8] == 1.0;
}

/* `seen` says that w is above 0. */
GF_BOTH void gf_warp_matrix_place(const double *m, bool affine, bool seen, double x, double y, double *sx, double *sy)
{
    const double u = fma(m[0], x, fma(m[1], y, m[2])), v = fma(m[3], x, fma(m[4], y, m[5]));
    const double w = affine ? 1.0 : fma(m[6], x, fma(m[7], y, m[8])), q = affine ? 1.0 : 1.0 / w;

    *sx = affine ? u : seen || w > 0.0 ? u * q : -GF_WARP_FAR;
    *sy = affine ? v : seen || w > 0.0 ? v * q : -GF_WARP_FAR;
}

GF_BOTH void gf_warp_lens_place(const double *m, double x, double y, double *sx, double *sy)
{
    const double dx = (x - m[0]) * m[2], dy = (y - m[1]) * m[2], ex = dx * m[3], ey = dy * m[3];
    const double q = fma(ex, ex, ey * ey), f = fma(q, fma(q, fma(q, m[6], m[5]), m[4]), 1.0);

    *sx = fma(dx, f, m[0]);
    *sy = fma(dy, f, m[1]);
}

/* Returns a level of the map: integers are positions as they are stored. */
GF_BOTH double gf_warp_map_level(const void *row, enum gf_type type, int64_t at)
{
    switch (type) {
    case GF_U8: return ((const uint8_t *)row)[at];
    case GF_U16: return ((const uint16_t *)row)[at];
    case GF_S16: return ((const int16_t *)row)[at];
    case GF_S32: return ((const int32_t *)row)[at];
    case GF_F64: return ((const double *)row)[at];
    default: return (double)((const float *)row)[at];
    }
}

/* Returns the sampling that interpolates at these positions; its own map of positions has no meaning. */
GF_BOTH struct gf_sample gf_warp_sampling(const struct gf_warp *w)
{
    struct gf_sample s;

    memset(&s, 0, sizeof s);
    s.interpolation = w->interpolation;
    s.coarse = w->coarse;
    s.use_background = w->use_background;
    s.border = w->border;
    memcpy(s.background, w->background, sizeof s.background);
    return s;
}

extern const struct gf_operation gf_op_warp;
gf_op_body gf_warp_cpu, gf_warp_cuda;

#ifdef __cplusplus
}
#endif
#endif
