/* The completion script for a shell. */
#ifndef GF_CLI_COMPLETION_H
#define GF_CLI_COMPLETION_H

#include "base/error.h"

/* Prints the script for bash, zsh or fish: that of the folder of the running program, or the installed one. */
int gf_completion_print(const char *shell, struct gf_error *err);

#endif
