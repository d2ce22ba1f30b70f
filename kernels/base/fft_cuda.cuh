/*
 * The transforms of kernels/base/fft.h on a GPU. A thread has sixteen points: it does four levels in
 * registers, and threads exchange points through shared memory.
 */
#ifndef GF_KERNELS_FFT_CUDA_CUH
#define GF_KERNELS_FFT_CUDA_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/fft.h"

#define GF_FFT_EACH 16                   /* points of a thread */
#define GF_FFT_THREADS 1024              /* most threads of a transform */

/* A thread among those that transform a node. */
struct gf_fft_lane {
    int log;                             /* the node has 2^log points, 64 or more */
    int thread;                          /* of 2^log / GF_FFT_EACH */
    int node;
    const float2 *turns;                 /* by node */
    const float *last;                   /* turns of the node's tiles */
    float *re, *im;                      /* shared memory for its points: gf_fft_at(points) floats each */
};

/* Returns the place of a point in shared memory: neighbors and every sixteenth point are in different banks. */
GF_BOTH int gf_fft_at(int p)
{
    return p + p / 32;
}

/* Returns the bytes of shared memory for the points of a node. */
GF_BOTH size_t gf_fft_shared_bytes(int log)
{
    return (size_t)gf_fft_at(1 << log) * 2 * sizeof(float);
}

/* Returns the part of a transform that one lane does: thread `thread` of node 2^outer + i. */
static __device__ __forceinline__ struct gf_fft_lane gf_fft_lane_of(const struct gf_fft &f, int log, int outer,
                                                                   int64_t i, int thread, float *room)
{
    struct gf_fft_lane lane;

    lane.log = log;
    lane.thread = thread;
    lane.node = (1 << outer) + (int)i;
    lane.turns = (const float2 *)f.turns;
    lane.last = f.turns + f.points / 4 + (i << log);
    lane.re = room;
    lane.im = room + gf_fft_at(1 << log);
    return lane;
}

/* Makes the compiler compute a thread's places again, instead of keeping them in registers from earlier transforms. */
static __device__ __forceinline__ void gf_fft_forget(struct gf_fft_lane *lane)
{
    asm volatile("" : "+r"(lane->thread));
}

/* Does one level of a node of POINTS points that a thread has, or undoes it; the turn of node i is turns[i]. */
template <int LEVEL, int POINTS, bool BACK>
static __device__ __forceinline__ void gf_fft_level(const float2 *turns, int node, float *re, float *im)
{
    constexpr int half = POINTS >> (LEVEL + 1);

#pragma unroll
    for (int i = 0; i < 1 << LEVEL; i++) {
        const float2 even = turns[(node << LEVEL) + i / 2 * 2];
        const float2 w = LEVEL > 0 && i % 2 ? make_float2(-even.y, even.x) : even;

#pragma unroll
        for (int j = 2 * half * i; j < 2 * half * i + half; j++)
            if (BACK)
                gf_fft_join(re + j, im + j, re + j + half, im + j + half, w.x, w.y);
            else
                gf_fft_split(re + j, im + j, re + j + half, im + j + half, w.x, w.y);
    }
}

/* Does the first LEVELS levels of a node, or undoes them. */
template <int LEVELS, int POINTS, bool BACK>
static __device__ __forceinline__ void gf_fft_levels(const float2 *turns, int node, float *re, float *im)
{
    if constexpr (BACK)
        gf_fft_level<LEVELS - 1, POINTS, true>(turns, node, re, im);
    if constexpr (LEVELS > 1)
        gf_fft_levels<LEVELS - 1, POINTS, BACK>(turns, node, re, im);
    if constexpr (!BACK)
        gf_fft_level<LEVELS - 1, POINTS, false>(turns, node, re, im);
}

/*
 * Does LEVELS levels from `level` on, or undoes them, for the columns of a thread, whose points are 2^apart
 * apart: 4, 8 or 12. get(p, at, re, im) loads point p, and put(p, at, re, im) stores it; `at` is its place in shared
 * memory, which is that of the first point and a constant.
 */
template <int LEVELS, bool BACK, typename Get, typename Put>
static __device__ __forceinline__ void gf_fft_columns(const struct gf_fft_lane &lane, int level, int apart, Get get,
                                                      Put put)
{
#pragma unroll
    for (int k = 0; k < GF_FFT_EACH >> LEVELS; k++) {
        const int column = lane.thread + (k << (lane.log - 4)), block = column >> apart;
        const int first = (block << (apart + LEVELS)) + (column & ((1 << apart) - 1)), at = gf_fft_at(first);
        float re[1 << LEVELS], im[1 << LEVELS];

#pragma unroll
        for (int j = 0; j < 1 << LEVELS; j++)
            get(first + (j << apart), at + (j << apart) + (j << apart >> 5), re[j], im[j]);
        gf_fft_levels<LEVELS, 1 << LEVELS, BACK>(lane.turns, (lane.node << level) + block, re, im);
#pragma unroll
        for (int j = 0; j < 1 << LEVELS; j++)
            put(first + (j << apart), at + (j << apart) + (j << apart >> 5), re[j], im[j]);
    }
}

/* Does so for the first levels of a node, from 1 to 4 of them. */
template <bool BACK, typename Get, typename Put>
static __device__ __forceinline__ void gf_fft_first_columns(const struct gf_fft_lane &lane, int levels, Get get,
                                                            Put put)
{
    const int apart = lane.log - levels;

    switch (levels) {
    case 1: gf_fft_columns<1, BACK>(lane, 0, apart, get, put); break;
    case 2: gf_fft_columns<2, BACK>(lane, 0, apart, get, put); break;
    case 3: gf_fft_columns<3, BACK>(lane, 0, apart, get, put); break;
    default: gf_fft_columns<4, BACK>(lane, 0, apart, get, put); break;
    }
}

