/*
 * Recursive filters on a CPU: several channels at a time, because each sample waits for the
 * previous one. The powers of a section's matrix serve a GPU, too.
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

/* ---- the state across chunks ---- */

/* A sum of two doubles, the second far smaller: rounding errors of powers are too large for one. */
struct wide {
    double high, low;
};

/* Returns a·b + c·d. */
static struct wide two_products(struct wide a, struct wide b, struct wide c, struct wide d)
{
    const double p = a.high * b.high, q = c.high * d.high, sum = p + q, part = sum - p;
    const double low = (fma(a.high, b.high, -p) + (a.high * b.low + a.low * b.high))
                     + (fma(c.high, d.high, -q) + (c.high * d.low + c.low * d.high))
                     + ((p - (sum - part)) + (q - part));
    const double high = sum + low;

    return (struct wide) { high, low - (high - sum) };
}

/* Raises [-a1 1; -a2 0] to the power n by squaring. */
struct gf_recur_way gf_recur_way(const struct gf_recur_section *k, int n)
{
    struct wide m[2][2] = { { { -k->a1, 0 }, { 1, 0 } }, { { -k->a2, 0 }, { 0, 0 } } };

    for (; n > 1; n /= 2) {
        const struct wide aa = two_products(m[0][0], m[0][0], m[0][1], m[1][0]);
        const struct wide ab = two_products(m[0][0], m[0][1], m[0][1], m[1][1]);
        const struct wide ba = two_products(m[1][0], m[0][0], m[1][1], m[1][0]);
        const struct wide bb = two_products(m[1][0], m[0][1], m[1][1], m[1][1]);

        m[0][0] = aa, m[0][1] = ab, m[1][0] = ba, m[1][1] = bb;
    }
    return (struct gf_recur_way) { { { m[0][0].high, m[0][1].high }, { m[1][0].high, m[1][1].high } } };
}

/* Sets *to to the state after some frames that began in `from`, and that end in `z` from a zero state. */
static void go_on(const struct gf_recur_way *w, const double *from, const double *z, double *to)
{
    const double s1 = fma(w->m[0][0], from[0], fma(w->m[0][1], from[1], z[0]));
    const double s2 = fma(w->m[1][0], from[0], fma(w->m[1][1], from[1], z[1]));
    const bool silent = fabs(s1) < GF_RECUR_SILENCE && fabs(s2) < GF_RECUR_SILENCE;

    to[0] = silent ? 0 : s1;
    to[1] = silent ? 0 : s2;
}

/* Ends a chunk of a channel, which is followed by frame u: the places of its state are those of the header. */
static void end_chunk(double *state, const struct gf_recur_way *chunk, const struct gf_recur_way *group, int64_t u)
{
    double *z = state + 2, *begin = state + 4, *sum = state + 6, *first = state + 8;

    go_on(chunk, begin, z, begin);
    go_on(chunk, sum, z, sum);
    if (u % (GF_RECUR_CHUNK * GF_RECUR_GROUP) == 0) {
        go_on(group, first, sum, first);
        sum[0] = sum[1] = 0;
        begin[0] = first[0], begin[1] = first[1];
    }
    state[0] = begin[0], state[1] = begin[1];
    z[0] = z[1] = 0;
}

/* ---- frames ---- */

/* One section over n frames of a chunk, of `count` adjacent channels with their states. */
GF_INLINE void run_section(const struct gf_recur_section *k, double *restrict v, double *restrict state, int64_t n,
                           const int count)
{
    const double b0 = k->b0, c1 = k->b1 - k->a1 * k->b0, c2 = k->b2 - k->a2 * k->b0, a1 = -k->a1, a2 = -k->a2;
    double s1[TOGETHER], s2[TOGETHER], z1[TOGETHER], z2[TOGETHER];

    for (int c = 0; c < count; c++) {
        s1[c] = state[c * GF_RECUR_STATE];
        s2[c] = state[c * GF_RECUR_STATE + 1];
        z1[c] = state[c * GF_RECUR_STATE + 2];
        z2[c] = state[c * GF_RECUR_STATE + 3];
    }
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < count; c++) {
            const double x = v[i * count + c], new = c2 * x;
            const double s = fma(c1, x, s2[c]), z = fma(c1, x, z2[c]);

            v[i * count + c] = fma(b0, x, s1[c]);
            s2[c] = fma(a2, s1[c], new);
            s1[c] = fma(a1, s1[c], s);
            z2[c] = fma(a2, z1[c], new);
            z1[c] = fma(a1, z1[c], z);
        }
    for (int c = 0; c < count; c++) {
        state[c * GF_RECUR_STATE] = s1[c];
        state[c * GF_RECUR_STATE + 1] = s2[c];
        state[c * GF_RECUR_STATE + 2] = z1[c];
        state[c * GF_RECUR_STATE + 3] = z2[c];
    }
}

