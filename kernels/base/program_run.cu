/* Runs point programs on a GPU; with empty programs, converts between all layouts. */
#include "kernels/base/program_run.h"

#include "kernels/base/convert.h"
#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_point_wide.cuh"

#define THREADS 256

/* The arguments of both kernels: `rows` runs of `width` pixels. */
struct point_task {
    struct gf_block_view src, dst;
    int64_t width, rows, first;          /* first unit */
    const float *tables;
};

/*
 * Processes K times four pixels of up to V channels in registers; the groups are a block's width
 * apart. A thread requests all its words before it uses the first.
 */
template <int T, int C, int V, int K>
__global__ void __launch_bounds__(THREADS, GF_BLOCKS(V == 1 ? 5 : 4))
quads(const __grid_constant__ struct point_task t, const __grid_constant__ struct gf_point program)
{
    const int64_t x0 = ((int64_t)blockIdx.x * K * THREADS + threadIdx.x) * 4;

    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const unsigned char *in = gf_block_view_row(t.src, t.first + r);
        unsigned char *out = gf_block_view_row(t.dst, t.first + r);
        struct gf_pixel_quad<T, C> four[K];

#pragma unroll
        for (int k = 0; k < K; k++) {
            int64_t x = x0 + k * THREADS * 4;
            if (x < t.width)
                four[k].read(t.src, in, x, (int)min((int64_t)4, t.width - x));
        }
        float v[4 * K][V];
#pragma unroll
        for (int k = 0; k < K; k++)
            four[k].unpack(t.src, (float (&)[4][V])v[4 * k]);
        gf_program_run<4 * K, V>(program, t.tables, v);
#pragma unroll
        for (int k = 0; k < K; k++) {
            int64_t x = x0 + k * THREADS * 4;
            if (x < t.width)
                gf_write4(t.dst, out, x, (int)min((int64_t)4, t.width - x), (float (&)[4][V])v[4 * k]);
        }
    }
}

/*
 * Three bytes of a pixel to one by a row of weights, the most common step by far: sixteen pixels a
 * thread.
 */
__global__ void __launch_bounds__(THREADS) weigh_bytes(const __grid_constant__ struct point_task t, float4 w)
{
    const int64_t x = ((int64_t)blockIdx.x * THREADS + threadIdx.x) * 16;

    if (x >= t.width)
        return;
    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const unsigned char *in = gf_block_view_row(t.src, t.first + r) + 3 * x;
        unsigned char *out = gf_block_view_row(t.dst, t.first + r) + x;
        unsigned words[12], sums[4];

        if (x + 16 <= t.width && (uintptr_t)out % 16 == 0 && gf_read_words<12>(in, words)) {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const struct gf_pixel_quad<GF_U8, 3> four = { { words[3 * k], words[3 * k + 1], words[3 * k + 2] } };
                unsigned level[4];

#pragma unroll
                for (int p = 0; p < 4; p++)
                    level[p] = gf_sample_level(__fmaf_rn(w.z, four.get(t.src, p, 2),
                                                         __fmaf_rn(w.y, four.get(t.src, p, 1),
                                                                   __fmaf_rn(w.x, four.get(t.src, p, 0), w.w))), t.dst);
                sums[k] = gf_join4(level[0], level[1], level[2], level[3]);
            }
            *(uint4 *)out = make_uint4(sums[0], sums[1], sums[2], sums[3]);
            continue;
        }
        for (int p = 0; p < 16 && x + p < t.width; p++)
            gf_sample_put(t.dst, out, p,
                          __fmaf_rn(w.z, gf_sample_get(t.src, in, 3 * p + 2),
                                    __fmaf_rn(w.y, gf_sample_get(t.src, in, 3 * p + 1),
                                              __fmaf_rn(w.x, gf_sample_get(t.src, in, 3 * p), w.w))));
    }
}

