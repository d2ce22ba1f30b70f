/*
 * Four positions by four: a warp sums four rows into shared memory, where the rows of a column are
 * adjacent; a thread sums four pixels of two rows.
 * Four positions share one table of weights. A sample without a part in a position has weight 0,
 * which keeps sums of stored integers exact. Floats may be infinite, so there the weight is NaN and
 * such a sample is skipped.
 */
#ifndef GF_KERNELS_RESIZE_BLOCK_GROUP_CUH
#define GF_KERNELS_RESIZE_BLOCK_GROUP_CUH

#include "kernels/geometry/resize_task.cuh"

#define THREADS 256
#define WARPS (THREADS / 32)
#define ROWS (4 * WARPS)                 /* rows of a tile */
#define ACROSS GF_RESIZE_TOGETHER        /* most positions of a tile: four for each thread */
#define QUAD (4 * ROWS + 4)              /* floats of four samples' sums; four more avoid bank conflicts */

struct group_task : gf_resize_task {
    int across;                          /* positions of a tile */
    /* tiles of a block, which loads the weights of its columns once for all of them */
    int tiles;
    int quads;                           /* most groups of four samples in a line of sums */
    int down, along;                     /* most inputs of a group */
    int staged;                          /* words of a row that waits to be stored, an odd number */
};

/*
 * If each position is two inputs after the previous one and has TAPS inputs, four positions have
 * 2·3 + TAPS inputs, and the compiler knows which inputs belong to which position. They begin TAPS
 * / 2 - 1 before twice the first position, also outside the border. TAPS 0: any ratio.
 */
template <int TAPS>
static __device__ constexpr bool has_part(int k, int place)
{
    return TAPS == 0 || (k >= 2 * place && k < 2 * place + TAPS);
}

template <int TAPS, int C>
/* twice the first position of a group, a multiple of four */
static __host__ __device__ constexpr int samples_before()
{
    return TAPS == 0 ? 0 : ((TAPS / 2 - 1) * C + 3) / 4 * 4;
}

/* Four positions: their inputs, of which those in [low, high) exist. */
struct group {
    int first, count, low, high;
};

/* A tile, and its parts in shared memory. */
struct tile {
    int64_t x, y;
    int places, rows;
    int quad, quads;                     /* groups of four samples from the beginning of the row; may be outside */
    const struct group *down_groups, *along_groups;
    const float4 *down, *along;          /* weights of an input in the four positions of a group */
    float *sums;
};

/* ---- groups and their weights ---- */

/* Eight lanes for a group; each lane computes every eighth input. */
template <int TAPS>
static __device__ __forceinline__ void fill_groups(const struct gf_resize_axis &axis, const float *entries,
                                                   int64_t start, int places,
                                                   float none, int most, struct group *groups, float4 *weights)
{
    for (int at = threadIdx.x / 8; 4 * at < places; at += THREADS / 8) {
        const int64_t place = start + 4 * at;
        const int some = min(4, places - 4 * at);
        struct entry e[4];
        struct group g;

#pragma unroll
        for (int i = 0; i < 4; i++)
            e[i] = entry_of(axis, entries, place + min(i, some - 1));
        g.low = e[0].first;
        g.high = e[3].first + e[3].count;
        g.first = TAPS > 0 ? (int)(2 * place) + 1 - TAPS / 2 : g.low;
        g.count = TAPS > 0 ? 6 + TAPS : g.high - g.low;
        if (threadIdx.x % 8 == 0)
            groups[at] = g;
        for (int k = threadIdx.x % 8; k < g.count; k += 8) {
            float w[4];

#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int tap = g.first + k - e[i].first;

                w[i] = i < some && (unsigned)tap < (unsigned)e[i].count ? e[i].w[tap] : none;
            }
            weights[at * most + k] = make_float4(w[0], w[1], w[2], w[3]);
        }
    }
}

/* ---- down the rows ---- */

template <int T>
static __device__ __forceinline__ void read_quad(const unsigned char *p, float (&v)[4])
{
    if (T == GF_U8) {
        const unsigned word = *(const unsigned *)p;

#pragma unroll
        for (int b = 0; b < 4; b++)
            v[b] = part_of<GF_U8>(word, b);
    } else if (T == GF_U16) {
        const uint2 words = *(const uint2 *)p;

        v[0] = part_of<GF_U16>(words.x, 0), v[1] = part_of<GF_U16>(words.x, 1);
        v[2] = part_of<GF_U16>(words.y, 0), v[3] = part_of<GF_U16>(words.y, 1);
    } else {
        gf_read_four((const float *)p, v);
    }
}

/* Adds a sample to one of four positions. */
template <int T>
static __device__ __forceinline__ void weigh(float w, float v, float &sum)
{
    if (T != GF_PLANES || w == w)
        sum = __fmaf_rn(w, v, sum);
}

/* Loads four rows of four samples; row k of the group is at[k] bytes further, or k pitches. */
template <int T, int TAPS>
static __device__ __forceinline__ void sum_quad(const unsigned char *p, int64_t pitch, const unsigned *at,
                                                const float4 *weights, int count,
                                                float (&acc)[4][4])
{
#pragma unroll
    for (int i = 0; i < 16; i++)
        acc[i / 4][i % 4] = 0.0f;
#pragma unroll (TAPS > 0 ? 6 + TAPS : 4)
    for (int k = 0; k < (TAPS > 0 ? 6 + TAPS : count); k++) {
        const float4 w = weights[k];
        float v[4];

        read_quad<T>(TAPS > 0 ? p + at[k] : p + k * pitch, v);
#pragma unroll
        for (int b = 0; b < 4; b++) {
            if (has_part<TAPS>(k, 0))
                weigh<T>(w.x, v[b], acc[b][0]);
            if (has_part<TAPS>(k, 1))
                weigh<T>(w.y, v[b], acc[b][1]);
            if (has_part<TAPS>(k, 2))
                weigh<T>(w.z, v[b], acc[b][2]);
            if (has_part<TAPS>(k, 3))
                weigh<T>(w.w, v[b], acc[b][3]);
        }
    }
}

