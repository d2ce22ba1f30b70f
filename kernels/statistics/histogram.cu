/* Histograms on a GPU, equally fast on a flat image and on noise. */
#include "kernels/statistics/histogram.h"

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/program_buffers.cuh"
#include "kernels/base/thread_point.cuh"

#define THREADS 512
#define COLUMNS 32                       /* counters a bin, one for each lane of a warp, so that lanes never collide */
#define FEW_BYTES (96 * 1024)            /* bytes of counters for a block if there are few bins */

struct histogram_task {
    struct gf_block_view src;
    int64_t width, rows, first;
    const float *tables;
    unsigned long long *counts;
    struct gf_histogram h;
    int columns;                         /* a power of two */
};

static __device__ __forceinline__ int histogram_bin(float v, const struct gf_histogram &h)
{
    if (h.binning == GF_BIN_ROUND)
        return gf_bin_of(v, (float)(h.bins - 1));
    const float bins = (float)h.bins, t = v > 0.0f ? __fmul_rn(v, bins) : 0.0f;
    return t < bins ? __float2int_rz(t) : h.bins - 1;
}

/*
 * Returns the sum of the counters of one bin; lanes start at different columns, hence in different
 * banks.
 */
static __device__ __forceinline__ unsigned bin_total(const unsigned *counters, int bin, int columns)
{
    unsigned sum = 0;

    for (int k = 0; k < columns; k++)
        sum += counters[bin * columns + (k + threadIdx.x) % columns];
    return sum;
}

/* ---- bytes: counted unchanged, with the bin of each level found at the end ---- */

/* Counts the four bytes of a word; `first` is the place of its first byte in a run of whole pixels. */
template <int C>
static __device__ __forceinline__ void count_word(unsigned *mine, unsigned word, int first)
{
#pragma unroll
    for (int k = 0; k < 4; k++)
        atomicAdd(mine + ((first + k) % C * 256 + (word >> (8 * k) & 255)) * COLUMNS, 1u);
}

