/*
 * Lessons: the steps of classic optimizations, each checked and timed, beside plain C and the
 * operation that does the same. Only gpufilter-bench uses them; no chain ever runs one.
 */
#ifndef GF_LESSONS_LESSON_H
#define GF_LESSONS_LESSON_H

#include "base/error.h"
#include "base/signal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_LESSON_VALUES 12              /* of an axis, at most */
#define GF_LESSON_STEPS_MOST 13          /* of a lesson, with the one that ends them */

struct gf_lesson_report;

/* The data of a step, and where it runs. */
struct gf_lesson_io {
    const void *src;                     /* in the memory of the device that runs the step */
    void *dst;
    void *scratch;                       /* gf_lesson.scratch_bytes(), uninitialized; NULL on a CPU */
    int64_t count;                       /* of samples */
    int value;                           /* of the lesson's axis; 0 if the number of samples varies */
    void *host_src, *host_dst;           /* pinned memory of the host, for lessons with `host` */
    void *pageable_src, *pageable_dst;   /* other memory of the host */
    void *state;                         /* what open() created */
    void *stream;                        /* cudaStream_t: work is queued on it or joins it */
    double *seconds;                     /* a step with GF_LESSON_OWN_CLOCK writes its time, and any that does */
                                         /* not apply to `value` writes NAN */
    const struct gf_lesson_report *report;       /* for tell() */
};

/* A function of a lesson on a GPU: a step, or what open(), bind(), close() and tell() do. */
typedef int gf_lesson_run(struct gf_lesson_io *io, struct gf_error *err);
/* Plain C: computes results `first` to `end` - 1. */
typedef void gf_lesson_part(const struct gf_lesson_io *io, int64_t first, int64_t end);

enum gf_lesson_clock {
    GF_LESSON_GPU_CLOCK,                 /* from the first to the last action on the stream */
    GF_LESSON_HOST_CLOCK,                /* until run() has returned and the stream is idle */
    GF_LESSON_OWN_CLOCK                  /* run() measures, and writes *io->seconds */
};

struct gf_lesson_step {
    const char *name;                    /* for people */
    gf_lesson_run *run;
    const char *why;                     /* what it does, and why it is faster or slower: a sentence or two */
    enum gf_lesson_clock clock;
    bool to_host;                        /* the result is in host_dst, or … */
    bool to_pageable;                    /* … in pageable_dst */
    gf_lesson_part *wanted;              /* computes its result, if that is not the one of the lesson */
};

/* Plain C that does what the steps do. The first of a lesson computes the result that steps must have. */
struct gf_lesson_cpu {
    const char *name;
    gf_lesson_part *part;
    bool serial;                         /* not with several threads */
};

/* Stand for a step in a promise. */
enum { GF_LESSON_OURS = -1,              /* gpufilter's operation */
       GF_LESSON_ONE_CORE = -2, GF_LESSON_ALL_CORES = -3 };  /* the first of `cpu` */

enum gf_lesson_kind {
    GF_LESSON_TIMES,                     /* so many times as fast */
    GF_LESSON_UP_TO,                     /* at most so many times */
    GF_LESSON_CROSSING                   /* faster from some size on; `times` must not be 0, and is not used */
};

/* A claim of textbooks about step `faster`, compared with `slower`. */
struct gf_lesson_promise {
    int faster, slower;
    enum gf_lesson_kind kind;
    double times;
    const char *why;                     /* the reason that textbooks give */
    const char *less;                    /* what explains less than 0.7 of `times`; NULL: nothing is said */
    int at;                              /* 1 for the first value of the axis, 2 for the second …; 0: the last */
    const char *more;                    /* what explains more than 1.4 of `times`; NULL: nothing is said */
};

enum gf_lesson_fill { GF_LESSON_BYTES,   /* noise, for any integers */
                      GF_LESSON_FLOATS,  /* noise of 8 bits in [0, 1): sums of up to 2^16 are exact */
                      GF_LESSON_COUNTS };        /* uint64_t, noise of 16 bits */

struct gf_lesson {
    const char *name;
    const char *summary;                 /* for the list of lessons: what is compared */
    /* the data: bytes per sample of the source and the result, and more of the result */
    enum gf_lesson_fill fill;
    int src_bytes, dst_bytes, dst_more;
    void (*prepare)(void *src, int64_t count, int value);        /* fills the source instead of noise */
    double tolerance;                    /* results are floats: as a part of the largest; 0: every bit must be equal */
    /* what varies; without a name, the number of samples from 1 K to 256 M */
    const char *axis;
    int values[GF_LESSON_VALUES], value_count;
    bool axis_linear;                    /* of drawings */
    int64_t most;                        /* without an axis: the most samples; 0: 256 M */
    int64_t samples;                     /* with an axis: the number of samples, or … */
    int64_t (*count_at)(int value);      /* … a number for each value */
    int64_t checked[6];                  /* counts, or values with count_at, to check results at; ends with 0 */
    /* the rate: bytes read and written in GB/s, or another */
    const char *unit;                    /* as "GFLOP/s", or NULL */
    double (*work)(int64_t count, int value);    /* 1e9 of its results each second are one `unit` */
    bool draw_time;                      /* draw times, not rates */
    /* the ways */
    struct gf_lesson_cpu cpu[4];         /* ends with one without a name */
    struct gf_lesson_step copy;          /* the reference of rates, if it is not a copy of the source on the device */
    struct gf_lesson_step steps[GF_LESSON_STEPS_MOST];     /* ends with one without a name */
    struct gf_lesson_promise promises[10];       /* ends with 0 times */
    const char *operation, *operation_case;      /* gpufilter's own; NULL: the operation of the lesson's name, if any */
    const char *operation_why;           /* what it does differently, as gf_lesson_step.why */
    const char *operation_form;          /* as "plane"; NULL: the first of the case */
    int operation_value;                 /* with an axis: the value that the case has */
    /* functions; NULL: nothing to do */
    bool host;                           /* host_src and host_dst exist */
    size_t (*scratch_bytes)(int64_t count, int value);
    double more_copies;                  /* what open() and bind() allocate, in sizes of the source */
    gf_lesson_run *open;                 /* creates io->state, for at most io->count samples */
    gf_lesson_run *bind;                 /* before the steps run with another count or value */
    gf_lesson_run *close;                /* releases io->state; no error is reported */
    gf_lesson_run *tell;                 /* after the times: says more, with gf_lesson_say() */
    gf_lesson_run *apart;                /* what tell() has done in a process of its own; see apart.h */
};

/* Functions that tell() may call. */
struct gf_lesson_report {
    void (*add_line)(void *context, const char *line);
    double (*seconds)(void *context, int step, int size);        /* of a step at a value of the axis; NaN: unknown */
    void *context;
    int sizes;
};

/* Adds a line to what a lesson says. */
void gf_lesson_say(const struct gf_lesson_report *report, const char *format, ...) GF_PRINTF(2, 3);

/* In the order of --list; NULL at the end. */
extern const struct gf_lesson *const gf_lessons[];

#ifdef __cplusplus
}
#endif
#endif
