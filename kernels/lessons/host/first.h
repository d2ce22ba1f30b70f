/* The first lesson: what plain C and the kernels share. */
#ifndef GF_LESSONS_FIRST_H
#define GF_LESSONS_FIRST_H

#include "base/signal.h"

#define GF_LESSON_FIRST_WIDTH 1024       /* of the image: samples of a row */

#define GF_LESSON_FIRST_HEIGHT 64        /* rows of a slice, if the image is seen as a volume */

/* Returns the gray of a pixel of three bytes. The weights are those of BT.601, in parts of 256. */
GF_BOTH unsigned char gf_lesson_first_gray(const unsigned char *rgb)
{
    return (unsigned char)((77 * rgb[0] + 150 * rgb[1] + 29 * rgb[2] + 128) / 256);
}

#endif
