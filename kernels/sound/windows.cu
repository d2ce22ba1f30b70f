/* Spectra of overlapping windows on a GPU: lines of threads, each with a window in shared memory. */
#include "kernels/sound/windows.h"

#include "kernels/base/borrow.cuh"
#include "kernels/base/fft_cuda.cuh"

#define LEAST_THREADS 128
#define MOST_THREADS (GF_WINDOWS_MOST / 2 / GF_FFT_EACH)
#define THREADS 256

struct windows_task {
    const float *src;                    /* frame in.start of the first channel */
    float *dst, *parts;                  /* synthesis: weighted windows, by channel, then block */
    const float *table;
    int64_t src_plane, dst_plane;
    struct gf_span in, out;
    int64_t first, blocks, units;        /* blocks that are made; frames of the longer signal */
    int size, step, log;
};

static __device__ __forceinline__ struct gf_fft_lane lane_of(const struct windows_task &t, float *room)
{
    const struct gf_fft fft = { t.size / 2, t.table + t.size };

    return gf_fft_lane_of(fft, t.log, 0, 0, (int)threadIdx.x, room + threadIdx.y * 2 * gf_fft_at(1 << t.log));
}

/* Stores value `place` of a block of the result, if that frame is made. */
static __device__ __forceinline__ void put_value(const struct windows_task &t, int64_t at, int c, int place, float re,
                                                 float im)
{
    const int64_t n = at + place % t.step;
    float *to = t.dst + (GF_WINDOWS_OVERLAP * c + place / t.step) * t.dst_plane + (n - t.out.start);

    if (n >= t.out.start && n < t.out.end) {
        to[0] = re;
        to[2 * t.dst_plane] = im;
    }
}

static __global__ void __launch_bounds__(MOST_THREADS) analyze(const __grid_constant__ struct windows_task t)
{
    extern __shared__ float room[];
    const int64_t block = (int64_t)blockIdx.x * blockDim.y + threadIdx.y, at = (t.first + block) * t.step;
    const struct gf_fft_lane lane = lane_of(t, room);
    const float *plane = t.src + blockIdx.y * t.src_plane;
    const bool whole = at + t.step <= t.units;
    const auto frame = [&](int i) {
        const int64_t n = at + t.step - t.size + i;

        return whole && n >= t.in.start && n < t.in.end ? __fmul_rn(plane[n - t.in.start], t.table[i]) : 0.0f;
    };
    float re[GF_FFT_EACH], im[GF_FFT_EACH];

    gf_fft_lane_forward(lane, [&](int p, int, float &a, float &b) {
        a = frame(p), b = frame(p + t.size / 2);
    }, re, im);
    if (block < t.blocks)
        gf_fft_lane_values(lane, [&](int j, int place) {
            put_value(t, at, (int)blockIdx.y, place, re[j], im[j]);
            put_value(t, at, (int)blockIdx.y, place + 1, re[j + GF_FFT_SIDE], im[j + GF_FFT_SIDE]);
        });
}

/* Makes the weighted windows of blocks. */
static __global__ void __launch_bounds__(MOST_THREADS) undo(const __grid_constant__ struct windows_task t)
{
    extern __shared__ float room[];
    const int64_t block = (int64_t)blockIdx.x * blockDim.y + threadIdx.y, at = (t.first + block) * t.step;
    const struct gf_fft_lane lane = lane_of(t, room);
    const bool there = block < t.blocks && at + t.step <= t.in.end;
    const float *from = t.src + GF_WINDOWS_OVERLAP * blockIdx.y * t.src_plane + (at - t.in.start);
    float *to = t.parts + (blockIdx.y * t.blocks + block) * t.size;
    const float scale = 1.0f / (float)t.size;
    float re[GF_FFT_EACH], im[GF_FFT_EACH];
    const auto value = [&](int place, int part) {
        return there ? from[(place / t.step + part) * t.src_plane + place % t.step] : 0.0f;
    };

    gf_fft_lane_values(lane, [&](int j, int place) {
        re[j] = value(place, 0), im[j] = value(place, 2);
        re[j + GF_FFT_SIDE] = value(place + 1, 0), im[j + GF_FFT_SIDE] = value(place + 1, 2);
    });
    gf_fft_lane_backward(lane, re, im, [&](int p, int, float a, float b) {
        const int q = p + t.size / 2;

        if (block < t.blocks) {
            to[p] = __fmul_rn(a, __fmul_rn(t.table[p], scale));
            to[q] = __fmul_rn(b, __fmul_rn(t.table[q], scale));
        }
    });
}

