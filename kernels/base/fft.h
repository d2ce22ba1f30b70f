/*
 * Fourier transforms of real samples in lengths that are powers of two: on a CPU, and the batch
 * sizes for a GPU.
 */
#ifndef GF_KERNELS_FFT_H
#define GF_KERNELS_FFT_H

#include "base/error.h"
#include "base/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_FFT_LEAST 8
#define GF_FFT_MOST (1 << 24)
/* samples that a GPU transforms at a time, so that results stay in its second-level cache */
#define GF_FFT_BATCH_SAMPLES (1 << 21)

/*
 * Computes the spectrum of n samples in double: n/2 + 1 pairs, real and imaginary, of the sum over
 * t of x[t]·exp(-2πikt/n). `room` has 2·n doubles; x may be the same array as the spectrum.
 */
void gf_fft_forward(int64_t n, const double *x, double *spectrum, double *room);
/* Computes the inverse: n times the samples. */
void gf_fft_backward(int64_t n, const double *spectrum, double *x, double *room);

/*
 * Transforms in single precision, by FFTW if it is built in. Its plans are estimated, never measured,
 * so the same samples give the same bits. Otherwise the functions above are used. Arrays are
 * aligned to 64 bytes; the inverse overwrites the spectrum.
 */
struct gf_fft;

/* Creates the plans for one length; NULL, with an error, if memory ran out or FFTW is missing. */
const struct gf_fft *gf_fft_of(int64_t n, struct gf_error *err);
/* Returns the floats of work space for a transform of n samples. */
int64_t gf_fft_room(int64_t n);
void gf_fft_run_forward(const struct gf_fft *f, float *x, float *spectrum, float *room);
void gf_fft_run_backward(const struct gf_fft *f, float *spectrum, float *x, float *room);
/* Returns the name of the implementation. */
const char *gf_fft_word(void);

/*
 * Returns the rows that a GPU transforms in one call. It depends only on the length, because
 * results must not depend on how many rows are needed.
 */
static inline int gf_fft_rows(int64_t size)
{
    const int64_t rows = size < GF_FFT_BATCH_SAMPLES ? GF_FFT_BATCH_SAMPLES / size : 1;

    return rows < 8192 ? (int)rows : 8192;
}

/*
 * Returns the pairs from one row's spectrum to the next: size/2 + 1, rounded up to a multiple of
 * 128 bytes.
 */
static inline int64_t gf_fft_pitch(int64_t size)
{
    return size / 2 + 16;
}

#ifdef __cplusplus
}
#endif
#endif
