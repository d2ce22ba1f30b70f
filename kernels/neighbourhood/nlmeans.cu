/*
 * Non-local means on a GPU: integers of a tile and its surroundings in shared memory. For each offset, threads first
 * sum the columns of patches, one column each, and then whole patches of eight pixels each. Sums have 32 bits, so
 * only the last one is limited: it reaches `end` whenever one of its parts does. The offset 0 needs no exception: its
 * patches are equal, so the pixel itself gets the full weight.
 */
#include "kernels/neighbourhood/nlmeans.h"

#include "kernels/base/program_buffers.cuh"

#define THREADS 128                      /* columns whose squared differences are summed */
#define ROWS 8                           /* of the result for a block */
#define QUAD 4                           /* adjacent pixels of a thread, in two rows */
#define BOTH 2                           /* rows of a thread */
#define SUMS (ROWS * THREADS + QUAD * QUAD)  /* of columns */

struct nlmeans_task {
    struct gf_block_view src, dst;
    struct gf_nlmeans m;
    const struct gf_nlmeans_scale *scale;
    int first_channel;                   /* of the group */
    int tile, pitch;                     /* pixels of the result across, and integers of a row in shared memory */
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
    struct gf_block_view image;          /* an image of the window */
    unsigned char *data[GF_MOST_FRAMES]; /* of each of them */
    int images, now;                     /* 1 and 0 without a window */
};

static __host__ __device__ __forceinline__ int rows_around(const struct gf_nlmeans &m)
{
    return ROWS + 2 * (m.search + m.patch);
}

/* Rows of the tile with the patches of its pixels. In a window of frames they are in shared memory twice. */
static __host__ __device__ __forceinline__ int rows_of_patches(const struct gf_nlmeans &m)
{
    return ROWS + 2 * m.patch;
}

/* Returns the difference of two integers; those with `bits` above 0 are LIMITED. */
template <bool LIMITED>
static __device__ __forceinline__ int difference(int a, int b, int most, int bits)
{
    return LIMITED ? min(max(a - b, -most), most) << bits : a - b;
}

static __device__ __forceinline__ short integer(float v, float steps)
{
    const float most = GF_NLMEANS_LARGEST, at = __fmul_rn(__fsub_rn(v, 0.5f), steps), low = at > -most ? at : -most;

    return (short)__float2int_rn(low < most ? low : most);
}

/*
 * Fills u with `rows` rows of integers around the tile at (left, top), from row `first` on. The channels of a row
 * follow each other. Those that no result needs may not exist.
 */
template <int C>
static __device__ void fill_integers(const struct nlmeans_task &t, const struct gf_block_view &from, short *u,
                                     int64_t left, int64_t top, int first, int rows, float steps)
{
    const int around = t.m.search + t.m.patch;
    const int64_t last = t.end - 1 + around, beyond = t.width - 1 + around;

    for (int r = 0; r < rows; r++) {
        const int64_t unit = gf_border_index(t.m.border, min(top - around + first + r, last), t.src_units);

        for (int i = threadIdx.x; i < t.pitch; i += THREADS) {
            const int64_t at = gf_border_index(t.m.border, min(left - around + i, beyond), t.width);

#pragma unroll
            for (int c = 0; c < C; c++)
                u[(r * C + c) * t.pitch + i]
                    = integer(unit < 0 || at < 0 ? 0.0f
                              : gf_sample_get(from, gf_block_view_row(from, unit),
                                              gf_sample_index(from, at, t.first_channel + c)), steps);
        }
    }
}

/* Fills u with the integers of the patches of the tile, or with all around it if there is no window. */
template <int C>
static __device__ void fill_first(const struct nlmeans_task &t, short *u, int64_t left, int64_t top, float steps)
{
    const bool window = t.images > 1;

    fill_integers<C>(t, t.src, u, left, top, window ? t.m.search : 0, window ? rows_of_patches(t.m) : rows_around(t.m),
                     steps);
}

/* Fills u with all integers around the tile, from an image of the window. */
template <int C>
static __device__ void fill_image(const struct nlmeans_task &t, int image, short *u, int64_t left, int64_t top,
                                  float steps)
{
    struct gf_block_view from = image == t.now ? t.src : t.image;

    if (image != t.now)
        from.data = t.data[image];
    __syncthreads();                     /* the integers of the previous image are no longer in use */
    fill_integers<C>(t, from, u, left, top, 0, rows_around(t.m), steps);
    __syncthreads();
}

