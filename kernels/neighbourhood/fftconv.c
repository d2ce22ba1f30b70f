/* Convolution by Fourier transforms, on a CPU. */
#include "kernels/neighbourhood/fftconv.h"

#include "base/clones.h"
#include "kernels/base/fft.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"
#include "kernels/neighbourhood/conv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS (GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX)

/* ---- shapes ---- */

#define LEAST_SIZE 4096
/* up to here spectra, eight times as long as the taps, stay in the second-level cache */
#define NEAR_TAPS 8192

void gf_fftconv_shape(struct gf_fftconv *f, int64_t taps, int64_t most_step)
{
    int64_t size = GF_FFT_LEAST, reach = (taps + 62) / 64 * 64;      /* units before a block that its taps reach */

    f->taps = taps;
    f->parts = 1;
    f->part = taps;
    while (size < LEAST_SIZE || size < (taps <= NEAR_TAPS ? 8 : 4) * taps / 8 * 7)
        size *= 2;
    /* as long as allowed, and as many parts as needed */
    if (most_step > 0 && size - reach > most_step) {
        for (size = 2 * GF_FFT_LEAST; size <= most_step; )
            size *= 2;
        f->part = size / 2;
        f->parts = (int)((taps + f->part - 1) / f->part);
        reach = size / 2;
    }
    f->size = size;
    f->step = size - reach;
}

static int64_t pairs_room(const struct gf_fftconv *f)
{
    return (f->size + 2 + 15) / 16 * 16;
}

int64_t gf_fftconv_spectra_samples(const struct gf_fftconv *f)
{
    return f->mask_channels * f->parts * (f->size + 2);
}

int gf_fftconv_fill(const struct gf_fftconv *f, const float *taps, float *spectra)
{
    const int64_t n = f->size;
    double *x = malloc((size_t)(3 * n + 2) * sizeof *x);

    if (x == NULL)
        return -1;
    for (int64_t m = 0; m < f->mask_channels; m++)
        for (int64_t p = 0; p < f->parts; p++) {
            const float *last = taps + (m + 1) * f->taps - 1;
            float *to = spectra + (m * f->parts + p) * (n + 2);

            for (int64_t i = 0; i < n; i++)
                x[i] = i < f->part && p * f->part + i < f->taps ? (double)last[-(p * f->part + i)] : 0;
            gf_fft_forward(n, x, x, x + n + 2);
            for (int64_t i = 0; i < n + 2; i++)
                to[i] = (float)(x[i] / (double)n);
        }
    free(x);
    return 0;
}

/* ---- the body ---- */

/* Everything that a call works with. */
struct fftconv_job {
    const struct gf_work *work;
    const struct gf_io *io;
    const struct gf_fftconv *f;
    const struct gf_fft *fft;
    int channels, rows;              /* channels that are processed; the most that programs make of them */
    /* samples of a block, then its result, `size` of each; row[c] points to that of channel c */
    float *room_of[ROWS], *row[ROWS];
    float *past, *sum, *room;        /* spectra of the latest blocks, by channel; their sum; work space */
};

static size_t floats_needed(const struct gf_io *io, const struct gf_fftconv *f)
{
    const int channels = gf_channels_at_work(io);
    const int64_t past = f->parts > 1 ? (int64_t)channels * f->parts : 0;

    return (size_t)(gf_point_widest_of(io) * f->size + (past + 1) * pairs_room(f) + gf_fft_room(f->size));
}

static size_t fftconv_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_fftconv *f = params;

    return floats_needed(io, f) * sizeof(float);
}

/* Computes sum = a·b, pair by pair. */
GF_CLONES
static void multiply_pairs(const float *restrict a, const float *restrict b, float *restrict sum, int64_t pairs)
{
    for (int64_t k = 0; k < 2 * pairs; k += 2) {
        sum[k] = a[k] * b[k] - a[k + 1] * b[k + 1];
        sum[k + 1] = a[k] * b[k + 1] + a[k + 1] * b[k];
    }
}

