/* The lesson on streams: the work that plain C and the kernels share. */
#ifndef GF_LESSONS_STREAMS_H
#define GF_LESSONS_STREAMS_H

#define GF_LESSON_TURNS 512              /* number of times that a sample is changed to x·TIMES + PLUS, of 32 bits */
#define GF_LESSON_TIMES 1664525u
#define GF_LESSON_PLUS 1013904223u

#endif
