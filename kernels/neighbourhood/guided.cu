/*
 * The guided filter on a GPU: sums along the units by a thread for each column, then along the rows by doubling in
 * shared memory.
 */
#include "kernels/neighbourhood/guided.h"

#include "kernels/base/program_buffers.cuh"
#include "kernels/neighbourhood/box_ahead.cuh"

#define THREADS 256
#define TILE 256                         /* results of a row for each block of threads */
#define MOST ((TILE + 2 * GF_GUIDED_MAX_RADIUS + THREADS - 1) / THREADS)     /* sums of a tile for each thread */

struct guided_task {
    struct gf_block_view src, dst, beside;
    struct gf_guided g;
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
    int64_t shift;                           /* of the second source */
    double *sums;                            /* planes of width by end - first */
    int64_t plane;
    int channel;                             /* the color */
    int64_t block;                           /* first block of a launch */
};

static __device__ __forceinline__ float guide_at(const struct guided_task &t, int64_t x, int64_t unit, int channel)
{
    if (!t.g.beside)
        return ((const float *)gf_block_view_row(t.src, unit))[x + channel * t.src.plane];
    float p[4] = { };

    gf_pixel_get(t.beside, gf_block_view_row(t.beside, unit - t.shift), x, p);
    return t.beside.channels >= 3 ? gf_luma(p[0], p[1], p[2]) : p[0];
}

/* ---- along the units ---- */

/* Adds a sample and its replacements beyond the border; zeros are skipped. */
template <int K>
static __device__ __forceinline__ void add_unit(const struct guided_task &t, int64_t x, int64_t unit, double (&sum)[K])
{
    const int64_t at = gf_border_index(t.g.border, unit, t.src_units);

    if (at < 0)
        return;
    const double guide = (double)guide_at(t, x, at, t.channel);

    sum[0] = __dadd_rn(sum[0], guide);
    sum[1] = __dadd_rn(sum[1], __dmul_rn(guide, guide));
    if constexpr (K == GF_GUIDED_SUMS) {
        const double v = (double)((const float *)gf_block_view_row(t.src, at))[x + t.channel * t.src.plane];

        sum[2] = __dadd_rn(sum[2], v);
        sum[3] = __dadd_rn(sum[3], __dmul_rn(v, guide));
    }
}

/*
 * A column of windows that begin in one block, by one thread: sums to the end of the block, backwards, then the samples
 * after it.
 */
template <int K>
__global__ void __launch_bounds__(128) guided_columns(const __grid_constant__ struct guided_task t)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, n = 2 * t.g.radius + 1;
    const int64_t from = t.first - t.g.radius, to = t.end - t.g.radius;          /* where windows begin */
    const int64_t block = from - gf_modulo(from, n) + (t.block + blockIdx.y) * n, next = block + n;
    const int64_t first = block > from ? block : from, end = next < to ? next : to;
    double *sums = t.sums + x - from * t.width, sum[K] = { };

    if (x >= t.width)
        return;
    for (int64_t w = next - 1; w >= first; w--) {
        add_unit<K>(t, x, w, sum);
        if (w < end)
#pragma unroll
            for (int k = 0; k < K; k++)
                sums[k * t.plane + w * t.width] = sum[k];
    }
#pragma unroll
    for (int k = 0; k < K; k++)
        sum[k] = 0;
    for (int64_t unit = next; unit < first + n - 1; unit++)
        add_unit<K>(t, x, unit, sum);
    for (int64_t w = first; w < end; w++) {
        if (w + n - 1 >= next)
            add_unit<K>(t, x, w + n - 1, sum);
#pragma unroll
        for (int k = 0; k < K; k++)
            sums[k * t.plane + w * t.width] = __dadd_rn(sums[k * t.plane + w * t.width], sum[k]);
    }
}

/* ---- along the rows ---- */

/* Returns the sum of n columns from the powers of two in n, of which `row` has the sums along the units. */
static __device__ __forceinline__ double sum_columns(const struct guided_task &t, const double *row, int64_t x0, int n,
                                                     double *line)
{
    int length = TILE + n - 1, done = 0;
    double sum = 0;

    for (int i = threadIdx.x; i < length; i += THREADS) {
        const int64_t at = gf_border_index(t.g.border, x0 + i - t.g.radius, t.width);

        line[i] = at >= 0 && x0 + i < t.width + n - 1 ? row[at] : 0;
    }
    __syncthreads();
    for (int step = 1; step <= n; step *= 2) {
        if (n & step) {
            const double v = line[threadIdx.x + done];

            sum = done == 0 ? v : __dadd_rn(sum, v);
            done += step;
        }
        length -= step;
        __syncthreads();
        if (2 * step <= n)
            gf_add_ahead<THREADS, MOST>(line, step, length);
    }
    __syncthreads();
    return sum;
}

