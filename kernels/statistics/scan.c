/* Prefix sums on a CPU. */
#include "kernels/statistics/scan.h"

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
