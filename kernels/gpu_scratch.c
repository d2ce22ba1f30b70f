/* What CUDA bodies borrow: the same conditions as theirs, in bytes. */
#include "kernels/gpu_scratch.h"

#include "kernels/base/program_run.h"
#include "kernels/geometry/resize.h"
#include "kernels/neighbourhood/box.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/fftconv.h"
#include "kernels/neighbourhood/hysteresis.h"
#include "kernels/neighbourhood/rank.h"
#include "kernels/sound/limit.h"
#include "kernels/sound/recur.h"
#include "kernels/sound/resample.h"
#include "kernels/statistics/loudness.h"
#include "kernels/statistics/prefix.h"
#include "kernels/statistics/scan.h"

/* As large as bands of sums are at a time, and tiles of a convolution can be in shared memory. */
#define BAND_SUMS (INT64_C(4) << 20)
#define TILE_WEIGHTS 64
#define GROUP_PIXELS (INT64_C(1) << 22)
#define SMALL (INT64_C(4) << 10)         /* what else there is, and rounding */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t units_of(const struct gf_block *b)
{
    return b->span.end - b->span.start;
}

static int64_t planes(const struct gf_block *b, int channels, int64_t units)
{
    const int64_t pitch = b->width == 1 ? 1 : gf_round_up(b->width, 128);

    return gf_round_up(pitch * units, 128) * channels * (int64_t)sizeof(float);
}

static int channels_at_work(const struct gf_io *io)
{
    return io->load != NULL && io->load->count > 0 ? io->load->out : io->src.channels;
}

/* Of what is read: `units` of it. */
static int64_t loaded(const struct gf_io *io, bool packed_too, int64_t units)
{
    const bool load = !gf_point_is_identity(io->load) || (packed_too && !io->src.planar);

    return load ? planes(&io->src, channels_at_work(io), units) : 0;
}

static int64_t stored(const struct gf_io *io, bool packed_too)
{
    const bool store = !gf_point_is_identity(io->store) || (packed_too && !io->dst.planar);

    return store ? planes(&io->dst, channels_at_work(io), units_of(&io->dst)) : 0;
}

size_t gf_gpu_scratch_programs(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)(loaded(io, false, units_of(&io->src)) + stored(io, false) + SMALL);
}

size_t gf_gpu_scratch_planes(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)(loaded(io, true, units_of(&io->src)) + stored(io, true) + SMALL);
}

size_t gf_gpu_scratch_box(const struct gf_io *io, const void *params)
{
    const struct gf_box *box = params;

    if (!box->along_units)
        return 0;
    return (size_t)(loaded(io, true, units_of(&io->src)) + stored(io, false) + SMALL
                    + io->dst.width * units_of(&io->dst) * (int64_t)sizeof(double));
}

/*
 * Filters along a recording, and masks that a tile of one, three or four channels has room for borrow nothing; others work
 * in planes, with one in between.
 */
size_t gf_gpu_scratch_conv(const struct gf_io *io, const void *params)
{
    const struct gf_conv *conv = params;
    const bool in_registers = channels_at_work(io) != 2 && io->dst.channels <= 4 && gf_point_widest_of(io) <= 4;
    const bool line = io->dst.width == 1 && conv->nx == 0 && io->dst.channels == io->src.channels
                   && gf_point_is_uniform(io->load, io->src.channels) && gf_point_is_uniform(io->store, io->src.channels);

    if (line || (io->dst.width > 1 && in_registers && conv->nx <= TILE_WEIGHTS && conv->ny <= TILE_WEIGHTS))
        return 0;
    return gf_gpu_scratch_planes(io, params)
         + (size_t)(!conv->full && conv->nx > 0 && conv->ny > 0 ? planes(&io->src, 1, units_of(&io->src)) : 0);
}

/* Samples, their spectra and those of the blocks before, sums, and as much again that the transforms work in. */
size_t gf_gpu_scratch_fftconv(const struct gf_io *io, const void *params)
{
    const struct gf_fftconv *f = params;
    const struct gf_fftconv_batch b = gf_fftconv_batch_of(f, channels_at_work(io));
    const int64_t row = gf_fft_pitch(f->size) * 2 * (int64_t)sizeof(float);

    if (f->taps <= GF_FFTCONV_DIRECT_TAPS)
        return gf_gpu_scratch_conv(io, &(struct gf_conv) { .ny = (int)f->taps });
    return gf_gpu_scratch_planes(io, params) + (size_t)((4 * b.rows + b.past) * row + planes(&io->dst, 1, units_of(&io->dst)));
}

