/* The lesson on textures: rotation and bilinear interpolation, for plain C and the kernels. */
#ifndef GF_LESSONS_TEXTURE_H
#define GF_LESSONS_TEXTURE_H

#include "base/signal.h"

#include <math.h>

/* An image of floats, and the rotation about its center. */
struct gf_lesson_rotation {
    int width, rows;
    float cosine, sine;
};

/* Makes the image nearly square; some samples may remain. */
static inline struct gf_lesson_rotation gf_lesson_rotation_by(int degrees, int64_t count)
{
    const double angle = degrees * 3.14159265358979323846 / 180;
    const int width = (int)llrint(sqrt((double)count));
    const struct gf_lesson_rotation r = { width, (int)(count / width), (float)cos(angle), (float)sin(angle) };

    return r;
}

/* Returns the place in the source, in columns (u) or rows (v), of a sample of the result. */
GF_BOTH float gf_lesson_rotated_u(const struct gf_lesson_rotation *r, int x, int y)
{
    const float center = (float)(r->width - 1) * 0.5f, middle = (float)(r->rows - 1) * 0.5f;

    return center + ((float)x - center) * r->cosine + ((float)y - middle) * r->sine;
}

GF_BOTH float gf_lesson_rotated_v(const struct gf_lesson_rotation *r, int x, int y)
{
    const float center = (float)(r->width - 1) * 0.5f, middle = (float)(r->rows - 1) * 0.5f;

    return middle - ((float)x - center) * r->sine + ((float)y - middle) * r->cosine;
}

/* Beyond the edges, the last sample repeats, or the whole image, or its mirror images alternate with it. */
enum gf_lesson_beyond { GF_LESSON_CLAMPED, GF_LESSON_WRAPPED, GF_LESSON_MIRRORED };

GF_BOTH int gf_lesson_edge(int i, int n, enum gf_lesson_beyond beyond)
{
    const int period = beyond == GF_LESSON_MIRRORED ? 2 * n : n;

    if (beyond == GF_LESSON_CLAMPED)
        return i < 0 ? 0 : i < n ? i : n - 1;
    i = i % period < 0 ? i % period + period : i % period;
    return i < n ? i : period - 1 - i;
}

/* Weighs the four samples around a place. */
GF_BOTH float gf_lesson_bilinear(const float *src, const struct gf_lesson_rotation *r, float u, float v,
                                 enum gf_lesson_beyond beyond)
{
    const float left = floorf(u), top = floorf(v), a = u - left, b = v - top;
    const int x0 = gf_lesson_edge((int)left, r->width, beyond), x1 = gf_lesson_edge((int)left + 1, r->width, beyond);
    const float *const y0 = src + (int64_t)gf_lesson_edge((int)top, r->rows, beyond) * r->width;
    const float *const y1 = src + (int64_t)gf_lesson_edge((int)top + 1, r->rows, beyond) * r->width;

    return (1 - b) * ((1 - a) * y0[x0] + a * y0[x1]) + b * ((1 - a) * y1[x0] + a * y1[x1]);
}

#endif
