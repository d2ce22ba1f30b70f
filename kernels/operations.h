/* The list of all operations, sorted by name. The build generates it from the sources of kernels/. */
#ifndef GF_KERNELS_OPERATIONS_H
#define GF_KERNELS_OPERATIONS_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct gf_operation *const gf_operations[];
extern const int gf_operation_count;

/* Its place in the list; -1: its source is not in kernels/. */
int gf_operation_index(const struct gf_operation *op);

struct gf_records gf_op_records(const struct gf_operation *op, const void *params);
struct gf_cost gf_op_cost(const struct gf_op_device *device, const void *params, const struct gf_format *in,
                          const struct gf_format *out);
size_t gf_op_scratch_bytes(const struct gf_op_device *device, const void *params, const struct gf_io *shape);

#ifdef __cplusplus
}
#endif
#endif
