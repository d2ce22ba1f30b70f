/* All operations: their bodies on each kind of device, and what there is to know of them without calling them. */
#ifndef GF_KERNELS_OPERATIONS_H
#define GF_KERNELS_OPERATIONS_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

extern gf_op_body *const gf_operations_cpu[GF_OP_COUNT];
extern gf_op_body *const gf_operations_cuda[GF_OP_COUNT];

const struct gf_op_facts *gf_op_facts(enum gf_op op);

const char *gf_op_word(enum gf_op op);
struct gf_records gf_op_records(enum gf_op op, const void *params);
size_t gf_op_scratch_bytes(enum gf_op op, const void *params, const struct gf_io *shape);
size_t gf_op_gpu_scratch_bytes(enum gf_op op, const void *params, const struct gf_io *shape);
struct gf_cost gf_op_cost(enum gf_op op, const void *params, const struct gf_format *in, const struct gf_format *out);

#ifdef __cplusplus
}
#endif
#endif