/* Any layout and any number of channels, one pixel a thread. */
__global__ void __launch_bounds__(THREADS) any(const __grid_constant__ struct point_task t,
                                               const __grid_constant__ struct gf_point load,
                                               const __grid_constant__ struct gf_point store)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    float v[GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX];

    if (x >= t.width)
        return;
    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const unsigned char *in = gf_block_view_row(t.src, t.first + r);
        unsigned char *out = gf_block_view_row(t.dst, t.first + r);

        for (int c = 0; c < t.src.channels; c++)
            v[c] = gf_sample_get(t.src, in, gf_sample_index(t.src, x, c));
        gf_program_run_wide(load, t.tables, v);
        gf_program_run_wide(store, t.tables, v);
        for (int c = 0; c < t.dst.channels; c++)
            gf_sample_put(t.dst, out, gf_sample_index(t.dst, x, c), v[c]);
    }
}

/* Returns sample i after `at` as the number that is stored, in any packed layout. */
static __device__ __forceinline__ double stored_number(int layout, const unsigned char *at, int64_t i)
{
    switch (layout) {
    case GF_U8: return at[i];
    case GF_U16: return ((const unsigned short *)at)[i];
    case GF_S16: return ((const short *)at)[i];
    case GF_S32: return ((const int *)at)[i];
    case GF_F64: return ((const double *)at)[i];
    default: return (double)((const float *)at)[i];
    }
}

static __device__ __forceinline__ void put_converted(const struct gf_conversion &c, int layout, unsigned char *at,
                                                     int64_t i, double number)
{
    const double product = __dmul_rn(number, c.scale);
    const int level = gf_conversion_round(&c, c.divisor == 1 ? product : __ddiv_rn(product, c.divisor));

    switch (layout) {
    case GF_U8: at[i] = (unsigned char)level; break;
    case GF_U16: ((unsigned short *)at)[i] = (unsigned short)level; break;
    case GF_S16: ((short *)at)[i] = (short)level; break;
    default: ((int *)at)[i] = level; break;
    }
}

#define NUMBERS 4                        /* samples of a thread, which are requested together */

/* Runs of samples of packed layouts, each rounded once. */
__global__ void __launch_bounds__(THREADS) convert(const __grid_constant__ struct point_task t,
                                                   const __grid_constant__ struct gf_conversion c)
{
    const int64_t x0 = (int64_t)blockIdx.x * THREADS * NUMBERS + threadIdx.x;

    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const unsigned char *in = gf_block_view_row(t.src, t.first + r);
        unsigned char *out = gf_block_view_row(t.dst, t.first + r);
        double number[NUMBERS];

#pragma unroll
        for (int k = 0; k < NUMBERS; k++)
            if (x0 + k * THREADS < t.width)
                number[k] = stored_number(t.src.layout, in, x0 + k * THREADS);
#pragma unroll
        for (int k = 0; k < NUMBERS; k++)
            if (x0 + k * THREADS < t.width)
                put_converted(c, t.dst.layout, out, x0 + k * THREADS, number[k]);
    }
}

/* Launches the kernel for a call that changes nothing but the type; false if floats can convert it too. */
static bool launch_conversion(cudaStream_t stream, const struct gf_io *io, struct point_task t)
{
    struct gf_conversion c;

    if (!gf_conversion_make(io, &c))
        return false;
    gf_block_view_flatten(&t.src, &t.dst, true, &t.width, &t.rows);
    convert<<<dim3((unsigned)gf_ceil_div(t.width, THREADS * NUMBERS), gf_cuda_grid_rows(t.rows)), THREADS, 0, stream>>>(
        t, c);
    return true;
}

template <int T, int C, int V, int K>
static void launch(cudaStream_t stream, const struct point_task *t, const struct gf_point *program)
{
    dim3 grid((unsigned)gf_ceil_div(t->width, (int64_t)THREADS * 4 * K), gf_cuda_grid_rows(t->rows));

    quads<T, C, V, K><<<grid, THREADS, 0, stream>>>(*t, *program);
}

/* Joins both programs without merging steps, which would round differently. */
static bool append(struct gf_point *all, const struct gf_point *more)
{
    if (all->count + more->count > GF_POINT_STEPS)
        return false;
    for (int i = 0; i < more->count; i++)
        all->step[all->count++] = more->step[i];
    return true;
}

