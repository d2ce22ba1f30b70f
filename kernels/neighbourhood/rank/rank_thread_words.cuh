/* Kernels of rank: samples as stored, several in a word, compared in parallel. */
#ifndef GF_KERNELS_RANK_THREAD_WORDS_CUH
#define GF_KERNELS_RANK_THREAD_WORDS_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/neighbourhood/rank/rank.h"

/*
 * Rows of samples: pixels of `step` channels, or one plane (step 1). The block's first row of `in`
 * is unit in_start, that of `out` is unit first.
 */
struct rank_task {
    const unsigned char *in;
    unsigned char *out;
    int64_t in_pitch, out_pitch;         /* samples */
    int64_t in_start, first, end;        /* units */
    int64_t width, length, src_units;    /* pixels and samples of a row, units of the signal */
    int step, radius, channels;
    enum gf_border border;
    int tile;                            /* words of a row that a block reads */
};

/* Words of samples: bytes as two pairs of 16 bits, which the hardware compares in parallel. */
template <class T> struct word_of;

template <> struct word_of<uint8_t> {
    static constexpr int per = 4;
    unsigned a, b;
    __device__ __forceinline__ void set(unsigned w) { a = w & 0x00ff00ffu, b = w >> 8 & 0x00ff00ffu; }
    __device__ __forceinline__ unsigned get() const { return a | b << 8; }
};

template <> struct word_of<uint16_t> {
    static constexpr int per = 2;
    unsigned a;
    __device__ __forceinline__ void set(unsigned w) { a = w; }
    __device__ __forceinline__ unsigned get() const { return a; }
};

/* Floats: keys in registers and in shared memory, bits in global memory. */
template <> struct word_of<float> {
    static constexpr int per = 1;
    int a;
    __device__ __forceinline__ void set(unsigned w) { a = (int)w; }
    __device__ __forceinline__ unsigned get() const { return (unsigned)a; }
};

static __device__ __forceinline__ word_of<uint8_t> less(word_of<uint8_t> x, word_of<uint8_t> y)
{
    return { __vminu2(x.a, y.a), __vminu2(x.b, y.b) };
}

static __device__ __forceinline__ word_of<uint8_t> more(word_of<uint8_t> x, word_of<uint8_t> y)
{
    return { __vmaxu2(x.a, y.a), __vmaxu2(x.b, y.b) };
}

static __device__ __forceinline__ word_of<uint16_t> less(word_of<uint16_t> x, word_of<uint16_t> y)
{
    return { __vminu2(x.a, y.a) };
}

static __device__ __forceinline__ word_of<uint16_t> more(word_of<uint16_t> x, word_of<uint16_t> y)
{
    return { __vmaxu2(x.a, y.a) };
}

static __device__ __forceinline__ word_of<float> less(word_of<float> x, word_of<float> y)
{
    return { min(x.a, y.a) };
}

static __device__ __forceinline__ word_of<float> more(word_of<float> x, word_of<float> y)
{
    return { max(x.a, y.a) };
}

/* ---- load and store ---- */

template <class T>
static __device__ __forceinline__ unsigned stored_key(const unsigned char *p)
{
    if (sizeof(T) == 4)
        return (unsigned)gf_rank_key(*(const unsigned *)p);
    return *(const T *)p;
}

/* Calls, because they are rare and long: the replacements of units and pixels outside the image. */
static __device__ __noinline__ int64_t beyond(enum gf_border border, int64_t i, int64_t n)
{
    return gf_border_index(border, i, n);
}

/*
 * Returns the address of unit y or of its replacement; NULL: zeros. Units that no result needs may
 * not exist; the last one replaces them.
 */
static __device__ __forceinline__ const unsigned char *row_at(const struct rank_task &t, int64_t y, int bytes)
{
    const int64_t last = t.end + t.radius - 1;

    y = y < last ? y : last;
    if (y < 0 || y >= t.src_units)
        y = beyond(t.border, y, t.src_units);
    return y < 0 ? NULL : t.in + (y - t.in_start) * t.in_pitch * bytes;
}

/* Returns sample s of a row, beyond its ends. */
template <class T>
static __device__ __noinline__ unsigned key_beyond(const struct rank_task &t, const unsigned char *row, int64_t s)
{
    const int64_t pixel = (s >= 0 ? s : s - t.step + 1) / t.step, at = gf_border_index(t.border, pixel, t.width);

    return at < 0 ? 0 : stored_key<T>(row + (at * t.step + (s - pixel * t.step)) * (int64_t)sizeof(T));
}

