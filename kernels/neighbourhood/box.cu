/*
 * Running means on a GPU: rows by doubling in shared memory; columns from block to block, backwards
 * and then forwards.
 */
#include "kernels/neighbourhood/box.h"

#include "kernels/base/program_buffers.cuh"
#include "kernels/neighbourhood/box_ahead.cuh"

#define THREADS 256
#define TILE 1024                        /* results of a row for each block of threads */
#define MOST ((TILE + 2 * GF_BOX_MAX_RADIUS + THREADS - 1) / THREADS)    /* samples of a tile for each thread */

struct box_task {
    struct gf_block_view src, dst;
    struct gf_box box;
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
    const float *tables;
    double *sums;                            /* sums along the units: width by end - first */
    int channel;
    int64_t block;                           /* first block of a launch */
};

/* ---- along the rows ---- */

/* Loads the samples from n / 2 before x0 on that a tile of results needs, by channel. */
template <int C>
static __device__ __forceinline__ void load_tile(const struct box_task &t, const struct gf_point &load, int64_t y,
                                                 int64_t x0, int n, float *tile)
{
    const unsigned char *from = gf_block_view_row(t.src, y);
    const int pitch = TILE + n - 1;

    for (int i = threadIdx.x; i < pitch; i += THREADS) {
        const int64_t at = gf_border_index(t.box.border, x0 + i - t.box.radius, t.width);
        float p[1][4] = { { 0.0f, 0.0f, 0.0f, 0.0f } };

        if (at >= 0 && x0 + i < t.width + n - 1) {
            gf_pixel_get(t.src, from, at, p[0]);
            if (load.count > 0)
                gf_program_run<1, 4>(load, t.tables, p);
        }
#pragma unroll
        for (int c = 0; c < C; c++)
            tile[c * pitch + i] = p[0][c];
    }
}

/* Computes sums of n samples from the powers of two in n. */
template <int C>
static __device__ __forceinline__ void sum_tile(float *tile, int n, float (&sum)[TILE / THREADS][C])
{
    const int pitch = TILE + n - 1;
    int length = pitch, done = 0;

    for (int step = 1; step <= n; step *= 2) {
        if (n & step) {
#pragma unroll
            for (int k = 0; k < TILE / THREADS; k++)
#pragma unroll
                for (int c = 0; c < C; c++) {
                    const float v = tile[c * pitch + threadIdx.x + k * THREADS + done];
                    sum[k][c] = done == 0 ? v : __fadd_rn(sum[k][c], v);
                }
            done += step;
        }
        length -= step;
        __syncthreads();
        for (int c = 0; c < C && 2 * step <= n; c++)
            gf_add_ahead<THREADS, MOST>(tile + c * pitch, step, length);
    }
}

template <int C>
static __device__ __forceinline__ void store_tile(const struct box_task &t, const struct gf_point &store, int64_t y,
                                                  int64_t x0, int n,
                                                  const float (&sum)[TILE / THREADS][C])
{
#pragma unroll
    for (int k = 0; k < TILE / THREADS; k++) {
        const int64_t x = x0 + threadIdx.x + k * THREADS;
        float p[1][4];

        if (x >= t.width)
            continue;
#pragma unroll
        for (int c = 0; c < C; c++)
            p[0][c] = __fmul_rn(sum[k][c], __fdiv_rn(1.0f, (float)n));
        if (store.count > 0)
            gf_program_run<1, 4>(store, t.tables, p);
#pragma unroll
        for (int c = 0; c < 4; c++)
            if (c < t.dst.channels)
                gf_sample_put(t.dst, gf_block_view_row(t.dst, y), gf_sample_index(t.dst, x, c), p[0][c]);
    }
}

