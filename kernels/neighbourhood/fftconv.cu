/*
 * Convolution by Fourier transforms on a GPU. A block of threads loads one block of the signal,
 * transforms it, multiplies, transforms back and stores, all in shared memory. The first levels of
 * longer blocks go through memory.
 */
#include "kernels/neighbourhood/fftconv.h"

#include "kernels/base/fft_cuda.cuh"
#include "kernels/base/program_buffers.cuh"

#define THREADS 256

enum way { FORWARD, BACKWARD, THROUGH };

/* Floats of a signal, in planes or packed. */
struct floats {
    float *data;
    int unit;                            /* floats from a unit to the next */
    int64_t channel;                     /* and from a channel to the next */
    int64_t start;                       /* the unit at `data` */
};

/* Rows are channels of blocks: row r is channel r % channels of block number block + r / channels. */
struct fftconv_task {
    struct floats src, dst;
    struct gf_fftconv f;
    struct gf_fft fft;
    int channels;
    int log, outer;                      /* levels that a block of threads does, and those before */
    int64_t first, end;                  /* units of the output */
    int64_t src_units;
    int64_t block, rows;
    const float *spectra;                /* of the taps */
    float *room;                         /* points of rows between kernels, if there are levels before */
    float *past;                         /* spectra of rows, from parts - 1 blocks before the first one on */
};

/* ---- points ---- */

/*
 * A row. A kernel finds its samples in the signal and puts them into the result, or between kernels
 * into the room. Only samples between `read_from` and `read_to` are there, and only those between `write_from` and
 * `write_to` are wanted.
 */
struct row {
    bool any;                            /* false: after the last row */
    const float *src;
    float *dst;
    int src_unit, read_from, read_to;
    int dst_unit, write_from, write_to;
};

/* Returns how many of `size` samples come before unit `end`, if sample 0 is at unit `first`. */
static __device__ __forceinline__ int samples_before(const struct fftconv_task &t, int64_t first, int64_t end)
{
    return (int)max((int64_t)0, min(end - first, t.f.size));
}

static __device__ __forceinline__ struct row row_of(const struct fftconv_task &t, int64_t r, bool begun, bool goes_on)
{
    const int64_t block = t.block + r / t.channels, c = r % t.channels;
    const int64_t written = (block + 1) * t.f.step - t.f.size, read = written + t.f.late;
    float *const room = t.room + r * t.f.size;
    struct row row = { r < t.rows, room, room, 1, 0, (int)t.f.size, 1, 0, (int)t.f.size };

    if (!begun) {
        row.src = t.src.data + c * t.src.channel + (read - t.src.start) * t.src.unit;
        row.src_unit = t.src.unit;
        row.read_from = samples_before(t, read, 0);
        row.read_to = samples_before(t, read, t.src_units);
    }
    if (!goes_on) {                      /* the last `step` samples are results */
        row.dst = t.dst.data + c * t.dst.channel + (written - t.dst.start) * t.dst.unit;
        row.dst_unit = t.dst.unit;
        row.write_from = samples_before(t, written, max(t.first, written + t.f.size - t.f.step));
        row.write_to = samples_before(t, written, t.end);
    }
    row.write_to = row.any ? row.write_to : 0;
    if (!row.any || row.read_from >= row.read_to) {          /* any value that exists is loaded, and never used */
        row.src = t.spectra;
        row.src_unit = 0;
        row.read_from = row.read_to = -1;
    }
    return row;
}

/* Loads sample i: without a condition, so that many loads are on their way at once. */
static __device__ __forceinline__ float load(const struct row &row, int i)
{
    const int there = min(max(i, row.read_from), row.read_to - 1);
    const float value = row.src[(int64_t)there * row.src_unit];

    return i == there ? value : 0.0f;
}

static __device__ __forceinline__ void store(const struct row &row, int i, float value)
{
    if (i >= row.write_from && i < row.write_to)
        row.dst[(int64_t)i * row.dst_unit] = value;
}