/* Does four levels from `level` on. */
template <bool BACK, typename Get, typename Put>
static __device__ __forceinline__ void gf_fft_middle_columns(const struct gf_fft_lane &lane, int level, Get get,
                                                             Put put)
{
    if (lane.log - level == 8)
        gf_fft_columns<4, BACK>(lane, level, 4, get, put);
    else
        gf_fft_columns<4, BACK>(lane, level, 8, get, put);
}

/* The turns of the last three levels of a thread's two nodes of eight points: four pairs of each. */
struct gf_fft_last {
    float2 turn[2][4];
};

static __device__ __forceinline__ struct gf_fft_last gf_fft_last_of(const struct gf_fft_lane &lane)
{
    const float *at = lane.last + lane.thread / 4 * GF_FFT_TILE + lane.thread % 4 * 2;
    struct gf_fft_last last;

#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float2 re = *(const float2 *)(at + 2 * k * GF_FFT_SIDE);
        const float2 im = *(const float2 *)(at + (2 * k + 1) * GF_FFT_SIDE);

        last.turn[0][k] = make_float2(re.x, im.x);
        last.turn[1][k] = make_float2(re.y, im.y);
    }
    return last;
}

/* Does the last three levels of a node of eight points, or undoes them. */
template <bool BACK>
static __device__ __forceinline__ void gf_fft_last_levels(const float2 (&turn)[4], float *re, float *im)
{
    const float2 tree[8] = { {}, turn[0], turn[1], {}, turn[2], {}, turn[3], {} };

    gf_fft_levels<3, GF_FFT_SIDE, BACK>(tree, 1, re, im);
}

/*
 * Transforms the points that get(p, re, im) loads. Value number 16·thread + j of the node is then in
 * re[j], im[j]. All threads of a block must call it, after they have done with shared memory.
 */
template <typename Get>
static __device__ __forceinline__ void gf_fft_lane_forward(struct gf_fft_lane lane, Get get,
                                                           float (&re)[GF_FFT_EACH], float (&im)[GF_FFT_EACH])
{
    gf_fft_forget(&lane);
    const int first = (lane.log - 1) % 4 + 1, last = lane.log - 4;
    const auto load = [&](int, int at, float &r, float &m) { r = lane.re[at], m = lane.im[at]; };
    const auto store = [&](int, int at, float r, float m) { lane.re[at] = r, lane.im[at] = m; };

    gf_fft_first_columns<false>(lane, first, get, store);
    __syncthreads();
    for (int level = first; level < last; level += 4) {
        gf_fft_middle_columns<false>(lane, level, load, store);
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < GF_FFT_EACH; j++)
        load(0, gf_fft_at(GF_FFT_EACH * lane.thread) + j, re[j], im[j]);
    gf_fft_levels<1, GF_FFT_EACH, false>(lane.turns, (lane.node << last) + lane.thread, re, im);
    const struct gf_fft_last turns = gf_fft_last_of(lane);
    gf_fft_last_levels<false>(turns.turn[0], re, im);
    gf_fft_last_levels<false>(turns.turn[1], re + GF_FFT_SIDE, im + GF_FFT_SIDE);
}

/* The inverse: put(p, re, im) stores the points. */
template <typename Put>
static __device__ __forceinline__ void gf_fft_lane_backward(struct gf_fft_lane lane,
                                                            float (&re)[GF_FFT_EACH], float (&im)[GF_FFT_EACH], Put put)
{
    gf_fft_forget(&lane);
    const int first = (lane.log - 1) % 4 + 1, last = lane.log - 4;
    const auto load = [&](int, int at, float &r, float &m) { r = lane.re[at], m = lane.im[at]; };
    const auto store = [&](int, int at, float r, float m) { lane.re[at] = r, lane.im[at] = m; };
    const struct gf_fft_last turns = gf_fft_last_of(lane);

    gf_fft_last_levels<true>(turns.turn[0], re, im);
    gf_fft_last_levels<true>(turns.turn[1], re + GF_FFT_SIDE, im + GF_FFT_SIDE);
    gf_fft_levels<1, GF_FFT_EACH, true>(lane.turns, (lane.node << last) + lane.thread, re, im);
#pragma unroll
    for (int j = 0; j < GF_FFT_EACH; j++)
        store(0, gf_fft_at(GF_FFT_EACH * lane.thread) + j, re[j], im[j]);
    __syncthreads();
    for (int level = last - 4; level >= first; level -= 4) {
        gf_fft_middle_columns<true>(lane, level, load, store);
        __syncthreads();
    }
    gf_fft_first_columns<true>(lane, first, load, put);
}

/*
 * Calls use(j, place) for the values of a thread, two at a time: `place` is where value j of the
 * first node of eight is stored, as gf_fft_place() has it; that of the second node follows.
 */
template <typename Use>
static __device__ __forceinline__ void gf_fft_lane_values(const struct gf_fft_lane &lane, Use use)
{
#pragma unroll
    for (int j = 0; j < GF_FFT_SIDE; j++)
        use(j, lane.thread / 4 * GF_FFT_TILE + j * GF_FFT_SIDE + lane.thread % 4 * 2);
}

#endif
