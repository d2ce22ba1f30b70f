/*
 * Changes the rate on a GPU. Positions between frames repeat every `per` frames of the result: a
 * thread computes several frames, a period apart, for each weight that it reads. If positions are
 * between rows of the table, or windows are too long for shared memory, each thread computes one
 * frame.
 */
#include "kernels/sound/resample.h"

#include "kernels/base/borrow.cuh"
#include "kernels/base/cuda_check.cuh"

#define THREADS 256
#define WARPS (THREADS / 32)
#define SHARED (48 << 10)                /* bytes of shared memory that every GPU has */
#define MOST_TURNS 8                     /* most frames of a thread */

struct resample_task {
    const float *src, *rows;
    float *dst;
    int64_t src_plane, dst_plane;
    struct gf_span in, out;
    struct gf_resample r;
};

/* Adds the windows of one row, one after another. */
template <int C>
static __device__ __forceinline__ void weigh(const struct resample_task &t, int64_t first, const float *row,
                                             const float *src, float *y)
{
    const bool inside = first >= t.in.start && first + t.r.taps <= t.in.end;
    float s[C][GF_RESAMPLE_SUMS] = {};

    for (int k = 0; k < t.r.taps; k += GF_RESAMPLE_SUMS)
#pragma unroll
        for (int j = 0; j < GF_RESAMPLE_SUMS; j += 4) {
            const float4 w = *(const float4 *)(row + k + j);
            const float each[4] = { w.x, w.y, w.z, w.w };

#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int64_t at = first + k + j + i;

#pragma unroll
                for (int c = 0; c < C; c++) {
                    const float x = inside || (at >= t.in.start && at < t.in.end)
                                    ? src[at - t.in.start + c * t.src_plane] : 0.0f;

                    s[c][j + i] = __fmaf_rn(each[i], x, s[c][j + i]);
                }
            }
        }
#pragma unroll
    for (int c = 0; c < C; c++) {
#pragma unroll
        for (int half = GF_RESAMPLE_SUMS / 2; half > 0; half /= 2)
#pragma unroll
            for (int j = 0; j < half; j++)
                s[c][j] = __fadd_rn(s[c][j], s[c][j + half]);
        y[c] = s[c][0];
    }
}

template <int C>
__global__ void __launch_bounds__(THREADS) resample(const __grid_constant__ struct resample_task t)
{
    const int64_t n = t.out.start + (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int channel = blockIdx.y * C;

    if (n >= t.out.end)
        return;
    const struct gf_resample_place p = gf_resample_at(&t.r, n);
    const float *row = t.rows + p.row * t.r.taps, *src = t.src + channel * t.src_plane;
    float y[C], next[C];

    weigh<C>(t, p.first, row, src, y);
    if (t.r.phases > 0) {
        weigh<C>(t, p.first, row + t.r.taps, src, next);
#pragma unroll
        for (int c = 0; c < C; c++)
            y[c] = __fmaf_rn(p.share, __fsub_rn(next[c], y[c]), y[c]);
    }
#pragma unroll
    for (int c = 0; c < C; c++)
        t.dst[(channel + c) * t.dst_plane + (n - t.out.start)] = y[c];
}

/* ---- several frames of a thread ---- */

/* How the frames of a period, or of several joined periods, are divided among blocks of threads. */
struct turns {
    int64_t start;                       /* first frame of the result, a multiple of `stride` */
    int64_t stride, step;                /* frames of the result and of the source from one period to the next */
    /* pieces of a stride; warps of a piece; frames of a warp, so that their windows are in different banks */
    int pieces, warps, lanes;
    int each;                            /* periods of a thread */
    int reach;                           /* most frames that a piece reads */
    /* weights in order of use, each for all frames of a period of `per`; zeros at the end */
    const float *columns;
};

/* Returns the tap that is used as number i: sum by sum, in the order in which halves are added. */
static __device__ __forceinline__ int tap_at(const struct gf_resample &r, int i)
{
    const int each = r.taps / GF_RESAMPLE_SUMS;

    return (int)(__brev((unsigned)(i / each)) >> 28) + i % each * GF_RESAMPLE_SUMS;
}

static_assert(GF_RESAMPLE_SUMS == 16, "bits of a sum's place that are turned around");

__global__ void __launch_bounds__(THREADS) turn_table(const __grid_constant__ struct resample_task t, float *columns)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x, at = i / t.r.per;

    if (at < t.r.taps + GF_RESAMPLE_AHEAD)
        columns[i] = at < t.r.taps ? t.rows[i % t.r.per * t.r.times % t.r.per * t.r.taps + tap_at(t.r, (int)at)] : 0.0f;
}

