/* A gain that follows the level, on a GPU: a thread for each chunk of frames, and one that goes from chunk to chunk. */
#include "kernels/sound/follow.h"

#include "kernels/base/program_buffers.cuh"

#define THREADS 128
#define HIGHEST 3.40282347e38f

struct follow_task {
    struct gf_block_view src, beside;
    struct gf_follow f;
    struct gf_span in, heard_in, out;    /* frames of the source, of the second source, and of the result */
    int64_t shift;                       /* frame of the signal at row 0 of the second source */
    int64_t chunks;
    int *level;                          /* by detector, then frame */
    int64_t *ends, *state;               /* by detector, then chunk */
    int64_t *sums;                       /* of squares, by detector, then chunk, from `whole` chunks before on */
    int64_t whole;                       /* chunks of a window */
    float *gain;
    double scale[2];
};

static __device__ __forceinline__ int64_t chunk_of_thread()
{
    return (int64_t)blockIdx.x * THREADS + threadIdx.x;
}

/* Returns a sample of detector k, 0 outside the signal. */
static __device__ __forceinline__ float sample_of(const struct follow_task &t, int k, int64_t n, int c)
{
    if (k == 0 && t.f.beside)
        return n >= t.heard_in.start && n < t.heard_in.end ? gf_frame_get(t.beside, n - t.shift, c) : 0.0f;
    return n >= t.in.start && n < t.in.end ? gf_frame_get(t.src, n, (k == 0 ? t.f.heard : t.f.against).first + c)
           : 0.0f;
}

static __device__ __forceinline__ int64_t squares_of(const struct follow_task &t, int k, int64_t n, int count)
{
    int64_t sum = 0;

    for (int c = 0; c < count; c++)
        sum += gf_follow_square(sample_of(t, k, n, c));
    return sum;
}

static __device__ __forceinline__ int level_of(const struct follow_task &t, int k, int64_t n, int count)
{
    float loud = 0;

    for (int c = 0; c < count; c++) {
        const float v = fabsf(sample_of(t, k, n, c)), w = v <= HIGHEST ? v : 0.0f;

        loud = w > loud ? w : loud;
    }
    return gf_octaves_of(loud);
}

static __device__ __forceinline__ int64_t fallen(int64_t e, int64_t now, int64_t fall)
{
    return now > e - fall ? now : e - fall;
}

/* Adds the squares of a chunk for the windows that have all of it. */
__global__ void __launch_bounds__(THREADS) sum_squares(const __grid_constant__ struct follow_task t)
{
    const int64_t chunk = chunk_of_thread(), first = t.out.start + (chunk - t.whole) * GF_FOLLOW_CHUNK;
    const int k = (int)blockIdx.y, count = k == 0 ? t.f.heard.count : t.f.against.count;
    int64_t sum = 0;

    if (chunk >= t.chunks + t.whole)
        return;
    for (int64_t n = first; n < first + GF_FOLLOW_CHUNK; n++)
        sum += squares_of(t, k, n, count);
    t.sums[k * (t.chunks + t.whole) + chunk] = sum;
}

/* Finds the levels of a chunk, and where it ends from silence. */
__global__ void __launch_bounds__(THREADS) find_levels(const __grid_constant__ struct follow_task t)
{
    const int64_t chunk = chunk_of_thread(), first = t.out.start + chunk * GF_FOLLOW_CHUNK;
    const int64_t end = min(first + GF_FOLLOW_CHUNK, t.out.end);
    const int k = (int)blockIdx.y, count = k == 0 ? t.f.heard.count : t.f.against.count;
    int64_t e = 0, sum = 0;

    if (chunk >= t.chunks)
        return;
    for (int64_t n = first - t.f.window + 1; n < first - t.whole * GF_FOLLOW_CHUNK; n++)
        sum += squares_of(t, k, n, count);
    for (int64_t i = chunk; i < chunk + t.whole; i++)
        sum += t.sums[k * (t.chunks + t.whole) + i];
    for (int64_t n = first; n < end; n++) {
        int level;

        if (t.f.window > 0) {
            sum += squares_of(t, k, n, count);
            level = gf_follow_mean_level(sum, t.scale[k]);
            sum -= squares_of(t, k, n - t.f.window + 1, count);
        } else {
            level = level_of(t, k, n, count);
        }
        t.level[k * (t.out.end - t.out.start) + n - t.out.start] = level;
        e = fallen(e, (int64_t)level * 65536, t.f.fall);
    }
    t.ends[k * t.chunks + chunk] = e;
}

