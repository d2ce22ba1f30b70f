/*
 * Lessons: the steps of classic optimizations, timed beside the operation that does the same. Only
 * gpufilter-bench uses them; no chain ever runs one.
 */
#ifndef GF_LESSONS_LESSON_H
#define GF_LESSONS_LESSON_H

#include "base/error.h"
#include "base/signal.h"
#include "kernels/base/border.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_LESSON_BINS 256               /* histogram: of bytes */
#define GF_LESSON_RADIUS 8               /* stencil: neighbors on each side */
#define GF_LESSON_TURNS 512              /* streams: number of times that a sample is changed */
#define GF_LESSON_TIMES 1664525u         /* x·TIMES + PLUS, of 32 bits */
#define GF_LESSON_PLUS 1013904223u

/* The data of a step, and where it runs. */
struct gf_lesson_io {
    const void *src;                     /* in the device's memory, like everything except the host's */
    void *dst;
    void *scratch;                       /* gf_lesson.scratch_bytes(count), uninitialized */
    int64_t count;                       /* of samples */
    void *host_src, *host_dst;           /* pinned; for lessons about copies */
    void *state;                         /* created by open() */
    void *stream;                        /* cudaStream_t: work is queued on it or joins it */
};

typedef int gf_lesson_run(const struct gf_lesson_io *io, struct gf_error *err);

struct gf_lesson_step {
    const char *name;                    /* for people */
    gf_lesson_run *run;
};

/*
 * A claim: step `faster` takes 1/`times` of the time of `slower`, or with `ceiling` cannot take
 * less. The number of steps stands for gpufilter's own operation.
 */
struct gf_lesson_promise {
    int faster, slower;
    bool ceiling;
    double times;
    const char *why;
};

/*
 * Sources are those of the operation: bytes, floats of 8 bits, integers of 64 bits; for streams,
 * words of 32 bits.
 */
struct gf_lesson {
    const char *name;
    const char *summary;                 /* for the list of lessons */
    bool host;                           /* about copies: no operation does the same */
    struct gf_lesson_step copy;          /* the reference, if it is not a copy in the device's memory */
    struct gf_lesson_step steps[5];      /* ends with a step without a name */
    struct gf_lesson_promise promises[4];        /* ends with 0 times */
    size_t (*scratch_bytes)(int64_t count);      /* NULL: none */
    int (*open)(void **state, struct gf_error *err);
    void (*close)(void *state);
};

/* In the order of --list; ends with a lesson without a name. */
extern const struct gf_lesson gf_lessons[];

/* Every step; in a program without CUDA each returns an error. */
#define GF_LESSON_STEPS(X) \
    X(histogram_parts) X(histogram_interleaved) X(histogram_private) \
    X(reduce_divergent) X(reduce_contiguous) X(reduce_shuffles) X(reduce_several) \
    X(scan_steps) X(scan_work) X(scan_chained) \
    X(stencil_plain) X(stencil_shared) \
    X(streams_copies) X(streams_one) X(streams_depth) X(streams_breadth)

#define GF_LESSON_DECLARE(name) gf_lesson_run gf_lesson_##name;
GF_LESSON_STEPS(GF_LESSON_DECLARE)

size_t gf_lesson_reduce_bytes(int64_t count);
size_t gf_lesson_scan_bytes(int64_t count);
int gf_lesson_streams_open(void **state, struct gf_error *err);
void gf_lesson_streams_close(void *state);

/* The weights of the stencil, a triangle with sum 1. */
GF_BOTH float gf_lesson_weight(int i)
{
    const int peak = GF_LESSON_RADIUS + 1, off = i < GF_LESSON_RADIUS ? GF_LESSON_RADIUS - i : i - GF_LESSON_RADIUS;

    return (float)(peak - off) / (float)(peak * peak);
}

#ifdef __cplusplus
}
#endif
#endif
