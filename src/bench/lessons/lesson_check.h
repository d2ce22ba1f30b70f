/* Checks that the steps of a lesson compute the right results. */
#ifndef GF_BENCH_LESSONS_LESSON_CHECK_H
#define GF_BENCH_LESSONS_LESSON_CHECK_H

#include "device/device.h"
#include "kernels/lessons/lesson.h"

#define GF_LESSON_CHECKED 800            /* room for what was checked, in words */

/*
 * Compares all ways in plain C with each other, and all steps with them, at several counts and
 * values. Without a GPU, steps do not run. On success, `text` says which steps are right, as "every
 * step gives the same result as plain C, for 1, 1000 and 4096 samples".
 */
int gf_lesson_check(const struct gf_lesson *lesson, struct gf_device *device, char text[GF_LESSON_CHECKED],
                    struct gf_error *err) GF_MUST_CHECK;

#endif
