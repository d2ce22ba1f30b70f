/*
 * Resizes on a GPU with short filters: positions are computed in groups of four, down and along, so
 * that a sample is loaded once for all four. A warp sums four rows into shared memory, where the rows
 * of a column are adjacent; a thread sums four pixels of two rows.
 *
 * Four positions share one table of weights. A sample without a part in a position has weight 0,
 * which keeps sums of stored integers exact. Floats may be infinite, so there the weight is NaN and
 * such a sample is skipped.
 */
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

#define TILES 6                          /* most tiles of a block, one below the other */
#define ROOMY (55 * 1024)                /* bytes of shared memory that leave room for three other blocks */
/* samples of a line for each position, above which a tile has too few positions */
#define DENSE 12

/* ---- and out ---- */

/* On a copy, because a program may move its pixels to memory. */
static __device__ __forceinline__ void run_program(const struct gf_point &store, const float *tables, float (&v)[4][4])
{
    float u[4][4];

#pragma unroll
    for (int i = 0; i < 16; i++)
        u[i / 4][i % 4] = v[i / 4][i % 4];
    gf_program_run<4, 4>(store, tables, u);
#pragma unroll
    for (int i = 0; i < 16; i++)
        v[i / 4][i % 4] = u[i / 4][i % 4];
}

/*
 * Writes four pixels of a row as words that wait to be stored; with planes, all rows of a plane are
 * together.
 */
template <int N>
static __device__ __forceinline__ void stage_pixels(const struct group_task &t, int at, int row, const float (&v)[4][4],
                                                    unsigned *staged)
{
    unsigned *to = staged + row * t.staged;

    if (t.dst.layout == GF_U8) {
#pragma unroll
        for (int i = 0; i < N; i++)
            to[at * N + i] = gf_join4(gf_sample_level(v[4 * i / N][4 * i % N], t.dst),
                                      gf_sample_level(v[(4 * i + 1) / N][(4 * i + 1) % N], t.dst),
                                      gf_sample_level(v[(4 * i + 2) / N][(4 * i + 2) % N], t.dst),
                                      gf_sample_level(v[(4 * i + 3) / N][(4 * i + 3) % N], t.dst));
    } else if (t.dst.layout == GF_U16) {
#pragma unroll
        for (int i = 0; i < 2 * N; i++)
            to[2 * at * N + i] = __byte_perm(gf_sample_level(v[2 * i / N][2 * i % N], t.dst),
                                             gf_sample_level(v[(2 * i + 1) / N][(2 * i + 1) % N], t.dst), 0x5410);
    } else {
        const bool planar = t.dst.layout == GF_PLANES;

#pragma unroll
        for (int i = 0; i < 4 * N; i++)
            to[planar ? i % N * ROWS * t.staged + 4 * at + i / N : 4 * at * N + i] = __float_as_uint(v[i / N][i % N]);
    }
}

static __device__ __forceinline__ void put_rows(const struct group_task &t, const struct tile &tile,
                                                const unsigned *staged)
{
    const bool planar = t.dst.layout == GF_PLANES;
    const int pixel = gf_sample_layout_bytes(t.dst.layout) * (planar ? 1 : t.dst.channels), bytes = tile.places * pixel;

    for (int c = 0; c < (planar ? t.dst.channels : 1); c++)
        for (int row = threadIdx.x / 32; row < tile.rows; row += WARPS) {
            unsigned char *to = gf_block_view_row(t.dst, tile.y + row) + (tile.x + c * t.dst.plane) * pixel;
            const unsigned *from = staged + (c * ROWS + row) * t.staged;
            const int words = (uintptr_t)to % 4 == 0 ? bytes / 4 : 0;

            for (int i = threadIdx.x % 32; i < words; i += 32)
                ((unsigned *)to)[i] = from[i];
            for (int i = 4 * words + threadIdx.x % 32; i < bytes; i += 32)
                to[i] = ((const unsigned char *)from)[i];
        }
}

/* ---- a tile ---- */

template <int T, int C, int TAPS>
static __device__ __forceinline__ void find_columns(struct tile &tile)
{
    const struct group first = tile.along_groups[0], last = tile.along_groups[(tile.places - 1) / 4];
    const int samples = T == GF_PLANES ? 1 : C;

    tile.quad = TAPS > 0 ? (int)(2 * tile.x * C - samples_before<TAPS, C>()) / 4 : first.first * samples / 4;
    tile.quads = ((last.first + last.count) * samples + 3) / 4 - tile.quad;
}

