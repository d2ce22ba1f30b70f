/* The functions of FFTW in single precision. The library is opened for the first transform. */
#ifndef GF_KERNELS_LIBFFTW_H
#define GF_KERNELS_LIBFFTW_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/error.h"

#include <fftw3.h>

/* Without its name, which configure finds, the library is linked. */
#ifdef GF_LATE_FFTW

#define GF_LIBFFTW_CALLS(CALL) \
    CALL(fftwf_destroy_plan) CALL(fftwf_execute_dft_c2r) CALL(fftwf_execute_dft_r2c) CALL(fftwf_free) \
    CALL(fftwf_malloc) CALL(fftwf_plan_dft_c2r_1d) CALL(fftwf_plan_dft_r2c_1d)

#define GF_LIBFFTW_MEMBER(name) __typeof__(name) *name;

extern struct gf_libfftw {
    GF_LIBFFTW_CALLS(GF_LIBFFTW_MEMBER)
} gf_libfftw;

#define fftwf_destroy_plan gf_libfftw.fftwf_destroy_plan
#define fftwf_execute_dft_c2r gf_libfftw.fftwf_execute_dft_c2r
#define fftwf_execute_dft_r2c gf_libfftw.fftwf_execute_dft_r2c
#define fftwf_free gf_libfftw.fftwf_free
#define fftwf_malloc gf_libfftw.fftwf_malloc
#define fftwf_plan_dft_c2r_1d gf_libfftw.fftwf_plan_dft_c2r_1d
#define fftwf_plan_dft_r2c_1d gf_libfftw.fftwf_plan_dft_r2c_1d
#endif

/* Opens the library once. Call it before any of its functions. */
int gf_libfftw_open(struct gf_error *err) GF_MUST_CHECK;

#endif
