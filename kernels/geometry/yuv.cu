/* Converts luma and chroma on a GPU: four pixels a thread, chroma read in place. */
#include "kernels/geometry/yuv.h"

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_pack.cuh"

#define THREADS 256

/* A frame and the planes of pixels. Pitches are in samples. */
struct yuv_task {
    struct gf_yuv_op op;
    unsigned char *frame;                /* its first sample, even if this call does not need it */
    float *planes;                       /* unit `start` of the first plane */
    int64_t pitch, plane, start;
    int64_t first, rows;                 /* rows of luma, or of chroma, to compute */
    int64_t chroma_width, chroma_height;
};

/* Loads four samples from any position of a row, in one piece if they are aligned. */
template <class T>
static __device__ __forceinline__ void read_four(const T *p, int count, T (&v)[4])
{
    if (count == 4 && (uintptr_t)p % (4 * sizeof(T)) == 0) {
        gf_read_four(p, v);
        return;
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = k < count ? p[k] : T(0);
}

template <class T>
static __device__ __forceinline__ void write_four(T *p, int count, const T (&v)[4])
{
    typedef typename gf_four<T>::type V;

    if (count == 4 && (uintptr_t)p % sizeof(V) == 0) {
        V q;
        q.x = v[0], q.y = v[1], q.z = v[2], q.w = v[3];
        *(V *)p = q;
        return;
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (k < count)
            p[k] = v[k];
}

static __device__ __forceinline__ int64_t within(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* ---- from a frame ---- */

/* Computes chroma at column x between rows `near` and `far`; all steps are exact. */
template <class T>
static __device__ __forceinline__ float chroma_at(const struct yuv_task &t, const T *near, const T *far, int64_t x)
{
    const int64_t j = x >> t.op.sub_x;
    const int k = (int)(x - (j << t.op.sub_x));
    const int64_t beside = within(!t.op.left && k == 0 ? j - 1 : j + 1, t.chroma_width);
    const float here = (float)(3 * near[j] + far[j]) * 0.25f, there = (float)(3 * near[beside] + far[beside]) * 0.25f;
    const float share = t.op.sub_x == 0 ? 0.0f : t.op.sub_x == 2 ? k * 0.25f : !t.op.left ? 0.25f : k * 0.5f;

    return (1.0f - share) * here + share * there;
}

template <class T>
__global__ void __launch_bounds__(THREADS) take_apart(const __grid_constant__ struct yuv_task t)
{
    const int64_t x = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * 4, w = t.op.width;
    const T *frame = (const T *)t.frame, *chroma = frame + w * t.op.height;
    const int64_t size = t.chroma_width * t.chroma_height;
    const int count = x + 4 <= w ? 4 : (int)(w - x);

    for (int64_t y = t.first + blockIdx.y; x < w && y < t.first + t.rows; y += gridDim.y) {
        const int64_t near = y >> t.op.sub_y;
        const int64_t far = t.op.sub_y == 0 ? near : within((y & 1) != 0 ? near + 1 : near - 1, t.chroma_height);
        float *to = t.planes + (y - t.start) * t.pitch + x;
        float luma[4], red[4], green[4], blue[4];
        T v[4];

        read_four(frame + y * w + x, count, v);
#pragma unroll
        for (int k = 0; k < 4; k++)
            luma[k] = __fmul_rn(__fsub_rn((float)v[k], t.op.luma_zero), t.op.luma_scale);
        if (t.op.mono) {
            write_four(to, count, luma);
            continue;
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const T *a = chroma + near * t.chroma_width, *b = chroma + far * t.chroma_width;
            const int64_t column = k < count ? x + k : x;
            const float u = chroma_at(t, a, b, column), c = chroma_at(t, a + size, b + size, column);
            const float cb = __fmul_rn(__fsub_rn(u, t.op.chroma_zero), t.op.chroma_scale);
            const float cr = __fmul_rn(__fsub_rn(c, t.op.chroma_zero), t.op.chroma_scale);

            red[k] = fmaf(cr, t.op.m[0][0], luma[k]);
            green[k] = fmaf(cb, t.op.m[1][0], fmaf(cr, t.op.m[1][1], luma[k]));
            blue[k] = fmaf(cb, t.op.m[2][0], luma[k]);
        }
        write_four(to, count, red);
        write_four(to + t.plane, count, green);
        write_four(to + 2 * t.plane, count, blue);
    }
}

/* ---- to a frame ---- */

template <class T>
static __device__ __forceinline__ T level(float value, float scale, float zero, float most)
{
    const float v = fmaf(value, scale, zero), above = v > 0.0f ? v : 0.0f;

    return (T)(int)rintf(above < most ? above : most);
}

template <class T>
__global__ void __launch_bounds__(THREADS) make_luma(const __grid_constant__ struct yuv_task t)
{
    const int64_t x = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * 4, w = t.op.width;
    const int count = x + 4 <= w ? 4 : (int)(w - x);

    for (int64_t y = t.first + blockIdx.y; x < w && y < t.first + t.rows; y += gridDim.y) {
        const float *from = t.planes + (y - t.start) * t.pitch + x;
        float red[4], green[4], blue[4];
        T v[4];

        read_four(from, count, red);
        if (!t.op.mono) {
            read_four(from + t.plane, count, green);
            read_four(from + 2 * t.plane, count, blue);
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float luma = t.op.mono ? red[k] : fmaf(t.op.m[0][0], red[k],
                                                         fmaf(t.op.m[0][1], green[k],
                                                              __fmul_rn(t.op.m[0][2], blue[k])));

            v[k] = level<T>(luma, t.op.luma_scale, t.op.luma_zero, t.op.most);
        }
        write_four((T *)t.frame + y * w + x, count, v);
    }
}

/* Returns pixels x of two rows, or of one, summed. */
static __device__ __forceinline__ float sum_at(const struct yuv_task &t, const float *upper,
                                               const float *lower, int64_t x)
{
    x = within(x, t.op.width);
    return t.op.sub_y > 0 ? __fadd_rn(upper[x], lower[x]) : upper[x];
}

static __device__ __forceinline__ float pixels_at(const struct yuv_task &t, const float *a, const float *b, int64_t j)
{
    const int64_t x = j << t.op.sub_x;

    if (t.op.sub_x == 0)
        return sum_at(t, a, b, x);
    if (t.op.sub_x == 2)
        return fmaf(4.0f, sum_at(t, a, b, x),
                    fmaf(3.0f, __fadd_rn(sum_at(t, a, b, x - 1), sum_at(t, a, b, x + 1)),
                         fmaf(2.0f, __fadd_rn(sum_at(t, a, b, x - 2), sum_at(t, a, b, x + 2)),
                              __fadd_rn(sum_at(t, a, b, x - 3), sum_at(t, a, b, x + 3)))));
    if (t.op.left)
        return fmaf(2.0f, sum_at(t, a, b, x), __fadd_rn(sum_at(t, a, b, x - 1), sum_at(t, a, b, x + 1)));
    return __fadd_rn(sum_at(t, a, b, x), sum_at(t, a, b, x + 1));
}

template <class T>
__global__ void __launch_bounds__(THREADS) make_chroma(const __grid_constant__ struct yuv_task t)
{
    const int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x, size = t.chroma_width * t.chroma_height;
    T *chroma = (T *)t.frame + t.op.width * t.op.height;

    for (int64_t y = t.first + blockIdx.y; j < t.chroma_width && y < t.first + t.rows; y += gridDim.y) {
        const int64_t upper = y << t.op.sub_y;
        const float *a = t.planes + (upper - t.start) * t.pitch, *b = upper + 1 < t.op.height ? a + t.pitch : a;
        const float red = pixels_at(t, a, b, j), green = pixels_at(t, a + t.plane, b + t.plane, j);
        const float blue = pixels_at(t, a + 2 * t.plane, b + 2 * t.plane, j);

#pragma unroll
        for (int p = 1; p < 3; p++)
            chroma[(p - 1) * size + y * t.chroma_width + j] =
                level<T>(fmaf(t.op.m[p][0], red, fmaf(t.op.m[p][1], green, __fmul_rn(t.op.m[p][2], blue))),
                         t.op.chroma_scale,
                         t.op.chroma_zero, t.op.most);
    }
}

/* ---- both directions ---- */

static dim3 grid_of(int64_t pieces, int64_t rows)
{
    return dim3((unsigned)gf_ceil_div(pieces, THREADS), gf_cuda_grid_rows(rows));
}

template <class T>
static int take(const struct yuv_task &t, cudaStream_t stream, struct gf_error *err)
{
    take_apart<T><<<grid_of(gf_ceil_div(t.op.width, 4), t.rows), THREADS, 0, stream>>>(t);
    return gf_cuda_launched("luma and chroma", err);
}

template <class T>
static int make(struct yuv_task t, struct gf_span bands, cudaStream_t stream, struct gf_error *err)
{
    const int64_t end = bands.end << t.op.sub_y;

    t.first = bands.start << t.op.sub_y;
    t.rows = (end < t.op.height ? end : t.op.height) - t.first;
    make_luma<T><<<grid_of(gf_ceil_div(t.op.width, 4), t.rows), THREADS, 0, stream>>>(t);
    if (gf_cuda_launched("luma", err) != 0)
        return -1;
    if (t.op.mono)
        return 0;
    t.first = bands.start;
    t.rows = bands.end - bands.start;
    make_chroma<T><<<grid_of(t.chroma_width, t.rows), THREADS, 0, stream>>>(t);
    return gf_cuda_launched("chroma", err);
}

extern "C" int gf_yuv_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_yuv_op *op = (const struct gf_yuv_op *)params;
    const struct gf_block *planes = op->to ? &io->src : &io->dst, *frame = op->to ? &io->dst : &io->src;
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct yuv_task t;

    if (gf_yuv_check(io, op, err) != 0)
        return -1;
    t.op = *op;
    t.frame = (unsigned char *)frame->data - frame->span.start * frame->pitch_samples
              * (int64_t)gf_type_bytes(frame->type);
    t.planes = (float *)planes->data;
    t.pitch = planes->pitch_samples;
    t.plane = planes->plane_samples;
    t.start = planes->span.start;
    t.first = io->dst.span.start;
    t.rows = io->dst.span.end - io->dst.span.start;
    t.chroma_width = gf_chroma_side(op->width, op->sub_x);
    t.chroma_height = gf_chroma_side(op->height, op->sub_y);
    if (t.rows <= 0)
        return 0;
    if (op->to)
        return frame->type == GF_U8 ? make<unsigned char>(t, io->dst.span, stream, err)
               : make<unsigned short>(t, io->dst.span, stream, err);
    return frame->type == GF_U8 ? take<unsigned char>(t, stream, err) : take<unsigned short>(t, stream, err);
}
