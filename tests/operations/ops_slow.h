/* Samples as doubles, and the operations as slowly as can be: what is right. */
#ifndef GF_OPS_SLOW_H
#define GF_OPS_SLOW_H

#include "kernels/neighbourhood/bilateral.h"
#include "kernels/pixel/blend.h"
#include "kernels/neighbourhood/box.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/pixel/table_grid.h"
#include "kernels/geometry/pad.h"
#include "kernels/neighbourhood/rank.h"
#include "kernels/sound/resample.h"
#include "kernels/geometry/resize.h"
#include "kernels/geometry/sample.h"
#include "kernels/neighbourhood/ssim.h"
#include "kernels/sound/spectrum.h"
#include "kernels/neighbourhood/nonmax.h"
#include "kernels/geometry/yuv.h"
#include "ops_trials.h"

double gf_get(const struct gf_block *b, int c, int64_t x, int64_t y);
double gf_step_of(const struct gf_block *b);
double gf_clamp(double v, double low, double high);
void gf_run_program(const struct gf_point *p, double *v);
void gf_loaded(const struct gf_io *io, int64_t x, int64_t y, double *v);

/* All channels of a place of the result, behind the store program. */
void gf_slow(const struct gf_operation *op, const struct gf_io *io, const void *params, int64_t x, int64_t y, double *out);
double gf_spectrum_error(const struct gf_io *io, const struct gf_spectrum *s);

/* In ops_slow_pictures.c; those of other operations are beside their trials. */
gf_slow_at gf_slow_conv, gf_slow_box, gf_slow_sample, gf_slow_rank, gf_slow_pad, gf_slow_resize, gf_slow_table_grid;

int64_t gf_entry_of(const struct gf_resize_axis *axis, int64_t i, int *count, const float **weights);

#endif