GF_CLONES
static void multiply_add(const float *restrict a, const float *restrict b, float *restrict sum, int64_t pairs)
{
    for (int64_t k = 0; k < 2 * pairs; k += 2) {
        sum[k] += a[k] * b[k] - a[k + 1] * b[k + 1];
        sum[k + 1] += a[k] * b[k + 1] + a[k + 1] * b[k];
    }
}

GF_CLONES
static void multiply_in_place(float *restrict a, const float *restrict b, int64_t pairs)
{
    for (int64_t k = 0; k < 2 * pairs; k += 2) {
        const float re = a[k] * b[k] - a[k + 1] * b[k + 1];

        a[k + 1] = a[k] * b[k + 1] + a[k + 1] * b[k];
        a[k] = re;
    }
}

/* Points the rows after those of the channels to unused memory. */
static void free_rows_last(struct fftconv_job *j)
{
    int to = j->channels;

    for (int i = 0; i < j->rows; i++) {
        bool used = false;

        for (int c = 0; c < j->channels; c++)
            used = used || j->row[c] == j->room_of[i];
        if (!used && to < j->rows)
            j->row[to++] = j->room_of[i];
    }
}

/* Loads the units that block b needs, with the load program applied. */
static void load_block(struct fftconv_job *j, int64_t b)
{
    const struct gf_io *io = j->io;
    const int64_t size = j->f->size, first = (b + 1) * j->f->step + j->f->late - size;
    const int64_t from = first > 0 ? first : 0, to = first + size < io->src_units ? first + size : io->src_units;

    memcpy(j->row, j->room_of, sizeof j->row);
    for (int c = 0; c < j->rows; c++) {
        const int64_t before = from - first < size ? from - first : size, after = to - first > 0 ? to - first : 0;

        memset(j->row[c], 0, (size_t)before * sizeof(float));
        memset(j->row[c] + after, 0, (size_t)(size - after) * sizeof(float));
    }
    for (int64_t u = from, n; u < to; u += n) {
        float *row[ROWS];

        n = to - u < GF_RUN_PIXELS ? to - u : GF_RUN_PIXELS;
        for (int c = 0; c < j->rows; c++)
            row[c] = j->room_of[c] + (u - first);
        gf_load_pixels(&io->src, u, 0, n, row);
        gf_point_run(io->load, j->work->tables, row, n);
        /* a program moves rows between channels, always in the same way */
        for (int c = 0; c < j->channels; c++)
            j->row[c] = row[c] - (u - first);
    }
    free_rows_last(j);
}

/* Stores the units of the result, which are at the end of the rows. */
static void store_block(struct fftconv_job *j, int64_t b)
{
    const struct gf_block *dst = &j->io->dst;
    const int64_t end = (b + 1) * j->f->step, begin = end - j->f->step;
    const int64_t from = begin > dst->span.start ? begin : dst->span.start,
                         to = end < dst->span.end ? end : dst->span.end;

    for (int64_t u = from, n; u < to; u += n) {
        float *row[ROWS];

        n = to - u < GF_RUN_PIXELS ? to - u : GF_RUN_PIXELS;
        for (int c = 0; c < j->rows; c++)
            row[c] = j->row[c] + j->f->size - (end - u);
        gf_point_run(j->io->store, j->work->tables, row, n);
        gf_store_pixels(dst, u, 0, n, (const float *const *)row);
    }
}

/* Returns the place of block b's spectrum among those that are kept. */
static float *past_of(const struct fftconv_job *j, int c, int64_t b)
{
    return j->past + (c * j->f->parts + gf_modulo(b, j->f->parts)) * pairs_room(j->f);
}

static const float *spectrum_of(const struct fftconv_job *j, int c, int p)
{
    const struct gf_fftconv *f = j->f;

    return j->work->masks + f->spectra_at + ((f->mask_channels > 1 ? c : 0) * f->parts + p) * (f->size + 2);
}

