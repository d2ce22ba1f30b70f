/* Opens FFTW when it is first needed. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#ifdef HAVE_FFTW
#include "kernels/base/libfftw.h"

#ifdef GF_LATE_FFTW
#include "base/late_library.h"

GF_LATE_NOTE(GF_LATE_FFTW, "fftw", "long filters", "recommended");

#define NAME(name) #name,

struct gf_libfftw gf_libfftw;

int gf_libfftw_open(struct gf_error *err)
{
    static const char *const names[] = { GF_LIBFFTW_CALLS(NAME) NULL };
    static struct gf_late_library library = { .file = GF_LATE_FFTW, .names = names, .functions = &gf_libfftw,
                                              .lock = PTHREAD_MUTEX_INITIALIZER };

    return gf_late_library_open(&library, err);
}
#else
int gf_libfftw_open(struct gf_error *err)
{
    (void)err;
    return 0;
}
#endif
#endif
