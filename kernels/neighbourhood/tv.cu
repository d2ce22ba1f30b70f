/* Total variation on a GPU: a tile of all planes in shared memory takes several steps, and loses a ring in each. */
#include "kernels/neighbourhood/tv.h"

#include "kernels/base/program_buffers.cuh"

#include <utility>

#define STEPS 8                          /* of a launch */
#define SIDE_X 64                        /* a tile in shared memory; the result is STEPS smaller on all sides */
#define SIDE_Y 48
#define TILE_X (SIDE_X - 2 * STEPS)
#define TILE_Y (SIDE_Y - 2 * STEPS)
#define THREADS_Y 4
#define ROWS (SIDE_Y / THREADS_Y)        /* of a thread */

struct tv_task {
    struct gf_block_view src, dst;       /* planes */
    float rate;
    int steps, channel;
    bool begins;                         /* p and q are still zeros */
    int64_t width, src_units, first, end;        /* columns, length of the source, units that the launch computes */
    int64_t start, limit;                /* units of the source in memory, and of p and q */
    int64_t pitch;                       /* of p and q */
    float *p, *q;                        /* before the launch */
    float *new_p, *new_q;
};

struct tv_tile {
    float v[SIDE_Y][SIDE_X], p[SIDE_Y][SIDE_X], q[SIDE_Y][SIDE_X], u[SIDE_Y][SIDE_X];
};

static __device__ __forceinline__ const float *tv_values(const struct tv_task &t, int64_t y)
{
    return (const float *)gf_block_view_row(t.src, y) + t.channel * t.src.plane;
}

/* Loads a tile; outside the signal, or what is in memory of it, are zeros. */
static __device__ void tv_load(const struct tv_task &t, struct tv_tile &a, int64_t left, int64_t top)
{
    const int64_t x = left + threadIdx.x;

#pragma unroll 4
    for (int r = threadIdx.y; r < SIDE_Y; r += THREADS_Y) {
        const int64_t y = top + r, at = (y - t.start) * t.pitch + x;
        const bool there = x >= 0 && x < t.width && y >= t.start && y < t.limit;

        a.v[r][threadIdx.x] = there ? tv_values(t, y)[x] : 0.0f;
        a.p[r][threadIdx.x] = there && !t.begins ? t.p[at] : 0.0f;
        a.q[r][threadIdx.x] = there && !t.begins ? t.q[at] : 0.0f;
    }
}

/* One step of all samples of a tile that are in the signal. Those at its sides lack neighbors; nothing uses them. */
static __device__ void tv_one_step(const struct tv_task &t, struct tv_tile &a, int64_t left, int64_t top)
{
    const int i = threadIdx.x, before = i > 0 ? i - 1 : 0, after = i + 1 < SIDE_X ? i + 1 : i;
    const int64_t x = left + i;

#pragma unroll 4
    for (int r = threadIdx.y; r < SIDE_Y; r += THREADS_Y)
        a.u[r][i] = gf_tv_value(a.v[r][i], a.p[r][i], a.q[r][i], a.p[r][before], a.q[r > 0 ? r - 1 : 0][i]);
    __syncthreads();
#pragma unroll 4
    for (int r = threadIdx.y; r < SIDE_Y; r += THREADS_Y) {
        const int64_t y = top + r;
        const float u = a.u[r][i], g = x + 1 < t.width ? a.u[r][after] - u : 0.0f;
        const float h = y + 1 < t.src_units ? a.u[r + 1 < SIDE_Y ? r + 1 : r][i] - u : 0.0f;

        if (x >= 0 && x < t.width && y >= 0 && y < t.src_units)
            gf_tv_step(g, h, t.rate, &a.p[r][i], &a.q[r][i]);
    }
    __syncthreads();
}

