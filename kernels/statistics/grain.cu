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

/* Reads the first two samples of a column of a band. */
static __device__ __forceinline__ void first_samples(const struct grain_task &t, int64_t x, int64_t start, int64_t end,
                                                     float (&v)[2])
{
    for (int k = 0; k < 2 && start + k < end; k++)
        v[k] = gf_sample_get(t.src, gf_block_view_row(t.src, start + k), gf_sample_index(t.src, x, t.channel));
}

/*
 * Threads have the columns from `left` on, GF_GRAIN_APART before their pixels, and the first ones also those after the
 * last thread. Beyond the ends of a row, columns repeat, and what is computed from them is not used.
 */
__global__ void __launch_bounds__(THREADS) grain(const __grid_constant__ struct grain_task t, int64_t band)
{
    __shared__ unsigned counts[GF_GRAIN_BINS];
    __shared__ struct gf_grain_column column[THREADS + 2 * GF_GRAIN_APART + 2];
    __shared__ float rough[THREADS + 2 * GF_GRAIN_APART];
    const int64_t start = t.first + (band + blockIdx.y) * GF_GRAIN_ROWS, end = min(start + GF_GRAIN_ROWS, t.end);
    const int64_t left = (int64_t)blockIdx.x * THREADS - GF_GRAIN_APART, pixels = t.width - 2;
    const int i = (int)threadIdx.x, before = max(i, (int)max(-left, (int64_t)0));
    const int after = (int)min((int64_t)i + 2 * GF_GRAIN_APART, pixels - 1 - left);
    const int64_t x = min(max(left + i, (int64_t)0), t.width - 1), more = min(left + THREADS + i, t.width - 1);
    const bool counts_own = left + GF_GRAIN_APART + i < pixels;
    unsigned long long *to = t.counts + ((band + blockIdx.y) * t.channels + t.channel) * GF_GRAIN_BINS;
    float v[2], w[2];

    for (int k = i; k < GF_GRAIN_BINS; k += THREADS)
        counts[k] = 0;
    first_samples(t, x, start, end, v);
    if (i < 2 * GF_GRAIN_APART + 2)
        first_samples(t, more, start, end, w);
    for (int64_t y = start + 1; y < end - 1; y++) {
        __syncthreads();                 /* the columns and the roughness of the previous row are no longer in use */
        column[i] = next_column(t, x, y, v);
        if (i < 2 * GF_GRAIN_APART + 2)
            column[THREADS + i] = next_column(t, more, y, w);
        __syncthreads();
        for (int k = i; k < THREADS + 2 * GF_GRAIN_APART; k += THREADS)
            rough[k] = gf_grain_roughness(column[k], column[k + 1], column[k + 2]);
        __syncthreads();
        if (counts_own) {
            const float all = (rough[before] + rough[after]) + rough[i + GF_GRAIN_APART];
            const int32_t bin = gf_grain_bin(column[i + GF_GRAIN_APART], column[i + GF_GRAIN_APART + 1],
                                             column[i + GF_GRAIN_APART + 2], all);

            if (bin < GF_GRAIN_BINS)
                atomicAdd(counts + bin, 1u);
        }
    }
    __syncthreads();
    for (int k = i; k < GF_GRAIN_BINS; k += THREADS)
        if (counts[k] != 0)
            atomicAdd(to + k, (unsigned long long)counts[k]);
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
