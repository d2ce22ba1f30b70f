/* The highest level of blocks on a CPU. */
#include "kernels/statistics/tops.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <string.h>

/* Returns the bits of the highest level of n samples, and of `top`. Integers, because their maximum has any order. */
GF_CLONES
static int32_t raise_top(const float *x, int64_t n, int32_t top)
{
    for (int64_t i = 0; i < n; i++) {
        int32_t bits, a;

        memcpy(&bits, &x[i], sizeof bits);
        a = gf_tops_bits(bits);
        top = a > top ? a : top;
    }
    return top;
}

static size_t tops_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_tops *t = params;

    return gf_planar_source_samples(shape, t->block_units) * sizeof(float);
}

int gf_tops_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_tops *t = params;
    char *to = io->dst.data;

    (void)err;
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u += t->block_units, to += sizeof(float)) {
        const int64_t end = u + t->block_units < io->dst.span.end ? u + t->block_units : io->dst.span.end;
        const struct gf_block block = gf_planar_source(work, io, (struct gf_span) { u, end }, work->scratch);
        int32_t top = 0;

        for (int c = 0; c < t->channels; c++)
            top = raise_top(gf_plane_at(&block, c, u), end - u, top);
        memcpy(to, &top, sizeof top);
    }
    return 0;
}

static size_t tops_gpu_scratch(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)gf_gpu_loaded_bytes(io, true, gf_span_units(io->src.span)) + GF_GPU_SCRATCH_SMALL;
}

static struct gf_records tops_records(const void *params)
{
    const struct gf_tops *t = params;

    return (struct gf_records) { .block_units = t->block_units, .channels = 1, .bytes = sizeof(float), .keep = true };
}

const struct gf_operation gf_op_tops = {
    .word = "tops", .text = "The highest level of all channels in each block of frames.",
    .params_bytes = sizeof(struct gf_tops),
    .cpu = { .body = gf_tops_cpu, .scratch_bytes = tops_scratch },
    .cuda = { .body = GF_CUDA_BODY(gf_tops_cuda), GF_OP_STORES, .scratch_bytes = tops_gpu_scratch },
    .records = tops_records,
};
