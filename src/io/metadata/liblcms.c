/* Opens lcms2 when it is first needed. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#ifdef HAVE_LCMS
#include "io/metadata/liblcms.h"

#include "base/late_library.h"

#ifdef GF_LATE_LCMS
GF_LATE_NOTE(GF_LATE_LCMS, "profiles", "color profiles", "recommended");
GF_LATE_OPEN(gf_liblcms, GF_LATE_LCMS, GF_LIBLCMS_CALLS)
#else
GF_LATE_LINKED(gf_liblcms)
#endif
#endif
