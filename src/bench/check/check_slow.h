/* Samples and programs as slowly as can be, in doubles: what is right. */
#ifndef GF_BENCH_CHECK_CHECK_SLOW_H
#define GF_BENCH_CHECK_CHECK_SLOW_H

#include "bench/bench_case.h"
#include "kernels/sound/spectrum.h"

double gf_get(const struct gf_block *b, int c, int64_t x, int64_t y);
double gf_step_of(const struct gf_block *b);
double gf_clamp(double v, double low, double high);
void gf_run_program(const struct gf_point *p, double *v);
void gf_loaded(const struct gf_io *io, int64_t x, int64_t y, double *v);

/* Computes all channels of a place of the result, after the store program. */
void gf_slow(const struct gf_operation *op, const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out);
double gf_spectrum_error(const struct gf_io *io, const struct gf_spectrum *s);

#endif
