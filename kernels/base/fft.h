/* Fourier transforms of real samples, in lengths that are powers of two: on a CPU, and in which portions a GPU does them. */
#ifndef GF_KERNELS_FFT_H
#define GF_KERNELS_FFT_H

#include "base/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_FFT_LEAST 8
#define GF_FFT_MOST (1 << 24)
#define GF_FFT_BATCH_SAMPLES (1 << 21)   /* a GPU transforms at a time: what is made of them stays in its second cache */

/*
 * The spectrum of n samples: n/2 + 1 pairs, real and imaginary, of the sum over t of
 * x[t]·exp(-2πikt/n). In double. `room` holds 2·n doubles; x may stand where the spectrum goes.
 */
void gf_fft_forward(int64_t n, const double *x, double *spectrum, double *room);
/* And back: n times the samples. */
void gf_fft_backward(int64_t n, const double *spectrum, double *x, double *room);

/*
 * The same in single precision, by FFTW where it is built in, with plans that are estimated, never measured:
 * the same samples give the same bits. Else by the functions above. Arrays begin at multiples of 64 bytes; the
 * backward one spoils the spectrum.
 */
struct gf_fft;

/* Made once for each length; NULL where memory ran out. */
const struct gf_fft *gf_fft_of(int64_t n);
/* Floats of room that a transform of n samples takes. */
int64_t gf_fft_room(int64_t n);
void gf_fft_run_forward(const struct gf_fft *f, float *x, float *spectrum, float *room);
void gf_fft_run_backward(const struct gf_fft *f, float *spectrum, float *x, float *room);
/* What does it, for people. */
const char *gf_fft_word(void);

/* Rows that a GPU transforms together, always as many for a length: what comes out must not depend on how many are wanted. */
static inline int gf_fft_rows(int64_t size)
{
    const int64_t rows = size < GF_FFT_BATCH_SAMPLES ? GF_FFT_BATCH_SAMPLES / size : 1;

    return rows < 8192 ? (int)rows : 8192;
}

/* Pairs from the spectrum of a row to the next: size/2 + 1, at multiples of 128 bytes. */
static inline int64_t gf_fft_pitch(int64_t size)
{
    return size / 2 + 16;
}

#ifdef __cplusplus
}
#endif
#endif
