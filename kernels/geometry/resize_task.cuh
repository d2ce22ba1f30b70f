/* Shared by the ways to resize on a GPU: a call as kernels take it, and the inputs of a position. */
#ifndef GF_KERNELS_RESIZE_TASK_CUH
#define GF_KERNELS_RESIZE_TASK_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_point.cuh"
#include "kernels/geometry/resize.h"

struct gf_resize_task {
    struct gf_block_view src, dst;
    struct gf_resize_axis x, y;
    const float *x_entries, *y_entries, *tables;
    int64_t width, first, end;           /* width of the result; its current units */
    float scale;
    bool stored;                         /* sums are those of stored integers */
};

/* The inputs of a position and their weights; w is NULL if the size does not change in this direction. */
struct entry {
    int first, count;
    const float *w;
};

static __device__ __forceinline__ struct entry entry_of(const struct gf_resize_axis &axis,
                                                        const float *entries, int64_t i)
{
    struct entry e;

    e.first = (int)i;
    e.count = 1;
    e.w = NULL;
    if (axis.taps > 0) {
        const float *at = entries + i * gf_resize_stride(&axis);

        e.first = (int)at[0];
        e.count = (int)at[1];
        e.w = at + GF_RESIZE_ENTRY;
    }
    return e;
}

/* ---- down the rows ---- */

/* Layouts whose samples are in words of four bytes, and samples of a word. Others are loaded one by one. */
template <int T> struct words_of {
    static constexpr int samples = T == GF_U8 ? 4 : T == GF_U16 ? 2 : 1;
    static constexpr int bytes = T == GF_U8 ? 1 : T == GF_U16 ? 2 : 4;
};

/* Returns sample b of a word for summing: stored integers unchanged. */
template <int T>
static __device__ __forceinline__ float part_of(unsigned word, int b)
{
    if (T == GF_U8)
        return __fadd_rn(__uint_as_float(__byte_perm(word, 0x4B000000u, 0x7440 | b)), -GF_MAGIC);
    if (T == GF_U16)
        return __fadd_rn(__uint_as_float(__byte_perm(word, 0x4B000000u, b ? 0x7432 : 0x7410)), -GF_MAGIC);
    return __uint_as_float(word);
}

/* Returns a single sample of any layout. */
template <int T>
static __device__ __forceinline__ float sample_at(const struct gf_block_view &v, const unsigned char *row, int64_t i)
{
    if (T == GF_U8)
        return __fadd_rn(__uint_as_float(0x4B000000u | row[i]), -GF_MAGIC);
    if (T == GF_U16)
        return __fadd_rn(__uint_as_float(0x4B000000u | ((const unsigned short *)row)[i]), -GF_MAGIC);
    if (T == GF_PLANES || T == GF_F32)
        return ((const float *)row)[i];
    return gf_sample_get(v, row, i);
}

/* Sums sample i over the rows of e. */
template <int T>
static __device__ __forceinline__ float sum_rows(const struct gf_resize_task &t, const struct entry &e, int64_t i)
{
    const int64_t pitch = t.src.pitch * gf_sample_layout_bytes(t.src.layout);
    const unsigned char *row = t.src.data + (e.first - t.src.start) * pitch;
    float sum = 0.0f;

    if (e.w == NULL)
        return sample_at<T>(t.src, row, i);
    for (int k = 0; k < e.count;) {
        const int end = min(k + GF_RESIZE_CHUNK, e.count);
        float acc = 0.0f;

#pragma unroll 4
        for (; k < end; k++, row += pitch)
            acc = __fmaf_rn(e.w[k], sample_at<T>(t.src, row, i), acc);
        sum = __fadd_rn(sum, acc);
    }
    return __fmul_rn(sum, t.scale);
}

/* ---- along them ---- */

/* Sums a pixel of two rows from adjacent sums, `pitch` apart; weights are `step` floats apart. */
template <int C>
static __device__ __forceinline__ void sum_along(const float *s, int pitch, const float *w, int step, int count,
                                                 float (&out)[2][C])
{
    float acc[2][C];

#pragma unroll
    for (int i = 0; i < 2 * C; i++)
        out[i / C][i % C] = 0.0f;
    for (int k = 0; k < count;) {
        const int end = min(k + GF_RESIZE_CHUNK, count);

#pragma unroll
        for (int i = 0; i < 2 * C; i++)
            acc[i / C][i % C] = 0.0f;
#pragma unroll 4
        for (; k < end; k++, s += C, w += step) {
            const float weight = *w;

#pragma unroll
            for (int i = 0; i < 2 * C; i++)
                acc[i / C][i % C] = __fmaf_rn(weight, s[i / C * pitch + i % C], acc[i / C][i % C]);
        }
#pragma unroll
        for (int i = 0; i < 2 * C; i++)
            out[i / C][i % C] = __fadd_rn(out[i / C][i % C], acc[i / C][i % C]);
    }
}

/* ---- the two ways ---- */

/* Each queues a call, or returns 1 if it cannot do it. */
int gf_resize_groups(const struct gf_work *work, const struct gf_io *io, const struct gf_resize_task *task,
                     struct gf_error *err);
int gf_resize_tiles(const struct gf_work *work, const struct gf_io *io, const struct gf_resize_task *task,
                    struct gf_error *err);

#endif