/* Words wait for storing in the memory of the sums. */
template <int T, int C, int TAPS>
static __device__ __forceinline__ void make_tile(const struct group_task &t, const struct gf_point &store,
                                                 const struct tile &tile)
{
    const int pair = threadIdx.x % (ROWS / 2), at = threadIdx.x / (ROWS / 2);
    float v[2][4][4] = {};

    fill_sums<T, C, TAPS>(t, tile);
    __syncthreads();
    if (4 * at < tile.places)
        sum_pixels<T, C, TAPS>(t, tile, at, pair, v);
    __syncthreads();
    if (4 * at < tile.places)
#pragma unroll
        for (int r = 0; r < 2; r++) {
            if (store.count > 0)
                run_program(store, t.tables, v[r]);
            if (C > 1 && t.dst.channels == 1)
                stage_pixels<1>(t, at, 2 * pair + r, v[r], (unsigned *)tile.sums);
            else
                stage_pixels<C>(t, at, 2 * pair + r, v[r], (unsigned *)tile.sums);
        }
    __syncthreads();
    put_rows(t, tile, (unsigned *)tile.sums);
}

template <int T, int C, int TAPS>
static __global__ void __launch_bounds__(THREADS, GF_BLOCKS(4))
resize_groups(const __grid_constant__ struct group_task t, const __grid_constant__ struct gf_point store)
{
    extern __shared__ float4 shared[];
    __shared__ struct group down_groups[TILES * WARPS], along_groups[ACROSS / 4];
    float4 *down = shared, *along = down + t.tiles * WARPS * t.down;
    const float none = T == GF_PLANES ? __uint_as_float(0x7FFFFFFFu) : 0.0f;
    const int64_t first = t.first + (int64_t)blockIdx.y * (t.tiles * ROWS);
    const int rows = (int)min((int64_t)t.tiles * ROWS, t.end - first);
    struct tile tile;

    tile.x = (int64_t)blockIdx.x * t.across;
    tile.places = (int)min((int64_t)t.across, t.width - tile.x);
    tile.along_groups = along_groups;
    tile.along = along;
    tile.sums = (float *)(along + t.across / 4 * t.along);
    fill_groups<TAPS>(t.y, t.y_entries, first, rows, none, t.down, down_groups, down);
    fill_groups<TAPS>(t.x, t.x_entries, tile.x, tile.places, none, t.along, along_groups, along);
    __syncthreads();
    find_columns<T, C, TAPS>(tile);
    for (int done = 0; done < rows; done += ROWS) {
        if (done > 0)
            __syncthreads();
        tile.y = first + done;
        tile.rows = min(ROWS, rows - done);
        tile.down_groups = down_groups + done / 4;
        tile.down = down + done / 4 * t.down;
        make_tile<T, C, TAPS>(t, store, tile);
    }
}

/* ---- a call ---- */

typedef void kernel(const struct group_task, const struct gf_point);

template <int T, int C>
static kernel *kernel_of(int taps)
{
    return taps == 2 ? resize_groups<T, C, 2> : taps == 4 ? resize_groups<T, C, 4> : taps == 8 ? resize_groups<T, C, 8>
         : taps == 12 ? resize_groups<T, C, 12> : resize_groups<T, C, 0>;
}

/* NULL if there is none. */
static kernel *choose_kernel(const struct gf_resize_task *t, int taps)
{
    const int c = t->src.channels;

    switch (t->src.layout) {
    case GF_U8: return c == 1 ? kernel_of<GF_U8, 1>(taps) : c == 3 ? kernel_of<GF_U8, 3>(taps) : NULL;
    case GF_U16: return c == 1 ? kernel_of<GF_U16, 1>(taps) : c == 3 ? kernel_of<GF_U16, 3>(taps) : NULL;
    case GF_F32:
    case GF_PLANES:
        return c == 1 ? resize_groups<GF_PLANES, 1,
               0> : t->src.layout == GF_F32 ? NULL : c == 2 ? resize_groups<GF_PLANES, 2, 0>
             : c == 3 ? resize_groups<GF_PLANES, 3, 0> : c == 4 ? resize_groups<GF_PLANES, 4, 0> : NULL;
    default: return NULL;
    }
}

/* Returns where rows can be read in groups of four samples. */
static bool is_aligned(const struct gf_resize_task *t)
{
    const int64_t four = 4 * gf_sample_layout_bytes(t->src.layout);

    return (int64_t)(uintptr_t)t->src.data % four == 0 && t->src.pitch % 4 == 0 && t->src.plane % 4 == 0;
}

static bool is_made_for(const struct gf_resize_task *t)
{
    const int to = t->dst.layout, channels = t->src.channels;

    return t->x.taps > 0 && t->y.taps > 0 && t->x.taps <= GF_RESIZE_CHUNK && t->y.taps <= GF_RESIZE_CHUNK
        && t->x.in * channels <= DENSE * t->x.out && is_aligned(t)
        && (t->dst.channels == channels || t->dst.channels == 1)
        && (to == GF_U8 || to == GF_U16 || to == GF_F32 || to == GF_PLANES);
}

