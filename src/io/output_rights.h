/* Owner, group and mode of a file that replaces another one. */
#ifndef GF_IO_OUTPUT_RIGHTS_H
#define GF_IO_OUTPUT_RIGHTS_H

#include "base/notice.h"
#include "io/atomic_file.h"

#include <sys/stat.h>

/*
 * Opens a file that is going to replace the target, whose status is `old`. It gets the owner, group and mode of
 * the old file as far as this user may give them. If the group or the access control list cannot be the same,
 * the mode is narrower, so that nobody gets a right that the old file did not give, and a warning about `name`
 * says so. Returns a descriptor, which the caller closes, or -1 with errno.
 */
int gf_output_open_like(struct gf_atomic_file *file, const struct stat *old, const char *name,
                        struct gf_notices *notices) GF_MUST_CHECK;

#endif
