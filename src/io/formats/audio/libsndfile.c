/* Opens libsndfile when it is first needed. */
#include "io/formats/audio/libsndfile.h"

#include "base/late_library.h"

#ifdef GF_LATE_SNDFILE
GF_LATE_NOTE(GF_LATE_SNDFILE, "audio", "all audio except linear WAV and AU", "recommended");
GF_LATE_OPEN(gf_libsndfile, GF_LATE_SNDFILE, GF_LIBSNDFILE_CALLS)
#else
GF_LATE_LINKED(gf_libsndfile)
#endif
