/* The lesson on mipmaps: the sizes that plain C and the kernels share. */
#ifndef GF_LESSONS_MIPMAP_H
#define GF_LESSONS_MIPMAP_H

#include <math.h>
#include <stdint.h>

#define GF_LESSON_LEVELS 5               /* of mipmaps: the largest axis value is 2^4 */

/* The source, and the result, which is `shrink` times smaller in both directions. */
struct gf_lesson_sizes {
    int width, rows, shrink, small_width, small_rows;
};

/* Makes the source nearly square; some samples may remain. */
static inline struct gf_lesson_sizes gf_lesson_sizes_of(int64_t count, int shrink)
{
    const int width = (int)llrint(sqrt((double)count)), rows = (int)(count / width);
    const struct gf_lesson_sizes sizes = { width, rows, shrink, width / shrink, rows / shrink };

    return sizes;
}

#endif
