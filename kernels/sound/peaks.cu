/* Peaks between samples on a GPU: one frame of a channel a thread, with windows and weights in shared memory. */
#include "kernels/sound/peaks.h"

#include "kernels/base/cuda_check.cuh"

#define THREADS 256
#define HIGHEST 3.40282347e38f

struct peaks_task {
    const float *src, *rows;
    float *dst;
    int64_t src_plane, dst_plane;
    struct gf_span in, out;
    struct gf_peaks p;
};

/* Interpolates one value, with sums in the order of the contract. */
static __device__ __forceinline__ float interpolate(const float *x, const float *row, int taps)
{
    float s[GF_PEAKS_SUMS] = {};

    for (int k = 0; k < taps; k += GF_PEAKS_SUMS)
#pragma unroll
        for (int j = 0; j < GF_PEAKS_SUMS; j++)
            s[j] = __fmaf_rn(row[k + j], x[k + j], s[j]);
#pragma unroll
    for (int half = GF_PEAKS_SUMS / 2; half > 0; half /= 2)
#pragma unroll
        for (int j = 0; j < half; j++)
            s[j] = __fadd_rn(s[j], s[j + half]);
    return s[0];
}

__global__ void __launch_bounds__(THREADS) peaks(const __grid_constant__ struct peaks_task t)
{
    extern __shared__ float rows[];
    const int taps = t.p.taps, weights = taps * t.p.per, lane = (int)threadIdx.x;
    const int64_t first = t.out.start + (int64_t)blockIdx.x * THREADS, n = first + lane;
    const float *src = t.src + blockIdx.y * t.src_plane;
    float *x = rows + weights;

    for (int i = lane; i < weights; i += THREADS)
        rows[i] = t.rows[i];
    for (int i = lane; i < THREADS + taps; i += THREADS) {
        const int64_t at = first - taps / 2 + 1 + i;
        const float v = at >= t.in.start && at < t.in.end ? src[at - t.in.start] : 0.0f;

        x[i] = fabsf(v) <= HIGHEST ? v : 0.0f;
    }
    __syncthreads();
    if (n >= t.out.end)
        return;
    float peak = fabsf(x[lane + taps / 2 - 1]);

    for (int k = 1; k < t.p.per; k++) {
        const float v = fabsf(interpolate(x + lane, rows + k * taps, taps));

        peak = v > peak && v <= HIGHEST ? v : peak;
    }
    t.dst[blockIdx.y * t.dst_plane + (n - t.out.start)] = src[n - t.in.start];
    t.dst[(blockIdx.y + t.p.channels) * t.dst_plane + (n - t.out.start)] = peak;
}

extern "C" int gf_peaks_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    const struct gf_peaks *p = (const struct gf_peaks *)params;
    const unsigned blocks = (unsigned)gf_ceil_div(gf_span_units(io->dst.span), THREADS);
    const size_t shared = (size_t)(p->taps * p->per + THREADS + p->taps) * sizeof(float);
    struct peaks_task t;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: peaks need planes and no programs");
    if (blocks == 0)
        return 0;
    t.src = (const float *)io->src.data, t.dst = (float *)io->dst.data;
    t.rows = work->tables + p->table;
    t.src_plane = io->src.plane_samples, t.dst_plane = io->dst.plane_samples;
    t.in = io->src.span, t.out = io->dst.span;
    t.p = *p;
    peaks<<<dim3(blocks, (unsigned)p->channels), THREADS, shared, (cudaStream_t)work->stream>>>(t);
    return gf_cuda_launched("peaks", err);
}
