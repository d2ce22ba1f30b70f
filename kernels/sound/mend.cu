/* Mends clicks on a GPU: a thread for each chunk finds sharp frames, then one for each frame. */
#include "kernels/sound/mend.h"

#include "kernels/base/borrow.cuh"
#include "kernels/base/cuda_check.cuh"

#define THREADS 128

struct mend_task {
    const float *src;                    /* frame 0 of the signal, of the first channel */
    float *dst;
    int64_t src_plane, dst_plane, units;
    struct gf_span out;
    struct gf_mend m;
    int64_t first, known;                /* frames that may be in a run with one of the result */
    unsigned char *sharp, *bad;          /* by channel: of known + 2·grow frames, and of those known */
};

static __device__ __forceinline__ int64_t bend_at(const struct mend_task &t, const float *x, int64_t n)
{
    return n >= 1 && n < t.units - 1 ? gf_mend_bend(x[n - 1], x[n], x[n + 1]) : 0;
}

__global__ void __launch_bounds__(THREADS) find_sharp(const __grid_constant__ struct mend_task t)
{
    const int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * GF_MEND_CHUNK, all = t.known + 2 * t.m.grow;
    const int64_t first = t.first - t.m.grow;
    const float *x = t.src + blockIdx.y * t.src_plane;
    int64_t sum = 0;

    if (i >= all)
        return;
    for (int64_t n = first + i - t.m.around; n < first + i + t.m.around; n++)
        sum += bend_at(t, x, n);
    for (int64_t k = i; k < min(i + GF_MEND_CHUNK, all); k++) {
        sum += bend_at(t, x, first + k + t.m.around);
        t.sharp[blockIdx.y * all + k] = gf_mend_is_sharp(&t.m, bend_at(t, x, first + k), sum);
        sum -= bend_at(t, x, first + k - t.m.around);
    }
}

__global__ void __launch_bounds__(THREADS) grow_sharp(const __grid_constant__ struct mend_task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const unsigned char *sharp = t.sharp + blockIdx.y * (t.known + 2 * t.m.grow) + i;
    bool any = false;

    if (i >= t.known)
        return;
    for (int k = 0; k <= 2 * t.m.grow; k++)
        any = any || sharp[k] != 0;
    t.bad[blockIdx.y * t.known + i] = any;
}

__global__ void __launch_bounds__(THREADS) mend(const __grid_constant__ struct mend_task t)
{
    const int64_t n = t.out.start + (int64_t)blockIdx.x * THREADS + threadIdx.x, at = n - t.first;
    const unsigned char *bad = t.bad + blockIdx.y * t.known;
    const float *x = t.src + blockIdx.y * t.src_plane;
    float y;

    if (n >= t.out.end)
        return;
    y = x[n];
    if (bad[at]) {
        int64_t start = at, end = at;

        while (at - start <= t.m.longest && start > 0 && bad[start - 1])
            start--;
        while (end - at <= t.m.longest && end < t.known && bad[end])
            end++;
        if (end - start <= t.m.longest && t.first + start - 1 - GF_MEND_SLOPE >= 0
            && t.first + end + GF_MEND_SLOPE < t.units)
            y = gf_mend_curve(x + t.first + start, (int)(end - start), (int)(at - start));
    }
    t.dst[blockIdx.y * t.dst_plane + (n - t.out.start)] = y;
}

static int run(const struct mend_task *t, unsigned channels, cudaStream_t stream, struct gf_error *err)
{
    const int64_t all = t->known + 2 * t->m.grow;

    find_sharp<<<dim3((unsigned)gf_ceil_div(all, THREADS * GF_MEND_CHUNK), channels), THREADS, 0, stream>>>(*t);
    grow_sharp<<<dim3((unsigned)gf_ceil_div(t->known, THREADS), channels), THREADS, 0, stream>>>(*t);
    mend<<<dim3((unsigned)gf_ceil_div(gf_span_units(t->out), THREADS), channels), THREADS, 0, stream>>>(*t);
    return gf_cuda_launched("mend", err);
}

extern "C" int gf_mend_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int channels = io->src.channels;
    struct mend_task t = {};
    int result;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: mend needs planes and no programs");
    t.m = *(const struct gf_mend *)params;
    t.out = io->dst.span, t.units = io->src_units;
    t.src = (const float *)io->src.data - io->src.span.start, t.dst = (float *)io->dst.data;
    t.src_plane = io->src.plane_samples, t.dst_plane = io->dst.plane_samples;
    t.first = t.out.start - t.m.longest - 1;
    t.known = gf_span_units(t.out) + 2 * (t.m.longest + 1);
    if (gf_span_units(t.out) <= 0)
        return 0;
    if (gf_cuda_check(gf_cuda_borrow((void **)&t.sharp, (size_t)(2 * (t.known + t.m.grow) * channels), stream),
                      "memory for clicks", err) != 0)
        return -1;
    t.bad = t.sharp + (t.known + 2 * t.m.grow) * channels;
    result = run(&t, (unsigned)channels, stream, err);
    return gf_cuda_check(cudaFreeAsync(t.sharp, stream), "memory for clicks", err) != 0 ? -1 : result;
}
