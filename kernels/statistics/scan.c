/* Prefix sums on a CPU. */
#include "kernels/statistics/scan.h"

#include "kernels/base/gpu_scratch.h"

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

static size_t scan_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_scan *s = params;

    (void)io;
    return (size_t)(s->count / GF_SCAN_TILE_LEAST) * sizeof(uint64_t) + GF_GPU_SCRATCH_SMALL;
}

const struct gf_operation gf_op_scan = {
    .word = "scan",
    .text = "Prefix sums of counts. Runs after histogram if a stage needs cumulative counts.",
    .params_bytes = sizeof(struct gf_scan),
    .cpu = { .body = gf_scan_cpu },
    .cuda = { .body = GF_CUDA_BODY(gf_scan_cuda), GF_OP_STORES, .scratch_bytes = scan_gpu_scratch },
};
