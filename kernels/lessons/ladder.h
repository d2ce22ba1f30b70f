/* The lesson on latency: what plain C and the kernels share. */
#ifndef GF_LESSONS_LADDER_H
#define GF_LESSONS_LADDER_H

#include "base/signal.h"

#define GF_LESSON_LADDER_GAP 32          /* words from one place to the next: 128 bytes, a line of the caches */
#define GF_LESSON_LADDER_LEAST 65536     /* steps along the chain, at least */
#define GF_LESSON_LADDER_TIMES 1664525u
#define GF_LESSON_LADDER_PLUS 1013904223u

/* Returns the number of steps along a chain in `count` words: at least one round. */
GF_BOTH int64_t gf_lesson_ladder_steps(int64_t count)
{
    const int64_t places = count / GF_LESSON_LADDER_GAP;

    return places > GF_LESSON_LADDER_LEAST ? places : GF_LESSON_LADDER_LEAST;
}

#endif
