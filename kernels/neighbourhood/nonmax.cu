/* Edge thinning on a GPU: a tile of samples in shared memory, then of squares, four pixels a thread. */
#include "kernels/neighbourhood/nonmax.h"

#include "kernels/base/program_buffers.cuh"

#define THREADS_X 32
#define TILE_X (4 * THREADS_X)           /* pixels of the result for a block */
#define TILE_Y 8
/* samples: four pixels more than squares on each side, two rows more than the result */
#define Q_X (TILE_X + 16)
#define Q_Y (TILE_Y + 4)
#define M_X (TILE_X + 8)                 /* squares: four pixels more than the result, one row more */
#define M_Y (TILE_Y + 2)
#define AROUND (2 * M_X / 4 + 2 * TILE_Y)    /* groups of four squares around those of the result */

struct nonmax_task {
    struct gf_block_view src, dst;
    struct gf_nonmax t;
    int64_t width, src_units, first, end;    /* columns, length of the source, units of the result */
};

/*
 * Samples and squares around a tile. Every fourth one of a row is adjacent in memory, because a
 * thread has four pixels and a warp reads one of each thread.
 */
struct nonmax_tile {
    int q[Q_Y][4][Q_X / 4];
    long long m[M_Y][4][M_X / 4];
};

struct slopes {
    int x[4], y[4];
};

/*
 * Rounds to nearest, ties to even: the sum is a float of 2^23 to 2^24, whose lowest bits are the
 * integer.
 */
static __device__ __forceinline__ int whole_number(float v)
{
    const float low = v > 0.0f ? v : 0.0f;

    return __float_as_int(__fadd_rn(__fmul_rn(low < 1.0f ? low : 1.0f, 65535.0f), GF_MAGIC)) - 0x4B000000;
}

/* Loads samples of four columns from x on; the last column repeats outside the image. */
static __device__ __forceinline__ int4 samples(const struct nonmax_task &t, const unsigned char *row, int64_t x)
{
    float v[4][4] = { };

    if (x >= 0 && x + 4 <= t.width)
        gf_read4(t.src, row, x, 4, v);
    else
#pragma unroll
        for (int i = 0; i < 4; i++)
            v[i][0] = gf_sample_get(t.src, row, gf_sample_index(t.src, gf_border_index(GF_CLAMP, x + i, t.width), 0));
    return make_int4(whole_number(v[0][0]), whole_number(v[1][0]), whole_number(v[2][0]), whole_number(v[3][0]));
}

static __device__ __forceinline__ void load_samples(const struct nonmax_task &t, struct nonmax_tile &a, int64_t left,
                                                    int64_t top)
{
    for (int i = (int)(threadIdx.y * THREADS_X + threadIdx.x); i < Q_Y * Q_X / 4; i += THREADS_X * TILE_Y) {
        /* samples that no result needs may not exist */
        const int64_t unit = gf_border_index(GF_CLAMP, min(top + i / (Q_X / 4) - 2, t.end + 1), t.src_units);
        const int column = i % (Q_X / 4) * 4;

        const int4 q = samples(t, gf_block_view_row(t.src, unit), left + column - 8);
        int (&row)[4][Q_X / 4] = a.q[i / (Q_X / 4)];

        row[0][column / 4] = q.x, row[1][column / 4] = q.y, row[2][column / 4] = q.z, row[3][column / 4] = q.w;
    }
}

/* Computes group `four` of the squares of a row, and their gradients; squares outside the image are 0. */
static __device__ __forceinline__ struct slopes add_squares(const struct nonmax_task &t,
                                                            struct nonmax_tile &a, int64_t left,
                                                            int64_t top, int row, int four)
{
    const bool there = top + row - 1 >= 0 && top + row - 1 < t.src_units;
    const int64_t x = left + 4 * (four - 1);
    int sum[6], step[6];
    struct slopes s;

#pragma unroll
    for (int i = 0; i < 6; i++) {
        const int k = (3 + i) % 4, at = four + (3 + i) / 4, above = a.q[row][k][at], below = a.q[row + 2][k][at];

        sum[i] = above + 2 * a.q[row + 1][k][at] + below;
        step[i] = below - above;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        s.x[i] = sum[i + 2] - sum[i];
        s.y[i] = step[i] + 2 * step[i + 1] + step[i + 2];
        a.m[row][i][four] = there && x + i >= 0
                            && x + i < t.width ? (long long)s.x[i] * s.x[i] + (long long)s.y[i] * s.y[i] : 0;
    }
    return s;
}