/* Replaces the level at the end of each chunk by that before its start. */
__global__ void __launch_bounds__(32) hand_on(const __grid_constant__ struct follow_task t)
{
    const int k = (int)threadIdx.x;
    const int64_t units = t.out.end - t.out.start;
    int64_t e;

    if (k > (t.f.against.count > 0))
        return;
    e = t.state[k];
    for (int64_t i = 0; i < t.chunks; i++) {
        const int64_t z = t.ends[k * t.chunks + i], left = units - i * GF_FOLLOW_CHUNK;

        t.ends[k * t.chunks + i] = e;
        e = fallen(e, z, t.f.fall * min(left, (int64_t)GF_FOLLOW_CHUNK));
    }
    t.state[k] = e;
}

__global__ void __launch_bounds__(THREADS) find_gains(const __grid_constant__ struct follow_task t)
{
    const int64_t chunk = chunk_of_thread(), first = chunk * GF_FOLLOW_CHUNK, units = t.out.end - t.out.start;
    const bool both = t.f.against.count > 0;
    int64_t e, other;

    if (chunk >= t.chunks)
        return;
    e = t.ends[chunk];
    other = both ? t.ends[t.chunks + chunk] : 0;
    for (int64_t i = first; i < min(first + GF_FOLLOW_CHUNK, units); i++) {
        e = fallen(e, (int64_t)t.level[i] * 65536, t.f.fall);
        if (both)
            other = fallen(other, (int64_t)t.level[units + i] * 65536, t.f.fall);
        t.gain[i] = gf_follow_gain(&t.f.curve, (int)(e >> 16) - (both ? (int)(other >> 16) : 0));
    }
}

static void set_task(struct follow_task *t, const struct gf_io *io, const struct gf_follow *f, void *carry)
{
    const struct gf_span rows = io->beside.span;

    t->src = gf_block_view_of(&io->src);
    t->f = *f;
    t->in = io->src.span, t->out = io->dst.span;
    t->shift = io->beside_shift;
    t->heard_in = { rows.start + t->shift, rows.end + t->shift };
    if (f->beside)
        t->beside = gf_block_view_of(&io->beside);
    t->chunks = gf_ceil_div(gf_span_units(t->out), GF_FOLLOW_CHUNK);
    t->whole = gf_follow_whole_chunks(f);
    t->state = (int64_t *)carry;
    t->gain = (float *)io->dst.data + f->kept * io->dst.plane_samples;
    t->scale[0] = f->window > 0 ? gf_follow_scale(f, f->heard.count) : 0;
    t->scale[1] = f->window > 0 && f->against.count > 0 ? gf_follow_scale(f, f->against.count) : 0;
}

static int run(struct follow_task *t, const struct gf_io *io, cudaStream_t stream, struct gf_error *err)
{
    const int64_t units = gf_span_units(t->out);
    const unsigned detectors = t->f.against.count > 0 ? 2 : 1, blocks = (unsigned)gf_ceil_div(t->chunks, THREADS);
    const float *from = (const float *)io->src.data + (t->out.start - t->in.start);

    if (t->whole > 0)
        sum_squares<<<dim3((unsigned)gf_ceil_div(t->chunks + t->whole, THREADS), detectors), THREADS, 0, stream>>>(*t);
    find_levels<<<dim3(blocks, detectors), THREADS, 0, stream>>>(*t);
    hand_on<<<1, 32, 0, stream>>>(*t);
    find_gains<<<blocks, THREADS, 0, stream>>>(*t);
    if (gf_cuda_launched("follow", err) != 0)
        return -1;
    return gf_cuda_check(cudaMemcpy2DAsync(io->dst.data, (size_t)io->dst.plane_samples * sizeof(float), from,
                                           (size_t)io->src.plane_samples * sizeof(float),
                                           (size_t)units * sizeof(float), (size_t)t->f.kept, cudaMemcpyDeviceToDevice,
                                           stream), "channels", err);
}

extern "C" int gf_follow_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    const struct gf_follow *f = (const struct gf_follow *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int64_t detectors = f->against.count > 0 ? 2 : 1;
    struct follow_task t = {};
    int result;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: follow needs planes and no programs");
    set_task(&t, io, f, work->carry);
    if (t.chunks <= 0)
        return 0;
    if (gf_cuda_check(gf_cuda_borrow((void **)&t.ends, gf_follow_gpu_bytes(f, gf_span_units(t.out)), stream),
                      "memory for levels", err) != 0)
        return -1;
    t.sums = t.ends + detectors * t.chunks;
    t.level = (int *)(t.sums + (f->window > 0 ? detectors * (t.chunks + t.whole) : 0));
    result = run(&t, io, stream, err);
    return gf_cuda_check(cudaFreeAsync(t.ends, stream), "memory for levels", err) != 0 ? -1 : result;
}
