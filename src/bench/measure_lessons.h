/* Measures lessons and the roofline, and writes them. */
#ifndef GF_BENCH_MEASURE_LESSONS_H
#define GF_BENCH_MEASURE_LESSONS_H

#include "bench/measurement.h"

/* Measures a lesson, up to `most` samples. */
int gf_measure_lesson(struct gf_measurement *m, const struct gf_lesson *lesson, int64_t most,
                      struct gf_error *err) GF_MUST_CHECK;
/* Measures the roofline, with at most so many samples; 0: any number. */
int gf_measure_roofline(struct gf_measurement *m, int64_t most, struct gf_error *err) GF_MUST_CHECK;
/* Adds every lesson and the roofline to the page. */
int gf_measure_all_lessons(struct gf_measurement *m, int64_t most, struct gf_error *err) GF_MUST_CHECK;

#endif