template <int K>
__global__ void __launch_bounds__(THREADS) guided_rows(const __grid_constant__ struct guided_task t)
{
    extern __shared__ double guided_line[];
    const int n = 2 * t.g.radius + 1;
    const int64_t x0 = (int64_t)blockIdx.x * TILE, x = x0 + threadIdx.x;

    for (int64_t y = t.first + blockIdx.y; y < t.end; y += gridDim.y) {
        double sum[GF_GUIDED_SUMS];
        float factor, constant, *to = (float *)gf_block_view_row(t.dst, y) + 2 * t.channel * t.dst.plane;

#pragma unroll
        for (int k = 0; k < GF_GUIDED_SUMS; k++)
            if (k < K)
                sum[k] = sum_columns(t, t.sums + k * t.plane + (y - t.first) * t.width, x0, n, guided_line);
            else
                sum[k] = sum[k - 2];
        if (x >= t.width)
            continue;
        gf_guided_fit(sum, 1.0 / ((double)n * (double)n), t.g.eps, &factor, &constant);
        to[x] = factor;
        to[x + t.dst.plane] = constant;
    }
}

/* ---- pixels ---- */

/* Copies the guides and the channels after the colors, or computes colors from lines. */
__global__ void __launch_bounds__(THREADS) guided_pixels(const __grid_constant__ struct guided_task t)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int lines = gf_guided_lines(&t.g), colours = t.g.colours;

    if (x >= t.width)
        return;
    for (int64_t y = t.first + blockIdx.y; y < t.end; y += gridDim.y) {
        const float *from = (const float *)gf_block_view_row(t.src, y) + x;
        float *to = (float *)gf_block_view_row(t.dst, y) + x;

        if (t.g.values) {
            for (int c = 0; c < colours; c++)
                to[c * t.dst.plane] = __fmaf_rn(from[2 * c * t.src.plane],
                                                from[(2 * colours + (t.g.beside ? 0 : c)) * t.src.plane],
                                                from[(2 * c + 1) * t.src.plane]);
            for (int c = colours; c < t.dst.channels; c++)
                to[c * t.dst.plane] = from[(lines + c - colours) * t.src.plane];
        } else {
            for (int c = 2 * colours; c < lines; c++)
                to[c * t.dst.plane] = guide_at(t, x, y, c - 2 * colours);
            for (int c = lines; c < t.dst.channels; c++)
                to[c * t.dst.plane] = from[(colours + c - lines) * t.src.plane];
        }
    }
}

/* ---- calls ---- */

template <int K>
static void launch_fit(struct guided_task t, cudaStream_t stream)
{
    const int64_t n = 2 * t.g.radius + 1, from = t.first - t.g.radius,
                  blocks = gf_ceil_div(t.end - t.g.radius - (from - gf_modulo(from, n)), n);

    for (t.channel = 0; t.channel < t.g.colours; t.channel++) {
        gf_cuda_launch_blocks(blocks, [&](int64_t block, unsigned height) {
            t.block = block;
            guided_columns<K><<<dim3((unsigned)gf_ceil_div(t.width, 128), height), 128, 0, stream>>>(t);
        });
        guided_rows<K><<<dim3((unsigned)gf_ceil_div(t.width, TILE), gf_cuda_grid_rows(t.end - t.first)), THREADS,
                         (size_t)(TILE + n - 1) * sizeof(double), stream>>>(t);
    }
}

/* From planes to planes. */
static int run(struct guided_task t, cudaStream_t stream, struct gf_error *err)
{
    const dim3 grid((unsigned)gf_ceil_div(t.width, THREADS), gf_cuda_grid_rows(t.end - t.first));
    const int sums = t.g.values ? 0 : t.g.beside ? GF_GUIDED_SUMS : 2;

    t.plane = t.width * (t.end - t.first);
    if (sums > 0 && gf_cuda_check(gf_cuda_borrow((void **)&t.sums, (size_t)(sums * t.plane) * sizeof(double), stream),
                                  "memory for sums", err) != 0)
        return -1;
    if (sums == GF_GUIDED_SUMS)
        launch_fit<GF_GUIDED_SUMS>(t, stream);
    else if (sums > 0)
        launch_fit<2>(t, stream);
    guided_pixels<<<grid, THREADS, 0, stream>>>(t);
    if (gf_cuda_launched("guided filter", err) != 0) {
        if (sums > 0)
            cudaFreeAsync(t.sums, stream);
        return -1;
    }
    return sums == 0 ? 0 : gf_cuda_check(cudaFreeAsync(t.sums, stream), "memory for sums", err);
}

extern "C" int gf_guided_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    const struct gf_guided *g = (const struct gf_guided *)params;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct gf_program_buffers b;
    int result;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    result = gf_program_buffers_open(&b, work, io, io->src.span, gf_program_buffers_needed(&io->src, io->load), false,
                                     err);
    if (result == 0 && gf_program_buffers_needed(&io->dst, io->store)) {
        result = gf_borrowed_planes_take(&b.plain.dst, &io->dst, gf_guided_channels(g, gf_channels_at_work(io)),
                                         io->dst.span, stream, err);
        b.stored = result == 0;
    }
    if (result == 0)
        result = run({ gf_block_view_of(&b.plain.src), gf_block_view_of(&b.plain.dst), gf_block_view_of(&io->beside),
                       *g, io->dst.width, io->src_units, io->dst.span.start, io->dst.span.end, io->beside_shift,
                       NULL, 0, 0, 0 }, stream, err);
    return gf_program_buffers_close(&b, work, io, result, err);
}
