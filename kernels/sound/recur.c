/*
 * Recursive filters on a CPU: several channels at a time, because each sample waits for the
 * previous one.
 */
#include "kernels/sound/recur.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"

#include <float.h>
#include <math.h>

#define ROWS (GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX)
#define PIECE 1024                       /* frames at a time; pieces end at multiples of it */
#define ROOM 16384                       /* samples of all channels */
#define TOGETHER 8                       /* most channels at a time */
#define SILENCE 0x1p-150                 /* half the smallest float */

/* One section over n frames of `count` adjacent channels; s: all s1, then all s2. */
GF_INLINE void run_section(const struct gf_recur_section *k, double *restrict v, double *restrict s, int64_t n,
                           const int count)
{
    const double b0 = k->b0, c1 = k->b1 - k->a1 * k->b0, c2 = k->b2 - k->a2 * k->b0, a1 = k->a1, a2 = k->a2;
    double s1[TOGETHER], s2[TOGETHER];

    for (int c = 0; c < count; c++) {
        s1[c] = s[c];
        s2[c] = s[count + c];
    }
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < count; c++) {
            const double x = v[i * count + c], from = s2[c] + c1 * x;

            v[i * count + c] = s1[c] + b0 * x;
            s2[c] = c2 * x - a2 * s1[c];
            s1[c] = from - a1 * s1[c];
        }
    for (int c = 0; c < count; c++) {
        s[c] = s1[c];
        s[count + c] = s2[c];
    }
}

GF_INLINE void run_rows(const struct gf_recur *r, float *const *row, double *state, int64_t step, int64_t n,
                        const int count)
{
    _Alignas(64) double v[PIECE * TOGETHER], s[2 * TOGETHER];

    for (int c = 0; c < count; c++)
        for (int64_t i = 0; i < n; i++)
            v[i * count + c] = fabsf(row[c][i]) <= FLT_MAX ? (double)row[c][i] : 0.0;
    for (int k = 0; k < r->sections; k++, state += step) {
        for (int c = 0; c < count; c++) {
            s[c] = state[c * GF_RECUR_STATE];
            s[count + c] = state[c * GF_RECUR_STATE + 1];
        }
        run_section(&r->section[k], v, s, n, count);
        for (int c = 0; c < count; c++) {
            state[c * GF_RECUR_STATE] = s[c];
            state[c * GF_RECUR_STATE + 1] = s[count + c];
        }
    }
    for (int c = 0; c < count; c++)
        for (int64_t i = 0; i < n; i++)
            row[c][i] = (float)v[i * count + c];
}

/* A function for each count, so that the compiler vectorizes over channels. */
#define RUN_ROWS(name, count)                                                                                       \
    GF_CLONES                                                                                                       \
    static void name(const struct gf_recur *r, float *const *row, double *state, int64_t step, int64_t n)           \
    {                                                                                                               \
        run_rows(r, row, state, step, n, count);                                                                    \
    }
RUN_ROWS(run_1, 1)
RUN_ROWS(run_2, 2)
RUN_ROWS(run_4, 4)
RUN_ROWS(run_8, 8)
#undef RUN_ROWS

static void run_piece(const struct gf_recur *r, float *const *row, int channels, double *state, int64_t n)
{
    const int64_t step = (int64_t)channels * GF_RECUR_STATE;

    for (int c = 0; c < channels;) {
        const int left = channels - c;
        double *s = state + c * GF_RECUR_STATE;

        if (left >= 8)
            run_8(r, row + c, s, step, n), c += 8;
        else if (left >= 4)
            run_4(r, row + c, s, step, n), c += 4;
        else if (left >= 2)
            run_2(r, row + c, s, step, n), c += 2;
        else
            run_1(r, row + c, s, step, n), c += 1;
    }
}

/*
 * Clears state that has decayed below the smallest float: processors are a hundred times slower
 * with such numbers. Only at multiples of PIECE, so that the result does not depend on the cut.
 */
static void settle(const struct gf_recur *r, int channels, double *state)
{
    for (int64_t i = 0; i < (int64_t)r->sections * channels; i++, state += GF_RECUR_STATE)
        if (fabs(state[0]) < SILENCE && fabs(state[1]) < SILENCE)
            state[0] = state[1] = 0;
}

int gf_recur_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    _Alignas(64) float room[ROOM + ROWS * 16];
    const struct gf_recur *r = params;
    const int channels = io->load ? io->load->out : io->src.channels;
    const bool runs = gf_block_is_run(&io->src) && gf_block_is_run(&io->dst);
    float *row[ROWS];
    const int widest = gf_point_widest_of(io);
    int64_t piece;

    (void)err;
    for (piece = PIECE; piece * widest > ROOM;)
        piece /= 2;
    piece = runs ? piece : 1;
    for (int64_t u = io->dst.span.start, n; u < io->dst.span.end; u += n) {
        n = piece - u % piece;
        n = n < io->dst.span.end - u ? n : io->dst.span.end - u;
        for (int c = 0; c < widest; c++)
            row[c] = room + c * (piece + 16);
        gf_load_pixels(&io->src, u, 0, n, row);
        gf_point_run(io->load, work->tables, row, n);
        run_piece(r, row, channels, work->carry, n);
        if ((u + n) % PIECE == 0)
            settle(r, channels, work->carry);
        gf_point_run(io->store, work->tables, row, n);
        gf_store_pixels(&io->dst, u, 0, n, (const float *const *)row);
    }
    return 0;
}

/*
 * Measured on one core with stereo audio, relative to the mean of unpacking with a gain and of
 * packing: a section costs 4.6 to 5.1 light operations.
 */
static struct gf_cost recur_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return (struct gf_cost) { .light = 5 * ((const struct gf_recur *)params)->sections };
}

static size_t recur_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_recur *r = params;
    const int64_t units = gf_span_units(io->dst.span), chunks = units / GF_RECUR_CHUNK + 2,
                          groups = chunks / GF_RECUR_GROUP + 2;
    const int64_t states = (chunks + groups) * 2, between = r->sections > 1 ? units : 0;

    return (size_t)(gf_gpu_loaded_bytes(io, false, units) + gf_gpu_stored_bytes(io, false)
                    + (states + between) * gf_channels_at_work(io) * (int64_t)sizeof(double)
                        + GF_GPU_SCRATCH_SMALL);
}

const struct gf_operation gf_op_recur = {
    .word = "recur",
    .text = "Filters of second order in series, which depend on all earlier samples.",
    .params_bytes = sizeof(struct gf_recur),
    .cpu = { .body = gf_recur_cpu, .cost = recur_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_recur_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = recur_gpu_scratch,
              .cost = recur_cost },
};
