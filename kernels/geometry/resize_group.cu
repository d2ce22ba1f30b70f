/*
 * Resizes on a GPU with short filters: positions are computed in groups of four, down and along, so
 * that a sample is loaded once for all four. This file computes and stores a tile.
 */
#include "kernels/geometry/resize_block_group.cuh"

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
