/*
 * Measures how fast operations and the steps of lessons are on this machine, compared with copies.
 */
#ifndef GF_BENCH_MEASURE_H
#define GF_BENCH_MEASURE_H

#include "bench/measurement.h"

/* Measures, and writes the table. */
int gf_bench_run(const struct gf_bench_request *r, struct gf_error *err) GF_MUST_CHECK;

#endif
