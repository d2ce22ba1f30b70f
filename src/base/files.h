/* Small rules about files: the folders that a user keeps things in, and closing what was written. */
#ifndef GF_BASE_FILES_H
#define GF_BASE_FILES_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

/* Closes what was written to; -1 where any of it was lost, now or before. */
int gf_files_close_written(FILE *to) GF_MUST_CHECK;

/*
 * A folder that the user keeps things in, by the XDG Base Directory Specification: what `variable` says if that is an
 * absolute path, else `at_home` in the home folder; false where there is neither.
 */
bool gf_files_user_folder(const char *variable, const char *at_home, char *folder, size_t room);

#endif
