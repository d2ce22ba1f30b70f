/* The lesson on transposes: the shape of the image, which plain C and the kernels share. */
#ifndef GF_LESSONS_TRANSPOSE_H
#define GF_LESSONS_TRANSPOSE_H

#include <math.h>
#include <stdint.h>

/* Makes the image nearly square; some samples may remain. */
static inline int64_t gf_lesson_transpose_width(int64_t count)
{
    return llrint(sqrt((double)count));
}

#endif