template <int C>
__global__ void __launch_bounds__(THREADS) count_bytes(const __grid_constant__ struct histogram_task t,
                                                       const __grid_constant__ struct gf_point load)
{
    extern __shared__ unsigned counters[];
    unsigned *mine = counters + threadIdx.x % COLUMNS;
    constexpr int words = C == 3 ? 3 : 4, bytes = words * 4;
    const int64_t samples = t.width * C, pieces = samples / bytes;
    const int64_t start = (int64_t)blockIdx.x * THREADS + threadIdx.x, step = (int64_t)gridDim.x * THREADS;

    for (int i = threadIdx.x; i < C * 256 * COLUMNS; i += THREADS)
        counters[i] = 0;
    __syncthreads();
    for (int64_t r = 0; r < t.rows; r++) {
        const unsigned char *row = gf_block_view_row(t.src, t.first + r);
        const bool aligned = (uintptr_t)row % (C == 3 ? 4 : 16) == 0;

#pragma unroll 2
        for (int64_t i = start; i < (aligned ? pieces : 0); i += step) {
            unsigned w[words];

            gf_read_words<words>(row + i * bytes, w);
#pragma unroll
            for (int k = 0; k < words; k++)
                count_word<C>(mine, w[k], 4 * k);
        }
        for (int64_t i = (aligned ? pieces * bytes : 0) + start; i < samples; i += step)
            atomicAdd(mine + ((int)(i % C) * 256 + row[i]) * COLUMNS, 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < C * 256; i += THREADS) {
        const unsigned n = bin_total(counters, i, COLUMNS);
        float v[1][1] = { { gf_sample_quotient(0x4B000000u | (i & 255), t.src) } };

        if (n == 0 || i / 256 >= t.h.channels)
            continue;
        gf_program_run<1, 1>(load, t.tables, v);
        atomicAdd(t.counts + (int64_t)(i / 256) * t.h.bins + histogram_bin(v[0][0], t.h), (unsigned long long)n);
    }
}

/* ---- few bins: as many counters a bin as fit ---- */

__global__ void __launch_bounds__(THREADS) count_few(const __grid_constant__ struct histogram_task t,
                                                     const __grid_constant__ struct gf_point load)
{
    extern __shared__ unsigned counters[];
    unsigned *mine = counters + threadIdx.x % t.columns;
    const int total = t.h.channels * t.h.bins;
    const int64_t start = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * 4, step = (int64_t)gridDim.x * THREADS * 4;

    for (int i = threadIdx.x; i < total * t.columns; i += THREADS)
        counters[i] = 0;
    __syncthreads();
    for (int64_t r = 0; r < t.rows; r++) {
        const unsigned char *row = gf_block_view_row(t.src, t.first + r);

        for (int64_t x = start; x < t.width; x += step) {
            const int pixels = (int)min((int64_t)4, t.width - x);
            float v[4][4];

            gf_read4(t.src, row, x, pixels, v);
            gf_program_run<4, 4>(load, t.tables, v);
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int c = 0; c < 4; c++)
                    if (p < pixels && c < t.h.channels)
                        atomicAdd(mine + (c * t.h.bins + histogram_bin(v[p][c], t.h)) * t.columns, 1u);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < total; i += THREADS) {
        const unsigned n = bin_total(counters, i, t.columns);

        if (n != 0)
            atomicAdd(t.counts + i, (unsigned long long)n);
    }
}

/* ---- many bins: two counters of 16 bits a word ---- */

/*
 * Adds n < 65536 to the counter of `bin`. When a 16-bit counter overflows, the overflow goes
 * directly to the result. When the lower counter carries into the upper one, the carry is
 * subtracted again; if the upper counter overflows by the carry or by its removal, the result is
 * corrected, too. So the result and the counters together are right at the end.
 */
static __device__ __forceinline__ void count_packed(unsigned *counters, unsigned long long *counts, int bin, unsigned n)
{
    const unsigned shift = bin & 1 ? 16 : 0;
    const unsigned old = atomicAdd(counters + bin / 2, n << shift);

    if ((old >> shift & 0xFFFF) + n <= 0xFFFF)
        return;
    atomicAdd(counts + bin, 65536ull);
    if (shift == 0) {
        if (old >> 16 == 0xFFFF)                            /* the carry overflowed the upper counter */
            atomicAdd(counts + bin + 1, 65536ull);
        if (atomicSub(counters + bin / 2, 65536u) >> 16 == 0)
            atomicAdd(counts + bin + 1, (unsigned long long)-65536ll);
    }
}

/* Adds equal neighbors of a thread together, then those of a whole warp. */
static __device__ __forceinline__ void count_four(unsigned *counters, unsigned long long *counts,
                                                  const int (&bin)[4], int n)
{
    const unsigned active = __activemask();
    const bool same = n == 4 && bin[0] == bin[1] && bin[1] == bin[2] && bin[2] == bin[3];
    int all;

    __match_all_sync(active, same ? bin[0] : -1 - (int)(threadIdx.x % 32), &all);
    if (all && same) {
        if (threadIdx.x % 32 == __ffs(active) - 1)
            count_packed(counters, counts, bin[0], 4 * __popc(active));
    } else if (same) {
        count_packed(counters, counts, bin[0], 4);
    } else {
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (k < n)
                count_packed(counters, counts, bin[k], 1);
    }
}

/* One channel for each row of the grid. `wide`: signals of more than four channels. */
template <bool WIDE>
__global__ void __launch_bounds__(1024) count_many(const __grid_constant__ struct histogram_task t,
                                                   const __grid_constant__ struct gf_point load)
{
    extern __shared__ unsigned counters[];
    const int channel = blockIdx.y, words = (t.h.bins + 1) / 2;
    unsigned long long *counts = t.counts + (int64_t)channel * t.h.bins;
    const int64_t start = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * 4,
                          step = (int64_t)gridDim.x * blockDim.x * 4;

    for (int i = threadIdx.x; i < words; i += blockDim.x)
        counters[i] = 0;
    __syncthreads();
    for (int64_t r = 0; r < t.rows; r++) {
        const unsigned char *row = gf_block_view_row(t.src, t.first + r);

        for (int64_t x = start; x < t.width; x += step) {
            const int pixels = (int)min((int64_t)4, t.width - x);
            float v[4][4] = {}, u[4][1] = {};
            int bin[4];

            if (WIDE) {
#pragma unroll
                for (int p = 0; p < 4; p++)
                    if (p < pixels)
                        u[p][0] = gf_sample_get(t.src, row, gf_sample_index(t.src, x + p, channel));
                gf_program_run<4, 1>(load, t.tables, u);
            } else {
                gf_read4(t.src, row, x, pixels, v);
                gf_program_run<4, 4>(load, t.tables, v);
            }
#pragma unroll
            for (int p = 0; p < 4; p++) {
                float f = WIDE ? u[p][0] : v[p][0];
#pragma unroll
                for (int c = 1; c < (WIDE ? 1 : 4); c++)
                    f = c == channel ? v[p][c] : f;
                bin[p] = histogram_bin(f, t.h);
            }
            count_four(counters, counts, bin, pixels);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        const unsigned w = counters[i];

        if (w & 0xFFFF)
            atomicAdd(counts + 2 * i, (unsigned long long)(w & 0xFFFF));
        if (w >> 16)
            atomicAdd(counts + 2 * i + 1, (unsigned long long)(w >> 16));
    }
}

/* ---- choosing ---- */

typedef void kernel(const struct histogram_task, const struct gf_point);

static int launch(kernel *k, int threads, int64_t fours, int ways, size_t shared, const struct histogram_task *t,
                  const struct gf_point *load, cudaStream_t stream, struct gf_error *err)
{
    int device = 0, processors = 1, each = 1;
    int64_t blocks;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (gf_cuda_allow_shared_memory((const void *)k, err) != 0
        || gf_cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, (const void *)k, threads, shared),
                         "histogram", err) != 0)
        return -1;
    blocks = gf_ceil_div(fours, threads);
    if (blocks > (int64_t)processors * (each > 0 ? each : 1))
        blocks = (int64_t)processors * (each > 0 ? each : 1);
    k<<<dim3((unsigned)(blocks > 0 ? blocks : 1), (unsigned)ways), threads, shared, stream>>>(*t, *load);
    return gf_cuda_launched("histogram", err);
}

