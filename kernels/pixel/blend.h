/* Blending: a picture from a file, laid over or compared with the signal. */
#ifndef GF_KERNELS_BLEND_H
#define GF_KERNELS_BLEND_H

#include "kernels/base/op.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Blend functions: what a colour of the picture makes of the one below it. */
#define GF_BLEND_MODES(X) \
    X(NORMAL, normal) X(MULTIPLY, multiply) X(SCREEN, screen) X(OVERLAY, overlay) X(DARKEN, darken) X(LIGHTEN, lighten) \
    X(DIFFERENCE, difference) X(EXCLUSION, exclusion) X(ADD, add) X(SUBTRACT, subtract) X(SOFTLIGHT, softlight) \
    X(HARDLIGHT, hardlight) X(DODGE, dodge) X(BURN, burn)

#define GF_BLEND_ENTRY(NAME, name) GF_BLEND_##NAME,
enum gf_blend_mode {
    GF_BLEND_MODES(GF_BLEND_ENTRY)
    GF_BLEND_MASK,               /* alpha becomes alpha · m; colours are copied */
    GF_BLEND_COMPARE             /* colours become |b - s| · amount; alpha is copied */
};

/*
 * The second source, io->beside, lies with its column 0 beside column x of the signal; beyond it the signal is
 * copied. With the signal's colour b and alpha ab (1 without one), the picture's colour s and alpha as (likewise,
 * times `amount`), and B(b, s) by mode, the result is, as W3C's compositing has it with source-over,
 *
 *     alpha   as + (1 - as)·ab
 *     colour  (as·((1 - ab)·s + ab·B(b, s)) + (1 - as)·ab·b) / alpha,  b where as is 0
 *
 * A picture of one colour stands for each of the signal's; else they have as many. With GF_BLEND_MASK m is the
 * picture's alpha, without one its gray: .299 r + .587 g + .114 b, or the one colour it has.
 */
struct gf_blend {
    enum gf_blend_mode mode;
    int colours;                 /* of the signal */
    bool alpha;                  /* and whether one follows */
    int beside_colours;
    bool beside_alpha;
    int64_t x;
    float amount;                /* opacity; of GF_BLEND_COMPARE, what differences are multiplied by */
};

GF_BOTH float gf_blend_screen(float b, float s)
{
    return fmaf(-b, s, b + s);
}

GF_BOTH float gf_blend_hard(float b, float s)
{
    return s <= 0.5f ? b * (2 * s) : gf_blend_screen(b, 2 * s - 1);
}

/* W3C's; Pillow's soft_light is another function. */
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

/* B(b, s); `mode` is known where it is called on a CPU. */
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
    case GF_BLEND_SUBTRACT: return rest > 0 ? rest : 0;
    case GF_BLEND_SOFTLIGHT: return gf_blend_soft(b, s);
    case GF_BLEND_HARDLIGHT: return gf_blend_hard(b, s);
    case GF_BLEND_DODGE: return gf_blend_dodge(b, s);
    case GF_BLEND_BURN: return gf_blend_burn(b, s);
    default: return s;
    }
}

/* The colour over an opaque one. */
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

GF_BOTH float gf_blend_gray(float r, float g, float b)
{
    return fmaf(.114f, b, fmaf(.587f, g, .299f * r));
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