static __device__ __forceinline__ void add_squares_around(const struct nonmax_task &t, struct nonmax_tile &a,
                                                          int64_t left, int64_t top)
{
    const int at = (int)(threadIdx.y * THREADS_X + threadIdx.x), beside = at - 2 * M_X / 4;

    if (beside < 0)
        add_squares(t, a, left, top, at / (M_X / 4) * (M_Y - 1), at % (M_X / 4));
    else if (at < AROUND)
        add_squares(t, a, left, top, 1 + beside / 2, beside % 2 * (M_X / 4 - 1));
}

/* Returns true if the square at `column` is a maximum across the edge. */
static __device__ __forceinline__ bool on_edge(const struct nonmax_tile &a, int row, unsigned column, int gx, int gy)
{
    const long long flat = (long long)abs(gx) * 13573, rise = (long long)abs(gy) * 32768,
                           here = a.m[row][column % 4][column / 4];
    const bool lies = rise < flat, stands = rise > flat + (long long)abs(gx) * 65536;
    const int down = lies ? 0 : 1, right = lies ? 1 : stands ? 0 : (gx ^ gy) < 0 ? -1 : 1;
    const unsigned before = column - (unsigned)right, after = column + (unsigned)right;
    const long long other = a.m[row + down][after % 4][after / 4];

    return here > a.m[row - down][before % 4][before / 4] && (here > other || ((lies || stands) && here == other));
}

__global__ void __launch_bounds__(THREADS_X * TILE_Y) nonmax(const __grid_constant__ struct nonmax_task t)
{
    __shared__ struct nonmax_tile a;
    const int64_t left = (int64_t)blockIdx.x * TILE_X, top = t.first + (int64_t)blockIdx.y * TILE_Y;
    const int64_t x = left + 4 * threadIdx.x, y = top + threadIdx.y;
    const int row = (int)threadIdx.y + 1, four = (int)threadIdx.x + 1;
    float v[4][1];

    load_samples(t, a, left, top);
    __syncthreads();
    add_squares_around(t, a, left, top);
    const struct slopes s = add_squares(t, a, left, top, row, four);
    __syncthreads();
    if (x >= t.width || y >= t.end)
        return;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const double here = (double)a.m[row][i][four];

        v[i][0] = here > t.t.low && on_edge(a, row, (unsigned)(4 * four + i), s.x[i], s.y[i]) ? here > t.t.high ? 1.0f
                  : 0.5f : 0.0f;
    }
    gf_write4(t.dst, gf_block_view_row(t.dst, y), x, (int)min((int64_t)4, t.width - x), v);
}

extern "C" int gf_nonmax_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    const int channels = gf_channels_at_work(io);

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    if (channels != 1)
        return gf_fail(err, GF_FAILED, "internal error: nonmax needs one channel");
    return gf_program_buffers_run(work, io, io->src.span, err, [&](const struct gf_io &plain) {
        const struct nonmax_task t = { gf_block_view_of(&plain.src), gf_block_view_of(&plain.dst),
                                       *(const struct gf_nonmax *)params,
                                       io->dst.width, io->src_units, io->dst.span.start, io->dst.span.end };

        gf_cuda_launch_rows(t, TILE_Y, [&](const struct nonmax_task &part, unsigned height) {
            nonmax<<<dim3((unsigned)gf_ceil_div(t.width, TILE_X), height), dim3(THREADS_X, TILE_Y), 0,
                     (cudaStream_t)work->stream>>>(part);
        });
        return gf_cuda_launched("non-maximum suppression", err);
    });
}
