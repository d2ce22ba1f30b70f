/* The lesson on prefix sums: what plain C and the kernels share. */
#ifndef GF_LESSONS_SCAN_H
#define GF_LESSONS_SCAN_H

#include "base/signal.h"

#define GF_LESSON_SCAN_THREADS 1024
#define GF_LESSON_SCAN_TILE (4 * GF_LESSON_SCAN_THREADS)         /* one pass: values of a block */

/* Returns true if a segment begins with this value: about one of 1024. */
GF_BOTH bool gf_lesson_scan_starts(unsigned long long value)
{
    return value % 1024 == 0;
}

/* The sums before a tile and in it, valid when `ready` says so. */
struct gf_lesson_scan_link {
    unsigned long long sum;
    unsigned ready;
};

#endif
