/* Tables of colors: places between the entries of a curve and of a cube. */
#ifndef GF_KERNELS_COLOR_CUBE_H
#define GF_KERNELS_COLOR_CUBE_H

#include "kernels/base/point.h"

#define GF_CUBE_ENTRY 4      /* floats of an entry of a cube: three colors and a 0, which one load reads */
#define GF_CUBE_MOST 129     /* entries along an edge */

/* Returns the place of v among the entries 0 to `last`; that of NaN is 0. */
GF_BOTH float gf_table_place(float v, float last)
{
    const float place = v > 0.0f ? v * last : 0.0f;

    return place < last ? place : last;
}

/* Returns the entry before a place that is not the last one. */
GF_BOTH int32_t gf_table_before(float place, int bins)
{
    const int32_t before = (int32_t)place;

    return before > bins - 2 ? bins - 2 : before;
}

/*
 * A cube has `bins` entries along each edge; entry (r, g, b) is number (r·bins + g)·bins + b. Four corners of the
 * cell around a color have weights: the first, that after a step along the axis of the greatest fraction, that after
 * two steps, and the last.
 */
struct gf_cube_place {
    int32_t first, one, two;             /* offsets of floats; those of the second and the third from the first */
    float weight[4];
};

GF_BOTH int32_t gf_cube_last(int bins)
{
    return (bins * bins + bins + 1) * GF_CUBE_ENTRY;
}

GF_BOTH struct gf_cube_place gf_cube_find(float r, float g, float b, int bins)
{
    const float last = (float)(bins - 1);
    const float pr = gf_table_place(r, last), pg = gf_table_place(g, last), pb = gf_table_place(b, last);
    const int32_t ir = gf_table_before(pr, bins), ig = gf_table_before(pg, bins), ib = gf_table_before(pb, bins);
    const float fr = pr - (float)ir, fg = pg - (float)ig, fb = pb - (float)ib;
    const int32_t along_r = bins * bins * GF_CUBE_ENTRY, along_g = bins * GF_CUBE_ENTRY, along_b = GF_CUBE_ENTRY;
    const float high = fr >= fg ? fr : fg, low = fr >= fg ? fg : fr;
    const float most = high >= fb ? high : fb, least = fb <= low ? fb : low;
    const float middle = fb <= low ? low : fb <= high ? fb : high;
    struct gf_cube_place p;

    p.first = ((ir * bins + ig) * bins + ib) * GF_CUBE_ENTRY;
    p.one = high >= fb ? (fr >= fg ? along_r : along_g) : along_b;
    p.two = along_r + along_g + along_b - (fb <= low ? along_b : fr >= fg ? along_g : along_r);
    p.weight[0] = 1.0f - most;
    p.weight[1] = most - middle;
    p.weight[2] = middle - least;
    p.weight[3] = least;
    return p;
}

#endif
