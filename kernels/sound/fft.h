/* Fourier transforms of real samples on a CPU, in lengths that are powers of two. */
#ifndef GF_FFT_H
#define GF_FFT_H

#include "base/signal.h"

#define GF_FFT_LEAST 8
#define GF_FFT_MOST (1 << 24)

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

#endif
