/* Says why an output file cannot appear in its folder. */
#include "io/placing_failure.h"

#include "base/path.h"
#include "base/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sandbox allows the folders that were there when it was made. */
static bool is_hidden(const char *target)
{
    char *folder = gf_path_beside(target, ".");
    const bool hidden = folder != NULL && gf_sandbox_hides(folder, W_OK);

    free(folder);
    return hidden;
}

int gf_placing_failure(const char *target, const char *temporary, const char *what, const char *name,
                      struct gf_error *err)
{
    const int why = errno;

    if (temporary != NULL && unlink(temporary) != 0 && errno != ENOENT)
        return gf_fail_system(err, why, "%s%s; its temporary file %s cannot be deleted either", name, what, temporary);
    if (why == EACCES && is_hidden(target))
        return gf_fail(err, GF_FAILED, "%s: its folder has appeared or changed since the start, and the sandbox does "
                                       "not allow new folders;; %s", name, gf_sandbox_advice());
    return gf_fail_system(err, why, "%s%s", name, what);
}
