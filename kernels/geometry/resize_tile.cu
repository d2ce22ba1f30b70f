/*
 * Resizes on a GPU with any ratio and any filter length: a tile is summed down the rows into shared
 * memory, a row a warp, then along the rows, and stored.
 */
#include "kernels/geometry/resize_task.cuh"

#define THREADS 256
#define WARPS (THREADS / 32)
#define TILE_X GF_RESIZE_TOGETHER        /* positions of a tile, two for each thread of a warp */
#define ROOMY (56 * 1024)                /* bytes of shared memory that leave room for three other blocks */

struct tile_task : gf_resize_task {
    int tile_y;
    int pitch;                           /* floats of a row of sums */
    bool weights_shared;                 /* the weights of the columns fit in shared memory, too */
};

/* Sums W words of each row, 32 apart, of which `mine` exist: the taps of one chain. */
template <int T, int W>
static __device__ __forceinline__ void sum_words(const unsigned char *p, int64_t pitch, const float *w,
                                                 int count, int mine,
                                                 float (&acc)[W][words_of<T>::samples])
{
#pragma unroll
    for (int i = 0; i < W; i++)
#pragma unroll
        for (int b = 0; b < words_of<T>::samples; b++)
            acc[i][b] = 0.0f;
#pragma unroll 2
    for (int k = 0; k < count; k++, p += pitch) {
        const float weight = w[k];
        unsigned word[W];

#pragma unroll
        for (int i = 0; i < W; i++)
            word[i] = i < mine ? *(const unsigned *)(p + 128 * i) : 0u;
#pragma unroll
        for (int i = 0; i < W; i++)
#pragma unroll
            for (int b = 0; b < words_of<T>::samples; b++)
                acc[i][b] = __fmaf_rn(weight, part_of<T>(word[i], b), acc[i][b]);
    }
}

/*
 * Sums samples [start, start + count) of a plane that begins `plane` samples later, word by word:
 * sample i goes to to[(i - start)·step]. Words are aligned in memory, so some samples before and
 * after are summed in vain, but none outside the row's `whole`.
 */
template <int T, int W>
static __device__ __forceinline__ void fill_words(const struct tile_task &t, const struct entry &e, int64_t plane,
                                                  int64_t start,
                                                  int count, int64_t whole, float *to, int step)
{
    constexpr int n = words_of<T>::samples;
    const int64_t pitch = t.src.pitch * words_of<T>::bytes, word = start / n;
    const int before = (int)(start - word * n), words = (before + count + n - 1) / n, lane = threadIdx.x % 32;
    const int full = (int)min((int64_t)words, whole / n - word);
    const unsigned char *row = t.src.data + (e.first - t.src.start) * pitch + plane * words_of<T>::bytes;
    float acc[W][n];

    for (int at = lane; at < full; at += 32 * W) {
        const int mine = (full - at + 31) / 32;
        const unsigned char *p = row + 4 * (word + at);

        if (e.w == NULL) {
#pragma unroll
            for (int i = 0; i < W; i++)
#pragma unroll
                for (int b = 0; b < n; b++)
                    acc[i][b] = i < mine ? part_of<T>(*(const unsigned *)(p + 128 * i), b) : 0.0f;
        } else if (e.count <= GF_RESIZE_CHUNK) {
            sum_words<T, W>(p, pitch, e.w, e.count, mine, acc);
        } else {
            float more[W][n];

            sum_words<T, W>(p, pitch, e.w, GF_RESIZE_CHUNK, mine, acc);
            for (int k = GF_RESIZE_CHUNK; k < e.count; k += GF_RESIZE_CHUNK) {
                sum_words<T, W>(p + k * pitch, pitch, e.w + k, min(GF_RESIZE_CHUNK, e.count - k), mine, more);
#pragma unroll
                for (int i = 0; i < W; i++)
#pragma unroll
                    for (int b = 0; b < n; b++)
                        acc[i][b] = __fadd_rn(acc[i][b], more[i][b]);
            }
        }
#pragma unroll
        for (int i = 0; i < W; i++)
#pragma unroll
            for (int b = 0; b < n; b++) {
                const int s = (at + 32 * i) * n + b - before;

                if (i < mine && (unsigned)s < (unsigned)count)
                    to[s * step] = n > 1 ? __fmul_rn(acc[i][b], t.scale) : acc[i][b];
            }
    }
    for (int s = full * n - before + lane; s < count; s += 32)
        if (s >= 0)
            to[s * step] = sum_rows<T>(t, e, plane + start + s);
}