/* Reads N integers of a column or a row. */
template <int N>
static __device__ __forceinline__ void read_integers(const short *from, int step, int *to)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        to[i] = from[i * step];
}

/* Moves a column on by a row, so that only its last integer is read. */
template <int N>
static __device__ __forceinline__ void move_on(int (&column)[N], short last)
{
#pragma unroll
    for (int i = 0; i + 1 < N; i++)
        column[i] = column[i + 1];
    column[N - 1] = last;
}

/*
 * Sums the columns of patches of the ROWS rows of the tile, for the column whose first sample is p: `sums` gets the
 * sums of the outer square, and SUMS further on those that also have the inner square, all of them negative. With one
 * channel, `own` is the column, and `other` the one at p + to.
 */
template <int C, int P, bool LIMITED>
static __device__ __forceinline__ void sum_columns(const struct nlmeans_task &t, const short *p, int to, int most,
                                                   int bits, const int (&own)[ROWS + 2 * P],
                                                   const int (&other)[ROWS + 2 * P], int *sums)
{
    int s[ROWS + 2 * P], sum = 0;

#pragma unroll
    for (int r = 0; r < ROWS + 2 * P; r++) {
        s[r] = 0;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const short *q = p + (r * C + c) * t.pitch;
            const int e = difference<LIMITED>(C == 1 ? other[r] : q[to], C == 1 ? own[r] : q[0], most, bits);

            s[r] -= e * e >> 16;
        }
        sum += s[r] - (r > 2 * P ? s[r > 2 * P ? r - 2 * P - 1 : 0] : 0);
        if (r >= 2 * P) {
            const int y = r - P;

            sums[(r - 2 * P) * THREADS] = sum;
            if (P > 1)
                sums[SUMS + (r - 2 * P) * THREADS]
                    = sum + (s[y - (P > 0)] + s[y] + s[y + (P > 0)]) * GF_NLMEANS_INNER;
        }
    }
}

/* Reads the sums of N columns. */
template <int N>
static __device__ __forceinline__ void read_columns(const int *from, int *to)
{
#pragma unroll
    for (int i = 0; i < N; i += QUAD) {
        const int4 four = *(const int4 *)(from + i);

        to[i] = four.x, to[i + 1] = four.y, to[i + 2] = four.z, to[i + 3] = four.w;
    }
}

/* Adds sums of columns up to those of patches of four adjacent pixels. */
template <int P>
static __device__ __forceinline__ void sum_patches(const int *sums, int (&sum)[QUAD])
{
    int o[2 * QUAD + 2 * GF_NLMEANS_MAX_PATCH], m[2 * QUAD + 2 * GF_NLMEANS_MAX_PATCH];

    read_columns<QUAD + 2 * P>(sums, o);
    if (P > 1)
        read_columns<QUAD + P + 1>(sums + SUMS, m);
#pragma unroll
    for (int k = 0; k < QUAD; k++) {
        sum[k] = 0;
#pragma unroll
        for (int i = 0; i <= 2 * P; i++)
            sum[k] += P > 1 && i >= P - 1 && i <= P + 1 ? m[k + i] : o[k + i];
    }
}

/*
 * Adds the pixels at p + to, weighted by the similarity of their patches, of which `sums` has the columns; `half`
 * rounds up or down. With one channel, `own` are those at p.
 */
template <int C, int P, bool LIMITED>
static __device__ __forceinline__ void add_pixels(const struct nlmeans_task &t, const int *sums, const short *p, int to,
                                                  int half, int most, int bits, int fall, int times,
                                                  const int (&own)[QUAD], int (&sum)[QUAD][C + 1])
{
    int patch[QUAD];

    sum_patches<P>(sums, patch);
#pragma unroll
    for (int k = 0; k < QUAD; k++) {
        const int left = max(min(patch[k] + GF_NLMEANS_END, fall), 0);
        const int w = (int)gf_nlmeans_weight((unsigned)(left * times));

        sum[k][C] += w;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const short *q = p + c * t.pitch + k;

            sum[k][c] += (w * difference<LIMITED>(q[to], C == 1 ? own[k] : q[0], most, bits) + half) >> 15;
        }
    }
}

