/*
 * Deconvolution on a GPU: a kernel for each convolution, or transforms of tiles, on the units that the rest of the
 * iterations needs.
 */
#include "kernels/neighbourhood/lucy.h"

#include "kernels/base/program_buffers.cuh"

#include <utility>

#define THREADS 256

struct lucy_task {
    struct gf_block_view src, dst;       /* planes */
    struct gf_lucy p;
    const float *mask;
    int channel;
    int64_t width, src_units, first, end;        /* columns, length of the source, units that a launch computes */
    int64_t start, limit, pitch;         /* the units of the planes below, and floats of a row */
    float *estimate, *next, *lines, *ratio;
};

static __device__ __forceinline__ float *lucy_row(const struct lucy_task &t, float *plane, int64_t y)
{
    return plane + (y - t.start) * t.pitch;
}

/* Adds `weights` samples of a row to a chain, from x - rx on. A turned mask begins with its last weight. */
static __device__ __forceinline__ float sum_along(const struct lucy_task &t, const float *row, int64_t x,
                                                  const float *weight, int step, float sum)
{
    const int nx = 2 * t.p.rx + 1;
    const bool inside = x >= t.p.rx && x + t.p.rx < t.width;

    for (int i = 0; i < nx; i++, weight += step) {
        const int64_t at = inside ? x + i - t.p.rx : gf_border_index(t.p.border, x + i - t.p.rx, t.width);

        if (*weight != 0.0f)
            sum = __fmaf_rn(*weight, at < 0 ? 0.0f : row[at], sum);
    }
    return sum;
}

/* Returns the sum around a sample: of `lines` if the mask is separable, otherwise of `plane`. */
static __device__ __forceinline__ float sum_around(const struct lucy_task &t, float *plane, int64_t x, int64_t y,
                                                   bool turned)
{
    const int nx = 2 * t.p.rx + 1, ny = 2 * t.p.ry + 1, step = turned ? -1 : 1;
    const float *weight = t.mask + (t.p.separable ? nx : 0);
    float sum = 0.0f;

    if (turned)
        weight += t.p.separable ? ny - 1 : nx * ny - 1;
    for (int j = 0; j < ny; j++, weight += t.p.separable ? step : step * nx) {
        const int64_t at = gf_border_index(t.p.border, y + j - t.p.ry, t.src_units);

        if (at >= 0 && !t.p.separable)
            sum = sum_along(t, lucy_row(t, plane, at), x, weight, step, sum);
        else if (at >= 0 && *weight != 0.0f)
            sum = __fmaf_rn(*weight, lucy_row(t, t.lines, at)[x], sum);
    }
    return sum;
}

/* ---- kernels: a thread has a column of some units ---- */

__global__ void __launch_bounds__(THREADS) lucy_begin(const __grid_constant__ struct lucy_task t)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    for (int64_t y = t.first + blockIdx.y; y < t.end && x < t.width; y += gridDim.y)
        lucy_row(t, t.estimate, y)[x] = 0.5f;
}

__global__ void __launch_bounds__(THREADS) lucy_lines(const __grid_constant__ struct lucy_task t, bool turned)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const float *weight = t.mask + (turned ? 2 * t.p.rx : 0);

    for (int64_t y = t.first + blockIdx.y; y < t.end && x < t.width; y += gridDim.y)
        lucy_row(t, t.lines, y)[x] = sum_along(t, lucy_row(t, turned ? t.estimate : t.ratio, y), x, weight,
                                               turned ? -1 : 1, 0.0f);
}

__global__ void __launch_bounds__(THREADS) lucy_ratios(const __grid_constant__ struct lucy_task t)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    for (int64_t y = t.first + blockIdx.y; y < t.end && x < t.width; y += gridDim.y) {
        const float v = ((const float *)gf_block_view_row(t.src, y))[x + t.channel * t.src.plane];

        lucy_row(t, t.ratio, y)[x] = gf_lucy_ratio(&t.p, v, gf_lucy_has_tiles(&t.p)
            ? gf_lucy_bounded(lucy_row(t, t.lines, y)[x], v, t.p.least) : sum_around(t, t.estimate, x, y, true));
    }
}

