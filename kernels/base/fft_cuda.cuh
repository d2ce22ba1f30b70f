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
    int64_t node;
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
    lane.node = (INT64_C(1) << outer) + i;
    lane.turns = (const float2 *)f.turns;
    lane.last = f.turns + f.points / 4 + (i << log);
    lane.re = room;
    lane.im = room + gf_fft_at(1 << log);
    return lane;
}

/* Does LEVELS levels of a node of POINTS points that a thread has, or undoes them; the turn of node i is turns[i]. */
template <int LEVELS, int POINTS, bool BACK>
static __device__ __forceinline__ void gf_fft_levels(const float2 *turns, int64_t node, float *re, float *im)
{
#pragma unroll
    for (int k = 0; k < LEVELS; k++)
#pragma unroll
        for (int i = 0; i < 1 << (BACK ? LEVELS - 1 - k : k); i++) {
            const int level = BACK ? LEVELS - 1 - k : k, half = POINTS >> (level + 1), first = 2 * half * i;
            const float2 even = turns[(node << level) + i / 2 * 2];
            const float2 w = level > 0 && i % 2 ? make_float2(-even.y, even.x) : even;

#pragma unroll
            for (int j = first; j < first + half; j++)
                if (BACK)
                    gf_fft_join(re + j, im + j, re + j + half, im + j + half, w.x, w.y);
                else
                    gf_fft_split(re + j, im + j, re + j + half, im + j + half, w.x, w.y);
        }
}

/*
 * Does LEVELS levels from `level` on, or undoes them, for the columns of a thread. get(p, re, im) loads
 * point p, and put(p, re, im) stores it.
 */
template <int LEVELS, bool BACK, typename Get, typename Put>
static __device__ __forceinline__ void gf_fft_columns(const struct gf_fft_lane &lane, int level, Get get, Put put)
{
    const int apart = lane.log - level - LEVELS;         /* log2 of the distance of a column's points */

#pragma unroll
    for (int k = 0; k < GF_FFT_EACH >> LEVELS; k++) {
        const int column = lane.thread + (k << (lane.log - 4)), block = column >> apart;
        const int first = (block << (apart + LEVELS)) + (column & ((1 << apart) - 1));
        float re[1 << LEVELS], im[1 << LEVELS];

#pragma unroll
        for (int j = 0; j < 1 << LEVELS; j++)
            get(first + (j << apart), re[j], im[j]);
        gf_fft_levels<LEVELS, 1 << LEVELS, BACK>(lane.turns, (lane.node << level) + block, re, im);
#pragma unroll
        for (int j = 0; j < 1 << LEVELS; j++)
            put(first + (j << apart), re[j], im[j]);
    }
}

/* Does so for the first levels of a node, from 1 to 4 of them. */
template <bool BACK, typename Get, typename Put>
static __device__ __forceinline__ void gf_fft_first_columns(const struct gf_fft_lane &lane, int levels, Get get,
                                                            Put put)
{
    switch (levels) {
    case 1: gf_fft_columns<1, BACK>(lane, 0, get, put); break;
    case 2: gf_fft_columns<2, BACK>(lane, 0, get, put); break;
    case 3: gf_fft_columns<3, BACK>(lane, 0, get, put); break;
    default: gf_fft_columns<4, BACK>(lane, 0, get, put); break;
    }
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

/* Returns the turns of three levels as those of nodes 1 to 7, of which only even ones and the first are read. */
static __device__ __forceinline__ void gf_fft_last_tree(const struct gf_fft_last &last, int node, float2 (&tree)[8])
{
    tree[1] = last.turn[node][0];
    tree[2] = last.turn[node][1];
    tree[4] = last.turn[node][2];
    tree[6] = last.turn[node][3];
}

/*
 * Transforms the points that get(p, re, im) loads. Value number 16·thread + j of the node is then in
 * re[j], im[j]. All threads of a block must call it, after they have done with shared memory.
 */
template <typename Get>
static __device__ __forceinline__ void gf_fft_lane_forward(const struct gf_fft_lane &lane, Get get,
                                                           float (&re)[GF_FFT_EACH], float (&im)[GF_FFT_EACH])
{
    const int first = (lane.log - 1) % 4 + 1, last = lane.log - 4;
    const auto load = [&](int p, float &r, float &m) { r = lane.re[gf_fft_at(p)], m = lane.im[gf_fft_at(p)]; };
    const auto store = [&](int p, float r, float m) { lane.re[gf_fft_at(p)] = r, lane.im[gf_fft_at(p)] = m; };

    gf_fft_first_columns<false>(lane, first, get, store);
    __syncthreads();
    for (int level = first; level < last; level += 4) {
        gf_fft_columns<4, false>(lane, level, load, store);
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < GF_FFT_EACH; j++)
        load(GF_FFT_EACH * lane.thread + j, re[j], im[j]);
    gf_fft_levels<1, GF_FFT_EACH, false>(lane.turns, (lane.node << last) + lane.thread, re, im);
    const struct gf_fft_last turns = gf_fft_last_of(lane);
#pragma unroll
    for (int node = 0; node < 2; node++) {
        float2 tree[8];

        gf_fft_last_tree(turns, node, tree);
        gf_fft_levels<3, GF_FFT_SIDE, false>(tree, 1, re + node * GF_FFT_SIDE, im + node * GF_FFT_SIDE);
    }
}

/* The inverse: put(p, re, im) stores the points. */
template <typename Put>
static __device__ __forceinline__ void gf_fft_lane_backward(const struct gf_fft_lane &lane,
                                                            float (&re)[GF_FFT_EACH], float (&im)[GF_FFT_EACH], Put put)
{
    const int first = (lane.log - 1) % 4 + 1, last = lane.log - 4;
    const auto load = [&](int p, float &r, float &m) { r = lane.re[gf_fft_at(p)], m = lane.im[gf_fft_at(p)]; };
    const auto store = [&](int p, float r, float m) { lane.re[gf_fft_at(p)] = r, lane.im[gf_fft_at(p)] = m; };
    const struct gf_fft_last turns = gf_fft_last_of(lane);

#pragma unroll
    for (int node = 0; node < 2; node++) {
        float2 tree[8];

        gf_fft_last_tree(turns, node, tree);
        gf_fft_levels<3, GF_FFT_SIDE, true>(tree, 1, re + node * GF_FFT_SIDE, im + node * GF_FFT_SIDE);
    }
    gf_fft_levels<1, GF_FFT_EACH, true>(lane.turns, (lane.node << last) + lane.thread, re, im);
#pragma unroll
    for (int j = 0; j < GF_FFT_EACH; j++)
        store(GF_FFT_EACH * lane.thread + j, re[j], im[j]);
    __syncthreads();
    for (int level = last - 4; level >= first; level -= 4) {
        gf_fft_columns<4, true>(lane, level, load, store);
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
