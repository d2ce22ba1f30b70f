/* Blending: a second image is laid over the signal or compared with it. */
#ifndef GF_KERNELS_BLEND_H
#define GF_KERNELS_BLEND_H

#include "kernels/base/op.h"

#include <float.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Blend functions: the color of the second image and the color below it give the result. */
#define GF_BLEND_MODES(X) \
    X(NORMAL, normal) X(MULTIPLY, multiply) X(SCREEN, screen) X(OVERLAY, overlay) X(DARKEN, darken) \
    X(LIGHTEN, lighten) X(DIFFERENCE, difference) X(EXCLUSION, exclusion) X(ADD, add) X(SUBTRACT, subtract) \
    X(DIVIDE, divide) X(SOFTLIGHT, softlight) X(HARDLIGHT, hardlight) X(DODGE, dodge) X(BURN, burn)

#define GF_BLEND_ENTRY(NAME, name) GF_BLEND_##NAME,
enum gf_blend_mode {
    GF_BLEND_MODES(GF_BLEND_ENTRY)
    GF_BLEND_MASK,               /* alpha becomes alpha · m; colours are copied */
    GF_BLEND_COMPARE,            /* colours become |b - s| · amount; alpha is copied */
    GF_BLEND_QUOTIENT            /* colours become gf_blend_quotient(); alpha is copied */
};

/*
 * Column 0 of the second source, io->beside, corresponds to column x of the signal; outside it the
 * signal is copied. The signal has color b and alpha ab (1 if it has none); the second image has
 * color s and alpha as (likewise, times `amount`); B(b, s) depends on the mode. The result follows
 * W3C compositing with source-over:
 *  alpha   as + (1 - as)·ab
 *  color   (as·((1 - ab)·s + ab·B(b, s)) + (1 - as)·ab·b) / alpha,  or b if as is 0
 * A second image of one color applies to each color of the signal; otherwise both have the same
 * number of colors. With GF_BLEND_MASK, m is the second image's alpha, or without alpha its gray:
 * .299 r + .587 g + .114 b, or its only color.
 */
struct gf_blend {
    enum gf_blend_mode mode;
    int colours;                 /* colors of the signal */
    bool alpha;                  /* the signal also has alpha */
    int beside_colours;
    bool beside_alpha;
    int64_t x;
    float amount;                /* opacity; a factor of the result for GF_BLEND_COMPARE and GF_BLEND_QUOTIENT */
};

GF_BOTH float gf_blend_screen(float b, float s)
{
    return fmaf(-b, s, b + s);
}

GF_BOTH float gf_blend_hard(float b, float s)
{
    return s <= 0.5f ? b * (2 * s) : gf_blend_screen(b, 2 * s - 1);
}

/* The function of W3C; Pillow's soft_light is a different one. */
GF_BOTH float gf_blend_soft(float b, float s)
{
    const float near_black = fmaf(fmaf(16.0f, b, -12.0f), b, 4.0f) * b;
    const float lighter = b <= 0.25f ? near_black : sqrtf(b > 0 ? b : 0);
    const float way = s <= 0.5f ? b * (1 - b) : lighter - b;

    return fmaf(2 * s - 1, way, b);
}

GF_BOTH float gf_blend_dodge(float b, float s)
{
    const float q = b / (1 - s);

    return b <= 0 ? 0 : s >= 1 || q > 1 ? 1 : q;
}

GF_BOTH float gf_blend_burn(float b, float s)
{
    const float q = (1 - b) / s;

    return b >= 1 ? 1 : s <= 0 || q > 1 ? 0 : 1 - q;
}

/*
 * Returns b · amount / s, or 0 if s is not above 0, as for a dead pixel of a flat field, or if a finite b would become
 * infinite.
 */
GF_BOTH float gf_blend_quotient(float b, float s, float amount)
{
    const float q = b * amount / s;

    return s > 0 && (fabsf(q) <= FLT_MAX || !(fabsf(b) <= FLT_MAX)) ? q : 0;
}

/* Returns B(b, s); on a CPU, `mode` is a compile-time constant. */
GF_BOTH float gf_blend_colour(enum gf_blend_mode mode, float b, float s)
{
    const float sum = b + s, rest = b - s;

    switch (mode) {
    case GF_BLEND_MULTIPLY: return b * s;
    case GF_BLEND_SCREEN: return gf_blend_screen(b, s);
    case GF_BLEND_OVERLAY: return gf_blend_hard(s, b);
    case GF_BLEND_DARKEN: return s < b ? s : b;
    case GF_BLEND_LIGHTEN: return s > b ? s : b;
    case GF_BLEND_DIFFERENCE: return fabsf(rest);
    case GF_BLEND_EXCLUSION: return fmaf(-2 * b, s, sum);
    case GF_BLEND_ADD: return sum < 1 ? sum : 1;
    case GF_BLEND_SUBTRACT: return rest;
    case GF_BLEND_DIVIDE: return gf_blend_quotient(b, s, 1);
    case GF_BLEND_SOFTLIGHT: return gf_blend_soft(b, s);
    case GF_BLEND_HARDLIGHT: return gf_blend_hard(b, s);
    case GF_BLEND_DODGE: return gf_blend_dodge(b, s);
    case GF_BLEND_BURN: return gf_blend_burn(b, s);
    default: return s;
    }
}

/* Returns the color over an opaque one. */
GF_BOTH float gf_blend_opaque(enum gf_blend_mode mode, float b, float s, float as)
{
    return as == 0 ? b : fmaf(as, gf_blend_colour(mode, b, s), (1 - as) * b);
}

GF_BOTH float gf_blend_alpha(float ab, float as)
{
    return fmaf(1 - as, ab, as);
}

GF_BOTH float gf_blend_mixed(enum gf_blend_mode mode, float b, float ab, float s, float as)
{
    const float own = fmaf(ab, gf_blend_colour(mode, b, s), (1 - ab) * s), alpha = gf_blend_alpha(ab, as);
    const float colour = fmaf(as, own, (1 - as) * ab * b) / alpha;

    return as == 0 ? b : alpha == 0 ? 0 : colour;
}

GF_BOTH float gf_blend_distance(float b, float s, float amount)
{
    return fabsf(b - s) * amount;
}

extern const struct gf_operation gf_op_blend;
gf_op_body gf_blend_cpu, gf_blend_cuda;

#ifdef __cplusplus
}
#endif
#endif
