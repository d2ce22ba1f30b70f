/* Convolution on a GPU with masks too long for a tile: down the units of an image, and along audio. */
#include "kernels/base/thread_point.cuh"
#include "kernels/neighbourhood/conv_block_masks.cuh"

#define TALL 8

/* Adds taps j to j + N of ny to N adjacent sums over the samples v, and then shifts v by N. */
template <int N, class W>
static __device__ __forceinline__ void add_taps(W w, int j, int ny, float (&v)[2 * N], sums<N> &s)
{
#pragma unroll
    for (int u = 0; u < N; u++) {
        if (j + u >= ny)
            break;
#pragma unroll
        for (int o = 0; o < N; o++)
            s.acc[o] = __fmaf_rn(w[j + u], v[u + o], s.acc[o]);
    }
#pragma unroll
    for (int k = 0; k < N; k++)
        v[k] = v[k + N];
    if (ny > GF_CONV_CHUNK && ((j + N) % GF_CONV_CHUNK == 0 || j + N >= ny))
        s.end_chain();
}

/*
 * Filters along the units of one plane in global memory, for masks too long for a tile. Eight rows
 * of a column a thread.
 */
template <bool CONSTANT>
__global__ void __launch_bounds__(128) tall(const __grid_constant__ struct conv_task t)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t y = t.first + (int64_t)blockIdx.y * TALL, top = y - t.conv.cy;
    const weights<CONSTANT> w = { t.masks, t.conv.y_at };
    const int ny = t.conv.ny, last = (int)min((int64_t)TALL, t.end - y) + ny - 2;
    float v[2 * TALL];
    sums<TALL> s;

    if (x >= t.width)
        return;
    auto fetch = [&](int k) {
        const int64_t unit = k > last ? -1 : gf_border_index(t.conv.border, top + k, t.src_units);
        return unit < 0 ? 0.0f : ((const float *)gf_block_view_row(t.src, unit))[x];
    };
#pragma unroll
    for (int k = 0; k < TALL; k++)
        v[k] = fetch(k);
    s.clear();
    for (int j = 0; j < ny; j += TALL) {
#pragma unroll
        for (int k = 0; k < TALL; k++)
            v[k + TALL] = fetch(j + k + TALL);
        add_taps<TALL>(w, j, ny, v, s);
    }
    s.finish(ny > GF_CONV_CHUNK);
#pragma unroll
    for (int o = 0; o < TALL; o++)
        if (y + o < t.end)
            ((float *)gf_block_view_row(t.dst, y + o))[x] = s.acc[o];
}

#define LINE 8
#define LINE_THREADS 256

/*
 * Returns the place of sample i of a line: a gap of four floats after 32, so that threads eight
 * apart use different banks.
 */
static __host__ __device__ __forceinline__ int line_at(int i)
{
    return i + i / 32 * 4;
}

/* Loads samples of channel c from frame `top` on, after the load program. */
static __device__ __forceinline__ void load_line(const struct conv_task &t, const struct gf_point &load,
                                                 int c, int64_t top,
                                                 int samples, float *s)
{
    const bool inside = top >= 0 && top + samples <= t.src_units;

#pragma unroll 4
    for (int i = threadIdx.x; i < samples; i += LINE_THREADS) {
        const int64_t unit = inside ? top + i : gf_border_index(t.conv.border, top + i, t.src_units);
        float p[1][1] = { { 0.0f } };

        if (unit >= 0) {
            p[0][0] = gf_sample_get(t.src, gf_block_view_row(t.src, unit), gf_sample_index(t.src, 0, c));
            if (load.count > 0)
                gf_program_run<1, 1>(load, t.tables, p);
        }
        s[line_at(i)] = p[0][0];
    }
}

/* Computes eight consecutive frames, from sample `at` on. */
template <class W>
static __device__ __forceinline__ void sum_line(const float *s, W w, int at, int ny, sums<LINE> &out)
{
    float v[2 * LINE];

    *(float4 *)v = *(const float4 *)(s + line_at(at));
    *(float4 *)(v + 4) = *(const float4 *)(s + line_at(at + 4));
    out.clear();
    for (int j = 0; j < ny; j += LINE) {
        *(float4 *)(v + 8) = *(const float4 *)(s + line_at(at + j + 8));
        *(float4 *)(v + 12) = *(const float4 *)(s + line_at(at + j + 12));
        add_taps<LINE>(w, j, ny, v, out);
    }
    out.finish(ny > GF_CONV_CHUNK);
}

