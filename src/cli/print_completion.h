/* Prints the completion script for a shell. */
#ifndef GF_CLI_PRINT_COMPLETION_H
#define GF_CLI_PRINT_COMPLETION_H

#include "base/error.h"

/* `shell` is bash, zsh or fish. */
int gf_print_completion(const char *shell, struct gf_error *err) GF_MUST_CHECK;

#endif
