/* Translates a command line in the syntax of another program. */
#ifndef GF_CLI_CLI_TRANSLATE_H
#define GF_CLI_CLI_TRANSLATE_H

#include "base/error.h"

struct gf_cli_program;

/*
 * Replaces the advice in `err`, which begins at the first semicolon, by the translated command:
 * "...; write: gpufilter -i ...". `argv` ends with NULL. `word` is the unknown option that the new message
 * names, or NULL to keep the message up to the semicolon. If a part of the command has no translation, `err`
 * becomes one about that part, or stays. With `absent`, it is rather about the first argument that names a filter
 * without a counterpart, as in "-af atempo". Always returns -1.
 */
int gf_cli_translate(const struct gf_cli_program *program, char *const *argv, const char *word, bool absent,
                     struct gf_error *err);
/* Returns the kinds that the files among the arguments may be; 0: unknown. */
unsigned gf_cli_kinds_of(char *const *argv);
/* True if the word is the name of a program whose commands can be translated. NULL is fine. */
bool gf_cli_is_program(const char *word);

#endif
