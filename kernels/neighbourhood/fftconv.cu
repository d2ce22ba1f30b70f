/*
 * Convolution by Fourier transforms on a GPU: blocks in batches whose spectra stay in the second-
 * level cache.
 */
#include "kernels/neighbourhood/fftconv.h"

#include "kernels/base/fft_cuda.cuh"
#include "kernels/base/program_buffers.cuh"
#include "kernels/neighbourhood/conv.h"

#define THREADS 256
#define EACH 4                           /* samples of a thread, a block of threads apart */

struct fftconv_task {
    struct gf_block_view src, dst;
    struct gf_fftconv f;
    int channels;
    int64_t first, end;                  /* units of the output */
    int64_t src_units;
    int64_t block;                       /* first block of the batch */
    int64_t blocks;                      /* blocks of the batch */
    const float2 *spectra;               /* of the taps */
    int64_t pitch;                       /* pairs from one row to the next */
};

/*
 * Loads row r, a channel of a block, with the samples that the block needs. Rows after the last
 * block are zeros.
 */
__global__ void __launch_bounds__(THREADS) gather(const __grid_constant__ struct fftconv_task t, int64_t row,
                                                  float *__restrict__ to)
{
    const int64_t r = row + blockIdx.y, block = t.block - (t.f.parts - 1) + r / t.channels;
    const int c = (int)(r % t.channels);
    const int64_t first = (block + 1) * t.f.step + t.f.late - t.f.size;
    const bool any = r < (t.blocks + t.f.parts - 1) * t.channels;

    to += blockIdx.y * t.f.size;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int64_t i = ((int64_t)blockIdx.x * EACH + k) * THREADS + threadIdx.x, unit = first + i;

        if (i < t.f.size)
            to[i] = any && unit >= 0 && unit < t.src_units
                    ? gf_sample_get(t.src, gf_block_view_row(t.src, unit), gf_sample_index(t.src, 0, c)) : 0.0f;
    }
}

/*
 * sum(r) is the spectra of the blocks up to that of r, times those of the parts. It may be in place
 * if there is one part.
 */
__global__ void __launch_bounds__(THREADS) multiply(const __grid_constant__ struct fftconv_task t,
                                                    const float2 *past, float2 *sum)
{
    const int64_t r = blockIdx.y, k = (int64_t)blockIdx.x * THREADS + threadIdx.x, pairs = t.f.size / 2 + 1;
    const float2 *h = t.spectra + (t.f.mask_channels > 1 ? r % t.channels * t.f.parts : 0) * pairs;
    float2 s = make_float2(0.0f, 0.0f);

    if (k >= pairs)
        return;
    for (int p = 0; p < t.f.parts; p++) {
        const float2 a = past[(r + (int64_t)(t.f.parts - 1 - p) * t.channels) * t.pitch + k], b = h[p * pairs + k];

        s.x = __fadd_rn(s.x, __fmaf_rn(a.x, b.x, -__fmul_rn(a.y, b.y)));
        s.y = __fadd_rn(s.y, __fmaf_rn(a.x, b.y, __fmul_rn(a.y, b.x)));
    }
    sum[r * t.pitch + k] = s;
}

/* Stores the needed samples of the rows: the last `step` of each, as far as they are in the span. */
__global__ void __launch_bounds__(THREADS) scatter(const __grid_constant__ struct fftconv_task t,
                                                   const float *__restrict__ from)
{
    const int64_t block = t.block + blockIdx.y / t.channels, start = block * t.f.step;
    const int c = blockIdx.y % t.channels;

    from += (blockIdx.y + 1) * t.f.size - t.f.step;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int64_t i = ((int64_t)blockIdx.x * EACH + k) * THREADS + threadIdx.x, unit = start + i;

        if (i < t.f.step && unit >= t.first && unit < t.end)
            gf_sample_put(t.dst, gf_block_view_row(t.dst, unit), gf_sample_index(t.dst, 0, c), from[i]);
    }
}

/* Memory of one batch: samples, spectra, their sums unless in place, and work space of cuFFT. */
struct batch {
    float *samples;
    float2 *past, *sum;
    void *work;
};

