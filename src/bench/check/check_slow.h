/* The slow and plain reference: samples and programs in double precision. */
#ifndef GF_BENCH_CHECK_CHECK_SLOW_H
#define GF_BENCH_CHECK_CHECK_SLOW_H

#include "bench/check/check_draw.h"

#define GF_SLOW_CHANNELS (GF_MAX_CHANNELS + 4)   /* what a program may need on the way */

/* Returns a stored sample as a number. */
double gf_slow_sample(const struct gf_block *b, int c, int64_t x, int64_t y);
/* Returns the distance of two neighboring stored values; 0 for floats. */
double gf_slow_step(const struct gf_block *b);
double gf_slow_clamp(double v, double low, double high);
/* Returns the value that a block can store for v, not rounded. */
double gf_slow_stored(const struct gf_block *b, double v);
/* Runs a program on the channels of a pixel. */
void gf_slow_program(const struct gf_check *check, const struct gf_point *p, double *v);
/* Loads all channels of a pixel, and runs the load program; zeros outside the signal. */
void gf_slow_load(const struct gf_check *check, const struct gf_io *io, int64_t x, int64_t y, double *v);
/* Returns the number of channels after the load program. */
int gf_slow_channels(const struct gf_io *io);

#endif
