/* The lesson on streams: the work that plain C and the kernels share, and what its files share. */
#ifndef GF_LESSONS_STREAMS_H
#define GF_LESSONS_STREAMS_H

#include "kernels/lessons/lesson.h"

#define GF_STREAMS_TURNS 512              /* number of times that a sample is changed to x·TIMES + PLUS, of 32 bits */
#define GF_STREAMS_TIMES 1664525u
#define GF_STREAMS_PLUS 1013904223u

#define GF_STREAMS_PARTS 16
enum gf_streams_action { GF_STREAMS_UP, GF_STREAMS_WORK, GF_STREAMS_DOWN, GF_STREAMS_ACTIONS };

/* Queues an action on a part on a stream (cudaStream_t). */
int gf_streams_act(struct gf_lesson_io *io, int part, enum gf_streams_action action, void *stream,
                   struct gf_error *err);

#endif
