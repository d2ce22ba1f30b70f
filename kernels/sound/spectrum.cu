/* Spectra on a GPU: a block of threads for each row; windows are transformed in shared memory. */
#include "kernels/sound/spectrum.h"

#include "kernels/base/cuda_check.cuh"

#define THREADS 256

struct spectrum_task {
    const float *src, *table;
    float *dst;
    int64_t src_plane, dst_plane, dst_pitch, first;
    struct gf_span in;
    int width;
    struct gf_spectrum s;
};

/* Transforms `a` in radix-2 passes between `a` and `b`; returns the one with the result. */
static __device__ float2 *transform(float2 *a, float2 *b, int size, const float2 *turns)
{
    for (int half = size / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
        for (int i = threadIdx.x; i < size / 2; i += THREADS) {
            const int q = i % stride, p = i / stride;
            const float2 u = a[q + stride * p], v = a[q + stride * (p + half)], w = turns[p * stride];
            const float2 d = { __fsub_rn(u.x, v.x), __fsub_rn(u.y, v.y) };

            b[q + stride * 2 * p] = make_float2(__fadd_rn(u.x, v.x), __fadd_rn(u.y, v.y));
            b[q + stride * (2 * p + 1)] = make_float2(__fmaf_rn(d.x, w.x, __fmul_rn(d.y, w.y)),
                                                      __fmaf_rn(d.y, w.x, -__fmul_rn(d.x, w.y)));
        }
        __syncthreads();
        float2 *const other = a;
        a = b;
        b = other;
    }
    return a;
}

__global__ void __launch_bounds__(THREADS) spectrum(const __grid_constant__ struct spectrum_task t)
{
    extern __shared__ float2 room[];
    float2 *const a = room, *const b = room + t.s.size, *const turns = b + t.s.size;
    float *const powers = (float *)(turns + t.s.size / 2);
    const int64_t n = t.first + blockIdx.x;
    const float *plane = t.src + blockIdx.y * t.src_plane;
    float *row = t.dst + blockIdx.y * t.dst_plane + (int64_t)blockIdx.x * t.dst_pitch;

    for (int k = threadIdx.x; k < t.width; k += THREADS)
        powers[k] = 0.0f;
    for (int k = threadIdx.x; k < t.s.size / 2; k += THREADS)
        turns[k] = make_float2(t.table[t.s.size + 2 * k], t.table[t.s.size + 2 * k + 1]);
    for (int i = 0; i < t.s.windows; i++) {
        const int64_t first = gf_spectrum_first(&t.s, n, i);

        for (int j = threadIdx.x; j < t.s.size; j += THREADS) {
            const int64_t at = first + j;

            a[j] = make_float2(at >= t.in.start
                               && at < t.in.end ? __fmul_rn(plane[at - t.in.start], t.table[j]) : 0.0f, 0.0f);
        }
        __syncthreads();
        const float2 *found = transform(a, b, t.s.size, turns);
        for (int k = threadIdx.x; k < t.width; k += THREADS)
            powers[k] = __fadd_rn(powers[k], __fmaf_rn(found[k].x, found[k].x, __fmul_rn(found[k].y, found[k].y)));
        __syncthreads();
    }
    for (int k = threadIdx.x; k < t.width; k += THREADS)
        row[k] = __fmul_rn(powers[k], __fdiv_rn(t.s.scale, (float)t.s.windows));
}

extern "C" int gf_spectrum_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                                struct gf_error *err)
{
    const struct gf_spectrum *s = (const struct gf_spectrum *)params;
    const unsigned rows = (unsigned)gf_span_units(io->dst.span);
    const size_t shared = (size_t)s->size * 2 * sizeof(float2) + (size_t)s->size / 2 * sizeof(float2)
                          + (size_t)(s->size / 2 + 1) * sizeof(float);
    struct spectrum_task t;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: spectrum needs planes and no programs");
    if (rows == 0)
        return 0;
    t.src = (const float *)io->src.data, t.dst = (float *)io->dst.data;
    t.table = work->tables + s->table;
    t.src_plane = io->src.plane_samples, t.dst_plane = io->dst.plane_samples, t.dst_pitch = io->dst.pitch_samples;
    t.first = io->dst.span.start;
    t.in = io->src.span;
    t.width = (int)io->dst.width;
    t.s = *s;
    if (gf_cuda_allow_shared_memory((const void *)spectrum, err) != 0)
        return -1;
    spectrum<<<dim3(rows, (unsigned)io->dst.channels), THREADS, shared, (cudaStream_t)work->stream>>>(t);
    return gf_cuda_launched("spectrum", err);
}