static void convolve_block(struct fftconv_job *j, int64_t b)
{
    const struct gf_fftconv *f = j->f;
    const int64_t pairs = f->size / 2 + 1;

    for (int c = 0; c < j->channels; c++) {
        if (f->parts == 1) {
            gf_fft_run_forward(j->fft, j->row[c], j->sum, j->room);
            multiply_in_place(j->sum, spectrum_of(j, c, 0), pairs);
        } else {
            gf_fft_run_forward(j->fft, j->row[c], past_of(j, c, b), j->room);
            multiply_pairs(past_of(j, c, b), spectrum_of(j, c, 0), j->sum, pairs);
            for (int p = 1; p < f->parts; p++)
                multiply_add(past_of(j, c, b - p), spectrum_of(j, c, p), j->sum, pairs);
        }
        gf_fft_run_backward(j->fft, j->sum, j->row[c], j->room);
    }
}

/* Computes the earlier blocks that the first block needs. */
static void recall(struct fftconv_job *j, int64_t first)
{
    for (int64_t b = first - j->f->parts + 1; b < first; b++) {
        load_block(j, b);
        for (int c = 0; c < j->channels; c++)
            gf_fft_run_forward(j->fft, j->row[c], past_of(j, c, b), j->room);
    }
}

int gf_fftconv_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_fftconv *f = params;
    struct fftconv_job j = { .work = work, .io = io, .f = f, .fft = gf_fft_of(f->size, err) };
    const int64_t first = io->dst.span.start / f->step;
    float *at = work->scratch;

    if (j.fft == NULL)
        return -1;
    if (work->scratch_bytes < fftconv_scratch(io, f))
        return gf_fail(err, GF_FAILED, "internal error: fftconv has too little scratch memory");
    j.channels = gf_channels_at_work(io);
    j.rows = gf_point_widest_of(io);
    for (int c = 0; c < j.rows; c++, at += f->size)
        j.room_of[c] = at;
    j.past = at;
    j.sum = at + (f->parts > 1 ? (int64_t)j.channels * f->parts : 0) * pairs_room(f);
    j.room = j.sum + pairs_room(f);
    if (f->parts > 1)
        recall(&j, first);
    for (int64_t b = first; b * f->step < io->dst.span.end; b++) {
        load_block(&j, b);
        convolve_block(&j, b);
        store_block(&j, b);
    }
    return 0;
}

/*
 * Cost of a transform and its inverse, of which `step` samples in `size` are new. Measured: 13 for
 * 960 taps, 21 for 9600, 32 for 96000.
 */
static struct gf_cost fftconv_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_fftconv *f = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = (log2((double)f->size) + f->parts) * (double)f->size / (double)f->step };
}

/*
 * Samples, their spectra and those of previous blocks, sums, and the same again as work space of
 * the transforms.
 */
static size_t fftconv_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_fftconv *f = params;
    const struct gf_fftconv_batch b = gf_fftconv_batch_of(f, gf_channels_at_work(io));
    const int64_t row = gf_fft_pitch(f->size) * 2 * (int64_t)sizeof(float);

    if (f->taps <= GF_FFTCONV_DIRECT_TAPS)
        return gf_op_conv.cuda.scratch_bytes(io, &(struct gf_conv) { .ny = (int)f->taps });
    return gf_gpu_scratch_planes(io, params)
         + (size_t)((4 * b.rows + b.past) * row + gf_gpu_plane_bytes(&io->dst, 1, gf_span_units(io->dst.span)));
}

const struct gf_operation gf_op_fftconv = {
    .word = "fftconv", .text = "Filters with many taps, block by block, by Fourier transforms.",
    .params_bytes = sizeof(struct gf_fftconv),
    .cpu = { .body = gf_fftconv_cpu, .reads = GF_READS_PACKED, .stores_packed = true,
             .scratch_bytes = fftconv_scratch, .cost = fftconv_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_fftconv_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = fftconv_gpu_scratch,
              .cost = fftconv_cost },
};