static int open_batch(struct batch *b, const struct fftconv_task *t, size_t work_bytes, cudaStream_t stream,
                      struct gf_error *err)
{
    const struct gf_fftconv_batch rooms = gf_fftconv_batch_of(&t->f, t->channels);

    if (gf_cuda_check(cudaMallocAsync((void **)&b->samples, (size_t)(rooms.rows * t->f.size) * sizeof(float), stream),
                      "memory for blocks", err) != 0
        || gf_cuda_check(cudaMallocAsync((void **)&b->past, (size_t)(rooms.past * t->pitch) * sizeof(float2), stream),
                         "memory for spectra", err) != 0
        || gf_cuda_check(cudaMallocAsync(&b->work, work_bytes > 0 ? work_bytes : 1, stream),
                         "memory for transforms", err) != 0)
        return -1;
    b->sum = b->past;
    return t->f.parts == 1 ? 0
         : gf_cuda_check(cudaMallocAsync((void **)&b->sum, (size_t)(rooms.rows * t->pitch) * sizeof(float2), stream),
                         "memory for spectra", err);
}

static void close_batch(struct batch *b, cudaStream_t stream)
{
    if (b->sum != NULL && b->sum != b->past)
        cudaFreeAsync(b->sum, stream);
    if (b->work != NULL)
        cudaFreeAsync(b->work, stream);
    if (b->past != NULL)
        cudaFreeAsync(b->past, stream);
    if (b->samples != NULL)
        cudaFreeAsync(b->samples, stream);
}

/* Processes blocks [t->block, t->block + t->blocks). */
static int run_batch(const struct fftconv_task *t, const struct batch *b, struct gf_fft_cuda_plans *plans,
                     cudaStream_t stream,
                     struct gf_error *err)
{
    const int rows = gf_fft_rows(t->f.size);
    const int64_t out = t->blocks * t->channels, in = (t->blocks + t->f.parts - 1) * t->channels;
    const unsigned wide = (unsigned)gf_ceil_div(t->f.size, EACH * THREADS);

    for (int64_t r = 0; r < in; r += rows) {
        gather<<<dim3(wide, (unsigned)rows), THREADS, 0, stream>>>(*t, r, b->samples);
        if (gf_cuda_launched("blocks", err) != 0
            || gf_fft_cuda_forward(plans, b->samples, b->past + r * t->pitch, b->work, stream, err) != 0)
            return -1;
    }
    multiply<<<dim3((unsigned)gf_ceil_div(t->f.size / 2 + 1, THREADS), (unsigned)out), THREADS, 0,
        stream>>>(*t, b->past, b->sum);
    if (gf_cuda_launched("spectra", err) != 0)
        return -1;
    for (int64_t r = 0; r < out; r += rows)
        if (gf_fft_cuda_backward(plans, b->sum + r * t->pitch, b->samples + r * t->f.size, b->work, stream, err) != 0)
            return -1;
    scatter<<<dim3((unsigned)gf_ceil_div(t->f.step, EACH * THREADS), (unsigned)out), THREADS, 0,
        stream>>>(*t, b->samples);
    return gf_cuda_launched("blocks", err);
}

static int by_transforms(const struct gf_work *work, const struct gf_io *io, const struct gf_fftconv *f,
                         struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct gf_fft_cuda_plans *plans = gf_fft_cuda_borrow(f->size, err);
    const int64_t end = gf_ceil_div(io->dst.span.end, f->step), most = gf_fftconv_batch_of(f, io->src.channels).blocks;
    struct fftconv_task t;
    struct batch b = { NULL, NULL, NULL, NULL };
    int result = -1;

    if (plans == NULL)
        return -1;
    t = { gf_block_view_of(&io->src), gf_block_view_of(&io->dst), *f, io->src.channels, io->dst.span.start,
          io->dst.span.end, io->src_units,
          0, 0, (const float2 *)(work->masks + f->spectra_at), gf_fft_pitch(f->size) };
    if (open_batch(&b, &t, plans->work_bytes, stream, err) != 0)
        goto out;
    result = 0;
    for (t.block = io->dst.span.start / f->step; result == 0 && t.block < end; t.block += t.blocks) {
        t.blocks = end - t.block < most ? end - t.block : most;
        result = run_batch(&t, &b, plans, stream, err);
    }
out:
    close_batch(&b, stream);
    gf_fft_cuda_return(plans);
    return result;
}