/* Returns sample s of a row, possibly beyond its ends. */
template <class T>
static __device__ __forceinline__ unsigned key_of(const struct rank_task &t, const unsigned char *row, int64_t s)
{
    return s < 0 || s >= t.length ? key_beyond<T>(t, row, s) : stored_key<T>(row + s * (int64_t)sizeof(T));
}

/* Loads the samples from s on one by one. */
template <class T>
static __device__ __noinline__ unsigned word_slowly(const struct rank_task &t, const unsigned char *row, int64_t s)
{
    unsigned w = 0;

#pragma unroll 1
    for (int k = 0; k < word_of<T>::per; k++)
        w |= key_of<T>(t, row, s + k) << (8 * (int)sizeof(T) * k);
    return w;
}

/* Loads the word of samples at p, at any alignment. */
template <class T>
static __device__ __forceinline__ unsigned word_inside(const unsigned char *p)
{
    const unsigned off = (unsigned)((uintptr_t)p & 3);
    const unsigned *q = (const unsigned *)(p - off);

    if (word_of<T>::per == 1)
        return stored_key<T>(p);
    return off == 0 ? q[0] : __funnelshift_r(q[0], q[1], 8 * off);
}

/* Loads the word of samples from s on of a row. */
template <class T>
static __device__ __forceinline__ unsigned word_at(const struct rank_task &t, const unsigned char *row, int64_t s)
{
    constexpr int per = word_of<T>::per;

    if (row == NULL)
        return 0;
    if (s >= (per > 1 ? per : 0) && s + (per > 1 ? 2 * per : 1) <= t.length)
        return word_inside<T>(row + s * (int64_t)sizeof(T));
    return word_slowly<T>(t, row, s);
}

/* Stores samples one by one up to the end of the row; channels that are not ranked are copied. */
template <class T>
static __device__ __noinline__ void put_slowly(const struct rank_task &t, int64_t y, int64_t s, unsigned w)
{
    const T *same = (const T *)t.in + (y - t.in_start) * t.in_pitch;
    T *p = (T *)t.out + (y - t.first) * t.out_pitch;

#pragma unroll 1
    for (int k = 0; k < word_of<T>::per && s < t.length; k++, s++,
         w = sizeof(T) == 4 ? w : w >> (8 * (int)sizeof(T) % 32))
        p[s] = t.channels < t.step && s % t.step >= t.channels ? same[s] : (T)w;
}

/* Stores the word from sample s on. */
template <class T>
static __device__ __forceinline__ void put_word(const struct rank_task &t, int64_t y, int64_t s, unsigned w)
{
    unsigned char *p = t.out + ((y - t.first) * t.out_pitch + s) * (int64_t)sizeof(T);

    if (sizeof(T) == 4) {
        if (s < t.length)
            *(unsigned *)p = gf_rank_bits((int)w);
    } else if (((uintptr_t)p & 3) == 0 && s + word_of<T>::per <= t.length && t.channels == t.step) {
        *(unsigned *)p = w;
    } else {
        put_slowly<T>(t, y, s, w);
    }
}

/* Returns a word of a row in shared memory, `off` bytes after word i. */
static __device__ __forceinline__ unsigned shifted(const unsigned *row, int i, int off)
{
    const unsigned *p = row + i + off / 4;

    return off % 4 == 0 ? p[0] : __funnelshift_r(p[0], p[1], off % 4 * 8);
}

/* ---- minimum and maximum ---- */

#define RANK_WARPS 8                     /* warps of a block, which work independently */
#define RANK_ROWS 16                     /* results down a block */

template <class T, bool GREATEST>
static __device__ __forceinline__ word_of<T> pick(word_of<T> x, word_of<T> y)
{
    return GREATEST ? more(x, y) : less(x, y);
}

/* Loads the word of samples from s on of a unit, some of which may be outside the image. */
template <class T>
static __device__ __noinline__ unsigned word_beyond(const struct rank_task &t, int64_t unit, int64_t s)
{
    return word_at<T>(t, row_at(t, unit, (int)sizeof(T)), s);
}