template <int C>
__global__ void __launch_bounds__(THREADS) rows(const __grid_constant__ struct box_task t,
                                                const __grid_constant__ struct gf_point load,
                                                const __grid_constant__ struct gf_point store)
{
    extern __shared__ float tile[];
    const int n = 2 * t.box.radius + 1;
    const int64_t x0 = (int64_t)blockIdx.x * TILE;

    for (int64_t y = t.first + blockIdx.y; y < t.end; y += gridDim.y) {
        float sum[TILE / THREADS][C];

        load_tile<C>(t, load, y, x0, n, tile);
        __syncthreads();
        sum_tile<C>(tile, n, sum);
        store_tile<C>(t, store, y, x0, n, sum);
        __syncthreads();
    }
}

/* ---- along the units ---- */

/* Reads a sample of a column of planes, or nothing if it is outside a border of zeros. */
static __device__ __forceinline__ void add_unit(const struct box_task &t, int64_t x, int64_t unit, double &sum)
{
    const int64_t at = gf_border_index(t.box.border, unit, t.src_units);

    if (at >= 0)
        sum = __dadd_rn(sum, (double)((const float *)gf_block_view_row(t.src, at))[x + t.channel * t.src.plane]);
}

/*
 * A column of windows that begin in one block, by one thread: sums to the end of the block,
 * backwards, then the samples after it.
 */
__global__ void __launch_bounds__(128) columns(const __grid_constant__ struct box_task t)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, n = 2 * t.box.radius + 1;
    const int64_t from = t.first - t.box.radius, to = t.end - t.box.radius;      /* where windows begin */
    const int64_t block = from - gf_modulo(from, n) + (t.block + blockIdx.y) * n, next = block + n;
    const int64_t first = block > from ? block : from, end = next < to ? next : to;
    double *sums = t.sums + x - from * t.width, sum = 0;

    if (x >= t.width)
        return;
#pragma unroll 4
    for (int64_t w = next - 1; w >= first; w--) {
        add_unit(t, x, w, sum);
        if (w < end)
            sums[w * t.width] = sum;
    }
    sum = 0;
#pragma unroll 4
    for (int64_t unit = next; unit < first + n - 1; unit++)
        add_unit(t, x, unit, sum);
#pragma unroll 4
    for (int64_t w = first; w < end; w++) {
        if (w + n - 1 >= next)
            add_unit(t, x, w + n - 1, sum);
        gf_sample_put(t.dst, gf_block_view_row(t.dst, w + t.box.radius), gf_sample_index(t.dst, x, t.channel),
                      (float)__dmul_rn(__dadd_rn(sums[w * t.width], sum), __ddiv_rn(1.0, (double)n)));
    }
}

/* ---- calls ---- */

static struct box_task task_of(const struct gf_work *work, const struct gf_io *io, const struct gf_box *box)
{
    return { gf_block_view_of(&io->src), gf_block_view_of(&io->dst), *box, io->dst.width, io->src_units,
             io->dst.span.start, io->dst.span.end,
             work->tables, NULL, 0, 0 };
}

static int run_rows(const struct gf_work *work, const struct gf_io *io, const struct gf_box *box, int channels,
                    struct gf_error *err)
{
    const struct box_task t = task_of(work, io, box);
    const size_t bytes = (size_t)channels * (TILE + 2 * box->radius) * sizeof(float);
    const dim3 grid((unsigned)gf_ceil_div(t.width, TILE), gf_cuda_grid_rows(t.end - t.first));
    void (*const k)(const struct box_task, const struct gf_point, const struct gf_point)
        = channels == 1 ? rows<1> : channels == 2 ? rows<2> : channels == 3 ? rows<3> : rows<4>;

    k<<<grid, THREADS, bytes, (cudaStream_t)work->stream>>>(t, gf_program(io->load, io->src.channels),
                                                            gf_program(io->store, io->dst.channels));
    return gf_cuda_launched("running mean", err);
}

/* Returns the task of one plane; both blocks are planes of floats. */
static struct box_task plane_task(const struct gf_work *work, const struct gf_io *io, const struct gf_box *box, int c)
{
    struct box_task t = task_of(work, io, box);