static void prepare(struct histogram_task *t, const struct gf_work *work, const struct gf_io *io,
                    const struct gf_histogram *h)
{
    t->src = gf_block_view_of(&io->src);
    t->width = io->src.width;
    t->rows = gf_span_units(io->dst.span);
    t->first = io->dst.span.start;
    t->tables = work->tables;
    t->counts = (unsigned long long *)io->dst.data;
    t->h = *h;
    t->columns = COLUMNS;
    if (gf_block_view_is_run(t->src)) {
        t->width *= t->rows;
        t->rows = t->rows > 0 ? 1 : 0;
    }
}

static int bytes(const struct gf_io *io, struct histogram_task *t, cudaStream_t stream, struct gf_error *err)
{
    static kernel *const of[5] = { NULL, count_bytes<1>, count_bytes<2>, count_bytes<3>, count_bytes<4> };
    const struct gf_point load = gf_program_flat(io->load);
    const int c = t->src.channels;

    return launch(of[c], THREADS, gf_ceil_div(t->width * c, 16), 1, (size_t)c * 256 * COLUMNS * sizeof(unsigned),
                  t, &load, stream, err);
}

static int count(const struct gf_work *work, const struct gf_io *io, const struct gf_histogram *h, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const bool uniform = gf_point_is_uniform(io->load, io->src.channels);
    const struct gf_point load = gf_program(io->load, io->src.channels), flat = gf_program_flat(io->load);
    struct histogram_task t;
    size_t few, many;

    prepare(&t, work, io, h);
    if (t.width <= 0 || t.rows <= 0)
        return 0;
    if (t.src.layout == GF_U8 && t.src.channels <= 4 && uniform)
        return bytes(io, &t, stream, err);
    while (t.columns > 1 && (size_t)h->channels * h->bins * t.columns * sizeof(unsigned) > FEW_BYTES)
        t.columns /= 2;
    few = (size_t)h->channels * h->bins * t.columns * sizeof(unsigned);
    many = (size_t)(h->bins + 1) / 2 * sizeof(unsigned);
    if (gf_program_widest(io->load, io->src.channels) <= 4)
        return few <= FEW_BYTES
                   ? launch(count_few, THREADS, gf_ceil_div(t.width, 4), 1, few, &t, &load, stream, err)
                   : launch(count_many<false>, 1024, gf_ceil_div(t.width, 4), h->channels, many, &t,
                            &load, stream, err);
    if (!uniform)
        return gf_program_buffers_run(work, io, io->dst.span, err,
                                      [&](const struct gf_io &plain) { return count(work, &plain, h, err); });
    return launch(count_many<true>, 1024, gf_ceil_div(t.width, 4), h->channels, many, &t, &flat, stream, err);
}

extern "C" int gf_histogram_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                                 struct gf_error *err)
{
    const struct gf_histogram *h = (const struct gf_histogram *)params;
    struct gf_io part;

    if (h->across == 0)
        return count(work, io, h, err);
    for (int tile = 0; tile < h->across * h->down; tile++)
        if (gf_histogram_tile(io, h, tile % h->across, tile / h->across, &part) && count(work, &part, h, err) != 0)
            return -1;
    return 0;
}
