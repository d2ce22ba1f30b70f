/* The lesson on errors: the process in which an error is made on purpose. */
#ifndef GF_LESSONS_ERRORS_H
#define GF_LESSONS_ERRORS_H

#include "kernels/lessons/lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first argument of such a process. The others are what it does, and the number of the GPU. */
#define GF_ERRORS_OPTION "--lesson-of-errors"
#define GF_ERRORS_WRONG "wrong"
#define GF_ERRORS_RIGHT "right"
#define GF_ERRORS_QUEUE "queue"          /* no error: the lesson of streams with one queue */

/* Starts this program again, and says each line that it prints. */
int gf_errors_start(const struct gf_lesson_report *report, const char *kind, int device, struct gf_error *err);
/* Such a process: prints what it sees. argv[0] is the kind. Returns its status. */
int gf_errors_main(char **argv);

#ifdef __cplusplus
}
#endif
#endif
