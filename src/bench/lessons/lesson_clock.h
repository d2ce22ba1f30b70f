/* Times steps of lessons by one of three clocks, and plain C on CPU cores. */
#ifndef GF_BENCH_LESSONS_LESSON_CLOCK_H
#define GF_BENCH_LESSONS_LESSON_CLOCK_H

#include "bench/lessons/lesson_memory.h"

/* Measures the median seconds of a step; NAN if it does not apply to the value. */
int gf_lesson_time_step(struct gf_lesson_memory *m, const struct gf_lesson_step *step, double *seconds,
                        struct gf_error *err) GF_MUST_CHECK;
/* Measures the median seconds of a copy of the source within the GPU's memory. */
int gf_lesson_time_copy(struct gf_lesson_memory *m, double *seconds, struct gf_error *err) GF_MUST_CHECK;
/* Measures the median seconds of plain C on so many threads; part NULL: of a copy of the source. */
double gf_lesson_time_cpu(const struct gf_lesson_memory *m, gf_lesson_part *part, int threads);

#endif
