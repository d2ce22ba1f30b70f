/* The operation that does nothing but run point programs. */
#ifndef GF_KERNELS_PROGRAM_RUN_H
#define GF_KERNELS_PROGRAM_RUN_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Computes dst = store(load(src)) for each sample; both have the same span. Without programs, packed samples become
 * integers with one rounding of the number that is stored: see convert.h.
 */
extern const struct gf_operation gf_op_point;
gf_op_body gf_point_cpu, gf_point_cuda;

/* The point operation itself; it cannot fail. */
void gf_point_apply(const struct gf_work *work, const struct gf_io *io);

#ifdef __cplusplus
}
#endif
#endif
