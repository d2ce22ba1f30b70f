/* Spectra on a GPU: a line of threads for each row; windows are transformed in shared memory. */
#include "kernels/sound/spectrum.h"

#include "kernels/base/fft_cuda.cuh"

#define LEAST_THREADS 128
#define MOST_THREADS (GF_SPECTRUM_MOST / 2 / GF_FFT_EACH)

struct spectrum_task {
    const float *src, *table;
    float *dst;
    int64_t src_plane, dst_plane, dst_pitch, first, rows;
    struct gf_span in;
    int width, log;
    int apart;                           /* log2 of the distance of columns among the values' frequencies */
    struct gf_spectrum s;
};

/* Returns the number of the value that belongs to column k, as gf_spectrum_value() does. */
static __device__ __forceinline__ int value_of(const struct spectrum_task &t, int k)
{
    return (int)(__brev((unsigned)k << t.apart) >> (32 - t.log));
}

/* Loads a window, transforms it, and adds its powers; points and values of the row are in shared memory. */
static __device__ __forceinline__ void add_window(const struct spectrum_task &t, const struct gf_fft_lane &lane,
                                                  const float *plane, int64_t first, float *powers)
{
    const float2 *turns = (const float2 *)(t.table + t.s.size);
    const float *const src = plane + (first - t.in.start);
    const int from = (int)max((int64_t)0, t.in.start - first);
    const int last = (int)min((int64_t)t.s.size, t.in.end - first) - 1;
    /* a load without a condition, so that many are on their way */
    const auto frame = [&](int i, float weight) {
        const int there = min(max(i, from), last);
        const float value = __fmul_rn(src[there], weight);

        return i == there ? value : 0.0f;
    };
    float re[GF_FFT_EACH], im[GF_FFT_EACH];

    gf_fft_lane_forward(lane, [&](int p, int, float &a, float &b) {
        const float2 weight = ((const float2 *)t.table)[p];

        a = frame(2 * p, weight.x), b = frame(2 * p + 1, weight.y);
    }, re, im);
#pragma unroll
    for (int j = 0; j < GF_FFT_EACH; j++) {
        lane.re[gf_fft_at(GF_FFT_EACH * lane.thread) + j] = re[j];
        lane.im[gf_fft_at(GF_FFT_EACH * lane.thread) + j] = im[j];
    }
    __syncthreads();
    for (int k = lane.thread; k < t.width; k += blockDim.x) {
        const int a = gf_fft_at(value_of(t, k)), b = gf_fft_at(value_of(t, t.s.size / 2 - k));

        powers[k] = __fadd_rn(powers[k], gf_spectrum_power(lane.re[a], lane.im[a], lane.re[b], lane.im[b], turns[k].x,
                                                           turns[k].y));
    }
    __syncthreads();
}

/* A row for each line of the block's threads. */
static __global__ void __launch_bounds__(MOST_THREADS, 4) spectrum(const __grid_constant__ struct spectrum_task t)
{
    extern __shared__ float room[];
    const int at = gf_fft_at(1 << t.log) * 2;
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    float *const mine = room + threadIdx.y * (at + t.width), *const powers = mine + at;
    const float *plane = t.src + blockIdx.y * t.src_plane;
    float *to = t.dst + blockIdx.y * t.dst_plane + row * t.dst_pitch;
    const struct gf_fft fft = { 1 << t.log, t.table + 2 * t.s.size + 2 };
    const struct gf_fft_lane lane = gf_fft_lane_of(fft, t.log, 0, 0, threadIdx.x, mine);

    for (int k = threadIdx.x; k < t.width; k += blockDim.x)
        powers[k] = 0.0f;
    for (int i = 0; i < t.s.windows; i++)
        add_window(t, lane, plane, gf_spectrum_first(&t.s, t.first + row, i), powers);
    for (int k = threadIdx.x; k < t.width && row < t.rows; k += blockDim.x)
        to[k] = __fmul_rn(powers[k], __fdiv_rn(t.s.scale, (float)(4 * t.s.windows)));
}

extern "C" int gf_spectrum_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                                struct gf_error *err)
{
    const struct gf_spectrum *s = (const struct gf_spectrum *)params;
    const int points = gf_spectrum_points(s), wide = points / GF_FFT_EACH;
    const int high = wide < LEAST_THREADS ? LEAST_THREADS / wide : 1;
    struct spectrum_task t;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: spectrum needs planes and no programs");
    if (io->dst.span.start >= io->dst.span.end)
        return 0;
    t.src = (const float *)io->src.data, t.dst = (float *)io->dst.data;
    t.table = work->tables + s->table;
    t.src_plane = io->src.plane_samples, t.dst_plane = io->dst.plane_samples, t.dst_pitch = io->dst.pitch_samples;
    t.first = io->dst.span.start;
    t.rows = gf_span_units(io->dst.span);
    t.in = io->src.span;
    t.width = (int)io->dst.width;
    for (t.log = 0; points > 1 << t.log; )
        t.log++;
    for (t.apart = 0; s->size << t.apart < 2 * points; )
        t.apart++;
    t.s = *s;
    if (gf_cuda_allow_shared_memory((const void *)spectrum, err) != 0)
        return -1;
    spectrum<<<dim3((unsigned)gf_ceil_div(t.rows, high), (unsigned)io->dst.channels), dim3(wide, high),
        high * (gf_fft_shared_bytes(t.log) + t.width * sizeof(float)), (cudaStream_t)work->stream>>>(t);
    return gf_cuda_launched("spectrum", err);
}