/* The weights of a frame in order of use, with loads in advance. */
struct weights {
    const float *next;
    int64_t step;
    float w[GF_RESAMPLE_AHEAD];

    __device__ __forceinline__ void begin(const float *column, int64_t per)
    {
        next = column;
        step = per;
#pragma unroll
        for (int i = 0; i < GF_RESAMPLE_AHEAD; i++, next += step)
            w[i] = *next;
    }

    __device__ __forceinline__ float take()
    {
        const float first = w[0];

#pragma unroll
        for (int i = 1; i < GF_RESAMPLE_AHEAD; i++)
            w[i - 1] = w[i];
        w[GF_RESAMPLE_AHEAD - 1] = *next;
        next += step;
        return first;
    }
};

/*
 * Computes sums first, first + STEP, ... of each of J windows, and adds them by halves. Loops are
 * not unrolled, because code that runs only once has to be fetched.
 */
template <int J, int STEP>
static __device__ __forceinline__ void add_up(struct weights &w, int taps, const float *x, int reach, int first,
                                              float (&y)[J])
{
    if constexpr (STEP == GF_RESAMPLE_SUMS) {
#pragma unroll
        for (int j = 0; j < J; j++)
            y[j] = 0;
        x += first;
#pragma unroll 4
        for (int k = first; k < taps; k += STEP, x += STEP) {
            const float weight = w.take();

#pragma unroll
            for (int j = 0; j < J; j++)
                y[j] = __fmaf_rn(weight, x[j * reach], y[j]);
        }
    } else {
        float half[J];

#pragma unroll 1
        for (int i = 0; i < 2; i++) {
            add_up<J, STEP * 2>(w, taps, x, reach, first + i * STEP, half);
#pragma unroll
            for (int j = 0; j < J; j++)
                y[j] = i == 0 ? half[j] : __fadd_rn(y[j], half[j]);
        }
    }
}

template <int J>
__global__ void __launch_bounds__(THREADS) in_turns(const __grid_constant__ struct resample_task t,
                                                    const __grid_constant__ struct turns u)
{
    extern __shared__ float x[];
    const int64_t turn = u.start + (int64_t)(blockIdx.x / u.pieces) * J * u.stride;
    const int lane = (int)threadIdx.x % 32, piece = (int)(blockIdx.x % u.pieces) * u.warps * u.lanes;
    const int q = piece + (int)threadIdx.x / 32 * u.lanes + lane;
    const int64_t first = gf_resample_at(&t.r, turn + piece).first;
    const float *src = t.src + blockIdx.y * t.src_plane;
    float *dst = t.dst + blockIdx.y * t.dst_plane, y[J];
    struct weights w;

#pragma unroll
    for (int j = 0; j < J; j++)
        for (int i = (int)threadIdx.x; i < u.reach; i += (int)blockDim.x) {
            const int64_t at = first + j * u.step + i;

            x[j * u.reach + i] = at >= t.in.start && at < t.in.end ? src[at - t.in.start] : 0.0f;
        }
    __syncthreads();
    if (lane >= u.lanes || q >= u.stride)
        return;
    w.begin(u.columns + q % (int)t.r.per, t.r.per);
    add_up<J, 1>(w, t.r.taps, x + (gf_resample_at(&t.r, turn + q).first - first), u.reach, 0, y);
#pragma unroll
    for (int j = 0; j < J; j++) {
        const int64_t n = turn + j * u.stride + q;

        if (n >= t.out.start && n < t.out.end)
            dst[n - t.out.start] = y[j];
    }
}

/*
 * Chooses the number of periods that leaves the fewest lanes idle; windows of a warp should use
 * different banks.
 */
