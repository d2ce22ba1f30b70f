/*
 * A process of its own for a part of a lesson: for an error that ends the use of the GPU, and for
 * what is chosen when a process begins to use it.
 */
#ifndef GF_LESSONS_APART_H
#define GF_LESSONS_APART_H

#include "kernels/lessons/lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first argument of such a process. The others are those of gf_apart_start(). */
#define GF_APART_OPTION "--lesson-apart"

/* Starts this program again for `apart` of a lesson, and says each line that it prints. */
int gf_apart_start(const struct gf_lesson_report *report, const char *lesson, int what, int device,
                   struct gf_error *err) GF_MUST_CHECK;
/* Such a process: `apart` finds `what` in io->count and the number of the GPU in io->value. Returns the status. */
int gf_apart_main(gf_lesson_run *apart, const char *what, const char *device);

#ifdef __cplusplus
}
#endif
#endif
