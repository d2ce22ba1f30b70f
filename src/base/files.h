/* Helpers for files: user folders by the XDG rules, and closing written files with error checks. */
#ifndef GF_BASE_FILES_H
#define GF_BASE_FILES_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

/* Closes a written file; -1 if any write has failed, now or earlier. */
int gf_files_close_written(FILE *to) GF_MUST_CHECK;

/*
 * Finds a user folder by the XDG Base Directory Specification: the value of `variable` if it is an
 * absolute path, else `at_home` in the home folder. Returns false if there is neither.
 */
bool gf_files_user_folder(const char *variable, const char *at_home, char *folder, size_t room);

#endif
