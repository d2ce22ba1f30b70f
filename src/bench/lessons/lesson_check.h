/* Checks that the steps of a lesson compute the right results. */
#ifndef GF_BENCH_LESSONS_LESSON_CHECK_H
#define GF_BENCH_LESSONS_LESSON_CHECK_H

#include "device/device.h"
#include "kernels/lessons/lesson.h"

/*
 * Compares all steps, on a GPU, with plain C at several counts and values. `text` says at which,
 * as "for 1, 1000 and 4096 samples".
 */
int gf_lesson_check(const struct gf_lesson *lesson, struct gf_device *device, char text[200],
                    struct gf_error *err) GF_MUST_CHECK;

#endif
