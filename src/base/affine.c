/* Affine maps between positions in two images. */
#include "base/affine.h"

#include <math.h>

#define NOTHING 1e-9                     /* smaller factors come from rounding */

struct gf_affine gf_affine_identity(void)
{
    return (struct gf_affine) { .xx = 1, .yy = 1 };
}

struct gf_affine gf_affine_join(const struct gf_affine *first, const struct gf_affine *then)
{
    const struct gf_affine *a = first, *b = then;

    return (struct gf_affine) {
        .xx = b->xx * a->xx + b->xy * a->yx, .xy = b->xx * a->xy + b->xy * a->yy,
        .cx = b->cx + b->xx * a->cx + b->xy * a->cy,
        .yx = b->yx * a->xx + b->yy * a->yx, .yy = b->yx * a->xy + b->yy * a->yy,
        .cy = b->cy + b->yx * a->cx + b->yy * a->cy, .unknown = a->unknown || b->unknown,
    };
}

struct gf_affine gf_affine_invert(const struct gf_affine *m)
{
    const double area = m->xx * m->yy - m->xy * m->yx;
    struct gf_affine to = { .xx = m->yy / area, .xy = -m->xy / area, .yx = -m->yx / area, .yy = m->xx / area,
                            .unknown = m->unknown };

    to.cx = -(to.xx * m->cx + to.xy * m->cy);
    to.cy = -(to.yx * m->cx + to.yy * m->cy);
    return to;
}

enum gf_axes gf_affine_axes(const struct gf_affine *m)
{
    const bool straight = fabs(m->xy) < NOTHING && fabs(m->yx) < NOTHING;

    if (m->unknown)
        return GF_AXES_OBLIQUE;
    if (straight)
        return m->xx > 0 && m->yy > 0 ? GF_AXES_SAME : GF_AXES_MIRRORED;
    return fabs(m->xx) < NOTHING && fabs(m->yy) < NOTHING ? GF_AXES_TURNED : GF_AXES_OBLIQUE;
}

void gf_affine_apply(const struct gf_affine *m, double *x, double *y)
{
    const double across = *x, down = *y;

    *x = m->cx + across * m->xx + down * m->xy;
    *y = m->cy + across * m->yx + down * m->yy;
}

void gf_affine_steps(const struct gf_affine *m, double *x, double *y)
{
    *x = sqrt(m->xx * m->xx + m->yx * m->yx);
    *y = sqrt(m->xy * m->xy + m->yy * m->yy);
}