/* ---- directly ---- */

__global__ void __launch_bounds__(THREADS) add(const float *__restrict__ from, float *__restrict__ to, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        to[i] = __fadd_rn(to[i], from[i]);
}

static struct gf_conv filter_of(int64_t taps, int64_t centre, int64_t at, int mask_channels)
{
    struct gf_conv conv = {};

    conv.ny = (int)taps;
    conv.cy = (int)centre;
    conv.y_at = at;
    conv.mask_channels = mask_channels;
    conv.border = GF_ZERO;
    return conv;
}

/*
 * Convolves a channel with its taps, a piece at a time: dst gets the sums of the first piece; those
 * of the others are computed in `more` and added.
 */
static int add_pieces(const struct gf_work *work, const struct gf_io *io, const struct gf_fftconv *f, int c,
                      const struct gf_block *more,
                      struct gf_error *err)
{
    const int64_t units = gf_span_units(io->dst.span), mask = f->taps_at + (f->mask_channels > 1 ? c : 0) * f->taps;
    struct gf_io one = *io;

    one.load = one.store = NULL;
    one.src.channels = one.dst.channels = 1;
    one.src.data = (float *)io->src.data + c * io->src.plane_samples;
    one.dst.data = (float *)io->dst.data + c * io->dst.plane_samples;
    for (int64_t k = 0; k < f->taps; k += GF_CONV_MAX_TAPS) {
        const int64_t n = f->taps - k < GF_CONV_MAX_TAPS ? f->taps - k : GF_CONV_MAX_TAPS;
        const struct gf_conv conv = filter_of(n, k + n - 1 - f->late, mask + f->taps - k - n, 1);

        if (gf_conv_cuda(work, &one, &conv, err) != 0)
            return -1;
        if (k > 0) {
            add<<<(unsigned)gf_ceil_div(units, THREADS), THREADS, 0, (cudaStream_t)work->stream>>>(
                (const float *)more->data, (float *)io->dst.data + c * io->dst.plane_samples, units);
            if (gf_cuda_launched("sums", err) != 0)
                return -1;
        }
        one.dst = *more;
    }
    return 0;
}

static int in_pieces(const struct gf_work *work, const struct gf_io *io, const struct gf_fftconv *f,
                     struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct gf_block more;
    int result = 0;

    if (gf_borrowed_planes_take(&more, &io->dst, 1, io->dst.span, stream, err) != 0)
        return -1;
    for (int c = 0; result == 0 && c < io->dst.channels; c++)
        result = add_pieces(work, io, f, c, &more, err);
    gf_borrowed_planes_return(&more, stream);
    return result;
}

/* ---- the body ---- */

extern "C" int gf_fftconv_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                               struct gf_error *err)
{
    const struct gf_fftconv *f = (const struct gf_fftconv *)params;
    const bool pieces = f->taps > GF_CONV_MAX_TAPS && !gf_fft_cuda_opens(NULL);
    const bool load = !gf_point_is_identity(io->load) || (pieces && !io->src.planar);
    const bool store = !gf_point_is_identity(io->store) || (pieces && !io->dst.planar);

    if (io->dst.span.start >= io->dst.span.end)
        return 0;
    if (f->taps <= GF_FFTCONV_DIRECT_TAPS || (f->taps <= GF_CONV_MAX_TAPS && !gf_fft_cuda_opens(NULL))) {
        const struct gf_conv conv = filter_of(f->taps, f->taps - 1 - f->late, f->taps_at, f->mask_channels);

        return gf_conv_cuda(work, io, &conv, err);
    }
    return gf_program_buffers_through(work, io, io->src.span, load, store, err, [&](const struct gf_io &plain) {
        return pieces ? in_pieces(work, &plain, f, err) : by_transforms(work, &plain, f, err);
    });
}
