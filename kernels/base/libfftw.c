/* Opens FFTW when it is first needed. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#ifdef HAVE_FFTW
#include "kernels/base/libfftw.h"

#include "base/late_library.h"

#ifdef GF_LATE_FFTW
GF_LATE_NOTE(GF_LATE_FFTW, "fftw", "long filters", "recommended");
GF_LATE_OPEN(gf_libfftw, GF_LATE_FFTW, GF_LIBFFTW_CALLS)
#else
GF_LATE_LINKED(gf_libfftw)
#endif
#endif