struct ways {
    struct gf_recur_way chunk[GF_RECUR_SECTIONS], group[GF_RECUR_SECTIONS];
};

/* Runs frames [u, u + n) of `count` channels; `step` is from the state of a section to that of the next. */
GF_INLINE void run_rows(const struct gf_recur *r, const struct ways *ways, float *const *row, double *state,
                        int64_t step, int64_t u, int64_t n, const int count)
{
    _Alignas(64) double v[PIECE * TOGETHER];

    for (int c = 0; c < count; c++)
        for (int64_t i = 0; i < n; i++)
            v[i * count + c] = fabsf(row[c][i]) <= FLT_MAX ? (double)row[c][i] : 0.0;
    for (int k = 0; k < r->sections; k++, state += step)
        for (int64_t i = 0, some; i < n; i += some) {
            some = GF_RECUR_CHUNK - (u + i) % GF_RECUR_CHUNK;
            some = some < n - i ? some : n - i;
            run_section(&r->section[k], v + i * count, state, some, count);
            for (int c = 0; c < count && (u + i + some) % GF_RECUR_CHUNK == 0; c++)
                end_chunk(state + c * GF_RECUR_STATE, &ways->chunk[k], &ways->group[k], u + i + some);
        }
    for (int c = 0; c < count; c++)
        for (int64_t i = 0; i < n; i++)
            row[c][i] = (float)v[i * count + c];
}

/* A function for each count, so that the compiler vectorizes over channels. */
#define RUN_ROWS(name, count)                                                                                       \
    GF_CLONES                                                                                                       \
    static void name(const struct gf_recur *r, const struct ways *ways, float *const *row, double *state,           \
                     int64_t step, int64_t u, int64_t n)                                                            \
    {                                                                                                               \
        run_rows(r, ways, row, state, step, u, n, count);                                                           \
    }
RUN_ROWS(run_1, 1)
RUN_ROWS(run_2, 2)
RUN_ROWS(run_4, 4)
RUN_ROWS(run_8, 8)
#undef RUN_ROWS

static void run_piece(const struct gf_recur *r, const struct ways *ways, float *const *row, int channels,
                      double *state, int64_t u, int64_t n)
{
    const int64_t step = (int64_t)channels * GF_RECUR_STATE;

    for (int c = 0; c < channels;) {
        const int left = channels - c;
        double *s = state + c * GF_RECUR_STATE;

        if (left >= 8)
            run_8(r, ways, row + c, s, step, u, n), c += 8;
        else if (left >= 4)
            run_4(r, ways, row + c, s, step, u, n), c += 4;
        else if (left >= 2)
            run_2(r, ways, row + c, s, step, u, n), c += 2;
        else
            run_1(r, ways, row + c, s, step, u, n), c += 1;
    }
}

int gf_recur_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    _Alignas(64) float room[ROOM + ROWS * 16];
    const struct gf_recur *r = params;
    const int channels = gf_channels_at_work(io);
    const bool runs = gf_block_is_run(&io->src) && gf_block_is_run(&io->dst);
    float *row[ROWS];
    const int widest = gf_point_widest_of(io);
    struct ways ways;
    int64_t piece;

    (void)err;
    for (int k = 0; k < r->sections; k++) {
        ways.chunk[k] = gf_recur_way(&r->section[k], GF_RECUR_CHUNK);
        ways.group[k] = gf_recur_way(&r->section[k], GF_RECUR_CHUNK * GF_RECUR_GROUP);
    }
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
        run_piece(r, &ways, row + r->first, channels - r->first, work->carry, u, n);
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
