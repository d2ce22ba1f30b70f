/*
 * Convolution of audio with long filters by Fourier transforms of blocks (overlap-save).
 * The result is that of gf_op_conv along the units with zeros outside, to within 1e-6 of max |in| ·
 * sum |h|, the largest possible value. The time hardly grows with the taps. The error is as large
 * for rejected frequencies, so it may exceed what is left of them.
 */
#ifndef GF_KERNELS_FFTCONV_H
#define GF_KERNELS_FFTCONV_H

#include "kernels/base/op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_FFTCONV_MAX_TAPS (1 << 22)

/*
 * out(t) = sum over k in [0, taps) of h[k] · in(t + late - k).
 * Block b computes units [b·step, (b + 1)·step) of the output, always as a whole, from parts of the
 * taps: part p has h[p·part …) and is convolved with the `size` units of input that end with (b +
 * 1)·step + late - p·part. Units before the first and after the last are 0. Either there is one
 * part and `step` fills the rest of `size`, or step = part, at most size/2. Spectra of the parts are
 * added in order from the first one. So a block is the same wherever a call begins and ends; a call
 * that needs a part of a block computes all of it.
 */
struct gf_fftconv {
    int64_t taps;               /* taps of each mask */
    int64_t late;
    int64_t size, step, part;
    int parts;
    /* 1: the same taps for all channels; otherwise a mask for each channel, one after another */
    int mask_channels;
    int64_t taps_at;            /* in the pool of masks: last tap first, as for gf_op_conv */
    /* in the pool of masks: the turns, then for each mask and part `size` floats of the part's values / points; even */
    int64_t spectra_at;
};

/*
 * Chooses size, step and parts for `taps` taps. most_step: most units of output in a block, for
 * limited latency; 0 for any.
 */
void gf_fftconv_shape(struct gf_fftconv *f, int64_t taps, int64_t most_step);
/* Returns the floats of the turns and of the spectra of all masks. */
int64_t gf_fftconv_spectra_samples(const struct gf_fftconv *f);
/* Computes turns and spectra from `taps`, in the order of the pool. Returns -1 if memory ran out. */
int gf_fftconv_fill(const struct gf_fftconv *f, const float *taps, float *spectra) GF_MUST_CHECK;

/* Returns the units of input before those of a block of output. */
static inline int64_t gf_fftconv_before(const struct gf_fftconv *f)
{
    return f->size - f->step + (f->parts - 1) * f->part - f->late;
}

/* samples that a GPU transforms at a time, so that results stay in its second-level cache */
#define GF_FFTCONV_BATCH_SAMPLES (1 << 21)

/* The batch of a GPU: blocks, rows of samples, and rows of spectra including previous blocks. */
struct gf_fftconv_batch {
    int64_t blocks, rows, past;
};

static inline struct gf_fftconv_batch gf_fftconv_batch_of(const struct gf_fftconv *f, int channels)
{
    const int64_t blocks = GF_FFTCONV_BATCH_SAMPLES / f->size / channels;
    struct gf_fftconv_batch b;

    b.blocks = blocks > 0 ? blocks : 1;
    b.past = f->parts > 1 ? (b.blocks + f->parts - 1) * channels : 0;
    b.rows = b.past > b.blocks * channels ? b.past : b.blocks * channels;
    return b;
}

extern const struct gf_operation gf_op_fftconv;
gf_op_body gf_fftconv_cpu, gf_fftconv_cuda;

#ifdef __cplusplus
}
#endif
#endif
