/* Prefix sums on a CPU. */
#include "kernels/statistics/scan.h"

size_t gf_scan_state_bytes(int64_t count)
{
    return 64 + (size_t)(count / 512 + 2) * 2 * sizeof(uint64_t);    /* two words for every tile of 512 or more */
}

int gf_scan_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_scan *scan = params;
    const uint64_t *from = io->src.data;
    uint64_t *to = io->dst.data, sum = 0;

    (void)work;
    (void)err;
    for (int64_t i = 0; i < scan->count; i++)
        to[i] = sum += from[i];
    return 0;
}

const struct gf_operation gf_op_scan = {
    .word = "scan",
    .params_bytes = sizeof(struct gf_scan),
    .cpu = { .body = gf_scan_cpu },
    .cuda = { .body = GF_CUDA_BODY(gf_scan_cuda), GF_OP_STORES },
};
