/* The memory of a lesson: source and result on the host, and on the GPU if there is one. */
#ifndef GF_BENCH_LESSONS_LESSON_MEMORY_H
#define GF_BENCH_LESSONS_LESSON_MEMORY_H

#include "device/device.h"
#include "kernels/lessons/lesson.h"

struct gf_lesson_memory {
    const struct gf_lesson *lesson;
    struct gf_device *device;            /* NULL: no GPU */
    struct gf_lesson_io cpu, gpu;        /* for plain C, and for steps */
    struct gf_room up, down;             /* pinned */
    size_t result_bytes;                 /* of the current count and value */
};

/* Returns the bytes that a lesson needs on the GPU, or on the host without one. */
double gf_lesson_memory_bytes(const struct gf_lesson *lesson, int64_t count, int value, bool gpu);
/* Returns the bytes of the result. */
size_t gf_lesson_result_bytes(const struct gf_lesson *lesson, int64_t count);
/* Allocates memory for up to `most` samples, with scratch memory of the lesson at `value`. */
int gf_lesson_memory_open(struct gf_lesson_memory *m, const struct gf_lesson *lesson, struct gf_device *device,
                          int64_t most, int value, struct gf_error *err) GF_MUST_CHECK;
/* Prepares the source and the lesson's state for another count and value. */
int gf_lesson_memory_bind(struct gf_lesson_memory *m, int64_t count, int value, struct gf_error *err) GF_MUST_CHECK;
void gf_lesson_memory_close(struct gf_lesson_memory *m);

#endif
