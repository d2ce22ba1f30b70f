/* Grain on a GPU: a column of a band for each thread, and counts in shared memory. */
#include "kernels/statistics/grain.h"

#include "kernels/base/program_buffers.cuh"

#define THREADS 128

struct grain_task {
    struct gf_block_view src;
    int64_t width, first, end;           /* columns; units of the source */
    int channel, channels;
    unsigned long long *counts;          /* of the first band */
};

/* Returns the sums of a column in unit y, and moves its samples up. */
static __device__ __forceinline__ struct gf_grain_column next_column(const struct grain_task &t, int64_t x, int64_t y,
                                                                     float (&v)[2])
{
    const float below = gf_sample_get(t.src, gf_block_view_row(t.src, y + 1),
                                      gf_sample_index(t.src, x, t.channel));
    const struct gf_grain_column column = gf_grain_column(v[0], v[1], below);

    v[0] = v[1];
    v[1] = below;
    return column;
}

__global__ void __launch_bounds__(THREADS) grain(const __grid_constant__ struct grain_task t, int64_t band)
{
    __shared__ unsigned counts[GF_GRAIN_BINS];
    __shared__ struct gf_grain_column column[THREADS + 2];
    const int64_t start = t.first + (band + blockIdx.y) * GF_GRAIN_ROWS, left = (int64_t)blockIdx.x * THREADS;
    const int64_t end = min(start + GF_GRAIN_ROWS, t.end), last = t.width - 1;
    const int64_t x = min(left + (int64_t)threadIdx.x, last), more = min(left + THREADS + (int64_t)threadIdx.x, last);
    unsigned long long *to = t.counts + ((band + blockIdx.y) * t.channels + t.channel) * GF_GRAIN_BINS;
    float v[2], w[2];

    for (int i = threadIdx.x; i < GF_GRAIN_BINS; i += THREADS)
        counts[i] = 0;
    for (int k = 0; k < 2 && start + k < end; k++) {
        v[k] = gf_sample_get(t.src, gf_block_view_row(t.src, start + k), gf_sample_index(t.src, x, t.channel));
        if (threadIdx.x < 2)
            w[k] = gf_sample_get(t.src, gf_block_view_row(t.src, start + k), gf_sample_index(t.src, more, t.channel));
    }
    for (int64_t y = start + 1; y < end - 1; y++) {
        __syncthreads();                 /* the columns of the previous row are no longer in use */
        column[threadIdx.x] = next_column(t, x, y, v);
        if (threadIdx.x < 2)
            column[THREADS + threadIdx.x] = next_column(t, more, y, w);
        __syncthreads();
        if (left + threadIdx.x < t.width - 2) {
            const int32_t bin = gf_grain_bin(column[threadIdx.x], column[threadIdx.x + 1], column[threadIdx.x + 2]);

            if (bin < GF_GRAIN_BINS)
                atomicAdd(counts + bin, 1u);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < GF_GRAIN_BINS; i += THREADS)
        if (counts[i] != 0)
            atomicAdd(to + i, (unsigned long long)counts[i]);
}

extern "C" int gf_grain_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    const struct gf_grain *g = (const struct gf_grain *)params;
    const int64_t bands = gf_ceil_div(gf_span_units(io->dst.span), GF_GRAIN_ROWS);
    const size_t bytes = (size_t)(bands * g->channels) * GF_GRAIN_BINS * sizeof(uint64_t);
    const cudaStream_t stream = (cudaStream_t)work->stream;

    if (bands <= 0)
        return 0;
    if (gf_cuda_check(cudaMemsetAsync(io->dst.data, 0, bytes, stream), "clearing counts", err) != 0)
        return -1;
    if (io->src.width <= 0)
        return 0;
    return gf_program_buffers_through(work, io, io->dst.span, !gf_point_is_identity(io->load), false, err,
                                      [&](const struct gf_io &plain) {
        struct grain_task t = { gf_block_view_of(&plain.src), io->src.width, io->dst.span.start, io->dst.span.end, 0,
                                g->channels, (unsigned long long *)io->dst.data };

        for (; t.channel < g->channels; t.channel++)
            gf_cuda_launch_blocks(bands, [&](int64_t first, unsigned height) {
                grain<<<dim3((unsigned)gf_ceil_div(t.width, THREADS), height), THREADS, 0, stream>>>(t, first);
            });
        return gf_cuda_launched("counting grain", err);
    });
}
