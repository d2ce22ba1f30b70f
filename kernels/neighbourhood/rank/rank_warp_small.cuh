/* Kernels of rank for small squares: warps walk down the rows; medians by sorting networks. */
#ifndef GF_KERNELS_RANK_WARP_SMALL_CUH
#define GF_KERNELS_RANK_WARP_SMALL_CUH

#include "kernels/neighbourhood/rank/rank_network.h"
#include "kernels/neighbourhood/rank/rank_thread_words.cuh"

template <class T>
static __device__ __forceinline__ void order(word_of<T> &x, word_of<T> &y)
{
    const word_of<T> first = less(x, y);

    y = more(x, y);
    x = first;
}

#define RANK_ORDER(a, b) order<T>(a, b);

/* Sorts a column of the current samples, smallest first. */
template <class T, int SIDE>
static __device__ __forceinline__ void sort_column(const word_of<T> (&in)[SIDE], word_of<T> (&out)[SIDE])
{
#define RANK_IN(i) in[i]
    if constexpr (SIDE == 3) {
        GF_RANK_COLUMN_3(word_of<T>, RANK_IN, RANK_ORDER)
        out[0] = v0, out[1] = v1, out[2] = v2;
    } else if constexpr (SIDE == 5) {
        GF_RANK_COLUMN_5(word_of<T>, RANK_IN, RANK_ORDER)
        out[0] = v0, out[1] = v1, out[2] = v2, out[3] = v3, out[4] = v4;
    } else {
        GF_RANK_COLUMN_7(word_of<T>, RANK_IN, RANK_ORDER)
        out[0] = v0, out[1] = v1, out[2] = v2, out[3] = v3, out[4] = v4, out[5] = v5, out[6] = v6;
    }
#undef RANK_IN
}

/*
 * Computes the median of the square that begins with word x of the sorted columns; its columns are
 * `step` bytes apart.
 */
template <class T, int SIDE>
static __device__ __forceinline__ unsigned middle_of(const unsigned (*sorted)[33], int x, int step)
{
    auto at = [=](int i, int j) {
        word_of<T> w;

        w.set(shifted(sorted[i], x, j * step));
        return w;
    };
    if constexpr (SIDE == 3) {
        GF_RANK_SQUARE_3(word_of<T>, at, RANK_ORDER)
        return GF_RANK_MEDIAN_3.get();
    } else if constexpr (SIDE == 5) {
        GF_RANK_SQUARE_5(word_of<T>, at, RANK_ORDER)
        return GF_RANK_MEDIAN_5.get();
    } else {
        GF_RANK_SQUARE_7(word_of<T>, at, RANK_ORDER)
        return GF_RANK_MEDIAN_7.get();
    }
}

/* Returns the word `off` bytes after each lane's own; invalid in the last lanes. */
static __device__ __forceinline__ unsigned after(unsigned w, int off)
{
    const unsigned low = __shfl_down_sync(0xffffffffu, w, off / 4);

    return off % 4 == 0 ? low : __funnelshift_r(low, __shfl_down_sync(0xffffffffu, w, off / 4 + 1), off % 4 * 8);
}

/*
 * Computes the minimum or maximum of the square that begins with each lane's word: down the rows,
 * then along them.
 */
template <class T, int SIDE, bool GREATEST>
static __device__ __forceinline__ unsigned extreme_of(const word_of<T> (&rows)[SIDE], int step)
{
    word_of<T> v = rows[0], w;

#pragma unroll
    for (int k = 1; k < SIDE; k++)
        v = pick<T, GREATEST>(v, rows[k]);
#pragma unroll
    for (int have = 1; have < SIDE; have *= 2) {
        w.set(after(v.get(), (2 * have <= SIDE ? have : SIDE - have) * step));
        v = pick<T, GREATEST>(v, w);
    }
    return v.get();
}

/* The position of a warp in the source, which moves down row by row. */
template <class T>
struct walker {
    const unsigned char *row;
    int64_t unit;
    bool inside;                         /* all lanes' words are within a row */

    __device__ __forceinline__ unsigned next(const struct rank_task &t, int64_t s)
    {
        unit++;
        if (unit > 0 && unit < t.src_units && unit < t.end + t.radius)
            row += t.in_pitch * (int64_t)sizeof(T);
        else
            row = row_at(t, unit, (int)sizeof(T));
        if (!inside || row == NULL)
            return word_at<T>(t, row, s);

        const unsigned char *p = row + s * (int64_t)sizeof(T);

        if (sizeof(T) == 4)
            return stored_key<T>(p);

        const unsigned off = (unsigned)((uintptr_t)p & 3);
        const unsigned *q = (const unsigned *)(p - off);

        return __funnelshift_r(q[0], q[1], 8 * off);
    }
};

/*
 * A warp walks down `tile` rows of 32 words. The last words read outside its own columns and give
 * no result. The row after next is loaded while a row is processed. STEP is that of the task, or 0
 * for any.
 */
template <class T, int SIDE, int STEP, enum gf_rank_pick PICK>
static __global__ void __launch_bounds__(32 * RANK_WARPS) walk(const __grid_constant__ struct rank_task t)
{
    __shared__ unsigned sorted[PICK == GF_RANK_MIDDLE ? RANK_WARPS : 1][SIDE][33];
    constexpr int per = word_of<T>::per, bytes = (int)sizeof(T), R = SIDE / 2;
    const int step = STEP > 0 ? STEP : t.step, results = 32 - (2 * R * step + per - 1) / per;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t out = ((int64_t)blockIdx.x * RANK_WARPS + warp) * results * per;
    const int64_t s = out - R * step + lane * per, put = out + lane * per;
    const int64_t y0 = t.first + (int64_t)blockIdx.y * t.tile, end = y0 + t.tile < t.end ? y0 + t.tile : t.end;
    unsigned char *to = t.out + ((y0 - t.first) * t.out_pitch + put) * bytes;
    struct walker<T> from;
    word_of<T> rows[SIDE], column[SIDE];
    unsigned next, w;

    if (out >= t.length)
        return;
    from.unit = y0 - R;
    from.row = row_at(t, from.unit, bytes);
    from.inside = out - R * step >= per && out - R * step + 33 * per <= t.length;
    rows[1].set(word_at<T>(t, from.row, s));
#pragma unroll
    for (int k = 2; k < SIDE; k++)
        rows[k].set(from.next(t, s));
    next = from.next(t, s);
    for (int64_t y = y0; y < end; y++, to += t.out_pitch * bytes) {
#pragma unroll
        for (int k = 0; k + 1 < SIDE; k++)
            rows[k] = rows[k + 1];
        rows[SIDE - 1].set(next);
        next = from.next(t, s);
        if (PICK == GF_RANK_MIDDLE) {
            sort_column<T, SIDE>(rows, column);
#pragma unroll
            for (int k = 0; k < SIDE; k++)
                sorted[PICK == GF_RANK_MIDDLE ? warp : 0][k][lane] = column[k].get();
            __syncwarp();
            w = middle_of<T, SIDE>(sorted[PICK == GF_RANK_MIDDLE ? warp : 0], lane < results ? lane : 0, step * bytes);
            __syncwarp();
        } else {
            w = extreme_of<T, SIDE, PICK == GF_RANK_GREATEST>(rows, step * bytes);
        }
        if (lane >= results)
            continue;
        if (((uintptr_t)to & 3) == 0 && put + per <= t.length && t.channels == t.step)
            *(unsigned *)to = sizeof(T) == 4 ? gf_rank_bits((int)w) : w;
        else if (sizeof(T) < 4)
            put_slowly<T>(t, y, put, w);
    }
}

#endif