__global__ void __launch_bounds__(SIDE_X * THREADS_Y) tv_steps(const __grid_constant__ struct tv_task t)
{
    __shared__ struct tv_tile a;
    const int64_t left = (int64_t)blockIdx.x * TILE_X - STEPS, top = t.first + (int64_t)blockIdx.y * TILE_Y - STEPS;
    const int64_t x = left + threadIdx.x;

    tv_load(t, a, left, top);
    __syncthreads();
    for (int k = 0; k < t.steps; k++)
        tv_one_step(t, a, left, top);
    if (threadIdx.x < STEPS || threadIdx.x >= SIDE_X - STEPS || x >= t.width)
        return;
    for (int r = STEPS + threadIdx.y; r < SIDE_Y - STEPS; r += THREADS_Y) {
        const int64_t y = top + r, at = (y - t.start) * t.pitch + x;

        if (y < t.end) {
            t.new_p[at] = a.p[r][threadIdx.x];
            t.new_q[at] = a.q[r][threadIdx.x];
        }
    }
}

/* Computes u, or copies a channel. */
__global__ void __launch_bounds__(256) tv_result(const __grid_constant__ struct tv_task t, bool copies)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (x >= t.width)
        return;
    for (int64_t y = t.first + blockIdx.y; y < t.end; y += gridDim.y) {
        const int64_t at = (y - t.start) * t.pitch + x;
        float v = tv_values(t, y)[x];

        if (!copies && t.begins)
            v = gf_tv_value(v, 0.0f, 0.0f, 0.0f, 0.0f);
        else if (!copies)
            v = gf_tv_value(v, t.p[at], t.q[at], x > 0 ? t.p[at - 1] : 0.0f, y > 0 ? t.q[at - t.pitch] : 0.0f);
        ((float *)gf_block_view_row(t.dst, y))[x + t.channel * t.dst.plane] = v;
    }
}

/* Runs all steps of a channel; t.p to t.new_q are memory for the planes. */
static void launch_channel(struct tv_task t, const struct gf_tv *tv, cudaStream_t stream)
{
    const int64_t first = t.first, end = t.end;
    int left = tv->iterations - 1;

    t.begins = true;
    for (; left > 0 && t.channel < tv->colours; left -= t.steps) {
        t.steps = left < STEPS ? left : STEPS;
        t.first = t.start;
        t.end = t.limit;
        gf_cuda_launch_rows(t, TILE_Y, [&](const struct tv_task &part, unsigned height) {
            tv_steps<<<dim3((unsigned)gf_ceil_div(t.width, TILE_X), height), dim3(SIDE_X, THREADS_Y), 0,
                       stream>>>(part);
        });
        std::swap(t.p, t.new_p);
        std::swap(t.q, t.new_q);
        t.begins = false;
    }
    t.first = first;
    t.end = end;
    tv_result<<<dim3((unsigned)gf_ceil_div(t.width, 256), gf_cuda_grid_rows(end - first)), 256, 0, stream>>>
        (t, t.channel >= tv->colours);
}

/* From planes to planes. */
static int run(struct tv_task t, const struct gf_tv *tv, int channels, cudaStream_t stream, struct gf_error *err)
{
    const int64_t plane = t.pitch * (t.limit - t.start);
    float *planes;
    int result;

    if (gf_cuda_check(gf_cuda_borrow((void **)&planes, (size_t)(4 * plane) * sizeof(float), stream),
                      "memory for planes", err) != 0)
        return -1;
    t.p = planes, t.q = planes + plane, t.new_p = planes + 2 * plane, t.new_q = planes + 3 * plane;
    for (t.channel = 0; t.channel < channels; t.channel++)
        launch_channel(t, tv, stream);
    result = gf_cuda_launched("total variation", err);
    cudaFreeAsync(planes, stream);
    return result;
}

extern "C" int gf_tv_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_tv *tv = (const struct gf_tv *)params;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_through(work, io, io->src.span, gf_program_buffers_needed(&io->src, io->load),
                                      gf_program_buffers_needed(&io->dst, io->store), err,
                                      [&](const struct gf_io &plain) {
        const struct tv_task t = { gf_block_view_of(&plain.src), gf_block_view_of(&plain.dst), tv->rate, 0, 0, true,
                                   io->dst.width, io->src_units, io->dst.span.start, io->dst.span.end,
                                   plain.src.span.start, plain.src.span.end,
                                   io->dst.width == 1 ? 1 : gf_round_up(io->dst.width, 128),
                                   NULL, NULL, NULL, NULL };

        return run(t, tv, plain.dst.channels, (cudaStream_t)work->stream, err);
    });
}
