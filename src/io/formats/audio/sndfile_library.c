/* Opens libsndfile when it is first needed. */
#include "io/formats/audio/sndfile_library.h"

#ifdef GF_LATE_SNDFILE
#include "base/late_library.h"

#define NAME(name) #name,

struct gf_sndfile_library gf_sndfile_library;

int gf_sndfile_library_open(struct gf_error *err)
{
    static const char *const names[] = { GF_SNDFILE_CALLS(NAME) NULL };
    static struct gf_late_library library = { .file = GF_LATE_SNDFILE, .names = names,
                                              .functions = &gf_sndfile_library, .lock = PTHREAD_MUTEX_INITIALIZER };

    return gf_late_library_open(&library, err);
}
#else
int gf_sndfile_library_open(struct gf_error *err)
{
    (void)err;
    return 0;
}
#endif
