/* The resources of a multiprocessor that kernels use. */
#ifndef GF_BENCH_OCCUPANCY_H
#define GF_BENCH_OCCUPANCY_H

#include "base/error.h"

struct gf_roofline_report;

/* Prints the roofline of a GPU and its kernels. `name` is for people. */
int gf_occupancy_print(struct gf_roofline_report *report, int gpu, const char *name,
                             struct gf_error *err) GF_MUST_CHECK;

#endif