/* Launches the kernel for this layout; false if there is none. */
static bool dispatch(cudaStream_t stream, const struct point_task *t, const struct gf_point *program, int widest)
{
    const struct gf_point_step *s = &program->step[0];
    int shape = t->src.layout * 8 + t->src.channels;

    if (shape == GF_U8 * 8 + 3 && t->dst.layout == GF_U8 && program->count == 1 && s->kind == GF_POINT_MATRIX
        && s->channels == 3 && s->outs == 1) {
        dim3 grid((unsigned)gf_ceil_div(t->width, THREADS * 16), gf_cuda_grid_rows(t->rows));

        weigh_bytes<<<grid, THREADS, 0, stream>>>(*t, make_float4(s->m[0][0], s->m[0][1], s->m[0][2], s->m[0][3]));
        return true;
    }
    if (widest == 1 && t->src.channels == 1) {
        switch (t->src.layout) {
        case GF_U8: launch<GF_U8, 1, 1, 4>(stream, t, program); return true;
        case GF_U16: launch<GF_U16, 1, 1, 2>(stream, t, program); return true;
        case GF_S16: launch<GF_S16, 1, 1, 2>(stream, t, program); return true;
        case GF_S32: launch<GF_S32, 1, 1, 1>(stream, t, program); return true;
        case GF_F64: launch<GF_F64, 1, 1, 1>(stream, t, program); return true;
        default: launch<GF_PLANES, 1, 1, 1>(stream, t, program); return true;
        }
    }
    if (widest <= 4) {
        switch (shape) {
        case GF_U8 * 8 + 3: launch<GF_U8, 3, 4, 1>(stream, t, program); return true;
        case GF_U8 * 8 + 4: launch<GF_U8, 4, 4, 1>(stream, t, program); return true;
        case GF_U16 * 8 + 3: launch<GF_U16, 3, 4, 1>(stream, t, program); return true;
        case GF_U16 * 8 + 4: launch<GF_U16, 4, 4, 1>(stream, t, program); return true;
        case GF_F32 * 8 + 3: launch<GF_F32, 3, 4, 1>(stream, t, program); return true;
        case GF_F32 * 8 + 4: launch<GF_F32, 4, 4, 1>(stream, t, program); return true;
        case GF_PLANES * 8 + 3: launch<GF_PLANES, 3, 4, 1>(stream, t, program); return true;
        case GF_PLANES * 8 + 4: launch<GF_PLANES, 4, 4, 1>(stream, t, program); return true;
        }
    }
    return false;
}

extern "C" int gf_point_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                             struct gf_error *err)
{
    struct gf_point load = gf_program(io->load, io->src.channels);
    struct gf_point store = gf_program(io->store, io->dst.channels);
    struct gf_point program;
    const int c = io->src.channels;
    struct point_task t;
    bool alike;
    int widest;

    (void)params;
    t.src = gf_block_view_of(&io->src);
    t.dst = gf_block_view_of(&io->dst);
    t.width = io->dst.width;
    t.rows = gf_span_units(io->dst.span);
    t.first = io->dst.span.start;
    t.tables = work->tables;
    if (t.width <= 0 || t.rows <= 0)
        return 0;
    /* samples skipped before the run must not count as a row */
    t.src.data += (t.first - t.src.start) * t.src.pitch * gf_sample_layout_bytes(t.src.layout);
    t.src.start = t.first;
    if (launch_conversion((cudaStream_t)work->stream, io, t))
        return gf_cuda_launched("convert", err);
    alike = gf_point_is_uniform(io->load, c) && gf_point_is_uniform(io->store, c);
    if (gf_block_view_flatten(&t.src, &t.dst, alike, &t.width, &t.rows)) {
        load = gf_program_flat(io->load);
        store = gf_program_flat(io->store);
    }
    widest = gf_program_widest(&load, t.src.channels);
    if (gf_program_widest(&store, t.dst.channels) > widest)
        widest = gf_program_widest(&store, t.dst.channels);
    program = load;
    if (!append(&program, &store) || !dispatch((cudaStream_t)work->stream, &t, &program, widest))
        any<<<dim3((unsigned)gf_ceil_div(t.width, THREADS), gf_cuda_grid_rows(t.rows)), THREADS, 0,
              (cudaStream_t)work->stream>>>(t, load, store);
    return gf_cuda_launched("point", err);
}