/* Loads the words from sample s on of several units from `top` on; borders are checked once for all. */
template <class T>
struct word_column {
    const struct rank_task &t;
    const int64_t top, s;
    const unsigned char *first;
    bool inside;

    __device__ __forceinline__ word_column(const struct rank_task &task, int64_t from, int units, int64_t sample)
        : t(task), top(from), s(sample)
    {
        constexpr int per = word_of<T>::per;
        const int64_t there = t.end + t.radius < t.src_units ? t.end + t.radius : t.src_units;

        first = t.in + ((top - t.in_start) * t.in_pitch + s) * (int64_t)sizeof(T);
        inside = top >= 0 && top + units <= there && s >= (per > 1 ? per : 0)
                 && s + (per > 1 ? 2 * per : 1) <= t.length;
    }

    __device__ __forceinline__ unsigned at(int k) const
    {
        return inside ? word_inside<T>(first + k * t.in_pitch * (int64_t)sizeof(T)) : word_beyond<T>(t, top + k, s);
    }
};

/*
 * Works down a column: RUN results that share most of their samples, where RUN is at most the side.
 * The rows common to all are combined once; those above are added upwards, those below downwards.
 */
template <class T, bool GREATEST, int RUN>
static __device__ __forceinline__ void down(const struct rank_task &t, int64_t y, int64_t s, unsigned *to, int pitch)
{
    const int side = 2 * t.radius + 1;
    const struct word_column<T> from(t, y - t.radius, side + RUN - 1, s);
    word_of<T> v[RUN], w, below = {};

    v[RUN - 1].set(from.at(RUN - 1));
    for (int k = RUN; k < side; k++) {
        w.set(from.at(k));
        v[RUN - 1] = pick<T, GREATEST>(v[RUN - 1], w);
    }
#pragma unroll
    for (int k = RUN - 2; k >= 0; k--) {
        w.set(from.at(k));
        v[k] = pick<T, GREATEST>(v[k + 1], w);
    }
    to[0] = v[0].get();
#pragma unroll
    for (int k = 1; k < RUN; k++) {
        w.set(from.at(side + k - 1));
        below = k == 1 ? w : pick<T, GREATEST>(below, w);
        to[k * pitch] = pick<T, GREATEST>(v[k], below).get();
    }
}

/*
 * Processes a tile: down its columns, then along its rows, a row a warp, in shared memory, by
 * windows that double. The last words of a row also combine samples after it, and are not used.
 */
template <class T, bool GREATEST, int RUN>
static __global__ void __launch_bounds__(256, RUN * word_of<T>::per > 32 ? 3 : 4)
extremes(const __grid_constant__ struct rank_task t)
{
    extern __shared__ unsigned tile[];
    constexpr int per = word_of<T>::per, bytes = (int)sizeof(T);
    const int pitch = t.tile + 1, side = 2 * t.radius + 1, halo = 2 * t.radius * t.step;
    const int results = t.tile - (halo + per - 1) / per, lane = threadIdx.x % 32;
    const int64_t out = (int64_t)blockIdx.x * results * per, y0 = t.first + (int64_t)blockIdx.y * RANK_ROWS;

    for (int i = threadIdx.x; i < t.tile; i += blockDim.x)
        for (int r = 0; r < RANK_ROWS && y0 + r < t.end; r += RUN)
            down<T, GREATEST, RUN>(t, y0 + r, out - t.radius * t.step + (int64_t)i * per, tile + r * pitch + i, pitch);
    __syncthreads();
    for (int r = threadIdx.x / 32; r < RANK_ROWS && y0 + r < t.end; r += blockDim.x / 32) {
        unsigned *row = tile + r * pitch;

        for (int have = 1; have < side; have *= 2) {
            const int off = (2 * have <= side ? have : side - have) * t.step * bytes;

            for (int x = lane; x < t.tile; x += 32) {
                const bool within = x + off / 4 < t.tile;        /* samples after the last word belong to no result */
                word_of<T> v, w;

                v.set(row[x]);
                w.set(within ? shifted(row, x, off) : 0u);
                __syncwarp();
                if (within)
                    row[x] = pick<T, GREATEST>(v, w).get();
                __syncwarp();
            }
        }
        for (int x = lane; x < results; x += 32)
            put_word<T>(t, y0 + r, out + (int64_t)x * per, row[x]);
    }
}

#endif
