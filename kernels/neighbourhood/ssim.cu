/*
 * Similarity on a GPU: a block walks down a strip of columns; each thread keeps the sums of the
 * last rows around its column.
 */
#include "kernels/neighbourhood/ssim.h"

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_point.cuh"

#define THREADS 128                      /* columns of a strip */
#define LINE (THREADS + 2 * GF_SSIM_REACH)
#define ROWS 32                          /* results for which a block walks down */
#define KEPT (GF_SSIM_TAPS - 1)          /* rows of sums; the newest one is in registers */

enum { SUM, DIFFERENCE, SUM_SQUARES, DIFFERENCE_SQUARES, PLANES };

struct ssim_task {
    struct gf_block_view src, beside, dst;
    int64_t width, units, first, end;    /* size of the images; units of the result */
    int channels;
    int of[2][4];
    float levels[2];
    double step[2];                      /* 1 / levels */
    double scale, weight[GF_SSIM_TAPS];
};

/* Returns 1 if an image has no such channel. */
static __device__ __forceinline__ double sample(const struct gf_block_view &v, int64_t u, int64_t x, int c,
                                                float levels, double step)
{
    if (c < 0)
        return 1;

    const float f = gf_sample_get(v, gf_block_view_row(v, u), gf_sample_index(v, x, c));
    return levels > 0 ? __dmul_rn((double)rintf(__fmul_rn(f, levels)), step) : (double)f;
}

/*
 * Loads row u of the samples around a strip that begins at x0; the difference in its own columns is
 * a result.
 */
static __device__ __forceinline__ void read_row(const struct ssim_task &t, int64_t u, int64_t x0, int c, bool result,
                                                double (&line)[PLANES][LINE])
{
    for (int i = threadIdx.x; i < LINE; i += THREADS) {
        const int64_t x = x0 + i - GF_SSIM_REACH;
        double s = 0, d = 0;

        if (x >= 0 && x < t.width) {
            const double a = sample(t.src, u, x, t.of[0][c], t.levels[0], t.step[0]);
            const double b = sample(t.beside, u, x, t.of[1][c], t.levels[1], t.step[1]);

            s = __dadd_rn(a, b);
            d = __dsub_rn(a, b);
            if (result && i >= GF_SSIM_REACH && i < THREADS + GF_SSIM_REACH)
                gf_sample_put(t.dst, gf_block_view_row(t.dst, u), gf_sample_index(t.dst, x, c),
                              (float)__dmul_rn(d, t.scale));
        }
        line[SUM][i] = s;
        line[DIFFERENCE][i] = d;
        line[SUM_SQUARES][i] = __dmul_rn(s, s);
        line[DIFFERENCE_SQUARES][i] = __dmul_rn(d, d);
    }
}

static __device__ __forceinline__ float similarity(const double (&v)[PLANES])
{
    const double vs = __fma_rn(-v[SUM], v[SUM], v[SUM_SQUARES]),
                      vd = __fma_rn(-v[DIFFERENCE], v[DIFFERENCE], v[DIFFERENCE_SQUARES]);
    const double ms = __dmul_rn(v[SUM], v[SUM]), md = __dmul_rn(v[DIFFERENCE], v[DIFFERENCE]);
    const double like = __dmul_rn(__dadd_rn(__dsub_rn(ms, md), GF_SSIM_2C1), __dadd_rn(__dsub_rn(vs, vd), GF_SSIM_2C2));

    return (float)__ddiv_rn(like,
                            __dmul_rn(__dadd_rn(__dadd_rn(ms, md), GF_SSIM_2C1),
                                      __dadd_rn(__dadd_rn(vs, vd), GF_SSIM_2C2)));
}

/*
 * Processes a strip of channel c: rows [first, end) of the result. `kept` is a ring of rows of
 * sums, with the oldest at `slot`.
 */