static __device__ __forceinline__ void store_line(const struct conv_task &t, const struct gf_point &store,
                                                  int c, int64_t y0,
                                                  int results, const float *s)
{
#pragma unroll
    for (int k = 0; k < LINE; k++) {
        const int i = threadIdx.x + k * LINE_THREADS;
        float p[1][1];

        if (i >= results)
            break;
        p[0][0] = s[line_at(i)];
        if (store.count > 0)
            gf_program_run<1, 1>(store, t.tables, p);
        gf_sample_put(t.dst, gf_block_view_row(t.dst, y0 + i), gf_sample_index(t.dst, 0, c), p[0][0]);
    }
}

/* Audio: a channel for each row of the grid, eight consecutive frames a thread. */
template <bool CONSTANT>
__global__ void __launch_bounds__(LINE_THREADS) line(const __grid_constant__ struct conv_task t,
                                                     const __grid_constant__ struct gf_point load,
                                                     const __grid_constant__ struct gf_point store)
{
    extern __shared__ float4 shared[];
    float *s = (float *)shared;
    const int ny = t.conv.ny, c = blockIdx.y, at = threadIdx.x * LINE;
    const int64_t y0 = t.first + (int64_t)blockIdx.x * LINE * LINE_THREADS;
    const int results = (int)min((int64_t)LINE * LINE_THREADS, t.end - y0);
    const weights<CONSTANT> w = { t.masks, t.conv.y_at + (t.conv.mask_channels > 1 ? (int64_t)c * ny : 0) };
    sums<LINE> out;

    load_line(t, load, c, y0 - t.conv.cy, results + ny - 1, s);
    __syncthreads();
    if (at < results)
        sum_line(s, w, at, ny, out);
    /* Results are exchanged, so that neighboring threads store consecutive frames. */
    __syncthreads();
    if (at < results) {
        *(float4 *)(s + line_at(at)) = make_float4(out.acc[0], out.acc[1], out.acc[2], out.acc[3]);
        *(float4 *)(s + line_at(at + 4)) = make_float4(out.acc[4], out.acc[5], out.acc[6], out.acc[7]);
    }
    __syncthreads();
    store_line(t, store, c, y0, results, s);
}

/* ---- launches ---- */

int gf_conv_long_tall(const struct gf_work *work, const struct conv_task *t, struct gf_error *err)
{
    if (t->constant && copy_constant_masks(work, err) != 0)
        return -1;
    gf_cuda_launch_rows(*t, TALL, [&](const struct conv_task &part, unsigned height) {
        (t->constant ? tall<true> : tall<false>)<<<dim3((unsigned)gf_ceil_div(t->width, 128), height), 128, 0,
                                                   (cudaStream_t)work->stream>>>(part);
    });
    return gf_cuda_launched("convolution", err);
}

int gf_conv_long_line(const struct gf_work *work, const struct gf_io *io, const struct conv_task *t,
                      struct gf_error *err)
{
    void (*const kernel)(struct conv_task, struct gf_point, struct gf_point) = t->constant ? line<true> : line<false>;
    const int samples = line_at(LINE * LINE_THREADS + (t->conv.ny + LINE) / LINE * LINE) + 64;
    const size_t bytes = (size_t)samples * sizeof(float);
    const int64_t blocks = gf_ceil_div(t->end - t->first, LINE * LINE_THREADS);

    if ((t->constant && copy_constant_masks(work, err) != 0)
        || (bytes > 48 * 1024 && gf_cuda_allow_shared_memory((const void *)kernel, err) != 0))
        return -1;
    kernel<<<dim3((unsigned)blocks, (unsigned)io->src.channels), LINE_THREADS, bytes, (cudaStream_t)work->stream>>>(
        *t, gf_program_flat(io->load), gf_program_flat(io->store));
    return gf_cuda_launched("convolution", err);
}

/* ---- sharpening, if no tile keeps a sample until its blurred value is known ---- */

__global__ void sharpen_plane(const __grid_constant__ struct conv_task t)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (int64_t y = t.first + blockIdx.y; x < t.width && y < t.end; y += gridDim.y) {
        float *to = (float *)gf_block_view_row(t.dst, y) + x;

        *to = sharpened(t.conv, ((const float *)gf_block_view_row(t.src, y))[x], *to);
    }
}

int gf_conv_long_sharpen(const struct gf_work *work, const struct conv_task *t, struct gf_error *err)
{
    sharpen_plane<<<dim3((unsigned)gf_ceil_div(t->width, 128), gf_cuda_grid_rows(t->end - t->first)), 128, 0,
                    (cudaStream_t)work->stream>>>(*t);
    return gf_cuda_launched("sharpening", err);
}
