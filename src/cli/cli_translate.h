/* Translates a command line in the syntax of another program. */
#ifndef GF_CLI_CLI_TRANSLATE_H
#define GF_CLI_CLI_TRANSLATE_H

#include "base/error.h"

struct gf_cli_program;

/*
 * Replaces what the message of `err` suggests by the whole command as gpufilter takes it: "...; write:
 * gpufilter -i ...".
 * Leaves the message alone if a part of the command has no translation. `argv` ends with NULL. With a
 * `word`, the message
 * then names it as the unknown option; else it may be NULL. Always returns -1.
 */
int gf_cli_translate(const struct gf_cli_program *program, char *const *argv, const char *word, struct gf_error *err);

#endif
