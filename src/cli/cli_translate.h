/* Translates a command line in the syntax of another program. */
#ifndef GF_CLI_CLI_TRANSLATE_H
#define GF_CLI_CLI_TRANSLATE_H

#include "base/error.h"

struct gf_cli_program;

/*
 * Replaces the advice in `err`, which begins at the first semicolon, by the translated command:
 * "...; write: gpufilter -i ...". Leaves `err` unchanged if a part of the command has no translation.
 * `argv` ends with NULL. `word` is the unknown option that the new message names, or NULL to keep
 * the message up to the semicolon. Always returns -1.
 */
int gf_cli_translate(const struct gf_cli_program *program, char *const *argv, const char *word, struct gf_error *err);
/* True if the word is the name of a program whose commands can be translated. NULL is fine. */
bool gf_cli_is_program(const char *word);

#endif