/* Sums whole groups of four samples of a line: a packed row, or a row of a plane. */
template <int T, int TAPS>
static __device__ __forceinline__ void fill_line(const struct group_task &t, const struct tile &tile, int64_t plane,
                                                 int full, float *sums)
{
    constexpr int bytes = T == GF_U8 ? 1 : T == GF_U16 ? 2 : 4;
    const int warp = threadIdx.x / 32;
    const int64_t pitch = t.src.pitch * bytes;
    const struct group g = tile.down_groups[warp];
    const unsigned char *row = t.src.data + (g.low - t.src.start) * pitch + plane * bytes;
    unsigned at[TAPS > 0 ? 6 + TAPS : 1];
    float acc[4][4];

    if (TAPS > 0)
#pragma unroll
        for (int k = 0; k < 6 + TAPS; k++)
            at[k] = (unsigned)(min(max(g.first + k, g.low), g.high - 1) - g.low) * (unsigned)pitch;
    for (int q = threadIdx.x % 32; q < tile.quads; q += 32) {
        float *to = sums + q * QUAD + 4 * warp;

        if ((unsigned)(tile.quad + q) >= (unsigned)full)
            continue;
        sum_quad<T, TAPS>(row + (int64_t)(tile.quad + q) * 4 * bytes, pitch, at, tile.down + warp * t.down,
                          g.count, acc);
#pragma unroll
        for (int b = 0; b < 4; b++) {
#pragma unroll
            for (int r = 0; r < 4; r++)
                acc[b][r] = T == GF_PLANES ? acc[b][r] : __fmul_rn(acc[b][r], t.scale);
            *(float4 *)(to + b * ROWS) = make_float4(acc[b][0], acc[b][1], acc[b][2], acc[b][3]);
        }
    }
}

/*
 * Sums the samples after the last whole group of a line. Values outside the line do not count, but
 * must be numbers.
 */
template <int T>
static __device__ __forceinline__ void fill_ends(const struct group_task &t, const struct tile &tile, int64_t plane,
                                                 int64_t whole, float *sums)
{
    const int row = threadIdx.x % 32, full = (int)(whole / 4);

    for (int s = threadIdx.x / 32; s < 4 * tile.quads; s += WARPS) {
        const int64_t i = 4 * (int64_t)tile.quad + s;

        if (i >= 0 && i < 4 * (int64_t)full)
            continue;
        sums[s * ROWS + (s & ~3) + row] =
            i >= 0 && i < whole && row < tile.rows ? sum_rows<T>(t, entry_of(t.y, t.y_entries, tile.y + row), plane + i)
                : 0.0f;
    }
}

template <int T, int C, int TAPS>
static __device__ __forceinline__ void fill_sums(const struct group_task &t, const struct tile &tile)
{
    constexpr int planes = T == GF_PLANES ? C : 1;
    const int64_t whole = t.src.width * (C / planes);
    const int full = (int)(whole / 4);

    for (int c = 0; c < planes; c++) {
        float *sums = tile.sums + c * t.quads * QUAD;

        if (4 * (int)(threadIdx.x / 32) < tile.rows)
            fill_line<T, TAPS>(t, tile, c * t.src.plane, full, sums);
        if (tile.quad < 0 || tile.quad + tile.quads > full)
            fill_ends<T>(t, tile, c * t.src.plane, whole, sums);
    }
}

/* ---- along them ---- */

/* Sums four pixels of rows 2·pair and 2·pair + 1. */
template <int T, int C, int TAPS>
static __device__ __forceinline__ void sum_pixels(const struct group_task &t, const struct tile &tile, int at, int pair,
                                                  float (&v)[2][4][4])
{
    constexpr bool planar = T == GF_PLANES;
    const struct group g = tile.along_groups[at];
    const float4 *weights = tile.along + at * t.along;
    const int base = TAPS > 0 ? 8 * at * C + samples_before<TAPS, C>() : g.first * (planar ? 1 : C) - 4 * tile.quad;
    const float *sums = tile.sums + 2 * pair + (TAPS > 0 ? base * (ROWS + 1) : 0);

#pragma unroll (TAPS > 0 ? 6 + TAPS : 2)
    for (int k = 0; k < (TAPS > 0 ? 6 + TAPS : g.count); k++) {
        const float4 w = weights[k];

#pragma unroll
        for (int c = 0; c < C; c++) {
            const int s = TAPS > 0 ? (1 - TAPS / 2 + k) * C + c : planar ? base + 4 * c * t.quads
                          + k : base + k * C + c;
            const float2 two = *(const float2 *)(sums + s * ROWS + (s & ~3));

#pragma unroll
            for (int r = 0; r < 2; r++) {
                const float sum = r == 0 ? two.x : two.y;

                if (has_part<TAPS>(k, 0))
                    weigh<T>(w.x, sum, v[r][0][c]);
                if (has_part<TAPS>(k, 1))
                    weigh<T>(w.y, sum, v[r][1][c]);
                if (has_part<TAPS>(k, 2))
                    weigh<T>(w.z, sum, v[r][2][c]);
                if (has_part<TAPS>(k, 3))
                    weigh<T>(w.w, sum, v[r][3][c]);
            }
        }
    }
}

#endif
