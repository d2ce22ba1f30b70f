/* Opens libFLAC when it is first needed. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#ifdef HAVE_FLAC
#include "io/formats/audio/libflac.h"

#ifdef GF_LATE_FLAC
#include "base/late_library.h"

GF_LATE_NOTE(GF_LATE_FLAC, "flac", "FLAC written by several threads", "recommended");

#define NAME(name) #name,

struct gf_libflac gf_libflac;

int gf_libflac_open(struct gf_error *err)
{
    static const char *const names[] = { GF_LIBFLAC_CALLS(NAME) NULL };
    static struct gf_late_library library = { .file = GF_LATE_FLAC, .names = names,
                                              .functions = &gf_libflac, .lock = PTHREAD_MUTEX_INITIALIZER };

    return gf_late_library_open(&library, err);
}
#else
int gf_libflac_open(struct gf_error *err)
{
    (void)err;
    return 0;
}
#endif
#endif
