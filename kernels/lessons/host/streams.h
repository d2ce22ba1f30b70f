/* The lesson on streams: the work that plain C and the kernels share. */
#ifndef GF_LESSONS_STREAMS_H
#define GF_LESSONS_STREAMS_H

#include "kernels/lessons/lesson.h"

#define GF_STREAMS_TURNS 512              /* number of times that a sample is changed to x·TIMES + PLUS, of 32 bits */
#define GF_STREAMS_TIMES 1664525u
#define GF_STREAMS_PLUS 1013904223u

#endif
