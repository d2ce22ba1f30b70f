/* Fourier transforms on a GPU by cuFFT, which is opened at run time when it is first needed. */
#ifndef GF_KERNELS_FFT_CUDA_CUH
#define GF_KERNELS_FFT_CUDA_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/fft.h"

/* Returns true if cuFFT can be used. If not, *why is the loader's message. */
bool gf_fft_cuda_opens(const char **why);

/* Plans for one length on the current device. The caller owns them until it returns them. */
struct gf_fft_cuda_plans {
    struct gf_fft_cuda_plans *next;
    int device;
    int64_t n;
    int forward, backward;               /* cufftHandle */
    size_t work_bytes;
};

struct gf_fft_cuda_plans *gf_fft_cuda_borrow(int64_t n, struct gf_error *err);
void gf_fft_cuda_return(struct gf_fft_cuda_plans *p);
/*
 * Transforms gf_fft_rows() rows of n samples to their spectra, or back without scaling (n times the
 * samples). `work` has work_bytes.
 */
int gf_fft_cuda_forward(struct gf_fft_cuda_plans *p, float *rows, float2 *spectra, void *work, cudaStream_t stream,
                        struct gf_error *err);
int gf_fft_cuda_backward(struct gf_fft_cuda_plans *p, float2 *spectra, float *rows, void *work, cudaStream_t stream,
                         struct gf_error *err);

#endif
