/* The things that can be measured: operations, lessons, and stages, which stand for an operation. */
#ifndef GF_BENCH_BENCH_TOPICS_H
#define GF_BENCH_BENCH_TOPICS_H

#include "base/error.h"
#include "bench/bench_case.h"

/* The names of operations and lessons, and "all"; ended by NULL. */
const char *const *gf_bench_topics(void);
/* What a stage works with, with its defaults, told on standard error: the first operation; NULL where there is no such stage. */
int gf_bench_topic_of_stage(const char *name, bool quiet, const struct gf_bench_group **found,
                            struct gf_error *err) GF_MUST_CHECK;
/* Refuses a word that names nothing. */
int gf_bench_topic_unknown(const char *name, struct gf_error *err) GF_MUST_CHECK;

#endif