size_t gf_gpu_scratch_limit(const struct gf_io *io, const void *params)
{
    const int64_t count = units_of(&io->dst) + 2 * gf_limit_halo(params) + 1;

    return gf_gpu_scratch_programs(io, params) + (size_t)(gf_round_up(count, 128) * 24 + count / 16 + 4 * SMALL);
}

size_t gf_gpu_scratch_loudness(const struct gf_io *io, const void *params)
{
    const struct gf_loudness *l = params;

    return (size_t)(loaded(io, true, units_of(&io->src)) + l->run_units * GF_LOUDNESS_STATES * (int64_t)sizeof(double) + SMALL);
}

/* Whole numbers are summed by strips and bands, others by tiles, a band at a time where both ways are wanted. */
size_t gf_gpu_scratch_prefix(const struct gf_io *io, const void *params)
{
    const struct gf_prefix *p = params;
    const int64_t units = units_of(&io->dst), width = io->dst.width, line = width * p->colours;
    int64_t sums;

    if (gf_prefix_is_whole(io) && gf_point_is_identity(io->store))
        return (size_t)((p->colours * (units * (width / 128 + 1) + width * (units / 64 + 1))) * (int64_t)sizeof(double) + SMALL);
    sums = p->along_columns ? (width / GF_PREFIX_TILE + 1) * units * p->colours : 0;
    if (p->along_columns && p->along_units)
        sums = larger(line * units < BAND_SUMS ? line * units : BAND_SUMS, line) / 8 * 9 + line;
    if (gf_prefix_is_whole(io))
        sums = larger(sums, p->colours * (units * (width / 128 + 1) + width * (units / 64 + 1)));
    return (size_t)(loaded(io, false, units) + stored(io, false) + sums * (int64_t)sizeof(double) + SMALL);
}

/* Integers are ranked as they are stored, and what is kept of them before a program or another type. */
size_t gf_gpu_scratch_rank(const struct gf_io *io, const void *params)
{
    const bool packed = gf_point_is_identity(io->load) && !io->src.planar && (io->src.type == GF_U8 || io->src.type == GF_U16);

    (void)params;
    if (packed)
        return (size_t)(gf_round_up(io->src.width * io->src.channels, 128) * units_of(&io->dst) * (int64_t)gf_type_bytes(io->src.type) + SMALL);
    return (size_t)(loaded(io, true, units_of(&io->src)) + stored(io, true) + SMALL);
}

size_t gf_gpu_scratch_recur(const struct gf_io *io, const void *params)
{
    const struct gf_recur *r = params;
    const int64_t units = units_of(&io->dst), chunks = units / GF_RECUR_CHUNK + 2, groups = chunks / GF_RECUR_GROUP + 2;
    const int64_t states = (chunks + groups) * 2, between = r->sections > 1 ? units : 0;

    return (size_t)(loaded(io, false, units) + stored(io, false)
                    + (states + between) * channels_at_work(io) * (int64_t)sizeof(double) + SMALL);
}

/* The table of weights in another order, and zeros that are read ahead. */
size_t gf_gpu_scratch_resample(const struct gf_io *io, const void *params)
{
    const struct gf_resample *r = params;

    (void)io;
    return r->phases > 0 ? 0 : (size_t)(r->per * (r->taps + GF_RESAMPLE_AHEAD)) * sizeof(float) + SMALL;
}

/* The long way, where no tile has room for the weights: rows as wide as they come, then the result. */
size_t gf_gpu_scratch_resize(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)(loaded(io, false, units_of(&io->src)) + planes(&io->src, channels_at_work(io), units_of(&io->dst))
                    + planes(&io->dst, channels_at_work(io), units_of(&io->dst)) + SMALL);
}

/* A word for every tile, which has 512 values or more. */
size_t gf_gpu_scratch_scan(const struct gf_io *io, const void *params)
{
    const struct gf_scan *s = params;

    (void)io;
    return (size_t)(s->count / 512) * sizeof(uint64_t) + SMALL;
}

/* Labels and marks, of the bands that are looked at a time; for seams, places too. */
static int64_t labels(int64_t width, int64_t units, int64_t bytes)
{
    const int64_t row = width * GF_HYSTERESIS_ROWS;
    const int64_t most = larger(GROUP_PIXELS / larger(row, 1), 1) * GF_HYSTERESIS_ROWS;

    return (units < most ? units : most) * width * bytes + SMALL;
}

size_t gf_gpu_scratch_seams(const struct gf_io *io, const void *params)
{
    (void)params;
    return (size_t)labels(io->src.width, units_of(&io->src), 9);
}

size_t gf_gpu_scratch_hysteresis(const struct gf_io *io, const void *params)
{
    return gf_gpu_scratch_programs(io, params) + (size_t)labels(io->src.width, units_of(&io->src), 5);
}
