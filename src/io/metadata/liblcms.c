/* Opens lcms2 when it is first needed. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#ifdef HAVE_LCMS
#include "io/metadata/liblcms.h"

#ifdef GF_LATE_LCMS
#include "base/late_library.h"

GF_LATE_NOTE(GF_LATE_LCMS, "profiles", "color profiles", "recommended");

#define NAME(name) #name,

struct gf_liblcms gf_liblcms;

int gf_liblcms_open(struct gf_error *err)
{
    static const char *const names[] = { GF_LIBLCMS_CALLS(NAME) NULL };
    static struct gf_late_library library = { .file = GF_LATE_LCMS, .names = names, .functions = &gf_liblcms,
                                              .lock = PTHREAD_MUTEX_INITIALIZER };

    return gf_late_library_open(&library, err);
}
#else
int gf_liblcms_open(struct gf_error *err)
{
    (void)err;
    return 0;
}
#endif
#endif