    t.src.data += c * t.src.plane * (int64_t)sizeof(float);
    t.dst.data += c * t.dst.plane * (int64_t)sizeof(float);
    t.src.channels = t.dst.channels = 1;
    return t;
}

static int copy_plane(const struct box_task &t, cudaStream_t stream, struct gf_error *err)
{
    const float *from = (const float *)t.src.data + (t.first - t.src.start) * t.src.pitch;

    return gf_cuda_check(cudaMemcpy2DAsync(t.dst.data, (size_t)t.dst.pitch * sizeof(float), from,
                                           (size_t)t.src.pitch * sizeof(float), (size_t)t.width * sizeof(float),
                                           (size_t)(t.end - t.first), cudaMemcpyDeviceToDevice, stream),
                         "copy of a plane", err);
}

/* Sums along the rows of planes, one after the other. */
static int run_planes(const struct gf_work *work, const struct gf_io *io, const struct gf_box *box,
                      struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;

    for (int c = 0; c < io->dst.channels - box->copied; c++) {
        const struct box_task t = plane_task(work, io, box, c);
        const dim3 grid((unsigned)gf_ceil_div(t.width, TILE), gf_cuda_grid_rows(t.end - t.first));

        rows<1><<<grid, THREADS, (size_t)(TILE + 2 * box->radius) * sizeof(float), stream>>>
            (t, gf_program(NULL, 1), gf_program(NULL, 1));
    }
    for (int c = io->dst.channels - box->copied; c < io->dst.channels; c++)
        if (copy_plane(plane_task(work, io, box, c), stream, err) != 0)
            return -1;
    return gf_cuda_launched("running mean", err);
}

/* From planes to any layout without a program; if channels are copied, to planes. */
static int run_columns(const struct gf_work *work, const struct gf_io *io, const struct gf_box *box,
                       struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int64_t n = 2 * box->radius + 1;
    struct box_task t = task_of(work, io, box);
    const int64_t from = t.first - box->radius,
                         blocks = gf_ceil_div(t.end - box->radius - (from - gf_modulo(from, n)), n);

    if (gf_cuda_check(gf_cuda_borrow((void **)&t.sums, (size_t)(t.width * (t.end - t.first)) * sizeof(double), stream),
                      "memory for sums", err) != 0)
        return -1;
    for (t.channel = 0; t.channel < io->dst.channels - box->copied; t.channel++)
        gf_cuda_launch_blocks(blocks, [&](int64_t block, unsigned height) {
            t.block = block;
            columns<<<dim3((unsigned)gf_ceil_div(t.width, 128), height), 128, 0, stream>>>(t);
        });
    if (gf_cuda_launched("running mean", err) != 0) {
        cudaFreeAsync(t.sums, stream);
        return -1;
    }
    for (int c = io->dst.channels - box->copied; c < io->dst.channels; c++)
        if (copy_plane(plane_task(work, io, box, c), stream, err) != 0) {
            cudaFreeAsync(t.sums, stream);
            return -1;
        }
    return gf_cuda_check(cudaFreeAsync(t.sums, stream), "memory for sums", err);
}

extern "C" int gf_box_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_box *box = (const struct gf_box *)params;
    const int channels = gf_channels_at_work(io);
    const bool planes = gf_box_needs_planes(box, io);

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (!box->along_units && !planes)
        return run_rows(work, io, box, channels, err);
    return gf_program_buffers_through(work, io, io->src.span, gf_program_buffers_needed(&io->src, io->load),
                                      planes ? gf_program_buffers_needed(&io->dst, io->store)
                                             : !gf_point_is_identity(io->store), err,
                                      [&](const struct gf_io &plain) {
        return box->along_units ? run_columns(work, &plain, box, err) : run_planes(work, &plain, box, err);
    });
}
