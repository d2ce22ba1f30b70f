/* Error messages for unknown options. */
#ifndef GF_CLI_CLI_UNKNOWN_H
#define GF_CLI_CLI_UNKNOWN_H

#include "base/error.h"

#include <stddef.h>

struct gf_cli_program;

/* Reports the unknown long option argv[at], whose name has `length` bytes; always returns -1. */
int gf_cli_unknown_option(const struct gf_cli_program *program, char *const *argv, int at, size_t length,
                          struct gf_error *err);
/* Reports an unknown letter in argv[at]; always returns -1. */
int gf_cli_unknown_letter(const struct gf_cli_program *program, char *const *argv, int at, char letter,
                          struct gf_error *err);

/*
 * Fails if argv[at] uses the syntax of another program: a stage or a long option after a single dash, or a value after
 * a letter that takes none.
 */
int gf_cli_unknown_syntax(const struct gf_cli_program *program, char *const *argv, int at,
                          struct gf_error *err) GF_MUST_CHECK;

#endif
