/*
 * Prefix sums of stored integers on a GPU, whose order does not matter: a warp sums a strip of
 * columns in a band of units, and starts from the sums to the left and above.
 */
#include "kernels/statistics/prefix_whole.cuh"

#include "kernels/base/borrow.cuh"
#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_pack.cuh"

#define WARPS 4                          /* strips of a block */
#define AHEAD 4                          /* units that a warp loads in advance */
#define SPREAD 1024                      /* threads that walk along a row of sums */
#define DOWN 16                          /* sums that a thread loads in advance down a column */

typedef unsigned long long sum_t;

struct whole_task {
    struct gf_block_view src, dst;
    int64_t width, first, rows, strips, bands;
    double inverse;                      /* 1 / the largest value */
    sum_t *left;                         /* sum of a unit left of a strip: by color and strip, one for each unit */
    sum_t *above;                        /* sums above a band: by color and band, one for each column */
    double *state;
    int colours;
    bool along, down;                    /* sum along columns, along units */
    bool wide;                           /* four results fill one aligned piece */
};

/* Reads four columns of channel c; 0 outside the row. All loads are issued together. WIDE: as one load. */
template <class T, bool WIDE>
static __device__ __forceinline__ void read_four(const struct whole_task &t, int64_t row, int64_t x, int c,
                                                 unsigned (&v)[4])
{
    const T *from = (const T *)t.src.data + (t.first - t.src.start + (row < t.rows ? row : t.rows - 1)) * t.src.pitch;

    if (WIDE) {
        gf_read_four(from + (x < t.width ? x : 0), v);
    } else {
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = from[(x + k < t.width ? x + k : 0) * t.src.channels + c];
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = x + k < t.width ? v[k] : 0;
}

static __device__ __forceinline__ unsigned sum_of_warp(unsigned v)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(0xffffffffu, v);
#else
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    return v;
#endif
}

/* Returns the sum of v over this lane and the lanes before it. */
template <class V>
static __device__ __forceinline__ V scan_of_warp(V v)
{
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const V other = __shfl_up_sync(0xffffffffu, v, step);

        v += (int)(threadIdx.x % 32) >= step ? other : 0;
    }
    return v;
}

/* The place where a warp works. */
struct place {
    int64_t strip, x;
    int c;

    __device__ __forceinline__ bool find(const struct whole_task &t)
    {
        strip = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32;
        x = strip * GF_PREFIX_WHOLE_STRIP + threadIdx.x % 32 * 4;
        c = blockIdx.z;
        return strip < t.strips;
    }
};

