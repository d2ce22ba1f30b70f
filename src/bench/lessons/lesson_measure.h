/* Times the steps of lessons, and plain C and the operation that do the same. */
#ifndef GF_BENCH_LESSONS_LESSON_MEASURE_H
#define GF_BENCH_LESSONS_LESSON_MEASURE_H

#include "bench/bench_call.h"
#include "bench/bench_results.h"
#include "device/device.h"
#include "kernels/lessons/lesson.h"

/* Finds a lesson by its name; NULL if there is none. */
const struct gf_lesson *gf_lesson_find(const char *name);

struct gf_lesson_request {
    const struct gf_lesson *lesson;
    struct gf_device *device;            /* a GPU; NULL: plain C only */
    int threads;                         /* of a CPU */
    int64_t most;                        /* samples */
    double ceiling;                      /* bytes of memory */
};

/*
 * Checks each step of a lesson, then times it at all sizes. Without a GPU, it times plain C, and
 * a note says what the steps would show.
 */
int gf_lesson_measure(const struct gf_lesson_request *q, struct gf_bench_results *r,
                      struct gf_error *err) GF_MUST_CHECK;

#endif
