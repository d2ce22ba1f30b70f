/* Another rate of frames, on a GPU: a frame a thread, with one or two channels that share the weights. */
#include "resample.h"

#include "check.cuh"

#define THREADS 256

struct resample_task {
    const float *src, *rows;
    float *dst;
    int64_t src_plane, dst_plane;
    struct gf_span in, out;
    struct gf_resample r;
};

/* The sums of one window after another by one row. */
template <int C>
static __device__ __forceinline__ void weigh(const struct resample_task &t, int64_t first, const float *row, const float *src, float *y)
{
    const bool inside = first >= t.in.start && first + t.r.taps <= t.in.end;
    float s[C][GF_RESAMPLE_SUMS] = {};

    for (int k = 0; k < t.r.taps; k += GF_RESAMPLE_SUMS)
#pragma unroll
        for (int j = 0; j < GF_RESAMPLE_SUMS; j += 4) {
            const float4 w = *(const float4 *)(row + k + j);
            const float each[4] = { w.x, w.y, w.z, w.w };

#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int64_t at = first + k + j + i;

#pragma unroll
                for (int c = 0; c < C; c++) {
                    const float x = inside || (at >= t.in.start && at < t.in.end) ? src[at - t.in.start + c * t.src_plane] : 0.0f;

                    s[c][j + i] = __fmaf_rn(each[i], x, s[c][j + i]);
                }
            }
        }
#pragma unroll
    for (int c = 0; c < C; c++) {
#pragma unroll
        for (int half = GF_RESAMPLE_SUMS / 2; half > 0; half /= 2)
#pragma unroll
            for (int j = 0; j < half; j++)
                s[c][j] = __fadd_rn(s[c][j], s[c][j + half]);
        y[c] = s[c][0];
    }
}

template <int C>
__global__ void __launch_bounds__(THREADS) resample(const __grid_constant__ struct resample_task t)
{
    const int64_t n = t.out.start + (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int channel = blockIdx.y * C;

    if (n >= t.out.end)
        return;
    const struct gf_resample_place p = gf_resample_at(&t.r, n);
    const float *row = t.rows + p.row * t.r.taps, *src = t.src + channel * t.src_plane;
    float y[C], next[C];

    weigh<C>(t, p.first, row, src, y);
    if (t.r.phases > 0) {
        weigh<C>(t, p.first, row + t.r.taps, src, next);
#pragma unroll
        for (int c = 0; c < C; c++)
            y[c] = __fmaf_rn(p.share, __fsub_rn(next[c], y[c]), y[c]);
    }
#pragma unroll
    for (int c = 0; c < C; c++)
        t.dst[(channel + c) * t.dst_plane + (n - t.out.start)] = y[c];
}

extern "C" int gf_resample_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_resample *r = (const struct gf_resample *)params;
    const unsigned blocks = (unsigned)gf_ceil_div(gf_span_units(io->dst.span), THREADS);
    const int channels = io->dst.channels, pairs = channels % 2 == 0;
    struct resample_task t;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "another rate takes planes alone");
    if (blocks == 0)
        return 0;
    t.src = (const float *)io->src.data, t.dst = (float *)io->dst.data;
    t.rows = work->tables + r->table;
    t.src_plane = io->src.plane_samples, t.dst_plane = io->dst.plane_samples;
    t.in = io->src.span, t.out = io->dst.span;
    t.r = *r;
    if (pairs)
        resample<2><<<dim3(blocks, (unsigned)channels / 2), THREADS, 0, (cudaStream_t)work->stream>>>(t);
    else
        resample<1><<<dim3(blocks, (unsigned)channels), THREADS, 0, (cudaStream_t)work->stream>>>(t);
    return gf_cuda_launched("another rate", err);
}