/* ---- kernels ---- */

/* Multiplies a thread's values by those of the taps. */
static __device__ __forceinline__ void multiply(const struct fftconv_task &t, const struct gf_fft_lane &lane,
                                                int64_t values, float (&re)[GF_FFT_EACH], float (&im)[GF_FFT_EACH])
{
    gf_fft_lane_values(lane, [&](int j, int place) {
        const float *at = t.spectra + values + place;
        const float2 hr = *(const float2 *)at, hi = *(const float2 *)(at + t.fft.points);

        gf_fft_product(re[j], im[j], hr.x, hi.x, re + j, im + j);
        gf_fft_product(re[j + 8], im[j + 8], hr.y, hi.y, re + j + 8, im + j + 8);
    });
}

/* Adds up the products of the latest blocks and the parts of the taps. */
static __device__ __forceinline__ void add_parts(const struct fftconv_task &t, const struct gf_fft_lane &lane,
                                                 int64_t r, int64_t values, int64_t first_value,
                                                 float (&re)[GF_FFT_EACH], float (&im)[GF_FFT_EACH])
{
    for (int p = 0; p < t.f.parts; p++) {
        const float *past = t.past + (r + (int64_t)(t.f.parts - 1 - p) * t.channels) * t.f.size + first_value;
        const float *h = t.spectra + values + p * t.f.size;

        gf_fft_lane_values(lane, [&](int j, int place) {
            const float2 ar = *(const float2 *)(past + place), ai = *(const float2 *)(past + t.fft.points + place);
            const float2 br = *(const float2 *)(h + place), bi = *(const float2 *)(h + t.fft.points + place);

            if (p == 0) {
                gf_fft_product(ar.x, ai.x, br.x, bi.x, re + j, im + j);
                gf_fft_product(ar.y, ai.y, br.y, bi.y, re + j + 8, im + j + 8);
            } else {
                gf_fft_add_product(ar.x, ai.x, br.x, bi.x, re + j, im + j);
                gf_fft_add_product(ar.y, ai.y, br.y, bi.y, re + j + 8, im + j + 8);
            }
        });
    }
}

/*
 * Transforms nodes of rows, as many as the block of threads is high: forward to the spectra of past
 * blocks, backward from them, or both ways at once.
 */
template <int WAY>
static __global__ void __launch_bounds__(GF_FFT_THREADS) transform(const __grid_constant__ struct fftconv_task t)
{
    extern __shared__ float room[];
    const int64_t item = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    const int64_t r = item >> t.outer, i = item & ((1 << t.outer) - 1);
    const int first = (int)i << t.log;
    const struct row row = row_of(t, r, t.outer > 0, t.outer > 0);
    const int points = (int)t.fft.points;
    const struct gf_fft_lane lane = gf_fft_lane_of(t.fft, t.log, t.outer, i, threadIdx.x,
                                                   room + threadIdx.y * 2 * gf_fft_at(1 << t.log));
    const int64_t values = (t.f.mask_channels > 1 ? r % t.channels * t.f.parts * t.f.size : 0) + first;
    float re[GF_FFT_EACH], im[GF_FFT_EACH];

    if (WAY != BACKWARD)
        gf_fft_lane_forward(lane, [&](int p, int, float &a, float &b) {
            a = load(row, first + p), b = load(row, first + p + points);
        }, re, im);
    if (WAY == THROUGH)
        multiply(t, lane, values, re, im);
    if (WAY == BACKWARD && row.any)
        add_parts(t, lane, r, values, first, re, im);
    if (WAY == FORWARD && row.any)
        gf_fft_lane_values(lane, [&](int j, int place) {
            float *to = t.past + r * t.f.size + first + place;

            *(float2 *)to = make_float2(re[j], re[j + 8]);
            *(float2 *)(to + t.fft.points) = make_float2(im[j], im[j + 8]);
        });
    if (WAY != FORWARD)
        gf_fft_lane_backward(lane, re, im, [&](int p, int, float a, float b) {
            store(row, first + p, a), store(row, first + p + points, b);
        });
}

