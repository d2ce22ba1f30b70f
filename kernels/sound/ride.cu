/* Applies a smoothed gain on a GPU: a thread for each chunk of frames, whose window has sums of whole chunks. */
#include "kernels/sound/ride.h"

#include "kernels/base/program_buffers.cuh"

#define THREADS 128

struct ride_task {
    const float *src, *gain;             /* the first frame of the source */
    float *dst;
    int64_t src_plane, dst_plane;
    struct gf_span in, out;
    int64_t units;                       /* of the whole signal */
    struct gf_ride r;
    double scale;
    int64_t chunk, chunks;               /* of the source: the first one, and how many it touches */
    int64_t *sums;
    float *mean;
};

static __device__ __forceinline__ int64_t level_at(const struct ride_task &t, int64_t n)
{
    const int64_t at = n < 0 ? 0 : n < t.units ? n : t.units - 1;

    return gf_ride_level(t.gain[at - t.in.start]);
}

__global__ void __launch_bounds__(THREADS) sum_chunks(const __grid_constant__ struct ride_task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x, first = (t.chunk + i) * GF_RIDE_CHUNK;
    int64_t sum = 0;

    if (i >= t.chunks)
        return;
    for (int64_t n = max(first, t.in.start); n < min(first + GF_RIDE_CHUNK, t.in.end); n++)
        sum += level_at(t, n);
    t.sums[i] = sum;
}

/* Returns the sum of frames [first, end), by chunks that are whole in the source. */
static __device__ int64_t sum_of(const struct ride_task &t, int64_t first, int64_t end)
{
    int64_t sum = 0;

    for (int64_t n = first; n < end;) {
        const int64_t chunk = n / GF_RIDE_CHUNK;

        if (n >= t.in.start && n % GF_RIDE_CHUNK == 0 && n + GF_RIDE_CHUNK <= min(end, t.in.end)) {
            sum += t.sums[chunk - t.chunk];
            n += GF_RIDE_CHUNK;
        } else {
            sum += level_at(t, n);
            n++;
        }
    }
    return sum;
}

__global__ void __launch_bounds__(THREADS) find_means(const __grid_constant__ struct ride_task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x, first = t.out.start + i * GF_RIDE_CHUNK;
    const int64_t end = min(first + GF_RIDE_CHUNK, t.out.end), shift = t.r.ahead - t.r.window + 1;
    int64_t sum;

    if (first >= t.out.end)
        return;
    sum = sum_of(t, first + shift, first + t.r.ahead);
    for (int64_t n = first; n < end; n++) {
        sum += level_at(t, n + t.r.ahead);
        t.mean[n - t.out.start] = (float)__dmul_rn((double)sum, t.scale);
        sum -= level_at(t, n + shift);
    }
}

__global__ void __launch_bounds__(THREADS) apply_means(const __grid_constant__ struct ride_task t)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const float *x = t.src + blockIdx.y * t.src_plane + (t.out.start - t.in.start);

    if (i >= t.out.end - t.out.start)
        return;
    t.dst[blockIdx.y * t.dst_plane + i] =
        t.r.band ? __fsub_rn(x[i], __fmul_rn(__fsub_rn(1.0f, t.mean[i]), x[t.r.channels * t.src_plane + i]))
        : __fmul_rn(x[i], t.mean[i]);
}

static int run(const struct ride_task *t, cudaStream_t stream, struct gf_error *err)
{
    const int64_t units = gf_span_units(t->out), chunks = gf_ceil_div(units, GF_RIDE_CHUNK);

    sum_chunks<<<(unsigned)gf_ceil_div(t->chunks, THREADS), THREADS, 0, stream>>>(*t);
    find_means<<<(unsigned)gf_ceil_div(chunks, THREADS), THREADS, 0, stream>>>(*t);
    apply_means<<<dim3((unsigned)gf_ceil_div(units, THREADS), (unsigned)t->r.channels), THREADS, 0, stream>>>(*t);
    return gf_cuda_launched("ride", err);
}

extern "C" int gf_ride_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct ride_task t = {};
    int result;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: ride needs planes and no programs");
    t.r = *(const struct gf_ride *)params;
    t.src = (const float *)io->src.data, t.dst = (float *)io->dst.data;
    t.src_plane = io->src.plane_samples, t.dst_plane = io->dst.plane_samples;
    t.gain = t.src + gf_ride_gain_channel(&t.r) * t.src_plane;
    t.in = io->src.span, t.out = io->dst.span, t.units = io->src_units;
    t.scale = gf_ride_scale(&t.r);
    t.chunk = t.in.start / GF_RIDE_CHUNK;
    t.chunks = gf_ceil_div(t.in.end, GF_RIDE_CHUNK) - t.chunk;
    if (gf_span_units(t.out) <= 0)
        return 0;
    if (gf_cuda_check(gf_cuda_borrow((void **)&t.sums, gf_ride_gpu_bytes(gf_span_units(t.in), gf_span_units(t.out)),
                                     stream), "memory for means", err) != 0)
        return -1;
    t.mean = (float *)(t.sums + t.chunks);
    result = run(&t, stream, err);
    return gf_cuda_check(cudaFreeAsync(t.sums, stream), "memory for means", err) != 0 ? -1 : result;
}