/* Sums four, two or one words at a time: the most that leaves at most a quarter of the work idle. */
template <int T>
static __device__ __forceinline__ void fill_run(const struct tile_task &t, const struct entry &e, int64_t plane,
                                                int64_t start,
                                                int count, int64_t whole, float *to, int step)
{
    constexpr int n = words_of<T>::samples;
    const int rounds = ((int)(start % n) + count + 32 * n - 1) / (32 * n), fours = (rounds + 3) / 4 * 4,
                       pairs = (rounds + 1) / 2 * 2;

    if (4 * (fours - rounds) <= fours)
        fill_words<T, 4>(t, e, plane, start, count, whole, to, step);
    else if (4 * (pairs - rounds) <= pairs)
        fill_words<T, 2>(t, e, plane, start, count, whole, to, step);
    else
        fill_words<T, 1>(t, e, plane, start, count, whole, to, step);
}

/* Sums rows [y, y + rows) of columns [left, left + columns), a row a warp. */
template <int T, int C>
static __device__ __forceinline__ void fill_sums(const struct tile_task &t, int64_t y, int rows, int left,
                                                 int columns, float *sums)
{
    const bool words = T != -1 && (uintptr_t)t.src.data % 4 == 0 && t.src.pitch * words_of<T>::bytes % 4 == 0;

    for (int r = threadIdx.x / 32; r < rows; r += WARPS) {
        const struct entry e = entry_of(t.y, t.y_entries, y + r);
        float *to = sums + r * t.pitch;

        if constexpr (T == GF_PLANES) {
#pragma unroll 1
            for (int c = 0; c < C; c++)
                fill_run<T>(t, e, c * t.src.plane, left, columns, t.src.width, to + c, C);
        } else if constexpr (T != -1) {
            if (words) {
                fill_run<T>(t, e, 0, (int64_t)left * C, columns * C, t.src.width * C, to, 1);
                continue;
            }
        }
        if (T != GF_PLANES)
            for (int s = threadIdx.x % 32; s < columns * C; s += 32)
                to[s] = sum_rows<T>(t, e, (int64_t)left * C + s);
    }
}

/* ---- along them ---- */

/* The weights of the tile's columns, a row for each tap. */
static __device__ __forceinline__ void fill_weights(const struct tile_task &t, int64_t x, int places, float *weights)
{
    for (int p = threadIdx.x / 4; p < places; p += THREADS / 4)
        for (int k = threadIdx.x % 4; k < t.x.taps; k += 4)
            weights[k * TILE_X + p] = t.x_entries[(x + p) * gf_resize_stride(&t.x) + GF_RESIZE_ENTRY + k];
}

/* A thread keeps its column and goes down the rows, two at a time; an odd last row is computed twice. */
template <int C>
static __device__ __forceinline__ void fill_pixels(const struct tile_task &t, int64_t x, int places, int rows, int left,
                                                   const float *sums, const float *weights, float *pixels)
{
    const int p = threadIdx.x % TILE_X;
    float v[2][C];

    if (p >= places)
        return;
    const struct entry e = entry_of(t.x, t.x_entries, x + p);

    for (int r = threadIdx.x / TILE_X * 2; r < rows; r += THREADS / TILE_X * 2) {
        const float *s = sums + r * t.pitch + (e.first - left) * C;
        const int other = r + 1 < rows ? t.pitch : 0;

        if (e.w == NULL) {
#pragma unroll
            for (int i = 0; i < 2 * C; i++)
                v[i / C][i % C] = s[i / C * other + i % C];
        } else if (t.weights_shared) {
            sum_along<C>(s, other, weights + p, TILE_X, e.count, v);
        } else {
            sum_along<C>(s, other, e.w, 1, e.count, v);
        }
#pragma unroll
        for (int i = 0; i < 2 * C; i++)
            if (i < C || other != 0)
                pixels[((r + i / C) * TILE_X + p) * C + i % C] = v[i / C][i % C];
    }
}

/* ---- a tile ---- */

/* Stores four pixels a thread from shared memory. */
template <int C>
static __device__ __forceinline__ void put_pixels(const struct tile_task &t, const struct gf_point &store,
                                                  int64_t x, int64_t y,
                                                  int places, int rows, const float *pixels)
{
    const int p = threadIdx.x % (TILE_X / 4) * 4, some = min(4, places - p);

    if (some <= 0)
        return;
    for (int r = threadIdx.x / (TILE_X / 4); r < rows; r += THREADS / (TILE_X / 4)) {
        const float *from = pixels + (r * TILE_X + p) * C;
        float v[4][4] = {}, u[4 * C];

#pragma unroll
        for (int i = 0; i < C; i++)
            gf_read_four(from + 4 * i, u + 4 * i);
#pragma unroll
        for (int i = 0; i < 4 * C; i++)
            v[i / C][i % C] = u[i];
        if (store.count > 0)
            gf_program_run<4, 4>(store, t.tables, v);
        gf_write4(t.dst, gf_block_view_row(t.dst, y + r), x + p, some, v);
    }
}

