/* Times the steps of lessons, and the operation that does the same. */
#ifndef GF_BENCH_BENCH_LESSONS_H
#define GF_BENCH_BENCH_LESSONS_H

#include "bench/bench_call.h"
#include "bench/bench_results.h"
#include "device/device.h"
#include "kernels/lessons/lesson.h"

/* Finds a lesson by its name; NULL if there is none. */
const struct gf_lesson *gf_bench_lesson_find(const char *name);
/*
 * Checks each step of a lesson, then times it at all sizes. pick is NULL if no operation does the
 * same.
 */
int gf_bench_lesson_measure(struct gf_device *d, struct gf_bench_results *r, const struct gf_lesson *lesson,
                            const struct gf_bench_pick *pick, struct gf_error *err) GF_MUST_CHECK;

#endif
