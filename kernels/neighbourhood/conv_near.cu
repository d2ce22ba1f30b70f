/*
 * Convolution on a GPU with masks of 3 and 5 on one channel of bytes or floats. A thread walks down
 * four columns and keeps the sums of the next rows in registers. Neighbors share samples through
 * the first-level cache, so nothing is in shared memory and nothing waits.
 */
#include "kernels/neighbourhood/conv_near.cuh"

#include "kernels/base/thread_point.cuh"
#include "kernels/neighbourhood/conv_thread_hypotenuse.cuh"

#define ROWS 8                           /* results of a thread, for each of four columns */
#define ACROSS 32
#define DOWN 4

enum near_kind { NEAR_FULL, NEAR_HYPOT, NEAR_LINES };

struct near_task {
    struct gf_block_view src, dst;
    struct gf_conv conv;
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
    const float *masks;
};

/* Loads four samples from an aligned address. */
template <int T>
static __device__ __forceinline__ void load_four(const struct gf_block_view &v, const unsigned char *row,
                                                 int64_t x, float *out)
{
    if constexpr (T == GF_U8) {
        const unsigned w = __ldg((const unsigned *)(row + x));

#pragma unroll
        for (int i = 0; i < 4; i++)
            out[i] = gf_sample_quotient(__byte_perm(w, 0x4B000000u, 0x7440 | i), v);
    } else {
        const float4 f = __ldg((const float4 *)((const float *)row + x));

        out[0] = f.x, out[1] = f.y, out[2] = f.z, out[3] = f.w;
    }
}

/* Loads columns x - 4 to x + 8 of a unit, some of which are outside the image. */
static __device__ __noinline__ void load_far(const struct near_task &t, int64_t x, int64_t unit, float *out)
{
    const int reach = t.conv.nx / 2;
    const int64_t at = unit >= t.end + reach ? -1 : gf_border_index(t.conv.border, unit, t.src_units);

    for (int i = 4 - reach; i < 8 + reach; i++) {
        const int64_t column = x - 4 + i >= t.width + reach ? -1 : gf_border_index(t.conv.border, x - 4 + i, t.width);

        out[i] = at < 0 || column < 0 ? 0.0f : gf_sample_get(t.src, gf_block_view_row(t.src, at), column);
    }
}

static __device__ __forceinline__ void store_row(const struct near_task &t, int64_t x, int64_t y, const float (&v)[4])
{
    unsigned char *row;

    if (y >= t.end)
        return;
    row = gf_block_view_row(t.dst, y);
    if (x + 4 > t.width) {
        for (int i = 0; x + i < t.width; i++)
            gf_sample_put(t.dst, row, x + i, i == 0 ? v[0] : i == 1 ? v[1] : v[2]);
    } else if (t.dst.layout == GF_U8) {
        *(unsigned *)(row + x) = gf_join4(gf_sample_level(v[0], t.dst), gf_sample_level(v[1], t.dst),
                                          gf_sample_level(v[2], t.dst), gf_sample_level(v[3], t.dst));
    } else {
        *(float4 *)((float *)row + x) = make_float4(v[0], v[1], v[2], v[3]);
    }
}

/* Adds the weights of one chain of N for four columns; v[0] is the first sample of the first one. */
template <int N>
static __device__ __forceinline__ void add_line(const float *w, const float *v, bool begin, float (&acc)[4])
{
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int x = 0; x < 4; x++)
            acc[x] = __fmaf_rn(w[i], v[x + i], begin && i == 0 ? 0.0f : acc[x]);
}

/* The weights of a thread: a full mask, two masks, or a row and a column. */
template <int N, int KIND>
struct near_weights {
    float w[KIND == NEAR_LINES ? 2 * N : N * N], also[KIND == NEAR_HYPOT ? N * N : 1];
};

template <int N, int KIND>
static __device__ __forceinline__ void load_weights(const struct near_task &t, near_weights<N, KIND> &m)
{
#pragma unroll
    for (int i = 0; i < (KIND == NEAR_LINES ? 2 * N : N * N); i++)
        m.w[i] = KIND == NEAR_LINES ? __ldg(t.masks + (i < N ? t.conv.x_at + i : t.conv.y_at + i - N))
                 : __ldg(t.masks + t.conv.full_at + i);
    if constexpr (KIND == NEAR_HYPOT) {
#pragma unroll
        for (int i = 0; i < N * N; i++)
            m.also[i] = __ldg(t.masks + t.conv.also_at + i);
    }
}

/* Loads columns x - 4 to x + 8 of unit y, as far as a mask of 2 R + 1 reaches. */
template <int T, int R>
static __device__ __forceinline__ void load_row(const struct near_task &t, int64_t x, int64_t y, bool inside,
                                                float (&v)[12])
{
    if (inside) {
        const unsigned char *row = gf_block_view_row(t.src, y);

        load_four<T>(t.src, row, x - 4, v);
        load_four<T>(t.src, row, x, v + 4);
        load_four<T>(t.src, row, x + 4, v + 8);
    } else {
        float far[12];

        load_far(t, x, y, far);
#pragma unroll
        for (int i = 4 - R; i < 8 + R; i++)
            v[i] = far[i];
    }
}

