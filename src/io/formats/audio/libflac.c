/* Opens libFLAC when it is first needed. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#ifdef HAVE_FLAC
#include "io/formats/audio/libflac.h"

#include "base/late_library.h"

#ifdef GF_LATE_FLAC
GF_LATE_NOTE(GF_LATE_FLAC, "flac", "FLAC written by several threads", "recommended");
GF_LATE_OPEN(gf_libflac, GF_LATE_FLAC, GF_LIBFLAC_CALLS)
#else
GF_LATE_LINKED(gf_libflac)
#endif
#endif
