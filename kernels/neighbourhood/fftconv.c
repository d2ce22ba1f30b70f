/* Convolution by Fourier transforms, on a CPU. */
#include "kernels/neighbourhood/fftconv.h"

#include "kernels/base/fft.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/program_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS (GF_MAX_CHANNELS + GF_POINT_MATRIX_MAX)

/* ---- shapes ---- */

#define LEAST_SIZE 4096
#define LEAST_LIVE_SIZE (2 * GF_FFT_LEAST_POINTS)
/* the longest blocks that a GPU transforms in shared memory, and the most taps that are worth cutting them short */
#define NEAR_SIZE 32768
#define NEAR_TAPS (NEAR_SIZE / 2)

void gf_fftconv_shape(struct gf_fftconv *f, int64_t taps, int64_t most_step)
{
    int64_t size = LEAST_SIZE, reach = (taps + 62) / 64 * 64;        /* units before a block that its taps reach */

    f->taps = taps;
    f->parts = 1;
    f->part = taps;
    while (taps <= NEAR_TAPS ? size < NEAR_SIZE && size < 7 * taps : size < 4 * taps / 8 * 7)
        size *= 2;
    /* as long as allowed, and as many parts as needed */
    if (most_step > 0 && size - reach > most_step) {
        for (size = 16; size <= most_step; )
            size *= 2;
        f->part = size / 2;
        f->parts = (int)((taps + f->part - 1) / f->part);
        size = size > LEAST_LIVE_SIZE ? size : LEAST_LIVE_SIZE;
        reach = size - f->part;
    }
    f->size = size;
    f->step = size - reach;
}

int64_t gf_fftconv_spectra_samples(const struct gf_fftconv *f)
{
    return gf_fft_turns_floats(f->size / 2) + f->mask_channels * f->parts * f->size;
}

int gf_fftconv_fill(const struct gf_fftconv *f, const float *taps, float *spectra)
{
    const int64_t n = f->size, points = n / 2;
    double *tree = malloc((size_t)(2 * n) * sizeof *tree), *x = tree + n;

    if (tree == NULL)
        return -1;
    gf_fft_fill_tree(points, GF_FFT_FILTER, tree);
    gf_fft_fill_turns(points, tree, spectra);
    spectra += gf_fft_turns_floats(points);
    for (int64_t m = 0; m < f->mask_channels; m++)
        for (int64_t p = 0; p < f->parts; p++, spectra += n) {
            const float *last = taps + (m + 1) * f->taps - 1;

            for (int64_t i = 0; i < n; i++)
                x[i] = i < f->part && p * f->part + i < f->taps ? (double)last[-(p * f->part + i)] : 0;
            gf_fft_in_double(points, tree, x, x + points);
            for (int64_t i = 0; i < n; i++)
                spectra[i / points * points + gf_fft_place(i % points)] = (float)(x[i] / (double)points);
        }
    free(tree);
    return 0;
}

/* ---- the body ---- */

/* Everything that a call works with. */
struct fftconv_job {
    const struct gf_work *work;
    const struct gf_io *io;
    const struct gf_fftconv *f;
    struct gf_fft fft;
    int channels, rows;              /* channels that are processed; the most that programs make of them */
    /* samples of a block, then its result, `size` of each; row[c] points to that of channel c */
    float *room_of[ROWS], *row[ROWS];
    float *past;                     /* spectra of the latest blocks, by channel */
};

static size_t fftconv_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_fftconv *f = params;
    const int64_t past = f->parts > 1 ? (int64_t)gf_channels_at_work(io) * f->parts : 0;

    return (size_t)((gf_point_widest_of(io) + past) * f->size) * sizeof(float);
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
    return j->past + (c * j->f->parts + gf_modulo(b, j->f->parts)) * j->f->size;
}

/* Computes and keeps the spectrum of block b, which is loaded. */
static void keep_spectrum(const struct fftconv_job *j, int c, int64_t b)
{
    float *to = past_of(j, c, b);

    memcpy(to, j->row[c], (size_t)j->f->size * sizeof *to);
    gf_fft_forward(&j->fft, to, to + j->fft.points);
}