/* Adds row j of the mask to four sums, over the samples v or their row sums. */
template <int N, int KIND>
static __device__ __forceinline__ void add_row(const near_weights<N, KIND> &m, int j, const float (&v)[12],
                                               const float (&line)[4],
                                               float (&acc)[4], float (&other)[4])
{
    if constexpr (KIND == NEAR_LINES) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            acc[i] = __fmaf_rn(m.w[N + j], line[i], j == 0 ? 0.0f : acc[i]);
    } else {
        add_line<N>(m.w + j * N, v + 4 - N / 2, j == 0, acc);
    }
    if constexpr (KIND == NEAR_HYPOT)
        add_line<N>(m.also + j * N, v + 4 - N / 2, j == 0, other);
}

/* Blocks for which a multiprocessor has registers. */
static constexpr int near_blocks(int side, int kind)
{
    return side == 3 ? (kind == NEAR_FULL ? 10 : 9) : kind == NEAR_FULL ? 9 : kind == NEAR_LINES ? 8 : 7;
}

template <int T, int N, int KIND>
__global__ void __launch_bounds__(ACROSS * DOWN,
                                  GF_BLOCKS(near_blocks(N,
                                                        KIND))) near_kernel(const __grid_constant__ struct near_task t)
{
    constexpr int R = N / 2;
    const int64_t x = ((int64_t)blockIdx.x * ACROSS + threadIdx.x) * 4;
    const int64_t y = t.first + ((int64_t)blockIdx.y * DOWN + threadIdx.y) * ROWS;
    const bool inside = x >= 4 && x + 8 <= t.width && y >= R && y + ROWS + R <= t.src_units && y + ROWS <= t.end;
    float acc[ROWS][4], other[ROWS][4];
    near_weights<N, KIND> m;

    if (x >= t.width || y >= t.end)
        return;
    load_weights(t, m);
#pragma unroll
    for (int k = 0; k < ROWS + N - 1; k++) {
        float v[12], line[4];

        load_row<T, R>(t, x, y - R + k, inside, v);
        if constexpr (KIND == NEAR_LINES)
            add_line<N>(m.w, v + 4 - R, true, line);
#pragma unroll
        for (int o = 0; o < ROWS; o++) {
            if (k < o || k >= o + N)
                continue;
            add_row(m, k - o, v, line, acc[o], other[o]);
            if (k != o + N - 1)
                continue;
#pragma unroll
            for (int i = 0; i < 4; i++)
                acc[o][i] = KIND == NEAR_HYPOT ? gf_conv_hypotenuse(acc[o][i], other[o][i]) : acc[o][i];
            store_row(t, x, y + o, acc[o]);
        }
    }
}

typedef void near_function(const struct near_task);

template <int T>
static near_function *function_of(const struct gf_conv *conv)
{
    const bool five = conv->nx == 5;

    if (conv->combine == GF_CONV_HYPOT)
        return five ? near_kernel<T, 5, NEAR_HYPOT> : near_kernel<T, 3, NEAR_HYPOT>;
    if (conv->full)
        return five ? near_kernel<T, 5, NEAR_FULL> : near_kernel<T, 3, NEAR_FULL>;
    return five ? near_kernel<T, 5, NEAR_LINES> : near_kernel<T, 3, NEAR_LINES>;
}

/* Works on bytes or floats of one channel whose rows are aligned to words, or to four floats. */
static bool is_plain(const struct gf_block *b)
{
    const int64_t align = b->type == GF_U8 ? 4 : 16;

    return b->channels == 1 && (b->type == GF_U8 || b->type == GF_F32) && (uintptr_t)b->data % align == 0
           && b->pitch_samples % 4 == 0;
}

bool gf_conv_is_near(const struct gf_io *io, const struct gf_conv *conv)
{
    return is_plain(&io->src) && is_plain(&io->dst) && gf_point_is_identity(io->load) && gf_point_is_identity(io->store)
        && conv->nx == conv->ny && (conv->nx == 3 || conv->nx == 5) && conv->cx == conv->nx / 2 && conv->cy == conv->cx
        && (conv->combine == GF_CONV_PLAIN || (conv->combine == GF_CONV_HYPOT && conv->combined == 1));
}

int gf_conv_near(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv, struct gf_error *err)
{
    const struct near_task t = { gf_block_view_of(&io->src), gf_block_view_of(&io->dst), *conv, io->dst.width,
                                 io->src_units,
                                 io->dst.span.start, io->dst.span.end, work->masks };
    near_function *const f = io->src.type == GF_U8 ? function_of<GF_U8>(conv) : function_of<GF_F32>(conv);

    gf_cuda_launch_rows(t, DOWN * ROWS, [&](const struct near_task &part, unsigned height) {
        f<<<dim3((unsigned)gf_ceil_div(t.width, 4 * ACROSS), height), dim3(ACROSS, DOWN), 0,
            (cudaStream_t)work->stream>>>(part);
    });
    return gf_cuda_launched("convolution", err);
}
