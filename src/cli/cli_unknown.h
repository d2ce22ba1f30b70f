/* What is said of unknown options. */
#ifndef GF_CLI_UNKNOWN_H
#define GF_CLI_UNKNOWN_H

#include "base/error.h"

#include <stddef.h>

/* Of a long one, of `length` bytes, and the word behind it or NULL; always -1. */
int gf_cli_unknown_option(const char *name, size_t length, const char *next, struct gf_error *err);
/* Of a letter in `word`, behind the word `before` or NULL; always -1. */
int gf_cli_unknown_letter(const char *before, const char *word, char letter, struct gf_error *err);

/*
 * -1 where the word at argv[at] is written as for other programs: a stage or a long option behind one dash, or a value behind
 * a letter that takes none. Else 0.
 */
int gf_cli_unknown_syntax(char *const *argv, int at, struct gf_error *err) GF_MUST_CHECK;

#endif
