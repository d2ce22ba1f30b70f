/* Libraries that are opened when they are first needed. */
#include "base/late_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

static int open_library(struct gf_late_library *l, struct gf_error *err)
{
    char *to = l->functions;
    const char *why;
    void *handle;

    errno = 0;
    handle = dlopen(l->file, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL && errno == ENOMEM)
        return gf_fail_memory(err, l->file);
    why = handle == NULL ? dlerror() : NULL;
    if (handle == NULL)
        return gf_fail(err, GF_FAILED, "%s cannot be opened: %s", l->file, why != NULL ? why : "it is missing");
    for (const char *const *name = l->names; *name != NULL; name++, to += sizeof handle) {
        void *found = dlsym(handle, *name);

        if (found == NULL)
            return gf_fail(err, GF_FAILED, "%s cannot be used: it has no %s()", l->file, *name);
        memcpy(to, &found, sizeof found);
    }
    l->open = true;
    return 0;
}

int gf_late_library_open(struct gf_late_library *l, struct gf_error *err)
{
    int result;

    pthread_mutex_lock(&l->lock);
    result = l->open ? 0 : open_library(l, err);
    pthread_mutex_unlock(&l->lock);
    return result;
}