/* Stores the results of four pixels of row y from column x on. */
template <int C>
static __device__ __forceinline__ void store(const struct nlmeans_task &t, int64_t x, int64_t y, float value,
                                             const int (&sum)[QUAD][C + 1])
{
    unsigned char *to = gf_block_view_row(t.dst, y);
    const unsigned char *from = gf_block_view_row(t.src, y);

#pragma unroll
    for (int k = 0; k < QUAD; k++) {
        if (x + k >= t.width)
            break;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const float v = gf_sample_get(t.src, from, gf_sample_index(t.src, x + k, t.first_channel + c));
            const float mean = __fdiv_rn(__int2float_rn(sum[k][c]), __int2float_rn(sum[k][C]));

            gf_sample_put(t.dst, to, gf_sample_index(t.dst, x + k, t.first_channel + c),
                          __fadd_rn(v, __fmul_rn(mean, value)));
        }
        for (int c = t.m.channels; t.first_channel == 0 && c < t.dst.channels; c++)
            gf_sample_put(t.dst, to, gf_sample_index(t.dst, x + k, c),
                          gf_sample_get(t.src, from, gf_sample_index(t.src, x + k, c)));
    }
}

template <int C, int P, bool LIMITED>
static __device__ __forceinline__ void find_means(const struct nlmeans_task &t, const struct gf_nlmeans_scale &scale,
                                                  int *sums, short *u)
{
    const int search = t.m.search, bits = (int)scale.bits, most = 32767 >> bits, fall = (int)scale.fall,
              times = 65535 / fall, pitch = C * t.pitch;
    const int64_t left = (int64_t)blockIdx.x * t.tile, top = t.first + (int64_t)blockIdx.y * ROWS;
    const int quad = threadIdx.x % (THREADS / QUAD) * QUAD, row = threadIdx.x / (THREADS / QUAD) * BOTH;
    /* in a window, images take turns in `around`, and the patches of the tile remain before it */
    short *around = t.images > 1 ? u + rows_of_patches(t.m) * pitch : u;
    short *patches = t.images > 1 ? u : u + search * pitch;
    /* the first samples of the column of this thread, and of its pixels */
    const short *column = patches + search + min((int)threadIdx.x, t.tile + 2 * P - 1);
    const short *pixel = patches + (P + row) * pitch + search + P + quad;
    int own_column[ROWS + 2 * P], own[BOTH][QUAD], sum[BOTH][QUAD][C + 1] = { };

    fill_first<C>(t, u, left, top, scale.steps);
    __syncthreads();
    read_integers<ROWS + 2 * P>(column, pitch, own_column);
#pragma unroll
    for (int j = 0; j < BOTH; j++)
        read_integers<QUAD>(pixel + j * pitch, 1, own[j]);
    for (int k = 0; k < t.images; k++) {
        if (t.images > 1)
            fill_image<C>(t, k, around, left, top, scale.steps);
        for (int dx = -search; dx <= search; dx++) {
            int to = (int)(around - patches) + dx, other[ROWS + 2 * P];

            if (C == 1)
                read_integers<ROWS + 2 * P - 1>(column + to, pitch, other + 1);
            for (int dy = -search; dy <= search; dy++, to += pitch) {
                /* halves are rounded up after the pixel itself */
                const int half = (1 << 14) - !(k != t.now || dy > 0 || (dy == 0 && dx > 0));

                if (C == 1)
                    move_on(other, column[to + (ROWS + 2 * P - 1) * pitch]);
                __syncthreads();         /* the sums of the previous offset are no longer in use */
                sum_columns<C, P, LIMITED>(t, column, to, most, bits, own_column, other, sums + threadIdx.x);
                __syncthreads();
#pragma unroll
                for (int j = 0; quad < t.tile && j < BOTH; j++)
                    add_pixels<C, P, LIMITED>(t, sums + (row + j) * THREADS + quad, pixel + j * pitch, to, half, most,
                                              bits, fall, times, own[j], sum[j]);
            }
        }
    }
#pragma unroll
    for (int j = 0; j < BOTH; j++)
        if (quad < t.tile && top + row + j < t.end)
            store<C>(t, left + quad, top + row + j, scale.value, sum[j]);
}