/* Computes the total of each strip of a unit, and of each column of a band. */
template <class T, bool WIDE>
__global__ void __launch_bounds__(WARPS * 32) tally(const __grid_constant__ struct whole_task t)
{
    struct place at;

    if (!at.find(t))
        return;
    for (int64_t band = blockIdx.y; band < t.bands; band += gridDim.y) {
        const int64_t end = min((band + 1) * GF_PREFIX_WHOLE_BAND, t.rows);
        unsigned column[4] = { 0, 0, 0, 0 };

        for (int64_t row = band * GF_PREFIX_WHOLE_BAND; row < end; row += AHEAD) {
            unsigned v[AHEAD][4];

#pragma unroll
            for (int i = 0; i < AHEAD; i++)
                read_four<T, WIDE>(t, row + i, at.x, at.c, v[i]);
#pragma unroll
            for (int i = 0; i < AHEAD; i++) {
                if (row + i >= end)
                    break;
#pragma unroll
                for (int k = 0; k < 4; k++)
                    column[k] += v[i][k];
                if (t.along) {
                    const unsigned sum = sum_of_warp(v[i][0] + v[i][1] + v[i][2] + v[i][3]);

                    if (threadIdx.x % 32 == i)
                        t.left[(at.c * t.strips + at.strip) * t.rows + row + i] = sum;
                }
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (t.down && at.x + k < t.width)
                t.above[(at.c * t.bands + band) * t.width + at.x + k] = column[k];
    }
}

/*
 * Replaces each number by the sum of those above it: n rows of columns, one after another for each
 * color.
 */
__global__ void __launch_bounds__(128) scan_down(sum_t *numbers, int64_t n, int64_t columns)
{
    const int64_t column = (int64_t)blockIdx.x * 128 + threadIdx.x;
    sum_t *const at = numbers + blockIdx.y * n * columns + column, sum = 0;

    if (column >= columns)
        return;
    for (int64_t i = 0; i < n; i += DOWN) {
        sum_t v[DOWN];

#pragma unroll
        for (int k = 0; k < DOWN; k++)
            v[k] = at[(i + k < n ? i + k : n - 1) * columns];
#pragma unroll
        for (int k = 0; k < DOWN; k++) {
            if (i + k < n)
                at[(i + k) * columns] = sum;
            sum += v[k];
        }
    }
}

/*
 * Computes the sums above each band for each column: from totals of earlier bands, and the state
 * before the call.
 */
__global__ void __launch_bounds__(SPREAD) spread(const __grid_constant__ struct whole_task t)
{
    __shared__ sum_t of_warp[SPREAD / 32];
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    sum_t left = 0;

    for (int64_t x0 = 0; x0 < t.width; x0 += 4 * blockDim.x) {
        const int64_t x = x0 + 4 * threadIdx.x;
        sum_t *const at = t.above + (blockIdx.y * t.bands + blockIdx.x) * t.width + x;
        sum_t v[4], sum = 0;

#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = x + k < t.width ? at[k] : 0;
        if (t.along) {
#pragma unroll
            for (int k = 0; k < 4; k++)
                v[k] = sum += v[k];
            sum = scan_of_warp(sum) - v[3];
            if (threadIdx.x % 32 == 31)
                of_warp[warp] = sum + v[3];
            __syncthreads();
            sum += left;
            for (int i = 0; i < warps; i++) {
                sum += i < warp ? of_warp[i] : 0;
                left += of_warp[i];
            }
            __syncthreads();
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (x + k < t.width)
                at[k] = sum + v[k] + (sum_t)t.state[blockIdx.y * t.width + x + k];
    }
}

static __device__ __forceinline__ void put_four(const struct whole_task &t, int64_t row, int64_t x, int c,
                                                const sum_t (&sum)[4])
{
    unsigned char *const to = gf_block_view_row(t.dst, t.first + row);
    float v[4];

#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = (float)__dmul_rn((double)sum[k], t.inverse);
    if (t.wide && x + 4 <= t.width) {
        *(float4 *)((float *)to + gf_sample_index(t.dst, x, c)) = make_float4(v[0], v[1], v[2], v[3]);
        return;
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (x + k < t.width)
            gf_sample_put(t.dst, to, gf_sample_index(t.dst, x + k, c), v[k]);
}

/* Writes the results; channels that are not colors are copied. */
template <class T, bool WIDE>
__global__ void __launch_bounds__(WARPS * 32, GF_BLOCKS(8)) results(const __grid_constant__ struct whole_task t)
{
    constexpr int ahead = WIDE ? AHEAD : AHEAD / 2;
    struct place at;

    if (!at.find(t))
        return;
    const bool along = t.along && at.c < t.colours, down = t.down && at.c < t.colours;
    const sum_t *const left = t.left + (at.c * t.strips + at.strip) * t.rows;

    for (int64_t band = blockIdx.y; band < t.bands; band += gridDim.y) {
        const int64_t end = min((band + 1) * GF_PREFIX_WHOLE_BAND, t.rows);
        sum_t sum[4] = { 0, 0, 0, 0 };

#pragma unroll
        for (int k = 0; k < 4; k++)
            if (down && at.x + k < t.width)
                sum[k] = t.above[(at.c * t.bands + band) * t.width + at.x + k];
        for (int64_t row = band * GF_PREFIX_WHOLE_BAND; row < end; row += ahead) {
            unsigned v[ahead][4];
            sum_t before[ahead];

#pragma unroll
            for (int i = 0; i < ahead; i++) {
                read_four<T, WIDE>(t, row + i, at.x, at.c, v[i]);
                before[i] = along ? left[row + i < end ? row + i : end - 1] : 0;
            }
#pragma unroll
            for (int i = 0; i < ahead; i++) {
                if (row + i >= end)
                    break;
                if (along) {
                    v[i][1] += v[i][0], v[i][2] += v[i][1], v[i][3] += v[i][2];
                    before[i] += scan_of_warp(v[i][3]) - v[i][3];
                }
#pragma unroll
                for (int k = 0; k < 4; k++)
                    sum[k] = (down ? sum[k] : 0) + before[i] + v[i][k];
                put_four(t, row + i, at.x, at.c, sum);
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (down && band == t.bands - 1 && at.x + k < t.width)
                t.state[at.c * t.width + at.x + k] = (double)sum[k];
    }
}

/* ---- calls ---- */

template <class T, bool WIDE>
static int run(const struct whole_task &t, int channels, cudaStream_t stream, struct gf_error *err)
{
    const unsigned across = (unsigned)gf_ceil_div(t.strips, WARPS), down = gf_cuda_grid_rows(t.bands),
                            colours = (unsigned)t.colours;
    const unsigned walkers = gf_cuda_grid_size(gf_ceil_div(t.width, 128) * 32, SPREAD);

    tally<T, WIDE><<<dim3(across, down, colours), WARPS * 32, 0, stream>>>(t);
    if (t.along)
        scan_down<<<dim3((unsigned)gf_ceil_div(t.rows, 128), colours), 128, 0, stream>>>(t.left, t.strips, t.rows);
    if (t.down) {
        scan_down<<<dim3((unsigned)gf_ceil_div(t.width, 128), colours), 128, 0, stream>>>(t.above, t.bands, t.width);
        spread<<<dim3((unsigned)t.bands, colours), walkers, 0, stream>>>(t);
    }
    results<T, WIDE><<<dim3(across, down, (unsigned)channels), WARPS * 32, 0, stream>>>(t);
    return gf_cuda_launched("prefix sums", err);
}

static bool reads_four(const struct gf_block *b)
{
    const uintptr_t piece = 4 * gf_type_bytes(b->type);

    return b->channels == 1 && b->width % 4 == 0 && b->pitch_samples % 4 == 0 && (uintptr_t)b->data % piece == 0;
}

static bool writes_four(const struct gf_block *b)
{
    return b->type == GF_F32 && (b->planar || b->channels == 1) && b->pitch_samples % 4 == 0
        && (!b->planar || b->plane_samples % 4 == 0) && (uintptr_t)b->data % 16 == 0;
}

int gf_prefix_whole(const struct gf_work *work, const struct gf_io *io, const struct gf_prefix *p, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const bool four = reads_four(&io->src);
    struct whole_task t = { gf_block_view_of(&io->src), gf_block_view_of(&io->dst), io->dst.width, io->dst.span.start,
                            gf_span_units(io->dst.span),
                            gf_ceil_div(io->dst.width, GF_PREFIX_WHOLE_STRIP),
                                gf_ceil_div(gf_span_units(io->dst.span), GF_PREFIX_WHOLE_BAND), 1.0 / io->src.maxval,
                            NULL, NULL, (double *)work->carry, p->colours, p->along_columns, p->along_units,
                                writes_four(&io->dst) };
    const int64_t lefts = t.along ? t.colours * t.strips * t.rows : 0,
                          aboves = t.down ? t.colours * t.bands * t.width : 0;
    int result;

    if (gf_cuda_check(gf_cuda_borrow((void **)&t.left, (size_t)(lefts + aboves) * sizeof(sum_t), stream),
                      "memory for sums", err) != 0)
        return -1;
    t.above = t.left + lefts;
    if (io->src.type == GF_U8)
        result = four ? run<unsigned char, true>(t, io->src.channels, stream, err) : run<unsigned char,
                 false>(t, io->src.channels, stream, err);
    else
        result = four ? run<unsigned short, true>(t, io->src.channels, stream, err) : run<unsigned short,
                 false>(t, io->src.channels, stream, err);
    return gf_cuda_check(cudaFreeAsync(t.left, stream), "memory for sums", err) != 0 ? -1 : result;
}