/* Adds the windows of a frame in their order. */
static __global__ void __launch_bounds__(THREADS) add_windows(const __grid_constant__ struct windows_task t)
{
    const int64_t n = t.out.start + (int64_t)blockIdx.x * THREADS + threadIdx.x, block = n / t.step - t.first;
    const float *parts = t.parts + blockIdx.y * t.blocks * t.size + n % t.step;
    float sum = 0;

    if (n >= t.out.end)
        return;
    for (int k = 0; k < GF_WINDOWS_OVERLAP; k++)
        sum = __fadd_rn(sum, parts[(block + k) * t.size + (GF_WINDOWS_OVERLAP - 1 - k) * t.step]);
    t.dst[blockIdx.y * t.dst_plane + (n - t.out.start)] = sum;
}

static void set_task(struct windows_task *t, const struct gf_work *work, const struct gf_io *io,
                     const struct gf_windows *w)
{
    t->src = (const float *)io->src.data, t->dst = (float *)io->dst.data;
    t->src_plane = io->src.plane_samples, t->dst_plane = io->dst.plane_samples;
    t->table = work->tables + w->table;
    t->in = io->src.span, t->out = io->dst.span;
    t->size = w->size, t->step = gf_windows_step(w);
    t->first = t->out.start / t->step;
    t->blocks = gf_ceil_div(t->out.end, t->step) - t->first;
    for (t->log = 0; w->size / 2 > 1 << t->log; )
        t->log++;
}

/* Launches a kernel that has a line of threads for each block. */
static int launch(void (*kernel)(const struct windows_task), const struct windows_task *t, int channels,
                  cudaStream_t stream, struct gf_error *err)
{
    const int wide = t->size / 2 / GF_FFT_EACH, high = wide < LEAST_THREADS ? LEAST_THREADS / wide : 1;

    if (gf_cuda_allow_shared_memory((const void *)kernel, err) != 0)
        return -1;
    kernel<<<dim3((unsigned)gf_ceil_div(t->blocks, high), (unsigned)channels), dim3(wide, high),
        high * gf_fft_shared_bytes(t->log), stream>>>(*t);
    return gf_cuda_launched("windows", err);
}

static bool is_plain(const struct gf_io *io)
{
    return gf_point_is_identity(io->load) && gf_point_is_identity(io->store) && io->src.planar && io->dst.planar
        && io->src.pitch_samples == 1 && io->dst.pitch_samples == 1;
}

extern "C" int gf_analyze_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                               struct gf_error *err)
{
    const struct gf_windows *w = (const struct gf_windows *)params;
    struct windows_task t = {};

    if (!is_plain(io))
        return gf_fail(err, GF_FAILED, "internal error: analyze needs planes and no programs");
    set_task(&t, work, io, w);
    t.units = io->src_units + w->size;
    return t.blocks > 0 ? launch(analyze, &t, io->src.channels, (cudaStream_t)work->stream, err) : 0;
}

extern "C" int gf_synthesize_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                                  struct gf_error *err)
{
    const struct gf_windows *w = (const struct gf_windows *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int channels = io->dst.channels;
    struct windows_task t = {};
    int result;

    if (!is_plain(io))
        return gf_fail(err, GF_FAILED, "internal error: synthesize needs planes and no programs");
    set_task(&t, work, io, w);
    if (gf_span_units(t.out) <= 0)
        return 0;
    t.blocks += GF_WINDOWS_OVERLAP - 1;
    if (gf_cuda_check(gf_cuda_borrow((void **)&t.parts, (size_t)(t.blocks * t.size * channels) * sizeof(float),
                                     stream), "memory for windows", err) != 0)
        return -1;
    result = launch(undo, &t, channels, stream, err);
    if (result == 0) {
        add_windows<<<dim3((unsigned)gf_ceil_div(gf_span_units(t.out), THREADS), (unsigned)channels), THREADS, 0,
            stream>>>(t);
        result = gf_cuda_launched("windows", err);
    }
    return gf_cuda_check(cudaFreeAsync(t.parts, stream), "memory for windows", err) != 0 ? -1 : result;
}
