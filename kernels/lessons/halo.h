/* The lesson on convolution in two dimensions: what plain C and the kernels share. */
#ifndef GF_LESSONS_HALO_H
#define GF_LESSONS_HALO_H

#include "base/signal.h"

#define GF_LESSON_HALO_WIDTH 1024        /* of the image */
#define GF_LESSON_HALO 2                 /* neighbors on each side, so a mask has 5 x 5 weights */
#define GF_LESSON_HALO_SIDE (2 * GF_LESSON_HALO + 1)

/* A blur: 1 4 6 4 1 in both directions. Sums of samples of 8 bits are exact with them. */
#define GF_LESSON_HALO_ROW { 1 / 16.0f, 4 / 16.0f, 6 / 16.0f, 4 / 16.0f, 1 / 16.0f }

/* Returns the place of a pixel. Beyond the edges, it is that of the nearest one. */
GF_BOTH int64_t gf_lesson_halo_place(int64_t x, int64_t y, int64_t count)
{
    const int64_t column = x < 0 ? 0 : x < GF_LESSON_HALO_WIDTH ? x : GF_LESSON_HALO_WIDTH - 1;
    const int64_t at = (y < 0 ? 0 : y) * GF_LESSON_HALO_WIDTH + column;

    return at < count ? at : count - 1;
}

#endif