/* Does LEVELS levels of rows that are too long for shared memory, from `level` on. */
template <int LEVELS, bool BACK>
static __global__ void __launch_bounds__(THREADS) do_levels(const __grid_constant__ struct fftconv_task t, int level)
{
    const int log = t.log + t.outer, apart = log - level - LEVELS;
    const int64_t item = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const struct row row = row_of(t, item >> (log - LEVELS), BACK || level > 0, !BACK || level > 0);
    const int points = (int)t.fft.points;
    const int column = (int)item & ((1 << (log - LEVELS)) - 1), block = column >> apart;
    const int first = (block << (apart + LEVELS)) + (column & ((1 << apart) - 1));
    const float2 *turns = (const float2 *)t.fft.turns;
    float re[1 << LEVELS], im[1 << LEVELS];

    if (!row.any)
        return;
#pragma unroll
    for (int j = 0; j < 1 << LEVELS; j++) {
        re[j] = load(row, first + (j << apart));
        im[j] = load(row, first + (j << apart) + points);
    }
    gf_fft_levels<LEVELS, 1 << LEVELS, BACK>(turns, (1 << level) + block, re, im);
#pragma unroll
    for (int j = 0; j < 1 << LEVELS; j++) {
        store(row, first + (j << apart), re[j]);
        store(row, first + (j << apart) + points, im[j]);
    }
}

/* ---- launches ---- */

template <bool BACK>
static int launch_levels(const struct fftconv_task *t, int levels, int level, cudaStream_t stream, struct gf_error *err)
{
    const unsigned blocks = (unsigned)gf_ceil_div(t->rows * (t->fft.points >> levels), THREADS);

    if (levels == 1)
        do_levels<1, BACK><<<blocks, THREADS, 0, stream>>>(*t, level);
    else if (levels == 2)
        do_levels<2, BACK><<<blocks, THREADS, 0, stream>>>(*t, level);
    else
        do_levels<3, BACK><<<blocks, THREADS, 0, stream>>>(*t, level);
    return gf_cuda_launched("first levels", err);
}

template <int WAY>
static int launch(const struct fftconv_task *t, cudaStream_t stream, struct gf_error *err)
{
    const int wide = (1 << t->log) / GF_FFT_EACH, high = wide < 128 ? 128 / wide : 1;
    const int64_t items = t->rows << t->outer;

    for (int level = 0, levels; WAY != BACKWARD && level < t->outer; level += levels) {
        levels = t->outer - level < 3 ? t->outer - level : 3;
        if (launch_levels<false>(t, levels, level, stream, err) != 0)
            return -1;
    }
    transform<WAY><<<(unsigned)gf_ceil_div(items, high), dim3(wide, high), high * gf_fft_shared_bytes(t->log),
        stream>>>(*t);
    if (gf_cuda_launched("transforms", err) != 0)
        return -1;
    for (int level = t->outer, levels; WAY != FORWARD && level > 0; level -= levels) {
        levels = level % 3 ? level % 3 : 3;
        if (launch_levels<true>(t, levels, level - levels, stream, err) != 0)
            return -1;
    }
    return 0;
}

/* Processes rows of the output from t->block on. */
static int run_batch(struct fftconv_task t, int64_t blocks, cudaStream_t stream, struct gf_error *err)
{
    t.rows = blocks * t.channels;
    if (t.f.parts == 1)
        return launch<THROUGH>(&t, stream, err);
    struct fftconv_task before = t;

    before.block -= t.f.parts - 1;
    before.rows += (int64_t)(t.f.parts - 1) * t.channels;
    return launch<FORWARD>(&before, stream, err) != 0 || launch<BACKWARD>(&t, stream, err) != 0 ? -1 : 0;
}

