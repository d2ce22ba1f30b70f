/* Calls the hooks of operations, and has the defaults for operations without them. */
#include "kernels/operations.h"

int gf_operation_index(const struct gf_operation *op)
{
    int i = 0;

    while (gf_operations[i] != NULL && gf_operations[i] != op)
        i++;
    return gf_operations[i] != NULL ? i : -1;
}

struct gf_records gf_op_records(const struct gf_operation *op, const void *params)
{
    return op->records != NULL ? op->records(params) : (struct gf_records) { .block_units = 1 };
}

struct gf_cost gf_op_cost(const struct gf_op_device *device, const void *params, const struct gf_format *in,
                          const struct gf_format *out)
{
    return device->cost != NULL ? device->cost(params, in, out)
                                : (struct gf_cost) { .light = device->light > 0 ? device->light : 1 };
}

size_t gf_op_scratch_bytes(const struct gf_op_device *device, const void *params, const struct gf_io *shape)
{
    return device->scratch_bytes != NULL ? device->scratch_bytes(shape, params) : 0;
}
