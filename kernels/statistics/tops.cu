/* The highest level of blocks on a GPU: a warp for each block. */
#include "kernels/statistics/tops.h"

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/program_buffers.cuh"

#define WARPS 8

__global__ void __launch_bounds__(WARPS * 32) raise_tops(const int *__restrict__ samples, int64_t plane, int channels,
                                                         int64_t units, int64_t block_units, int64_t blocks,
                                                         int *__restrict__ to)
{
    const int lane = threadIdx.x % 32;
    const int64_t block = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32, start = block * block_units;
    int top = 0;

    if (block >= blocks)
        return;
    const int64_t n = min(block_units, units - start);
    for (int c = 0; c < channels; c++)
        for (int64_t i = lane; i < n; i += 32)
            top = max(top, gf_tops_bits(samples[c * plane + start + i]));
#pragma unroll
    for (int half = 16; half > 0; half /= 2)
        top = max(top, __shfl_xor_sync(0xffffffffu, top, half));
    if (lane == 0)
        to[block] = top;
}

static int raise_planes(const struct gf_work *work, const struct gf_io *io, const struct gf_tops *t,
                        struct gf_error *err)
{
    const int64_t units = gf_span_units(io->dst.span), blocks = gf_ceil_div(units, t->block_units);
    const float *from = (const float *)io->src.data + (io->dst.span.start - io->src.span.start);

    raise_tops<<<(unsigned)gf_ceil_div(blocks, WARPS), WARPS * 32, 0, (cudaStream_t)work->stream>>>(
        (const int *)from, io->src.plane_samples, t->channels, units, t->block_units, blocks, (int *)io->dst.data);
    return gf_cuda_launched("levels of blocks", err);
}

extern "C" int gf_tops_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_tops *t = (const struct gf_tops *)params;

    if (io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_through(work, io, io->dst.span, gf_program_buffers_needed(&io->src, io->load), false, err,
                                      [&](const struct gf_io &plain) { return raise_planes(work, &plain, t, err); });
}