/*
 * Recognizes filters of gf_resize_fill() that halve both sides and are not cut: returns their
 * number of inputs, otherwise 0.
 */
static int halving_taps(const struct gf_resize_task *t)
{
    const bool halved = t->stored && t->x.in == 2 * t->x.out && t->y.in == 2 * t->y.out && t->x.taps == t->y.taps;
    const int taps = t->x.taps - 1;

    return halved && (taps == 2 || taps == 4 || taps == 8 || taps == 12)
           && 20 * t->src.pitch * 2 < INT64_C(0xFFFFFFFF) ? taps : 0;
}

static int64_t most_of_group(const struct gf_resize_axis *axis, int taps)
{
    return taps > 0 ? 6 + taps : gf_resize_room(axis, 4);
}

/*
 * Returns the bytes of shared memory for t->tiles of t->across positions; computes t->quads and
 * t->staged.
 */
static int64_t shared_bytes(struct group_task *t, int taps)
{
    const int c = t->src.channels, planes = t->src.layout == GF_PLANES ? c : 1, samples = c / planes;
    const int64_t before = taps > 0 ? gf_ceil_div((taps / 2 - 1) * samples, 4) : 1;
    const int64_t columns = taps > 0 ? 2 * t->across - 1 + taps / 2 : gf_resize_room(&t->x, t->across + 1) + 1;
    const int64_t quads = before + gf_ceil_div(columns * samples, 4) + (taps > 0 ? 0 : 1), sums = planes * quads * QUAD;
    const int runs = t->dst.layout == GF_PLANES ? t->dst.channels : 1;
    int64_t staged;

    t->quads = (int)quads;
    t->staged = (t->across * gf_sample_layout_bytes(t->dst.layout) * t->dst.channels / runs / 4) | 1;
    staged = (int64_t)t->staged * ROWS * runs;
    return 4 * (4 * (t->tiles * WARPS * (int64_t)t->down + t->across / 4 * (int64_t)t->along)
                + (sums > staged ? sums : staged));
}

/* Estimates the instructions of a warp for a block of t->tiles. */
static double block_cost(const struct group_task *t)
{
    const int planes = t->src.layout == GF_PLANES ? t->src.channels : 1;
    const double down = (double)(planes * gf_ceil_div(t->quads, 32)) * (60 + 20 * t->down),
                        along = t->along * (4 + 9 * t->src.channels);

    return t->tiles * (down + along + 300) + 400;
}

/*
 * Chooses the tiles that finish first: rounds of blocks that fill the GPU, and half a round,
 * because the last blocks do not end together. False if none fits.
 */
static bool choose_tiles(struct group_task *t, int taps)
{
    int device = 0, processors = 1, across = 0, tiles = 1;
    double least = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    for (t->across = ACROSS; t->across >= 16; t->across -= 4)
        for (t->tiles = 1; t->tiles <= TILES && shared_bytes(t, taps) <= ROOMY; t->tiles++) {
            const int64_t blocks = gf_ceil_div(t->width, t->across) * gf_ceil_div(t->end - t->first, ROWS * t->tiles);
            const double cost = ((double)blocks / (4 * processors) + 0.5) * block_cost(t);

            if (across == 0 || cost < least)
                least = cost, across = t->across, tiles = t->tiles;
        }
    t->across = across;
    t->tiles = tiles;
    return across > 0;
}

int gf_resize_groups(const struct gf_work *work, const struct gf_io *io, const struct gf_resize_task *task,
                     struct gf_error *err)
{
    const int channels = task->src.channels, taps = halving_taps(task);
    kernel *k = choose_kernel(task, taps);
    struct group_task t;
    int64_t bytes;

    (struct gf_resize_task &)t = *task;
    if (k == NULL || !is_made_for(task) || gf_program_widest(io->store, channels) > 4)
        return 1;
    t.down = (int)most_of_group(&t.y, taps), t.along = (int)most_of_group(&t.x, taps);
    if (!choose_tiles(&t, taps))
        return 1;
    bytes = shared_bytes(&t, taps);
    if (bytes > 46 * 1024                /* the groups need more */
        && gf_cuda_allow_shared_memory((const void *)k, err) != 0)
        return -1;
    gf_cuda_launch_rows(t, ROWS * t.tiles, [&](const struct group_task &part, unsigned height) {
        k<<<dim3((unsigned)gf_ceil_div(t.width, t.across), height), THREADS, (size_t)bytes,
            (cudaStream_t)work->stream>>>(part, gf_program(io->store, channels));
    });
    return gf_cuda_launched("resizing", err);
}
