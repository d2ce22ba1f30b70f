/* Error messages for unknown options. */
#ifndef GF_CLI_CLI_UNKNOWN_H
#define GF_CLI_CLI_UNKNOWN_H

#include "base/error.h"

#include <stddef.h>

struct gf_cli_program;

/* Reports an unknown long option of `length` bytes; always returns -1. `next` is the argument after it, or NULL. */
int gf_cli_unknown_option(const struct gf_cli_program *program, const char *name, size_t length, const char *next,
                          struct gf_error *err);
/* Reports an unknown letter in the argument `word`; always returns -1. `before` is the argument before it, or NULL. */
int gf_cli_unknown_letter(const struct gf_cli_program *program, const char *before, const char *word, char letter,
                          struct gf_error *err);

/*
 * Fails if argv[at] uses the syntax of another program: a stage or a long option after a single dash, or a value after
 * a letter that takes none.
 */
int gf_cli_unknown_syntax(const struct gf_cli_program *program, char *const *argv, int at, struct gf_error *err) GF_MUST_CHECK;

#endif
