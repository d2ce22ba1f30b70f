/* The lesson on neighbors: the weights that plain C and the kernels share. */
#ifndef GF_LESSONS_STENCIL_H
#define GF_LESSONS_STENCIL_H

#include "base/signal.h"

#define GF_LESSON_RADIUS 8               /* neighbors on each side */

/* A triangle with sum 1. */
GF_BOTH float gf_lesson_weight(int i)
{
    const int peak = GF_LESSON_RADIUS + 1, off = i < GF_LESSON_RADIUS ? GF_LESSON_RADIUS - i : i - GF_LESSON_RADIUS;

    return (float)(peak - off) / (float)(peak * peak);
}

#endif