static void convolve_block(const struct fftconv_job *j, int64_t b)
{
    const struct gf_fftconv *f = j->f;
    const int64_t points = j->fft.points;

    for (int c = 0; c < j->channels; c++) {
        const float *spectrum = j->fft.turns + gf_fft_turns_floats(points)
                                + (f->mask_channels > 1 ? c : 0) * f->parts * f->size;
        float *row = j->row[c];

        if (f->parts == 1) {
            gf_fft_through(&j->fft, spectrum, row, row + points);
            continue;
        }
        keep_spectrum(j, c, b);
        gf_fft_multiply(points, past_of(j, c, b), spectrum, row);
        for (int p = 1; p < f->parts; p++)
            gf_fft_multiply_add(points, past_of(j, c, b - p), spectrum + p * f->size, row);
        gf_fft_backward(&j->fft, row, row + points);
    }
}

/* Computes the earlier blocks that the first block needs. */
static void recall(struct fftconv_job *j, int64_t first)
{
    for (int64_t b = first - j->f->parts + 1; b < first; b++) {
        load_block(j, b);
        for (int c = 0; c < j->channels; c++)
            keep_spectrum(j, c, b);
    }
}

int gf_fftconv_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_fftconv *f = params;
    struct fftconv_job j = { .work = work, .io = io, .f = f, .fft = { f->size / 2, work->masks + f->spectra_at } };
    const int64_t first = io->dst.span.start / f->step;
    float *at = work->scratch;

    if (work->scratch_bytes < fftconv_scratch(io, f))
        return gf_fail(err, GF_FAILED, "internal error: fftconv has too little scratch memory");
    j.channels = gf_channels_at_work(io);
    j.rows = gf_point_widest_of(io);
    for (int c = 0; c < j.rows; c++, at += f->size)
        j.room_of[c] = at;
    j.past = at;
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
 * Cost of a transform and its inverse, of which `step` samples in `size` are new. Measured: 7 for
 * 960 taps, 9 for 8192, 16 for a million.
 */
static struct gf_cost fftconv_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_fftconv *f = params;

    (void)in, (void)out;
    return (struct gf_cost) { .light = 0.55 * (log2((double)f->size) + f->parts) * (double)f->size / (double)f->step };
}

static size_t fftconv_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_fftconv *f = params;
    const struct gf_fftconv_batch b = gf_fftconv_batch_of(f, gf_channels_at_work(io));

    return gf_gpu_scratch_planes(io, params)
         + (size_t)((b.rows + (f->parts > 1 ? b.past : 0)) * f->size) * sizeof(float);
}

/* Numbers of a plan that another process has sent may be any. */
static int64_t masks_end(const void *params, int channels)
{
    const struct gf_fftconv *f = params;
    const int64_t most = 16 * (int64_t)GF_FFTCONV_MAX_TAPS;

    return f->size < 16 || f->size > most || (f->size & (f->size - 1)) != 0 || f->parts < 1 || f->parts > most
           || f->mask_channels < 1 || f->mask_channels > GF_MAX_CHANNELS
           || (f->mask_channels > 1 && channels > f->mask_channels) || f->spectra_at < 0
           || f->spectra_at > INT64_MAX / 2
               ? -1 : f->spectra_at + gf_fft_turns_floats(f->size / 2) + f->mask_channels * f->parts * f->size;
}

const struct gf_operation gf_op_fftconv = {
    .word = "fftconv", .text = "Filters with many taps, block by block, by Fourier transforms.",
    .params_bytes = sizeof(struct gf_fftconv),
    .cpu = { .body = gf_fftconv_cpu, .reads = GF_READS_PACKED, .stores_packed = true,
             .scratch_bytes = fftconv_scratch, .cost = fftconv_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_fftconv_cuda), GF_OP_READS_AND_STORES, .scratch_bytes = fftconv_gpu_scratch,
              .cost = fftconv_cost },
    .reach = gf_reach_own_column,
    .masks_end = masks_end,
};
