/* Opens libtiff when it is first needed. Built if HAVE_TIFF. */
#include "io/formats/tiff/libtiff.h"

#include "base/late_library.h"

#ifdef GF_LATE_TIFF
GF_LATE_NOTE(GF_LATE_TIFF, "tiff", "TIFF images", "recommended");
GF_LATE_OPEN(gf_libtiff, GF_LATE_TIFF, GF_LIBTIFF_CALLS)
#else
GF_LATE_LINKED(gf_libtiff)
#endif