template <int C, int P>
__global__ void __launch_bounds__(THREADS) nlmeans(const __grid_constant__ struct nlmeans_task t)
{
    extern __shared__ uint4 shared[];
    int *sums = (int *)shared;
    short *u = (short *)(sums + (P > 1 ? 2 : 1) * SUMS);
    const struct gf_nlmeans_scale scale = *t.scale;

    /* usual sizes have code without limits, too */
    constexpr bool usual = C % 2 == 1 && P >= 1 && P <= 3;

    if (usual && !(scale.bits > 0))
        find_means<C, P, !usual>(t, scale, sums, u);
    else
        find_means<C, P, true>(t, scale, sums, u);
}

/* Bytes of shared memory for sums of `planes` squares and rows of C channels of `pitch` integers. */
static constexpr size_t shared_bytes(int planes, int rows, int channels, int pitch)
{
    return (size_t)(planes * SUMS) * sizeof(int) + (size_t)(rows * channels * pitch) * sizeof(short);
}

/* Rows begin in different banks. */
static constexpr int pitch_of(int tile, int search, int patch)
{
    return tile + 2 * (search + patch) + 2;
}

static_assert(shared_bytes(2, 2 * (ROWS + GF_NLMEANS_MAX_SEARCH + 2 * GF_NLMEANS_MAX_PATCH), GF_NLMEANS_CHANNELS,
                           pitch_of(QUAD, GF_NLMEANS_MAX_SEARCH, GF_NLMEANS_MAX_PATCH)) <= 48 * 1024,
              "the narrowest tile fits on any GPU");

/* Chooses the widest tile for which there is enough shared memory, and returns its bytes. */
static size_t choose_tile(struct nlmeans_task *t)
{
    const int patch = t->m.patch, rows = rows_around(t->m) + (t->images > 1 ? rows_of_patches(t->m) : 0);
    const size_t most = gf_cuda_most_shared_memory();
    size_t bytes;

    t->tile = (THREADS - 2 * patch) / QUAD * QUAD + QUAD;
    do {
        t->tile -= QUAD;
        t->pitch = pitch_of(t->tile, t->m.search, patch);
        bytes = shared_bytes(patch > 1 ? 2 : 1, rows, t->m.together, t->pitch);
    } while (bytes > most && t->tile > QUAD);
    return bytes;
}

template <int C>
static int launch(struct nlmeans_task t, cudaStream_t stream, struct gf_error *err)
{
    static void (*const kernels[])(const struct nlmeans_task) = {
        nlmeans<C, 0>, nlmeans<C, 1>, nlmeans<C, 2>, nlmeans<C, 3>, nlmeans<C, 4>, nlmeans<C, 5>
    };
    const auto kernel = kernels[t.m.patch];
    const size_t bytes = choose_tile(&t);

    if (gf_cuda_allow_shared_memory((const void *)kernel, err) != 0)
        return -1;
    gf_cuda_launch_rows(t, ROWS, [&](const struct nlmeans_task &part, unsigned height) {
        kernel<<<dim3((unsigned)gf_ceil_div(t.width, t.tile), height), THREADS, bytes, stream>>>(part);
    });
    return gf_cuda_launched("non-local means", err);
}

extern "C" int gf_nlmeans_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                               struct gf_error *err)
{
    const struct gf_nlmeans *m = (const struct gf_nlmeans *)params;

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_run(work, io, io->src.span, err, [&](const struct gf_io &plain) {
        struct nlmeans_task t = { gf_block_view_of(&plain.src), gf_block_view_of(&plain.dst), *m,
                                  (const struct gf_nlmeans_scale *)(work->tables + m->scales_at), 0, 0, 0,
                                  io->dst.width, io->src_units, io->dst.span.start, io->dst.span.end, { }, { },
                                  1, 0 };

        t.image = io->frames > 0 ? gf_block_view_of(&io->frame[0]) : t.src;
        for (int k = 0; k < io->frames; k++)
            t.data[k] = (unsigned char *)io->frame[k].data;
        t.images = io->frames > 0 ? io->frames : 1;
        t.now = io->frame_now;
        for (; t.first_channel < m->channels; t.first_channel += m->together, t.scale++) {
            const cudaStream_t stream = (cudaStream_t)work->stream;
            const int failed = m->together == 1 ? launch<1>(t, stream, err)
                             : m->together == 2 ? launch<2>(t, stream, err)
                             : m->together == 3 ? launch<3>(t, stream, err) : launch<4>(t, stream, err);

            if (failed != 0)
                return -1;
        }
        return 0;
    });
}