template <int T, int C>
static __global__ void __launch_bounds__(THREADS, GF_BLOCKS(4)) resize(const __grid_constant__ struct tile_task t,
                                                                       const __grid_constant__ struct gf_point store)
{
    extern __shared__ float4 shared[];
    float *pixels = (float *)shared, *sums = pixels + t.tile_y * TILE_X * C, *weights = sums + t.tile_y * t.pitch;
    const int64_t x = (int64_t)blockIdx.x * TILE_X, y = t.first + (int64_t)blockIdx.y * t.tile_y;
    const int places = (int)min((int64_t)TILE_X, t.width - x), rows = (int)min((int64_t)t.tile_y, t.end - y);
    const struct entry leftmost = entry_of(t.x, t.x_entries, x), last = entry_of(t.x, t.x_entries, x + places - 1);
    const int left = leftmost.first, columns = last.first + last.count - left;

    if (t.weights_shared)
        fill_weights(t, x, places, weights);
    fill_sums<T, C>(t, y, rows, left, columns, sums);
    __syncthreads();
    fill_pixels<C>(t, x, places, rows, left, sums, weights, pixels);
    __syncthreads();
    put_pixels<C>(t, store, x, y, places, rows, pixels);
}

typedef void kernel(const struct tile_task, const struct gf_point);

template <int C>
static kernel *kernel_of(const struct tile_task *t)
{
    if (t->stored)
        return t->src.layout == GF_U8 ? resize<GF_U8, C> : resize<GF_U16, C>;
    return t->src.layout == GF_PLANES ? resize<GF_PLANES, C> : t->src.layout == GF_F32 ? resize<GF_F32,
           C> : resize<-1, C>;
}

static size_t tile_bytes(const struct tile_task *t, int channels)
{
    return ((size_t)t->tile_y * (t->pitch + TILE_X * channels) + (t->weights_shared ? (size_t)t->x.taps * TILE_X : 0))
           * sizeof(float);
}

/* Chooses the highest tile that leaves room for others, otherwise any that fits. */
static bool choose_tile(struct tile_task *t, int channels)
{
    const int64_t columns = t->x.taps > 0 ? gf_resize_room(&t->x, TILE_X + 1) + 1 : TILE_X;
    const size_t most = gf_cuda_most_shared_memory();

    if (columns > 65536)
        return false;
    t->pitch = (int)(columns < t->src.width ? columns : t->src.width) * channels;
    t->weights_shared = t->x.taps > 0 && t->x.taps <= 128;
    for (int pass = 0; pass < 2; pass++)
        for (t->tile_y = 16; t->tile_y >= (pass == 0 ? 8 : 1); t->tile_y /= 2)
            if (tile_bytes(t, channels) <= (pass == 0 && ROOMY < most ? ROOMY : most))
                return true;
    return false;
}

int gf_resize_tiles(const struct gf_work *work, const struct gf_io *io, const struct gf_resize_task *task,
                    struct gf_error *err)
{
    const int channels = io->src.channels;
    struct tile_task t;
    kernel *k;
    size_t bytes;

    (struct gf_resize_task &)t = *task;
    if (channels > 4 || io->dst.channels > 4 || gf_program_widest(io->store, channels) > 4
        || !choose_tile(&t, channels))
        return 1;
    k = channels == 1 ? kernel_of<1>(&t) : channels == 2 ? kernel_of<2>(&t) : channels == 3 ? kernel_of<3>(&t)
        : kernel_of<4>(&t);
    bytes = tile_bytes(&t, channels);
    if (bytes > 48 * 1024 && gf_cuda_allow_shared_memory((const void *)k, err) != 0)
        return -1;
    gf_cuda_launch_rows(t, t.tile_y, [&](const struct tile_task &part, unsigned height) {
        k<<<dim3((unsigned)gf_ceil_div(t.width, TILE_X), height), THREADS, bytes, (cudaStream_t)work->stream>>>(
            part, gf_program(io->store, channels));
    });
    return gf_cuda_launched("resizing", err);
}
