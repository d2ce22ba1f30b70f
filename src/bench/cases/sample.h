/* The slow reference of all that interpolates pixels. */
#ifndef GF_BENCH_CASES_SAMPLE_H
#define GF_BENCH_CASES_SAMPLE_H

#include "bench/check/check_slow.h"
#include "kernels/geometry/sample.h"

/* Interpolates at a column and a row of the source, as `s` says without its map of positions. */
void gf_slow_place(const struct gf_check *check, const struct gf_io *io, const struct gf_sample *s, double sx,
                   double sy, double *out);

#endif