/* Finds the slopes at a sample; 0 before the first column or unit. */
static __device__ __forceinline__ void slopes(const struct lucy_task &t, int64_t x, int64_t y, float *across,
                                              float *down)
{
    *across = *down = 0.0f;
    if (x < 0 || y < 0)
        return;
    const float *row = lucy_row(t, t.estimate, y);
    const float g = x + 1 < t.width ? row[x + 1] - row[x] : 0.0f;
    const float h = y + 1 < t.src_units ? row[x + t.pitch] - row[x] : 0.0f, length = gf_lucy_length(g, h);

    *across = g / length;
    *down = h / length;
}

__global__ void __launch_bounds__(THREADS) lucy_update(const __grid_constant__ struct lucy_task t)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    for (int64_t y = t.first + blockIdx.y; y < t.end && x < t.width; y += gridDim.y) {
        const float u = lucy_row(t, t.estimate, y)[x];
        const float sum = gf_lucy_has_tiles(&t.p) ? gf_lucy_bounded(lucy_row(t, t.lines, y)[x], 0.0f, 0.0f)
                                                  : sum_around(t, t.ratio, x, y, false);
        float across, down, left, above, other;

        if (t.p.even <= 0) {
            lucy_row(t, t.next, y)[x] = u * sum;
            continue;
        }
        slopes(t, x, y, &across, &down);
        slopes(t, x - 1, y, &left, &other);
        slopes(t, x, y - 1, &other, &above);
        lucy_row(t, t.next, y)[x] = gf_lucy_even(u, sum, (across - left) + (down - above), t.p.even);
    }
}

/* Stores the estimate, or copies a channel. */
__global__ void __launch_bounds__(THREADS) lucy_result(const __grid_constant__ struct lucy_task t, bool copies)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    for (int64_t y = t.first + blockIdx.y; y < t.end && x < t.width; y += gridDim.y) {
        const float *from = copies ? (const float *)gf_block_view_row(t.src, y) + t.channel * t.src.plane
                                   : lucy_row(t, t.estimate, y);

        ((float *)gf_block_view_row(t.dst, y))[x + t.channel * t.dst.plane] = from[x];
    }
}

/* ---- calls ---- */

/* Calls launch(task, grid) for units `by` around those of the result. */
template <class L>
static void over(struct lucy_task t, int64_t by, const L &launch)
{
    t.first = t.first > by ? t.first - by : 0;
    t.end = t.end + by < t.src_units ? t.end + by : t.src_units;
    launch((const struct lucy_task &)t,
           dim3((unsigned)gf_ceil_div(t.width, THREADS), gf_cuda_grid_rows(t.end - t.first)));
}

static void iterate(const struct lucy_task &t, int64_t around, cudaStream_t stream)
{
    const int ry = t.p.ry;

    if (t.p.separable)
        over(t, around + 2 * ry, [&](const struct lucy_task &part, dim3 grid) {
            lucy_lines<<<grid, THREADS, 0, stream>>>(part, true);
        });
    over(t, around + ry, [&](const struct lucy_task &part, dim3 grid) {
        lucy_ratios<<<grid, THREADS, 0, stream>>>(part);
    });
    if (t.p.separable)
        over(t, around + ry, [&](const struct lucy_task &part, dim3 grid) {
            lucy_lines<<<grid, THREADS, 0, stream>>>(part, false);
        });
    over(t, around, [&](const struct lucy_task &part, dim3 grid) {
        lucy_update<<<grid, THREADS, 0, stream>>>(part);
    });
}

/* Sets `lines` to the sums of samples around those of a plane, for the units of a task. */
static int sum_tiles(const struct gf_work *work, const struct lucy_task &t, float *plane, int64_t spectra,
                     struct gf_error *err)
{
    struct gf_block src = {}, dst;

    src.data = plane;
    src.span = { t.start, t.limit };
    src.width = t.width, src.pitch_samples = t.pitch;
    src.channels = 1, src.planar = true, src.type = GF_F32;
    dst = src;
    dst.data = t.lines;
    dst = gf_block_part(&dst, { t.first, t.end });
    return gf_fftmask_planes_cuda(work, &t.p.tiles, spectra, &src, &dst, 0, t.src_units, err);
}

