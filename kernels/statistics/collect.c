/* Rows kept as records on a CPU. */
#include "kernels/statistics/collect.h"

#include "kernels/base/block.h"

#include <string.h>

int gf_collect_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_collect *k = params;
    float *to = io->dst.data;

    (void)work;
    if (!gf_point_is_identity(io->load) || !io->src.planar)
        return gf_fail(err, GF_FAILED, "internal error: collect needs planes and no load program");
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u++)
        for (int c = 0; c < k->channels; c++, to += k->width)
            memcpy(to, gf_plane_at(&io->src, c, u), (size_t)k->width * sizeof *to);
    return 0;
}

static struct gf_records collect_records(const void *params)
{
    const struct gf_collect *k = params;

    return (struct gf_records) { 1, k->channels, (size_t)k->width * sizeof(float), true, k->joined, 0, false };
}

static void join(const void *params, void *all, const void *more)
{
    for (int64_t x = 0; x < ((const struct gf_collect *)params)->width; x++)
        ((float *)all)[x] += ((const float *)more)[x];
}

const struct gf_operation gf_op_collect = {
    .word = "collect", .text = "Collects rows unchanged, for a stage that reports all of them.",
    .params_bytes = sizeof(struct gf_collect),
    .cpu = { .body = gf_collect_cpu },
    .cuda = { .body = GF_CUDA_BODY(gf_collect_cuda), GF_OP_STORES },
    .records = collect_records,
    .join = join,
};
