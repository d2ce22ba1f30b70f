/* The limit of --max-output: the size of each file that the process writes. */
#ifndef GF_BASE_FILE_LIMIT_H
#define GF_BASE_FILE_LIMIT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Lets no file of the process become larger than `bytes`, through the kernel's own limit, so that it also holds for
 * code of an attacker in a decoder. Call it before the sandbox closes, with SIGXFSZ ignored. A lower limit of the user
 * (ulimit -f) remains. Fails if standard error is a file that may already be too large for messages.
 */
int gf_file_limit_set(int64_t bytes, struct gf_error *err) GF_MUST_CHECK;
/* Returns true if an error number means that gf_file_limit_set() has stopped a write. */
bool gf_file_limit_is_reason(int number);
/* Fails because temporary data in `folder` is larger than the limit. */
int gf_file_limit_fail_temporary(struct gf_error *err, const char *folder);
/* Fails because the output `name` is larger than the limit. */
int gf_file_limit_fail(struct gf_error *err, const char *name);

#endif