static __device__ void strip(const struct ssim_task &t, int64_t x0, int64_t first, int64_t end, int c,
                             double (&line)[PLANES][LINE], double (&kept)[KEPT][PLANES][THREADS])
{
    const int64_t x = x0 + threadIdx.x, last = end + GF_SSIM_REACH;
    const bool inside = x >= GF_SSIM_REACH && x < t.width - GF_SSIM_REACH;
    int slot = 0;

    for (int64_t u = first - GF_SSIM_REACH; u < last; u++) {
        const int64_t middle = u - GF_SSIM_REACH;
        double sum[PLANES], window[PLANES];
        float v = 0;

        __syncthreads();
        if (u >= 0 && u < t.units)
            read_row(t, u, x0, c, u >= first && u < end, line);
        __syncthreads();
#pragma unroll
        for (int p = 0; p < PLANES; p++) {
            sum[p] = __dmul_rn(t.weight[0], line[p][threadIdx.x]);
#pragma unroll
            for (int k = 1; k < GF_SSIM_TAPS; k++)
                sum[p] = __fma_rn(t.weight[k], line[p][threadIdx.x + k], sum[p]);
        }
        if (middle >= first && inside && middle >= GF_SSIM_REACH && middle < t.units - GF_SSIM_REACH) {
#pragma unroll
            for (int k = 0; k < KEPT; k++) {
                const int at = slot + k < KEPT ? slot + k : slot + k - KEPT;

#pragma unroll
                for (int p = 0; p < PLANES; p++)
                    window[p] = k == 0 ? __dmul_rn(t.weight[0], kept[at][p][threadIdx.x])
                                       : __fma_rn(t.weight[k], kept[at][p][threadIdx.x], window[p]);
            }
#pragma unroll
            for (int p = 0; p < PLANES; p++)
                window[p] = __fma_rn(t.weight[KEPT], sum[p], window[p]);
            v = similarity(window);
        }
        if (middle >= first && x < t.width)
            gf_sample_put(t.dst, gf_block_view_row(t.dst, middle), gf_sample_index(t.dst, x, t.channels + c), v);
#pragma unroll
        for (int p = 0; p < PLANES; p++)
            kept[slot][p][threadIdx.x] = sum[p];
        slot = slot + 1 < KEPT ? slot + 1 : 0;
    }
}

__global__ void __launch_bounds__(THREADS) likeness(const __grid_constant__ struct ssim_task t)
{
    __shared__ double line[PLANES][LINE], kept[KEPT][PLANES][THREADS];

    for (int i = threadIdx.x; i < LINE; i += THREADS)        /* rows outside the image are not needed, but are summed */
        for (int p = 0; p < PLANES; p++)
            line[p][i] = 0;
    for (int64_t y = t.first + (int64_t)blockIdx.y * ROWS; y < t.end; y += (int64_t)gridDim.y * ROWS)
        strip(t, (int64_t)blockIdx.x * THREADS, y, y + ROWS < t.end ? y + ROWS : t.end, blockIdx.z, line, kept);
}

static int run(const struct gf_work *work, const struct gf_io *io, const struct gf_ssim *ssim, struct gf_error *err)
{
    const dim3 grid((unsigned)gf_ceil_div(io->dst.width, THREADS),
                    gf_cuda_grid_rows(gf_ceil_div(gf_span_units(io->dst.span), ROWS)),
                    (unsigned)ssim->channels);
    struct ssim_task t;

    t.src = gf_block_view_of(&io->src);
    t.beside = gf_block_view_of(&io->beside);
    t.dst = gf_block_view_of(&io->dst);
    t.width = io->dst.width;
    t.units = io->src_units;
    t.first = io->dst.span.start;
    t.end = io->dst.span.end;
    t.channels = ssim->channels;
    t.levels[0] = ssim->levels;
    t.levels[1] = gf_ssim_levels(io);
    for (int i = 0; i < 2; i++)
        t.step[i] = t.levels[i] > 0 ? 1.0 / (double)t.levels[i] : 1.0;
    for (int i = 0; i < 8; i++)
        t.of[i / 4][i % 4] = ssim->of[i / 4][i % 4];
    t.scale = (double)ssim->scale;
    for (int k = 0; k < GF_SSIM_TAPS; k++)
        t.weight[k] = gf_ssim_weight(k);
    likeness<<<grid, THREADS, 0, (cudaStream_t)work->stream>>>(t);
    return gf_cuda_launched("comparison", err);
}

extern "C" int gf_ssim_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_ssim *ssim = (const struct gf_ssim *)params;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store))
        return gf_fail(err, GF_FAILED, "internal error: ssim cannot run programs");
    return run(work, io, ssim, err);
}
