/* Says why an output file cannot appear in its folder. */
#ifndef GF_IO_PLACING_FAILURE_H
#define GF_IO_PLACING_FAILURE_H

#include "base/error.h"

/*
 * Fails because of errno. `what` is empty, or ": " and what failed. Deletes the file
 * `temporary`, or says that it stays; NULL: none.
 */
int gf_placing_failure(const char *target, const char *temporary, const char *what, const char *name,
                      struct gf_error *err);

#endif