static int iterate_tiles(const struct gf_work *work, const struct lucy_task &t, int64_t around, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    int result = 0;

    over(t, around + t.p.ry, [&](const struct lucy_task &part, dim3 grid) {
        result = sum_tiles(work, part, t.estimate, t.p.turned_at, err);
        if (result == 0)
            lucy_ratios<<<grid, THREADS, 0, stream>>>(part);
    });
    over(t, around, [&](const struct lucy_task &part, dim3 grid) {
        if (result == 0)
            result = sum_tiles(work, part, t.ratio, t.p.tiles.f.spectra_at, err);
        if (result == 0)
            lucy_update<<<grid, THREADS, 0, stream>>>(part);
    });
    return result;
}

/* Runs all iterations; the first one divides by sums that are not near 0. */
static int run_iterations(const struct gf_work *work, struct lucy_task &t, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int64_t step = gf_lucy_step(&t.p);
    const float least = t.p.least;
    int result = 0;

    over(t, t.p.iterations * step, [&](const struct lucy_task &part, dim3 grid) {
        lucy_begin<<<grid, THREADS, 0, stream>>>(part);
    });
    t.p.least = 0;
    for (int left = t.p.iterations - 1; left >= 0 && result == 0; left--, t.p.least = least) {
        if (gf_lucy_has_tiles(&t.p))
            result = iterate_tiles(work, t, left * step, err);
        else
            iterate(t, left * step, stream);
        std::swap(t.estimate, t.next);
    }
    return result;
}

static int run_channel(const struct gf_work *work, const struct lucy_task &t, struct gf_error *err)
{
    const struct gf_span units = gf_lucy_units(&t.p, { t.first, t.end }, t.src_units);
    const bool copies = t.channel >= t.p.colours;
    struct lucy_task whole = t, last = t;

    whole.first = units.start, whole.end = units.end;
    if (!copies && run_iterations(work, whole, err) != 0)
        return -1;
    last.estimate = whole.estimate;
    over(last, 0, [&](const struct lucy_task &part, dim3 grid) {
        lucy_result<<<grid, THREADS, 0, (cudaStream_t)work->stream>>>(part, copies);
    });
    return gf_cuda_launched("deconvolution", err);
}

/* From planes to planes. */
static int run(const struct gf_work *work, struct lucy_task t, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const struct gf_span units = gf_lucy_units(&t.p, { t.first, t.end }, t.src_units);
    const int64_t by = t.p.iterations * (int64_t)gf_lucy_step(&t.p);
    int64_t plane;
    float *planes;
    int result = 0;

    t.start = units.start > by ? units.start - by : 0;
    t.limit = units.end + by < t.src_units ? units.end + by : t.src_units;
    plane = t.pitch * (t.limit - t.start);
    if (gf_cuda_check(gf_cuda_borrow((void **)&planes, (size_t)(4 * plane) * sizeof(float), stream),
                      "memory for planes", err) != 0)
        return -1;
    t.estimate = planes, t.next = planes + plane, t.lines = planes + 2 * plane, t.ratio = planes + 3 * plane;
    for (t.channel = 0; t.channel < t.dst.channels && result == 0; t.channel++)
        result = run_channel(work, t, err);
    cudaFreeAsync(planes, stream);
    return result;
}

extern "C" int gf_lucy_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_lucy *p = (const struct gf_lucy *)params;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_through(work, io, io->src.span, gf_program_buffers_needed(&io->src, io->load),
                                      gf_program_buffers_needed(&io->dst, io->store), err,
                                      [&](const struct gf_io &plain) {
        return run(work, { gf_block_view_of(&plain.src), gf_block_view_of(&plain.dst), *p, work->masks + p->at, 0,
                           io->dst.width, io->src_units, io->dst.span.start, io->dst.span.end, 0, 0,
                           io->dst.width == 1 ? 1 : gf_round_up(io->dst.width, 128), NULL, NULL, NULL, NULL }, err);
    });
}
