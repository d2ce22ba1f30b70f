/* Opens libsndfile when it is first needed. */
#include "io/formats/audio/libsndfile.h"

#ifdef GF_LATE_SNDFILE
#include "base/late_library.h"

GF_LATE_NOTE(GF_LATE_SNDFILE, "audio", "all audio except linear WAV and AU", "recommended");

#define NAME(name) #name,

struct gf_libsndfile gf_libsndfile;

int gf_libsndfile_open(struct gf_error *err)
{
    static const char *const names[] = { GF_LIBSNDFILE_CALLS(NAME) NULL };
    static struct gf_late_library library = { .file = GF_LATE_SNDFILE, .names = names,
                                              .functions = &gf_libsndfile, .lock = PTHREAD_MUTEX_INITIALIZER };

    return gf_late_library_open(&library, err);
}
#else
int gf_libsndfile_open(struct gf_error *err)
{
    (void)err;
    return 0;
}
#endif
