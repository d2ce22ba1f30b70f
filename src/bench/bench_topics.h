/* Names of what can be measured: operations, lessons, and stages, which stand for an operation. */
#ifndef GF_BENCH_BENCH_TOPICS_H
#define GF_BENCH_BENCH_TOPICS_H

#include "base/error.h"
#include "bench/bench_case.h"

/* Returns the names of operations and lessons, "lessons", "roofline" and "all". NULL ends the list. */
const char *const *gf_bench_topics(void);
/* Returns true for the last three. */
bool gf_bench_topic_is_special(const char *name);
/*
 * Finds the first operation that a stage uses: with its defaults, or with the values of an example
 * if it needs some. NULL if there is no such stage. Prints a
 * note that begins with the name of the program, unless that is NULL.
 */
int gf_bench_topic_of_stage(const char *name, const char *program, const struct gf_bench_group **found,
                            struct gf_error *err) GF_MUST_CHECK;
/* Fails with a suggestion, or with the list of all names. */
int gf_bench_topic_unknown(const char *name, struct gf_error *err) GF_MUST_CHECK;
/* Fails because no case has that name. `option` is --check or --peers. */
int gf_bench_topic_no_case(const char *name, const char *option, struct gf_error *err) GF_MUST_CHECK;

#endif
