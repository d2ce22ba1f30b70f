/* Gains of spectra that reduce noise, on a GPU: a thread for each value, which goes from block to block. */
#include "kernels/sound/hush.h"

#include "kernels/base/borrow.cuh"
#include "kernels/base/cuda_check.cuh"

#define THREADS 128

struct hush_task {
    const float *src, *order, *rank, *profile;
    float *dst, *gains, *mixed, *state;  /* gains and mixed: by channel, then block, then place */
    int64_t src_plane, dst_plane, in_start, units;
    struct gf_span out;
    int64_t first, blocks;               /* the blocks that the frames touch */
    int values, step;
    struct gf_hush h;
};

/* Returns true if a block begins in the frames, and all of it exists. */
static __device__ __forceinline__ bool is_new(const struct hush_task &t, int64_t block)
{
    const int64_t at = (t.first + block) * t.step;

    return at >= t.out.start && at + t.step <= t.units;
}

__global__ void __launch_bounds__(THREADS) find_gains(const __grid_constant__ struct hush_task t)
{
    const int place = (int)(blockIdx.x * THREADS + threadIdx.x), c = (int)blockIdx.y;
    float *state = t.state + (int64_t)c * 4 * t.values + place;
    const float *from = t.src + (GF_WINDOWS_OVERLAP * c + place / t.step) * t.src_plane + place % t.step;

    if (place >= t.values)
        return;
    struct gf_hush_value v = { state[0], state[t.values], state[2 * t.values], 0 };

    for (int64_t block = 0; block < t.blocks; block++) {
        const float *at = from + (t.first + block) * t.step - t.in_start;

        if (is_new(t, block))
            t.gains[(c * t.blocks + block) * t.values + place] =
                gf_hush_step(&v, &t.h, at[0], at[2 * t.src_plane], gf_hush_way_of(&t.h, t.first + block),
                             gf_hush_share(t.first + block), t.profile != NULL ? t.profile[place] : 0.0f);
    }
    state[0] = v.noise;
    state[t.values] = v.before;
    state[2 * t.values] = v.presence;
}

/*
 * Mixes the gains of a block; the block that the previous call began has its gains in the state. A block that is not
 * whole, at the end, takes those of the block before it.
 */
__global__ void __launch_bounds__(THREADS) mix_gains(const __grid_constant__ struct hush_task t)
{
    const int place = (int)(blockIdx.y * THREADS + threadIdx.x), c = (int)blockIdx.z;
    const int64_t block = blockIdx.x, from = block > 0 && !is_new(t, block) ? block - 1 : block;
    const float *gains = t.gains + (c * t.blocks + from) * t.values;

    if (place >= t.values)
        return;
    const int k = gf_hush_entry(t.rank, place, t.values);
    const int below = k > 0 ? k - 1 : 0, above = k + 1 < t.values ? k + 1 : k;

    t.mixed[(c * t.blocks + block) * t.values + place] =
        is_new(t, from) ? gf_hush_mean(gains[gf_hush_entry(t.order, below, t.values)], gains[place],
                                        gains[gf_hush_entry(t.order, above, t.values)])
        : t.state[(int64_t)c * 4 * t.values + 3 * t.values + place];
}

__global__ void __launch_bounds__(THREADS) apply_gains(const __grid_constant__ struct hush_task t)
{
    const int64_t n = t.out.start + (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int q = (int)blockIdx.y, c = q / GF_WINDOWS_OVERLAP;

    if (n < t.out.end)
        t.dst[q * t.dst_plane + (n - t.out.start)] =
            __fmul_rn(t.src[q * t.src_plane + (n - t.in_start)],
                      t.mixed[(c * t.blocks + n / t.step - t.first) * t.values + q % 2 * t.step + n % t.step]);
}

/* Keeps the gains of the last block for the next call, or those before it if that block is not whole. */
__global__ void __launch_bounds__(THREADS) keep_gains(const __grid_constant__ struct hush_task t)
{
    const int place = (int)(blockIdx.x * THREADS + threadIdx.x), c = (int)blockIdx.y;
    int64_t last = t.blocks - 1;

    while (last > 0 && !is_new(t, last))
        last--;
    if (place < t.values && is_new(t, last))
        t.state[(int64_t)c * 4 * t.values + 3 * t.values + place] =
            t.mixed[(c * t.blocks + last) * t.values + place];
}

static int run(const struct hush_task *t, cudaStream_t stream, struct gf_error *err)
{
    const unsigned wide = (unsigned)gf_ceil_div(t->values, THREADS), channels = (unsigned)t->h.channels;

    find_gains<<<dim3(wide, channels), THREADS, 0, stream>>>(*t);
    mix_gains<<<dim3((unsigned)t->blocks, wide, channels), THREADS, 0, stream>>>(*t);
    apply_gains<<<dim3((unsigned)gf_ceil_div(gf_span_units(t->out), THREADS), channels * GF_WINDOWS_OVERLAP), THREADS,
        0, stream>>>(*t);
    keep_gains<<<dim3(wide, channels), THREADS, 0, stream>>>(*t);
    return gf_cuda_launched("hush", err);
}

extern "C" int gf_hush_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_hush *h = (const struct gf_hush *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct hush_task t = {};
    int result;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: hush needs planes and no programs");
    t.h = *h;
    t.src = (const float *)io->src.data, t.dst = (float *)io->dst.data;
    t.src_plane = io->src.plane_samples, t.dst_plane = io->dst.plane_samples;
    t.in_start = io->src.span.start, t.units = io->src_units, t.out = io->dst.span;
    t.order = work->tables + h->order, t.rank = work->tables + h->rank;
    t.profile = h->profile >= 0 ? work->tables + h->profile : NULL;
    t.values = h->windows.size / 2, t.step = gf_windows_step(&h->windows);
    t.first = t.out.start / t.step;
    t.blocks = gf_ceil_div(t.out.end, t.step) - t.first;
    t.state = (float *)work->carry;
    if (gf_span_units(t.out) <= 0)
        return 0;
    if (gf_cuda_check(gf_cuda_borrow((void **)&t.gains,
                                     (size_t)(2 * t.blocks * t.values * h->channels) * sizeof(float), stream),
                      "memory for gains", err) != 0)
        return -1;
    t.mixed = t.gains + t.blocks * t.values * h->channels;
    result = run(&t, stream, err);
    return gf_cuda_check(cudaFreeAsync(t.gains, stream), "memory for gains", err) != 0 ? -1 : result;
}