static void share_out(const struct gf_resample *r, struct turns *u)
{
    const int64_t apart = r->times <= r->per ? 32 : 31 * r->per / r->times + 1;
    double best = 0;

    u->lanes = apart < 16 ? 32 : (int)apart;
    for (int64_t m = 1; m == 1 || m * r->per <= 2 * THREADS; m++) {
        const int64_t stride = m * r->per, warps = gf_ceil_div(stride, u->lanes), pieces = gf_ceil_div(warps, WARPS);
        const double busy = (double)stride / (double)(pieces * gf_ceil_div(warps, pieces) * u->lanes);

        if (busy >= best) {
            best = busy;
            u->stride = stride;
            u->step = m * r->times;
            u->pieces = (int)pieces;
            u->warps = (int)gf_ceil_div(warps, pieces);
        }
    }
}

/* Returns true if it can work in periods, and how. */
static bool plan_turns(const struct gf_resample *r, struct gf_span out, struct turns *u)
{
    int64_t reach;

    memset(u, 0, sizeof *u);
    if (r->phases > 0)
        return false;
    share_out(r, u);
    reach = ((int64_t)u->warps * u->lanes - 1) * r->times / r->per + 1 + r->taps;
    if (reach * (int64_t)sizeof(float) > SHARED)
        return false;
    u->reach = (int)reach;
    for (u->each = MOST_TURNS; u->each * reach * (int64_t)sizeof(float) > SHARED;)
        u->each /= 2;
    u->start = out.start / u->stride * u->stride;
    return true;
}

static int run_turns(const struct resample_task *t, struct turns *u, int channels, cudaStream_t stream,
                     struct gf_error *err)
{
    const int64_t entries = t->r.per * (t->r.taps + GF_RESAMPLE_AHEAD),
                            groups = gf_ceil_div(t->out.end - u->start, u->stride * u->each);
    const dim3 grid((unsigned)(groups * u->pieces), (unsigned)channels);
    const size_t shared = (size_t)(u->each * u->reach) * sizeof(float);
    float *columns;
    int result;

    if (gf_cuda_check(gf_cuda_borrow((void **)&columns, (size_t)entries * sizeof *columns, stream),
                      "memory for weights", err) != 0)
        return -1;
    turn_table<<<(unsigned)gf_ceil_div(entries, THREADS), THREADS, 0, stream>>>(*t, columns);
    u->columns = columns;
    switch (u->each) {
    case 8: in_turns<8><<<grid, (unsigned)u->warps * 32, shared, stream>>>(*t, *u); break;
    case 4: in_turns<4><<<grid, (unsigned)u->warps * 32, shared, stream>>>(*t, *u); break;
    case 2: in_turns<2><<<grid, (unsigned)u->warps * 32, shared, stream>>>(*t, *u); break;
    default: in_turns<1><<<grid, (unsigned)u->warps * 32, shared, stream>>>(*t, *u); break;
    }
    result = gf_cuda_launched("resampling", err);
    return gf_cuda_check(cudaFreeAsync(columns, stream), "memory for weights", err) != 0 ? -1 : result;
}

/* ---- the body ---- */

extern "C" int gf_resample_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                                struct gf_error *err)
{
    const struct gf_resample *r = (const struct gf_resample *)params;
    const unsigned blocks = (unsigned)gf_ceil_div(gf_span_units(io->dst.span), THREADS);
    const int channels = io->dst.channels, pairs = channels % 2 == 0;
    struct resample_task t;
    struct turns u;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: resample needs planes and no programs");
    if (blocks == 0)
        return 0;
    t.src = (const float *)io->src.data, t.dst = (float *)io->dst.data;
    t.rows = work->tables + r->table;
    t.src_plane = io->src.plane_samples, t.dst_plane = io->dst.plane_samples;
    t.in = io->src.span, t.out = io->dst.span;
    t.r = *r;
    if (plan_turns(r, t.out, &u))
        return run_turns(&t, &u, channels, (cudaStream_t)work->stream, err);
    if (pairs)
        resample<2><<<dim3(blocks, (unsigned)channels / 2), THREADS, 0, (cudaStream_t)work->stream>>>(t);
    else
        resample<1><<<dim3(blocks, (unsigned)channels), THREADS, 0, (cudaStream_t)work->stream>>>(t);
    return gf_cuda_launched("resampling", err);
}
