/* Running point programs: the operation, and its parts that other operations use. */
#ifndef GF_KERNELS_PROGRAM_RUN_H
#define GF_KERNELS_PROGRAM_RUN_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes dst = store(load(src)) for each sample; both have the same span. */
extern const struct gf_operation gf_op_point;
gf_op_body gf_point_cpu, gf_point_cuda;

/*
 * Runs a program over n pixels in place; row[c] is channel c. Rows may pass from one channel to
 * another, so row[] changes; it has room for gf_point_widest() rows.
 */
void gf_point_run(const struct gf_point *p, const float *tables, float **row, int64_t n);

/* Returns the most channels of a pixel between a call's source and its result. */
int gf_point_widest_of(const struct gf_io *io);

/* The point operation itself; it cannot fail. */
void gf_point_apply(const struct gf_work *work, const struct gf_io *io);

#ifdef __cplusplus
}
#endif
#endif