/* Finds how many levels fit the shared memory of a block, which the kernels may then use. */
static int share_levels(struct fftconv_task *t, struct gf_error *err)
{
    static const void *const kernels[] = { (const void *)transform<FORWARD>, (const void *)transform<BACKWARD>,
                                           (const void *)transform<THROUGH> };
    int device = 0, most = 0;

    if (gf_cuda_check(cudaGetDevice(&device), "selecting the device", err) != 0
        || gf_cuda_check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
                         "shared memory", err) != 0)
        return -1;
    for (t->log = 6; t->log < 14 && t->fft.points > 1 << t->log && gf_fft_shared_bytes(t->log + 1) <= (size_t)most; )
        t->log++;
    for (t->outer = 0; t->fft.points > INT64_C(1) << (t->log + t->outer); )
        t->outer++;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (gf_cuda_allow_shared_memory(kernels[i], err) != 0)
            return -1;
    return 0;
}

/* Allocates the rooms of a batch that are needed; t.room and t.past stay NULL otherwise. */
static int open_rooms(struct fftconv_task *t, const struct gf_fftconv_batch *b, cudaStream_t stream,
                      struct gf_error *err)
{
    const size_t row = (size_t)t->f.size * sizeof(float);

    if (t->outer > 0 && gf_cuda_check(gf_cuda_borrow((void **)&t->room, (size_t)b->rows * row, stream),
                                      "memory for blocks", err) != 0)
        return -1;
    return t->f.parts == 1 ? 0
         : gf_cuda_check(gf_cuda_borrow((void **)&t->past, (size_t)b->past * row, stream), "memory for spectra", err);
}

static struct floats floats_of(const struct gf_block *b)
{
    return { (float *)b->data, (int)b->pitch_samples, b->planar ? b->plane_samples : 1, b->span.start };
}

static int by_transforms(const struct gf_work *work, const struct gf_io *io, const struct gf_fftconv *f,
                         struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const struct gf_fftconv_batch b = gf_fftconv_batch_of(f, io->src.channels);
    const int64_t end = gf_ceil_div(io->dst.span.end, f->step);
    struct fftconv_task t = {};
    int result;

    t.src = floats_of(&io->src), t.dst = floats_of(&io->dst);
    t.f = *f;
    t.fft = { f->size / 2, work->masks + f->spectra_at };
    t.spectra = t.fft.turns + gf_fft_turns_floats(t.fft.points);
    t.channels = io->src.channels;
    t.first = io->dst.span.start, t.end = io->dst.span.end;
    t.src_units = io->src_units;
    result = share_levels(&t, err) != 0 || open_rooms(&t, &b, stream, err) != 0 ? -1 : 0;
    /* without rooms, one launch does all blocks */
    const int64_t most = t.room != NULL || t.past != NULL ? b.blocks : end;

    for (t.block = io->dst.span.start / f->step; result == 0 && t.block < end; t.block += most)
        result = run_batch(t, end - t.block < most ? end - t.block : most, stream, err);
    if (t.room != NULL)
        cudaFreeAsync(t.room, stream);
    if (t.past != NULL)
        cudaFreeAsync(t.past, stream);
    return result;
}

/* Returns true if the block has to be converted: kernels read and write floats alone. */
static bool needs_floats(const struct gf_block *b, const struct gf_point *program)
{
    return b->type != GF_F32 || !gf_point_is_identity(program);
}

extern "C" int gf_fftconv_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                               struct gf_error *err)
{
    const struct gf_fftconv *f = (const struct gf_fftconv *)params;

    if (io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_through(work, io, io->src.span, needs_floats(&io->src, io->load),
                                      needs_floats(&io->dst, io->store), err, [&](const struct gf_io &plain) {
        return by_transforms(work, &plain, f, err);
    });
}
