/* Opens libtiff when it is first needed. */
#include "io/formats/tiff/tiff_library.h"

#ifdef GF_LATE_TIFF
#include "base/late_library.h"

#define NAME(name) #name,

struct gf_tiff_library gf_tiff_library;

int gf_tiff_library_open(struct gf_error *err)
{
    static const char *const names[] = { GF_TIFF_CALLS(NAME) NULL };
    static struct gf_late_library library = { .file = GF_LATE_TIFF, .names = names, .functions = &gf_tiff_library,
                                              .lock = PTHREAD_MUTEX_INITIALIZER };

    return gf_late_library_open(&library, err);
}
#else
int gf_tiff_library_open(struct gf_error *err)
{
    (void)err;
    return 0;
}
#endif
