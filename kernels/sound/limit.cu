/* The limiter on a GPU: minima over windows that double, means as differences of prefix sums. */
#include "kernels/sound/limit.h"

#include "kernels/base/program_buffers.cuh"

#include <cub/device/device_scan.cuh>

#define THREADS 256

struct limit_task {
    struct gf_block_view src, dst;
    struct gf_limit l;
    int64_t start, count;                /* first frame read, and number of frames */
    int64_t first, frames, units;
    int *gain, *other;                   /* `count` each */
    uint64_t *sums, *more;
    double scale;
};

static __device__ __forceinline__ int64_t place_of_thread()
{
    return (int64_t)blockIdx.x * THREADS + threadIdx.x;
}

__global__ void __launch_bounds__(THREADS) find_gains(const __grid_constant__ struct limit_task t)
{
    const int64_t i = place_of_thread(), n = t.start + i;
    float peak = 0;

    if (i >= t.count)
        return;
    /* The last element is used only for sums; its frame may not exist. */
    for (int c = 0; c < t.src.channels && n >= 0 && n < t.units && i + 1 < t.count; c++) {
        const float v = fabsf(gf_frame_get(t.src, n, c));

        peak = v > peak ? v : peak;
    }
    t.gain[i] = peak > t.l.threshold ? (int)__fmul_rn(__fdiv_rn(t.l.threshold, peak), (float)GF_LIMIT_ONE)
                : GF_LIMIT_ONE;
}

/* Takes the minimum over twice as many frames. */
__global__ void __launch_bounds__(THREADS) double_window(const int *from, int *to, int64_t step, int64_t count)
{
    const int64_t i = place_of_thread();

    if (i < count)
        to[i] = i + step < count ? min(from[i], from[i + step]) : from[i];
}

/* Two windows of `wide` cover one of `window`; the last element is for the sum of all. */
__global__ void __launch_bounds__(THREADS) widen_least(const int *from, uint64_t *to, int64_t window, int64_t wide,
                                                       int64_t count)
{
    const int64_t i = place_of_thread();

    if (i < count)
        to[i] = i < count - window ? (uint64_t)min(from[i], from[i + window - wide]) : 0;
}

/* Computes sums of `window` elements from prefix sums. */
__global__ void __launch_bounds__(THREADS) sum_window(const uint64_t *prefix, uint64_t *to, int64_t window,
                                                      int64_t count)
{
    const int64_t i = place_of_thread();

    if (i < count)
        to[i] = i + window < count ? prefix[i + window] - prefix[i] : 0;
}

__global__ void __launch_bounds__(THREADS) apply(const __grid_constant__ struct limit_task t, const uint64_t *prefix,
                                                 int64_t window)
{
    const int64_t i = place_of_thread();

    if (i >= t.frames)
        return;
    const float factor = (float)__dmul_rn((double)(long long)(prefix[i + window] - prefix[i]), t.scale);

    for (int c = 0; c < t.src.channels; c++) {
        const float v = __fmul_rn(gf_frame_get(t.src, t.first + i, c), factor),
                        low = v > -t.l.threshold ? v : -t.l.threshold;

        gf_frame_put(t.dst, t.first + i, c, low < t.l.threshold ? low : t.l.threshold);
    }
}

/* Uses the types of the memory request, so that there is only one kernel. */
static int scan_sums(void *room, size_t bytes, uint64_t *from, uint64_t *to, int64_t count, cudaStream_t stream,
                     struct gf_error *err)
{
    return gf_cuda_check(cub::DeviceScan::ExclusiveSum(room, bytes, from, to, count, stream),
                         "sums of the limiter", err);
}

static int run(struct limit_task *t, void *room, size_t bytes, cudaStream_t stream, struct gf_error *err)
{
    const unsigned blocks = (unsigned)gf_ceil_div(t->count, THREADS);
    const int64_t window = 2 * (int64_t)t->l.reach + 1;
    int64_t wide = 1;

    find_gains<<<blocks, THREADS, 0, stream>>>(*t);
    for (; 2 * wide <= window; wide *= 2) {
        int *swap = t->gain;

        double_window<<<blocks, THREADS, 0, stream>>>(t->gain, t->other, wide, t->count);
        t->gain = t->other;
        t->other = swap;
    }
    widen_least<<<blocks, THREADS, 0, stream>>>(t->gain, t->sums, window, wide, t->count);
    if (scan_sums(room, bytes, t->sums, t->more, t->count, stream, err) != 0)
        return -1;
    sum_window<<<blocks, THREADS, 0, stream>>>(t->more, t->sums, 2 * t->l.first + 1, t->count);
    if (scan_sums(room, bytes, t->sums, t->more, t->count, stream, err) != 0)
        return -1;
    apply<<<(unsigned)gf_ceil_div(t->frames, THREADS), THREADS, 0, stream>>>(*t, t->more, 2 * t->l.second + 1);
    return gf_cuda_launched("limit", err);
}

static int limit(const struct gf_work *work, const struct gf_io *io, const struct gf_limit *l, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct limit_task t;
    unsigned char *memory;
    size_t scan_bytes = 0, at;
    int result;

    t.l = *l;
    t.first = io->dst.span.start, t.frames = gf_span_units(io->dst.span), t.units = io->src_units;
    t.start = t.first - gf_limit_halo(l), t.count = t.frames + 2 * gf_limit_halo(l) + 1;
    t.scale = gf_limit_scale(l);
    at = (size_t)gf_round_up(t.count, 128);
    if (gf_cuda_check(cub::DeviceScan::ExclusiveSum(NULL, scan_bytes, (uint64_t *)NULL, (uint64_t *)NULL, t.count,
                                                    stream), "sums", err) != 0
        || gf_cuda_check(gf_cuda_borrow((void **)&memory,
                                        at * (2 * sizeof(uint64_t) + 2 * sizeof(int)) + scan_bytes, stream),
                         "memory for the limiter", err) != 0)
        return -1;
    t.src = gf_block_view_of(&io->src), t.dst = gf_block_view_of(&io->dst);
    t.sums = (uint64_t *)memory, t.more = t.sums + at;
    t.gain = (int *)(t.more + at), t.other = t.gain + at;
    result = run(&t, t.other + at, scan_bytes, stream, err);
    return gf_cuda_check(cudaFreeAsync(memory, stream), "memory for the limiter", err) != 0 ? -1 : result;
}

extern "C" int gf_limit_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    if (gf_span_units(io->dst.span) <= 0)
        return 0;
    return gf_program_buffers_run(work, io, io->src.span, err, [&](const struct gf_io &plain) {
        return limit(work, &plain, (const struct gf_limit *)params, err);
    });
}
