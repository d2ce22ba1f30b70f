/*
 * Convolution of recordings with long filters, by Fourier transforms of blocks (overlap-save). The same as
 * gf_op_conv along the units with zeros beyond the border, to within 1e-6 of max |in| · sum |h|, which is the most
 * that could come out, in a time that hardly grows with the taps. Of what is rejected the error is as large, so that
 * it may be more than what is left.
 */
#ifndef GF_KERNELS_FFTCONV_H
#define GF_KERNELS_FFTCONV_H

#include "kernels/base/fft.h"
#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_FFTCONV_MAX_TAPS (1 << 22)
#define GF_FFTCONV_DIRECT_TAPS 8192      /* to here a GPU adds them one by one sooner than it has loaded what transforms */

/*
 * out(t) = sum over k in [0, taps) of h[k] · in(t + late - k)
 *
 * Block b makes units [b·step, (b + 1)·step) of the output, always the whole of it, from parts of the
 * taps: part p holds h[p·part …), and is convolved with the `size` units of input that end with
 * (b + 1)·step + late - p·part. What stands before the first unit and behind the last one is 0. There is one part,
 * and `step` is as large as it leaves room for, or step = part = size/2. Spectra of the parts are
 * added in the order of the parts, from the first one. So a block is the same
 * wherever a call begins and ends; calls that cut one make all of it.
 *
 * Where a GPU has few taps to add, or nothing to transform with, it adds them one by one, in
 * pieces of at most GF_CONV_MAX_TAPS.
 */
struct gf_fftconv {
    int64_t taps;               /* of each mask */
    int64_t late;
    int64_t size, step, part;
    int parts;
    int mask_channels;          /* 1: the same taps for all channels; else a mask a channel, stored one after another */
    int64_t taps_at;            /* in the pool of masks: the last tap first, as gf_op_conv has them */
    int64_t spectra_at;         /* by mask, by part: size/2 + 1 pairs of the part's transform / size; even */
};

/*
 * Chooses size, step and parts for `taps` taps. most_step: so many units of output a block at most, for who
 * can't wait for more; 0 for any.
 */
void gf_fftconv_shape(struct gf_fftconv *f, int64_t taps, int64_t most_step);
/* Floats that the spectra of all masks take. */
int64_t gf_fftconv_spectra_samples(const struct gf_fftconv *f);
/* Writes them; `taps` as they stand in the pool. -1 where memory ran out. */
int gf_fftconv_fill(const struct gf_fftconv *f, const float *taps, float *spectra) GF_MUST_CHECK;

/* Units of input before those of a block of output, and behind them. */
static inline int64_t gf_fftconv_before(const struct gf_fftconv *f)
{
    return f->size - f->step + (f->parts - 1) * f->part - f->late;
}

/* What a GPU does at a time: blocks, rows of samples and of sums, and rows of spectra with those of blocks before. */
struct gf_fftconv_batch {
    int64_t blocks, rows, past;
};

static inline struct gf_fftconv_batch gf_fftconv_batch_of(const struct gf_fftconv *f, int channels)
{
    const int together = gf_fft_rows(f->size);
    struct gf_fftconv_batch b;

    b.blocks = together / channels > 0 ? together / channels : 1;
    b.rows = channels > together ? gf_round_up(channels, together) : together;
    b.past = gf_round_up((b.blocks + f->parts - 1) * channels, together);
    return b;
}

gf_op_scratch gf_fftconv_scratch_bytes;

extern const struct gf_operation gf_op_fftconv;
gf_op_body gf_fftconv_cpu, gf_fftconv_cuda;

#ifdef __cplusplus
}
#endif
#endif
