/* Opens libtiff when it is first needed. Built if HAVE_TIFF. */
#include "io/formats/tiff/libtiff.h"

#ifdef GF_LATE_TIFF
#include "base/late_library.h"

GF_LATE_NOTE(GF_LATE_TIFF, "tiff", "TIFF images", "recommended");

#define NAME(name) #name,

struct gf_libtiff gf_libtiff;

int gf_libtiff_open(struct gf_error *err)
{
    static const char *const names[] = { GF_LIBTIFF_CALLS(NAME) NULL };
    static struct gf_late_library library = { .file = GF_LATE_TIFF, .names = names, .functions = &gf_libtiff,
                                              .lock = PTHREAD_MUTEX_INITIALIZER };

    return gf_late_library_open(&library, err);
}
#else
int gf_libtiff_open(struct gf_error *err)
{
    (void)err;
    return 0;
}
#endif
